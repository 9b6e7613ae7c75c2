// SPDX-License-Identifier: Apache-2.0
// Sums of labour disputes by hand; the working stands beside each sum.
#include "legal/labour.h"

#include <gtest/gtest.h>

#include "legal/money.h"

namespace zhibi::legal {
namespace {

constexpr std::int64_t kWage = 800'000;  // 8,000 yuan

TEST(LabourTest, HalfYearsOfService) {
  EXPECT_EQ(*ServiceHalfYears({2018, 3, 1}, {2024, 2, 29}), 12);  // six years
  EXPECT_EQ(*ServiceHalfYears({2018, 3, 1}, {2024, 3, 1}), 13);   // and a day
  EXPECT_EQ(*ServiceHalfYears({2018, 3, 1}, {2024, 8, 30}), 13);  // and a day less than six months
  EXPECT_EQ(*ServiceHalfYears({2018, 3, 1}, {2024, 8, 31}), 14);  // and six months
  EXPECT_EQ(*ServiceHalfYears({2018, 3, 1}, {2018, 3, 1}), 1);
  // Months that lack the day are full with their last day.
  EXPECT_EQ(*ServiceHalfYears({2020, 2, 29}, {2021, 2, 28}), 2);
  EXPECT_EQ(*ServiceHalfYears({2023, 8, 31}, {2024, 2, 28}), 1);
  EXPECT_EQ(*ServiceHalfYears({2023, 8, 31}, {2024, 2, 29}), 2);
  EXPECT_FALSE(ServiceHalfYears({2018, 3, 1}, {2018, 2, 28}).ok());
}

TEST(LabourTest, Severance) {
  // 6.5 months: 52,000 yuan.
  Employment work = {.start = {2018, 3, 1},
                     .end = {2024, 8, 30},
                     .wage_fen = kWage,
                     .average_fen = 700'000,
                     .minimum_fen = std::nullopt};
  Result<Calculation> sum = SeverancePay(work);
  EXPECT_EQ(sum->fen, 5'200'000);
  EXPECT_EQ(sum->formula, "8,000×6.5个月 = 52,000 元");
  EXPECT_TRUE(sum->warnings.empty());
  EXPECT_EQ(UnlawfulDismissalPay(work)->formula, "8,000×6.5个月×2 = 104,000 元");
  // Without the average the cap is not checked.
  work.average_fen = std::nullopt;
  EXPECT_EQ(SeverancePay(work)->warnings.size(), 1U);
  // A wage below the minimum.
  work.minimum_fen = 900'000;
  EXPECT_EQ(SeverancePay(work)->fen, 5'850'000);  // 9,000 * 6.5
}

TEST(LabourTest, ThreeTimesTheAverage) {
  // 15 years at 30,000; three times 7,000 are 21,000, twelve years: 252,000.
  Employment work = {.start = {2009, 1, 1},
                     .end = {2023, 12, 31},
                     .wage_fen = 3'000'000,
                     .average_fen = 700'000,
                     .minimum_fen = std::nullopt};
  EXPECT_EQ(SeverancePay(work)->fen, 25'200'000);
  EXPECT_EQ(SeverancePay(work)->formula, "7,000×3×12个月（年限以十二年为限） = 252,000 元");
  EXPECT_EQ(UnlawfulDismissalPay(work)->fen, 50'400'000);
  // Exactly three times: neither cap.
  work.wage_fen = 2'100'000;
  EXPECT_EQ(SeverancePay(work)->fen, 31'500'000);  // 21,000 * 15
  // Above, with twelve years at most.
  work.wage_fen = 2'100'001;
  work.start = {2018, 1, 1};
  EXPECT_EQ(SeverancePay(work)->formula, "7,000×3×6个月 = 126,000 元");
}

TEST(LabourTest, WorkBeforeTheLaw) {
  // From 2005: 47 counts from 2008-01-01 to 2012-12-31, 5 years; 87 from the first day, 8 years.
  const Employment work = {.start = {2005, 1, 1},
                           .end = {2012, 12, 31},
                           .wage_fen = kWage,
                           .average_fen = 700'000,
                           .minimum_fen = std::nullopt};
  EXPECT_EQ(SeverancePay(work)->fen, 4'000'000);
  EXPECT_EQ(SeverancePay(work)->warnings.size(), 1U);
  EXPECT_EQ(UnlawfulDismissalPay(work)->fen, 12'800'000);
  Employment old = work;
  old.end = {2007, 12, 31};
  EXPECT_FALSE(SeverancePay(old)->known);
  old.end = {2004, 1, 1};
  EXPECT_FALSE(SeverancePay(old).ok());
  EXPECT_FALSE(UnlawfulDismissalPay(old).ok());
}

TEST(LabourTest, DoubleWage) {
  // Employed on 2020-03-01, never signed: eleven months from 1 April to the end of February.
  const Result<Calculation> most = DoubleWage({2020, 3, 1}, {2022, 1, 1}, kWage);
  EXPECT_EQ(most->fen, 8'800'000);
  EXPECT_EQ(most->formula, "8,000×11个月 = 88,000 元");
  EXPECT_EQ(most->warnings.size(), 1U);
  // Signed on 2020-09-13: 1 April to 12 September, 5 months and 12 days of 30:
  // 8,000 * (5 + 12/30) = 43,200.
  const Result<Calculation> part = DoubleWage({2020, 3, 1}, {2020, 9, 13}, kWage);
  EXPECT_EQ(part->fen, 4'320'000);
  EXPECT_EQ(part->formula, "8,000×(5个月 + 12天÷30天) = 43,200 元");
  EXPECT_EQ(part->warnings.size(), 2U);
  // Within the first month, on its last day, and a day later.
  EXPECT_EQ(DoubleWage({2020, 3, 1}, {2020, 3, 20}, kWage)->fen, 0);
  EXPECT_EQ(DoubleWage({2020, 3, 1}, {2020, 4, 1}, kWage)->fen, 0);
  // 8,000 / 30 = 266.67.
  EXPECT_EQ(DoubleWage({2020, 3, 1}, {2020, 4, 2}, kWage)->fen, 26'667);
  // From 31 January 2024 the first month is full on 29 February.
  EXPECT_EQ(DoubleWage({2024, 1, 31}, {2024, 3, 1}, kWage)->fen, 0);
  EXPECT_EQ(DoubleWage({2024, 1, 31}, {2025, 6, 1}, kWage)->fen, 8'800'000);
  // Employed before the law: eleven months from 2008-02-01.
  EXPECT_EQ(DoubleWage({2001, 1, 1}, {2010, 1, 1}, kWage)->fen, 8'800'000);
  EXPECT_FALSE(DoubleWage({2020, 3, 1}, {2022, 1, 1}, -1).ok());
  EXPECT_FALSE(DoubleWage({2020, 3, 1}, {2022, 1, 1}, kMaxFen).ok());
}

TEST(LabourTest, Overtime) {
  // 8,700 / 174 hours = 50 yuan: 10 * 75 + 16.5 * 100 + 8 * 150 = 750 + 1,650 + 1,200 = 3,600.
  const Result<Calculation> sum =
      OvertimePay(870'000, {.weekday = 1000, .rest_day = 1650, .holiday = 800});
  EXPECT_EQ(sum->fen, 360'000);
  EXPECT_EQ(sum->formula, "8,700÷21.75÷8×(10小时×150% + 16.5小时×200% + 8小时×300%) = 3,600 元");
  EXPECT_EQ(sum->warnings.size(), 1U);
  // 8,000 / 174 * 1.5 = 68.9655.
  EXPECT_EQ(OvertimePay(kWage, {.weekday = 100})->fen, 6'897);
  EXPECT_EQ(OvertimePay(kWage, {.weekday = 100})->formula, "8,000÷21.75÷8×1小时×150% = 68.97 元");
  EXPECT_EQ(OvertimePay(kWage, {})->fen, 0);
  EXPECT_FALSE(OvertimePay(kWage, {.weekday = -1}).ok());
  EXPECT_FALSE(OvertimePay(kMaxFen, {.weekday = 10'000'000}).ok());
}

TEST(LabourTest, AnnualLeave) {
  // 8,000 / 21.75 * 5 * 200 % = 3,678.1609; at 300 %: 5,517.2414.
  EXPECT_EQ(AnnualLeavePay(kWage, 5, true)->fen, 367'816);
  EXPECT_EQ(AnnualLeavePay(kWage, 5, true)->formula, "8,000÷21.75×5天×(300%−100%) = 3,678.16 元");
  EXPECT_EQ(AnnualLeavePay(kWage, 5, false)->fen, 551'724);
  EXPECT_FALSE(AnnualLeavePay(kWage, -1, true).ok());

  EXPECT_EQ(*AnnualLeaveDays(0, 365, 0), 0);
  EXPECT_EQ(*AnnualLeaveDays(1, 365, 0), 5);
  EXPECT_EQ(*AnnualLeaveDays(9, 366, 0), 5);
  EXPECT_EQ(*AnnualLeaveDays(10, 365, 3), 7);
  EXPECT_EQ(*AnnualLeaveDays(20, 365, 0), 15);
  EXPECT_EQ(*AnnualLeaveDays(10, 182, 0), 4);  // 4.986
  EXPECT_EQ(*AnnualLeaveDays(10, 183, 0), 5);  // 5.014
  EXPECT_EQ(*AnnualLeaveDays(10, 100, 5), 0);  // 2 were due; what was taken is not given back
  EXPECT_FALSE(AnnualLeaveDays(10, 367, 0).ok());
  EXPECT_FALSE(AnnualLeaveDays(-1, 365, 0).ok());
}

TEST(LabourTest, Arrears) {
  // 5,000 + 8,000 = 13,000 yuan.
  const Result<Calculation> sum =
      WageArrears({{"2024年1月", kWage, 300'000}, {"2024年2月", kWage, 0}});
  EXPECT_EQ(sum->fen, 1'300'000);
  EXPECT_EQ(sum->formula, "2024年1月(8,000−3,000) + 2024年2月8,000 = 13,000 元");
  EXPECT_FALSE(WageArrears({}).ok());
  EXPECT_FALSE(WageArrears({{"", 1, 2}}).ok());
  EXPECT_FALSE(WageArrears({{"", kMaxFen, 0}, {"", 1, 0}}).ok());
  EXPECT_NE(WageArrears({{"", 2, 0}, {"", 1, 2}}).status().message().find("第2个月"),
            std::string::npos);
}

}  // namespace
}  // namespace zhibi::legal
