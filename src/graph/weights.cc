// SPDX-License-Identifier: Apache-2.0
#include "graph/weights.h"

#include <algorithm>
#include <cstring>
#include <string>
#include <utility>

#include "base/status_macros.h"
#include "quant/codec.h"

namespace zhibi::graph {
namespace {

std::string ShapeOf(std::span<const std::int64_t> shape) {
  std::string text = "[";
  for (const std::int64_t size : shape) {
    if (text.size() > 1) text += ", ";
    text += std::to_string(size);
  }
  return text + "]";
}

std::int64_t ColumnsOf(const Weight& weight) {
  return weight.shape.size() == 2 ? weight.shape[1] : 1;
}

Status CheckRange(const Weight& weight, std::int64_t row_begin, std::int64_t rows,
                  std::size_t dst_size) {
  const std::string where = "weight " + weight.name + ": ";
  if (weight.shape.empty() || weight.shape.size() > 2) {
    return InvalidArgumentError(where + "expected rank 1 or 2, got " + ShapeOf(weight.shape));
  }
  if (row_begin < 0 || rows < 0 || row_begin > weight.shape[0] ||
      rows > weight.shape[0] - row_begin) {
    return OutOfRangeError(where + "expected rows within 0.." + std::to_string(weight.shape[0]) +
                           ", got " + std::to_string(rows) + " from " + std::to_string(row_begin));
  }
  if (dst_size != static_cast<std::size_t>(rows) * static_cast<std::size_t>(ColumnsOf(weight))) {
    return InvalidArgumentError(where + "expected room for " + std::to_string(rows) + " rows of " +
                                std::to_string(ColumnsOf(weight)) + ", got " +
                                std::to_string(dst_size) + " elements");
  }
  return OkStatus();
}

// The stored tensors of all parts, checked against what the weight says of them.
Result<std::vector<StoredTensor>> FindParts(const Weight& weight, const WeightSource& source) {
  const std::string where = "weight " + weight.name + ": ";
  std::vector<StoredTensor> stored;
  std::int64_t rows = 0;
  for (const WeightPart& part : weight.parts) {
    ZB_ASSIGN_OR_RETURN(StoredTensor tensor, source.Find(part.tensor));
    std::vector<std::int64_t> logical = tensor.shape;
    if (weight.transpose && logical.size() == 2) std::swap(logical[0], logical[1]);
    const bool fits = logical.size() == weight.shape.size() &&
                      (logical.size() == 1 || logical[1] == weight.shape[1]) &&
                      part.row_begin >= 0 && part.rows >= 0 && part.row_begin <= logical[0] &&
                      part.rows <= logical[0] - part.row_begin;
    if (!fits) {
      return InvalidArgumentError(
          where + "tensor " + part.tensor + ": expected rows " + std::to_string(part.row_begin) +
          ".." + std::to_string(part.row_begin + part.rows) + " of " +
          std::to_string(ColumnsOf(weight)) + " columns, got shape " + ShapeOf(tensor.shape));
    }
    if (tensor.dtype == DType::kI8 &&
        tensor.row_scales.size() != static_cast<std::size_t>(tensor.shape[0])) {
      return InvalidArgumentError(where + "tensor " + part.tensor + ": expected " +
                                  std::to_string(tensor.shape[0]) + " scales, got " +
                                  std::to_string(tensor.row_scales.size()));
    }
    rows += part.rows;
    stored.push_back(std::move(tensor));
  }
  const bool halves = !weight.interleave ||
                      (weight.parts.size() == 2 && weight.parts[0].rows == weight.parts[1].rows);
  if (rows != weight.shape[0] || !halves) {
    return InvalidArgumentError(
        where + "expected parts of " + std::to_string(weight.shape[0]) + " rows together" +
        (weight.interleave ? ", two of equal size" : "") + ", got " +
        std::to_string(weight.parts.size()) + " parts of " + std::to_string(rows));
  }
  return stored;
}

// Which part holds a row, and which row of its stored tensor it is.
std::pair<std::size_t, std::int64_t> Locate(const Weight& weight, std::int64_t row) {
  if (weight.interleave) {
    const auto part = static_cast<std::size_t>(row % 2);
    return {part, weight.parts[part].row_begin + row / 2};
  }
  std::size_t part = 0;
  while (row >= weight.parts[part].rows) row -= weight.parts[part++].rows;
  return {part, weight.parts[part].row_begin + row};
}

template <typename Convert>
void WidenHalves(const std::byte* bytes, std::span<float> dst, Convert convert) {
  for (std::size_t i = 0; i < dst.size(); ++i) {
    std::uint16_t bits = 0;  // files give no alignment
    std::memcpy(&bits, bytes + 2 * i, 2);
    dst[i] = convert(bits);
  }
}

void WidenRow(const StoredTensor& tensor, std::int64_t row, std::span<float> dst) {
  const std::size_t first = static_cast<std::size_t>(row) * dst.size();
  switch (tensor.dtype) {
    case DType::kF16:
      WidenHalves(tensor.bytes.data() + 2 * first, dst, quant::F16ToF32);
      break;
    case DType::kBF16:
      WidenHalves(tensor.bytes.data() + 2 * first, dst, quant::BF16ToF32);
      break;
    case DType::kI8: {
      const float scale = tensor.row_scales[static_cast<std::size_t>(row)];
      const auto* values = reinterpret_cast<const std::int8_t*>(tensor.bytes.data()) + first;
      for (std::size_t i = 0; i < dst.size(); ++i) dst[i] = static_cast<float>(values[i]) * scale;
      break;
    }
    default:
      std::memcpy(dst.data(), tensor.bytes.data() + 4 * first, 4 * dst.size());
      break;
  }
}

// Column `column` of a tensor that is stored [cols, rows].
void WidenColumn(const StoredTensor& tensor, std::int64_t column, std::span<float> dst) {
  const auto width = static_cast<std::size_t>(tensor.shape[1]);
  const std::size_t size = static_cast<std::size_t>(DTypeBits(tensor.dtype)) / 8;
  StoredTensor one = tensor;
  for (std::size_t i = 0; i < dst.size(); ++i) {
    one.bytes = tensor.bytes.subspan((i * width + static_cast<std::size_t>(column)) * size, size);
    if (!tensor.row_scales.empty()) one.row_scales = tensor.row_scales.subspan(i, 1);
    WidenRow(one, 0, dst.subspan(i, 1));
  }
}

bool IsReadable(const StoredTensor& tensor) {
  if (tensor.dtype != DType::kF32 && tensor.dtype != DType::kF16 && tensor.dtype != DType::kBF16 &&
      tensor.dtype != DType::kI8) {
    return false;
  }
  std::size_t elements = 1;
  for (const std::int64_t size : tensor.shape) elements *= static_cast<std::size_t>(size);
  return tensor.bytes.size() == elements * static_cast<std::size_t>(DTypeBits(tensor.dtype)) / 8;
}

}  // namespace

Status ReadWeightF32(const Weight& weight, const WeightSource& source, std::int64_t row_begin,
                     std::int64_t rows, std::span<float> dst) {
  ZB_RETURN_IF_ERROR(CheckRange(weight, row_begin, rows, dst.size()));
  const auto columns = static_cast<std::size_t>(ColumnsOf(weight));
  if (!weight.constant.empty()) {
    if (weight.constant.size() != static_cast<std::size_t>(weight.shape[0]) * columns) {
      return InvalidArgumentError("weight " + weight.name + ": expected a constant of shape " +
                                  ShapeOf(weight.shape) + ", got " +
                                  std::to_string(weight.constant.size()) + " values");
    }
    const auto values = std::span(weight.constant)
                            .subspan(static_cast<std::size_t>(row_begin) * columns, dst.size());
    std::ranges::transform(values, dst.begin(), [&](float v) { return v + weight.add; });
    return OkStatus();
  }
  ZB_ASSIGN_OR_RETURN(const std::vector<StoredTensor> parts, FindParts(weight, source));
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (IsReadable(parts[i])) continue;
    return InvalidArgumentError("weight " + weight.name + ": tensor " + weight.parts[i].tensor +
                                ": expected f32, f16, bf16 or i8 of shape " +
                                ShapeOf(parts[i].shape) + ", got " +
                                std::string(DTypeName(parts[i].dtype)) + " in " +
                                std::to_string(parts[i].bytes.size()) + " bytes");
  }
  for (std::int64_t r = 0; r < rows; ++r) {
    const auto [part, row] = Locate(weight, row_begin + r);
    const std::span<float> out = dst.subspan(static_cast<std::size_t>(r) * columns, columns);
    if (weight.transpose && weight.shape.size() == 2) {
      WidenColumn(parts[part], row, out);
    } else {
      WidenRow(parts[part], row, out);
    }
    if (weight.add != 0) {
      for (float& value : out) value += weight.add;
    }
  }
  return OkStatus();
}

bool IsStoredI8(const Weight& weight, const WeightSource& source) {
  if (weight.transpose || weight.add != 0 || !weight.constant.empty() || weight.parts.empty()) {
    return false;
  }
  return std::ranges::all_of(weight.parts, [&](const WeightPart& part) {
    const Result<StoredTensor> tensor = source.Find(part.tensor);
    return tensor.ok() && tensor->dtype == DType::kI8 && !tensor->row_scales.empty();
  });
}

Status ReadWeightI8(const Weight& weight, const WeightSource& source, std::int64_t row_begin,
                    std::int64_t rows, std::span<std::int8_t> dst, std::span<float> row_scales) {
  ZB_RETURN_IF_ERROR(CheckRange(weight, row_begin, rows, dst.size()));
  if (row_scales.size() != static_cast<std::size_t>(rows)) {
    return InvalidArgumentError("weight " + weight.name + ": expected room for " +
                                std::to_string(rows) + " scales, got " +
                                std::to_string(row_scales.size()));
  }
  if (!IsStoredI8(weight, source)) {
    return FailedPreconditionError("weight " + weight.name + ": is not stored as int8");
  }
  ZB_ASSIGN_OR_RETURN(const std::vector<StoredTensor> parts, FindParts(weight, source));
  const auto columns = static_cast<std::size_t>(ColumnsOf(weight));
  for (const StoredTensor& part : parts) {
    if (!IsReadable(part)) {
      return InvalidArgumentError("weight " + weight.name + ": int8 bytes do not fill the shape");
    }
  }
  for (std::int64_t r = 0; r < rows; ++r) {
    const auto [part, row] = Locate(weight, row_begin + r);
    const auto at = static_cast<std::size_t>(row);
    std::memcpy(dst.data() + static_cast<std::size_t>(r) * columns,
                parts[part].bytes.data() + at * columns, columns);
    row_scales[static_cast<std::size_t>(r)] = parts[part].row_scales[at];
  }
  return OkStatus();
}

}  // namespace zhibi::graph
