// SPDX-License-Identifier: Apache-2.0
// Compensation by hand; the working stands beside each sum.
#include "legal/compensation.h"

#include <gtest/gtest.h>

#include "legal/money.h"

namespace zhibi::legal {
namespace {

constexpr std::int64_t kIncome = 5'000'000;   // 50,000 yuan a year
constexpr std::int64_t kExpense = 3'000'000;  // 30,000 yuan a year

TEST(CompensationTest, YearsByAge) {
  EXPECT_EQ(*CompensationYears(0), 20);
  EXPECT_EQ(*CompensationYears(59), 20);
  EXPECT_EQ(*CompensationYears(60), 20);
  EXPECT_EQ(*CompensationYears(61), 19);
  EXPECT_EQ(*CompensationYears(74), 6);
  EXPECT_EQ(*CompensationYears(75), 5);
  EXPECT_EQ(*CompensationYears(100), 5);
  EXPECT_FALSE(CompensationYears(-1).ok());
  EXPECT_FALSE(CompensationYears(151).ok());
}

TEST(CompensationTest, DeathAndDisability) {
  EXPECT_EQ(DeathCompensation(40, kIncome)->fen, 100'000'000);  // 50,000 * 20
  EXPECT_EQ(DeathCompensation(68, kIncome)->fen, 60'000'000);   // 50,000 * 12
  EXPECT_EQ(DeathCompensation(68, kIncome)->formula, "50,000×12年 = 600,000 元");
  // 51,821.50 * 20 * 10 % = 103,643 yuan.
  EXPECT_EQ(DisabilityCompensation(40, 100'000, 5'182'150)->fen, 10'364'300);
  // Age 66: 14 years at 31 %: 50,000 * 14 * 0.31 = 217,000.
  const Result<Calculation> sum = DisabilityCompensation(66, 310'000, kIncome);
  EXPECT_EQ(sum->fen, 21'700'000);
  EXPECT_EQ(sum->formula, "50,000×14年×31% = 217,000 元");
  // 0.01 yuan a year for 20 years at 2.5 %: half a fen, up.
  EXPECT_EQ(DisabilityCompensation(40, 25'000, 1)->fen, 1);
  EXPECT_EQ(*DisabilityPercent(1), kWholePercent);
  EXPECT_EQ(*DisabilityPercent(10), 100'000);
}

TEST(CompensationTest, Refuses) {
  EXPECT_FALSE(DeathCompensation(40, -1).ok());
  EXPECT_FALSE(DeathCompensation(40, kMaxFen).ok());
  EXPECT_FALSE(DisabilityCompensation(40, 0, kIncome).ok());
  EXPECT_FALSE(DisabilityCompensation(40, kWholePercent + 1, kIncome).ok());
  EXPECT_FALSE(DisabilityPercent(0).ok());
  EXPECT_FALSE(DisabilityPercent(11).ok());
}

TEST(CompensationTest, MonthsOfSupport) {
  EXPECT_EQ(*SupportMonths(0), 216);
  EXPECT_EQ(*SupportMonths(17), 12);
  EXPECT_EQ(*SupportMonths(18), 240);
  EXPECT_EQ(*SupportMonths(70), 120);
  EXPECT_FALSE(SupportMonths(-1).ok());
}

TEST(CompensationTest, DependantsBelowTheCap) {
  // A child of 10, two parents: 8 years, 30,000 / 2 * 8 = 120,000.
  const Result<Calculation> one = DependantLiving({{96, 2}}, kExpense, kWholePercent);
  EXPECT_EQ(one->fen, 12'000'000);
  EXPECT_EQ(one->formula, "30,000×1/2×8年 = 120,000 元");
  // With a mother of 70 and three children: 8 years at 1/2 + 1/3, 2 years at 1/3, all at 20 %:
  // 30,000 * 0.2 * (8 * 5/6 + 2/3) = 6,000 * 7.3333 = 44,000.
  const Result<Calculation> two = DependantLiving({{96, 2}, {120, 3}}, kExpense, 200'000);
  EXPECT_EQ(two->fen, 4'400'000);
  EXPECT_EQ(two->formula, "30,000×(1/2+1/3)×20%×8年 + 30,000×1/3×20%×2年 = 44,000 元");
  EXPECT_TRUE(two->warnings.empty());
}

TEST(CompensationTest, DependantsAboveTheCap) {
  // Three children of 6, 10 and 14 whom the victim alone supports in half each: 1.5 for 4 years is
  // capped at 1, then 1 for 4 years, then 1/2 for 4: 30,000 * (4 + 4 + 2) = 300,000.
  const Result<Calculation> sum =
      DependantLiving({{144, 2}, {96, 2}, {48, 2}}, kExpense, kWholePercent);
  EXPECT_EQ(sum->fen, 30'000'000);
  EXPECT_EQ(sum->formula,
            "30,000×4年（年赔偿总额封顶） + 30,000×(1/2+1/2)×4年 + 30,000×1/2×4年 = 300,000 元");
  EXPECT_TRUE(sum->warnings.empty());
  // Two sole dependants at 60 %: 1.2 is capped, and whether before the 60 % is in doubt.
  const Result<Calculation> doubt = DependantLiving({{12, 1}, {12, 1}}, kExpense, 600'000);
  EXPECT_EQ(doubt->fen, 3'000'000);
  EXPECT_EQ(doubt->warnings.size(), 1U);
  // 75 months: 30,000 * 75 / 12 = 187,500.
  EXPECT_EQ(DependantLiving({{75, 1}}, kExpense, kWholePercent)->formula,
            "30,000×75个月÷12 = 187,500 元");
  EXPECT_EQ(DependantLiving({{0, 1}}, kExpense, kWholePercent)->fen, 0);
}

TEST(CompensationTest, DependantsRefused) {
  EXPECT_FALSE(DependantLiving({}, kExpense, kWholePercent).ok());
  EXPECT_FALSE(DependantLiving({{96, 0}}, kExpense, kWholePercent).ok());
  EXPECT_FALSE(DependantLiving({{96, 11}}, kExpense, kWholePercent).ok());
  EXPECT_FALSE(DependantLiving({{-1, 1}}, kExpense, kWholePercent).ok());
  EXPECT_FALSE(DependantLiving({{241, 1}}, kExpense, kWholePercent).ok());
  EXPECT_FALSE(DependantLiving({{96, 1}}, kExpense, 0).ok());
  const Result<Calculation> second = DependantLiving({{96, 1}, {96, 0}}, kExpense, kWholePercent);
  EXPECT_NE(second.status().message().find("第2名"), std::string::npos);
  // Shares of 1 to 10 supporters meet in the denominator 2,520; the largest sums stay in range.
  std::vector<Dependant> many;
  for (std::int64_t i = 1; i <= 10; ++i) many.push_back({240, i});
  EXPECT_EQ(DependantLiving(many, kMaxFen / 20, kWholePercent)->fen, kMaxFen / 20 * 20);
}

TEST(CompensationTest, DaysAndMonths) {
  EXPECT_EQ(FuneralExpense(800'000)->fen, 4'800'000);
  EXPECT_EQ(FuneralExpense(800'000)->formula, "8,000×6个月 = 48,000 元");
  // 90 days at 200 yuan; at 6,000 a month: 6,000 / 30 * 90; at 73,000 a year: 73,000 / 365 * 90.
  EXPECT_EQ(LostWages(90, 20'000, PayUnit::kDay)->fen, 1'800'000);
  EXPECT_TRUE(LostWages(90, 20'000, PayUnit::kDay)->warnings.empty());
  EXPECT_EQ(LostWages(90, 600'000, PayUnit::kMonth)->fen, 1'800'000);
  EXPECT_EQ(LostWages(90, 600'000, PayUnit::kMonth)->warnings.size(), 1U);
  EXPECT_EQ(LostWages(90, 7'300'000, PayUnit::kYear)->fen, 1'800'000);
  // Two nurses for 30 days at 150 yuan, half dependence: 150 * 30 * 2 * 0.5 = 4,500.
  const Result<Calculation> nursing = NursingFee(30, 15'000, PayUnit::kDay, 2, 500'000);
  EXPECT_EQ(nursing->fen, 450'000);
  EXPECT_EQ(nursing->formula, "150×30天×2人×50% = 4,500 元");
  EXPECT_EQ(nursing->warnings.size(), 1U);
  EXPECT_EQ(DailyAllowance(20, 10'000)->formula, "100×20天 = 2,000 元");
}

TEST(CompensationTest, DaysRefused) {
  EXPECT_FALSE(LostWages(-1, 1, PayUnit::kDay).ok());
  EXPECT_TRUE(NursingFee(7305, 1, PayUnit::kDay, 1, kWholePercent).ok());
  EXPECT_FALSE(NursingFee(7306, 1, PayUnit::kDay, 1, kWholePercent).ok());
  EXPECT_FALSE(NursingFee(1, 1, PayUnit::kDay, 0, kWholePercent).ok());
  EXPECT_FALSE(NursingFee(1, 1, PayUnit::kDay, 1, 0).ok());
  EXPECT_FALSE(DailyAllowance(-1, 1).ok());
  EXPECT_FALSE(DailyAllowance(2, kMaxFen).ok());
  EXPECT_FALSE(FuneralExpense(-1).ok());
}

}  // namespace
}  // namespace zhibi::legal
