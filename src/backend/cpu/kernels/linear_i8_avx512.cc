// SPDX-License-Identifier: Apache-2.0
// linear with int8 weights, one scale an output, on vpdpbusd: activations quantised per row to s8,
// weights u8 with offset 128 (linear_kernel.h). Integer sums are exact, so any order gives the same
// bits; k is at most 65536 lest they overflow. Needs AVX512_VNNI.
// result = (sum * weight scale) * row scale.
#include "backend/cpu/kernels/linear_avx512.h"
#include "backend/cpu/kernels/linear_prepare_avx512.h"

namespace zhibi::cpu {
namespace {

struct I8Policy {
  using Acc = __m512i;
  static constexpr int kStepBytes = 128;
  static constexpr int kTrailerBytes = 128;
  static constexpr int kStepUnits = 1;
  static constexpr int kHeaderUnits = 1;
  static constexpr int kMaxRowTile = 12;
  static constexpr bool kSingleRowInPlace = false;
  static constexpr int Streams(int mr) { return mr <= 6 ? 2 : 1; }
  static std::int64_t Steps(std::int64_t k) { return CeilDiv(k, 4); }

  [[gnu::always_inline]] static Acc Start(const std::byte* x) {
    return _mm512_set1_epi32(*reinterpret_cast<const std::int32_t*>(x));
  }

  template <int MR, int NP>
  [[gnu::always_inline]] static void Step(const std::byte* w, std::int64_t panel_bytes,
                                          const std::byte* x, Acc acc[MR][2 * NP]) {
    __m512i weights[2 * NP];
#pragma GCC unroll 8
    for (int c = 0; c < 2 * NP; ++c) {
      weights[c] = _mm512_load_si512(w + (c / 2) * panel_bytes + 64 * (c % 2));
    }
#pragma GCC unroll 12
    for (int r = 0; r < MR; ++r) {
      const __m512i b = _mm512_set1_epi32(*reinterpret_cast<const std::int32_t*>(x + 4 * r));
#pragma GCC unroll 8
      for (int c = 0; c < 2 * NP; ++c) DotU8S8(acc[r][c], weights[c], b);
    }
  }

  [[gnu::always_inline]] static __m512 Finish(Acc acc, const std::byte* end, int half) {
    return _mm512_mul_ps(_mm512_cvtepi32_ps(acc), _mm512_load_ps(end + 64 * half));
  }
};

void Prepare(const LinearCall& call, std::int64_t tile) {
  const RowTile t = RowTileOf(call, tile);
  const std::int64_t units = call.units_per_row - 1;
  float inverse[kMaxRowTile];
  __m512i total[kMaxRowTile];
  for (int r = 0; r < t.mr; ++r) {
    inverse[r] = InverseScale(t.x + r * call.k, call.k, call.row_scales + t.row + r);
    total[r] = _mm512_setzero_si512();
  }
  const __m512i ones = _mm512_set1_epi8(1);
  std::int32_t* const body = t.units + t.mr;
  for (std::int64_t u = 0; u < units; u += 16) {
    __m512i v[16];
    for (int r = 0; r < 16; ++r) {
      if (r >= t.mr) {
        v[r] = _mm512_setzero_si512();
        continue;
      }
      v[r] = Quantise64(t.x + r * call.k + 4 * u, call.k - 4 * u, _mm512_set1_ps(inverse[r]));
      total[r] = _mm512_dpbusd_epi32(total[r], ones, v[r]);
    }
    StoreUnits(v, t.mr, units - u, body + u * t.mr, body + (u + 8) * t.mr);
  }
  for (int r = 0; r < t.mr; ++r) t.units[r] = -128 * _mm512_reduce_add_epi32(total[r]);
}

}  // namespace

const LinearKernel kLinearAvx512I8 = {
    .max_row_tile = I8Policy::kMaxRowTile,
    .single_row_in_place = false,
    .prepare = &Prepare,
    .compute = &LinearLoops<I8Policy>::Compute,
};

}  // namespace zhibi::cpu
