// SPDX-License-Identifier: Apache-2.0
#include "graph/ops/select_tokens.h"

#include "graph/op_cost.h"
#include "graph/operand_rule.h"

namespace zhibi::graph {
namespace {

Result<std::vector<TensorDesc>> Infer(const Attrs&, std::span<const TensorDesc> src) {
  OperandRule rule("select_tokens", src, {"host_ids", "token_source", "previous_samples"}, 3);
  rule.Rank(0, 1);
  rule.Type(0, DType::kI32);
  rule.Tensor(1, DType::kI32, rule.shape(0));
  rule.Rank(2, 1);
  rule.Type(2, DType::kI32);
  if (!rule.ok()) return rule.status();
  return std::vector<TensorDesc>{src[0]};
}

void Reference(const ReferenceArgs& args) {
  const auto* host = args.src[0].as<std::int32_t>();
  const auto* source = args.src[1].as<std::int32_t>();
  const auto* previous = args.src[2].as<std::int32_t>();
  const std::int64_t previous_rows = args.src[2].elements();
  auto* ids = args.dst[0].as<std::int32_t>();
  for (std::int64_t i = 0; i < args.dst[0].elements(); ++i) {
    const bool from_host = source[i] < 0 || source[i] >= previous_rows;
    ids[i] = from_host ? host[i] : previous[source[i]];
  }
}

Cost CostOf(const Attrs&, std::span<const TensorView> src, std::span<const TensorView> dst) {
  return StreamingCost(0, src, dst);
}

std::string Describe(const Attrs&) { return {}; }

}  // namespace

const OpDef kOp_select_tokens = {
    .name = "select_tokens",
    .version = 1,
    .attrs_bytes = sizeof(SelectTokensAttrs),
    .has_effect = false,
    .infer = &Infer,
    .reference = &Reference,
    .cost = &CostOf,
    .describe = &Describe,
};

}  // namespace zhibi::graph
