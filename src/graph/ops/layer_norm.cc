// SPDX-License-Identifier: Apache-2.0
#include "graph/ops/layer_norm.h"

#include <cmath>

#include <fmt/format.h>

#include "graph/op_cost.h"
#include "graph/operand_rule.h"

namespace zhibi::graph {
namespace {

Result<std::vector<TensorDesc>> Infer(const Attrs& attrs, std::span<const TensorDesc> src) {
  const auto a = attrs.As<LayerNormAttrs>();
  OperandRule rule("layer_norm", src, {"x", "weight", "bias"}, 2);
  rule.Attribute(a.eps >= 0 && std::isfinite(a.eps), "eps", ">= 0 and finite", a.eps);
  rule.Type(0, DType::kF32);
  rule.WeightShape(1, {rule.last(0)});
  rule.WeightShape(2, {rule.last(0)});
  if (!rule.ok()) return rule.status();
  return std::vector<TensorDesc>{src[0]};
}

void Reference(const ReferenceArgs& args) {
  const auto a = args.attrs->As<LayerNormAttrs>();
  const std::int64_t n = args.src[0].cols();
  const float* weight = args.src[1].as<float>();
  const float* bias = args.src.size() > 2 ? args.src[2].as<float>() : nullptr;
  for (std::int64_t r = 0; r < args.src[0].rows(); ++r) {
    const float* x = args.src[0].as<float>() + r * n;
    float* y = args.dst[0].as<float>() + r * n;
    double sum = 0;
    for (std::int64_t i = 0; i < n; ++i) sum += x[i];
    const double mean = sum / static_cast<double>(n);
    double squares = 0;
    for (std::int64_t i = 0; i < n; ++i) squares += (x[i] - mean) * (x[i] - mean);
    const double scale = 1 / std::sqrt(squares / static_cast<double>(n) + a.eps);
    for (std::int64_t i = 0; i < n; ++i) {
      y[i] = static_cast<float>((x[i] - mean) * scale) * weight[i];
      if (bias != nullptr) y[i] += bias[i];
    }
  }
}

Cost CostOf(const Attrs&, std::span<const TensorView> src, std::span<const TensorView> dst) {
  return StreamingCost(8, src, dst);
}

std::string Describe(const Attrs& attrs) {
  return fmt::format("eps={}", attrs.As<LayerNormAttrs>().eps);
}

}  // namespace

const OpDef kOp_layer_norm = {
    .name = "layer_norm",
    .version = 1,
    .attrs_bytes = sizeof(LayerNormAttrs),
    .has_effect = false,
    .infer = &Infer,
    .reference = &Reference,
    .cost = &CostOf,
    .describe = &Describe,
};

}  // namespace zhibi::graph
