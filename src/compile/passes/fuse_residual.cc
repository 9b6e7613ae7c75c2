// SPDX-License-Identifier: Apache-2.0
// binary add of a linear's result and a tensor of the same shape -> residual operand of the linear.
// Counted in passes over [tokens, hidden]: linear + add_rms_norm writes the product, reads it with
// the residual, writes sum and norm (2 reads, 3 writes); linear with residual + rms_norm reads the
// residual, writes the sum, reads it, writes the norm (2 reads, 2 writes) at the same number of
// launches.
#include "compile/passes.h"
#include "compile/rewrite.h"
#include "graph/ops/binary.h"
#include "graph/ops/linear.h"

namespace zhibi::compile {
namespace {

using graph::Node;
using graph::ValueId;

bool Fuse(Rewriter& rewriter, int index) {
  graph::Graph& graph = rewriter.graph();
  const Node add = graph.nodes[static_cast<std::size_t>(index)];
  if (add.op != "binary" || add.attrs.As<graph::BinaryAttrs>().kind != graph::BinaryKind::kAdd) {
    return false;
  }
  for (std::size_t side : {std::size_t{1}, std::size_t{0}}) {
    const ValueId product = add.src[side];
    const ValueId residual = add.src[1 - side];
    Node* linear = rewriter.ProducerIf(product, "linear");
    if (linear == nullptr || rewriter.Uses(product) != 1 || product == residual) continue;
    if (Operand(*linear, 3) != ValueId::kNone || rewriter.WeightOf(residual) != nullptr) continue;
    if (!(graph.value(residual).desc == graph.value(product).desc)) continue;
    // The product moves down to the place of the add, where both operands are there.
    Node fused = *linear;
    SetOperand(fused, 3, residual);
    fused.dst = add.dst;
    rewriter.Erase(rewriter.Producer(product));
    graph.nodes[static_cast<std::size_t>(index)] = std::move(fused);
    rewriter.Refresh();
    return true;
  }
  return false;
}

}  // namespace

Result<PassResult> FuseResidual(graph::Graph& graph, const PassContext& /*context*/) {
  Rewriter rewriter(graph);
  PassResult result;
  for (std::size_t n = 0; n < graph.nodes.size(); ++n) {
    if (Fuse(rewriter, static_cast<int>(n))) ++result.changes;
  }
  rewriter.Compact();
  return result;
}

}  // namespace zhibi::compile
