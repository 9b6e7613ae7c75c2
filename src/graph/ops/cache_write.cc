// SPDX-License-Identifier: Apache-2.0
#include "graph/ops/cache_write.h"

#include <fmt/format.h>

#include "graph/cache_access.h"
#include "graph/op_cost.h"
#include "graph/operand_rule.h"

namespace zhibi::graph {
namespace {

Result<std::vector<TensorDesc>> Infer(const Attrs& attrs, std::span<const TensorDesc> src) {
  const auto a = attrs.As<CacheWriteAttrs>();
  OperandRule rule("cache_write", src, {"k", "v", "positions", "row_seq", "page_table"}, 5);
  CheckCacheWriteAttrs(a, rule);
  const Dim tokens = rule.dim(0, 0);
  rule.Tensor(0, DType::kF32, {tokens, Dim(a.kv_heads) * a.head_dim});
  rule.Tensor(1, DType::kF32, {tokens, Dim(a.kv_heads) * a.value_dim});
  rule.Tensor(2, DType::kI32, {tokens});
  rule.Tensor(3, DType::kI32, {tokens});
  rule.Type(4, DType::kI32);
  rule.Rank(4, 2);
  if (!rule.ok()) return rule.status();
  return std::vector<TensorDesc>{};
}

void Reference(const ReferenceArgs& args) {
  const auto a = args.attrs->As<CacheWriteAttrs>();
  const auto* positions = args.src[2].as<std::int32_t>();
  const auto* row_seq = args.src[3].as<std::int32_t>();
  for (std::int64_t t = 0; t < args.src[0].dims[0]; ++t) {
    const float* k = args.src[0].as<float>() + t * args.src[0].cols();
    const float* v = args.src[1].as<float>() + t * args.src[1].cols();
    for (std::int64_t h = 0; h < a.kv_heads; ++h) {
      WriteCacheHead(a, args.caches[static_cast<std::size_t>(a.group)], args.src[4], row_seq[t],
                     positions[t], h, k + h * a.head_dim, v + h * a.value_dim);
    }
  }
}

Cost CostOf(const Attrs&, std::span<const TensorView> src, std::span<const TensorView>) {
  return {.flops = 0, .bytes = 2 * (BytesOf(src[0]) + BytesOf(src[1]))};
}

std::string Describe(const Attrs& attrs) {
  const auto a = attrs.As<CacheWriteAttrs>();
  return fmt::format("group={} layer={} kv_heads={} head_dim={} value_dim={}", a.group, a.layer,
                     a.kv_heads, a.head_dim, a.value_dim);
}

}  // namespace

void CheckCacheWriteAttrs(const CacheWriteAttrs& attrs, OperandRule& rule) {
  rule.AttributeIn("group", attrs.group, 0, kMaxCacheGroups - 1);
  rule.AttributeIn("layer", attrs.layer, 0, kMaxCacheLayers - 1);
  rule.AttributeIn("kv_heads", attrs.kv_heads, 1, kMaxHeads);
  rule.AttributeIn("head_dim", attrs.head_dim, 1, kMaxHeadDim);
  rule.AttributeIn("value_dim", attrs.value_dim, 1, kMaxHeadDim);
}

void WriteCacheHead(const CacheWriteAttrs& attrs, const CacheView& view,
                    const TensorView& page_table, std::int32_t seq, std::int32_t position,
                    std::int64_t kv_head, const float* k, const float* v) {
  if (seq < 0 || seq >= page_table.dims[0]) return;
  const CacheLayer cache{view, attrs.layer, attrs.kv_heads, attrs.head_dim, attrs.value_dim};
  const std::span<const std::int32_t> pages(page_table.as<std::int32_t>() + seq * page_table.cols(),
                                            static_cast<std::size_t>(page_table.cols()));
  std::byte* key = KeyAddress(cache, pages, position, kv_head);
  if (key == nullptr) return;
  std::byte* value = ValueAddress(cache, pages, position, kv_head);
  for (std::int64_t i = 0; i < attrs.head_dim; ++i) StoreElement(key, view.dtype, i, k[i]);
  for (std::int64_t i = 0; i < attrs.value_dim; ++i) StoreElement(value, view.dtype, i, v[i]);
}

const OpDef kOp_cache_write = {
    .name = "cache_write",
    .version = 1,
    .attrs_bytes = sizeof(CacheWriteAttrs),
    .has_effect = true,
    .infer = &Infer,
    .reference = &Reference,
    .cost = &CostOf,
    .describe = &Describe,
};

}  // namespace zhibi::graph
