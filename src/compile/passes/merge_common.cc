// SPDX-License-Identifier: Apache-2.0
// Common subexpressions: of two nodes without effect that have the same op, attributes and operands
// the later one goes; weights made of the same rows of the same tensors become one (a tied head
// reads the embedding's bytes).
#include <map>
#include <string>
#include <utility>

#include "compile/passes.h"
#include "compile/rewrite.h"
#include "compile/weight_merge.h"

namespace zhibi::compile {
namespace {

// Candidates share the first tensor's name, or the constant's first value: few of many.
using WeightKey = std::pair<std::string, float>;

WeightKey KeyOf(const graph::Weight& weight) {
  return {weight.parts.empty() ? std::string() : weight.parts[0].tensor,
          weight.constant.empty() ? 0.0F : weight.constant[0]};
}

std::int64_t MergeWeights(Rewriter& rewriter) {
  graph::Graph& graph = rewriter.graph();
  std::multimap<WeightKey, graph::ValueId> kept;
  std::int64_t changes = 0;
  for (std::size_t v = 0; v < graph.values.size(); ++v) {
    const auto id = static_cast<graph::ValueId>(v);
    const graph::Weight* weight = rewriter.WeightOf(id);
    if (weight == nullptr || rewriter.Uses(id) == 0) continue;
    const WeightKey key = KeyOf(*weight);
    bool merged = false;
    const auto [begin, end] = kept.equal_range(key);
    for (auto it = begin; it != end && !merged; ++it) {
      if (!SameWeight(*rewriter.WeightOf(it->second), *weight)) continue;
      rewriter.ReplaceUses(id, it->second);
      merged = true;
      ++changes;
    }
    if (!merged) kept.emplace(key, id);
  }
  return changes;
}

bool SameNode(const graph::Node& a, const graph::Node& b) {
  return a.op == b.op && a.attrs == b.attrs && a.src == b.src;
}

std::int64_t MergeNodes(Rewriter& rewriter) {
  graph::Graph& graph = rewriter.graph();
  std::multimap<std::pair<std::string, graph::ValueId>, std::size_t> kept;
  std::int64_t changes = 0;
  for (std::size_t n = 0; n < graph.nodes.size(); ++n) {
    const graph::Node& node = graph.nodes[n];
    const graph::OpDef* def = graph::FindOp(node.op);
    if (def == nullptr || def->has_effect || node.dst.empty()) continue;
    const std::pair key(node.op, Operand(node, 0));
    const auto [begin, end] = kept.equal_range(key);
    bool merged = false;
    for (auto it = begin; it != end && !merged; ++it) {
      const graph::Node& first = graph.nodes[it->second];
      if (!SameNode(first, node)) continue;
      bool output = false;
      for (const graph::ValueId id : node.dst) output = output || rewriter.IsOutput(id);
      if (output) continue;
      const std::vector<graph::ValueId> from = node.dst;
      const std::vector<graph::ValueId> to = first.dst;
      for (std::size_t i = 0; i < from.size(); ++i) rewriter.ReplaceUses(from[i], to[i]);
      rewriter.Erase(static_cast<int>(n));
      merged = true;
      ++changes;
    }
    if (!merged) kept.emplace(key, n);
  }
  return changes;
}

}  // namespace

Result<PassResult> MergeCommon(graph::Graph& graph, const PassContext& /*context*/) {
  Rewriter rewriter(graph);
  PassResult result;
  result.changes = MergeWeights(rewriter);
  rewriter.Refresh();
  result.changes += MergeNodes(rewriter);
  rewriter.Compact();
  return result;
}

}  // namespace zhibi::compile
