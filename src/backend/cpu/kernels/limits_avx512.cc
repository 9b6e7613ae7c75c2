// SPDX-License-Identifier: Apache-2.0
// 24 independent accumulators, as the kernels have: enough to hide any latency of two pipes.
#include <immintrin.h>

#include "backend/cpu/kernels/limits_kernel.h"

namespace zhibi::cpu {
namespace {

constexpr int kChains = 24;

template <bool kPrefetch>
std::uint64_t ReadQuarters(const std::byte* data, std::int64_t bytes) {
  const std::int64_t quarter = bytes / 4;
  __m512i sum[4] = {};
  for (std::int64_t i = 0; i < quarter; i += 128) {
#pragma GCC unroll 4
    for (int s = 0; s < 4; ++s) {
      const std::byte* at = data + s * quarter + i;
      if constexpr (kPrefetch) {
        _mm_prefetch(reinterpret_cast<const char*>(at + 2048), _MM_HINT_T0);
        _mm_prefetch(reinterpret_cast<const char*>(at + 2112), _MM_HINT_T0);
      }
      sum[s] = _mm512_xor_si512(
          sum[s], _mm512_xor_si512(_mm512_load_si512(at), _mm512_load_si512(at + 64)));
    }
  }
  const __m512i all =
      _mm512_xor_si512(_mm512_xor_si512(sum[0], sum[1]), _mm512_xor_si512(sum[2], sum[3]));
  return static_cast<std::uint64_t>(_mm512_reduce_add_epi64(all));
}

std::uint64_t ReadSequence(const std::byte* data, std::int64_t bytes) {
  __m512i sum[4] = {};
  for (std::int64_t i = 0; i < bytes; i += 256) {
#pragma GCC unroll 4
    for (int s = 0; s < 4; ++s) {
      sum[s] = _mm512_xor_si512(sum[s], _mm512_load_si512(data + i + 64 * s));
    }
  }
  const __m512i all =
      _mm512_xor_si512(_mm512_xor_si512(sum[0], sum[1]), _mm512_xor_si512(sum[2], sum[3]));
  return static_cast<std::uint64_t>(_mm512_reduce_add_epi64(all));
}

std::uint64_t Read(const std::byte* data, std::int64_t bytes, int pattern) {
  if (pattern == 0) return ReadQuarters<false>(data, bytes);
  if (pattern == 1) return ReadQuarters<true>(data, bytes);
  return ReadSequence(data, bytes);
}

// The compiler must neither fold the rounds nor move them out of the loop.
template <typename T>
[[gnu::always_inline]] inline void Keep(T& value) {
  asm volatile("" : "+v"(value));
}

float F32(std::int64_t rounds) {
  __m512 acc[kChains];
#pragma GCC unroll 24
  for (int i = 0; i < kChains; ++i) {
    acc[i] = _mm512_set1_ps(1e-20F);
    Keep(acc[i]);  // equal chains would be computed once
  }
  __m512 a = _mm512_set1_ps(1.000001F);
  __m512 b = _mm512_set1_ps(1e-10F);
  for (std::int64_t r = 0; r < rounds; ++r) {
    Keep(a);
    Keep(b);
#pragma GCC unroll 24
    for (int i = 0; i < kChains; ++i) acc[i] = _mm512_fmadd_ps(a, b, acc[i]);
  }
  __m512 sum = acc[0];
#pragma GCC unroll 24
  for (int i = 1; i < kChains; ++i) sum = _mm512_add_ps(sum, acc[i]);
  return _mm512_reduce_add_ps(sum);
}

float BF16(std::int64_t rounds) {
  __m512 acc[kChains];
#pragma GCC unroll 24
  for (int i = 0; i < kChains; ++i) {
    acc[i] = _mm512_setzero_ps();
    Keep(acc[i]);  // equal chains would be computed once
  }
  __m512i a = _mm512_set1_epi32(0x3F803F80);
  __m512i b = _mm512_set1_epi32(0x30003000);
  for (std::int64_t r = 0; r < rounds; ++r) {
    Keep(a);
    Keep(b);
#pragma GCC unroll 24
    for (int i = 0; i < kChains; ++i) {
      acc[i] =
          _mm512_dpbf16_ps(acc[i], reinterpret_cast<__m512bh>(a), reinterpret_cast<__m512bh>(b));
    }
  }
  __m512 sum = acc[0];
#pragma GCC unroll 24
  for (int i = 1; i < kChains; ++i) sum = _mm512_add_ps(sum, acc[i]);
  return _mm512_reduce_add_ps(sum);
}

std::int32_t Int8(std::int64_t rounds) {
  __m512i acc[kChains];
#pragma GCC unroll 24
  for (int i = 0; i < kChains; ++i) {
    acc[i] = _mm512_setzero_si512();
    Keep(acc[i]);  // equal chains would be computed once
  }
  __m512i a = _mm512_set1_epi8(3);
  __m512i b = _mm512_set1_epi8(-2);
  for (std::int64_t r = 0; r < rounds; ++r) {
    Keep(a);
    Keep(b);
#pragma GCC unroll 24
    for (int i = 0; i < kChains; ++i) {
      asm("vpdpbusd %2, %1, %0" : "+v"(acc[i]) : "v"(a), "v"(b));  // as in linear_avx512.h
    }
  }
  __m512i sum = acc[0];
#pragma GCC unroll 24
  for (int i = 1; i < kChains; ++i) sum = _mm512_xor_si512(sum, acc[i]);
  return _mm512_reduce_or_epi32(sum);
}

}  // namespace

const LimitKernels kLimitsAvx512 = {
    .read = &Read,
    .f32 = &F32,
    .f32_ops = kChains * 16 * 2,
    .bf16 = &BF16,
    .bf16_ops = kChains * 32 * 2,
    .int8 = &Int8,
    .int8_ops = kChains * 64 * 2,
};

}  // namespace zhibi::cpu
