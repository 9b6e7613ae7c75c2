// SPDX-License-Identifier: Apache-2.0
#include "graph/ops/softmax.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "graph/op_cost.h"
#include "graph/operand_rule.h"

namespace zhibi::graph {
namespace {

Result<std::vector<TensorDesc>> Infer(const Attrs& attrs, std::span<const TensorDesc> src) {
  OperandRule rule("softmax", src, {"x"}, 1);
  rule.Type(0, DType::kF32);
  const float scale = attrs.As<SoftmaxAttrs>().scale;
  rule.Attribute(std::isfinite(scale), "scale", "a finite number", scale);
  if (!rule.ok()) return rule.status();
  return std::vector<TensorDesc>{src[0]};
}

void Reference(const ReferenceArgs& args) {
  const float scale = args.attrs->As<SoftmaxAttrs>().scale;
  const std::int64_t n = args.src[0].cols();
  for (std::int64_t r = 0; r < args.src[0].rows(); ++r) {
    const float* x = args.src[0].as<float>() + r * n;
    float* y = args.dst[0].as<float>() + r * n;
    float largest = -std::numeric_limits<float>::infinity();
    for (std::int64_t i = 0; i < n; ++i) largest = std::max(largest, x[i] * scale);
    double sum = 0;
    for (std::int64_t i = 0; i < n; ++i) {
      y[i] = std::exp(x[i] * scale - largest);
      sum += y[i];
    }
    for (std::int64_t i = 0; i < n; ++i) y[i] = static_cast<float>(y[i] / sum);
  }
}

Cost CostOf(const Attrs&, std::span<const TensorView> src, std::span<const TensorView> dst) {
  return StreamingCost(10, src, dst);
}

std::string Describe(const Attrs& attrs) {
  return fmt::format("scale={}", attrs.As<SoftmaxAttrs>().scale);
}

}  // namespace

const OpDef kOp_softmax = {
    .name = "softmax",
    .version = 1,
    .attrs_bytes = sizeof(SoftmaxAttrs),
    .has_effect = false,
    .infer = &Infer,
    .reference = &Reference,
    .cost = &CostOf,
    .describe = &Describe,
};

}  // namespace zhibi::graph
