// SPDX-License-Identifier: Apache-2.0
// What follows the sums of a tile, fused: row scale, bias, activation or gate, residual.
// Elementwise, so the same bits whatever the shape of the tile. Only for *_avx512.cc.
#pragma once

#include <immintrin.h>

#include "backend/cpu/kernels/linear_kernel.h"
#include "backend/cpu/kernels/math_avx512.h"

namespace zhibi::cpu {
namespace {

[[gnu::always_inline]] inline __mmask16 LaneMask(std::int64_t count) {
  if (count >= 16) return 0xFFFF;
  return count <= 0 ? __mmask16{0} : static_cast<__mmask16>((1U << count) - 1U);
}

// sums: [mr][32] of one panel for rows row_begin..row_begin+mr-1.
[[gnu::noinline]] inline void Epilogue(const LinearCall& call, std::int64_t row_begin, int mr,
                                       std::int64_t panel, const float* sums) {
  const std::int64_t n_begin = panel * kPanel;
  const std::int64_t width = call.n - n_begin < kPanel ? call.n - n_begin : kPanel;
  const __mmask16 mask0 = LaneMask(width);
  const __mmask16 mask1 = LaneMask(width - 16);
  __m512 bias0 = _mm512_setzero_ps();
  __m512 bias1 = bias0;
  if (call.bias != nullptr) {
    bias0 = _mm512_maskz_loadu_ps(mask0, call.bias + n_begin);
    bias1 = _mm512_maskz_loadu_ps(mask1, call.bias + n_begin + 16);
  }
  const __m512i even = _mm512_setr_epi32(0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30);
  const __m512i odd = _mm512_add_epi32(even, _mm512_set1_epi32(1));
  const std::int64_t dst_stride = call.gated ? call.n / 2 : call.n;
  const std::int64_t dst_begin = call.gated ? n_begin / 2 : n_begin;
  const __mmask16 gate_mask = LaneMask(width / 2);
  for (int r = 0; r < mr; ++r) {
    __m512 v0 = _mm512_load_ps(sums + r * kPanel);
    __m512 v1 = _mm512_load_ps(sums + r * kPanel + 16);
    if (call.row_scales != nullptr) {
      const __m512 scale = _mm512_set1_ps(call.row_scales[row_begin + r]);
      v0 = _mm512_mul_ps(v0, scale);
      v1 = _mm512_mul_ps(v1, scale);
    }
    if (call.bias != nullptr) {
      v0 = _mm512_add_ps(v0, bias0);
      v1 = _mm512_add_ps(v1, bias1);
    }
    const std::int64_t at = (row_begin + r) * dst_stride + dst_begin;
    if (call.gated) {
      const __m512 gate = _mm512_permutex2var_ps(v0, even, v1);
      const __m512 up = _mm512_permutex2var_ps(v0, odd, v1);
      __m512 v = _mm512_mul_ps(Activate(call.activation, gate), up);
      if (call.residual != nullptr) {
        v = _mm512_add_ps(v, _mm512_maskz_loadu_ps(gate_mask, call.residual + at));
      }
      _mm512_mask_storeu_ps(call.dst + at, gate_mask, v);
      continue;
    }
    if (call.activation != LinearActivation::kNone) {
      v0 = Activate(call.activation, v0);
      v1 = Activate(call.activation, v1);
    }
    if (call.residual != nullptr) {
      v0 = _mm512_add_ps(v0, _mm512_maskz_loadu_ps(mask0, call.residual + at));
      v1 = _mm512_add_ps(v1, _mm512_maskz_loadu_ps(mask1, call.residual + at + 16));
    }
    _mm512_mask_storeu_ps(call.dst + at, mask0, v0);
    _mm512_mask_storeu_ps(call.dst + at + 16, mask1, v1);
  }
}

}  // namespace
}  // namespace zhibi::cpu
