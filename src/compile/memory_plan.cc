// SPDX-License-Identifier: Apache-2.0
// Placing by size: the largest block first, each at the lowest offset where it overlaps no placed
// block that is alive at the same time. Within a few per cent of the least possible on the models
// here (the report shows both).
#include "compile/memory_plan.h"

#include <algorithm>
#include <numeric>

#include "base/status_macros.h"
#include "compile/rewrite.h"

namespace zhibi::compile {
namespace {

constexpr std::int64_t kAlignment = 64;

std::int64_t RoundUp(std::int64_t bytes) {
  return (bytes + kAlignment - 1) / kAlignment * kAlignment;
}

// Operand whose bytes result `index` may take over, -1 for none. Elementwise ops read an element
// before they write it; add_rms_norm says so in its contract.
int InPlaceOperand(const graph::Node& node, std::size_t index) {
  if (index != 0) return -1;
  if (node.op == "unary" || node.op == "binary" || node.op == "add_rms_norm") return 0;
  return -1;
}

class Planner {
 public:
  Planner(const graph::Graph& graph, const Choice& choice) : graph_(graph), choice_(choice) {
    for (const graph::Symbol& symbol : graph.symbols) maxima_.push_back(symbol.max);
  }

  Result<MemoryPlan> Run() {
    plan_.block_of_value.assign(graph_.values.size(), -1);
    plan_.workspace_of_node.assign(graph_.nodes.size(), -1);
    FindLastUses();
    for (std::size_t n = 0; n < graph_.nodes.size(); ++n) {
      ZB_RETURN_IF_ERROR(AddNode(static_cast<int>(n)));
    }
    Place();
    return std::move(plan_);
  }

 private:
  void FindLastUses() {
    last_use_.assign(graph_.values.size(), -1);
    for (std::size_t n = 0; n < graph_.nodes.size(); ++n) {
      for (const graph::ValueId id : graph_.nodes[n].dst) {
        last_use_[static_cast<std::size_t>(id)] = static_cast<int>(n);
      }
      for (const graph::ValueId id : graph_.nodes[n].src) {
        if (id != graph::ValueId::kNone) {
          last_use_[static_cast<std::size_t>(id)] = static_cast<int>(n);
        }
      }
    }
    for (const graph::ValueId id : graph_.outputs) {
      last_use_[static_cast<std::size_t>(id)] = static_cast<int>(graph_.nodes.size());
    }
  }

  Result<std::int64_t> BytesOf(graph::ValueId id) const {
    const graph::TensorDesc& desc = graph_.value(id).desc;
    std::int64_t bits = DTypeBits(desc.dtype);
    for (const graph::Dim& dim : desc.shape) {
      ZB_ASSIGN_OR_RETURN(const std::int64_t size, dim.Evaluate(maxima_));
      if (size < 0 || __builtin_mul_overflow(bits, size, &bits)) {
        return OutOfRangeError("value " + graph_.value(id).name + ": its size overflows");
      }
    }
    return RoundUp((bits + 7) / 8);
  }

  Status AddNode(int n) {
    const graph::Node& node = graph_.nodes[static_cast<std::size_t>(n)];
    for (std::size_t i = 0; i < node.dst.size(); ++i) {
      const auto value = static_cast<std::size_t>(node.dst[i]);
      ZB_ASSIGN_OR_RETURN(const std::int64_t bytes, BytesOf(node.dst[i]));
      const int taken = TakenOver(node, i, n, bytes);
      if (taken >= 0) {
        MemoryBlock& block = plan_.blocks[static_cast<std::size_t>(taken)];
        block.last_op = std::max(block.last_op, last_use_[value]);
        plan_.block_of_value[value] = taken;
        continue;
      }
      plan_.block_of_value[value] = static_cast<int>(plan_.blocks.size());
      plan_.blocks.push_back({.name = graph_.value(node.dst[i]).name,
                              .workspace = false,
                              .bytes = bytes,
                              .offset = 0,
                              .first_op = n,
                              .last_op = last_use_[value]});
    }
    const std::size_t workspace = choice_.nodes[static_cast<std::size_t>(n)].workspace_bytes;
    if (workspace == 0) return OkStatus();
    plan_.workspace_of_node[static_cast<std::size_t>(n)] = static_cast<int>(plan_.blocks.size());
    plan_.blocks.push_back({.name = node.name + " (" + node.op + ")",
                            .workspace = true,
                            .bytes = RoundUp(static_cast<std::int64_t>(workspace)),
                            .offset = 0,
                            .first_op = n,
                            .last_op = n});
    return OkStatus();
  }

  // The block of an operand that dies at node `n` and may be overwritten, or -1.
  int TakenOver(const graph::Node& node, std::size_t index, int n, std::int64_t bytes) const {
    const int operand = InPlaceOperand(node, index);
    if (operand < 0) return -1;
    const graph::ValueId id = node.src[static_cast<std::size_t>(operand)];
    if (id == graph::ValueId::kNone) return -1;
    // Read twice by this op (x + x): the second reader would see the result.
    if (std::count(node.src.begin(), node.src.end(), id) != 1) return -1;
    const int block = plan_.block_of_value[static_cast<std::size_t>(id)];
    if (block < 0 || last_use_[static_cast<std::size_t>(id)] != n) return -1;
    const MemoryBlock& candidate = plan_.blocks[static_cast<std::size_t>(block)];
    return candidate.last_op == n && candidate.bytes == bytes ? block : -1;
  }

  void Place() {
    std::vector<std::size_t> order(plan_.blocks.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [this](std::size_t a, std::size_t b) {
      return plan_.blocks[a].bytes > plan_.blocks[b].bytes;
    });
    std::vector<std::size_t> placed;  // by offset
    for (const std::size_t index : order) {
      MemoryBlock& block = plan_.blocks[index];
      std::int64_t offset = 0;
      for (const std::size_t other_index : placed) {
        const MemoryBlock& other = plan_.blocks[other_index];
        if (other.last_op < block.first_op || block.last_op < other.first_op) continue;
        if (other.offset >= offset + block.bytes) break;
        offset = std::max(offset, other.offset + other.bytes);
      }
      block.offset = offset;
      const auto at = std::upper_bound(placed.begin(), placed.end(), offset,
                                       [this](std::int64_t value, std::size_t other) {
                                         return value < plan_.blocks[other].offset;
                                       });
      placed.insert(at, index);
      plan_.arena_bytes = std::max(plan_.arena_bytes, offset + block.bytes);
    }
    for (std::size_t n = 0; n <= graph_.nodes.size(); ++n) {
      std::int64_t alive = 0;
      for (const MemoryBlock& block : plan_.blocks) {
        const int op = static_cast<int>(n);
        if (block.first_op <= op && op <= block.last_op) alive += block.bytes;
      }
      plan_.needed_bytes = std::max(plan_.needed_bytes, alive);
    }
  }

  const graph::Graph& graph_;
  const Choice& choice_;
  std::vector<std::int64_t> maxima_;
  std::vector<int> last_use_;
  MemoryPlan plan_;
};

}  // namespace

Result<MemoryPlan> PlanMemory(const graph::Graph& graph, const Choice& choice) {
  return Planner(graph, choice).Run();
}

}  // namespace zhibi::compile
