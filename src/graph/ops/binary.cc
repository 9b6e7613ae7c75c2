// SPDX-License-Identifier: Apache-2.0
#include "graph/ops/binary.h"

#include "graph/op_cost.h"
#include "graph/operand_rule.h"

namespace zhibi::graph {
namespace {

std::string_view KindName(BinaryKind kind) {
  switch (kind) {
    case BinaryKind::kAdd:
      return "add";
    case BinaryKind::kSub:
      return "sub";
    case BinaryKind::kMul:
      return "mul";
    case BinaryKind::kDiv:
      return "div";
  }
  return "unknown";
}

Result<std::vector<TensorDesc>> Infer(const Attrs& attrs, std::span<const TensorDesc> src) {
  OperandRule rule("binary", src, {"a", "b"}, 2);
  rule.AttributeIn("kind", static_cast<std::int64_t>(attrs.As<BinaryAttrs>().kind), 0,
                   static_cast<std::int64_t>(BinaryKind::kDiv));
  rule.Type(0, DType::kF32);
  rule.Type(1, DType::kF32);
  const bool one_element = rule.shape(1) == Shape{1};
  if (!one_element && rule.shape(1).size() == 1) rule.HasDim(1, 0, rule.last(0));
  if (!one_element && rule.shape(1).size() != 1) rule.HasShape(1, rule.shape(0));
  if (!rule.ok()) return rule.status();
  return std::vector<TensorDesc>{src[0]};
}

float Apply(BinaryKind kind, float a, float b) {
  switch (kind) {
    case BinaryKind::kAdd:
      return a + b;
    case BinaryKind::kSub:
      return a - b;
    case BinaryKind::kMul:
      return a * b;
    case BinaryKind::kDiv:
      return a / b;
  }
  return a;
}

void Reference(const ReferenceArgs& args) {
  const auto kind = args.attrs->As<BinaryAttrs>().kind;
  const float* a = args.src[0].as<float>();
  const float* b = args.src[1].as<float>();
  float* y = args.dst[0].as<float>();
  const std::int64_t period = args.src[1].elements();  // all, the last axis, or 1
  for (std::int64_t i = 0; i < args.dst[0].elements(); ++i) y[i] = Apply(kind, a[i], b[i % period]);
}

Cost CostOf(const Attrs&, std::span<const TensorView> src, std::span<const TensorView> dst) {
  return StreamingCost(1, src, dst);
}

std::string Describe(const Attrs& attrs) {
  return "kind=" + std::string(KindName(attrs.As<BinaryAttrs>().kind));
}

}  // namespace

const OpDef kOp_binary = {
    .name = "binary",
    .version = 1,
    .attrs_bytes = sizeof(BinaryAttrs),
    .has_effect = false,
    .infer = &Infer,
    .reference = &Reference,
    .cost = &CostOf,
    .describe = &Describe,
};

}  // namespace zhibi::graph
