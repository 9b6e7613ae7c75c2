// SPDX-License-Identifier: Apache-2.0
#include "extract/roles.h"

#include <gtest/gtest.h>

namespace zhibi::extract {
namespace {

TEST(Roles, SidesOfParties) {
  EXPECT_EQ(SideOf("原告"), "plaintiffs");
  EXPECT_EQ(SideOf("被申请人"), "defendants");
  EXPECT_EQ(SideOf("第三人"), "third_parties");
  EXPECT_EQ(SideOf("被害人"), "victims");
  EXPECT_EQ(SideOf("审判长"), "");
  // Who answers is on the other side of whom he answers.
  EXPECT_EQ(SideOf("答辩人"), "defendants");
  EXPECT_EQ(SideOf("被答辩人"), "plaintiffs");
}

TEST(Roles, EverySideIsKnown) {
  for (const auto& [role, side] : Sides()) {
    EXPECT_TRUE(side == "plaintiffs" || side == "defendants" || side == "third_parties" ||
                side == "victims" || side == "other")
        << role;
    // A party does not speak for one.
    EXPECT_FALSE(IsRepresentative(role)) << role;
  }
}

TEST(Roles, ContractRolesMustBeDeclared) {
  EXPECT_TRUE(IsDeclaredRole("借款人"));
  EXPECT_FALSE(IsDeclaredRole("被告"));
  EXPECT_FALSE(IsDeclaredRole("无此角色"));
}

TEST(Roles, Representatives) {
  for (const char* role : {"法定代表人", "委托诉讼代理人", "指定辩护人", "主要负责人", "值班律师"})
    EXPECT_TRUE(IsRepresentative(role)) << role;
  EXPECT_FALSE(IsRepresentative("原告"));
}

}  // namespace
}  // namespace zhibi::extract
