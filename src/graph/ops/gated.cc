// SPDX-License-Identifier: Apache-2.0
#include "graph/ops/gated.h"

#include "graph/op_cost.h"
#include "graph/operand_rule.h"

namespace zhibi::graph {
namespace {

Result<std::vector<TensorDesc>> Infer(const Attrs& attrs, std::span<const TensorDesc> src) {
  OperandRule rule("gated", src, {"gate", "up"}, 1);
  rule.AttributeIn("activation", static_cast<std::int64_t>(attrs.As<GatedAttrs>().activation), 0,
                   kLastActivation);
  rule.Type(0, DType::kF32);
  rule.Tensor(1, DType::kF32, rule.shape(0));
  TensorDesc result = src.empty() ? TensorDesc{} : src[0];
  if (rule.ok() && !rule.Has(1)) {
    const Dim half = Dim::FloorDiv(rule.last(0), 2);
    rule.HasDim(0, -1, half * 2);
    result.shape.back() = half;
  }
  if (!rule.ok()) return rule.status();
  return std::vector<TensorDesc>{std::move(result)};
}

void Reference(const ReferenceArgs& args) {
  const auto activation = args.attrs->As<GatedAttrs>().activation;
  const bool interleaved = args.src.size() < 2 || args.src[1].data == nullptr;
  const float* gate = args.src[0].as<float>();
  const float* up = interleaved ? gate + 1 : args.src[1].as<float>();
  const std::int64_t stride = interleaved ? 2 : 1;
  float* y = args.dst[0].as<float>();
  for (std::int64_t i = 0; i < args.dst[0].elements(); ++i) {
    y[i] = Activate(activation, gate[i * stride]) * up[i * stride];
  }
}

Cost CostOf(const Attrs&, std::span<const TensorView> src, std::span<const TensorView> dst) {
  return StreamingCost(10, src, dst);
}

std::string Describe(const Attrs& attrs) {
  return "activation=" + std::string(ActivationName(attrs.As<GatedAttrs>().activation));
}

}  // namespace

const OpDef kOp_gated = {
    .name = "gated",
    .version = 1,
    .attrs_bytes = sizeof(GatedAttrs),
    .has_effect = false,
    .infer = &Infer,
    .reference = &Reference,
    .cost = &CostOf,
    .describe = &Describe,
};

}  // namespace zhibi::graph
