// SPDX-License-Identifier: Apache-2.0
#include "text/normalizer.h"

#include <random>
#include <string>

#include <gtest/gtest.h>

#include "base/utf8.h"
#include "text/reference_tokenizer.h"
#include "text/sample_strings.h"
#include "text/unicode.h"

namespace zhibi::text {
namespace {

TEST(NormalizerTest, EveryCodePointIsIcus) {
  for (char32_t c = 0; c < 0x110000; ++c) {
    if (c >= 0xD800 && c < 0xE000) continue;
    std::string text;
    base::AppendUtf8(c, &text);
    const std::string expected = IcuNfc(text);
    ASSERT_EQ(ToNfc(text), expected) << static_cast<unsigned>(c);
    if (IsCertainlyNfc(text)) {
      ASSERT_EQ(expected, text) << static_cast<unsigned>(c);
    }
  }
}

TEST(NormalizerTest, SampleStringsAreIcus) {
  for (const std::string& text : SampleStrings(11, 4000, false)) {
    const std::string expected = IcuNfc(text);
    ASSERT_EQ(ToNfc(text), expected) << text;
    if (IsCertainlyNfc(text)) {
      ASSERT_EQ(expected, text);
    }
    ASSERT_EQ(ToNfc(expected), expected);
  }
}

// Random sequences of characters that interact: bases, marks of many classes, Hangul letters,
// singletons.
TEST(NormalizerTest, RandomSequencesAreIcus) {
  std::u32string alphabet =
      U"aAeo\u00C5\u1E69\u0323\u0307\u0301\u0308\u0338\u0345\u03B1\u1FB7\u0344\u0958\u093C\u0915"
      U"\u3099\u304B"
      U"\u1100\u1161\u11A8\uAC00\uAC01\u2126\u212B\u0F71\u0F72\u0F74\u0F73\u0DD9\u0DCF\u0DCA"
      U"\U0001D15E"
      U"\U0001D165\U0001D16E\uFB1D\u05B4\u0591\u4E00\uFA30\U0002F800";
  std::mt19937 random(5);
  for (int i = 0; i < 50000; ++i) {
    std::string text;
    for (std::size_t n = 1 + random() % 8; n > 0; --n)
      base::AppendUtf8(alphabet[random() % alphabet.size()], &text);
    ASSERT_EQ(ToNfc(text), IcuNfc(text)) << i;
  }
}

TEST(NormalizerTest, LegalTextTakesTheFastPath) {
  for (const std::string& line : LegalLines()) EXPECT_TRUE(IsCertainlyNfc(line)) << line;
}

TEST(NormalizerTest, LongRunsOfMarksAreSortedInTime) {
  std::string text = "a";
  for (int i = 0; i < 200000; ++i) text += i % 2 == 0 ? "\u0301" : "\u0323";
  EXPECT_EQ(ToNfc(text).substr(0, 3), "\u1EA1");
}

}  // namespace
}  // namespace zhibi::text
