// SPDX-License-Identifier: Apache-2.0
// linear + binary add of a vector weight -> bias; linear + unary -> activation. The product's
// epilogue has the value in a register, so each saves one pass over memory and one launch.
#include "compile/passes.h"
#include "compile/rewrite.h"
#include "graph/ops/binary.h"
#include "graph/ops/linear.h"
#include "graph/ops/unary.h"

namespace zhibi::compile {
namespace {

using graph::Node;
using graph::ValueId;

// The linear that alone feeds operand `index` of the node, with no residual and no activation yet.
Node* PlainLinear(Rewriter& rewriter, const Node& node, std::size_t index) {
  const ValueId id = Operand(node, index);
  Node* linear = rewriter.ProducerIf(id, "linear");
  if (linear == nullptr || rewriter.Uses(id) != 1) return nullptr;
  const auto attrs = linear->attrs.As<graph::LinearAttrs>();
  if (attrs.gated != 0 || attrs.activation != graph::Activation::kNone) return nullptr;
  return Operand(*linear, 3) == ValueId::kNone ? linear : nullptr;
}

bool FuseBias(Rewriter& rewriter, Node& add) {
  if (add.attrs.As<graph::BinaryAttrs>().kind != graph::BinaryKind::kAdd) return false;
  Node* linear = PlainLinear(rewriter, add, 0);
  const graph::Weight* bias = rewriter.WeightOf(Operand(add, 1));
  if (linear == nullptr || bias == nullptr || Operand(*linear, 2) != ValueId::kNone) return false;
  const graph::Weight* matrix = rewriter.WeightOf(Operand(*linear, 1));
  if (matrix == nullptr || bias->shape.size() != 1 || bias->shape[0] != matrix->shape[0]) {
    return false;
  }
  SetOperand(*linear, 2, add.src[1]);
  SetOperand(*linear, 3, ValueId::kNone);
  linear->dst[0] = add.dst[0];
  return true;
}

bool FuseActivation(Rewriter& rewriter, Node& unary) {
  Node* linear = PlainLinear(rewriter, unary, 0);
  if (linear == nullptr) return false;
  auto attrs = linear->attrs.As<graph::LinearAttrs>();
  attrs.activation = unary.attrs.As<graph::UnaryAttrs>().activation;
  linear->attrs = graph::Attrs::Of(attrs);
  linear->dst[0] = unary.dst[0];
  return true;
}

}  // namespace

Result<PassResult> FuseEpilogue(graph::Graph& graph, const PassContext& /*context*/) {
  Rewriter rewriter(graph);
  PassResult result;
  for (std::size_t n = 0; n < graph.nodes.size(); ++n) {
    Node& node = graph.nodes[n];
    const bool fused = (node.op == "binary" && FuseBias(rewriter, node)) ||
                       (node.op == "unary" && FuseActivation(rewriter, node));
    if (!fused) continue;
    rewriter.Erase(static_cast<int>(n));
    rewriter.Refresh();
    ++result.changes;
  }
  rewriter.Compact();
  return result;
}

}  // namespace zhibi::compile
