// SPDX-License-Identifier: Apache-2.0
// Court fees computed by hand from the brackets of 诉讼费用交纳办法 13 and 14.
#include "legal/court_fee.h"

#include <cstdint>

#include <gtest/gtest.h>

namespace zhibi::legal {
namespace {

std::int64_t Fee(FeeKind kind, std::int64_t amount_fen) {
  const Result<CourtFee> fee = ComputeCourtFee(kind, amount_fen);
  EXPECT_TRUE(fee.ok()) << fee.status().message();
  if (!fee.ok()) return -1;
  EXPECT_TRUE(fee->exact()) << fee->formula;
  return fee->low_fen;
}

TEST(CourtFeeTest, PropertyAtEachBracket) {
  // 100,000: 50 + 90,000 * 2.5 % = 2,300 yuan.
  EXPECT_EQ(Fee(FeeKind::kProperty, 10'000'000), 230'000);
  EXPECT_EQ(Fee(FeeKind::kProperty, 0), 5'000);
  EXPECT_EQ(Fee(FeeKind::kProperty, 1'000'000), 5'000);
  // One yuan above 10,000 costs 2.5 fen more, half up.
  EXPECT_EQ(Fee(FeeKind::kProperty, 1'000'100), 5'003);
  EXPECT_EQ(Fee(FeeKind::kProperty, 20'000'000), 430'000);
  EXPECT_EQ(Fee(FeeKind::kProperty, 50'000'000), 880'000);
  EXPECT_EQ(Fee(FeeKind::kProperty, 100'000'000), 1'380'000);
  EXPECT_EQ(Fee(FeeKind::kProperty, 200'000'000), 2'280'000);
  EXPECT_EQ(Fee(FeeKind::kProperty, 500'000'000), 4'680'000);
  EXPECT_EQ(Fee(FeeKind::kProperty, 1'000'000'000), 8'180'000);
  EXPECT_EQ(Fee(FeeKind::kProperty, 2'000'000'000), 14'180'000);
  // 20,000,100: 0.5 % of the last 100 yuan.
  EXPECT_EQ(Fee(FeeKind::kProperty, 2'000'010'000), 14'180'050);
}

TEST(CourtFeeTest, HalfAndFormula) {
  const Result<CourtFee> fee = ComputeCourtFee(FeeKind::kProperty, 10'000'000);
  ASSERT_TRUE(fee.ok());
  EXPECT_EQ(fee->formula, "50 + 90,000×2.5% = 2,300 元");
  const Result<Calculation> half = HalfFee(230'000);
  ASSERT_TRUE(half.ok());
  EXPECT_EQ(half->fen, 115'000);
  EXPECT_EQ(half->formula, "2,300÷2 = 1,150 元");
}

TEST(CourtFeeTest, Applications) {
  // Preservation: 30 yuan up to 1,000; 1 % up to 100,000; 0.5 % above; at most 5,000.
  EXPECT_EQ(Fee(FeeKind::kPreservation, 100'000), 3'000);
  EXPECT_EQ(Fee(FeeKind::kPreservation, 10'000'000), 102'000);
  EXPECT_EQ(Fee(FeeKind::kPreservation, 20'000'000), 152'000);
  EXPECT_EQ(Fee(FeeKind::kPreservation, 10'000'000'000), 500'000);
  // Enforcement: 50 up to 10,000, 1.5 % up to 500,000: 50 + 90,000 * 1.5 % = 1,400.
  EXPECT_EQ(Fee(FeeKind::kEnforcement, 10'000'000), 140'000);
  // Payment order: a third of the property fee, 2,300 / 3 = 766.67.
  EXPECT_EQ(Fee(FeeKind::kPaymentOrder, 10'000'000), 76'667);
  EXPECT_EQ(ComputeCourtFee(FeeKind::kLabour, std::nullopt)->low_fen, 1'000);
  EXPECT_EQ(ComputeCourtFee(FeeKind::kAdministrative, std::nullopt)->low_fen, 5'000);
}

TEST(CourtFeeTest, ABandIsARange) {
  const Result<CourtFee> fee = ComputeCourtFee(FeeKind::kDivorce, std::nullopt);
  ASSERT_TRUE(fee.ok());
  EXPECT_EQ(fee->low_fen, 5'000);
  EXPECT_EQ(fee->high_fen, 30'000);
  EXPECT_FALSE(ComputeCourtFee(FeeKind::kDivorce, std::nullopt, 40'000).ok());
  // 500,000 of property: 0.5 % of 300,000 above the figure of the province.
  EXPECT_EQ(ComputeCourtFee(FeeKind::kDivorce, 50'000'000, 20'000)->low_fen, 170'000);
}

TEST(CourtFeeTest, Refuses) {
  EXPECT_FALSE(ComputeCourtFee(FeeKind::kProperty, std::nullopt).ok());
  EXPECT_FALSE(ComputeCourtFee(FeeKind::kProperty, -1).ok());
  EXPECT_FALSE(ComputeCourtFee(FeeKind::kProperty, INT64_MAX).ok());
  EXPECT_FALSE(FeeKindFromName("nothing").has_value());
}

}  // namespace
}  // namespace zhibi::legal
