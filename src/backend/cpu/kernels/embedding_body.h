// SPDX-License-Identifier: Apache-2.0
// embedding from a row_major table (backend/row_major.h); V is Vec of vec_*.h. The same products as
// the reference, hence the same bits: code * row scale, then * scale.
#pragma once

#include <cstring>

#include "backend/cpu/kernels/row_kernels.h"

namespace zhibi::cpu {

template <class V>
struct Embeddings {
  using F = typename V::F;
  static constexpr int kW = V::kWidth;

  static F LoadElements(ElementType type, const std::byte* row, std::int64_t at, int lanes) {
    switch (type) {
      case ElementType::kF32:
        return V::LoadN(reinterpret_cast<const float*>(row) + at, lanes);
      case ElementType::kF16:
        return V::LoadF16N(reinterpret_cast<const std::uint16_t*>(row) + at, lanes);
      case ElementType::kBF16:
        return V::LoadBF16N(reinterpret_cast<const std::uint16_t*>(row) + at, lanes);
      case ElementType::kI8:
        return V::LoadI8N(reinterpret_cast<const std::int8_t*>(row) + at, lanes);
      case ElementType::kI4:
        break;
    }
    return V::Zero();
  }

  static void RowI4(const EmbeddingCall& call, const std::byte* row, const std::byte* scales,
                    float* y) {
    for (std::int64_t group = 0; group * 32 < call.hidden; ++group) {
      std::uint16_t half;
      std::memcpy(&half, scales + 2 * group, sizeof(half));
      const float scale = V::Lane0(V::LoadF16N(&half, 1));
      const std::int64_t end = group * 32 + 32 < call.hidden ? group * 32 + 32 : call.hidden;
      for (std::int64_t i = group * 32; i < end; ++i) {
        const int byte = static_cast<int>(row[i / 2]);
        const int code = (i % 2 == 0 ? byte & 15 : byte >> 4) - 8;
        y[i] = static_cast<float>(code) * scale * call.scale;
      }
    }
  }

  static void Run(const EmbeddingCall& call, std::int64_t begin, std::int64_t end) {
    for (std::int64_t t = begin; t < end; ++t) {
      float* y = call.dst + t * call.hidden;
      const std::int64_t id = call.ids[t];
      if (id < 0 || id >= call.vocab) {
        std::memset(y, 0, static_cast<std::size_t>(call.hidden) * sizeof(float));
        continue;
      }
      const std::byte* row = call.table + id * call.row_bytes;
      const std::byte* scales = call.table + call.scales_offset + id * call.scale_row_bytes;
      if (call.type == ElementType::kI4) {
        RowI4(call, row, scales, y);
        continue;
      }
      float row_scale = 1;
      if (call.type == ElementType::kI8) std::memcpy(&row_scale, scales, sizeof(row_scale));
      const F first = V::Set1(row_scale);
      const F second = V::Set1(call.scale);
      for (std::int64_t i = 0; i < call.hidden; i += kW) {
        const int lanes = call.hidden - i < kW ? static_cast<int>(call.hidden - i) : kW;
        const F x = LoadElements(call.type, row, i, lanes);
        V::StoreN(y + i, V::Mul(V::Mul(x, first), second), lanes);
      }
    }
  }
};

}  // namespace zhibi::cpu
