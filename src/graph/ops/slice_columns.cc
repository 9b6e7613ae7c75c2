// SPDX-License-Identifier: Apache-2.0
#include "graph/ops/slice_columns.h"

#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include "graph/op_cost.h"
#include "graph/operand_rule.h"

namespace zhibi::graph {
namespace {

Result<std::vector<TensorDesc>> Infer(const Attrs& attrs, std::span<const TensorDesc> src) {
  const auto a = attrs.As<SliceColumnsAttrs>();
  OperandRule rule("slice_columns", src, {"x"}, 1);
  rule.Type(0, DType::kF32);
  rule.Rank(0, 2);
  const auto columns = rule.last(0).constant();
  std::int64_t end = 0;
  if (__builtin_add_overflow(a.begin, a.size, &end)) end = std::numeric_limits<std::int64_t>::max();
  if (rule.ok() && !columns) rule.HasDim(0, -1, Dim(end));
  if (columns) rule.AttributeIn("begin", a.begin, 0, *columns);
  if (columns && rule.ok()) rule.AttributeIn("size", a.size, 1, *columns - a.begin);
  if (!rule.ok()) return rule.status();
  return std::vector<TensorDesc>{{DType::kF32, {rule.dim(0, 0), a.size}}};
}

void Reference(const ReferenceArgs& args) {
  const auto a = args.attrs->As<SliceColumnsAttrs>();
  const std::int64_t n = args.src[0].cols();
  for (std::int64_t r = 0; r < args.dst[0].dims[0]; ++r) {
    std::copy_n(args.src[0].as<float>() + r * n + a.begin, a.size,
                args.dst[0].as<float>() + r * a.size);
  }
}

Cost CostOf(const Attrs&, std::span<const TensorView> src, std::span<const TensorView> dst) {
  return StreamingCost(0, src, dst);
}

std::string Describe(const Attrs& attrs) {
  const auto a = attrs.As<SliceColumnsAttrs>();
  return fmt::format("begin={} size={}", a.begin, a.size);
}

}  // namespace

const OpDef kOp_slice_columns = {
    .name = "slice_columns",
    .version = 1,
    .attrs_bytes = sizeof(SliceColumnsAttrs),
    .has_effect = false,
    .infer = &Infer,
    .reference = &Reference,
    .cost = &CostOf,
    .describe = &Describe,
};

}  // namespace zhibi::graph
