// SPDX-License-Identifier: Apache-2.0
// The functions of math_avx512.h on 8 floats, same formulas. Only for *_avx2.cc.
#pragma once

#include <immintrin.h>

#include "backend/cpu/kernels/linear_kernel.h"

namespace zhibi::cpu {
namespace {

[[gnu::always_inline]] inline __m256 Exp(__m256 x) {
  const __m256 high = _mm256_set1_ps(88.3762626647949F);
  const __m256 low = _mm256_set1_ps(-87.3365478515625F);
  x = _mm256_max_ps(low, _mm256_min_ps(high, x));
  const __m256 n = _mm256_round_ps(_mm256_mul_ps(x, _mm256_set1_ps(1.44269504088896341F)),
                                   _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
  __m256 r = _mm256_fnmadd_ps(n, _mm256_set1_ps(0.693359375F), x);
  r = _mm256_fnmadd_ps(n, _mm256_set1_ps(-2.12194440e-4F), r);
  __m256 p = _mm256_set1_ps(1.9875691500e-4F);
  p = _mm256_fmadd_ps(p, r, _mm256_set1_ps(1.3981999507e-3F));
  p = _mm256_fmadd_ps(p, r, _mm256_set1_ps(8.3334519073e-3F));
  p = _mm256_fmadd_ps(p, r, _mm256_set1_ps(4.1665795894e-2F));
  p = _mm256_fmadd_ps(p, r, _mm256_set1_ps(1.6666665459e-1F));
  p = _mm256_fmadd_ps(p, r, _mm256_set1_ps(5.0000001201e-1F));
  p = _mm256_fmadd_ps(p, _mm256_mul_ps(r, r), _mm256_add_ps(r, _mm256_set1_ps(1.0F)));
  // n is -126..127: 2^n by its exponent bits.
  const __m256i exponent =
      _mm256_slli_epi32(_mm256_add_epi32(_mm256_cvtps_epi32(n), _mm256_set1_epi32(127)), 23);
  return _mm256_mul_ps(p, _mm256_castsi256_ps(exponent));
}

[[gnu::always_inline]] inline __m256 SignBits() { return _mm256_set1_ps(-0.0F); }
[[gnu::always_inline]] inline __m256 Negate(__m256 x) { return _mm256_xor_ps(x, SignBits()); }

[[gnu::always_inline]] inline __m256 Sigmoid(__m256 x) {
  const __m256 one = _mm256_set1_ps(1.0F);
  return _mm256_div_ps(one, _mm256_add_ps(one, Exp(Negate(x))));
}

[[gnu::always_inline]] inline __m256 Tanh(__m256 x) {
  const __m256 a = _mm256_andnot_ps(SignBits(), x);
  const __m256 one = _mm256_set1_ps(1.0F);
  const __m256 e = Exp(_mm256_add_ps(a, a));
  __m256 big = _mm256_sub_ps(one, _mm256_div_ps(_mm256_set1_ps(2.0F), _mm256_add_ps(e, one)));
  big = _mm256_or_ps(big, _mm256_and_ps(x, SignBits()));
  const __m256 z = _mm256_mul_ps(x, x);
  __m256 p = _mm256_set1_ps(-5.70498872745e-3F);
  p = _mm256_fmadd_ps(p, z, _mm256_set1_ps(2.06390887954e-2F));
  p = _mm256_fmadd_ps(p, z, _mm256_set1_ps(-5.37397155531e-2F));
  p = _mm256_fmadd_ps(p, z, _mm256_set1_ps(1.33314422036e-1F));
  p = _mm256_fmadd_ps(p, z, _mm256_set1_ps(-3.33332819422e-1F));
  const __m256 small = _mm256_fmadd_ps(_mm256_mul_ps(p, z), x, x);
  return _mm256_blendv_ps(big, small, _mm256_cmp_ps(a, _mm256_set1_ps(0.625F), _CMP_LT_OQ));
}

[[gnu::always_inline]] inline __m256 Erf(__m256 x) {
  const __m256 a = _mm256_andnot_ps(SignBits(), x);
  const __m256 one = _mm256_set1_ps(1.0F);
  const __m256 t = _mm256_div_ps(one, _mm256_fmadd_ps(a, _mm256_set1_ps(0.3275911F), one));
  __m256 p = _mm256_set1_ps(1.061405429F);
  p = _mm256_fmadd_ps(p, t, _mm256_set1_ps(-1.453152027F));
  p = _mm256_fmadd_ps(p, t, _mm256_set1_ps(1.421413741F));
  p = _mm256_fmadd_ps(p, t, _mm256_set1_ps(-0.284496736F));
  p = _mm256_fmadd_ps(p, t, _mm256_set1_ps(0.254829592F));
  p = _mm256_mul_ps(p, t);
  const __m256 r = _mm256_fnmadd_ps(p, Exp(Negate(_mm256_mul_ps(a, a))), one);
  return _mm256_or_ps(r, _mm256_and_ps(x, SignBits()));
}

[[gnu::always_inline]] inline __m256 Activate(LinearActivation activation, __m256 x) {
  const __m256 one = _mm256_set1_ps(1.0F);
  const __m256 half = _mm256_set1_ps(0.5F);
  switch (activation) {
    case LinearActivation::kNone:
      return x;
    case LinearActivation::kRelu:
      return _mm256_max_ps(_mm256_setzero_ps(), x);
    case LinearActivation::kSilu:
      return _mm256_div_ps(x, _mm256_add_ps(one, Exp(Negate(x))));
    case LinearActivation::kGeluErf: {
      const __m256 e = Erf(_mm256_mul_ps(x, _mm256_set1_ps(0.70710678118654752F)));
      return _mm256_mul_ps(_mm256_mul_ps(half, x), _mm256_add_ps(one, e));
    }
    case LinearActivation::kGeluTanh: {
      const __m256 cubic = _mm256_fmadd_ps(_mm256_mul_ps(x, x), _mm256_set1_ps(0.044715F), one);
      const __m256 y =
          _mm256_mul_ps(_mm256_mul_ps(x, cubic), _mm256_set1_ps(2.0F * 0.79788456080286536F));
      return _mm256_mul_ps(x, Sigmoid(y));
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
