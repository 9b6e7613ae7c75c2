// SPDX-License-Identifier: Apache-2.0
// Loops are written so that a compiler vectorises them at the baseline instruction set: a model of
// half a billion weights is quantised within seconds by these functions.
#include "quant/codec.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>

#include "base/check.h"

namespace zhibi::quant {
namespace {

constexpr float kMaxFloat = std::numeric_limits<float>::max();
constexpr float kMaxF16 = 65504.0F;
constexpr float kZeroRow = 1e-35F;
// Adding and subtracting 1.5 * 2^23 rounds |x| < 2^22 to the nearest integer, ties to even.
constexpr float kRoundMagic = 12582912.0F;

// NaN to 0, infinities to the largest finite value.
float Finite(float x) {
  const float clamped = x > kMaxFloat ? kMaxFloat : (x < -kMaxFloat ? -kMaxFloat : x);
  return x == x ? clamped : 0.0F;
}

float AbsMax(const float* x, std::size_t n) {
  float absmax = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const float a = std::fabs(x[i]);
    absmax = a > absmax ? a : absmax;  // false for NaN
  }
  return std::min(absmax, kMaxFloat);
}

float Round(float x) { return (x + kRoundMagic) - kRoundMagic; }

// Codes of one group for a given inverse scale, then the best scale for these codes. Returns the
// squared error, which is sum(x^2) - scale * sum(x q) at the optimum.
struct Fit {
  float scale = 0;
  float gain = -1;  // scale * sum(x q): the larger the better
};

Fit FitScale(const float* x, float inverse) {
  float xq = 0;
  float qq = 0;
  for (std::int64_t i = 0; i < kI4Group; ++i) {
    float q = Round(x[i] * inverse);
    q = q < -8.0F ? -8.0F : (q > 7.0F ? 7.0F : q);
    xq += x[i] * q;
    qq += q * q;
  }
  if (!(qq > 0)) return {};
  return {.scale = xq / qq, .gain = xq * (xq / qq)};
}

// A group is normalised to absmax 1 first, so that no product overflows or vanishes.
float BestScale(const std::array<float, kI4Group>& x, float extreme) {
  // The element with the largest magnitude takes code -8 (the scale gets its sign), or nearly so:
  // a slightly larger scale often fits the others better.
  constexpr std::array<float, 6> kCodes = {-8.0F, -8.5F, -7.6F, -7.2F, 7.0F, 7.5F};
  Fit best;
  for (const float code : kCodes) {
    const Fit fit = FitScale(x.data(), code / extreme);
    if (fit.gain > best.gain) best = fit;
  }
  return best.scale;
}

void QuantizeGroup(const float* src, std::size_t n, std::uint8_t* codes, std::uint16_t* scale) {
  std::array<float, kI4Group> x{};
  std::array<std::uint8_t, kI4Group> q{};
  const float absmax = AbsMax(src, n);
  float value = 0;
  if (absmax >= kZeroRow) {
    float extreme = 0;
    for (std::size_t i = 0; i < n; ++i) {
      x[i] = Finite(src[i]) / absmax;
      if (std::fabs(x[i]) > std::fabs(extreme)) extreme = x[i];
    }
    value = std::clamp(BestScale(x, extreme) * absmax, -kMaxF16, kMaxF16);
    if (!(std::fabs(value) <= kMaxF16)) value = 0;
  }
  *scale = F32ToF16(value);
  const float rounded = F16ToF32(*scale);
  const float inverse = rounded != 0 ? absmax / rounded : 0.0F;
  for (std::size_t i = 0; i < q.size(); ++i) {
    const float code = Round(std::clamp(x[i] * inverse, -8.0F, 7.0F));
    q[i] = static_cast<std::uint8_t>(static_cast<int>(code) + kI4Bias);
  }
  for (std::size_t i = 0; i < n; i += 2) {
    codes[i / 2] = static_cast<std::uint8_t>(q[i] | (q[i + 1] << 4));
  }
}

}  // namespace

float F16ToF32(std::uint16_t bits) {
  const std::uint32_t sign = static_cast<std::uint32_t>(bits & 0x8000U) << 16;
  const std::uint32_t body = bits & 0x7FFFU;
  // The 15 bits as a float whose exponent is 112 too small; the product is exact, subnormals too.
  // Infinities and NaNs get all exponent bits. No branch, so that rows vectorise.
  const float scaled = std::bit_cast<float>(body << 13) * 0x1p112F;
  const std::uint32_t special = body >= 0x7C00U ? 0x7F800000U : 0U;
  return std::bit_cast<float>(std::bit_cast<std::uint32_t>(scaled) | special | sign);
}

std::uint16_t F32ToF16(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  const std::uint32_t sign = (bits >> 16) & 0x8000U;
  const std::uint32_t body = bits & 0x7FFFFFFFU;
  if (body > 0x7F800000U) return static_cast<std::uint16_t>(sign | 0x7E00U);
  if (body >= 0x477FF000U) return static_cast<std::uint16_t>(sign | 0x7C00U);  // rounds to infinity
  if (body < 0x38800000U) {  // below 2^-14: subnormal; adding 0.5 puts one unit at 2^-24
    const float shifted = std::bit_cast<float>(body) + 0.5F;
    return static_cast<std::uint16_t>(sign | (std::bit_cast<std::uint32_t>(shifted) - 0x3F000000U));
  }
  const std::uint32_t rounded = body + 0xFFFU + ((body >> 13) & 1U) - 0x38000000U;
  return static_cast<std::uint16_t>(sign | (rounded >> 13));
}

float BF16ToF32(std::uint16_t bits) {
  return std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16);
}

std::uint16_t F32ToBF16(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  if ((bits & 0x7FFFFFFFU) > 0x7F800000U) return static_cast<std::uint16_t>((bits >> 16) | 0x40U);
  return static_cast<std::uint16_t>((bits + 0x7FFFU + ((bits >> 16) & 1U)) >> 16);
}

void F16ToF32Row(std::span<const std::uint16_t> src, std::span<float> dst) {
  ZB_CHECK(src.size() == dst.size());
  for (std::size_t i = 0; i < src.size(); ++i) dst[i] = F16ToF32(src[i]);
}

void F32ToF16Row(std::span<const float> src, std::span<std::uint16_t> dst) {
  ZB_CHECK(src.size() == dst.size());
  for (std::size_t i = 0; i < src.size(); ++i) dst[i] = F32ToF16(src[i]);
}

void BF16ToF32Row(std::span<const std::uint16_t> src, std::span<float> dst) {
  ZB_CHECK(src.size() == dst.size());
  for (std::size_t i = 0; i < src.size(); ++i) dst[i] = BF16ToF32(src[i]);
}

void F32ToBF16Row(std::span<const float> src, std::span<std::uint16_t> dst) {
  ZB_CHECK(src.size() == dst.size());
  for (std::size_t i = 0; i < src.size(); ++i) dst[i] = F32ToBF16(src[i]);
}

float QuantizeRowI8(std::span<const float> src, std::span<std::int8_t> dst) {
  ZB_CHECK(src.size() == dst.size());
  const float absmax = AbsMax(src.data(), src.size());
  if (absmax < kZeroRow) {
    std::fill(dst.begin(), dst.end(), std::int8_t{0});
    return 0;
  }
  const float inverse = 127.0F / absmax;
  for (std::size_t i = 0; i < src.size(); ++i) {
    const float q = Round(std::clamp(Finite(src[i]) * inverse, -127.0F, 127.0F));
    dst[i] = static_cast<std::int8_t>(static_cast<int>(q));
  }
  return absmax / 127.0F;
}

void DequantizeRowI8(std::span<const std::int8_t> src, float scale, std::span<float> dst) {
  ZB_CHECK(src.size() == dst.size());
  for (std::size_t i = 0; i < src.size(); ++i) dst[i] = static_cast<float>(src[i]) * scale;
}

void QuantizeRowI4(std::span<const float> src, std::span<std::uint8_t> codes,
                   std::span<std::uint16_t> scales) {
  const auto n = static_cast<std::int64_t>(src.size());
  ZB_CHECK(static_cast<std::int64_t>(codes.size()) == I4RowBytes(n));
  ZB_CHECK(static_cast<std::int64_t>(scales.size()) == I4RowGroups(n));
  constexpr auto kGroup = static_cast<std::size_t>(kI4Group);
  for (std::size_t begin = 0; begin < src.size(); begin += kGroup) {
    const std::size_t count = std::min(kGroup, src.size() - begin);
    QuantizeGroup(src.data() + begin, count, codes.data() + begin / 2,
                  scales.data() + begin / kGroup);
  }
}

void DequantizeRowI4(std::span<const std::uint8_t> codes, std::span<const std::uint16_t> scales,
                     std::span<float> dst) {
  const auto n = static_cast<std::int64_t>(dst.size());
  ZB_CHECK(static_cast<std::int64_t>(codes.size()) == I4RowBytes(n));
  ZB_CHECK(static_cast<std::int64_t>(scales.size()) == I4RowGroups(n));
  for (std::size_t i = 0; i < dst.size(); ++i) {
    const int code = (codes[i / 2] >> (4 * (i % 2))) & 15;
    dst[i] = static_cast<float>(code - kI4Bias) *
             F16ToF32(scales[i / static_cast<std::size_t>(kI4Group)]);
  }
}

}  // namespace zhibi::quant
