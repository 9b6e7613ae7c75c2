// SPDX-License-Identifier: Apache-2.0
// From what a user calls a model (an engine file, a Hugging Face folder, a .safetensors file in
// such a folder) to an engine that runs: a folder is built into the cache on first use and mapped
// after that. One thread.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "backend/backend.h"
#include "engine/engine_file.h"
#include "graph/family.h"
#include "runtime/engine.h"
#include "text/tokenizer.h"
#include "zhibi/status.h"

namespace zhibi::cli {

struct ModelOptions {
  std::string model;
  std::string precision;  // empty: as stored for int8 checkpoints, else bf16
  std::string backend = "cpu";
  int threads = 0;                // 0: what the machine gives
  graph::StepLimits limits;       // profile of an engine that has to be built
  std::int64_t memory_limit = 0;  // bytes; 0: from cgroup and MemAvailable
  runtime::EngineOptions engine;
  bool quiet = false;  // no progress of a first build
};

struct LoadedModel {
  std::shared_ptr<const engine::EngineFile> file;
  std::shared_ptr<backend::Device> device;
  std::unique_ptr<text::Tokenizer> tokenizer;  // null when the model has none
  std::string chat_template;                   // empty when the model has none
  std::string tokenizer_config;                // JSON text; empty when there is none
  std::unique_ptr<runtime::Engine> engine;     // destroyed first
  double load_ms = 0;  // from the call to an engine that takes turns, a build not counted
};

// Everything but the runtime engine (`engine` stays null): for encoders, inspection and tokenize.
Result<LoadedModel> OpenModel(const ModelOptions& options);
Result<LoadedModel> LoadModel(const ModelOptions& options);
// The tokenizer alone; builds nothing. `keep_alive` holds the mapped engine file of a blob.
Result<std::unique_ptr<text::Tokenizer>> LoadTokenizer(
    const std::string& model, std::shared_ptr<const engine::EngineFile>& keep_alive);

}  // namespace zhibi::cli
