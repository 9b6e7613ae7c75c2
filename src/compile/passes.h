// SPDX-License-Identifier: Apache-2.0
// The passes, in the order in which they run. Each is one function in passes/<name>.cc with a
// before/after test in tests/compile; it leaves a graph that Validate accepts and that computes the
// same results (a float's last bits may differ where a sum is merged into an epilogue). Stateless;
// one thread at a time a graph.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "compile/precision.h"
#include "graph/graph.h"
#include "zhibi/status.h"

namespace zhibi::compile {

struct PassContext {
  Precision precision = Precision::kF32;
};

struct PassResult {
  std::int64_t changes = 0;
  std::string detail;  // for --explain; empty: the pass's own line is enough
};

struct Pass {
  std::string_view name;
  std::string_view does;  // "merges q, k and v projections that read the same rows"
  Result<PassResult> (*run)(graph::Graph& graph, const PassContext& context);
};

std::span<const Pass> AllPasses();
// nullptr for an unknown name.
const Pass* FindPass(std::string_view name);

Result<PassResult> RemoveIdentity(graph::Graph& graph, const PassContext& context);
Result<PassResult> FoldConstants(graph::Graph& graph, const PassContext& context);
Result<PassResult> MergeCommon(graph::Graph& graph, const PassContext& context);
Result<PassResult> RemoveDead(graph::Graph& graph, const PassContext& context);
Result<PassResult> FuseEpilogue(graph::Graph& graph, const PassContext& context);
Result<PassResult> MergeQkv(graph::Graph& graph, const PassContext& context);
Result<PassResult> MergeGateUp(graph::Graph& graph, const PassContext& context);
Result<PassResult> FuseResidual(graph::Graph& graph, const PassContext& context);
Result<PassResult> FuseAddNorm(graph::Graph& graph, const PassContext& context);
Result<PassResult> FuseRopeCache(graph::Graph& graph, const PassContext& context);
Result<PassResult> PruneRows(graph::Graph& graph, const PassContext& context);
Result<PassResult> AssignPrecision(graph::Graph& graph, const PassContext& context);

// One line of --explain.
struct PassEffect {
  std::string name;
  std::string does;
  std::string detail;
  std::int64_t changes = 0;
  std::int64_t launches_before = 0;
  std::int64_t launches_after = 0;
};
using PassSink = std::function<void(const PassEffect&)>;

// Runs all passes, validating after each. kInternal names the pass whose graph is not valid: our
// bug.
Status RunPasses(graph::Graph& graph, const PassContext& context, const PassSink& sink);

}  // namespace zhibi::compile
