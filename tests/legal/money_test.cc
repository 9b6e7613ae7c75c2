// SPDX-License-Identifier: Apache-2.0
// Sums by hand: the vectors of 支付结算办法 and its examples, and both ways back.
#include "legal/money.h"

#include <cstdint>
#include <random>
#include <string>

#include <gtest/gtest.h>

namespace zhibi::legal {
namespace {

struct Capital {
  std::int64_t fen;
  const char* text;
};

TEST(MoneyTest, CapitalsByHand) {
  const Capital cases[] = {
      {0, "零元整"},
      {1, "壹分"},
      {10, "壹角整"},
      {105, "壹元零伍分"},
      {140950, "壹仟肆佰零玖元伍角整"},
      {600714, "陆仟零柒元壹角肆分"},
      {168032, "壹仟陆佰捌拾元叁角贰分"},
      {10700053, "壹拾万零柒仟元伍角叁分"},
      {1640902, "壹万陆仟肆佰零玖元零贰分"},
      {32504, "叁佰贰拾伍元零肆分"},
      {5000000, "伍万元整"},
      {1000, "壹拾元整"},
      {100000000, "壹佰万元整"},
      {10000000000, "壹亿元整"},
      {10000500000, "壹亿零伍仟元整"},
      {10500000000, "壹亿零伍佰万元整"},
      {1000000000000, "壹佰亿元整"},
      {100001, "壹仟元零壹分"},
      {99'999'999'999'999, "玖仟玖佰玖拾玖亿玖仟玖佰玖拾玖万玖仟玖佰玖拾玖元玖角玖分"},
  };
  for (const Capital& test : cases) {
    EXPECT_EQ(FormatCapital(test.fen), test.text);
    const Result<std::int64_t> back = ParseMoney(test.text);
    ASSERT_TRUE(back.ok()) << test.text << ": " << back.status().ToString();
    EXPECT_EQ(*back, test.fen) << test.text;
  }
  EXPECT_EQ(FormatCapital(-1), "");
  EXPECT_EQ(FormatCapital(kMaxFen + 1), "");
}

TEST(MoneyTest, EveryCapitalReadsBack) {
  std::mt19937_64 random(7);
  for (int i = 0; i < 20'000; ++i) {
    // All lengths of sums, many with zeros in them.
    std::int64_t fen =
        static_cast<std::int64_t>(random() % 100'000'000'000'000ULL) >> (random() % 46);
    if (random() % 3 == 0) fen = fen / 100'000 * 100'000;
    if (random() % 3 == 0)
      fen = fen / 10'000'000 * 10'000'000 + static_cast<std::int64_t>(random() % 100);
    const Result<std::int64_t> back = ParseMoney(FormatCapital(fen));
    ASSERT_TRUE(back.ok()) << fen << " " << FormatCapital(fen) << ": " << back.status().ToString();
    ASSERT_EQ(*back, fen) << FormatCapital(fen);
    ASSERT_EQ(*ParseMoney(FormatYuan(fen)), fen);
    ASSERT_EQ(*ParseMoney(FormatGrouped(fen)), fen);
  }
}

TEST(MoneyTest, PlainFormats) {
  EXPECT_EQ(FormatYuan(5000000), "50000元");
  EXPECT_EQ(FormatYuan(123450), "1234.50元");
  EXPECT_EQ(FormatYuan(5), "0.05元");
  EXPECT_EQ(FormatYuan(-150), "-1.50元");
  EXPECT_EQ(FormatGrouped(123456789), "1,234,567.89");
  EXPECT_EQ(FormatGrouped(100), "1.00");
  EXPECT_EQ(FormatGrouped(-99999), "-999.99");
}

struct Spelling {
  const char* text;
  std::int64_t fen;
};

TEST(MoneyTest, ReadsWhatPeopleWrite) {
  const Spelling cases[] = {
      {"50000", 5000000},
      {"50000元", 5000000},
      {"5万元", 5000000},
      {"5万", 5000000},
      {"0.35万元", 350000},
      {"三千五百元", 350000},
      {"¥1,234.50", 123450},
      {"￥1，234.50元", 123450},
      {"人民币壹万元整", 1000000},
      {"人民币：5000元", 500000},
      {"伍万圆正", 5000000},
      {"1.2亿元", 12000000000},
      {"３５００元", 350000},
      {"两万元", 2000000},
      {"十五万元", 15000000},
      {"一万零五元", 1000500},
      {"50 000 元", 5000000},
      {"1234.5", 123450},
      {"叁仟元零伍分", 300005},
      {"壹拾万柒仟元零伍角叁分", 10700053},
      {"3.5角", -1},
      {"5角", 50},
      {"三分", 3},
      {"5千元", 500000},
      {"2百元", 20000},
      {"0.01元", 1},
      {"0.010元", 1},
      {"0.001元", -1},
      {"1,23元", -1},
      {"12,345,67", -1},
      {"三千五", -1},
      {"一万五", -1},
      {"元", -1},
      {"", -1},
      {"abc", -1},
      {"-5", -1},
      {"5元3", -1},
      {"1.2.3", -1},
      {"99999999999999999999", -1},
      {"1e5", -1},
      {"5万5", -1},
      {"十角", -1},
      {".5", -1},
      {"5.", -1},
      {"100万万元", -1},
  };
  for (const Spelling& test : cases) {
    const Result<std::int64_t> fen = ParseMoney(test.text);
    EXPECT_EQ(fen.ok() ? *fen : -1, test.fen) << test.text;
  }
  EXPECT_FALSE(ParseMoney(std::string(1000, '9')).ok());
}

}  // namespace
}  // namespace zhibi::legal
