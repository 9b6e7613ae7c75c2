// SPDX-License-Identifier: Apache-2.0
// Ends of periods against the calendar.
#include "legal/period.h"

#include <string>

#include <gtest/gtest.h>

namespace zhibi::legal {
namespace {

class PeriodTest : public testing::Test {
 protected:
  void SetUp() override {
    Result<HolidayTable> table = HolidayTable::Load(std::string(ZHIBI_SOURCE_DIR) + "/data");
    ASSERT_TRUE(table.ok()) << table.status().ToString();
    holidays_ = *table;
  }

  std::string End(const Date& event, std::int64_t count, PeriodUnit unit) {
    const Result<PeriodEnd> end = EndOfPeriod(holidays_, event, count, unit);
    return end.ok() ? FormatIso(end->last) : end.status().ToString();
  }

  HolidayTable holidays_;
};

TEST_F(PeriodTest, DaysWithoutTheFirst) {
  const Result<PeriodEnd> end = AppealDeadline(holidays_, {2024, 3, 6}, 15);
  ASSERT_TRUE(end.ok());
  EXPECT_EQ(end->last, (Date{2024, 3, 21}));
  EXPECT_EQ(end->formula, "自2024年3月6日的次日起算15日，至2024年3月21日");
  EXPECT_TRUE(end->warnings.empty());
}

TEST_F(PeriodTest, DaysOffMoveTheEnd) {
  // 15 days from 2024-09-01 end on 16 September, within 15 to 17 (Mid-Autumn).
  const Result<PeriodEnd> end = AppealDeadline(holidays_, {2024, 9, 1}, 15);
  ASSERT_TRUE(end.ok());
  EXPECT_EQ(end->nominal, (Date{2024, 9, 16}));
  EXPECT_EQ(end->last, (Date{2024, 9, 18}));
  EXPECT_EQ(end->formula,
            "自2024年9月1日的次日起算15日，至2024年9月16日，该日为休假日，顺延至2024年9月18日");
  // Sunday 2024-09-29 is a working day.
  EXPECT_EQ(End({2024, 9, 19}, 10, PeriodUnit::kDay), "2024-09-29");
  // Saturday 2026-12-26 moves to Monday.
  EXPECT_EQ(End({2026, 12, 11}, 15, PeriodUnit::kDay), "2026-12-28");
  // 1 to 8 October 2025 are off.
  EXPECT_EQ(End({2022, 10, 1}, 3, PeriodUnit::kYear), "2025-10-09");
  const Result<PeriodEnd> kept =
      EndOfPeriod(holidays_, {2022, 10, 1}, 3, PeriodUnit::kYear, /*roll=*/false);
  EXPECT_EQ(kept->last, (Date{2025, 10, 1}));
}

TEST_F(PeriodTest, EndsOfMonths) {
  EXPECT_EQ(End({2024, 1, 31}, 1, PeriodUnit::kMonth), "2024-02-29");
  EXPECT_EQ(End({2023, 1, 31}, 1, PeriodUnit::kMonth), "2023-02-28");
  EXPECT_EQ(End({2024, 2, 29}, 1, PeriodUnit::kYear), "2025-02-28");
  EXPECT_EQ(*AddPeriodTo({2023, 12, 31}, 2, PeriodUnit::kMonth), (Date{2024, 2, 29}));
  EXPECT_EQ(*AddPeriodTo({2024, 12, 15}, 12, PeriodUnit::kMonth), (Date{2025, 12, 15}));
}

TEST_F(PeriodTest, OutsideOfTheTableOnlyWeekends) {
  // 2027-01-02 is a Saturday, 2009-10-03 was one (and a day off by law, unknown here).
  for (const auto& [event, expected] : {std::pair<Date, Date>{{2026, 12, 18}, {2027, 1, 4}},
                                        std::pair<Date, Date>{{2009, 9, 18}, {2009, 10, 5}}}) {
    const Result<PeriodEnd> end = EndOfPeriod(holidays_, event, 15, PeriodUnit::kDay);
    ASSERT_TRUE(end.ok());
    EXPECT_EQ(end->last, expected);
    ASSERT_EQ(end->warnings.size(), 1U);
    EXPECT_NE(end->warnings[0].find("2010年1月1日至2026年12月31日"), std::string::npos);
  }
  const Result<PeriodEnd> none = EndOfPeriod(HolidayTable(), {2024, 3, 6}, 1, PeriodUnit::kDay);
  ASSERT_EQ(none->warnings.size(), 1U);
  EXPECT_NE(none->warnings[0].find("没有节假日数据"), std::string::npos);
}

TEST_F(PeriodTest, Deadlines) {
  // Three years from 2021-03-10 end on Sunday 2024-03-10.
  EXPECT_EQ(LimitationDeadline(holidays_, {2021, 3, 10})->last, (Date{2024, 3, 11}));
  // Two years had run out on Saturday 2017-09-30, which was worked; one day later three count, and
  // 1 to 7 October 2018 are off.
  EXPECT_EQ(LimitationDeadline(holidays_, {2015, 9, 30})->last, (Date{2017, 9, 30}));
  EXPECT_EQ(LimitationDeadline(holidays_, {2015, 9, 30})->warnings.size(), 2U);
  EXPECT_EQ(LimitationDeadline(holidays_, {2015, 10, 1})->last, (Date{2018, 10, 8}));
  EXPECT_EQ(EnforcementDeadline(holidays_, {2024, 5, 20})->last, (Date{2026, 5, 20}));
  EXPECT_EQ(LabourArbitrationDeadline(holidays_, {2024, 5, 20})->last, (Date{2025, 5, 20}));
}

TEST_F(PeriodTest, Refuses) {
  EXPECT_FALSE(AppealDeadline(holidays_, {2024, 3, 6}, 14).ok());
  EXPECT_TRUE(AppealDeadline(holidays_, {2024, 3, 6}, 10).ok());
  EXPECT_FALSE(AddPeriodTo({2024, 3, 6}, -1, PeriodUnit::kDay).ok());
  EXPECT_FALSE(AddPeriodTo({2024, 3, 6}, 36'501, PeriodUnit::kDay).ok());
  EXPECT_FALSE(AddPeriodTo({2024, 3, 6}, 177, PeriodUnit::kYear).ok());
  EXPECT_TRUE(AddPeriodTo({2024, 3, 6}, 176, PeriodUnit::kYear).ok());
  EXPECT_FALSE(AddPeriodTo({2150, 3, 6}, 36'500, PeriodUnit::kDay).ok());
}

}  // namespace
}  // namespace zhibi::legal
