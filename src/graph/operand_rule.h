// SPDX-License-Identifier: Apache-2.0
// Checks of an op's operands, so that a shape rule reads as a list of facts. The first fact that
// does not hold is kept as the Status, which names op, operand, what was expected and what came.
// One thread at a time.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "graph/op.h"

namespace zhibi::graph {

class OperandRule {
 public:
  // `names` of all operands in order; those from `required` on may be absent (rank 0, or past the
  // end).
  OperandRule(std::string_view op, std::span<const TensorDesc> src,
              std::initializer_list<std::string_view> names, int required);

  bool Has(int index) const;
  // The shape of an operand; empty where it is absent.
  const Shape& shape(int index) const;
  Dim dim(int index, int axis) const;  // negative axes count from the end; 0 where out of range
  Dim last(int index) const { return dim(index, -1); }

  void Type(int index, DType dtype);
  // A weight operand: any float or quantised dtype, the given shape.
  void WeightShape(int index, const Shape& expected);
  void Rank(int index, int rank);
  void RankAtLeast(int index, int rank);
  void HasShape(int index, const Shape& expected);
  // One dimension; see dim() for axes.
  void HasDim(int index, int axis, const Dim& expected);
  // Two facts in one: dtype and shape of an activation or an index list.
  void Tensor(int index, DType dtype, const Shape& expected);
  // A fact about attributes: "attribute eps: expected > 0, got -1".
  void Attribute(bool holds, std::string_view name, std::string_view expected, double given);
  void AttributeIn(std::string_view name, std::int64_t value, std::int64_t low, std::int64_t high);

  bool ok() const { return status_.ok(); }
  const Status& status() const { return status_; }

 private:
  void Fail(int index, const std::string& expected, const std::string& given);

  std::string_view op_;
  std::span<const TensorDesc> src_;
  std::vector<std::string_view> names_;
  Status status_;
};

}  // namespace zhibi::graph
