// SPDX-License-Identifier: Apache-2.0
// Kernel choice (design.md §7.7): for every node the layout of its packed weights first, since all
// entries of an op read the same bytes, then one entry per bucket of rows. Costs are the entries'
// estimates, weighted by how often a step falls into a bucket. Only row_invariant entries are
// taken, so that a sequence's logits do not depend on its company (§7.11). Stateless; thread-safe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "backend/kernel.h"
#include "engine/plan.h"
#include "graph/graph.h"
#include "zhibi/status.h"

namespace zhibi::compile {

// What a kernel is asked about one node at given symbol values; owns the arrays behind the OpQuery.
class NodeQuery {
 public:
  // `symbols` has one value a symbol of the graph.
  static Result<std::unique_ptr<NodeQuery>> Make(const graph::Graph& graph, const graph::Node& node,
                                                 std::span<const std::int64_t> symbols,
                                                 std::int64_t min_rows, std::int64_t max_rows);
  const backend::OpQuery& get() const { return query_; }

 private:
  NodeQuery() = default;
  backend::OpQuery query_;
  std::vector<graph::TensorView> src_;
  std::vector<graph::TensorView> dst_;
  std::vector<quant::WeightFormat> formats_;
  std::unique_ptr<bool[]> is_weight_;
};

struct NodeChoice {
  std::int32_t axis = 0;
  std::string layout;                                // of its matrix operands
  std::vector<const backend::KernelEntry*> entries;  // one a bucket
  std::vector<double> estimate_us;                   // one a bucket, at typical sizes
  std::size_t workspace_bytes = 0;                   // enough for every bucket, at the maxima
};

// Why an entry was not considered, and for how many nodes and buckets.
struct Refusal {
  std::string op;
  std::string entry;
  std::string reason;
  std::int64_t count = 0;
};

struct Choice {
  std::vector<engine::BucketAxis> axes;
  std::vector<NodeChoice> nodes;  // parallel to graph.nodes
  std::vector<Refusal> refusals;
};

// kUnimplemented names each node that no entry runs, its shapes and every entry's reason; all such
// nodes at once.
Result<Choice> ChooseKernels(const graph::Graph& graph,
                             std::span<const backend::KernelEntry* const> kernels);

// Weights whose bytes a kernel lays out; vectors and tables are row_major whatever the entry.
bool IsMatrixOperand(const graph::Graph& graph, graph::ValueId id);

// Symbol values with `rows` rows on the axis, all other symbols at their maximum or, with
// `typical`, at their optimum.
std::vector<std::int64_t> SymbolsAt(const graph::Graph& graph, const engine::BucketAxis& axis,
                                    std::int64_t rows, bool typical);

}  // namespace zhibi::compile
