// SPDX-License-Identifier: Apache-2.0
// linear with int4 weights in groups of 32 columns on vpdpbusd: nibbles are u8 with offset 8, the
// sum of a group is an exact int32, then acc = fma(float(sum), group scale, acc), groups ascending.
// result = acc * row scale. Needs AVX512_VNNI.
// A tile has at most 6 rows: each row holds two integer and two float accumulators.
#include "backend/cpu/kernels/linear_avx512.h"
#include "backend/cpu/kernels/linear_prepare_avx512.h"

namespace zhibi::cpu {
namespace {

struct I4Policy {
  using Acc = __m512;
  static constexpr int kStepBytes = 576;
  static constexpr int kTrailerBytes = 0;
  static constexpr int kStepUnits = 9;
  static constexpr int kHeaderUnits = 0;
  static constexpr int kMaxRowTile = 6;
  static constexpr bool kSingleRowInPlace = false;
  static constexpr int Streams(int mr) { return mr <= 2 ? 2 : 1; }
  static std::int64_t Steps(std::int64_t k) { return CeilDiv(k, 32); }

  [[gnu::always_inline]] static Acc Start(const std::byte* /*x*/) { return _mm512_setzero_ps(); }

  template <int MR, int NP>
  [[gnu::always_inline]] static void Step(const std::byte* w, std::int64_t panel_bytes,
                                          const std::byte* x, Acc acc[MR][2 * NP]) {
#pragma GCC unroll 4
    for (int p = 0; p < NP; ++p) Group<MR, NP>(w + p * panel_bytes, x, acc, 2 * p);
  }

  [[gnu::always_inline]] static __m512i Unit(const std::byte* x) {
    return _mm512_set1_epi32(*reinterpret_cast<const std::int32_t*>(x));
  }

  // One group of one panel, into columns c and c + 1 of acc.
  template <int MR, int NP>
  [[gnu::always_inline]] static void Group(const std::byte* w, const std::byte* x,
                                           Acc acc[MR][2 * NP], int c) {
    const __m512i nibble = _mm512_set1_epi8(15);
    __m512i sum[MR][2];
#pragma GCC unroll 6
    for (int r = 0; r < MR; ++r) sum[r][0] = sum[r][1] = Unit(x + 4 * r);
#pragma GCC unroll 4
    for (int j = 0; j < 4; ++j) {
      const __m512i both0 = _mm512_load_si512(w + 128 * j);
      const __m512i both1 = _mm512_load_si512(w + 128 * j + 64);
      const __m512i low0 = _mm512_and_si512(both0, nibble);
      const __m512i low1 = _mm512_and_si512(both1, nibble);
      const __m512i high0 = _mm512_and_si512(_mm512_srli_epi16(both0, 4), nibble);
      const __m512i high1 = _mm512_and_si512(_mm512_srli_epi16(both1, 4), nibble);
#pragma GCC unroll 6
      for (int r = 0; r < MR; ++r) {
        const __m512i b = Unit(x + 4 * (MR * (1 + 2 * j) + r));
        DotU8S8(sum[r][0], low0, b);
        DotU8S8(sum[r][1], low1, b);
      }
#pragma GCC unroll 6
      for (int r = 0; r < MR; ++r) {
        const __m512i b = Unit(x + 4 * (MR * (2 + 2 * j) + r));
        DotU8S8(sum[r][0], high0, b);
        DotU8S8(sum[r][1], high1, b);
      }
    }
#pragma GCC unroll 2
    for (int half = 0; half < 2; ++half) {
      const __m512 scale =
          _mm512_cvtph_ps(_mm256_load_si256(reinterpret_cast<const __m256i*>(w + 512 + 32 * half)));
#pragma GCC unroll 6
      for (int r = 0; r < MR; ++r) {
        acc[r][c + half] =
            _mm512_fmadd_ps(_mm512_cvtepi32_ps(sum[r][half]), scale, acc[r][c + half]);
      }
    }
  }

  [[gnu::always_inline]] static __m512 Finish(Acc acc, const std::byte* /*end*/, int /*half*/) {
    return acc;
  }
};

void Prepare(const LinearCall& call, std::int64_t tile) {
  const RowTile t = RowTileOf(call, tile);
  const std::int64_t groups = call.units_per_row / 9;
  float inverse[kMaxRowTile];
  for (int r = 0; r < t.mr; ++r) {
    inverse[r] = InverseScale(t.x + r * call.k, call.k, call.row_scales + t.row + r);
  }
  const __m512i ones = _mm512_set1_epi8(1);
  for (std::int64_t g = 0; g < groups; g += 2) {
    std::int32_t* const low = t.units + 9 * g * t.mr;
    std::int32_t* const high = low + 9 * t.mr;
    const bool second = g + 1 < groups;
    __m512i v[16];
    for (int r = 0; r < 16; ++r) {
      if (r >= t.mr) {
        v[r] = _mm512_setzero_si512();
        continue;
      }
      v[r] = Quantise64(t.x + r * call.k + 32 * g, call.k - 32 * g, _mm512_set1_ps(inverse[r]));
      const __m512i sums = _mm512_dpbusd_epi32(_mm512_setzero_si512(), ones, v[r]);
      low[r] = -8 * _mm512_mask_reduce_add_epi32(0x00FF, sums);
      if (second) high[r] = -8 * _mm512_mask_reduce_add_epi32(0xFF00, sums);
    }
    StoreUnits(v, t.mr, second ? 16 : 8, low + t.mr, high + t.mr);
  }
}

}  // namespace

const LinearKernel kLinearAvx512I4 = {
    .max_row_tile = I4Policy::kMaxRowTile,
    .single_row_in_place = false,
    .prepare = &Prepare,
    .compute = &LinearLoops<I4Policy>::Compute,
};

}  // namespace zhibi::cpu
