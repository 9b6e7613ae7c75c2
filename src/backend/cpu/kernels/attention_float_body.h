// SPDX-License-Identifier: Apache-2.0
// The two products of attention in f32; V is Vec of vec_*.h. Keys are widened and transposed to
// [dim][32], values widened to [32][dim], once a block for all queries of a tile; sums run over dim
// and over keys in ascending order by FMA, whatever the number of queries.
#pragma once

#include <cstdint>
#include <cstring>

#include "backend/cpu/kernels/attention_kernel.h"

namespace zhibi::cpu {

template <class V>
struct FloatProducts {
  using F = typename V::F;
  static constexpr int kW = V::kWidth;
  static constexpr int kScoreVectors = kKeyBlock / kW;
  static constexpr int kOutVectors = 4;  // of one pass over the values

  alignas(64) float keys[kMaxAttentionDim * kKeyBlock];
  alignas(64) float values[kKeyBlock * kMaxAttentionDim];
  const float* queries[kMaxTileQueries];

  static bool Handles(KvType /*type*/) { return true; }

  // Columns of values that no key fills: they are multiplied, and thrown away.
  void Clear(int out_stride) {
    std::memset(values, 0, static_cast<std::size_t>(kKeyBlock * out_stride) * sizeof(float));
  }

  void SetQuery(int index, const float* q, int /*head_dim*/) { queries[index] = q; }

  template <KvType kType>
  static F LoadRow(const std::byte* row, int at, int n) {
    if (row == nullptr) return V::Zero();
    if constexpr (kType == KvType::kF32) {
      const auto* p = reinterpret_cast<const float*>(row) + at;
      return n >= kW ? V::Load(p) : V::LoadN(p, n);
    } else {
      const auto* p = reinterpret_cast<const std::uint16_t*>(row) + at;
      if constexpr (kType == KvType::kF16) return n >= kW ? V::LoadF16(p) : V::LoadF16N(p, n);
      return n >= kW ? V::LoadBF16(p) : V::LoadBF16N(p, n);
    }
  }

  // Rows are nullptr where there is no key: zeros.
  template <KvType kType>
  void WidenAs(const std::byte* const* key_rows, const std::byte* const* value_rows, int head_dim,
               int value_dim, int out_stride) {
    for (int key = 0; key < kKeyBlock; key += kW) {
      for (int d = 0; d < head_dim; d += kW) {
        F rows[kW];
        for (int i = 0; i < kW; ++i) rows[i] = LoadRow<kType>(key_rows[key + i], d, head_dim - d);
        V::Transpose(rows);
        const int dims = head_dim - d < kW ? head_dim - d : kW;
        for (int i = 0; i < dims; ++i) V::Store(keys + (d + i) * kKeyBlock + key, rows[i]);
      }
    }
    for (int key = 0; key < kKeyBlock; ++key) {
      for (int d = 0; d < value_dim; d += kW) {
        V::Store(values + key * out_stride + d, LoadRow<kType>(value_rows[key], d, value_dim - d));
      }
    }
  }

  void Widen(KvType type, const std::byte* const* key_rows, const std::byte* const* value_rows,
             int head_dim, int value_dim, int out_stride) {
    switch (type) {
      case KvType::kF32:
        WidenAs<KvType::kF32>(key_rows, value_rows, head_dim, value_dim, out_stride);
        break;
      case KvType::kF16:
        WidenAs<KvType::kF16>(key_rows, value_rows, head_dim, value_dim, out_stride);
        break;
      case KvType::kBF16:
        WidenAs<KvType::kBF16>(key_rows, value_rows, head_dim, value_dim, out_stride);
        break;
    }
  }

  template <int kQueries>
  void ScoreTile(int first, int head_dim, float* scores) const {
    F sums[kQueries][kScoreVectors];
    const float* q[kQueries];
    for (int i = 0; i < kQueries; ++i) {
      q[i] = queries[first + i];
      for (int v = 0; v < kScoreVectors; ++v) sums[i][v] = V::Zero();
    }
    const float* key = keys;
    for (int d = 0; d < head_dim; ++d, key += kKeyBlock) {
      F k[kScoreVectors];
      for (int v = 0; v < kScoreVectors; ++v) k[v] = V::Load(key + v * kW);
      for (int i = 0; i < kQueries; ++i) {
        const F x = V::Set1(q[i][d]);
        for (int v = 0; v < kScoreVectors; ++v) sums[i][v] = V::Fma(x, k[v], sums[i][v]);
      }
    }
    for (int i = 0; i < kQueries; ++i) {
      for (int v = 0; v < kScoreVectors; ++v) {
        V::Store(scores + (first + i) * kKeyBlock + v * kW, sums[i][v]);
      }
    }
  }

  // Weights of a query, in the form that Output reads.
  static void StoreWeights(float* row, const F* weights) {
    for (int v = 0; v < kScoreVectors; ++v) V::Store(row + v * kW, weights[v]);
  }

  // chunk [first + i] becomes chunk * correction + weights x values; `fresh`: chunk counts as zero.
  template <int kQueries>
  void OutputTile(int first, int keys_used, int out_stride, const float* scores,
                  const float* corrections, bool fresh, float* chunk) const {
    for (int d = 0; d < out_stride; d += kOutVectors * kW) {
      F sums[kQueries][kOutVectors];
      const float* weights[kQueries];
      for (int i = 0; i < kQueries; ++i) {
        weights[i] = scores + (first + i) * kKeyBlock;
        const F correction = V::Set1(corrections[first + i]);
        const float* before = chunk + (first + i) * out_stride + d;
        for (int v = 0; v < kOutVectors; ++v) {
          sums[i][v] = fresh ? V::Zero() : V::Mul(V::Load(before + v * kW), correction);
        }
      }
      const float* value = values + d;
      for (int key = 0; key < keys_used; ++key, value += out_stride) {
        F x[kOutVectors];
        for (int v = 0; v < kOutVectors; ++v) x[v] = V::Load(value + v * kW);
        for (int i = 0; i < kQueries; ++i) {
          const F weight = V::Set1(weights[i][key]);
          for (int v = 0; v < kOutVectors; ++v) sums[i][v] = V::Fma(weight, x[v], sums[i][v]);
        }
      }
      for (int i = 0; i < kQueries; ++i) {
        for (int v = 0; v < kOutVectors; ++v) {
          V::Store(chunk + (first + i) * out_stride + d + v * kW, sums[i][v]);
        }
      }
    }
  }
};

}  // namespace zhibi::cpu
