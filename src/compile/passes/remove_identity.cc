// SPDX-License-Identifier: Apache-2.0
// Ops that hand their operand through: an activation "none", an add of zeros, a product with ones,
// a slice of all columns. A node whose result is an output of the graph stays: the output needs a
// place of its own.
#include <algorithm>

#include "compile/passes.h"
#include "compile/rewrite.h"
#include "graph/ops/binary.h"
#include "graph/ops/slice_columns.h"
#include "graph/ops/unary.h"

namespace zhibi::compile {
namespace {

bool IsConstantOf(const graph::Weight* weight, float value) {
  return weight != nullptr && !weight->constant.empty() && weight->add == 0 &&
         std::all_of(weight->constant.begin(), weight->constant.end(),
                     [value](float x) { return x == value; });
}

bool IsIdentity(const graph::Node& node, Rewriter& rewriter) {
  const graph::ValueId source = Operand(node, 0);
  if (node.op == "unary") {
    return node.attrs.As<graph::UnaryAttrs>().activation == graph::Activation::kNone;
  }
  if (node.op == "slice_columns") {
    const auto attrs = node.attrs.As<graph::SliceColumnsAttrs>();
    return attrs.begin == 0 &&
           rewriter.graph().value(source).desc.shape.back().constant() == attrs.size;
  }
  if (node.op == "binary") {
    const graph::Weight* other = rewriter.WeightOf(Operand(node, 1));
    switch (node.attrs.As<graph::BinaryAttrs>().kind) {
      case graph::BinaryKind::kAdd:
      case graph::BinaryKind::kSub:
        return IsConstantOf(other, 0);
      case graph::BinaryKind::kMul:
      case graph::BinaryKind::kDiv:
        return IsConstantOf(other, 1);
    }
  }
  return false;
}

}  // namespace

Result<PassResult> RemoveIdentity(graph::Graph& graph, const PassContext& /*context*/) {
  Rewriter rewriter(graph);
  PassResult result;
  for (std::size_t n = 0; n < graph.nodes.size(); ++n) {
    const graph::Node& node = graph.nodes[n];
    if (!IsIdentity(node, rewriter) || rewriter.IsOutput(node.dst[0])) continue;
    rewriter.ReplaceUses(node.dst[0], node.src[0]);
    rewriter.Erase(static_cast<int>(n));
    ++result.changes;
  }
  rewriter.Compact();
  return result;
}

}  // namespace zhibi::compile
