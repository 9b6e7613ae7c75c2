// SPDX-License-Identifier: Apache-2.0
#include "graph/operand_rule.h"

#include <fmt/format.h>

namespace zhibi::graph {
namespace {

const Shape kNoShape;

bool IsWeightType(DType dtype) {
  return dtype == DType::kF32 || dtype == DType::kF16 || dtype == DType::kBF16 ||
         dtype == DType::kI8 || dtype == DType::kI4;
}

}  // namespace

OperandRule::OperandRule(std::string_view op, std::span<const TensorDesc> src,
                         std::initializer_list<std::string_view> names, int required)
    : op_(op), src_(src), names_(names) {
  if (src.size() > names_.size()) {
    status_ = InvalidArgumentError(
        fmt::format("{}: expected at most {} operands, got {}", op, names_.size(), src.size()));
    return;
  }
  for (int i = 0; i < required; ++i) {
    if (!Has(i)) Fail(i, "a tensor", "nothing");
  }
  for (std::size_t i = 0; i < src.size(); ++i) {
    if (src[i].shape.size() > static_cast<std::size_t>(kMaxRank)) {
      Fail(static_cast<int>(i), fmt::format("rank up to {}", kMaxRank),
           fmt::format("rank {}", src[i].shape.size()));
    }
  }
}

bool OperandRule::Has(int index) const { return !shape(index).empty(); }

const Shape& OperandRule::shape(int index) const {
  const auto i = static_cast<std::size_t>(index);
  return i < src_.size() ? src_[i].shape : kNoShape;
}

Dim OperandRule::dim(int index, int axis) const {
  const Shape& s = shape(index);
  const int at = axis < 0 ? axis + static_cast<int>(s.size()) : axis;
  if (at < 0 || at >= static_cast<int>(s.size())) return {};
  return s[static_cast<std::size_t>(at)];
}

void OperandRule::Fail(int index, const std::string& expected, const std::string& given) {
  if (!status_.ok()) return;
  status_ =
      InvalidArgumentError(fmt::format("{}: operand {}: expected {}, got {}", op_,
                                       names_[static_cast<std::size_t>(index)], expected, given));
}

void OperandRule::Type(int index, DType dtype) {
  if (!ok() || !Has(index)) return;
  const DType given = src_[static_cast<std::size_t>(index)].dtype;
  if (given != dtype) Fail(index, std::string(DTypeName(dtype)), std::string(DTypeName(given)));
}

void OperandRule::WeightShape(int index, const Shape& expected) {
  if (!ok() || !Has(index)) return;
  const DType given = src_[static_cast<std::size_t>(index)].dtype;
  if (!IsWeightType(given)) {
    Fail(index, "a weight of f32, f16, bf16, i8 or i4", std::string(DTypeName(given)));
  }
  HasShape(index, expected);
}

void OperandRule::Rank(int index, int rank) {
  if (!ok() || !Has(index)) return;
  if (shape(index).size() != static_cast<std::size_t>(rank)) {
    Fail(index, fmt::format("rank {}", rank), ShapeToString(shape(index), {}));
  }
}

void OperandRule::RankAtLeast(int index, int rank) {
  if (!ok() || !Has(index)) return;
  if (shape(index).size() < static_cast<std::size_t>(rank)) {
    Fail(index, fmt::format("rank {} or more", rank), ShapeToString(shape(index), {}));
  }
}

void OperandRule::HasShape(int index, const Shape& expected) {
  if (!ok() || !Has(index)) return;
  if (shape(index) != expected) {
    Fail(index, "shape " + ShapeToString(expected, {}), ShapeToString(shape(index), {}));
  }
}

void OperandRule::HasDim(int index, int axis, const Dim& expected) {
  if (!ok() || !Has(index)) return;
  if (!(dim(index, axis) == expected)) {
    Fail(index, fmt::format("{} on axis {}", expected.ToString({}), axis),
         ShapeToString(shape(index), {}));
  }
}

void OperandRule::Tensor(int index, DType dtype, const Shape& expected) {
  Type(index, dtype);
  HasShape(index, expected);
}

void OperandRule::Attribute(bool holds, std::string_view name, std::string_view expected,
                            double given) {
  if (!ok() || holds) return;
  status_ = InvalidArgumentError(
      fmt::format("{}: attribute {}: expected {}, got {}", op_, name, expected, given));
}

void OperandRule::AttributeIn(std::string_view name, std::int64_t value, std::int64_t low,
                              std::int64_t high) {
  if (!ok() || (value >= low && value <= high)) return;
  status_ = InvalidArgumentError(
      fmt::format("{}: attribute {}: expected {}..{}, got {}", op_, name, low, high, value));
}

}  // namespace zhibi::graph
