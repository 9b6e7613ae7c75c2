// SPDX-License-Identifier: Apache-2.0
#include "graph/ops/gather_rows.h"

#include <algorithm>

#include "graph/op_cost.h"
#include "graph/operand_rule.h"

namespace zhibi::graph {
namespace {

Result<std::vector<TensorDesc>> Infer(const Attrs&, std::span<const TensorDesc> src) {
  OperandRule rule("gather_rows", src, {"x", "rows"}, 2);
  rule.Type(0, DType::kF32);
  rule.Rank(0, 2);
  rule.Type(1, DType::kI32);
  rule.Rank(1, 1);
  if (!rule.ok()) return rule.status();
  return std::vector<TensorDesc>{{DType::kF32, {rule.dim(1, 0), rule.dim(0, 1)}}};
}

void Reference(const ReferenceArgs& args) {
  const std::int64_t n = args.src[0].cols();
  const std::int64_t tokens = args.src[0].dims[0];
  const auto* rows = args.src[1].as<std::int32_t>();
  for (std::int64_t r = 0; r < args.dst[0].dims[0]; ++r) {
    float* y = args.dst[0].as<float>() + r * n;
    if (rows[r] < 0 || rows[r] >= tokens) {
      std::fill_n(y, n, 0.0F);
    } else {
      std::copy_n(args.src[0].as<float>() + rows[r] * n, n, y);
    }
  }
}

Cost CostOf(const Attrs&, std::span<const TensorView> src, std::span<const TensorView> dst) {
  return StreamingCost(0, src, dst);
}

std::string Describe(const Attrs&) { return {}; }

}  // namespace

const OpDef kOp_gather_rows = {
    .name = "gather_rows",
    .version = 1,
    .attrs_bytes = sizeof(GatherRowsAttrs),
    .has_effect = false,
    .infer = &Infer,
    .reference = &Reference,
    .cost = &CostOf,
    .describe = &Describe,
};

}  // namespace zhibi::graph
