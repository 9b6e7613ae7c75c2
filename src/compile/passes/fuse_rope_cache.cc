// SPDX-License-Identifier: Apache-2.0
// Slices of the merged projection, QK norms, RoPE on q and k, and the cache write -> one
// qkv_rope_cache: up to eight launches over [tokens, hidden] become one pass that reads the product
// once.
#include "compile/passes.h"
#include "compile/qkv_pattern.h"
#include "graph/ops/cache_write.h"
#include "graph/ops/qkv_rope_cache.h"
#include "graph/ops/slice_columns.h"

namespace zhibi::compile {
namespace {

using graph::Node;
using graph::ValueId;

bool SlicesInOrder(Rewriter& rewriter, const QkvPattern& pattern) {
  const std::int64_t head = pattern.attention.head_dim;
  const std::int64_t sizes[3] = {pattern.attention.heads * head, pattern.attention.kv_heads * head,
                                 pattern.attention.kv_heads * head};
  const int bases[3] = {pattern.q.base, pattern.k.base, pattern.v};
  std::int64_t begin = 0;
  for (int i = 0; i < 3; ++i) {
    const Node& slice = rewriter.graph().nodes[static_cast<std::size_t>(bases[i])];
    const auto attrs = slice.attrs.As<graph::SliceColumnsAttrs>();
    if (attrs.begin != begin || attrs.size != sizes[i]) return false;
    begin += sizes[i];
  }
  const ValueId product = rewriter.graph().nodes[static_cast<std::size_t>(bases[0])].src[0];
  return rewriter.graph().value(product).desc.shape.back().constant() == begin;
}

void Fuse(Rewriter& rewriter, const QkvPattern& pattern) {
  graph::Graph& graph = rewriter.graph();
  const auto at = [&graph](int index) -> const Node& {
    return graph.nodes[static_cast<std::size_t>(index)];
  };
  const Node& write = at(pattern.cache_write);
  const Node& rope = at(pattern.q.rope);
  graph::QkvRopeCacheAttrs attrs{};
  attrs.cache = write.attrs.As<graph::CacheWriteAttrs>();
  attrs.rope = pattern.rope;
  attrs.heads = pattern.attention.heads;
  attrs.norm_eps = pattern.norm_eps;
  Node fused;
  fused.op = "qkv_rope_cache";
  fused.name = write.name;
  fused.attrs = graph::Attrs::Of(attrs);
  const auto norm_weight = [&](int norm) { return norm < 0 ? ValueId::kNone : at(norm).src[1]; };
  fused.src = {
      at(pattern.q.base).src[0],   Operand(rope, 1),  Operand(rope, 2), norm_weight(pattern.q.norm),
      norm_weight(pattern.k.norm), Operand(write, 3), Operand(write, 4)};
  fused.dst = rope.dst;
  const int gone[] = {pattern.q.base, pattern.q.norm, pattern.q.rope, pattern.k.base,
                      pattern.k.norm, pattern.k.rope, pattern.v};
  for (const int index : gone) {
    if (index >= 0) rewriter.Erase(index);
  }
  graph.nodes[static_cast<std::size_t>(pattern.cache_write)] = std::move(fused);
  rewriter.Refresh();
}

}  // namespace

Result<PassResult> FuseRopeCache(graph::Graph& graph, const PassContext& /*context*/) {
  Rewriter rewriter(graph);
  PassResult result;
  for (std::size_t n = 0; n < graph.nodes.size(); ++n) {
    if (graph.nodes[n].op != "attention") continue;
    const std::optional<QkvPattern> pattern =
        MatchQkv(rewriter, static_cast<int>(n), "slice_columns");
    if (!pattern || !SlicesInOrder(rewriter, *pattern)) continue;
    Fuse(rewriter, *pattern);
    ++result.changes;
  }
  rewriter.Compact();
  return result;
}

}  // namespace zhibi::compile
