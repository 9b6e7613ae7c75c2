// SPDX-License-Identifier: Apache-2.0
#include "backend/row_major.h"

#include <algorithm>
#include <cstring>
#include <vector>

#include <fmt/format.h>

#include "base/status_macros.h"
#include "quant/codec.h"

namespace zhibi::backend {
namespace {

constexpr std::int64_t kAlignment = 64;
// Rows that are read as floats at once: bounds what packing needs beside the result.
constexpr std::int64_t kRowsAtOnce = 64;

std::int64_t RoundUp(std::int64_t bytes) {
  return (bytes + kAlignment - 1) / kAlignment * kAlignment;
}

std::size_t Size(std::int64_t n) { return static_cast<std::size_t>(n); }

// Encodes one row of floats.
void EncodeRow(const RowMajorLayout& layout, std::int64_t row, std::span<const float> src,
               std::byte* base) {
  std::byte* elements = base + row * layout.row_bytes;
  std::byte* scales = base + layout.scales_offset + row * layout.scale_row_bytes;
  switch (layout.format.dtype) {
    case DType::kF16:
      quant::F32ToF16Row(src, {reinterpret_cast<std::uint16_t*>(elements), src.size()});
      return;
    case DType::kBF16:
      quant::F32ToBF16Row(src, {reinterpret_cast<std::uint16_t*>(elements), src.size()});
      return;
    case DType::kI8: {
      const float scale =
          quant::QuantizeRowI8(src, {reinterpret_cast<std::int8_t*>(elements), src.size()});
      std::memcpy(scales, &scale, sizeof(scale));
      return;
    }
    case DType::kI4:
      quant::QuantizeRowI4(
          src, {reinterpret_cast<std::uint8_t*>(elements), Size(layout.row_bytes)},
          {reinterpret_cast<std::uint16_t*>(scales), Size(layout.scale_row_bytes / 2)});
      return;
    default:
      std::memcpy(elements, src.data(), src.size_bytes());
  }
}

}  // namespace

std::string RowMajorRefuses(const quant::WeightFormat& format) {
  if (format.zero_points) return "row_major has no zero points";
  switch (format.dtype) {
    case DType::kF32:
    case DType::kF16:
    case DType::kBF16:
      return {};
    case DType::kI8:
      return format.group == 0 ? "" : "row_major has one scale a row for i8";
    case DType::kI4:
      return format.group == quant::kI4Group ? "" : "row_major has groups of 32 for i4";
    default:
      return fmt::format("row_major holds no {} weights", DTypeName(format.dtype));
  }
}

RowMajorLayout RowMajorOf(const graph::TensorView& view, const quant::WeightFormat& format) {
  RowMajorLayout layout;
  layout.format = view.rank < 2 ? quant::WeightFormat{} : format;
  layout.cols = view.cols();
  layout.rows = view.rank < 2 ? 1 : view.rows();
  layout.row_bytes = layout.cols * DTypeBits(layout.format.dtype) / 8;
  if (layout.format.dtype == DType::kI8) layout.scale_row_bytes = 4;
  if (layout.format.dtype == DType::kI4) {
    layout.row_bytes = quant::I4RowBytes(layout.cols);
    layout.scale_row_bytes = 2 * quant::I4RowGroups(layout.cols);
  }
  layout.scales_offset = RoundUp(layout.rows * layout.row_bytes);
  layout.bytes = Size(layout.scales_offset + RoundUp(layout.rows * layout.scale_row_bytes));
  return layout;
}

std::size_t RowMajorBytes(const OpQuery& query, int index) {
  return RowMajorOf(query.src[Size(index)], query.formats[Size(index)]).bytes;
}

Status PackRowMajor(const OpQuery& query, int index, const PackSource& source,
                    std::span<std::byte> dst) {
  const graph::Weight& weight = *source.weight;
  const graph::TensorView& view = query.src[Size(index)];
  const std::string refusal = RowMajorRefuses(query.formats[Size(index)]);
  if (!refusal.empty()) {
    return InvalidArgumentError(fmt::format("weight {}: {}", weight.name, refusal));
  }
  const RowMajorLayout layout = RowMajorOf(view, query.formats[Size(index)]);
  std::int64_t elements = 1;
  for (const std::int64_t n : weight.shape) elements *= n;
  if (elements != view.elements() || weight.shape.size() != Size(view.rank)) {
    return InvalidArgumentError(fmt::format("weight {}: expected {} elements of rank {}, got {}",
                                            weight.name, view.elements(), view.rank, elements));
  }
  if (dst.size() < layout.bytes) {
    return InvalidArgumentError(fmt::format("weight {}: expected room for {} bytes, got {}",
                                            weight.name, layout.bytes, dst.size()));
  }
  std::fill(dst.begin(), dst.end(), std::byte{0});
  if (view.rank < 2) {
    return graph::ReadWeightF32(weight, *source.source, 0,
                                weight.shape.empty() ? 1 : weight.shape[0],
                                {reinterpret_cast<float*>(dst.data()), Size(layout.cols)});
  }
  if (layout.format.dtype == DType::kI8 && graph::IsStoredI8(weight, *source.source)) {
    return graph::ReadWeightI8(
        weight, *source.source, 0, layout.rows,
        {reinterpret_cast<std::int8_t*>(dst.data()), Size(layout.rows * layout.cols)},
        {reinterpret_cast<float*>(dst.data() + layout.scales_offset), Size(layout.rows)});
  }
  std::vector<float> rows(Size(std::min(kRowsAtOnce, layout.rows) * layout.cols));
  for (std::int64_t begin = 0; begin < layout.rows; begin += kRowsAtOnce) {
    const std::int64_t count = std::min(kRowsAtOnce, layout.rows - begin);
    const std::span<float> chunk(rows.data(), Size(count * layout.cols));
    ZB_RETURN_IF_ERROR(graph::ReadWeightF32(weight, *source.source, begin, count, chunk));
    for (std::int64_t r = 0; r < count; ++r) {
      EncodeRow(layout, begin + r, chunk.subspan(Size(r * layout.cols), Size(layout.cols)),
                dst.data());
    }
  }
  return OkStatus();
}

void ReadRowMajorRow(const std::byte* weight, const RowMajorLayout& layout, std::int64_t row,
                     float* dst) {
  const std::byte* elements = weight + row * layout.row_bytes;
  const std::byte* scales = weight + layout.scales_offset + row * layout.scale_row_bytes;
  const std::size_t cols = Size(layout.cols);
  const std::span<float> out(dst, cols);
  switch (layout.format.dtype) {
    case DType::kF16:
      quant::F16ToF32Row({reinterpret_cast<const std::uint16_t*>(elements), cols}, out);
      return;
    case DType::kBF16:
      quant::BF16ToF32Row({reinterpret_cast<const std::uint16_t*>(elements), cols}, out);
      return;
    case DType::kI8: {
      float scale = 0;
      std::memcpy(&scale, scales, sizeof(scale));
      quant::DequantizeRowI8({reinterpret_cast<const std::int8_t*>(elements), cols}, scale, out);
      return;
    }
    case DType::kI4:
      quant::DequantizeRowI4(
          {reinterpret_cast<const std::uint8_t*>(elements), Size(layout.row_bytes)},
          {reinterpret_cast<const std::uint16_t*>(scales), Size(layout.scale_row_bytes / 2)}, out);
      return;
    default:
      std::memcpy(dst, elements, cols * sizeof(float));
  }
}

}  // namespace zhibi::backend
