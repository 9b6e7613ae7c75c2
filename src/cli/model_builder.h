// SPDX-License-Identifier: Apache-2.0
// Builds an engine from a model folder: what `zhibi build` and the first use of a folder share. One
// thread.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "backend/backend.h"
#include "compile/compile.h"
#include "graph/family.h"
#include "import/model_folder.h"
#include "zhibi/status.h"

namespace zhibi::cli {

struct ModelBuild {
  const import::ModelFolder* folder = nullptr;
  backend::Device* device = nullptr;
  compile::Precision precision = compile::Precision::kI8;
  graph::StepLimits limits;
  std::int64_t memory_limit = 0;
  std::int64_t workspace_limit = 0;
  std::string out_path;
  bool progress = true;  // a bar on standard error, when that is a terminal
  std::function<void(std::string_view)> explain;
};

// Graphs, tokenizer blob, chat template and configs go into the engine.
Result<compile::BuildReport> BuildModel(const ModelBuild& build);

// What an empty --precision means: int8 for int8 checkpoints, else bf16.
Result<compile::Precision> PrecisionFor(const std::string& text, const import::ModelFolder& folder);

}  // namespace zhibi::cli
