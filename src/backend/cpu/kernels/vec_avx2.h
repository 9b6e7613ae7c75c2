// SPDX-License-Identifier: Apache-2.0
// 8 floats, as the kernels' bodies (*_body.h) see them; the functions of vec_avx512.h. Only for
// *_avx2.cc.
#pragma once

#include <immintrin.h>

#include <cstdint>

#include "backend/cpu/kernels/math_avx2.h"

namespace zhibi::cpu {
namespace {

struct Vec {
  using F = __m256;
  static constexpr int kWidth = 8;
  static constexpr int kScoreQueries = 3;
  static constexpr int kOutputQueries = 2;

  static __m256i First(int n) { return _mm256_cmpgt_epi32(_mm256_set1_epi32(n), Lanes()); }

  static F Zero() { return _mm256_setzero_ps(); }
  static F Set1(float x) { return _mm256_set1_ps(x); }
  static F Load(const float* p) { return _mm256_loadu_ps(p); }
  static void Store(float* p, F x) { _mm256_storeu_ps(p, x); }
  static F LoadN(const float* p, int n) { return _mm256_maskload_ps(p, First(n)); }
  static void StoreN(float* p, F x, int n) { _mm256_maskstore_ps(p, First(n), x); }

  static F Add(F a, F b) { return _mm256_add_ps(a, b); }
  static F Sub(F a, F b) { return _mm256_sub_ps(a, b); }
  static F Mul(F a, F b) { return _mm256_mul_ps(a, b); }
  static F Div(F a, F b) { return _mm256_div_ps(a, b); }
  static F Max(F a, F b) { return _mm256_max_ps(a, b); }
  static F Fma(F a, F b, F c) { return _mm256_fmadd_ps(a, b, c); }
  static F Exp(F x) { return cpu::Exp(x); }
  static F Tanh(F x) { return cpu::Tanh(x); }
  static F Activate(LinearActivation activation, F x) { return cpu::Activate(activation, x); }
  static F Sqrt(F x) { return _mm256_sqrt_ps(x); }
  static float Sum(F x) {
    __m128 y = _mm_add_ps(_mm256_castps256_ps128(x), _mm256_extractf128_ps(x, 1));
    y = _mm_add_ps(y, _mm_movehl_ps(y, y));
    return _mm_cvtss_f32(_mm_add_ss(y, _mm_shuffle_ps(y, y, 1)));
  }
  static float Largest(F x) {
    __m128 y = _mm_max_ps(_mm256_castps256_ps128(x), _mm256_extractf128_ps(x, 1));
    y = _mm_max_ps(y, _mm_movehl_ps(y, y));
    return _mm_cvtss_f32(_mm_max_ss(y, _mm_shuffle_ps(y, y, 1)));
  }
  static float Lane0(F x) { return _mm256_cvtss_f32(x); }
  static F Keep(F x, int begin, int end, float other) {
    const __m256i from = _mm256_cmpgt_epi32(_mm256_set1_epi32(begin), Lanes());
    const __m256i mask = _mm256_andnot_si256(from, First(end));
    return _mm256_blendv_ps(_mm256_set1_ps(other), x, _mm256_castsi256_ps(mask));
  }
  static std::uint32_t Greater(F x, F y) {
    return static_cast<std::uint32_t>(_mm256_movemask_ps(_mm256_cmp_ps(x, y, _CMP_GT_OQ)));
  }
  static F Choose(std::uint32_t bits, F a, F b) {
    const __m256i each = _mm256_sllv_epi32(_mm256_set1_epi32(1), Lanes());
    const __m256i set = _mm256_and_si256(_mm256_set1_epi32(static_cast<int>(bits)), each);
    return _mm256_blendv_ps(b, a, _mm256_castsi256_ps(_mm256_cmpeq_epi32(set, each)));
  }
  static std::uint32_t IsNan(F x) {
    return static_cast<std::uint32_t>(_mm256_movemask_ps(_mm256_cmp_ps(x, x, _CMP_UNORD_Q)));
  }

  // Sine and cosine: argument minus a multiple of pi/2 in three parts (exact with FMA up to about
  // 1e5), then Cephes' polynomials; absolute error 2e-7.
  static void SinCos(F x, F* sine, F* cosine) {
    const F n = _mm256_round_ps(_mm256_mul_ps(x, _mm256_set1_ps(0.636619772367581343F)),
                                _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
    F r = _mm256_fnmadd_ps(n, _mm256_set1_ps(1.57079637050628662F), x);
    r = _mm256_fnmadd_ps(n, _mm256_set1_ps(-4.37113900018624283e-8F), r);
    r = _mm256_fnmadd_ps(n, _mm256_set1_ps(-1.71512451234e-15F), r);
    const F z = _mm256_mul_ps(r, r);
    F s = _mm256_set1_ps(-1.9515295891e-4F);
    s = _mm256_fmadd_ps(s, z, _mm256_set1_ps(8.3321608736e-3F));
    s = _mm256_fmadd_ps(s, z, _mm256_set1_ps(-1.6666654611e-1F));
    s = _mm256_fmadd_ps(_mm256_mul_ps(s, z), r, r);
    F c = _mm256_set1_ps(2.443315711809948e-5F);
    c = _mm256_fmadd_ps(c, z, _mm256_set1_ps(-1.388731625493765e-3F));
    c = _mm256_fmadd_ps(c, z, _mm256_set1_ps(4.166664568298827e-2F));
    c = _mm256_fmadd_ps(_mm256_mul_ps(c, z), z,
                        _mm256_fnmadd_ps(_mm256_set1_ps(0.5F), z, _mm256_set1_ps(1)));
    const __m256i quadrant = _mm256_cvtps_epi32(n);
    const __m256i one = _mm256_set1_epi32(1);
    const __m256i two = _mm256_set1_epi32(2);
    const F odd = _mm256_castsi256_ps(_mm256_cmpeq_epi32(_mm256_and_si256(quadrant, one), one));
    const __m256i sine_sign = _mm256_slli_epi32(_mm256_and_si256(quadrant, two), 30);
    const __m256i cosine_sign =
        _mm256_slli_epi32(_mm256_and_si256(_mm256_add_epi32(quadrant, one), two), 30);
    *sine = _mm256_xor_ps(_mm256_blendv_ps(s, c, odd), _mm256_castsi256_ps(sine_sign));
    *cosine = _mm256_xor_ps(_mm256_blendv_ps(c, s, odd), _mm256_castsi256_ps(cosine_sign));
  }

  static F LoadF16(const std::uint16_t* p) {
    return _mm256_cvtph_ps(_mm_loadu_si128(reinterpret_cast<const __m128i*>(p)));
  }
  static F LoadF16N(const std::uint16_t* p, int n) { return _mm256_cvtph_ps(Load16N(p, n)); }
  static F LoadBF16(const std::uint16_t* p) {
    return WidenBF16(_mm_loadu_si128(reinterpret_cast<const __m128i*>(p)));
  }
  static F LoadBF16N(const std::uint16_t* p, int n) { return WidenBF16(Load16N(p, n)); }
  static F LoadI8N(const std::int8_t* p, int n) {
    alignas(16) std::int8_t lanes[16] = {};
    for (int i = 0; i < n; ++i) lanes[i] = p[i];
    return _mm256_cvtepi32_ps(
        _mm256_cvtepi8_epi32(_mm_load_si128(reinterpret_cast<const __m128i*>(lanes))));
  }
  static void StoreF16N(std::uint16_t* p, F x, int n) {
    Store16N(p, _mm256_cvtps_ph(x, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC), n);
  }
  static void StoreBF16N(std::uint16_t* p, F x, int n) {
    const __m256i bits = _mm256_castps_si256(x);
    const __m256i odd = _mm256_and_si256(_mm256_srli_epi32(bits, 16), _mm256_set1_epi32(1));
    const __m256i rounded =
        _mm256_add_epi32(_mm256_add_epi32(bits, _mm256_set1_epi32(0x7FFF)), odd);
    const __m256i quiet = _mm256_or_si256(bits, _mm256_set1_epi32(0x400000));
    const __m256i nan = _mm256_castps_si256(_mm256_cmp_ps(x, x, _CMP_UNORD_Q));
    const __m256i high = _mm256_srli_epi32(_mm256_blendv_epi8(rounded, quiet, nan), 16);
    const __m256i packed = _mm256_permute4x64_epi64(_mm256_packus_epi32(high, high), 0x08);
    Store16N(p, _mm256_castsi256_si128(packed), n);
  }

  static void Transpose(F* rows) {
    __m256 t[8];
    for (int i = 0; i < 8; i += 2) {
      t[i] = _mm256_unpacklo_ps(rows[i], rows[i + 1]);
      t[i + 1] = _mm256_unpackhi_ps(rows[i], rows[i + 1]);
    }
    for (int i = 0; i < 8; i += 4) {
      rows[i] = _mm256_shuffle_ps(t[i], t[i + 2], 0x44);
      rows[i + 1] = _mm256_shuffle_ps(t[i], t[i + 2], 0xEE);
      rows[i + 2] = _mm256_shuffle_ps(t[i + 1], t[i + 3], 0x44);
      rows[i + 3] = _mm256_shuffle_ps(t[i + 1], t[i + 3], 0xEE);
    }
    for (int i = 0; i < 4; ++i) {
      t[i] = _mm256_permute2f128_ps(rows[i], rows[i + 4], 0x20);
      t[i + 4] = _mm256_permute2f128_ps(rows[i], rows[i + 4], 0x31);
    }
    for (int i = 0; i < 8; ++i) rows[i] = t[i];
  }

 private:
  static __m256i Lanes() { return _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7); }
  static F WidenBF16(__m128i x) {
    return _mm256_castsi256_ps(_mm256_slli_epi32(_mm256_cvtepu16_epi32(x), 16));
  }
  static __m128i Load16N(const std::uint16_t* p, int n) {
    alignas(16) std::uint16_t lanes[8] = {};
    for (int i = 0; i < n; ++i) lanes[i] = p[i];
    return _mm_load_si128(reinterpret_cast<const __m128i*>(lanes));
  }
  static void Store16N(std::uint16_t* p, __m128i x, int n) {
    if (n == 8) {
      _mm_storeu_si128(reinterpret_cast<__m128i*>(p), x);
      return;
    }
    alignas(16) std::uint16_t lanes[8];
    _mm_store_si128(reinterpret_cast<__m128i*>(lanes), x);
    for (int i = 0; i < n; ++i) p[i] = lanes[i];
  }
};

}  // namespace
}  // namespace zhibi::cpu
