// SPDX-License-Identifier: Apache-2.0
// The default layout "row_major": a weight's rows one after the other in its format, then the
// scales. Read by the reference backend and by kernels that pick single rows (embedding). Vectors
// are f32 whatever the format. Pure functions.
//
//   elements  rows * row_bytes; f32, f16, bf16, i8 codes, or i4 codes (two a byte, low nibble
//   first) (padding up to a multiple of 64) scales    i8: f32 [rows]; i4: f16 [rows, ceil(cols /
//   32)]; others: none (padding up to a multiple of 64)
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "backend/kernel.h"
#include "graph/op.h"
#include "quant/format.h"
#include "zhibi/status.h"

namespace zhibi::backend {

struct RowMajorLayout {
  quant::WeightFormat format;
  std::int64_t rows = 0;
  std::int64_t cols = 0;
  std::int64_t row_bytes = 0;
  std::int64_t scales_offset = 0;
  std::int64_t scale_row_bytes = 0;
  std::size_t bytes = 0;  // all, a multiple of 64
};

// Empty: row_major can hold the format. Otherwise the reason.
std::string RowMajorRefuses(const quant::WeightFormat& format);
// dims as the view says; a rank-1 view is one row of f32. The format must not be refused.
RowMajorLayout RowMajorOf(const graph::TensorView& view, const quant::WeightFormat& format);

// As KernelEntry::packed_bytes and pack, for entries that leave them nullptr. PackRowMajor:
// kInvalidArgument names weight, expected and given shape, format or room; errors of the source.
std::size_t RowMajorBytes(const OpQuery& query, int index);
Status PackRowMajor(const OpQuery& query, int index, const PackSource& source,
                    std::span<std::byte> dst);

// One row as floats; dst: cols floats. No allocation.
void ReadRowMajorRow(const std::byte* weight, const RowMajorLayout& layout, std::int64_t row,
                     float* dst);

}  // namespace zhibi::backend
