// SPDX-License-Identifier: Apache-2.0
// As limits_avx512.cc for AVX2: 12 accumulators; int8 is vpmaddubsw, vpmaddwd and an addition, the
// sequence that the kernels need.
#include <immintrin.h>

#include "backend/cpu/kernels/limits_kernel.h"

namespace zhibi::cpu {
namespace {

constexpr int kChains = 12;

[[gnu::always_inline]] inline __m256i Load(const std::byte* at) {
  return _mm256_load_si256(reinterpret_cast<const __m256i*>(at));
}

std::uint64_t Fold(const __m256i* sum) {
  const __m256i all =
      _mm256_xor_si256(_mm256_xor_si256(sum[0], sum[1]), _mm256_xor_si256(sum[2], sum[3]));
  return static_cast<std::uint64_t>(_mm256_extract_epi64(all, 0) ^ _mm256_extract_epi64(all, 1) ^
                                    _mm256_extract_epi64(all, 2) ^ _mm256_extract_epi64(all, 3));
}

template <bool kPrefetch>
std::uint64_t ReadQuarters(const std::byte* data, std::int64_t bytes) {
  const std::int64_t quarter = bytes / 4;
  __m256i sum[4] = {};
  for (std::int64_t i = 0; i < quarter; i += 64) {
#pragma GCC unroll 4
    for (int s = 0; s < 4; ++s) {
      const std::byte* at = data + s * quarter + i;
      if constexpr (kPrefetch) {
        _mm_prefetch(reinterpret_cast<const char*>(at + 2048), _MM_HINT_T0);
      }
      sum[s] = _mm256_xor_si256(sum[s], _mm256_xor_si256(Load(at), Load(at + 32)));
    }
  }
  return Fold(sum);
}

std::uint64_t ReadSequence(const std::byte* data, std::int64_t bytes) {
  __m256i sum[4] = {};
  for (std::int64_t i = 0; i < bytes; i += 256) {
#pragma GCC unroll 4
    for (int s = 0; s < 4; ++s) {
      const std::byte* at = data + i + 64 * s;
      sum[s] = _mm256_xor_si256(sum[s], _mm256_xor_si256(Load(at), Load(at + 32)));
    }
  }
  return Fold(sum);
}

std::uint64_t Read(const std::byte* data, std::int64_t bytes, int pattern) {
  if (pattern == 0) return ReadQuarters<false>(data, bytes);
  if (pattern == 1) return ReadQuarters<true>(data, bytes);
  return ReadSequence(data, bytes);
}

template <typename T>
[[gnu::always_inline]] inline void Keep(T& value) {
  asm volatile("" : "+x"(value));
}

float F32(std::int64_t rounds) {
  __m256 acc[kChains];
#pragma GCC unroll 12
  for (int i = 0; i < kChains; ++i) {
    acc[i] = _mm256_set1_ps(1e-20F);
    Keep(acc[i]);  // equal chains would be computed once
  }
  __m256 a = _mm256_set1_ps(1.000001F);
  __m256 b = _mm256_set1_ps(1e-10F);
  for (std::int64_t r = 0; r < rounds; ++r) {
    Keep(a);
    Keep(b);
#pragma GCC unroll 12
    for (int i = 0; i < kChains; ++i) acc[i] = _mm256_fmadd_ps(a, b, acc[i]);
  }
  __m256 sum = acc[0];
#pragma GCC unroll 12
  for (int i = 1; i < kChains; ++i) sum = _mm256_add_ps(sum, acc[i]);
  return _mm256_cvtss_f32(sum);
}

std::int32_t Int8(std::int64_t rounds) {
  __m256i acc[kChains];
#pragma GCC unroll 12
  for (int i = 0; i < kChains; ++i) {
    acc[i] = _mm256_setzero_si256();
    Keep(acc[i]);  // equal chains would be computed once
  }
  __m256i a = _mm256_set1_epi8(3);
  __m256i b = _mm256_set1_epi8(-2);
  const __m256i ones = _mm256_set1_epi16(1);
  for (std::int64_t r = 0; r < rounds; ++r) {
#pragma GCC unroll 12
    for (int i = 0; i < kChains; ++i) {
      Keep(a);
      Keep(b);
      acc[i] = _mm256_add_epi32(acc[i], _mm256_madd_epi16(_mm256_maddubs_epi16(a, b), ones));
    }
  }
  __m256i sum = acc[0];
#pragma GCC unroll 12
  for (int i = 1; i < kChains; ++i) sum = _mm256_xor_si256(sum, acc[i]);
  return _mm256_extract_epi32(sum, 0);
}

}  // namespace

const LimitKernels kLimitsAvx2 = {
    .read = &Read,
    .f32 = &F32,
    .f32_ops = kChains * 8 * 2,
    .bf16 = nullptr,
    .bf16_ops = 0,
    .int8 = &Int8,
    .int8_ops = kChains * 32 * 2,
};

}  // namespace zhibi::cpu
