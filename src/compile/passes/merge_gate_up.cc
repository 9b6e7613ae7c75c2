// SPDX-License-Identifier: Apache-2.0
// gated(linear(x, G), linear(x, U)) -> one linear over interleaved rows (g0 u0 g1 u1 ...) with a
// gated epilogue: both halves of a pair end in neighbouring accumulators, so the [tokens, 2n]
// intermediate never reaches memory. Three launches become one. The merged weight remembers its
// parts.
#include "compile/passes.h"
#include "compile/rewrite.h"
#include "compile/weight_merge.h"
#include "graph/ops/gated.h"
#include "graph/ops/linear.h"

namespace zhibi::compile {
namespace {

using graph::Node;
using graph::ValueId;

Node* Projection(Rewriter& rewriter, ValueId id) {
  Node* linear = rewriter.ProducerIf(id, "linear");
  if (linear == nullptr || rewriter.Uses(id) != 1) return nullptr;
  const auto attrs = linear->attrs.As<graph::LinearAttrs>();
  const bool plain = attrs.gated == 0 && attrs.activation == graph::Activation::kNone &&
                     Operand(*linear, 3) == ValueId::kNone;
  return plain && rewriter.Uses(linear->src[1]) == 1 ? linear : nullptr;
}

bool MergePair(Rewriter& rewriter, int index) {
  const Node gated = rewriter.graph().nodes[static_cast<std::size_t>(index)];
  if (gated.src.size() < 2) return false;
  Node* gate = Projection(rewriter, gated.src[0]);
  Node* up = Projection(rewriter, Operand(gated, 1));
  if (gate == nullptr || up == nullptr || gate == up || gate->src[0] != up->src[0]) return false;
  const std::vector<ValueId> matrices = {gate->src[1], up->src[1]};
  const std::vector<ValueId> biases = {Operand(*gate, 2), Operand(*up, 2)};
  const std::string name = MergedName(gate->name, "gate_up_proj");
  const std::optional<MergedOperands> merged =
      MergeProjections(rewriter, matrices, biases, name, /*interleave=*/true);
  if (!merged) return false;
  const ValueId x = gate->src[0];
  const int gate_index = rewriter.Producer(gated.src[0]);
  const int up_index = rewriter.Producer(gated.src[1]);
  Node linear;
  linear.op = "linear";
  linear.name = name;
  linear.attrs = graph::Attrs::Of(
      graph::LinearAttrs{gated.attrs.As<graph::GatedAttrs>().activation, /*gated=*/1});
  linear.src = {x, merged->matrix, merged->bias, ValueId::kNone};
  linear.dst = gated.dst;
  rewriter.Erase(gate_index);
  rewriter.Erase(up_index);
  rewriter.graph().nodes[static_cast<std::size_t>(index)] = std::move(linear);
  rewriter.Refresh();
  return true;
}

}  // namespace

Result<PassResult> MergeGateUp(graph::Graph& graph, const PassContext& /*context*/) {
  Rewriter rewriter(graph);
  PassResult result;
  for (std::size_t n = 0; n < graph.nodes.size(); ++n) {
    if (graph.nodes[n].op != "gated") continue;
    if (MergePair(rewriter, static_cast<int>(n))) ++result.changes;
  }
  rewriter.Compact();
  return result;
}

}  // namespace zhibi::compile
