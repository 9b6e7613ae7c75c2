// SPDX-License-Identifier: Apache-2.0
// Splits of traffic losses by hand.
#include "legal/compensation_traffic.h"

#include <gtest/gtest.h>

#include "legal/compensation.h"
#include "legal/money.h"

namespace zhibi::legal {
namespace {

// 30,000 medical, 400,000 injury, 5,000 property.
TrafficLosses Losses() {
  TrafficLosses losses;
  losses.medical_fen = 3'000'000;
  losses.injury_fen = 40'000'000;
  losses.property_fen = 500'000;
  losses.accident = {2023, 5, 1};
  losses.fault = 700'000;
  return losses;
}

TEST(CompensationTrafficTest, CompulsoryThenCommercialThenDriver) {
  TrafficLosses losses = Losses();
  losses.commercial_limit_fen = 10'000'000;
  // 18,000 + 180,000 + 2,000 = 200,000; the rest 235,000 * 70 % = 164,500, of which 100,000.
  const Result<TrafficSplit> split = SplitTrafficLosses(losses);
  ASSERT_TRUE(split.ok()) << split.status().ToString();
  EXPECT_EQ(split->compulsory_medical_fen, 1'800'000);
  EXPECT_EQ(split->compulsory_injury_fen, 18'000'000);
  EXPECT_EQ(split->compulsory_property_fen, 200'000);
  EXPECT_EQ(split->compulsory_fen, 20'000'000);
  EXPECT_EQ(split->liable_fen, 16'450'000);
  EXPECT_EQ(split->commercial_fen, 10'000'000);
  EXPECT_EQ(split->tortfeasor_fen, 6'450'000);
  EXPECT_EQ(split->formula,
            "交强险：医疗费用18,000（损失30,000，限额18,000） + "
            "死亡伤残180,000（损失400,000，限额180,000） + "
            "财产损失2,000（损失5,000，限额2,000） = 200,000 元；余额 235,000×70% = 164,500 元，"
            "其中商业三者险 100,000 元、侵权人 64,500 元");
  EXPECT_EQ(split->warnings.size(), 1U);
}

TEST(CompensationTrafficTest, NoCommercialInsurance) {
  const Result<TrafficSplit> split = SplitTrafficLosses(Losses());
  EXPECT_EQ(split->commercial_fen, 0);
  EXPECT_EQ(split->tortfeasor_fen, 16'450'000);
}

TEST(CompensationTrafficTest, LimitsByDayAndFault) {
  TrafficLosses losses = Losses();
  losses.accident = {2020, 9, 19};
  EXPECT_EQ(SplitTrafficLosses(losses)->compulsory_fen, 20'000'000);
  losses.accident = {2020, 9, 18};
  EXPECT_EQ(SplitTrafficLosses(losses)->compulsory_fen, 12'200'000);  // 10,000 + 110,000 + 2,000
  losses.no_fault = true;
  losses.fault = 100'000;
  EXPECT_EQ(SplitTrafficLosses(losses)->compulsory_fen, 1'210'000);  // 1,000 + 11,000 + 100
  losses.accident = {2023, 5, 1};
  // 1,800 + 18,000 + 100 = 19,900; (435,000 - 19,900) * 10 % = 41,510.
  EXPECT_EQ(SplitTrafficLosses(losses)->compulsory_fen, 1'990'000);
  EXPECT_EQ(SplitTrafficLosses(losses)->liable_fen, 4'151'000);
}

TEST(CompensationTrafficTest, WithinTheLimits) {
  TrafficLosses losses = Losses();
  losses.medical_fen = 1'800'000;
  losses.injury_fen = 0;
  losses.property_fen = 200'000;
  const Result<TrafficSplit> split = SplitTrafficLosses(losses);
  EXPECT_EQ(split->compulsory_fen, 2'000'000);
  EXPECT_EQ(split->liable_fen, 0);
  EXPECT_EQ(split->formula.find("限额"), std::string::npos);
}

TEST(CompensationTrafficTest, Refuses) {
  TrafficLosses losses = Losses();
  losses.fault = kWholePercent + 1;
  EXPECT_FALSE(SplitTrafficLosses(losses).ok());
  losses = Losses();
  losses.no_fault = true;
  EXPECT_FALSE(SplitTrafficLosses(losses).ok());
  losses = Losses();
  losses.accident = {2008, 1, 31};
  EXPECT_FALSE(SplitTrafficLosses(losses).ok());
  losses = Losses();
  losses.medical_fen = -1;
  EXPECT_FALSE(SplitTrafficLosses(losses).ok());
  losses = Losses();
  losses.injury_fen = kMaxFen;
  EXPECT_FALSE(SplitTrafficLosses(losses).ok());
  losses = Losses();
  losses.commercial_limit_fen = -1;
  EXPECT_FALSE(SplitTrafficLosses(losses).ok());
}

}  // namespace
}  // namespace zhibi::legal
