// SPDX-License-Identifier: Apache-2.0
// exp, tanh, erf and the activations on 16 floats. Only for *_avx512.cc.
// exp: Cephes' argument reduction and polynomial, about 1 unit in the last place; inputs are
// clamped so that results stay finite and normal. tanh and sigmoid come from exp; erf is Abramowitz
// and Stegun 7.1.26 (absolute error 1.5e-7).
#pragma once

#include <immintrin.h>

#include "backend/cpu/kernels/linear_kernel.h"

namespace zhibi::cpu {
namespace {

[[gnu::always_inline]] inline __m512 Exp(__m512 x) {
  const __m512 high = _mm512_set1_ps(88.3762626647949F);
  const __m512 low = _mm512_set1_ps(-87.3365478515625F);
  // NaN passes: min and max return their second operand when one is NaN.
  x = _mm512_max_ps(low, _mm512_min_ps(high, x));
  const __m512 n = _mm512_roundscale_ps(_mm512_mul_ps(x, _mm512_set1_ps(1.44269504088896341F)),
                                        _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
  __m512 r = _mm512_fnmadd_ps(n, _mm512_set1_ps(0.693359375F), x);
  r = _mm512_fnmadd_ps(n, _mm512_set1_ps(-2.12194440e-4F), r);
  __m512 p = _mm512_set1_ps(1.9875691500e-4F);
  p = _mm512_fmadd_ps(p, r, _mm512_set1_ps(1.3981999507e-3F));
  p = _mm512_fmadd_ps(p, r, _mm512_set1_ps(8.3334519073e-3F));
  p = _mm512_fmadd_ps(p, r, _mm512_set1_ps(4.1665795894e-2F));
  p = _mm512_fmadd_ps(p, r, _mm512_set1_ps(1.6666665459e-1F));
  p = _mm512_fmadd_ps(p, r, _mm512_set1_ps(5.0000001201e-1F));
  p = _mm512_fmadd_ps(p, _mm512_mul_ps(r, r), _mm512_add_ps(r, _mm512_set1_ps(1.0F)));
  return _mm512_scalef_ps(p, n);
}

[[gnu::always_inline]] inline __m512 Negate(__m512 x) {
  return _mm512_castsi512_ps(
      _mm512_xor_si512(_mm512_castps_si512(x), _mm512_set1_epi32(INT32_MIN)));
}

[[gnu::always_inline]] inline __m512 Sigmoid(__m512 x) {
  const __m512 one = _mm512_set1_ps(1.0F);
  return _mm512_div_ps(one, _mm512_add_ps(one, Exp(Negate(x))));
}

// For |x| < 0.625 Cephes' polynomial (the quotient would cancel), else 1 - 2 / (exp(2|x|) + 1).
[[gnu::always_inline]] inline __m512 Tanh(__m512 x) {
  const __m512 a = _mm512_abs_ps(x);
  const __m512 one = _mm512_set1_ps(1.0F);
  const __m512 e = Exp(_mm512_add_ps(a, a));
  __m512 big = _mm512_sub_ps(one, _mm512_div_ps(_mm512_set1_ps(2.0F), _mm512_add_ps(e, one)));
  const __m512i sign = _mm512_and_si512(_mm512_castps_si512(x), _mm512_set1_epi32(INT32_MIN));
  big = _mm512_castsi512_ps(_mm512_or_si512(_mm512_castps_si512(big), sign));
  const __m512 z = _mm512_mul_ps(x, x);
  __m512 p = _mm512_set1_ps(-5.70498872745e-3F);
  p = _mm512_fmadd_ps(p, z, _mm512_set1_ps(2.06390887954e-2F));
  p = _mm512_fmadd_ps(p, z, _mm512_set1_ps(-5.37397155531e-2F));
  p = _mm512_fmadd_ps(p, z, _mm512_set1_ps(1.33314422036e-1F));
  p = _mm512_fmadd_ps(p, z, _mm512_set1_ps(-3.33332819422e-1F));
  const __m512 small = _mm512_fmadd_ps(_mm512_mul_ps(p, z), x, x);
  return _mm512_mask_blend_ps(_mm512_cmp_ps_mask(a, _mm512_set1_ps(0.625F), _CMP_LT_OQ), big,
                              small);
}

[[gnu::always_inline]] inline __m512 Erf(__m512 x) {
  const __m512 a = _mm512_abs_ps(x);
  const __m512 one = _mm512_set1_ps(1.0F);
  const __m512 t = _mm512_div_ps(one, _mm512_fmadd_ps(a, _mm512_set1_ps(0.3275911F), one));
  __m512 p = _mm512_set1_ps(1.061405429F);
  p = _mm512_fmadd_ps(p, t, _mm512_set1_ps(-1.453152027F));
  p = _mm512_fmadd_ps(p, t, _mm512_set1_ps(1.421413741F));
  p = _mm512_fmadd_ps(p, t, _mm512_set1_ps(-0.284496736F));
  p = _mm512_fmadd_ps(p, t, _mm512_set1_ps(0.254829592F));
  p = _mm512_mul_ps(p, t);
  const __m512 r = _mm512_fnmadd_ps(p, Exp(Negate(_mm512_mul_ps(a, a))), one);
  const __m512i sign = _mm512_and_si512(_mm512_castps_si512(x), _mm512_set1_epi32(INT32_MIN));
  return _mm512_castsi512_ps(_mm512_or_si512(_mm512_castps_si512(r), sign));
}

[[gnu::always_inline]] inline __m512 Activate(LinearActivation activation, __m512 x) {
  const __m512 one = _mm512_set1_ps(1.0F);
  const __m512 half = _mm512_set1_ps(0.5F);
  switch (activation) {
    case LinearActivation::kNone:
      return x;
    case LinearActivation::kRelu:
      return _mm512_max_ps(_mm512_setzero_ps(), x);
    case LinearActivation::kSilu:
      return _mm512_div_ps(x, _mm512_add_ps(one, Exp(Negate(x))));
    case LinearActivation::kGeluErf: {
      const __m512 e = Erf(_mm512_mul_ps(x, _mm512_set1_ps(0.70710678118654752F)));
      return _mm512_mul_ps(_mm512_mul_ps(half, x), _mm512_add_ps(one, e));
    }
    case LinearActivation::kGeluTanh: {
      // 0.5 x (1 + tanh(y)) = x * sigmoid(2y)
      const __m512 cubic = _mm512_fmadd_ps(_mm512_mul_ps(x, x), _mm512_set1_ps(0.044715F), one);
      const __m512 y =
          _mm512_mul_ps(_mm512_mul_ps(x, cubic), _mm512_set1_ps(2.0F * 0.79788456080286536F));
      return _mm512_mul_ps(x, Sigmoid(y));
    }
    case LinearActivation::kTanh:
      return Tanh(x);
    case LinearActivation::kSigmoid:
      return Sigmoid(x);
  }
  return x;
}

}  // namespace
}  // namespace zhibi::cpu
