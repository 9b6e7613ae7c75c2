// SPDX-License-Identifier: Apache-2.0
// Backwards over the program: a node without effect whose results nobody reads goes, and with it
// the uses of its operands. Unused weights need no step of their own: only used ones are packed.
#include <algorithm>

#include "compile/passes.h"
#include "compile/rewrite.h"

namespace zhibi::compile {

Result<PassResult> RemoveDead(graph::Graph& graph, const PassContext& /*context*/) {
  Rewriter rewriter(graph);
  PassResult result;
  std::vector<int> uses(graph.values.size());
  for (std::size_t v = 0; v < uses.size(); ++v) {
    uses[v] = rewriter.Uses(static_cast<graph::ValueId>(v));
  }
  for (std::size_t n = graph.nodes.size(); n-- > 0;) {
    const graph::Node& node = graph.nodes[n];
    const graph::OpDef* def = graph::FindOp(node.op);
    if (def == nullptr || def->has_effect) continue;
    const bool read = std::any_of(node.dst.begin(), node.dst.end(), [&uses](graph::ValueId id) {
      return uses[static_cast<std::size_t>(id)] > 0;
    });
    if (read) continue;
    for (const graph::ValueId id : node.src) {
      if (id != graph::ValueId::kNone) --uses[static_cast<std::size_t>(id)];
    }
    rewriter.Erase(static_cast<int>(n));
    ++result.changes;
  }
  rewriter.Compact();
  return result;
}

}  // namespace zhibi::compile
