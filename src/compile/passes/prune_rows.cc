// SPDX-License-Identifier: Apache-2.0
// gather_rows moves up through ops that work row by row, so that the tail of the last layer
// (attention output, MLP, final norm) runs for the wanted rows only: a prefill of 512 tokens that
// wants one row of logits saves 511 rows of it. gather(f(x, r)) = f(gather(x), gather(r)) for
// row-wise f; equal gathers are merged on the way, so that a value with two readers which both
// gather it can be passed too.
#include <array>

#include "compile/passes.h"
#include "compile/rewrite.h"

namespace zhibi::compile {
namespace {

using graph::Node;
using graph::ValueId;

struct RowWise {
  std::string_view op;
  // Operands that have one row a result row, in bits; weights and the like are not gathered.
  std::uint32_t row_operands;
};

constexpr std::array<RowWise, 6> kRowWise = {{
    {"linear", 0b1001},
    {"rms_norm", 0b1},
    {"layer_norm", 0b1},
    {"gated", 0b11},
    {"unary", 0b1},
    {"slice_columns", 0b1},
}};

std::uint32_t RowOperands(Rewriter& rewriter, const Node& node) {
  for (const RowWise& entry : kRowWise) {
    if (entry.op == node.op) return entry.row_operands;
  }
  if (node.op != "binary") return 0;
  // A second operand is gathered when it has rows of its own.
  const graph::TensorDesc& a = rewriter.graph().value(node.src[0]).desc;
  const graph::TensorDesc& b = rewriter.graph().value(node.src[1]).desc;
  return a == b && rewriter.WeightOf(node.src[1]) == nullptr ? 0b11 : 0b1;
}

ValueId Gather(Rewriter& rewriter, std::vector<Node>& gathers, const Node& like, ValueId source) {
  for (const Node& node : gathers) {
    if (node.src[0] == source) return node.dst[0];
  }
  graph::TensorDesc desc = rewriter.graph().value(source).desc;
  desc.shape[0] = rewriter.graph().value(like.src[1]).desc.shape[0];
  Node gather;
  gather.op = "gather_rows";
  gather.name = rewriter.graph().value(source).name + ".rows";
  gather.attrs = like.attrs;
  gather.src = {source, like.src[1]};
  gather.dst = {rewriter.AddResult(gather.name, desc)};
  gathers.push_back(gather);
  return gather.dst[0];
}

// Moves gather node `index` above the node that makes its source; false when that cannot be done.
bool MoveUp(Rewriter& rewriter, int index) {
  graph::Graph& graph = rewriter.graph();
  const Node gather = graph.nodes[static_cast<std::size_t>(index)];
  const ValueId value = gather.src[0];
  const int producer = rewriter.Producer(value);
  if (producer < 0 || rewriter.Uses(value) != 1) return false;
  const Node maker = graph.nodes[static_cast<std::size_t>(producer)];
  const std::uint32_t rows = RowOperands(rewriter, maker);
  if (rows == 0 || maker.dst.size() != 1 || graph.value(value).desc.shape.size() != 2) return false;
  Node moved = maker;
  std::vector<Node> inserted;
  for (std::size_t i = 0; i < maker.src.size(); ++i) {
    if ((rows >> i & 1U) == 0 || maker.src[i] == ValueId::kNone) continue;
    moved.src[i] = Gather(rewriter, inserted, gather, maker.src[i]);
  }
  moved.dst = gather.dst;
  rewriter.Erase(producer);
  graph.nodes[static_cast<std::size_t>(index)] = std::move(moved);
  for (std::size_t i = inserted.size(); i-- > 0;) rewriter.Insert(index, inserted[i]);
  rewriter.Compact();
  return true;
}

bool MoveAny(Rewriter& rewriter) {
  for (std::size_t n = rewriter.graph().nodes.size(); n-- > 0;) {
    if (rewriter.graph().nodes[n].op != "gather_rows") continue;
    if (MoveUp(rewriter, static_cast<int>(n))) return true;
  }
  return false;
}

}  // namespace

Result<PassResult> PruneRows(graph::Graph& graph, const PassContext& context) {
  PassResult result;
  const std::size_t limit = graph.nodes.size();
  while (static_cast<std::size_t>(result.changes) < limit) {
    Rewriter rewriter(graph);
    if (!MoveAny(rewriter)) break;
    ++result.changes;
    const Result<PassResult> merged = MergeCommon(graph, context);
    if (!merged.ok()) return merged.status();
  }
  return result;
}

}  // namespace zhibi::compile
