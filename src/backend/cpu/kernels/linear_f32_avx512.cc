// SPDX-License-Identifier: Apache-2.0
// linear with f32 and f16 weights: acc = fma(x[k], w[k], acc), k ascending; f16 is widened in
// registers. Layouts, order and loops: linear_kernel.h, linear_avx512.h.
// Bound by memory for few rows, by the two FMA pipes for many (f16 widens 2 registers per 24 FMAs).
#include "backend/cpu/kernels/linear_avx512.h"
#include "backend/cpu/kernels/linear_prepare_avx512.h"

namespace zhibi::cpu {
namespace {

template <bool kHalf>
struct FloatPolicy {
  using Acc = __m512;
  static constexpr int kStepBytes = kHalf ? 64 : 128;
  static constexpr int kTrailerBytes = 0;
  static constexpr int kStepUnits = 1;
  static constexpr int kHeaderUnits = 0;
  static constexpr int kMaxRowTile = 12;
  static constexpr bool kSingleRowInPlace = true;
  static constexpr int Streams(int mr) { return mr <= 6 ? 2 : 1; }
  static std::int64_t Steps(std::int64_t k) { return k; }

  [[gnu::always_inline]] static Acc Start(const std::byte* /*x*/) { return _mm512_setzero_ps(); }

  [[gnu::always_inline]] static __m512 Weights(const std::byte* w, int half) {
    if constexpr (kHalf) {
      return _mm512_cvtph_ps(_mm256_load_si256(reinterpret_cast<const __m256i*>(w + 32 * half)));
    } else {
      return _mm512_load_ps(w + 64 * half);
    }
  }

  template <int MR, int NP>
  [[gnu::always_inline]] static void Step(const std::byte* w, std::int64_t panel_bytes,
                                          const std::byte* x, Acc acc[MR][2 * NP]) {
    __m512 weights[2 * NP];
#pragma GCC unroll 8
    for (int c = 0; c < 2 * NP; ++c) weights[c] = Weights(w + (c / 2) * panel_bytes, c % 2);
#pragma GCC unroll 12
    for (int r = 0; r < MR; ++r) {
      const __m512 b = _mm512_set1_ps(*reinterpret_cast<const float*>(x + 4 * r));
#pragma GCC unroll 8
      for (int c = 0; c < 2 * NP; ++c) acc[r][c] = _mm512_fmadd_ps(weights[c], b, acc[r][c]);
    }
  }

  [[gnu::always_inline]] static __m512 Finish(Acc acc, const std::byte* /*end*/, int /*half*/) {
    return acc;
  }
};

void Prepare(const LinearCall& call, std::int64_t tile) {
  const RowTile t = RowTileOf(call, tile);
  for (std::int64_t k = 0; k < call.k; k += 16) {
    __m512i v[16];
    const __mmask16 mask = TailMask(call.k - k);
    for (int r = 0; r < 16; ++r) {
      v[r] =
          r < t.mr ? _mm512_maskz_loadu_epi32(mask, t.x + r * call.k + k) : _mm512_setzero_si512();
    }
    StoreUnits(v, t.mr, call.k - k, t.units + k * t.mr, t.units + (k + 8) * t.mr);
  }
}

}  // namespace

const LinearKernel kLinearAvx512F32 = {
    .max_row_tile = FloatPolicy<false>::kMaxRowTile,
    .single_row_in_place = true,
    .prepare = &Prepare,
    .compute = &LinearLoops<FloatPolicy<false>>::Compute,
};

const LinearKernel kLinearAvx512F16 = {
    .max_row_tile = FloatPolicy<true>::kMaxRowTile,
    .single_row_in_place = true,
    .prepare = &Prepare,
    .compute = &LinearLoops<FloatPolicy<true>>::Compute,
};

}  // namespace zhibi::cpu
