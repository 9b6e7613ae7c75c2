// SPDX-License-Identifier: Apache-2.0
// BuildEngine: graphs, weights and a device become one engine file. Passes rewrite the graphs,
// kernels are chosen, memory is planned, weights are packed and streamed out; the file appears at
// once and whole, or not at all. compile knows no importer: the caller loads the model and hands it
// over. One thread at a time; packing uses threads of its own.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "backend/backend.h"
#include "compile/pack.h"
#include "compile/passes.h"
#include "compile/precision.h"
#include "graph/family.h"
#include "zhibi/status.h"

namespace zhibi::compile {

struct BuildRequest {
  graph::FamilyGraphs graphs;
  const graph::WeightSource* weights = nullptr;
  backend::Device* device = nullptr;
  Precision precision = Precision::kI8;
  graph::StepLimits limits;  // those that the graphs were built with
  std::string source;        // for people: "models/zhibi-mini"
  std::string source_hash;
  std::string out_path;
  // Role (engine_file.h) and bytes of the text side's sections: tokenizer, chat template, configs.
  std::vector<std::pair<std::string, std::string>> sections;
  // Weights, arena, cache of one sequence (of up to 4096 tokens) and 96 MB of program must fit. 0:
  // what cgroup and MemAvailable leave.
  std::int64_t memory_limit_bytes = 0;
  // Arena of one plan. 0: a quarter of the memory limit.
  std::int64_t workspace_limit_bytes = 0;
  int threads = 0;                                // for packing; 0: as many as the pool would have
  std::function<void(std::string_view)> explain;  // one call a line, without newline
  PackProgress progress;
};

struct BuildReport {
  graph::StepLimits limits;          // as built: max_tokens may have shrunk to fit the limits
  std::int64_t launches_before = 0;  // of all plans
  std::int64_t launches_after = 0;
  std::int64_t weight_bytes = 0;
  std::int64_t arena_bytes = 0;  // of the largest plan
  double seconds = 0;
  std::string json;  // the report section of the engine
};

// kInvalidArgument, kDataLoss: weights that do not fit the graph (names tensor, expected and given
// shape). kUnimplemented: no kernel for an op, with every entry's reason. kResourceExhausted: does
// not fit the limits even with small chunks, with the sum that was made.
Result<BuildReport> BuildEngine(BuildRequest request);

}  // namespace zhibi::compile
