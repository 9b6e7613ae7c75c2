// SPDX-License-Identifier: Apache-2.0
// How passes change a graph: a node is edited in place or erased, values are added, uses are
// redirected. Who uses and who makes a value is computed on demand and stays true until the next
// change. Node order stays a valid execution order; erased nodes leave the list in Compact. One
// thread at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "graph/graph.h"

namespace zhibi::compile {

class Rewriter {
 public:
  explicit Rewriter(graph::Graph& graph) : graph_(graph) { Refresh(); }

  graph::Graph& graph() { return graph_; }

  // Recomputes producers and uses; call after edits and before the next question.
  void Refresh();
  // Index of the node that makes the value, -1 for inputs and weights.
  int Producer(graph::ValueId id) const;
  // The node that makes the value when it runs `op`, else nullptr.
  graph::Node* ProducerIf(graph::ValueId id, std::string_view op);
  // Operand slots that read the value; being an output of the graph counts as one.
  int Uses(graph::ValueId id) const;
  bool IsOutput(graph::ValueId id) const;
  // Indexes of nodes that read the value, ascending, one a node.
  const std::vector<int>& Consumers(graph::ValueId id) const;

  graph::ValueId AddResult(std::string name, graph::TensorDesc desc);
  graph::ValueId AddWeight(graph::Weight weight);
  // The weight behind a value, or nullptr.
  const graph::Weight* WeightOf(graph::ValueId id) const;
  // All operands that read `from` read `to` instead.
  void ReplaceUses(graph::ValueId from, graph::ValueId to);
  // Marks a node for removal; it is no producer or consumer any more after Refresh.
  void Erase(int node);
  // Inserts before node `at`.
  void Insert(int at, graph::Node node);
  // Removes erased nodes and refreshes.
  void Compact();

 private:
  graph::Graph& graph_;
  std::vector<int> producer_;
  std::vector<int> uses_;
  std::vector<bool> output_;
  std::vector<std::vector<int>> consumers_;
};

// Operand `index` of a node, kNone when it is absent or past the end.
graph::ValueId Operand(const graph::Node& node, std::size_t index);
// Sets it, growing the list with kNone.
void SetOperand(graph::Node& node, std::size_t index, graph::ValueId value);
// Cache group that the node reads or writes, -1 for none.
int CacheGroupOf(const graph::Node& node);

}  // namespace zhibi::compile
