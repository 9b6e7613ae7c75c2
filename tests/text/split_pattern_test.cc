// SPDX-License-Identifier: Apache-2.0
// The hand-written scanners against PCRE2 on the original patterns.
#include "text/split_pattern.h"

#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "base/utf8.h"
#include "text/reference_tokenizer.h"
#include "text/sample_strings.h"

namespace zhibi::text {
namespace {

std::vector<std::string> Pieces(SplitPattern pattern, std::string_view text) {
  std::vector<std::string> pieces;
  while (!text.empty()) {
    const auto length = static_cast<std::size_t>(NextPiece(pattern, text) - text.data());
    if (length == 0 || length > text.size()) {
      ADD_FAILURE() << "piece of " << length << " bytes";
      break;
    }
    pieces.emplace_back(text.substr(0, length));
    text.remove_prefix(length);
  }
  return pieces;
}

class SplitPatternTest : public testing::TestWithParam<int> {
 protected:
  SplitPattern pattern() const { return static_cast<SplitPattern>(GetParam()); }
};

TEST_P(SplitPatternTest, IsFoundByItsExactString) {
  EXPECT_EQ(FindSplitPattern(SplitPatternRegex(pattern())), pattern());
  EXPECT_FALSE(FindSplitPattern(std::string(SplitPatternRegex(pattern())) + " ").has_value());
}

TEST_P(SplitPatternTest, SampleStringsSplitAsPcre2Does) {
  const RegexSplitter reference(ExpandClasses(SplitPatternRegex(pattern())));
  for (const std::string& text :
       SampleStrings(100 + static_cast<std::uint64_t>(GetParam()), 4000, false)) {
    ASSERT_EQ(Pieces(pattern(), text), reference.Split(text)) << text;
  }
}

// Short strings over one character of each kind reach every branch and border.
TEST_P(SplitPatternTest, ShortStringsOfEveryKindSplitAsPcre2Does) {
  const RegexSplitter reference(ExpandClasses(SplitPatternRegex(pattern())));
  const std::u32string alphabet =
      U" \n\r\t\u3000\u0085\u00A0'"
      U"sStTrReElLvVmMdD\u017F1\uFF11\u2167\u00BDaZ\u4E00\u9FA6\u3042\u30FB\u0301\u0903"
      U".,$|\u300A\uFF0C\u20AC\u200D\uFEFF\u0001\U0001F600\U00020000\U000E0001\U0010FFFD\u0378";
  std::mt19937 random(9);
  for (int i = 0; i < 60000; ++i) {
    std::string text;
    for (std::size_t n = 1 + random() % 7; n > 0; --n)
      base::AppendUtf8(alphabet[random() % alphabet.size()], &text);
    ASSERT_EQ(Pieces(pattern(), text), reference.Split(text)) << i << ": " << text;
  }
}

TEST_P(SplitPatternTest, LongRunsTakeLinearTime) {
  for (const char* unit :
       {"a", " ", "\n", "1", ".", "\xE4\xB8\x80", "\x01", "\xCC\x81", " \n", " a", "'"}) {
    std::string text;
    while (text.size() < 300000) text += unit;
    std::size_t num_bytes = 0;
    for (std::string_view rest = text; !rest.empty();) {
      const auto length = static_cast<std::size_t>(NextPiece(pattern(), rest) - rest.data());
      ASSERT_GT(length, 0U);
      num_bytes += length;
      rest.remove_prefix(length);
    }
    EXPECT_EQ(num_bytes, text.size());
  }
}

INSTANTIATE_TEST_SUITE_P(All, SplitPatternTest,
                         testing::Range(0, static_cast<int>(kNumSplitPatterns)));

TEST(SplitPatternTest, UnknownPatternIsNotFound) {
  EXPECT_FALSE(FindSplitPattern("").has_value());
  EXPECT_FALSE(FindSplitPattern("\\p{L}+").has_value());
}

TEST(SplitPatternTest, SplitsLegalTextAsExpected) {
  EXPECT_EQ(Pieces(SplitPattern::kQwen2, "第12条 原告：张三。\r\n\r\n It's"),
            (std::vector<std::string>{"第", "1", "2", "条", " 原告", "：张三", "。\r\n\r\n", " It",
                                      "'s"}));
  EXPECT_EQ(Pieces(SplitPattern::kLlama3, "12345元"),
            (std::vector<std::string>{"123", "45", "元"}));
}

}  // namespace
}  // namespace zhibi::text
