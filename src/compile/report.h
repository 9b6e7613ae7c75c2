// SPDX-License-Identifier: Apache-2.0
// What a build decided, for people (--explain) and for `zhibi inspect` (the report section of the
// engine, JSON). Stateless.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "compile/choice.h"
#include "compile/memory_plan.h"
#include "compile/passes.h"
#include "engine/plan.h"

namespace zhibi::compile {

struct PlanReport {
  std::string name;
  std::vector<PassEffect> passes;
  const graph::Graph* graph = nullptr;
  Choice choice;
  MemoryPlan memory;
};

std::string ReportJson(const std::vector<PlanReport>& plans, const std::string& limits_note);

using LineSink = std::function<void(std::string_view)>;
// Tables of passes, kernels by kind of op, refusals and memory.
void ExplainPlan(const PlanReport& plan, const LineSink& sink);

}  // namespace zhibi::compile
