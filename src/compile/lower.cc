// SPDX-License-Identifier: Apache-2.0
// Values that nothing uses any more (merged or folded away) get no place in the plan; absent
// operands share one value.
#include "compile/lower.h"

#include <map>
#include <utility>

#include "base/status_macros.h"

namespace zhibi::compile {
namespace {

using engine::Place;
using engine::Plan;
using engine::PlanOp;
using engine::PlanValue;
using graph::ValueId;

class Lowering {
 public:
  Lowering(const graph::Graph& graph, const Choice& choice, const MemoryPlan& memory,
           PackList& weights)
      : graph_(graph), choice_(choice), memory_(memory), weights_(weights) {}

  Result<Plan> Run() {
    plan_.name = graph_.name;
    plan_.symbols = graph_.symbols;
    plan_.axes = choice_.axes;
    plan_.caches = graph_.caches;
    plan_.arena_bytes = memory_.arena_bytes;
    for (const ValueId id : graph_.inputs) {
      const graph::Value& value = graph_.value(id);
      const std::int32_t index = Add(id, {value.name, value.desc, Place::kInput,
                                          static_cast<std::int64_t>(plan_.inputs.size())});
      plan_.inputs.push_back(index);
    }
    for (std::size_t n = 0; n < graph_.nodes.size(); ++n) ZB_RETURN_IF_ERROR(LowerNode(n));
    for (const ValueId id : graph_.outputs) plan_.outputs.push_back(indexes_.at(id));
    return std::move(plan_);
  }

 private:
  std::int32_t Add(ValueId id, PlanValue value) {
    const auto index = static_cast<std::int32_t>(plan_.values.size());
    plan_.values.push_back(std::move(value));
    indexes_[id] = index;
    return index;
  }

  // Weights are looked up by (value, weight table index): a matrix packed in two layouts is two
  // values.
  Result<std::int32_t> WeightValue(std::size_t n, int operand) {
    const graph::Node& node = graph_.nodes[n];
    const NodeChoice& choice = choice_.nodes[n];
    ZB_ASSIGN_OR_RETURN(const std::int32_t weight,
                        weights_.Add(graph_, node, operand, choice,
                                     choice_.axes[static_cast<std::size_t>(choice.axis)]));
    const auto known = weight_values_.find(weight);
    if (known != weight_values_.end()) return known->second;
    const graph::Value& value = graph_.value(node.src[static_cast<std::size_t>(operand)]);
    const auto index = static_cast<std::int32_t>(plan_.values.size());
    plan_.values.push_back({value.name, value.desc, Place::kWeight, weight});
    weight_values_[weight] = index;
    return index;
  }

  Result<std::int32_t> Source(std::size_t n, int operand) {
    const ValueId id = graph_.nodes[n].src[static_cast<std::size_t>(operand)];
    if (id == ValueId::kNone) {
      const auto known = indexes_.find(id);
      return known != indexes_.end() ? known->second : Add(id, {"", {}, Place::kAbsent, 0});
    }
    if (graph_.value(id).kind == graph::ValueKind::kWeight) return WeightValue(n, operand);
    return indexes_.at(id);
  }

  std::int32_t Kernel(const backend::KernelEntry& entry) {
    for (std::size_t i = 0; i < plan_.kernels.size(); ++i) {
      if (plan_.kernels[i].name == entry.name) return static_cast<std::int32_t>(i);
    }
    plan_.kernels.push_back({std::string(entry.name), std::string(entry.layout)});
    return static_cast<std::int32_t>(plan_.kernels.size() - 1);
  }

  Status LowerNode(std::size_t n) {
    const graph::Node& node = graph_.nodes[n];
    const NodeChoice& choice = choice_.nodes[n];
    PlanOp op;
    op.op = node.op;
    op.op_version = graph::FindOp(node.op)->version;
    op.name = node.name;
    op.attrs = node.attrs;
    for (std::size_t i = 0; i < node.src.size(); ++i) {
      ZB_ASSIGN_OR_RETURN(const std::int32_t index, Source(n, static_cast<int>(i)));
      op.src.push_back(index);
    }
    for (const ValueId id : node.dst) {
      const int block = memory_.block_of_value[static_cast<std::size_t>(id)];
      const graph::Value& value = graph_.value(id);
      op.dst.push_back(Add(id, {value.name, value.desc, Place::kArena,
                                memory_.blocks[static_cast<std::size_t>(block)].offset}));
    }
    op.axis = choice.axis;
    for (const backend::KernelEntry* entry : choice.entries) op.kernels.push_back(Kernel(*entry));
    const int workspace = memory_.workspace_of_node[n];
    if (workspace >= 0) {
      const MemoryBlock& block = memory_.blocks[static_cast<std::size_t>(workspace)];
      op.workspace_offset = block.offset;
      op.workspace_bytes = block.bytes;
    }
    plan_.ops.push_back(std::move(op));
    return OkStatus();
  }

  const graph::Graph& graph_;
  const Choice& choice_;
  const MemoryPlan& memory_;
  PackList& weights_;
  Plan plan_;
  std::map<ValueId, std::int32_t> indexes_;
  std::map<std::int32_t, std::int32_t> weight_values_;
};

}  // namespace

Result<engine::Plan> LowerToPlan(const graph::Graph& graph, const Choice& choice,
                                 const MemoryPlan& memory, PackList& weights) {
  return Lowering(graph, choice, memory, weights).Run();
}

}  // namespace zhibi::compile
