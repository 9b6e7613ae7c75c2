// SPDX-License-Identifier: Apache-2.0
// 16 floats, as the kernels' bodies (*_body.h) see them. Only for *_avx512.cc. The struct is local
// to its translation unit, and so is everything instantiated with it (design.md §7.12).
#pragma once

#include <immintrin.h>

#include <cstdint>

#include "backend/cpu/kernels/math_avx512.h"

namespace zhibi::cpu {
namespace {

struct Vec {
  using F = __m512;
  static constexpr int kWidth = 16;
  // Tile sizes of attention that fill the registers without spilling.
  static constexpr int kScoreQueries = 8;
  static constexpr int kOutputQueries = 6;

  static __mmask16 First(int n) { return static_cast<__mmask16>((1U << n) - 1U); }

  static F Zero() { return _mm512_setzero_ps(); }
  static F Set1(float x) { return _mm512_set1_ps(x); }
  static F Load(const float* p) { return _mm512_loadu_ps(p); }
  static void Store(float* p, F x) { _mm512_storeu_ps(p, x); }
  // The first n of the lanes, n <= kWidth; the others are zero.
  static F LoadN(const float* p, int n) { return _mm512_maskz_loadu_ps(First(n), p); }
  static void StoreN(float* p, F x, int n) { _mm512_mask_storeu_ps(p, First(n), x); }

  static F Add(F a, F b) { return _mm512_add_ps(a, b); }
  static F Sub(F a, F b) { return _mm512_sub_ps(a, b); }
  static F Mul(F a, F b) { return _mm512_mul_ps(a, b); }
  static F Div(F a, F b) { return _mm512_div_ps(a, b); }
  static F Max(F a, F b) { return _mm512_max_ps(a, b); }
  static F Fma(F a, F b, F c) { return _mm512_fmadd_ps(a, b, c); }
  static F Exp(F x) { return cpu::Exp(x); }
  static F Tanh(F x) { return cpu::Tanh(x); }
  static F Activate(LinearActivation activation, F x) { return cpu::Activate(activation, x); }
  static F Sqrt(F x) { return _mm512_sqrt_ps(x); }
  static float Sum(F x) { return _mm512_reduce_add_ps(x); }
  static float Largest(F x) { return _mm512_reduce_max_ps(x); }
  static float Lane0(F x) { return _mm512_cvtss_f32(x); }
  // Lanes [begin, end) of x, `other` elsewhere.
  static F Keep(F x, int begin, int end, float other) {
    const int from = begin < 0 ? 0 : (begin > 16 ? 16 : begin);
    const int to = end < from ? from : (end > 16 ? 16 : end);
    const auto mask = static_cast<__mmask16>(((1U << to) - 1U) & ~((1U << from) - 1U));
    return _mm512_mask_blend_ps(mask, _mm512_set1_ps(other), x);
  }
  // Bit i: lane i of x is greater than that of y.
  static std::uint32_t Greater(F x, F y) { return _mm512_cmp_ps_mask(x, y, _CMP_GT_OQ); }
  // Lanes of a where the bit is set, of b elsewhere.
  static F Choose(std::uint32_t bits, F a, F b) {
    return _mm512_mask_blend_ps(static_cast<__mmask16>(bits), b, a);
  }
  static std::uint32_t IsNan(F x) { return _mm512_cmp_ps_mask(x, x, _CMP_UNORD_Q); }

  // Sine and cosine: argument minus a multiple of pi/2 in three parts (exact with FMA up to about
  // 1e5), then Cephes' polynomials; absolute error 2e-7.
  static void SinCos(F x, F* sine, F* cosine) {
    const F n = _mm512_roundscale_ps(_mm512_mul_ps(x, _mm512_set1_ps(0.636619772367581343F)),
                                     _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
    F r = _mm512_fnmadd_ps(n, _mm512_set1_ps(1.57079637050628662F), x);
    r = _mm512_fnmadd_ps(n, _mm512_set1_ps(-4.37113900018624283e-8F), r);
    r = _mm512_fnmadd_ps(n, _mm512_set1_ps(-1.71512451234e-15F), r);
    const F z = _mm512_mul_ps(r, r);
    F s = _mm512_set1_ps(-1.9515295891e-4F);
    s = _mm512_fmadd_ps(s, z, _mm512_set1_ps(8.3321608736e-3F));
    s = _mm512_fmadd_ps(s, z, _mm512_set1_ps(-1.6666654611e-1F));
    s = _mm512_fmadd_ps(_mm512_mul_ps(s, z), r, r);
    F c = _mm512_set1_ps(2.443315711809948e-5F);
    c = _mm512_fmadd_ps(c, z, _mm512_set1_ps(-1.388731625493765e-3F));
    c = _mm512_fmadd_ps(c, z, _mm512_set1_ps(4.166664568298827e-2F));
    c = _mm512_fmadd_ps(_mm512_mul_ps(c, z), z,
                        _mm512_fnmadd_ps(_mm512_set1_ps(0.5F), z, _mm512_set1_ps(1)));
    const __m512i quadrant = _mm512_cvtps_epi32(n);
    const __mmask16 odd = _mm512_test_epi32_mask(quadrant, _mm512_set1_epi32(1));
    const __m512i sine_sign =
        _mm512_slli_epi32(_mm512_and_si512(quadrant, _mm512_set1_epi32(2)), 30);
    const __m512i cosine_sign = _mm512_slli_epi32(
        _mm512_and_si512(_mm512_add_epi32(quadrant, _mm512_set1_epi32(1)), _mm512_set1_epi32(2)),
        30);
    *sine = WithSign(_mm512_mask_blend_ps(odd, s, c), sine_sign);
    *cosine = WithSign(_mm512_mask_blend_ps(odd, c, s), cosine_sign);
  }

  static F LoadF16(const std::uint16_t* p) {
    return _mm512_cvtph_ps(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(p)));
  }
  static F LoadF16N(const std::uint16_t* p, int n) {
    return _mm512_cvtph_ps(_mm256_maskz_loadu_epi16(First(n), p));
  }
  static F LoadBF16(const std::uint16_t* p) {
    return WidenBF16(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(p)));
  }
  static F LoadBF16N(const std::uint16_t* p, int n) {
    return WidenBF16(_mm256_maskz_loadu_epi16(First(n), p));
  }
  static F LoadI8N(const std::int8_t* p, int n) {
    return _mm512_cvtepi32_ps(_mm512_cvtepi8_epi32(_mm_maskz_loadu_epi8(First(n), p)));
  }
  static void StoreF16N(std::uint16_t* p, F x, int n) {
    _mm256_mask_storeu_epi16(p, First(n),
                             _mm512_cvtps_ph(x, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC));
  }
  // In integers, because vcvtneps2bf16 flushes denormals.
  static void StoreBF16N(std::uint16_t* p, F x, int n) {
    const __m512i bits = _mm512_castps_si512(x);
    const __m512i odd = _mm512_and_si512(_mm512_srli_epi32(bits, 16), _mm512_set1_epi32(1));
    __m512i rounded = _mm512_add_epi32(_mm512_add_epi32(bits, _mm512_set1_epi32(0x7FFF)), odd);
    rounded = _mm512_mask_or_epi32(rounded, _mm512_cmp_ps_mask(x, x, _CMP_UNORD_Q), bits,
                                   _mm512_set1_epi32(0x400000));
    _mm256_mask_storeu_epi16(p, First(n), _mm512_cvtepi32_epi16(_mm512_srli_epi32(rounded, 16)));
  }

  // rows[i][j] becomes rows[j][i].
  static void Transpose(F* rows) {
    __m512 t[16];
    for (int i = 0; i < 16; i += 2) {
      t[i] = _mm512_unpacklo_ps(rows[i], rows[i + 1]);
      t[i + 1] = _mm512_unpackhi_ps(rows[i], rows[i + 1]);
    }
    for (int i = 0; i < 16; i += 4) {
      rows[i] = Pairs<0x44>(t[i], t[i + 2]);
      rows[i + 1] = Pairs<0xEE>(t[i], t[i + 2]);
      rows[i + 2] = Pairs<0x44>(t[i + 1], t[i + 3]);
      rows[i + 3] = Pairs<0xEE>(t[i + 1], t[i + 3]);
    }
    for (int i = 0; i < 4; ++i) {
      t[i] = _mm512_shuffle_f32x4(rows[i], rows[i + 4], 0x88);
      t[i + 4] = _mm512_shuffle_f32x4(rows[i], rows[i + 4], 0xDD);
      t[i + 8] = _mm512_shuffle_f32x4(rows[i + 8], rows[i + 12], 0x88);
      t[i + 12] = _mm512_shuffle_f32x4(rows[i + 8], rows[i + 12], 0xDD);
    }
    for (int i = 0; i < 4; ++i) {
      rows[i] = _mm512_shuffle_f32x4(t[i], t[i + 8], 0x88);
      rows[i + 8] = _mm512_shuffle_f32x4(t[i], t[i + 8], 0xDD);
      rows[i + 4] = _mm512_shuffle_f32x4(t[i + 4], t[i + 12], 0x88);
      rows[i + 12] = _mm512_shuffle_f32x4(t[i + 4], t[i + 12], 0xDD);
    }
  }

 private:
  static F WithSign(F x, __m512i sign) {
    return _mm512_castsi512_ps(_mm512_xor_si512(_mm512_castps_si512(x), sign));
  }
  static F WidenBF16(__m256i x) {
    return _mm512_castsi512_ps(_mm512_slli_epi32(_mm512_cvtepu16_epi32(x), 16));
  }
  // Halves of each 128-bit lane: two from a, two from b.
  template <int kSelect>
  static F Pairs(F a, F b) {
    return _mm512_shuffle_ps(a, b, kSelect);
  }
};

}  // namespace
}  // namespace zhibi::cpu
