// SPDX-License-Identifier: Apache-2.0
// Activations to units (linear_kernel.h): converted, quantised per row, interleaved over the rows
// of a tile by transposing 16 x 16 blocks in registers. A row with a NaN or an infinity gets scale
// NaN, so that it shows in the results. Only for *_avx512.cc.
#pragma once

#include <immintrin.h>

#include "backend/cpu/kernels/linear_kernel.h"

namespace zhibi::cpu {
namespace {

[[gnu::always_inline]] inline __mmask16 TailMask(std::int64_t count) {
  if (count >= 16) return 0xFFFF;
  return count <= 0 ? __mmask16{0} : static_cast<__mmask16>((1U << count) - 1U);
}

// 16 rows of 16 dwords become 16 columns, in place.
[[gnu::always_inline]] inline void Transpose16(__m512i v[16]) {
  __m512i t[16];
#pragma GCC unroll 8
  for (int i = 0; i < 16; i += 2) {
    t[i] = _mm512_unpacklo_epi32(v[i], v[i + 1]);
    t[i + 1] = _mm512_unpackhi_epi32(v[i], v[i + 1]);
  }
#pragma GCC unroll 4
  for (int i = 0; i < 16; i += 4) {
    v[i] = _mm512_unpacklo_epi64(t[i], t[i + 2]);
    v[i + 1] = _mm512_unpackhi_epi64(t[i], t[i + 2]);
    v[i + 2] = _mm512_unpacklo_epi64(t[i + 1], t[i + 3]);
    v[i + 3] = _mm512_unpackhi_epi64(t[i + 1], t[i + 3]);
  }
  // v[4q + j], lane L: column 4L + j of rows 4q..4q+3.
#pragma GCC unroll 4
  for (int j = 0; j < 4; ++j) {
    const __m512i a = _mm512_shuffle_i32x4(v[j], v[j + 4], 0x88);
    const __m512i b = _mm512_shuffle_i32x4(v[j], v[j + 4], 0xDD);
    const __m512i c = _mm512_shuffle_i32x4(v[j + 8], v[j + 12], 0x88);
    const __m512i d = _mm512_shuffle_i32x4(v[j + 8], v[j + 12], 0xDD);
    t[j] = _mm512_shuffle_i32x4(a, c, 0x88);
    t[j + 8] = _mm512_shuffle_i32x4(a, c, 0xDD);
    t[j + 4] = _mm512_shuffle_i32x4(b, d, 0x88);
    t[j + 12] = _mm512_shuffle_i32x4(b, d, 0xDD);
  }
#pragma GCC unroll 16
  for (int i = 0; i < 16; ++i) v[i] = t[i];
}

// Units 0..15 of `mr` rows; units 8..15 go to `dst_high`. Units from `units` on are not stored.
[[gnu::always_inline]] inline void StoreUnits(__m512i v[16], int mr, std::int64_t units,
                                              std::int32_t* dst, std::int32_t* dst_high) {
  if (mr == 1) {
    _mm512_mask_storeu_epi32(dst, static_cast<__mmask16>(TailMask(units) & 0xFF), v[0]);
    // Lanes 8..15 of the register belong at dst_high[0..7].
    _mm512_mask_storeu_epi32(dst_high - 8, static_cast<__mmask16>(TailMask(units) & 0xFF00), v[0]);
    return;
  }
  Transpose16(v);
  const auto mask = static_cast<__mmask16>((1U << mr) - 1U);
#pragma GCC unroll 16
  for (int u = 0; u < 16; ++u) {
    if (u >= units) break;
    std::int32_t* const at = u < 8 ? dst + u * mr : dst_high + (u - 8) * mr;
    _mm512_mask_storeu_epi32(at, mask, v[u]);
  }
}

// 127 / absmax, and the row's scale; both 0 for a row of zeros.
[[gnu::always_inline]] inline float InverseScale(const float* x, std::int64_t k, float* scale) {
  // As integers, so that a NaN counts as larger than everything.
  const __m512i abs_mask = _mm512_set1_epi32(INT32_MAX);
  __m512i top0 = _mm512_setzero_si512();
  __m512i top1 = top0;
  std::int64_t i = 0;
  for (; i + 32 <= k; i += 32) {
    top0 = _mm512_max_epi32(top0, _mm512_and_si512(_mm512_loadu_si512(x + i), abs_mask));
    top1 = _mm512_max_epi32(top1, _mm512_and_si512(_mm512_loadu_si512(x + i + 16), abs_mask));
  }
  for (; i < k; i += 16) {
    const __m512i v = _mm512_maskz_loadu_epi32(TailMask(k - i), x + i);
    top0 = _mm512_max_epi32(top0, _mm512_and_si512(v, abs_mask));
  }
  const std::int32_t bits = _mm512_reduce_max_epi32(_mm512_max_epi32(top0, top1));
  float absmax = 0;
  __builtin_memcpy(&absmax, &bits, sizeof(absmax));
  if (bits >= 0x7F800000) {
    *scale = __builtin_nanf("");
    return 0;
  }
  if (absmax < 1e-35F) {
    *scale = 0;
    return 0;
  }
  *scale = absmax / 127.0F;
  return 127.0F / absmax;
}

// 64 floats to 64 codes in order. `left` floats are there.
[[gnu::always_inline]] inline __m512i Quantise64(const float* x, std::int64_t left,
                                                 __m512 inverse) {
  __m512i q[4];
#pragma GCC unroll 4
  for (int i = 0; i < 4; ++i) {
    const __m512 v = _mm512_maskz_loadu_ps(TailMask(left - 16 * i), x + 16 * i);
    q[i] = _mm512_cvtps_epi32(_mm512_mul_ps(v, inverse));
  }
  const __m512i packed =
      _mm512_packs_epi16(_mm512_packs_epi32(q[0], q[1]), _mm512_packs_epi32(q[2], q[3]));
  const __m512i order = _mm512_setr_epi32(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15);
  return _mm512_permutexvar_epi32(order, packed);
}

struct RowTile {
  std::int64_t row = 0;
  int mr = 0;
  const float* x = nullptr;
  std::int32_t* units = nullptr;
};

inline RowTile RowTileOf(const LinearCall& call, std::int64_t tile) {
  RowTile t;
  t.row = RowTileBegin(call, tile);
  t.mr = static_cast<int>(RowTileBegin(call, tile + 1) - t.row);
  t.x = call.x + t.row * call.k;
  t.units = reinterpret_cast<std::int32_t*>(call.units) + t.row * call.units_per_row;
  return t;
}

}  // namespace
}  // namespace zhibi::cpu
