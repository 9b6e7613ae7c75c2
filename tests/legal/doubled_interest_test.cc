// SPDX-License-Identifier: Apache-2.0
// The doubled part of interest for late performance, by hand.
#include "legal/doubled_interest.h"

#include <gtest/gtest.h>

#include "legal/money.h"

namespace zhibi::legal {
namespace {

constexpr std::int64_t kHundredThousand = 10'000'000;
constexpr Date kFrom = {2024, 1, 1};
constexpr Date kTo = {2024, 4, 10};  // 31 + 29 + 31 + 9 = 100 days

TEST(DoubledInterestTest, HundredDays) {
  // 100,000 * 0.000175 * 100 = 1,750 yuan.
  const Result<Calculation> sum = DoubledInterest(kHundredThousand, kFrom, kTo);
  ASSERT_TRUE(sum.ok()) << sum.status().ToString();
  EXPECT_EQ(sum->fen, 175'000);
  EXPECT_EQ(sum->formula, "100,000×0.0175%×100天 = 1,750 元");
  EXPECT_TRUE(sum->warnings.empty());
}

TEST(DoubledInterestTest, SuspendedDaysCountOnce) {
  // 1 to 20 February in two spans that overlap: 80 days remain, 1,400 yuan.
  const std::vector<DaySpan> spans = {{{2024, 2, 5}, {2024, 2, 21}}, {{2024, 2, 1}, {2024, 2, 11}}};
  const Result<Calculation> sum = DoubledInterest(kHundredThousand, kFrom, kTo, spans);
  ASSERT_TRUE(sum.ok());
  EXPECT_EQ(sum->fen, 140'000);
  EXPECT_NE(sum->formula.find("已扣除中止、暂缓执行的20天"), std::string::npos);
  // Only the days inside count: 1 and 2 January, and 9 April.
  const std::vector<DaySpan> beyond = {{{2023, 1, 1}, {2024, 1, 3}}, {{2024, 4, 9}, {2025, 1, 1}}};
  EXPECT_EQ(DoubledInterest(kHundredThousand, kFrom, kTo, beyond)->fen, 169'750);
  // All of it.
  EXPECT_EQ(DoubledInterest(kHundredThousand, kFrom, kTo, {{{2023, 1, 1}, {2025, 1, 1}}})->fen, 0);
}

TEST(DoubledInterestTest, BoundariesAndErrors) {
  EXPECT_FALSE(DoubledInterest(kHundredThousand, {2014, 7, 31}, kTo)->known);
  EXPECT_TRUE(DoubledInterest(kHundredThousand, {2014, 8, 1}, kTo)->known);
  EXPECT_EQ(DoubledInterest(kHundredThousand, kTo, kFrom)->fen, 0);
  EXPECT_EQ(DoubledInterest(kHundredThousand, kTo, kFrom)->warnings.size(), 1U);
  // 1 yuan for 28 days is 0.49 fen, for 29 days 0.5075.
  EXPECT_EQ(DoubledInterest(100, kFrom, {2024, 1, 29})->fen, 0);
  EXPECT_EQ(DoubledInterest(100, kFrom, {2024, 1, 30})->fen, 1);
  EXPECT_FALSE(DoubledInterest(-1, kFrom, kTo).ok());
  EXPECT_FALSE(DoubledInterest(kMaxFen, {2014, 8, 1}, {2100, 1, 1}).ok());
  EXPECT_FALSE(DoubledInterest(1, kFrom, kTo, {{{2024, 2, 2}, {2024, 2, 1}}}).ok());
}

}  // namespace
}  // namespace zhibi::legal
