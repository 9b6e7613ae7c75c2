// SPDX-License-Identifier: Apache-2.0
#include "graph/ops/embedding.h"

#include <cmath>

#include <fmt/format.h>

#include "graph/op_cost.h"
#include "graph/operand_rule.h"

namespace zhibi::graph {
namespace {

Result<std::vector<TensorDesc>> Infer(const Attrs& attrs, std::span<const TensorDesc> src) {
  OperandRule rule("embedding", src, {"ids", "table"}, 2);
  const float scale = attrs.As<EmbeddingAttrs>().scale;
  rule.Attribute(std::isfinite(scale), "scale", "a finite number", scale);
  rule.Type(0, DType::kI32);
  rule.Rank(1, 2);
  rule.WeightShape(1, rule.shape(1));
  if (!rule.ok()) return rule.status();
  Shape shape = rule.shape(0);
  shape.push_back(rule.dim(1, 1));
  return std::vector<TensorDesc>{{DType::kF32, std::move(shape)}};
}

void Reference(const ReferenceArgs& args) {
  const float scale = args.attrs->As<EmbeddingAttrs>().scale;
  const std::int64_t vocab = args.src[1].dims[0];
  const std::int64_t hidden = args.src[1].cols();
  const auto* ids = args.src[0].as<std::int32_t>();
  for (std::int64_t t = 0; t < args.src[0].elements(); ++t) {
    const bool known = ids[t] >= 0 && ids[t] < vocab;
    const float* row = args.src[1].as<float>() + (known ? ids[t] * hidden : 0);
    float* y = args.dst[0].as<float>() + t * hidden;
    for (std::int64_t i = 0; i < hidden; ++i) y[i] = known ? row[i] * scale : 0;
  }
}

// Reads one row of the table a token, not the table.
Cost CostOf(const Attrs&, std::span<const TensorView>, std::span<const TensorView> dst) {
  return {.flops = static_cast<double>(dst[0].elements()), .bytes = 2 * BytesOf(dst[0])};
}

std::string Describe(const Attrs& attrs) {
  return fmt::format("scale={}", attrs.As<EmbeddingAttrs>().scale);
}

}  // namespace

const OpDef kOp_embedding = {
    .name = "embedding",
    .version = 1,
    .attrs_bytes = sizeof(EmbeddingAttrs),
    .has_effect = false,
    .infer = &Infer,
    .reference = &Reference,
    .cost = &CostOf,
    .describe = &Describe,
};

}  // namespace zhibi::graph
