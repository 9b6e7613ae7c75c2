// SPDX-License-Identifier: Apache-2.0
#include "legal/chinese_number.h"

#include <cstdint>
#include <random>

#include <gtest/gtest.h>

namespace zhibi::legal {
namespace {

struct Spelled {
  std::int64_t value;
  const char* text;
};

TEST(ChineseNumberTest, WritesByHand) {
  const Spelled cases[] = {{0, "零"},
                           {1, "一"},
                           {10, "十"},
                           {12, "十二"},
                           {20, "二十"},
                           {105, "一百零五"},
                           {110, "一百一十"},
                           {667, "六百六十七"},
                           {1064, "一千零六十四"},
                           {1260, "一千二百六十"},
                           {10005, "一万零五"},
                           {20300, "二万零三百"},
                           {100000, "十万"},
                           {100010000, "一亿零一万"},
                           {-7, "负七"}};
  for (const Spelled& test : cases) EXPECT_EQ(ToChineseNumber(test.value), test.text);
  EXPECT_EQ(ToChineseDigits(2024), "二〇二四");
  EXPECT_EQ(ToChineseDigits(2000), "二〇〇〇");
}

TEST(ChineseNumberTest, ReadsBackWhatItWrites) {
  std::mt19937_64 random(3);
  for (int i = 0; i < 20'000; ++i) {
    std::int64_t value =
        static_cast<std::int64_t>(random() % 1'000'000'000'000ULL) >> (random() % 40);
    if (random() % 2 == 0) value = value / 1000 * 1000;
    const Result<std::int64_t> back = ParseChineseNumber(ToChineseNumber(value));
    ASSERT_TRUE(back.ok()) << value << ": " << back.status().ToString();
    ASSERT_EQ(*back, value) << ToChineseNumber(value);
  }
}

TEST(ChineseNumberTest, ReadsOtherSpellings) {
  EXPECT_EQ(*ParseChineseNumber("二〇二四"), 2024);
  EXPECT_EQ(*ParseChineseNumber("二零二四"), 2024);
  EXPECT_EQ(*ParseChineseNumber("壹拾贰"), 12);
  EXPECT_EQ(*ParseChineseNumber("两百"), 200);
  EXPECT_EQ(*ParseChineseNumber("两千零二十四"), 2024);
  EXPECT_EQ(*ParseChineseNumber("叁仟伍佰"), 3500);
  EXPECT_EQ(*ParseChineseNumber("一亿零三百"), 100000300);
}

TEST(ChineseNumberTest, RefusesDoubtfulOnes) {
  for (const char* text : {"", "三千五", "一万五", "百", "三百百", "十百", "万", "一千一千",
                           "三四百", "abc", "一a", "一百二十三十", "一万一亿", "零万"}) {
    EXPECT_FALSE(ParseChineseNumber(text).ok()) << text;
  }
  EXPECT_FALSE(IsChineseNumber("5"));
  EXPECT_FALSE(IsChineseNumber(""));
  EXPECT_TRUE(IsChineseNumber("五"));
}

}  // namespace
}  // namespace zhibi::legal
