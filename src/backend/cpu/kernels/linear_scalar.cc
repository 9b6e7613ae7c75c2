// SPDX-License-Identifier: Apache-2.0
// linear at the baseline instruction set, any processor: the yardstick of the other levels and the
// last resort. Reads the same layouts (linear_kernel.h). One row at a time, hence the same order of
// summation for any number of rows: k ascending; integer formats sum exactly in int32.
// The inner loops run over the 32 outputs of a panel, which compilers vectorise.
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <span>

#include "backend/cpu/kernels/linear_kernel.h"
#include "graph/ops/activation.h"
#include "quant/codec.h"

namespace zhibi::cpu {
namespace {

constexpr int kLanes = static_cast<int>(kPanel);

template <typename T>
T Load(const std::byte* at) {
  T value;
  std::memcpy(&value, at, sizeof(value));
  return value;
}

void Epilogue(const LinearCall& call, std::int64_t row, std::int64_t panel, const float* sums) {
  const std::int64_t n_begin = panel * kPanel;
  const std::int64_t width = std::min(kPanel, call.n - n_begin);
  float v[kLanes] = {};
  const float scale = call.row_scales != nullptr ? call.row_scales[row] : 1.0F;
  for (std::int64_t i = 0; i < width; ++i) {
    v[i] = call.row_scales != nullptr ? sums[i] * scale : sums[i];
    if (call.bias != nullptr) v[i] += call.bias[n_begin + i];
  }
  const auto activation = static_cast<graph::Activation>(call.activation);
  const std::int64_t stride = call.gated ? call.n / 2 : call.n;
  const std::int64_t count = call.gated ? width / 2 : width;
  const std::int64_t at = row * stride + (call.gated ? n_begin / 2 : n_begin);
  for (std::int64_t i = 0; i < count; ++i) {
    float y = call.gated ? graph::Activate(activation, v[2 * i]) * v[2 * i + 1]
                         : graph::Activate(activation, v[i]);
    if (call.residual != nullptr) y += call.residual[at + i];
    call.dst[at + i] = y;
  }
}

void SumF32(const LinearCall& call, const std::byte* w, std::int64_t row, float* sums) {
  const float* x = call.x + row * call.k;
  for (std::int64_t k = 0; k < call.k; ++k, w += 4 * kLanes) {
    for (int i = 0; i < kLanes; ++i) sums[i] += x[k] * Load<float>(w + 4 * i);
  }
}

// 32 halves.
void WidenF16(const std::byte* src, float* dst) {
  std::uint16_t halves[kLanes];
  std::memcpy(halves, src, sizeof(halves));
  quant::F16ToF32Row(halves, {dst, kLanes});
}

void SumF16(const LinearCall& call, const std::byte* w, std::int64_t row, float* sums) {
  const float* x = call.x + row * call.k;
  for (std::int64_t k = 0; k < call.k; ++k, w += 2 * kLanes) {
    float widened[kLanes];
    WidenF16(w, widened);
    for (int i = 0; i < kLanes; ++i) sums[i] += x[k] * widened[i];
  }
}

void SumBF16(const LinearCall& call, const std::byte* w, std::int64_t row, float* sums) {
  const float* x = call.x + row * call.k;
  for (std::int64_t k = 0; k < call.k; ++k) {
    const std::byte* at = w + (k / 2) * 4 * kLanes + (k % 2) * 2;
    for (int i = 0; i < kLanes; ++i) {
      const std::uint32_t bits = Load<std::uint16_t>(at + 4 * i);
      sums[i] += x[k] * std::bit_cast<float>(bits << 16);
    }
  }
}

const std::int8_t* UnitsOf(const LinearCall& call, std::int64_t row) {
  return reinterpret_cast<const std::int8_t*>(call.units + row * call.units_per_row * 4);
}

void SumI8(const LinearCall& call, const std::byte* w, std::int64_t row, float* sums) {
  const std::int8_t* x = UnitsOf(call, row) + 4;
  const std::int64_t units = call.units_per_row - 1;
  std::int32_t acc[kLanes] = {};
  for (std::int64_t u = 0; u < units; ++u, w += 4 * kLanes) {
    for (int i = 0; i < kLanes; ++i) {
      for (int b = 0; b < 4; ++b) {
        acc[i] += (std::to_integer<int>(w[4 * i + b]) - 128) * x[4 * u + b];
      }
    }
  }
  for (int i = 0; i < kLanes; ++i) sums[i] = static_cast<float>(acc[i]) * Load<float>(w + 4 * i);
}

void SumI4(const LinearCall& call, const std::byte* w, std::int64_t row, float* sums) {
  const std::int8_t* x = UnitsOf(call, row);
  const std::int64_t groups = call.units_per_row / 9;
  for (std::int64_t g = 0; g < groups; ++g, w += kI4BlockBytes, x += 36) {
    std::int32_t acc[kLanes] = {};
    for (int j = 0; j < 4; ++j) {
      for (int i = 0; i < kLanes; ++i) {
        for (int b = 0; b < 4; ++b) {
          const int code = std::to_integer<int>(w[128 * j + 4 * i + b]);
          acc[i] += ((code & 15) - quant::kI4Bias) * x[4 + 8 * j + b];
          acc[i] += ((code >> 4) - quant::kI4Bias) * x[4 + 8 * j + 4 + b];
        }
      }
    }
    float scales[kLanes];
    WidenF16(w + 512, scales);
    for (int i = 0; i < kLanes; ++i) sums[i] += static_cast<float>(acc[i]) * scales[i];
  }
}

// Codes of one row, and its scale: NaN when the row holds a NaN or an infinity.
float QuantiseRow(const float* x, std::int64_t k, std::int8_t* codes) {
  const std::span<const float> row(x, static_cast<std::size_t>(k));
  const float scale = quant::QuantizeRowI8(row, {codes, static_cast<std::size_t>(k)});
  for (const float value : row) {
    if (!std::isfinite(value)) return std::numeric_limits<float>::quiet_NaN();
  }
  return scale;
}

// Start values are not used here: weights are taken with their sign.
void PrepareI8(const LinearCall& call, std::int64_t row) {
  auto* units = reinterpret_cast<std::int8_t*>(call.units + row * call.units_per_row * 4);
  std::memset(units, 0, static_cast<std::size_t>(call.units_per_row) * 4);
  call.row_scales[row] = QuantiseRow(call.x + row * call.k, call.k, units + 4);
}

void PrepareI4(const LinearCall& call, std::int64_t row) {
  auto* units = reinterpret_cast<std::int8_t*>(call.units + row * call.units_per_row * 4);
  std::memset(units, 0, static_cast<std::size_t>(call.units_per_row) * 4);
  // Quantised into the end of the row's room, then moved apart from the front: group g goes from
  // 4 G + 32 g to 36 g + 4, which is never behind it.
  const std::int64_t groups = call.units_per_row / 9;
  std::int8_t* const codes = units + 4 * groups;
  call.row_scales[row] = QuantiseRow(call.x + row * call.k, call.k, codes);
  for (std::int64_t g = 0; g < groups; ++g) {
    std::memmove(units + 36 * g + 4, codes + 32 * g, 32);
  }
}

template <void (*kSum)(const LinearCall&, const std::byte*, std::int64_t, float*)>
void Compute(const LinearCall& call, std::int64_t panel_begin, std::int64_t panel_end,
             std::int64_t tile_begin, std::int64_t tile_end) {
  for (std::int64_t panel = panel_begin; panel < panel_end; ++panel) {
    const std::byte* w = call.weights + panel * call.panel_bytes;
    for (std::int64_t row = tile_begin; row < tile_end; ++row) {
      float sums[kLanes] = {};
      kSum(call, w, row, sums);
      Epilogue(call, row, panel, sums);
    }
  }
}

}  // namespace

const LinearKernel kLinearScalar[kLinearFormats] = {
    {.max_row_tile = 1, .prepare = nullptr, .compute = &Compute<&SumF32>},
    {.max_row_tile = 1, .prepare = nullptr, .compute = &Compute<&SumF16>},
    {.max_row_tile = 1, .prepare = nullptr, .compute = &Compute<&SumBF16>},
    {.max_row_tile = 1, .prepare = &PrepareI8, .compute = &Compute<&SumI8>},
    {.max_row_tile = 1, .prepare = &PrepareI4, .compute = &Compute<&SumI4>},
};

}  // namespace zhibi::cpu
