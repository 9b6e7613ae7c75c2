// SPDX-License-Identifier: Apache-2.0
#include "graph/ops/unary.h"

#include "graph/op_cost.h"
#include "graph/operand_rule.h"

namespace zhibi::graph {
namespace {

Result<std::vector<TensorDesc>> Infer(const Attrs& attrs, std::span<const TensorDesc> src) {
  OperandRule rule("unary", src, {"x"}, 1);
  rule.Type(0, DType::kF32);
  rule.AttributeIn("activation", static_cast<std::int64_t>(attrs.As<UnaryAttrs>().activation), 0,
                   kLastActivation);
  if (!rule.ok()) return rule.status();
  return std::vector<TensorDesc>{src[0]};
}

void Reference(const ReferenceArgs& args) {
  const auto activation = args.attrs->As<UnaryAttrs>().activation;
  const float* x = args.src[0].as<float>();
  float* y = args.dst[0].as<float>();
  for (std::int64_t i = 0; i < args.dst[0].elements(); ++i) y[i] = Activate(activation, x[i]);
}

Cost CostOf(const Attrs&, std::span<const TensorView> src, std::span<const TensorView> dst) {
  return StreamingCost(8, src, dst);
}

std::string Describe(const Attrs& attrs) {
  return "activation=" + std::string(ActivationName(attrs.As<UnaryAttrs>().activation));
}

}  // namespace

const OpDef kOp_unary = {
    .name = "unary",
    .version = 1,
    .attrs_bytes = sizeof(UnaryAttrs),
    .has_effect = false,
    .infer = &Infer,
    .reference = &Reference,
    .cost = &CostOf,
    .describe = &Describe,
};

}  // namespace zhibi::graph
