// SPDX-License-Identifier: Apache-2.0
// binary add (same shapes) followed by rms_norm over the whole row -> add_rms_norm, for the adds
// that no product's epilogue took.
#include "compile/passes.h"
#include "compile/rewrite.h"
#include "graph/ops/add_rms_norm.h"
#include "graph/ops/binary.h"
#include "graph/ops/rms_norm.h"

namespace zhibi::compile {
namespace {

using graph::Node;
using graph::ValueId;

int NormOf(Rewriter& rewriter, ValueId sum) {
  for (const int consumer : rewriter.Consumers(sum)) {
    const Node& node = rewriter.graph().nodes[static_cast<std::size_t>(consumer)];
    if (node.op != "rms_norm" || node.src[0] != sum) continue;
    const auto attrs = node.attrs.As<graph::RmsNormAttrs>();
    const auto columns = rewriter.graph().value(sum).desc.shape.back().constant();
    if (attrs.width == 0 || columns == attrs.width) return consumer;
  }
  return -1;
}

bool Fuse(Rewriter& rewriter, int index) {
  graph::Graph& graph = rewriter.graph();
  const Node add = graph.nodes[static_cast<std::size_t>(index)];
  if (add.op != "binary" || add.attrs.As<graph::BinaryAttrs>().kind != graph::BinaryKind::kAdd) {
    return false;
  }
  if (rewriter.WeightOf(add.src[0]) != nullptr || rewriter.WeightOf(add.src[1]) != nullptr ||
      !(graph.value(add.src[0]).desc == graph.value(add.src[1]).desc) ||
      graph.value(add.src[0]).desc.shape.size() != 2) {
    return false;
  }
  const int norm_index = NormOf(rewriter, add.dst[0]);
  if (norm_index < 0) return false;
  const Node norm = graph.nodes[static_cast<std::size_t>(norm_index)];
  Node fused;
  fused.op = "add_rms_norm";
  fused.name = norm.name;
  fused.attrs = graph::Attrs::Of(graph::AddRmsNormAttrs{norm.attrs.As<graph::RmsNormAttrs>().eps});
  fused.src = {add.src[0], add.src[1], norm.src[1]};
  fused.dst = {add.dst[0], norm.dst[0]};
  rewriter.Erase(norm_index);
  graph.nodes[static_cast<std::size_t>(index)] = std::move(fused);
  rewriter.Refresh();
  return true;
}

}  // namespace

Result<PassResult> FuseAddNorm(graph::Graph& graph, const PassContext& /*context*/) {
  Rewriter rewriter(graph);
  PassResult result;
  for (std::size_t n = 0; n < graph.nodes.size(); ++n) {
    if (Fuse(rewriter, static_cast<int>(n))) ++result.changes;
  }
  rewriter.Compact();
  return result;
}

}  // namespace zhibi::compile
