// SPDX-License-Identifier: Apache-2.0
#include "compile/rewrite.h"

#include <algorithm>
#include <utility>

#include "graph/ops/attention.h"
#include "graph/ops/cache_write.h"
#include "graph/ops/qkv_rope_cache.h"

namespace zhibi::compile {

using graph::Node;
using graph::ValueId;

void Rewriter::Refresh() {
  const std::size_t count = graph_.values.size();
  producer_.assign(count, -1);
  uses_.assign(count, 0);
  output_.assign(count, false);
  consumers_.assign(count, {});
  for (std::size_t n = 0; n < graph_.nodes.size(); ++n) {
    const Node& node = graph_.nodes[n];
    if (node.op.empty()) continue;
    const int index = static_cast<int>(n);
    for (const ValueId id : node.dst) producer_[static_cast<std::size_t>(id)] = index;
    for (const ValueId id : node.src) {
      if (id == ValueId::kNone) continue;
      const auto value = static_cast<std::size_t>(id);
      ++uses_[value];
      if (consumers_[value].empty() || consumers_[value].back() != index) {
        consumers_[value].push_back(index);
      }
    }
  }
  for (const ValueId id : graph_.outputs) {
    ++uses_[static_cast<std::size_t>(id)];
    output_[static_cast<std::size_t>(id)] = true;
  }
}

int Rewriter::Producer(ValueId id) const {
  return id == ValueId::kNone ? -1 : producer_[static_cast<std::size_t>(id)];
}

Node* Rewriter::ProducerIf(ValueId id, std::string_view op) {
  const int index = Producer(id);
  if (index < 0) return nullptr;
  Node& node = graph_.nodes[static_cast<std::size_t>(index)];
  return node.op == op ? &node : nullptr;
}

int Rewriter::Uses(ValueId id) const { return uses_[static_cast<std::size_t>(id)]; }

bool Rewriter::IsOutput(ValueId id) const { return output_[static_cast<std::size_t>(id)]; }

const std::vector<int>& Rewriter::Consumers(ValueId id) const {
  return consumers_[static_cast<std::size_t>(id)];
}

ValueId Rewriter::AddResult(std::string name, graph::TensorDesc desc) {
  graph_.values.push_back({.name = std::move(name),
                           .desc = std::move(desc),
                           .kind = graph::ValueKind::kResult,
                           .weight = graph::WeightId::kNone});
  return static_cast<ValueId>(graph_.values.size() - 1);
}

ValueId Rewriter::AddWeight(graph::Weight weight) {
  graph::Value value{.name = weight.name,
                     .desc = {DType::kF32, graph::Shape(weight.shape.begin(), weight.shape.end())},
                     .kind = graph::ValueKind::kWeight,
                     .weight = static_cast<graph::WeightId>(graph_.weights.size())};
  graph_.weights.push_back(std::move(weight));
  graph_.values.push_back(std::move(value));
  return static_cast<ValueId>(graph_.values.size() - 1);
}

const graph::Weight* Rewriter::WeightOf(ValueId id) const {
  if (id == ValueId::kNone || graph_.value(id).kind != graph::ValueKind::kWeight) return nullptr;
  return &graph_.weight(graph_.value(id).weight);
}

void Rewriter::ReplaceUses(ValueId from, ValueId to) {
  for (Node& node : graph_.nodes) std::replace(node.src.begin(), node.src.end(), from, to);
}

void Rewriter::Erase(int node) { graph_.nodes[static_cast<std::size_t>(node)] = {}; }

void Rewriter::Insert(int at, Node node) {
  graph_.nodes.insert(graph_.nodes.begin() + at, std::move(node));
}

void Rewriter::Compact() {
  std::erase_if(graph_.nodes, [](const Node& node) { return node.op.empty(); });
  Refresh();
}

ValueId Operand(const Node& node, std::size_t index) {
  return index < node.src.size() ? node.src[index] : ValueId::kNone;
}

void SetOperand(Node& node, std::size_t index, ValueId value) {
  if (node.src.size() <= index) node.src.resize(index + 1, ValueId::kNone);
  node.src[index] = value;
}

int CacheGroupOf(const Node& node) {
  if (node.op == "attention") return node.attrs.As<graph::AttentionAttrs>().group;
  if (node.op == "cache_write") return node.attrs.As<graph::CacheWriteAttrs>().group;
  if (node.op == "qkv_rope_cache") return node.attrs.As<graph::QkvRopeCacheAttrs>().cache.group;
  return -1;
}

}  // namespace zhibi::compile
