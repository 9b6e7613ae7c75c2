// SPDX-License-Identifier: Apache-2.0
#include "compile/report.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/machine.h"

namespace zhibi::compile {
namespace {

using nlohmann::json;

std::vector<std::string> SymbolNames(const graph::Graph& graph) {
  std::vector<std::string> names;
  names.reserve(graph.symbols.size());
  for (const graph::Symbol& symbol : graph.symbols) names.push_back(symbol.name);
  return names;
}

json PassesJson(const PlanReport& plan) {
  json list = json::array();
  for (const PassEffect& pass : plan.passes) {
    list.push_back({{"name", pass.name},
                    {"does", pass.does},
                    {"detail", pass.detail},
                    {"changes", pass.changes},
                    {"launches_before", pass.launches_before},
                    {"launches_after", pass.launches_after}});
  }
  return list;
}

json OpsJson(const PlanReport& plan) {
  json list = json::array();
  for (std::size_t n = 0; n < plan.graph->nodes.size(); ++n) {
    const graph::Node& node = plan.graph->nodes[n];
    const NodeChoice& choice = plan.choice.nodes[n];
    json kernels = json::array();
    for (const backend::KernelEntry* entry : choice.entries) kernels.push_back(entry->name);
    list.push_back({{"name", node.name},
                    {"op", node.op},
                    {"axis", choice.axis},
                    {"layout", choice.layout},
                    {"kernels", kernels},
                    {"estimate_us", choice.estimate_us},
                    {"workspace_bytes", choice.workspace_bytes}});
  }
  return list;
}

json MemoryJson(const MemoryPlan& memory) {
  json list = json::array();
  for (const MemoryBlock& block : memory.blocks) {
    list.push_back({{"name", block.name},
                    {"workspace", block.workspace},
                    {"bytes", block.bytes},
                    {"offset", block.offset},
                    {"first_op", block.first_op},
                    {"last_op", block.last_op}});
  }
  return list;
}

json PlanJson(const PlanReport& plan) {
  const std::vector<std::string> names = SymbolNames(*plan.graph);
  json axes = json::array();
  for (const engine::BucketAxis& axis : plan.choice.axes) {
    axes.push_back({{"rows", axis.rows.ToString(names)}, {"buckets", axis.buckets}});
  }
  json refusals = json::array();
  for (const Refusal& refusal : plan.choice.refusals) {
    refusals.push_back({{"op", refusal.op},
                        {"entry", refusal.entry},
                        {"reason", refusal.reason},
                        {"count", refusal.count}});
  }
  return {{"name", plan.name},
          {"passes", PassesJson(plan)},
          {"axes", axes},
          {"ops", OpsJson(plan)},
          {"refusals", refusals},
          {"memory", MemoryJson(plan.memory)},
          {"arena_bytes", plan.memory.arena_bytes},
          {"needed_bytes", plan.memory.needed_bytes}};
}

// Nodes that were chosen alike, one line together.
void ExplainKernels(const PlanReport& plan, const LineSink& sink) {
  struct Group {
    int nodes = 0;
    double us = 0;  // first bucket
  };
  std::map<std::string, Group> groups;
  for (std::size_t n = 0; n < plan.graph->nodes.size(); ++n) {
    const NodeChoice& choice = plan.choice.nodes[n];
    std::string kernels;
    std::string_view last;
    const engine::BucketAxis& axis = plan.choice.axes[static_cast<std::size_t>(choice.axis)];
    for (std::size_t b = 0; b < choice.entries.size(); ++b) {
      if (choice.entries[b]->name == last) continue;
      last = choice.entries[b]->name;
      const std::int64_t from = b == 0 ? 1 : axis.buckets[b - 1] + 1;
      kernels += fmt::format("{}{} from {} rows", kernels.empty() ? "" : ", ", last, from);
    }
    Group& group =
        groups[fmt::format("{} | {} | {}", plan.graph->nodes[n].op, choice.layout, kernels)];
    ++group.nodes;
    group.us += choice.estimate_us[0];
  }
  sink("  kernels (op | layout | entries), estimate for one row:");
  for (const auto& [text, group] : groups) {
    sink(fmt::format("    {:4} x {}  {:.1f} us", group.nodes, text, group.us));
  }
  // Entries that refuse for the same reason share a line.
  std::map<std::string, std::string> refused;
  for (const Refusal& refusal : plan.choice.refusals) {
    std::string& entries = refused[refusal.op + ": " + refusal.reason];
    entries += (entries.empty() ? "" : ", ") + refusal.entry;
  }
  if (!refused.empty()) sink("  refused (op: reason: entries):");
  for (const auto& [reason, entries] : refused) sink(fmt::format("    {}: {}", reason, entries));
}

void ExplainMemory(const MemoryPlan& memory, const LineSink& sink) {
  sink(fmt::format("  memory: arena {}, least possible {}; largest blocks:",
                   base::FormatByteSize(memory.arena_bytes),
                   base::FormatByteSize(memory.needed_bytes)));
  std::vector<const MemoryBlock*> blocks;
  blocks.reserve(memory.blocks.size());
  for (const MemoryBlock& block : memory.blocks) blocks.push_back(&block);
  std::stable_sort(blocks.begin(), blocks.end(),
                   [](const MemoryBlock* a, const MemoryBlock* b) { return a->bytes > b->bytes; });
  blocks.resize(std::min<std::size_t>(blocks.size(), 8));
  for (const MemoryBlock* block : blocks) {
    sink(fmt::format("    {:>10} at {:>10}, ops {}..{}  {}{}", base::FormatByteSize(block->bytes),
                     block->offset, block->first_op, block->last_op, block->name,
                     block->workspace ? " workspace" : ""));
  }
}

}  // namespace

std::string ReportJson(const std::vector<PlanReport>& plans, const std::string& limits_note) {
  json report;
  report["limits"] = limits_note;
  report["plans"] = json::array();
  for (const PlanReport& plan : plans) report["plans"].push_back(PlanJson(plan));
  return report.dump(-1, ' ', false, json::error_handler_t::replace);
}

void ExplainPlan(const PlanReport& plan, const LineSink& sink) {
  sink(fmt::format("plan {}", plan.name));
  sink("  passes:");
  for (const PassEffect& pass : plan.passes) {
    sink(fmt::format("    {:16} {:5} changes, launches {:4} -> {:4}  {}{}{}", pass.name,
                     pass.changes, pass.launches_before, pass.launches_after, pass.does,
                     pass.detail.empty() ? "" : ": ", pass.detail));
  }
  ExplainKernels(plan, sink);
  ExplainMemory(plan.memory, sink);
}

}  // namespace zhibi::compile
