// SPDX-License-Identifier: Apache-2.0
// The memory plan: every result and every workspace gets its place in one arena, sized for the
// symbols' maxima. Two blocks share bytes when no op needs both; a result takes over the bytes of
// an operand that dies there, where the op allows it. Blocks are 64-byte aligned. Outputs live to
// the end of the step. Stateless; thread-safe.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "compile/choice.h"
#include "graph/graph.h"
#include "zhibi/status.h"

namespace zhibi::compile {

// One line of the ledger: a result (with those that share its bytes in place) or a workspace.
struct MemoryBlock {
  std::string name;
  bool workspace = false;
  std::int64_t bytes = 0;
  std::int64_t offset = 0;
  int first_op = 0;  // lifetime, both inclusive
  int last_op = 0;
};

struct MemoryPlan {
  std::vector<MemoryBlock> blocks;
  std::vector<int> block_of_value;     // parallel to graph.values, -1: no place in the arena
  std::vector<int> workspace_of_node;  // parallel to graph.nodes, -1: none
  std::int64_t arena_bytes = 0;
  std::int64_t needed_bytes = 0;  // largest sum of blocks alive at one op: the least possible
};

// kOutOfRange when a size overflows.
Result<MemoryPlan> PlanMemory(const graph::Graph& graph, const Choice& choice);

}  // namespace zhibi::compile
