// SPDX-License-Identifier: Apache-2.0
#include "compile/compile.h"

#include <algorithm>
#include <chrono>
#include <optional>

#include <fmt/format.h>

#include "base/machine.h"
#include "base/status_macros.h"
#include "compile/lower.h"
#include "compile/memory_plan.h"
#include "compile/report.h"
#include "engine/engine_file.h"

namespace zhibi::compile {
namespace {

// What the program needs besides weights, arena and cache (design.md §6).
constexpr std::int64_t kProgramBytes = std::int64_t{96} << 20;
constexpr std::int64_t kLeastChunk = 16;
// The cache must hold one sequence of this length, or of the whole context where that is shorter;
// longer ones take what memory there is (the runtime sizes its pages).
constexpr std::int64_t kCacheTokens = 4096;

struct Needs {
  std::int64_t weights = 0;
  std::int64_t arena = 0;  // of all plans
  std::int64_t largest_arena = 0;
  std::int64_t cache = 0;  // one sequence
  std::int64_t total() const { return weights + arena + cache + kProgramBytes; }
};

// One attempt with given symbol maxima.
struct Attempt {
  std::vector<PlanReport> reports;
  std::vector<engine::Plan> plans;
  PackList weights;
  Needs needs;
};

std::int64_t CacheBytes(const graph::Graph& graph, std::int64_t context) {
  std::int64_t bytes = 0;
  for (const graph::CacheGroup& group : graph.caches) {
    const std::int64_t tokens = group.window > 0 ? std::min(group.window, context) : context;
    bytes += group.layers * group.bytes_per_token * tokens;
  }
  return bytes;
}

class Builder {
 public:
  explicit Builder(BuildRequest request)
      : request_(std::move(request)), start_(std::chrono::steady_clock::now()) {}

  Result<BuildReport> Run() {
    if (request_.weights == nullptr || request_.device == nullptr ||
        request_.graphs.plans.empty()) {
      return InvalidArgumentError("build: expected graphs, weights and a device");
    }
    ZB_RETURN_IF_ERROR(Passes());
    ZB_RETURN_IF_ERROR(FitLimits());
    ZB_RETURN_IF_ERROR(Write());
    return Finish();
  }

 private:
  void Say(const std::string& line) const {
    if (request_.explain) request_.explain(line);
  }

  Status Passes() {
    const PassContext context{.precision = request_.precision};
    for (graph::Graph& graph : request_.graphs.plans) {
      std::vector<PassEffect> effects;
      report_.launches_before += static_cast<std::int64_t>(graph.nodes.size());
      Status status = RunPasses(
          graph, context, [&effects](const PassEffect& effect) { effects.push_back(effect); });
      if (!status.ok()) return std::move(status).WithContext("plan " + graph.name);
      report_.launches_after += static_cast<std::int64_t>(graph.nodes.size());
      passes_.push_back(std::move(effects));
    }
    return OkStatus();
  }

  Status Try(Attempt& attempt) {
    for (std::size_t i = 0; i < request_.graphs.plans.size(); ++i) {
      const graph::Graph& graph = request_.graphs.plans[i];
      PlanReport report;
      report.name = graph.name;
      report.passes = passes_[i];
      report.graph = &graph;
      ZB_ASSIGN_OR_RETURN(report.choice, ChooseKernels(graph, request_.device->kernels()));
      ZB_ASSIGN_OR_RETURN(report.memory, PlanMemory(graph, report.choice));
      ZB_ASSIGN_OR_RETURN(engine::Plan plan,
                          LowerToPlan(graph, report.choice, report.memory, attempt.weights));
      attempt.needs.arena += report.memory.arena_bytes;
      attempt.needs.largest_arena =
          std::max(attempt.needs.largest_arena, report.memory.arena_bytes);
      attempt.needs.cache =
          std::max(attempt.needs.cache, CacheBytes(graph, std::min(context(), kCacheTokens)));
      attempt.reports.push_back(std::move(report));
      attempt.plans.push_back(std::move(plan));
    }
    attempt.needs.weights = attempt.weights.total_bytes();
    return OkStatus();
  }

  std::int64_t context() const {
    const std::int64_t context = request_.limits.max_context > 0 ? request_.limits.max_context
                                                                 : request_.graphs.info.context;
    return std::max<std::int64_t>(context, 1);
  }

  // Halves the rows of a step until everything fits.
  Status FitLimits() {
    const std::int64_t memory =
        request_.memory_limit_bytes > 0 ? request_.memory_limit_bytes : base::MemoryLimitBytes();
    const std::int64_t workspace =
        request_.workspace_limit_bytes > 0 ? request_.workspace_limit_bytes : memory / 4;
    while (true) {
      attempt_.emplace();
      ZB_RETURN_IF_ERROR(Try(*attempt_));
      const Needs& needs = attempt_->needs;
      if (needs.total() <= memory && needs.largest_arena <= workspace) return OkStatus();
      const std::int64_t rows = request_.limits.max_tokens;
      if (rows <= kLeastChunk) return DoesNotFit(needs, memory, workspace);
      SetChunk(std::max(kLeastChunk, rows / 2));
      note_ = fmt::format("max_tokens {} instead of {}, to fit memory {} and workspace {}",
                          request_.limits.max_tokens, asked_tokens_, base::FormatByteSize(memory),
                          base::FormatByteSize(workspace));
    }
  }

  void SetChunk(std::int64_t rows) {
    if (asked_tokens_ == 0) asked_tokens_ = request_.limits.max_tokens;
    request_.limits.max_tokens = rows;
    for (graph::Graph& graph : request_.graphs.plans) {
      for (graph::Symbol& symbol : graph.symbols) {
        if (symbol.name != "tokens") continue;
        symbol.max = std::min(symbol.max, rows);
        symbol.opt = std::min(symbol.opt, symbol.max);
        symbol.min = std::min(symbol.min, symbol.opt);
      }
    }
  }

  Status DoesNotFit(const Needs& needs, std::int64_t memory, std::int64_t workspace) const {
    const MemoryBlock* largest = nullptr;
    for (const PlanReport& report : attempt_->reports) {
      for (const MemoryBlock& block : report.memory.blocks) {
        if (largest == nullptr || block.bytes > largest->bytes) largest = &block;
      }
    }
    std::string text = fmt::format(
        "needs {}: weights {}, arena {} (steps of {} rows), cache of {} tokens {}, program {}; "
        "limits: memory {}, workspace {}",
        base::FormatByteSize(needs.total()), base::FormatByteSize(needs.weights),
        base::FormatByteSize(needs.arena), request_.limits.max_tokens,
        std::min(context(), kCacheTokens), base::FormatByteSize(needs.cache),
        base::FormatByteSize(kProgramBytes), base::FormatByteSize(memory),
        base::FormatByteSize(workspace));
    if (largest != nullptr && needs.largest_arena > workspace) {
      text += fmt::format("; largest block of the arena: {} {}", largest->name,
                          base::FormatByteSize(largest->bytes));
    }
    return ResourceExhaustedError(
        text + "; raise --memory-limit or --workspace-limit, or take --precision int8 or int4");
  }

  Status Write() {
    ZB_ASSIGN_OR_RETURN(auto writer, engine::EngineWriter::Create(request_.out_path));
    int threads = request_.threads;
    if (threads <= 0) {
      const Result<int> effective = base::EffectiveThreads();
      threads = effective.ok() ? *effective : 1;
    }
    Status packed =
        PackAll(attempt_->weights, *request_.weights, threads, *writer, request_.progress);
    if (!packed.ok()) return packed;
    for (const auto& [role, bytes] : request_.sections) {
      ZB_RETURN_IF_ERROR(writer->AddSection(role, bytes));
    }
    report_.json = ReportJson(attempt_->reports, note_);
    ZB_RETURN_IF_ERROR(writer->AddSection(engine::kRoleReport, report_.json));
    engine::EngineInfo info;
    info.source = request_.source;
    info.source_hash = request_.source_hash;
    info.precision = PrecisionName(request_.precision);
    info.device_backend = request_.device->info().backend;
    info.device_isa = request_.device->info().isa;
    info.device_features = request_.device->info().features;
    info.model = request_.graphs.info;
    info.limits = request_.limits;
    return writer->Finish(info, attempt_->plans);
  }

  Result<BuildReport> Finish() {
    report_.limits = request_.limits;
    report_.weight_bytes = attempt_->needs.weights;
    report_.arena_bytes = attempt_->needs.largest_arena;
    report_.seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
    if (request_.explain) {
      for (const PlanReport& plan : attempt_->reports) ExplainPlan(plan, request_.explain);
    }
    if (!note_.empty()) Say("limits: " + note_);
    Say(fmt::format("launches of all plans: {} -> {}", report_.launches_before,
                    report_.launches_after));
    Say(fmt::format("weights {}, arena {}, built in {:.2f} s",
                    base::FormatByteSize(report_.weight_bytes),
                    base::FormatByteSize(report_.arena_bytes), report_.seconds));
    return std::move(report_);
  }

  BuildRequest request_;
  std::chrono::steady_clock::time_point start_;
  std::vector<std::vector<PassEffect>> passes_;
  std::optional<Attempt> attempt_;
  std::int64_t asked_tokens_ = 0;
  std::string note_;
  BuildReport report_;
};

}  // namespace

Result<BuildReport> BuildEngine(BuildRequest request) { return Builder(std::move(request)).Run(); }

}  // namespace zhibi::compile
