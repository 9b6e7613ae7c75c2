// SPDX-License-Identifier: Apache-2.0
// From graph, kernel choice and memory plan to the plan that the executor walks. Stateless.
#pragma once

#include "compile/choice.h"
#include "compile/memory_plan.h"
#include "compile/pack.h"
#include "engine/plan.h"
#include "graph/graph.h"
#include "zhibi/status.h"

namespace zhibi::compile {

// Weights that the graph uses are added to `weights`, whose indexes the plan holds.
Result<engine::Plan> LowerToPlan(const graph::Graph& graph, const Choice& choice,
                                 const MemoryPlan& memory, PackList& weights);

}  // namespace zhibi::compile
