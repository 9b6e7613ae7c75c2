// SPDX-License-Identifier: Apache-2.0
#include "base/utf8.h"

#include <string>

#include <gtest/gtest.h>

namespace zhibi::base {
namespace {

TEST(Utf8Test, EveryScalarValueComesBack) {
  for (char32_t c = 0; c < 0x110000; ++c) {
    if (c >= 0xD800 && c < 0xE000) continue;
    std::string text;
    AppendUtf8(c, &text);
    const Utf8Char decoded = DecodeUtf8(text);
    ASSERT_EQ(decoded.code_point, c);
    ASSERT_EQ(decoded.length, text.size());
    ASSERT_EQ(decoded.state, Utf8State::kValid);
    ASSERT_TRUE(IsValidUtf8(text));
  }
}

TEST(Utf8Test, OtherValuesAppendTheReplacement) {
  for (const char32_t c :
       {char32_t{0xD800}, char32_t{0xDFFF}, char32_t{0x110000}, char32_t{0xFFFFFFFF}}) {
    std::string text;
    AppendUtf8(c, &text);
    EXPECT_EQ(text, kReplacementUtf8);
  }
}

// Every sequence of up to three bytes, against the definition by ranges of code points.
TEST(Utf8Test, ShortSequencesAreValidExactlyWhenTheyAreSomeCharacters) {
  for (unsigned first = 0x80; first < 0x100; ++first) {
    for (unsigned second = 0; second < 0x100; ++second) {
      const std::string two = {static_cast<char>(first), static_cast<char>(second)};
      const bool valid_two = first >= 0xC2 && first < 0xE0 && second >= 0x80 && second < 0xC0;
      ASSERT_EQ(IsValidUtf8(two), valid_two) << first << " " << second;
      if (first < 0xE0 || first >= 0xF0) continue;
      for (unsigned third = 0; third < 0x100; third += 5) {
        const char32_t c = (first & 0xFU) << 12 | (second & 0x3FU) << 6 | (third & 0x3FU);
        const bool continued = (second & 0xC0U) == 0x80 && (third & 0xC0U) == 0x80;
        const bool valid = continued && c >= 0x800 && (c < 0xD800 || c >= 0xE000);
        ASSERT_EQ(IsValidUtf8(two + static_cast<char>(third)), valid)
            << first << " " << second << " " << third;
      }
    }
  }
}

TEST(Utf8Test, TellsIncompleteFromInvalid) {
  EXPECT_EQ(DecodeUtf8("\xE5").state, Utf8State::kIncomplete);
  EXPECT_EQ(DecodeUtf8("\xF0\x9F\x98").state, Utf8State::kIncomplete);
  EXPECT_EQ(DecodeUtf8("\xF0\x9F\x98").length, 3);
  EXPECT_EQ(DecodeUtf8("\xE5(").state, Utf8State::kInvalid);
  EXPECT_EQ(DecodeUtf8("\xE5(").length, 1);
  EXPECT_EQ(DecodeUtf8("\xE0\x80").length, 1);  // an overlong beginning
  EXPECT_EQ(DecodeUtf8("\xED\xA0\x80").length, 1);
  EXPECT_EQ(DecodeUtf8("\xF4\x90").length, 1);
  EXPECT_EQ(DecodeUtf8("\xF5").state, Utf8State::kInvalid);
  EXPECT_EQ(DecodeUtf8("\xC0").state, Utf8State::kInvalid);
}

// The examples of The Unicode Standard, tables 3-8 to 3-11.
TEST(Utf8Test, ReplacesMaximalSubparts) {
  const std::string r(kReplacementUtf8);
  EXPECT_EQ(RepairUtf8("\xC0\xAF\xE0\x80\xBF\xF0\x81\x82\x41"),
            r + r + r + r + r + r + r + r + "A");
  EXPECT_EQ(RepairUtf8("\xED\xA0\x80\xED\xBF\xBF\xED\xAF\x41"),
            r + r + r + r + r + r + r + r + "A");
  EXPECT_EQ(RepairUtf8("\xF4\x91\x92\x93\xFF\x41\x80\xBF\x42"),
            r + r + r + r + r + "A" + r + r + "B");
  EXPECT_EQ(RepairUtf8("\xE1\x80\xE2\xF0\x91\x92\xF1\xBF\x41"), r + r + r + r + "A");
  EXPECT_EQ(RepairUtf8("plain \xE5\x8E\x9F"), "plain \xE5\x8E\x9F");
  EXPECT_EQ(RepairUtf8(""), "");
}

TEST(Utf8Test, PrefixAndCount) {
  EXPECT_EQ(ValidUtf8Prefix("abcdefghij\xFFk"), 10U);
  EXPECT_EQ(ValidUtf8Prefix("\xE5\x8E\x9F\xE5\x8E"), 3U);
  EXPECT_EQ(ValidUtf8Prefix(std::string(100, 'a') + "\xE5\x8E\x9F\x80"), 103U);
  EXPECT_EQ(CountCodePoints("a\xE5\x8E\x9F\xF0\x9F\x98\x80"), 3U);
  EXPECT_EQ(CountCodePoints("\xE5\x8E|\xFF"), 3U);
  EXPECT_EQ(CountCodePoints(""), 0U);
}

TEST(Utf8Test, BordersAndCharacters) {
  const std::string_view text = "a é 中 𠮷";
  EXPECT_EQ(Characters(text), (std::vector<std::string_view>{"a", " ", "é", " ", "中", " ", "𠮷"}));
  EXPECT_TRUE(Characters("").empty());
  EXPECT_EQ(Characters("\xE4\xB8x"), (std::vector<std::string_view>{"\xE4\xB8", "x"}));
  // 中 stands at 5 to 8.
  EXPECT_EQ(BorderFrom(text, 5), 5U);
  EXPECT_EQ(BorderFrom(text, 6), 8U);
  EXPECT_EQ(BorderUpTo(text, 5), 5U);
  EXPECT_EQ(BorderUpTo(text, 7), 5U);
  EXPECT_EQ(BorderFrom(text, 10), text.size());
  EXPECT_EQ(BorderFrom(text, 99), text.size());
  EXPECT_EQ(BorderUpTo(text, 99), text.size());
  EXPECT_EQ(BorderUpTo("", 0), 0U);
}

}  // namespace
}  // namespace zhibi::base
