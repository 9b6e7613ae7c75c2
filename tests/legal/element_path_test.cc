// SPDX-License-Identifier: Apache-2.0
#include "legal/element_path.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace zhibi::legal {
namespace {

TEST(Path, SetsAndFinds) {
  nlohmann::json root;
  EXPECT_TRUE(SetPath("a.b[0].c", 1, root).ok());
  EXPECT_TRUE(SetPath("a.b[1]", 2, root).ok());
  EXPECT_EQ(root.dump(), R"({"a":{"b":[{"c":1},2]}})");
  ASSERT_NE(FindPath(root, "a.b[0].c"), nullptr);
  EXPECT_EQ(FindPath(root, "a.x"), nullptr);
  for (const char* bad :
       {"", ".", "a.", "[0]", "a[", "a[x]", "a[1000]", "a[0]b", "a..b", "a.[0]"}) {
    EXPECT_FALSE(SetPath(bad, 1, root).ok()) << bad;
  }
  EXPECT_FALSE(SetPath("a[0]", 1, root).ok());
  EXPECT_FALSE(SetPath("a.b.c", 1, root).ok());
}

}  // namespace
}  // namespace zhibi::legal
