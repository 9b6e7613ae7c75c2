// SPDX-License-Identifier: Apache-2.0
#include "base/switches.h"

#include <cstdlib>
#include <set>
#include <string>

#include <gtest/gtest.h>

namespace zhibi::base {
namespace {

TEST(SwitchesTest, TableIsSmallUniqueAndExplained) {
  EXPECT_LE(SwitchTable().size(), kMaxSwitches);
  std::set<std::string_view> names;
  for (const SwitchRow& row : SwitchTable()) {
    EXPECT_TRUE(names.insert(row.name).second) << row.name;
    EXPECT_FALSE(row.help.empty()) << row.name;
    EXPECT_FALSE(row.value.empty()) << row.name;
  }
}

TEST(SwitchesTest, EmptyIsUnset) {
  ASSERT_EQ(::setenv("ZHIBI_LOG", "", 1), 0);
  EXPECT_FALSE(SwitchValue(Switch::kLog).has_value());
  ASSERT_EQ(::setenv("ZHIBI_LOG", "info", 1), 0);
  EXPECT_EQ(SwitchValue(Switch::kLog), "info");
  ASSERT_EQ(::unsetenv("ZHIBI_LOG"), 0);
  EXPECT_FALSE(SwitchValue(Switch::kLog).has_value());
}

TEST(SwitchesTest, MisspeltNamesAreFound) {
  ASSERT_EQ(::setenv("ZHIBI_THREAD", "2", 1), 0);
  const std::vector<std::string> unknown = UnknownSwitches();
  EXPECT_EQ(std::set<std::string>(unknown.begin(), unknown.end()).count("ZHIBI_THREAD"), 1U);
  ASSERT_EQ(::unsetenv("ZHIBI_THREAD"), 0);
}

}  // namespace
}  // namespace zhibi::base
