// SPDX-License-Identifier: Apache-2.0
#include "graph/ops/add_rms_norm.h"

#include <cmath>

#include <fmt/format.h>

#include "graph/op_cost.h"
#include "graph/operand_rule.h"

namespace zhibi::graph {
namespace {

Result<std::vector<TensorDesc>> Infer(const Attrs& attrs, std::span<const TensorDesc> src) {
  const auto a = attrs.As<AddRmsNormAttrs>();
  OperandRule rule("add_rms_norm", src, {"x", "residual", "weight"}, 3);
  rule.Attribute(a.eps >= 0 && std::isfinite(a.eps), "eps", ">= 0 and finite", a.eps);
  rule.Type(0, DType::kF32);
  rule.Tensor(1, DType::kF32, rule.shape(0));
  rule.WeightShape(2, {rule.last(0)});
  if (!rule.ok()) return rule.status();
  return std::vector<TensorDesc>{src[0], src[0]};
}

void Reference(const ReferenceArgs& args) {
  const auto a = args.attrs->As<AddRmsNormAttrs>();
  const std::int64_t n = args.src[0].cols();
  const float* weight = args.src[2].as<float>();
  for (std::int64_t r = 0; r < args.src[0].rows(); ++r) {
    const float* x = args.src[0].as<float>() + r * n;
    const float* residual = args.src[1].as<float>() + r * n;
    float* sum = args.dst[0].as<float>() + r * n;
    float* y = args.dst[1].as<float>() + r * n;
    double squares = 0;
    for (std::int64_t i = 0; i < n; ++i) {
      sum[i] = x[i] + residual[i];
      squares += static_cast<double>(sum[i]) * sum[i];
    }
    const auto scale = static_cast<float>(1 / std::sqrt(squares / static_cast<double>(n) + a.eps));
    for (std::int64_t i = 0; i < n; ++i) y[i] = sum[i] * scale * weight[i];
  }
}

Cost CostOf(const Attrs&, std::span<const TensorView> src, std::span<const TensorView> dst) {
  return StreamingCost(3, src, dst);
}

std::string Describe(const Attrs& attrs) {
  return fmt::format("eps={}", attrs.As<AddRmsNormAttrs>().eps);
}

}  // namespace

const OpDef kOp_add_rms_norm = {
    .name = "add_rms_norm",
    .version = 1,
    .attrs_bytes = sizeof(AddRmsNormAttrs),
    .has_effect = false,
    .infer = &Infer,
    .reference = &Reference,
    .cost = &CostOf,
    .describe = &Describe,
};

}  // namespace zhibi::graph
