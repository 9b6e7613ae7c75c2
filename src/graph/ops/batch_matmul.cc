// SPDX-License-Identifier: Apache-2.0
#include "graph/ops/batch_matmul.h"

#include <fmt/format.h>

#include "graph/op_cost.h"
#include "graph/operand_rule.h"

namespace zhibi::graph {
namespace {

Result<std::vector<TensorDesc>> Infer(const Attrs& attrs, std::span<const TensorDesc> src) {
  const auto a = attrs.As<BatchMatmulAttrs>();
  OperandRule rule("batch_matmul", src, {"a", "b"}, 2);
  rule.AttributeIn("transpose_b", a.transpose_b, 0, 1);
  rule.Type(0, DType::kF32);
  rule.Type(1, DType::kF32);
  rule.RankAtLeast(0, 2);
  rule.Rank(1, static_cast<int>(rule.shape(0).size()));
  for (int axis = 0; axis + 2 < static_cast<int>(rule.shape(0).size()); ++axis) {
    rule.HasDim(1, axis, rule.dim(0, axis));
  }
  rule.HasDim(1, a.transpose_b != 0 ? -1 : -2, rule.last(0));
  if (!rule.ok()) return rule.status();
  TensorDesc result = src[0];
  result.shape.back() = rule.dim(1, a.transpose_b != 0 ? -2 : -1);
  return std::vector<TensorDesc>{std::move(result)};
}

void Reference(const ReferenceArgs& args) {
  const bool transposed = args.attrs->As<BatchMatmulAttrs>().transpose_b != 0;
  const TensorView& a = args.src[0];
  const TensorView& dst = args.dst[0];
  const std::int64_t k = a.cols();
  const std::int64_t n = dst.cols();
  const std::int64_t m = dst.dims[static_cast<std::size_t>(dst.rank - 2)];
  for (std::int64_t r = 0; r < dst.rows(); ++r) {
    const float* b = args.src[1].as<float>() + r / m * k * n;
    const float* x = a.as<float>() + r * k;
    for (std::int64_t j = 0; j < n; ++j) {
      double sum = 0;
      for (std::int64_t i = 0; i < k; ++i) {
        sum += static_cast<double>(x[i]) * (transposed ? b[j * k + i] : b[i * n + j]);
      }
      dst.as<float>()[r * n + j] = static_cast<float>(sum);
    }
  }
}

Cost CostOf(const Attrs&, std::span<const TensorView> src, std::span<const TensorView> dst) {
  return StreamingCost(2.0 * static_cast<double>(src[0].cols()), src, dst);
}

std::string Describe(const Attrs& attrs) {
  return fmt::format("transpose_b={}", attrs.As<BatchMatmulAttrs>().transpose_b);
}

}  // namespace

const OpDef kOp_batch_matmul = {
    .name = "batch_matmul",
    .version = 1,
    .attrs_bytes = sizeof(BatchMatmulAttrs),
    .has_effect = false,
    .infer = &Infer,
    .reference = &Reference,
    .cost = &CostOf,
    .describe = &Describe,
};

}  // namespace zhibi::graph
