// SPDX-License-Identifier: Apache-2.0
// rope, cache_write and their fusion with QK norm; V is Vec of vec_*.h. Angles are position *
// inv_freq in f32 as in the reference; sine and cosine of a row are made once for all its heads.
#pragma once

#include <cstring>

#include "backend/cpu/kernels/norm_body.h"
#include "backend/cpu/kernels/row_kernels.h"

namespace zhibi::cpu {

template <class V>
struct Ropes {
  using F = typename V::F;
  static constexpr int kW = V::kWidth;

  static int Lanes(std::int64_t left) { return left < kW ? static_cast<int>(left) : kW; }

  struct Angles {
    alignas(64) float cosine[kMaxRopeDim / 2];
    alignas(64) float sine[kMaxRopeDim / 2];
  };

  static void MakeAngles(const RopeCall& call, std::int64_t row, Angles* angles) {
    const F position = V::Set1(static_cast<float>(call.positions[row]));
    const F factor = V::Set1(call.factor);
    for (int i = 0; i < call.rotary_dim / 2; i += kW) {
      const int lanes = Lanes(call.rotary_dim / 2 - i);
      F s;
      F c;
      V::SinCos(V::Mul(position, V::LoadN(call.inv_freq + i, lanes)), &s, &c);
      V::StoreN(angles->cosine + i, V::Mul(c, factor), lanes);
      V::StoreN(angles->sine + i, V::Mul(s, factor), lanes);
    }
  }

  // y may be x.
  static void Rotate(const RopeCall& call, const Angles& angles, const float* x, float* y) {
    const int half = call.rotary_dim / 2;
    if (call.interleaved) {
      for (int i = 0; i < half; ++i) {
        const float a = x[2 * i];
        const float b = x[2 * i + 1];
        y[2 * i] = a * angles.cosine[i] - b * angles.sine[i];
        y[2 * i + 1] = b * angles.cosine[i] + a * angles.sine[i];
      }
    } else {
      for (int i = 0; i < half; i += kW) {
        const int lanes = Lanes(half - i);
        const F a = V::LoadN(x + i, lanes);
        const F b = V::LoadN(x + half + i, lanes);
        const F c = V::LoadN(angles.cosine + i, lanes);
        const F s = V::LoadN(angles.sine + i, lanes);
        V::StoreN(y + i, V::Sub(V::Mul(a, c), V::Mul(b, s)), lanes);
        V::StoreN(y + half + i, V::Add(V::Mul(b, c), V::Mul(a, s)), lanes);
      }
    }
    for (int i = call.rotary_dim; i < call.head_dim; ++i) y[i] = x[i];
  }

  // Norm, if any, then rotation.
  [[gnu::noinline]] static void Head(const RopeCall& call, const Angles& angles, const float* norm,
                                     const float* x, float* y) {
    if (norm != nullptr) {
      Norms<V>::RmsRow(x, norm, call.eps, call.head_dim, y);
      x = y;
    }
    Rotate(call, angles, x, y);
  }

  static void StoreRow(ElementType type, std::byte* at, const float* x, int n) {
    for (int i = 0; i < n; i += kW) {
      const int lanes = Lanes(n - i);
      const F value = V::LoadN(x + i, lanes);
      if (type == ElementType::kF32) {
        V::StoreN(reinterpret_cast<float*>(at) + i, value, lanes);
      } else if (type == ElementType::kF16) {
        V::StoreF16N(reinterpret_cast<std::uint16_t*>(at) + i, value, lanes);
      } else {
        V::StoreBF16N(reinterpret_cast<std::uint16_t*>(at) + i, value, lanes);
      }
    }
  }

  // The page of a row's position; nullptr where the table has none.
  static std::byte* Page(const RopeCall& call, std::int64_t row) {
    const CacheTarget& cache = call.cache;
    const std::int64_t seq = call.row_seq[row];
    const std::int64_t position = call.positions[row];
    const std::int64_t index = position / cache.page_tokens;
    if (seq < 0 || seq >= cache.seqs || position < 0 || index >= cache.table_cols) return nullptr;
    const std::int64_t page = cache.page_table[seq * cache.table_cols + index];
    return page < 0 ? nullptr : cache.base + page * cache.page_bytes;
  }

  static void WriteHead(const CacheTarget& cache, std::byte* page, std::int64_t slot,
                        std::int64_t head, const float* k, const float* v) {
    const std::int64_t size = cache.type == ElementType::kF32 ? 4 : 2;
    const std::int64_t at = head * cache.page_tokens + slot;
    StoreRow(cache.type, page + at * cache.head_dim * size, k, cache.head_dim);
    StoreRow(cache.type, page + cache.value_offset + at * cache.value_dim * size, v,
             cache.value_dim);
  }

  static void Rope(const RopeCall& call, std::int64_t begin, std::int64_t end) {
    Angles angles;
    for (std::int64_t row = begin; row < end; ++row) {
      MakeAngles(call, row, &angles);
      for (std::int64_t head = 0; head < call.heads; ++head) {
        const std::int64_t at = row * call.x_stride + head * call.head_dim;
        Head(call, angles, nullptr, call.x + at, call.dst + at);
      }
    }
  }

  static void CacheWrite(const RopeCall& call, std::int64_t begin, std::int64_t end) {
    const CacheTarget& cache = call.cache;
    for (std::int64_t row = begin; row < end; ++row) {
      std::byte* page = Page(call, row);
      if (page == nullptr) continue;
      const std::int64_t slot = call.positions[row] % cache.page_tokens;
      for (std::int64_t head = 0; head < cache.kv_heads; ++head) {
        const std::int64_t at = row * cache.kv_heads + head;
        WriteHead(cache, page, slot, head, call.k + at * cache.head_dim,
                  call.v + at * cache.value_dim);
      }
    }
  }

  static void QkvRopeCache(const RopeCall& call, std::int64_t begin, std::int64_t end) {
    Angles angles;
    alignas(64) float key[kMaxRopeDim];
    const CacheTarget& cache = call.cache;
    for (std::int64_t row = begin; row < end; ++row) {
      MakeAngles(call, row, &angles);
      const float* q = call.x + row * call.x_stride;
      const float* k = q + call.heads * call.head_dim;
      const float* v = k + cache.kv_heads * call.head_dim;
      float* y = call.dst + row * call.heads * call.head_dim;
      for (std::int64_t head = 0; head < call.heads; ++head) {
        Head(call, angles, call.q_norm, q + head * call.head_dim, y + head * call.head_dim);
      }
      std::byte* page = Page(call, row);
      if (page == nullptr) continue;
      const std::int64_t slot = call.positions[row] % cache.page_tokens;
      for (std::int64_t head = 0; head < cache.kv_heads; ++head) {
        Head(call, angles, call.k_norm, k + head * call.head_dim, key);
        WriteHead(cache, page, slot, head, key, v + head * call.head_dim);
      }
    }
  }
};

}  // namespace zhibi::cpu
