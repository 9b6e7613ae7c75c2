// SPDX-License-Identifier: Apache-2.0
#include "compile/passes.h"

#include <utility>

#include <fmt/format.h>

#include "base/status_macros.h"

namespace zhibi::compile {
namespace {

// Biases first, so that merges see whole projections; residuals before norms, since an add in the
// product's epilogue saves a pass over memory that add_rms_norm would still make.
constexpr Pass kPasses[] = {
    {"remove_identity", "drops ops that return their operand", &RemoveIdentity},
    {"fold_constants", "computes ops whose operands are all constants", &FoldConstants},
    {"merge_common", "keeps one of equal weights and of equal ops", &MergeCommon},
    {"remove_dead", "drops ops whose results nobody reads", &RemoveDead},
    {"fuse_epilogue", "moves bias and activation into the product before", &FuseEpilogue},
    {"merge_qkv", "makes q, k and v one projection", &MergeQkv},
    {"merge_gate_up", "makes gate and up one projection with a gated epilogue", &MergeGateUp},
    {"fuse_residual", "adds the residual in the product's epilogue", &FuseResidual},
    {"fuse_add_norm", "joins the remaining residual adds with their norms", &FuseAddNorm},
    {"fuse_rope_cache", "joins QK norm, RoPE and cache write", &FuseRopeCache},
    {"prune_rows", "computes the last layer's tail for wanted rows only", &PruneRows},
    {"merge_common", "keeps one of equal weights and of equal ops", &MergeCommon},
    {"remove_dead", "drops ops whose results nobody reads", &RemoveDead},
    {"assign_precision", "sets the formats of weights and caches", &AssignPrecision},
};

std::int64_t Launches(const graph::Graph& graph) {
  return static_cast<std::int64_t>(graph.nodes.size());
}

}  // namespace

std::span<const Pass> AllPasses() { return kPasses; }

const Pass* FindPass(std::string_view name) {
  for (const Pass& pass : kPasses) {
    if (pass.name == name) return &pass;
  }
  return nullptr;
}

Status RunPasses(graph::Graph& graph, const PassContext& context, const PassSink& sink) {
  for (const Pass& pass : kPasses) {
    const std::int64_t before = Launches(graph);
    ZB_ASSIGN_OR_RETURN(const PassResult result, pass.run(graph, context));
    if (const Status status = Validate(graph); !status.ok()) {
      return InternalError(fmt::format("pass {}: {}", pass.name, status.message()));
    }
    if (sink) {
      sink({std::string(pass.name), std::string(pass.does), result.detail, result.changes, before,
            Launches(graph)});
    }
  }
  return OkStatus();
}

}  // namespace zhibi::compile
