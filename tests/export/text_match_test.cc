// SPDX-License-Identifier: Apache-2.0
// Kept characters against a plain recursion, and similarity of paragraphs.
#include "export/text_match.h"

#include <random>
#include <string>

#include <gtest/gtest.h>

#include "base/utf8.h"

namespace zhibi::exporting {
namespace {

std::size_t Longest(const std::string& a, const std::string& b, std::size_t i, std::size_t j) {
  if (i == a.size() || j == b.size()) return 0;
  if (a[i] == b[j]) return 1 + Longest(a, b, i + 1, j + 1);
  return std::max(Longest(a, b, i + 1, j), Longest(a, b, i, j + 1));
}

TEST(TextMatch, KeepsALongestCommonSubsequence) {
  std::mt19937 random(7);
  for (int round = 0; round < 300; ++round) {
    std::string a;
    std::string b;
    for (auto i = random() % 9; i > 0; --i) a += static_cast<char>('a' + random() % 3);
    for (auto i = random() % 9; i > 0; --i) b += static_cast<char>('a' + random() % 3);
    const auto before = base::Characters(a);
    const auto now = base::Characters(b);
    const std::vector<std::size_t> kept = KeptCharacters(before, now);
    ASSERT_EQ(kept.size(), now.size());
    std::size_t count = 0;
    std::size_t next = 0;
    for (std::size_t j = 0; j < kept.size(); ++j) {
      if (kept[j] == kNoMatch) continue;
      EXPECT_GE(kept[j], next);
      EXPECT_EQ(before[kept[j]], now[j]);
      next = kept[j] + 1;
      ++count;
    }
    EXPECT_EQ(count, Longest(a, b, 0, 0)) << a << " " << b;
  }
}

TEST(TextMatch, LongTextsKeepTheirEnds) {
  const std::string a = "头" + std::string(3000, 'a') + "尾";
  const std::string b = "头" + std::string(3000, 'b') + "尾";
  const auto before = base::Characters(a);
  const auto now = base::Characters(b);
  const std::vector<std::size_t> kept = KeptCharacters(before, now);
  EXPECT_EQ(kept.front(), 0U);
  EXPECT_EQ(kept.back(), before.size() - 1);
  EXPECT_EQ(kept[5], kNoMatch);
}

TEST(TextMatch, Similarity) {
  EXPECT_EQ(Similarity("被告应当还款", "被告应当还款"), 1);
  EXPECT_EQ(Similarity("", ""), 1);
  EXPECT_EQ(Similarity("甲", "乙"), 0);
  EXPECT_EQ(Similarity("被告", "原告方"), 0);
  EXPECT_DOUBLE_EQ(Similarity("甲乙丙丁", "甲乙丙戊"), 4.0 / 6);
}

}  // namespace
}  // namespace zhibi::exporting
