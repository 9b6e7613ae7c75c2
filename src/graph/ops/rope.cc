// SPDX-License-Identifier: Apache-2.0
#include "graph/ops/rope.h"

#include <cmath>

#include <fmt/format.h>

#include "graph/op_cost.h"
#include "graph/operand_rule.h"

namespace zhibi::graph {
namespace {

Result<std::vector<TensorDesc>> Infer(const Attrs& attrs, std::span<const TensorDesc> src) {
  const auto a = attrs.As<RopeAttrs>();
  OperandRule rule("rope", src, {"x", "positions", "inv_freq"}, 3);
  CheckRopeAttrs(a, rule);
  rule.Type(0, DType::kF32);
  rule.Rank(0, 2);
  if (rule.ok()) rule.HasDim(0, -1, Dim::FloorDiv(rule.last(0), a.head_dim) * a.head_dim);
  rule.Tensor(1, DType::kI32, {rule.dim(0, 0)});
  rule.WeightShape(2, {a.rotary_dim / 2});
  if (!rule.ok()) return rule.status();
  return std::vector<TensorDesc>{src[0]};
}

void Reference(const ReferenceArgs& args) {
  const auto a = args.attrs->As<RopeAttrs>();
  const std::int64_t n = args.src[0].cols();
  const auto* positions = args.src[1].as<std::int32_t>();
  const float* inv_freq = args.src[2].as<float>();
  for (std::int64_t t = 0; t < args.src[0].dims[0]; ++t) {
    for (std::int64_t h = 0; h < n; h += a.head_dim) {
      RotateHead(a, inv_freq, positions[t], args.src[0].as<float>() + t * n + h,
                 args.dst[0].as<float>() + t * n + h);
    }
  }
}

Cost CostOf(const Attrs&, std::span<const TensorView> src, std::span<const TensorView> dst) {
  return StreamingCost(3, src, dst);
}

std::string Describe(const Attrs& attrs) {
  const auto a = attrs.As<RopeAttrs>();
  return fmt::format("head_dim={} rotary_dim={} interleaved={} attention_factor={}", a.head_dim,
                     a.rotary_dim, a.interleaved, a.attention_factor);
}

}  // namespace

void CheckRopeAttrs(const RopeAttrs& attrs, OperandRule& rule) {
  rule.AttributeIn("head_dim", attrs.head_dim, 1, kMaxHeadDim);
  rule.AttributeIn("rotary_dim", attrs.rotary_dim, 2, attrs.head_dim);
  rule.AttributeIn("rotary_dim % 2", attrs.rotary_dim % 2, 0, 0);
  rule.AttributeIn("interleaved", attrs.interleaved, 0, 1);
  rule.Attribute(std::isfinite(attrs.attention_factor), "attention_factor", "a finite number",
                 attrs.attention_factor);
}

void RotateHead(const RopeAttrs& attrs, const float* inv_freq, std::int32_t position,
                const float* x, float* y) {
  const std::int32_t half = attrs.rotary_dim / 2;
  for (std::int32_t i = 0; i < half; ++i) {
    const float angle = static_cast<float>(position) * inv_freq[i];
    const float c = std::cos(angle) * attrs.attention_factor;
    const float s = std::sin(angle) * attrs.attention_factor;
    const std::int32_t first = attrs.interleaved != 0 ? 2 * i : i;
    const std::int32_t second = attrs.interleaved != 0 ? 2 * i + 1 : i + half;
    const float a = x[first];
    const float b = x[second];
    y[first] = a * c - b * s;
    y[second] = b * c + a * s;
  }
  for (std::int32_t i = attrs.rotary_dim; i < attrs.head_dim; ++i) y[i] = x[i];
}

const OpDef kOp_rope = {
    .name = "rope",
    .version = 1,
    .attrs_bytes = sizeof(RopeAttrs),
    .has_effect = false,
    .infer = &Infer,
    .reference = &Reference,
    .cost = &CostOf,
    .describe = &Describe,
};

}  // namespace zhibi::graph
