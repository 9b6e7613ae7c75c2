// SPDX-License-Identifier: Apache-2.0
#include "graph/ops/rms_norm.h"

#include <cmath>

#include <fmt/format.h>

#include "graph/op_cost.h"
#include "graph/operand_rule.h"

namespace zhibi::graph {
namespace {

Result<std::vector<TensorDesc>> Infer(const Attrs& attrs, std::span<const TensorDesc> src) {
  const auto a = attrs.As<RmsNormAttrs>();
  OperandRule rule("rms_norm", src, {"x", "weight"}, 2);
  rule.Attribute(a.eps >= 0 && std::isfinite(a.eps), "eps", ">= 0 and finite", a.eps);
  rule.Attribute(a.width >= 0, "width", ">= 0", a.width);
  rule.Type(0, DType::kF32);
  if (rule.ok() && a.width > 0) {
    rule.HasDim(0, -1, Dim::FloorDiv(rule.last(0), a.width) * a.width);
  }
  rule.WeightShape(1, {a.width > 0 ? Dim(a.width) : rule.last(0)});
  if (!rule.ok()) return rule.status();
  return std::vector<TensorDesc>{src[0]};
}

void Reference(const ReferenceArgs& args) {
  const auto a = args.attrs->As<RmsNormAttrs>();
  const std::int64_t width = a.width > 0 ? a.width : args.src[0].cols();
  const float* weight = args.src[1].as<float>();
  for (std::int64_t g = 0; g < args.src[0].elements() / width; ++g) {
    const float* x = args.src[0].as<float>() + g * width;
    float* y = args.dst[0].as<float>() + g * width;
    double squares = 0;
    for (std::int64_t i = 0; i < width; ++i) squares += static_cast<double>(x[i]) * x[i];
    const auto scale =
        static_cast<float>(1 / std::sqrt(squares / static_cast<double>(width) + a.eps));
    for (std::int64_t i = 0; i < width; ++i) y[i] = x[i] * scale * weight[i];
  }
}

Cost CostOf(const Attrs&, std::span<const TensorView> src, std::span<const TensorView> dst) {
  return StreamingCost(4, src, dst);
}

std::string Describe(const Attrs& attrs) {
  const auto a = attrs.As<RmsNormAttrs>();
  return fmt::format("eps={} width={}", a.eps, a.width);
}

}  // namespace

const OpDef kOp_rms_norm = {
    .name = "rms_norm",
    .version = 1,
    .attrs_bytes = sizeof(RmsNormAttrs),
    .has_effect = false,
    .infer = &Infer,
    .reference = &Reference,
    .cost = &CostOf,
    .describe = &Describe,
};

}  // namespace zhibi::graph
