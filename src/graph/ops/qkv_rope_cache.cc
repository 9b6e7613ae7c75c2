// SPDX-License-Identifier: Apache-2.0
#include "graph/ops/qkv_rope_cache.h"

#include <array>
#include <cmath>

#include <fmt/format.h>

#include "graph/op_cost.h"
#include "graph/operand_rule.h"

namespace zhibi::graph {
namespace {

Result<std::vector<TensorDesc>> Infer(const Attrs& attrs, std::span<const TensorDesc> src) {
  const auto a = attrs.As<QkvRopeCacheAttrs>();
  OperandRule rule("qkv_rope_cache", src,
                   {"qkv", "positions", "inv_freq", "q_norm", "k_norm", "row_seq", "page_table"},
                   3);
  CheckCacheWriteAttrs(a.cache, rule);
  CheckRopeAttrs(a.rope, rule);
  rule.AttributeIn("heads", a.heads, 1, kMaxHeads);
  rule.AttributeIn("head_dim", a.cache.head_dim, a.rope.head_dim, a.rope.head_dim);
  rule.AttributeIn("value_dim", a.cache.value_dim, a.rope.head_dim, a.rope.head_dim);
  rule.Attribute(a.norm_eps >= 0 && std::isfinite(a.norm_eps), "norm_eps", ">= 0 and finite",
                 a.norm_eps);
  rule.Attribute(src.size() == 7, "operands", "7", static_cast<double>(src.size()));
  const Dim tokens = rule.dim(0, 0);
  const Dim head_dim = a.rope.head_dim;
  rule.Tensor(0, DType::kF32, {tokens, (Dim(a.heads) + 2 * Dim(a.cache.kv_heads)) * head_dim});
  rule.Tensor(1, DType::kI32, {tokens});
  rule.WeightShape(2, {a.rope.rotary_dim / 2});
  rule.WeightShape(3, {head_dim});
  rule.WeightShape(4, {head_dim});
  rule.Tensor(5, DType::kI32, {tokens});
  rule.Type(6, DType::kI32);
  rule.Rank(6, 2);
  if (!rule.ok()) return rule.status();
  return std::vector<TensorDesc>{{DType::kF32, {tokens, Dim(a.heads) * head_dim}}};
}

void NormHead(const float* x, const float* weight, float eps, std::int64_t n, float* y) {
  double squares = 0;
  for (std::int64_t i = 0; i < n; ++i) squares += static_cast<double>(x[i]) * x[i];
  const auto scale = static_cast<float>(1 / std::sqrt(squares / static_cast<double>(n) + eps));
  for (std::int64_t i = 0; i < n; ++i) y[i] = x[i] * scale * weight[i];
}

void Reference(const ReferenceArgs& args) {
  const auto a = args.attrs->As<QkvRopeCacheAttrs>();
  const std::int64_t head_dim = a.rope.head_dim;
  const std::int64_t kv_heads = a.cache.kv_heads;
  const auto* positions = args.src[1].as<std::int32_t>();
  const float* inv_freq = args.src[2].as<float>();
  const float* q_norm = args.src[3].as<float>();
  const float* k_norm = args.src[4].as<float>();
  const auto* row_seq = args.src[5].as<std::int32_t>();
  const CacheView& cache = args.caches[static_cast<std::size_t>(a.cache.group)];
  std::array<float, kMaxHeadDim> normed;
  std::array<float, kMaxHeadDim> rotated;
  const auto head = [&](const float* x, const float* norm, std::int32_t position, float* y) {
    if (norm != nullptr) {
      NormHead(x, norm, a.norm_eps, head_dim, normed.data());
      x = normed.data();
    }
    RotateHead(a.rope, inv_freq, position, x, y);
  };
  for (std::int64_t t = 0; t < args.src[0].dims[0]; ++t) {
    const float* q = args.src[0].as<float>() + t * args.src[0].cols();
    const float* k = q + a.heads * head_dim;
    const float* v = k + kv_heads * head_dim;
    float* dst = args.dst[0].as<float>() + t * a.heads * head_dim;
    for (std::int64_t h = 0; h < a.heads; ++h) {
      head(q + h * head_dim, q_norm, positions[t], dst + h * head_dim);
    }
    for (std::int64_t h = 0; h < kv_heads; ++h) {
      head(k + h * head_dim, k_norm, positions[t], rotated.data());
      WriteCacheHead(a.cache, cache, args.src[6], row_seq[t], positions[t], h, rotated.data(),
                     v + h * head_dim);
    }
  }
}

Cost CostOf(const Attrs&, std::span<const TensorView> src, std::span<const TensorView> dst) {
  Cost cost = StreamingCost(6, src, dst);
  cost.bytes += BytesOf(src[0]) - BytesOf(dst[0]);  // K and V go to the cache
  return cost;
}

std::string Describe(const Attrs& attrs) {
  const auto a = attrs.As<QkvRopeCacheAttrs>();
  return fmt::format(
      "group={} layer={} heads={} kv_heads={} head_dim={} rotary_dim={} interleaved={} "
      "attention_factor={} norm_eps={}",
      a.cache.group, a.cache.layer, a.heads, a.cache.kv_heads, a.rope.head_dim, a.rope.rotary_dim,
      a.rope.interleaved, a.rope.attention_factor, a.norm_eps);
}

}  // namespace

const OpDef kOp_qkv_rope_cache = {
    .name = "qkv_rope_cache",
    .version = 1,
    .attrs_bytes = sizeof(QkvRopeCacheAttrs),
    .has_effect = true,
    .infer = &Infer,
    .reference = &Reference,
    .cost = &CostOf,
    .describe = &Describe,
};

}  // namespace zhibi::graph
