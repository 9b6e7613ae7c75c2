// SPDX-License-Identifier: Apache-2.0
// Encoders and decoders of every weight format, one row at a time: f16, bf16, int8 with one scale a
// row, int4 with one f16 scale per group of 32 columns. This is the scalar reference: a backend's
// packed weights hold exactly these numbers, whatever their layout. Rounding is to nearest, ties to
// even. Any float is accepted: NaN counts as 0, infinities as the largest finite value.
// Thread rule: pure functions.
// Sources: IEEE 754-2019; the least-squares choice of an int4 scale follows the idea of iterating
// between codes and scale (Lloyd 1982).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace zhibi::quant {

inline constexpr std::int64_t kI4Group = 32;
// An int4 code is stored as value + 8 in a nibble, so that 0..15 means -8..7.
inline constexpr int kI4Bias = 8;

float F16ToF32(std::uint16_t bits);
std::uint16_t F32ToF16(float value);  // overflow gives infinity, as the hardware does
float BF16ToF32(std::uint16_t bits);
std::uint16_t F32ToBF16(float value);  // NaN stays a (quiet) NaN

// Rows; both spans have the same length.
void F16ToF32Row(std::span<const std::uint16_t> src, std::span<float> dst);
void F32ToF16Row(std::span<const float> src, std::span<std::uint16_t> dst);
void BF16ToF32Row(std::span<const std::uint16_t> src, std::span<float> dst);
void F32ToBF16Row(std::span<const float> src, std::span<std::uint16_t> dst);

// q = round(x * 127 / absmax); returns the scale absmax / 127, x ~ q * scale. A row whose absmax is
// below 1e-35 gets zeros and scale 0. Codes lie in -127..127.
float QuantizeRowI8(std::span<const float> src, std::span<std::int8_t> dst);
void DequantizeRowI8(std::span<const std::int8_t> src, float scale, std::span<float> dst);

// Bytes and scales of a row of n int4 columns; the last group may be short.
constexpr std::int64_t I4RowBytes(std::int64_t n) { return (n + 1) / 2; }
constexpr std::int64_t I4RowGroups(std::int64_t n) { return (n + kI4Group - 1) / kI4Group; }

// codes: I4RowBytes(n), low nibble first, unused nibble kI4Bias; scales: I4RowGroups(n) f16, may be
// negative, never infinite. Per group the scale with the least squared error of a few candidates.
void QuantizeRowI4(std::span<const float> src, std::span<std::uint8_t> codes,
                   std::span<std::uint16_t> scales);
void DequantizeRowI4(std::span<const std::uint8_t> codes, std::span<const std::uint16_t> scales,
                     std::span<float> dst);

}  // namespace zhibi::quant
