// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "statute/table.h"

namespace zhibi::statute {
namespace {

TEST(KindTest, NamesGoBothWays) {
  for (int i = 0; i <= static_cast<int>(Kind::kTreaty); ++i) {
    const auto kind = static_cast<Kind>(i);
    EXPECT_EQ(KindFromName(KindName(kind)), kind) << KindName(kind);
  }
  EXPECT_EQ(KindFromName("公约"), std::nullopt);
}

TEST(ArticleTest, IsWrittenAsStatutesWriteIt) {
  EXPECT_EQ(FormatArticle({120, 0}), "第一百二十条");
  EXPECT_EQ(FormatArticle({133, 2}), "第一百三十三条之二");
  EXPECT_EQ(FormatArticle({1010, 0}), "第一千零一十条");
}

}  // namespace
}  // namespace zhibi::statute
