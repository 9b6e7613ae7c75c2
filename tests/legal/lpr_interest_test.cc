// SPDX-License-Identifier: Apache-2.0
// Interest by segments of the LPR and of the benchmark rate, and the cap of four times the LPR; the
// working stands beside each sum.
#include "legal/lpr_interest.h"

#include <string>

#include <gtest/gtest.h>

#include "legal/money.h"

namespace zhibi::legal {
namespace {

constexpr std::int64_t kHundredThousand = 10'000'000;  // yuan, in fen

class LprInterestTest : public testing::Test {
 protected:
  void SetUp() override {
    const std::string data = std::string(ZHIBI_SOURCE_DIR) + "/data";
    Result<LprTable> lpr = LprTable::Load(data);
    Result<BenchmarkTable> benchmark = BenchmarkTable::Load(data);
    ASSERT_TRUE(lpr.ok()) << lpr.status().ToString();
    ASSERT_TRUE(benchmark.ok()) << benchmark.status().ToString();
    lpr_ = *lpr;
    benchmark_ = *benchmark;
  }

  Calculation Interest(const Date& from, const Date& to, std::int64_t multiple = 10'000) {
    const Result<Calculation> sum =
        LprInterest(lpr_, benchmark_, kHundredThousand, from, to, multiple);
    EXPECT_TRUE(sum.ok()) << sum.status().ToString();
    return sum.ok() ? *sum : Calculation::Unknown("failed");
  }

  Calculation Capped(CappedLoan loan) {
    loan.fen = kHundredThousand;
    const Result<Calculation> sum = CappedInterest(lpr_, loan);
    EXPECT_TRUE(sum.ok()) << sum.status().ToString();
    return sum.ok() ? *sum : Calculation::Unknown("failed");
  }

  LprTable lpr_;
  BenchmarkTable benchmark_;
};

TEST_F(LprInterestTest, SegmentsOfTheLpr) {
  // 2024-07-01 to 10-31: 21 days at 3.45 %, 91 at 3.35 %, 11 at 3.10 %:
  // 72.45 + 304.85 + 34.10 = 411.40; 100,000 * 4.1140 / 365 = 1,127.1233 yuan.
  const Calculation sum = Interest({2024, 7, 1}, {2024, 11, 1});
  EXPECT_EQ(sum.fen, 112'712);
  EXPECT_TRUE(sum.warnings.empty());
  EXPECT_EQ(sum.formula,
            "100,000×(2024年7月1日至2024年7月21日3.45%×21天 + "
            "2024年7月22日至2024年10月20日3.35%×91天 + "
            "2024年10月21日至2024年10月31日3.1%×11天)÷365 = 1,127.12 元");
  // One and a half times, rounded once: 1,690.6849.
  const Calculation half_more = Interest({2024, 7, 1}, {2024, 11, 1}, 15'000);
  EXPECT_EQ(half_more.fen, 169'068);
  EXPECT_NE(half_more.formula.find("÷365×1.5 = 1,690.68 元"), std::string::npos);
}

TEST_F(LprInterestTest, OneRateForAYear) {
  // 365 days at 3 %.
  const Calculation sum = Interest({2025, 5, 20}, {2026, 5, 20});
  EXPECT_EQ(sum.fen, 300'000);
  EXPECT_EQ(sum.formula, "100,000×2025年5月20日至2026年5月19日3%×365天÷365 = 3,000 元");
}

TEST_F(LprInterestTest, BenchmarkBeforeTheLpr) {
  // August 2019: 19 days at 4.35 %, 12 at 4.25 %: 82.65 + 51 = 133.65; 100,000 * 1.3365 / 365.
  const Calculation sum = Interest({2019, 8, 1}, {2019, 9, 1});
  EXPECT_EQ(sum.fen, 36'616);
  ASSERT_EQ(sum.warnings.size(), 1U);
  EXPECT_NE(sum.warnings[0].find("六个月至一年（含）期贷款基准利率"), std::string::npos);
  // The day before the LPR and its first day.
  EXPECT_NE(Interest({2019, 8, 19}, {2019, 8, 20}).formula.find("4.35%×1天"), std::string::npos);
  EXPECT_NE(Interest({2019, 8, 20}, {2019, 8, 21}).formula.find("4.25%×1天"), std::string::npos);
}

TEST_F(LprInterestTest, RatesOfOneSourceAreNamed) {
  // 2008-10-01 to 10-10: 8 days at 7.20 %, 2 at 6.93 %: 57.60 + 13.86 = 71.46; 195.7808 yuan.
  const Calculation sum = Interest({2008, 10, 1}, {2008, 10, 11});
  EXPECT_EQ(sum.fen, 19'578);
  ASSERT_EQ(sum.warnings.size(), 2U);
  EXPECT_EQ(sum.warnings[1], "贷款基准利率7.2%、6.93%只有一份来源，由使用者核对");
}

TEST_F(LprInterestTest, UnknownAndEmptySpans) {
  EXPECT_FALSE(Interest({2002, 2, 20}, {2003, 1, 1}).known);
  EXPECT_TRUE(Interest({2002, 2, 21}, {2003, 1, 1}).known);
  const Result<Calculation> no_table =
      LprInterest(lpr_, BenchmarkTable(), kHundredThousand, {2019, 8, 19}, {2019, 9, 1});
  ASSERT_TRUE(no_table.ok());
  EXPECT_FALSE(no_table->known);
  EXPECT_FALSE(no_table->warnings.empty());
  const Calculation none = Interest({2024, 1, 2}, {2024, 1, 2});
  EXPECT_EQ(none.fen, 0);
  EXPECT_TRUE(none.known);
  EXPECT_EQ(none.warnings.size(), 1U);
}

TEST_F(LprInterestTest, WarnsPastTheTable) {
  const Date last = lpr_.as_of();
  const Date day_after = FromDays(ToDays(last) + 1);
  EXPECT_TRUE(Interest({2026, 1, 1}, day_after).warnings.empty());
  EXPECT_EQ(Interest({2026, 1, 1}, FromDays(ToDays(last) + 2)).warnings.size(), 1U);
}

TEST_F(LprInterestTest, Refuses) {
  const Date from = {2024, 1, 1};
  const Date to = {2025, 1, 1};
  EXPECT_FALSE(LprInterest(lpr_, benchmark_, -1, from, to).ok());
  EXPECT_FALSE(LprInterest(lpr_, benchmark_, kMaxFen + 1, from, to).ok());
  EXPECT_FALSE(LprInterest(lpr_, benchmark_, 1, from, to, -1).ok());
  // 9999 yi yuan at 4 % times 10,000 is no sum.
  EXPECT_FALSE(LprInterest(lpr_, benchmark_, kMaxFen, from, to, 100'000'000).ok());
  EXPECT_TRUE(LprInterest(lpr_, benchmark_, kMaxFen, from, to).ok());
}

TEST_F(LprInterestTest, CapOfANewContract) {
  EXPECT_EQ(*LprCap(lpr_, {2022, 3, 1}), 148'000);
  EXPECT_EQ(*LprCap(lpr_, {2024, 11, 5}), 124'000);
  EXPECT_FALSE(LprCap(lpr_, {2019, 8, 19}).has_value());
  // 18 % agreed on 2022-03-01, cap 14.8 %, 365 days.
  const Calculation sum = Capped({.rate = 180'000,
                                  .contract = {2022, 3, 1},
                                  .filing = {2024, 1, 1},
                                  .from = {2022, 3, 1},
                                  .to = {2023, 3, 1}});
  EXPECT_EQ(sum.fen, 1'480'000);
  ASSERT_EQ(sum.warnings.size(), 1U);
  EXPECT_EQ(sum.warnings[0],
            "约定年利率18%超过合同成立时一年期LPR3.7%的四倍即14.8%，超过部分不予计算");
  // 15.4 % agreed on 2021-06-01 is four times 3.85 %.
  EXPECT_TRUE(Capped({.rate = 154'000,
                      .contract = {2021, 6, 1},
                      .filing = {2024, 1, 1},
                      .from = {2021, 6, 1},
                      .to = {2022, 6, 1}})
                  .warnings.empty());
}

TEST_F(LprInterestTest, CapOfAnOldContract) {
  CappedLoan loan = {.rate = 300'000,
                     .contract = {2019, 1, 1},
                     .filing = {2021, 6, 1},
                     .from = {2020, 8, 1},
                     .to = {2020, 9, 1},
                     .asks_old_rule = true};
  // 19 days at 24 %, 12 days at 4 * 3.85 % = 15.4 %: 456 + 184.8 = 640.8; 100,000 * 6.408 / 365.
  EXPECT_EQ(Capped(loan).fen, 175'562);
  // Not asked for, and no LPR on the day of the contract: 31 days at 15.4 %: 477.4.
  loan.asks_old_rule = false;
  EXPECT_EQ(Capped(loan).fen, 130'795);
  // Contract on 2020-01-05 (4.15 %): 19 days at 16.6 %, 12 at 15.4 %: 315.4 + 184.8 = 500.2.
  loan.contract = {2020, 1, 5};
  EXPECT_EQ(Capped(loan).fen, 137'041);
  // Filed before the new rule: 24 % throughout, with the warning once.
  const Calculation before = Capped({.rate = 300'000,
                                     .contract = {2016, 1, 1},
                                     .filing = {2018, 5, 1},
                                     .from = {2017, 1, 1},
                                     .to = {2018, 1, 1}});
  EXPECT_EQ(before.fen, 2'400'000);
  EXPECT_EQ(before.warnings.size(), 2U);
}

TEST_F(LprInterestTest, TheAgreedRateBelowTheCapStands) {
  // 2016 loan at 6 %: nothing is cut, whatever is asked.
  const Calculation sum = Capped({.rate = 60'000,
                                  .contract = {2016, 1, 1},
                                  .filing = {2021, 6, 1},
                                  .from = {2020, 1, 1},
                                  .to = {2020, 12, 31},
                                  .asks_old_rule = true});
  EXPECT_EQ(sum.fen, 600'000);  // 365 days of a leap year less one
}

TEST_F(LprInterestTest, CappedRefuses) {
  const CappedLoan loan = {.fen = 100,
                           .rate = 60'000,
                           .contract = {2022, 1, 1},
                           .filing = {2023, 1, 1},
                           .from = {2022, 1, 1},
                           .to = {2023, 1, 1}};
  CappedLoan bad = loan;
  bad.rate = -1;
  EXPECT_FALSE(CappedInterest(lpr_, bad).ok());
  bad = loan;
  bad.from = {2021, 12, 31};
  EXPECT_FALSE(CappedInterest(lpr_, bad).ok());
  bad = loan;
  bad.filing = {2021, 12, 31};
  EXPECT_FALSE(CappedInterest(lpr_, bad).ok());
  EXPECT_TRUE(CappedInterest(lpr_, loan).ok());
}

}  // namespace
}  // namespace zhibi::legal
