// SPDX-License-Identifier: Apache-2.0
// The two products of attention over a bf16 cache by vdpbf16ps: twice the multiply-adds of f32, and
// keys need no widening. Queries and weights are rounded to bf16 as the cache is, which about
// doubles the error that the cache's own rounding makes. Only for *_avx512.cc.
//   keys    [dim / 2][32] pairs (columns 2d, 2d + 1)
//   values  [16][dim] pairs (keys 2j, 2j + 1)
#pragma once

#include <immintrin.h>

#include <cstdint>
#include <cstring>

#include "backend/cpu/kernels/attention_kernel.h"
#include "backend/cpu/kernels/vec_avx512.h"

namespace zhibi::cpu {
namespace {

struct DotProducts {
  static constexpr int kOutVectors = 4;

  alignas(64) std::uint32_t keys[kMaxAttentionDim / 2 * kKeyBlock];
  alignas(64) std::uint32_t values[kKeyBlock / 2 * kMaxAttentionDim];
  alignas(64) std::uint16_t queries[kMaxTileQueries * kMaxAttentionDim];
  int query_stride = 0;

  static bool Handles(KvType type) { return type == KvType::kBF16; }

  void Clear(int out_stride) {
    std::memset(values, 0,
                static_cast<std::size_t>(kKeyBlock / 2 * out_stride) * sizeof(std::uint32_t));
  }

  void SetQuery(int index, const float* q, int head_dim) {
    query_stride = (head_dim + 31) / 32 * 32;
    std::uint16_t* to = queries + index * query_stride;
    for (int d = 0; d < query_stride; d += 16) {
      const int left = head_dim - d;
      const int lanes = left < 0 ? 0 : left < 16 ? left : 16;
      Vec::StoreBF16N(to + d, Vec::LoadN(q + d, lanes), 16);
    }
  }

  static __mmask32 First(int n) {
    return n >= 32 ? 0xFFFFFFFFU : (1U << static_cast<unsigned>(n)) - 1U;
  }
  static __m512i LoadRow(const std::byte* row, int at, int n) {
    if (row == nullptr) return _mm512_setzero_si512();
    return _mm512_maskz_loadu_epi16(First(n), row + 2 * at);
  }

  void Widen(KvType /*type*/, const std::byte* const* key_rows, const std::byte* const* value_rows,
             int head_dim, int value_dim, int out_stride) {
    for (int key = 0; key < kKeyBlock; key += 16) {
      for (int d = 0; d < head_dim; d += 32) {
        __m512 rows[16];
        for (int i = 0; i < 16; ++i) {
          rows[i] = _mm512_castsi512_ps(LoadRow(key_rows[key + i], d, head_dim - d));
        }
        Vec::Transpose(rows);
        const int left = (head_dim - d + 1) / 2;
        const int pairs = left < 16 ? left : 16;
        for (int i = 0; i < pairs; ++i) {
          _mm512_store_ps(keys + (d / 2 + i) * kKeyBlock + key, rows[i]);
        }
      }
    }
    alignas(64) static constexpr std::uint16_t kLow[32] = {
        0, 32, 1, 33, 2,  34, 3,  35, 4,  36, 5,  37, 6,  38, 7,  39,
        8, 40, 9, 41, 10, 42, 11, 43, 12, 44, 13, 45, 14, 46, 15, 47};
    const __m512i low = _mm512_load_si512(kLow);
    const __m512i high = _mm512_add_epi16(low, _mm512_set1_epi16(16));
    for (int key = 0; key < kKeyBlock; key += 2) {
      for (int d = 0; d < value_dim; d += 32) {
        const __m512i a = LoadRow(value_rows[key], d, value_dim - d);
        const __m512i b = LoadRow(value_rows[key + 1], d, value_dim - d);
        std::uint32_t* to = values + key / 2 * out_stride + d;
        _mm512_store_si512(to, _mm512_permutex2var_epi16(a, low, b));
        _mm512_store_si512(to + 16, _mm512_permutex2var_epi16(a, high, b));
      }
    }
  }

  static __m512 Dot(__m512 sum, __m512i a, __m512i b) {
    return _mm512_dpbf16_ps(sum, (__m512bh)a, (__m512bh)b);
  }
  static __m512i Pair(const void* p) {
    std::uint32_t pair;
    std::memcpy(&pair, p, sizeof(pair));
    return _mm512_set1_epi32(static_cast<int>(pair));
  }

  template <int kQueries>
  void ScoreTile(int first, int head_dim, float* scores) const {
    __m512 sums[kQueries][2];
    for (int i = 0; i < kQueries; ++i) {
      sums[i][0] = _mm512_setzero_ps();
      sums[i][1] = _mm512_setzero_ps();
    }
    const std::uint16_t* q = queries + first * query_stride;
    const int pairs = (head_dim + 1) / 2;
    for (int d = 0; d < pairs; ++d) {
      const __m512i k0 = _mm512_load_si512(keys + d * kKeyBlock);
      const __m512i k1 = _mm512_load_si512(keys + d * kKeyBlock + 16);
      for (int i = 0; i < kQueries; ++i) {
        const __m512i x = Pair(q + i * query_stride + 2 * d);
        sums[i][0] = Dot(sums[i][0], k0, x);
        sums[i][1] = Dot(sums[i][1], k1, x);
      }
    }
    for (int i = 0; i < kQueries; ++i) {
      _mm512_store_ps(scores + (first + i) * kKeyBlock, sums[i][0]);
      _mm512_store_ps(scores + (first + i) * kKeyBlock + 16, sums[i][1]);
    }
  }

  static void StoreWeights(float* row, const __m512* weights) {
    const __m512bh pairs = _mm512_cvtne2ps_pbh(weights[1], weights[0]);
    _mm512_store_si512(row, (__m512i)pairs);
  }

  template <int kQueries>
  void OutputTile(int first, int keys_used, int out_stride, const float* scores,
                  const float* corrections, bool fresh, float* chunk) const {
    const int pairs = (keys_used + 1) / 2;
    for (int d = 0; d < out_stride; d += kOutVectors * 16) {
      __m512 sums[kQueries][kOutVectors];
      for (int i = 0; i < kQueries; ++i) {
        const __m512 correction = _mm512_set1_ps(corrections[first + i]);
        const float* before = chunk + (first + i) * out_stride + d;
        for (int v = 0; v < kOutVectors; ++v) {
          sums[i][v] = fresh ? _mm512_setzero_ps()
                             : _mm512_mul_ps(_mm512_load_ps(before + v * 16), correction);
        }
      }
      const float* weights = scores + first * kKeyBlock;
      for (int pair = 0; pair < pairs; ++pair) {
        const std::uint32_t* value = values + pair * out_stride + d;
        __m512i x[kOutVectors];
        for (int v = 0; v < kOutVectors; ++v) x[v] = _mm512_load_si512(value + v * 16);
        for (int i = 0; i < kQueries; ++i) {
          const __m512i weight = Pair(weights + i * kKeyBlock + pair);
          for (int v = 0; v < kOutVectors; ++v) sums[i][v] = Dot(sums[i][v], x[v], weight);
        }
      }
      for (int i = 0; i < kQueries; ++i) {
        for (int v = 0; v < kOutVectors; ++v) {
          _mm512_store_ps(chunk + (first + i) * out_stride + d + v * 16, sums[i][v]);
        }
      }
    }
  }
};

}  // namespace
}  // namespace zhibi::cpu
