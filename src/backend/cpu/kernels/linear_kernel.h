// SPDX-License-Identifier: Apache-2.0
// What the instruction-set specific parts of linear share: layouts, prepared activations, the call.
// Raw pointers and plain types only (design.md §7.12). docs/adr/0050-panels-of-32.md has the
// reasons.
//
// Weights: panels of 32 outputs, each one contiguous stream in the order in which it is read.
// Outputs beyond n and columns beyond k are zero.
//   f32   [k][32] f32
//   f16   [k][32] f16
//   bf16  [ceil(k/2)][32][2] bf16
//   i8    [ceil(k/4)][32][4] u8 = code + 128, then 32 f32 scales
//   i4    ceil(k/32) blocks of 576 bytes: [4][2][16][4] bytes, then 32 f16 scales. Byte b of
//         [j][half][lane] holds column 8j + b in its low and 8j + 4 + b in its high nibble (code
//         + 8) of output 16 half + lane.
//
// Activations are prepared once a call into units of 4 bytes (1 f32, 2 bf16, 4 s8) and, for up to
// kMaxRowTile rows together, interleaved: unit u of row r at [u][r]. A kernel then reads one stream
// and broadcasts from it. Integer formats carry start values of the accumulators in the stream: the
// weights are unsigned with an offset, so acc starts at -offset * sum(x): i8 has one such unit in
// front of a row, i4 one in front of each group of 8 units.
#pragma once

#include <cstddef>
#include <cstdint>

namespace zhibi::cpu {

inline constexpr std::int64_t kPanel = 32;
inline constexpr int kMaxRowTile = 12;
inline constexpr std::int64_t kI4BlockBytes = 576;

enum class LinearFormat : std::int32_t { kF32, kF16, kBF16, kI8, kI4 };
inline constexpr int kLinearFormats = 5;

// The numbers of graph::Activation, checked in linear.cc.
enum class LinearActivation : std::int32_t {
  kNone,
  kRelu,
  kSilu,
  kGeluErf,
  kGeluTanh,
  kTanh,
  kSigmoid
};

// Everything that a tile of work needs; lives on the stack of the launch.
struct LinearCall {
  const std::byte* weights = nullptr;
  std::int64_t panel_bytes = 0;
  std::int64_t n = 0;
  std::int64_t k = 0;
  std::int64_t rows = 0;
  const float* x = nullptr;     // [rows, k]
  std::byte* units = nullptr;   // prepared activations, [rows][units_per_row] interleaved in tiles
  float* row_scales = nullptr;  // [rows]; integer formats only
  std::int64_t units_per_row = 0;
  std::int64_t row_tiles = 1;
  const float* bias = nullptr;      // [n] or null
  const float* residual = nullptr;  // like dst, or null
  float* dst = nullptr;             // [rows, n], gated: [rows, n/2]
  LinearActivation activation = LinearActivation::kNone;
  bool gated = false;
};

// Rows are cut into tiles of almost equal size.
inline std::int64_t RowTileBegin(const LinearCall& call, std::int64_t tile) {
  return call.rows * tile / call.row_tiles;
}

// One format at one instruction set.
struct LinearKernel {
  int max_row_tile = 1;
  // Whether units of a single row are x itself, so that nothing has to be prepared for one row.
  bool single_row_in_place = false;
  // Prepares the rows of one row tile.
  void (*prepare)(const LinearCall& call, std::int64_t row_tile) = nullptr;
  // Panels [panel_begin, panel_end) times row tiles [tile_begin, tile_end).
  void (*compute)(const LinearCall& call, std::int64_t panel_begin, std::int64_t panel_end,
                  std::int64_t tile_begin, std::int64_t tile_end) = nullptr;
};

inline std::int64_t CeilDiv(std::int64_t a, std::int64_t b) { return (a + b - 1) / b; }

inline std::int64_t UnitsPerRow(LinearFormat format, std::int64_t k) {
  switch (format) {
    case LinearFormat::kF32:
    case LinearFormat::kF16:
      return k;
    case LinearFormat::kBF16:
      return CeilDiv(k, 2);
    case LinearFormat::kI8:
      return 1 + CeilDiv(k, 4);
    case LinearFormat::kI4:
      return 9 * CeilDiv(k, 32);
  }
  return 0;
}

inline std::int64_t PanelBytes(LinearFormat format, std::int64_t k) {
  switch (format) {
    case LinearFormat::kF32:
      return k * kPanel * 4;
    case LinearFormat::kF16:
      return k * kPanel * 2;
    case LinearFormat::kBF16:
      return CeilDiv(k, 2) * kPanel * 4;
    case LinearFormat::kI8:
      return CeilDiv(k, 4) * kPanel * 4 + kPanel * 4;
    case LinearFormat::kI4:
      return CeilDiv(k, 32) * kI4BlockBytes;
  }
  return 0;
}

// Each level's table, indexed by LinearFormat; an entry with a null compute is not there.
extern const LinearKernel kLinearScalar[kLinearFormats];
extern const LinearKernel kLinearAvx2[kLinearFormats];
extern const LinearKernel kLinearAvx512F32;
extern const LinearKernel kLinearAvx512F16;
extern const LinearKernel kLinearAvx512BF16;
extern const LinearKernel kLinearAvx512I8;
extern const LinearKernel kLinearAvx512I4;

}  // namespace zhibi::cpu
