// SPDX-License-Identifier: Apache-2.0
// The graph (IR): values, nodes in program order, weights, cache groups and symbols. Importers
// build it through GraphBuilder, passes in compile/ rewrite it, the compiler lowers it to a plan
// (engine/plan.h). A language-model step is ragged: rows of all sequences packed as [tokens,
// hidden], no batch axis (design.md §2.1). One thread at a time.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "graph/op.h"
#include "graph/weights.h"

namespace zhibi::graph {

enum class ValueId : std::int32_t { kNone = -1 };
enum class WeightId : std::int32_t { kNone = -1 };
enum class NodeId : std::int32_t { kNone = -1 };

enum class ValueKind : std::uint8_t { kInput, kWeight, kResult };

struct Value {
  std::string name;
  TensorDesc desc;
  ValueKind kind = ValueKind::kResult;
  WeightId weight = WeightId::kNone;  // for kWeight
};

struct Node {
  std::string op;
  std::string name;  // "model.layers.3.mlp.down_proj": dumps and reports use it
  Attrs attrs;
  std::vector<ValueId> src;  // kNone marks an absent optional operand
  std::vector<ValueId> dst;
};

enum class CacheKind : std::uint8_t { kKv, kLatent, kCross, kState };

// The runtime pages, shares, truncates and frees groups and knows no heads: bytes are all that it
// sees.
struct CacheGroup {
  std::string name;  // "kv"; its page table is the input "page_table.<name>"
  CacheKind kind = CacheKind::kKv;
  std::int32_t layers = 0;
  std::int64_t bytes_per_token = 0;     // of one layer; K and V together
  std::int64_t window = 0;              // positions that stay visible; 0: all
  DType dtype = DType::kF32;            // set by the precision pass
  std::int64_t elements_per_token = 0;  // of one layer; bytes_per_token = elements * size of dtype
};

// Profile of a symbol (as in TensorRT): kernels are chosen for opt, memory is planned for max.
struct Symbol {
  std::string name;
  std::int64_t min = 1;
  std::int64_t opt = 1;
  std::int64_t max = 1;
};

struct Graph {
  std::string name;  // plan name: "step", "encode", "draft"
  std::vector<Symbol> symbols;
  std::vector<Value> values;
  std::vector<Weight> weights;
  std::vector<Node> nodes;  // program order is a valid execution order
  std::vector<CacheGroup> caches;
  std::vector<ValueId> inputs;
  std::vector<ValueId> outputs;  // named values that the caller reads

  const Value& value(ValueId id) const { return values[static_cast<std::size_t>(id)]; }
  Value& value(ValueId id) { return values[static_cast<std::size_t>(id)]; }
  Weight& weight(WeightId id) { return weights[static_cast<std::size_t>(id)]; }
  const Weight& weight(WeightId id) const { return weights[static_cast<std::size_t>(id)]; }
  std::optional<ValueId> FindInput(std::string_view input_name) const;
  std::optional<ValueId> FindOutput(std::string_view output_name) const;
};

// Checks ids, single definition, definition before use, and every node's shape rule; the message
// names the node.
Status Validate(const Graph& graph);
// Text form, one line a node, for `zhibi build --explain`, `zhibi inspect` and tests.
std::string ToText(const Graph& graph);

}  // namespace zhibi::graph
