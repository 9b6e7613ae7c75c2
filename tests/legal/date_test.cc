// SPDX-License-Identifier: Apache-2.0
#include "legal/date.h"

#include <gtest/gtest.h>

namespace zhibi::legal {
namespace {

TEST(DateTest, ReadsEverySpelling) {
  for (const char* text :
       {"2024-03-05", "2024-3-5", "2024/3/5", "2024.3.5", "20240305", "2024年3月5日",
        "2024年03月05日", "二〇二四年三月五日", "二零二四年三月五日", "２０２４年３月５日",
        " 2024 年 3 月 5 日", "2024年3月5号"}) {
    const Result<Date> date = ParseDate(text);
    ASSERT_TRUE(date.ok()) << text << ": " << date.status().ToString();
    EXPECT_EQ(*date, (Date{2024, 3, 5})) << text;
  }
  EXPECT_EQ(*ParseDate("二〇二四年十二月三十一日"), (Date{2024, 12, 31}));
}

TEST(DateTest, RefusesWhatTheCalendarLacks) {
  for (const char* text : {"2023-02-29", "2024-02-30", "2024-13-01", "2024-00-10", "2024-04-31",
                           "1700-01-01", "2024", "", "2024-03", "abc", "2024年3月", "2024-03-05x",
                           "三月五日", "20241301", "2024-3-5-6", "99999-1-1", "2024年3月五十日"}) {
    EXPECT_FALSE(ParseDate(text).ok()) << text;
  }
  EXPECT_TRUE(ParseDate("2024-02-29").ok());
}

TEST(DateTest, WritesBothForms) {
  EXPECT_EQ(FormatIso({2024, 3, 5}), "2024-03-05");
  EXPECT_EQ(FormatBody({2024, 3, 5}), "2024年3月5日");
  EXPECT_EQ(FormatFormal({2024, 3, 5}), "二〇二四年三月五日");
  EXPECT_EQ(FormatFormal({2026, 11, 30}), "二〇二六年十一月三十日");
  EXPECT_EQ(FormatFormal({2020, 10, 20}), "二〇二〇年十月二十日");
}

TEST(DateTest, CountsDaysAndYears) {
  EXPECT_EQ(ToDays({1970, 1, 1}), 0);
  EXPECT_EQ(ToDays({2024, 3, 1}) - ToDays({2024, 2, 1}), 29);
  EXPECT_EQ(ToDays({2025, 6, 6}) - ToDays({2024, 6, 6}), 365);
  EXPECT_EQ(FromDays(ToDays({2026, 11, 30})), (Date{2026, 11, 30}));
  EXPECT_EQ(AgeAt({1990, 5, 1}, {2024, 4, 30}), 33);
  EXPECT_EQ(AgeAt({1990, 5, 1}, {2024, 5, 1}), 34);
}

}  // namespace
}  // namespace zhibi::legal
