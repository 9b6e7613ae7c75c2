// SPDX-License-Identifier: Apache-2.0
// q, k and v projections of a decoder's self-attention -> one linear over their rows, cut into
// three slices that fuse_rope_cache then takes away. Only where the whole pattern is there: three
// slices alone would cost more than they save. The merged weight remembers its parts.
#include <algorithm>

#include "compile/passes.h"
#include "compile/qkv_pattern.h"
#include "compile/weight_merge.h"
#include "graph/ops/linear.h"
#include "graph/ops/slice_columns.h"

namespace zhibi::compile {
namespace {

using graph::Node;
using graph::ValueId;

bool IsPlain(Rewriter& rewriter, int index) {
  const Node& linear = rewriter.graph().nodes[static_cast<std::size_t>(index)];
  const auto attrs = linear.attrs.As<graph::LinearAttrs>();
  return attrs.gated == 0 && attrs.activation == graph::Activation::kNone &&
         Operand(linear, 3) == ValueId::kNone && rewriter.Uses(linear.src[1]) == 1;
}

Node Slice(const Node& linear, ValueId product, std::int64_t begin, std::int64_t size) {
  Node slice;
  slice.op = "slice_columns";
  slice.name = linear.name;
  slice.attrs = graph::Attrs::Of(graph::SliceColumnsAttrs{begin, size});
  slice.src = {product};
  slice.dst = linear.dst;
  return slice;
}

bool Merge(Rewriter& rewriter, const QkvPattern& pattern) {
  graph::Graph& graph = rewriter.graph();
  const int bases[3] = {pattern.q.base, pattern.k.base, pattern.v};
  if (!std::all_of(std::begin(bases), std::end(bases),
                   [&](int base) { return IsPlain(rewriter, base); })) {
    return false;
  }
  std::vector<Node> linears;
  std::vector<ValueId> matrices;
  std::vector<ValueId> biases;
  for (const int base : bases) {
    linears.push_back(graph.nodes[static_cast<std::size_t>(base)]);
    matrices.push_back(linears.back().src[1]);
    biases.push_back(Operand(linears.back(), 2));
  }
  const std::string name = MergedName(linears[0].name, "qkv_proj");
  const std::optional<MergedOperands> merged =
      MergeProjections(rewriter, matrices, biases, name, /*interleave=*/false);
  if (!merged) return false;

  graph::TensorDesc desc = graph.value(linears[0].dst[0]).desc;
  desc.shape.back() = graph.value(merged->matrix).desc.shape[0];
  const ValueId product = rewriter.AddResult(name, desc);
  Node linear;
  linear.op = "linear";
  linear.name = name;
  linear.attrs = linears[0].attrs;
  linear.src = {linears[0].src[0], merged->matrix, merged->bias, ValueId::kNone};
  linear.dst = {product};
  std::vector<Node> made = {linear};
  std::int64_t begin = 0;
  for (const Node& old : linears) {
    const std::int64_t size = *graph.value(old.dst[0]).desc.shape.back().constant();
    made.push_back(Slice(old, product, begin, size));
    begin += size;
  }
  const int first = std::min({bases[0], bases[1], bases[2]});
  for (const int base : bases) rewriter.Erase(base);
  // The erased node at `first` stays as a hole until Compact; what was after it keeps its order.
  for (std::size_t i = made.size(); i-- > 0;) rewriter.Insert(first, made[i]);
  rewriter.Compact();
  return true;
}

}  // namespace

Result<PassResult> MergeQkv(graph::Graph& graph, const PassContext& /*context*/) {
  Rewriter rewriter(graph);
  PassResult result;
  // A merge shifts indexes, so the walk starts again behind each one; a merged attention no longer
  // matches.
  for (std::size_t n = 0; n < graph.nodes.size(); ++n) {
    if (graph.nodes[n].op != "attention") continue;
    const std::optional<QkvPattern> pattern = MatchQkv(rewriter, static_cast<int>(n), "linear");
    if (!pattern || !Merge(rewriter, *pattern)) continue;
    ++result.changes;
    n = 0;
  }
  return result;
}

}  // namespace zhibi::compile
