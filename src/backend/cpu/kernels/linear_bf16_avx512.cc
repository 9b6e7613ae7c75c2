// SPDX-License-Identifier: Apache-2.0
// linear with bf16 weights on vdpbf16ps: two columns a step, activations rounded to bf16 (relative
// error 2^-9 each), sums in f32, k ascending. Needs AVX512_BF16; without it the AVX2 kernel reads
// the same layout and keeps activations in f32.
#include "backend/cpu/kernels/linear_avx512.h"
#include "backend/cpu/kernels/linear_prepare_avx512.h"

namespace zhibi::cpu {
namespace {

struct BF16Policy {
  using Acc = __m512;
  static constexpr int kStepBytes = 128;
  static constexpr int kTrailerBytes = 0;
  static constexpr int kStepUnits = 1;
  static constexpr int kHeaderUnits = 0;
  static constexpr int kMaxRowTile = 12;
  static constexpr bool kSingleRowInPlace = false;
  static constexpr int Streams(int mr) { return mr <= 6 ? 2 : 1; }
  static std::int64_t Steps(std::int64_t k) { return CeilDiv(k, 2); }

  [[gnu::always_inline]] static Acc Start(const std::byte* /*x*/) { return _mm512_setzero_ps(); }

  template <int MR, int NP>
  [[gnu::always_inline]] static void Step(const std::byte* w, std::int64_t panel_bytes,
                                          const std::byte* x, Acc acc[MR][2 * NP]) {
    __m512bh weights[2 * NP];
#pragma GCC unroll 8
    for (int c = 0; c < 2 * NP; ++c) {
      weights[c] =
          reinterpret_cast<__m512bh>(_mm512_load_si512(w + (c / 2) * panel_bytes + 64 * (c % 2)));
    }
#pragma GCC unroll 12
    for (int r = 0; r < MR; ++r) {
      const auto b = reinterpret_cast<__m512bh>(
          _mm512_set1_epi32(*reinterpret_cast<const std::int32_t*>(x + 4 * r)));
#pragma GCC unroll 8
      for (int c = 0; c < 2 * NP; ++c) acc[r][c] = _mm512_dpbf16_ps(acc[r][c], weights[c], b);
    }
  }

  [[gnu::always_inline]] static __m512 Finish(Acc acc, const std::byte* /*end*/, int /*half*/) {
    return acc;
  }
};

void Prepare(const LinearCall& call, std::int64_t tile) {
  const RowTile t = RowTileOf(call, tile);
  for (std::int64_t u = 0; u < call.units_per_row; u += 16) {
    const std::int64_t k = 2 * u;
    __m512i v[16];
    for (int r = 0; r < 16; ++r) {
      if (r >= t.mr) {
        v[r] = _mm512_setzero_si512();
        continue;
      }
      const float* x = t.x + r * call.k + k;
      const __m512 low = _mm512_maskz_loadu_ps(TailMask(call.k - k), x);
      const __m512 high = _mm512_maskz_loadu_ps(TailMask(call.k - k - 16), x + 16);
      v[r] = reinterpret_cast<__m512i>(_mm512_cvtne2ps_pbh(high, low));
    }
    StoreUnits(v, t.mr, call.units_per_row - u, t.units + u * t.mr, t.units + (u + 8) * t.mr);
  }
}

}  // namespace

const LinearKernel kLinearAvx512BF16 = {
    .max_row_tile = BF16Policy::kMaxRowTile,
    .single_row_in_place = false,
    .prepare = &Prepare,
    .compute = &LinearLoops<BF16Policy>::Compute,
};

}  // namespace zhibi::cpu
