// SPDX-License-Identifier: Apache-2.0
// A model family: one file graph/families/<name>.cc that exports one constant kFamily_<name>; CMake
// lists the folder and writes the table. A family reads config.json, names its tensors and builds
// its plans. Immutable; thread-safe.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "graph/graph.h"

namespace zhibi::graph {

// What the compiler asks of a build: the profile's maxima (graph/step.h symbols).
struct StepLimits {
  std::int64_t max_tokens = 512;  // rows of one step (chunk budget)
  std::int64_t max_seqs = 64;
  std::int64_t max_out_rows = 64;
  std::int64_t max_context = 0;  // 0: the model's own
  std::int64_t page_tokens = 32;
};

// Facts that the runtime and the text side need besides the plans.
struct ModelInfo {
  std::string family;
  std::int64_t vocab = 0;
  std::int64_t hidden = 0;
  std::int64_t context = 0;  // positions the model was made for
  std::vector<std::int32_t> eos_ids;
  std::int32_t bos_id = -1;
  std::int64_t parameters = 0;  // of matrices, embedding and head included once
};

struct FamilyGraphs {
  std::vector<Graph> plans;  // "step" for decoders; "encode"; both for encoder-decoders
  ModelInfo info;
};

struct Family {
  std::string_view name;
  std::span<const std::string_view>
      architectures;  // config.json "architectures" entries that it takes
  // kInvalidArgument names the key, what was expected and what came ("config.json: hidden_size:
  // expected 1..65536, got -3"). `source` answers which optional tensors (biases, tied head) exist.
  Result<FamilyGraphs> (*build)(const nlohmann::json& config, const WeightSource& source,
                                const StepLimits& limits);
};

// kUnimplemented lists the families there are.
Result<const Family*> FindFamily(std::string_view architecture);
std::span<const Family* const> AllFamilies();

}  // namespace zhibi::graph
