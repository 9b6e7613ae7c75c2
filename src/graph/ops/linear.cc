// SPDX-License-Identifier: Apache-2.0
#include "graph/ops/linear.h"

#include <fmt/format.h>

#include "graph/op_cost.h"
#include "graph/operand_rule.h"

namespace zhibi::graph {
namespace {

Result<std::vector<TensorDesc>> Infer(const Attrs& attrs, std::span<const TensorDesc> src) {
  const auto a = attrs.As<LinearAttrs>();
  OperandRule rule("linear", src, {"x", "weight", "bias", "residual"}, 2);
  rule.AttributeIn("activation", static_cast<std::int64_t>(a.activation), 0, kLastActivation);
  rule.AttributeIn("gated", a.gated, 0, 1);
  rule.Type(0, DType::kF32);
  rule.Rank(1, 2);
  rule.WeightShape(1, {rule.dim(1, 0), rule.last(0)});
  const Dim n = rule.dim(1, 0);
  if (a.gated != 0) rule.HasDim(1, 0, Dim::FloorDiv(n, 2) * 2);
  rule.WeightShape(2, {n});
  if (!rule.ok()) return rule.status();
  TensorDesc result = src[0];
  result.shape.back() = a.gated != 0 ? Dim::FloorDiv(n, 2) : n;
  rule.Tensor(3, DType::kF32, result.shape);
  if (!rule.ok()) return rule.status();
  return std::vector<TensorDesc>{std::move(result)};
}

void Reference(const ReferenceArgs& args) {
  const std::int64_t k = args.src[0].cols();
  const std::int64_t n = args.src[1].dims[0];
  const float* weight = args.src[1].as<float>();
  for (std::int64_t j = 0; j < n; ++j) LinearReferenceRow(args, j, weight + j * k);
}

Cost CostOf(const Attrs&, std::span<const TensorView> src, std::span<const TensorView> dst) {
  Cost cost = StreamingCost(0, src, dst);
  cost.flops = 2.0 * static_cast<double>(src[0].elements()) * static_cast<double>(src[1].dims[0]);
  return cost;
}

std::string Describe(const Attrs& attrs) {
  const auto a = attrs.As<LinearAttrs>();
  return fmt::format("activation={} gated={}", ActivationName(a.activation), a.gated);
}

}  // namespace

const OpDef kOp_linear = {
    .name = "linear",
    .version = 1,
    .attrs_bytes = sizeof(LinearAttrs),
    .has_effect = false,
    .infer = &Infer,
    .reference = &Reference,
    .cost = &CostOf,
    .describe = &Describe,
};

// A gated pair (rows 2i and 2i + 1 of W) meets in dst[i]: row 2i leaves the activated gate there,
// row 2i + 1, which comes later, multiplies by it.
void LinearReferenceRow(const ReferenceArgs& args, std::int64_t row, const float* weight) {
  const auto a = args.attrs->As<LinearAttrs>();
  const std::int64_t k = args.src[0].cols();
  const std::int64_t n = args.dst[0].cols();
  const float* bias = args.src.size() > 2 ? args.src[2].as<float>() : nullptr;
  const float* residual = args.src.size() > 3 ? args.src[3].as<float>() : nullptr;
  for (std::int64_t r = 0; r < args.src[0].rows(); ++r) {
    const float* x = args.src[0].as<float>() + r * k;
    double sum = 0;
    for (std::int64_t i = 0; i < k; ++i) sum += static_cast<double>(x[i]) * weight[i];
    auto v = static_cast<float>(sum);
    if (bias != nullptr) v += bias[row];
    const std::int64_t column = a.gated != 0 ? row / 2 : row;
    float& y = args.dst[0].as<float>()[r * n + column];
    const float before = a.gated != 0 && row % 2 != 0 ? y : 1;
    const bool done = a.gated == 0 || row % 2 != 0;
    if (a.gated == 0 || row % 2 == 0) v = Activate(a.activation, v);
    v *= before;
    if (done && residual != nullptr) v += residual[r * n + column];
    y = v;
  }
}

}  // namespace zhibi::graph
