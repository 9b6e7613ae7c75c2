// SPDX-License-Identifier: Apache-2.0
// `zhibi build`: a model folder becomes an engine file.
#pragma once

#include <cstdint>
#include <string>

#include "cli/model_loader.h"

namespace zhibi::cli {

struct BuildOptions {
  ModelOptions model;                // memory_limit, threads, precision and limits count
  std::string out;                   // FILE.engine; written whole or not at all
  std::int64_t workspace_limit = 0;  // bytes; 0: a quarter of the memory limit
  bool explain = false;              // every pass's effect, kernel choice and memory to stdout
};

// kInvalidArgument: no such model, or it is an engine already; others as compile::BuildEngine.
Status RunBuild(const BuildOptions& options);

}  // namespace zhibi::cli
