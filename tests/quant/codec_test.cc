// SPDX-License-Identifier: Apache-2.0
#include "quant/codec.h"

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <vector>

#include <gtest/gtest.h>

namespace zhibi::quant {
namespace {

constexpr float kInf = std::numeric_limits<float>::infinity();
constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();

// An independent decoder: by the definition of the format, in double.
double HalfByDefinition(std::uint16_t bits) {
  const int exponent = (bits >> 10) & 31;
  const int fraction = bits & 1023;
  const double sign = (bits & 0x8000) != 0 ? -1 : 1;
  if (exponent == 0) return sign * std::ldexp(fraction, -24);
  return sign * std::ldexp(1024 + fraction, exponent - 25);
}

TEST(Codec, F16DecodesAllFiniteCodesAndRoundTrips) {
  for (std::uint32_t code = 0; code < 65536; ++code) {
    const auto bits = static_cast<std::uint16_t>(code);
    const float value = F16ToF32(bits);
    if ((bits & 0x7C00) == 0x7C00) {
      EXPECT_EQ(std::isnan(value), (bits & 0x3FF) != 0) << code;
      continue;
    }
    ASSERT_EQ(static_cast<double>(value), HalfByDefinition(bits)) << code;
    ASSERT_EQ(F32ToF16(value), bits) << code;
  }
}

TEST(Codec, F16RoundsToNearestEven) {
  // Between each pair of neighbours: below, at and above the midpoint.
  for (std::uint32_t code = 0; code < 0x7BFF; ++code) {
    const auto low = static_cast<std::uint16_t>(code);
    const auto high = static_cast<std::uint16_t>(code + 1);
    const auto middle =
        static_cast<float>((HalfByDefinition(low) + HalfByDefinition(high)) / 2);  // exact
    const std::uint16_t even = (low & 1) == 0 ? low : high;
    ASSERT_EQ(F32ToF16(middle), even) << code;
    ASSERT_EQ(F32ToF16(std::nextafter(middle, 0.0F)), low) << code;
    ASSERT_EQ(F32ToF16(std::nextafter(middle, kInf)), high) << code;
    ASSERT_EQ(F32ToF16(-middle), even | 0x8000) << code;
  }
  EXPECT_EQ(F32ToF16(65519.0F), 0x7BFF);
  EXPECT_EQ(F32ToF16(65520.0F), 0x7C00);
  EXPECT_EQ(F32ToF16(kInf), 0x7C00);
  EXPECT_EQ(F32ToF16(-kInf), 0xFC00);
  EXPECT_TRUE(std::isnan(F16ToF32(F32ToF16(kNaN))));
}

TEST(Codec, BF16RoundsToNearestEven) {
  for (std::uint32_t code = 0; code < 0x7F7F; ++code) {
    const auto low = static_cast<std::uint16_t>(code);
    const auto high = static_cast<std::uint16_t>(code + 1);
    ASSERT_EQ(F32ToBF16(BF16ToF32(low)), low);
    const float middle = std::bit_cast<float>((code << 16) | 0x8000U);
    ASSERT_EQ(F32ToBF16(middle), (low & 1) == 0 ? low : high) << code;
    ASSERT_EQ(F32ToBF16(std::nextafter(middle, 0.0F)), low) << code;
    ASSERT_EQ(F32ToBF16(std::nextafter(middle, kInf)), high) << code;
  }
  EXPECT_TRUE(std::isnan(BF16ToF32(F32ToBF16(kNaN))));
  // A NaN whose payload lies in the bits that are cut must not become infinity.
  EXPECT_TRUE(std::isnan(BF16ToF32(F32ToBF16(std::bit_cast<float>(0x7F800001U)))));
  EXPECT_TRUE(std::isinf(BF16ToF32(F32ToBF16(std::numeric_limits<float>::max()))));
}

std::vector<float> Gaussian(std::size_t n, float sigma, std::uint32_t seed) {
  std::mt19937 generator(seed);
  std::normal_distribution<float> normal(0, sigma);
  std::vector<float> values(n);
  for (float& value : values) value = normal(generator);
  return values;
}

TEST(Codec, I8ErrorIsAtMostHalfAStep) {
  for (const float sigma : {1e-30F, 1e-3F, 1.0F, 1e30F}) {
    const std::vector<float> src = Gaussian(1001, sigma, 7);
    std::vector<std::int8_t> codes(src.size());
    const float scale = QuantizeRowI8(src, codes);
    std::vector<float> back(src.size());
    DequantizeRowI8(codes, scale, back);
    int extreme = 0;
    for (std::size_t i = 0; i < src.size(); ++i) {
      EXPECT_LE(std::fabs(back[i] - src[i]), scale * 0.50001F);
      extreme = std::max(extreme, std::abs(static_cast<int>(codes[i])));
    }
    EXPECT_EQ(extreme, 127);
  }
}

TEST(Codec, I8TiesToEvenAndOddValues) {
  const std::vector<float> src = {127.0F, 0.5F, 1.5F, 2.5F, -0.5F, -1.5F, kNaN};
  std::vector<std::int8_t> codes(src.size());
  EXPECT_EQ(QuantizeRowI8(src, codes), 1.0F);
  EXPECT_EQ(codes, (std::vector<std::int8_t>{127, 0, 2, 2, 0, -2, 0}));

  std::vector<std::int8_t> none(3, 9);
  EXPECT_EQ(QuantizeRowI8(std::vector<float>{0.0F, -0.0F, 1e-40F}, none), 0.0F);
  EXPECT_EQ(none, (std::vector<std::int8_t>{0, 0, 0}));
  EXPECT_EQ(QuantizeRowI8({}, {}), 0.0F);

  const std::vector<float> infinite = {kInf, -kInf, 1.0F};
  std::vector<std::int8_t> clipped(3);
  EXPECT_TRUE(std::isfinite(QuantizeRowI8(infinite, clipped)));
  EXPECT_EQ(clipped, (std::vector<std::int8_t>{127, -127, 0}));
}

double SquaredError(const std::vector<float>& a, const std::vector<float>& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += std::pow(double{a[i]} - double{b[i]}, 2);
  return sum;
}

std::vector<float> ThroughI4(const std::vector<float>& src) {
  const auto n = static_cast<std::int64_t>(src.size());
  std::vector<std::uint8_t> codes(static_cast<std::size_t>(I4RowBytes(n)));
  std::vector<std::uint16_t> scales(static_cast<std::size_t>(I4RowGroups(n)));
  QuantizeRowI4(src, codes, scales);
  std::vector<float> back(src.size());
  DequantizeRowI4(codes, scales, back);
  return back;
}

TEST(Codec, I4IsBetterThanTheSimpleScale) {
  const std::vector<float> src = Gaussian(32 * 2000, 0.02F, 11);
  double simple = 0;
  for (std::size_t begin = 0; begin < src.size(); begin += 32) {
    float absmax = 0;
    for (std::size_t i = 0; i < 32; ++i) absmax = std::max(absmax, std::fabs(src[begin + i]));
    const float scale = absmax / 7;
    for (std::size_t i = 0; i < 32; ++i) {
      simple += std::pow(src[begin + i] - scale * std::nearbyint(src[begin + i] / scale), 2);
    }
  }
  const double ours = SquaredError(src, ThroughI4(src));
  EXPECT_LT(ours, 0.85 * simple);
  double power = 0;
  for (const float x : src) power += double{x} * double{x};
  EXPECT_LT(std::sqrt(ours / power), 0.085);  // 0.079 as measured for Gaussian weights
}

TEST(Codec, I4ExactOnItsOwnGridTailsAndOddValues) {
  std::vector<float> grid(37);
  for (std::size_t i = 0; i < grid.size(); ++i) {
    grid[i] = 0.25F * static_cast<float>(static_cast<int>(i % 16) - 8);
  }
  EXPECT_EQ(ThroughI4(grid), grid);

  EXPECT_EQ(ThroughI4(std::vector<float>(33, 0.0F)), std::vector<float>(33, 0.0F));
  for (const float back : ThroughI4({kNaN, 1.0F, kInf, 1e38F, -1e38F})) {
    EXPECT_TRUE(std::isfinite(back));
  }
  for (std::size_t n = 0; n < 70; ++n) EXPECT_EQ(ThroughI4(Gaussian(n, 1, 3)).size(), n);

  // A single value is representable whatever its sign.
  EXPECT_NEAR(ThroughI4({3.0F})[0], 3.0F, 0.002F);
  EXPECT_NEAR(ThroughI4({-3.0F})[0], -3.0F, 0.002F);
}

}  // namespace
}  // namespace zhibi::quant
