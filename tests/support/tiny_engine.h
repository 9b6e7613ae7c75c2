// SPDX-License-Identifier: Apache-2.0
// Builds a golden model (tests/golden/models/<name>) into an engine file in a temporary folder, for
// tests of runtime. Header only, so that test programs without the compiler need not link it.
#pragma once

#include <filesystem>
#include <memory>
#include <random>
#include <string>

#include "backend/backend.h"
#include "base/status_macros.h"
#include "compile/compile.h"
#include "engine/engine_file.h"
#include "graph/family.h"
#include "import/model_folder.h"
#include "support/golden_model.h"

namespace zhibi::test {

struct TinyEngine {
  std::shared_ptr<const engine::EngineFile> file;
  std::shared_ptr<backend::Device> device;
};

inline graph::StepLimits TinyLimits() {
  graph::StepLimits limits;
  limits.max_tokens = 64;
  limits.max_seqs = 8;
  limits.max_out_rows = 64;
  limits.max_context = 512;
  limits.page_tokens = 32;
  return limits;
}

// Builds the checkpoint in `folder`.
inline Result<TinyEngine> BuildTinyEngineFrom(const std::string& folder,
                                              const std::string& precision,
                                              const std::string& backend,
                                              const graph::StepLimits& limits,
                                              const backend::DeviceOptions& options = {}) {
  ZB_ASSIGN_OR_RETURN(const import::ModelFolder model, import::LoadModelFolder(folder));
  TinyEngine tiny;
  ZB_ASSIGN_OR_RETURN(tiny.device, backend::OpenDevice(backend, options));
  compile::BuildRequest request;
  ZB_ASSIGN_OR_RETURN(request.graphs, import::BuildGraphs(model, limits));
  ZB_ASSIGN_OR_RETURN(request.precision, compile::ParsePrecision(precision));
  request.weights = model.checkpoint.get();
  request.device = tiny.device.get();
  request.limits = limits;
  request.source = folder;
  static std::mt19937_64 random{std::random_device{}()};
  const std::filesystem::path path = std::filesystem::temp_directory_path() /
                                     ("zhibi_tiny_" + std::to_string(random()) + ".engine");
  request.out_path = path.string();
  ZB_ASSIGN_OR_RETURN(const compile::BuildReport report, compile::BuildEngine(std::move(request)));
  static_cast<void>(report);
  Result<std::shared_ptr<const engine::EngineFile>> file = engine::EngineFile::Open(path.string());
  std::filesystem::remove(path);  // the mapping keeps the bytes
  ZB_ASSIGN_OR_RETURN(tiny.file, std::move(file));
  return tiny;
}

// Builds a golden model.
inline Result<TinyEngine> BuildTinyEngine(const std::string& model, const std::string& precision,
                                          const std::string& backend,
                                          const graph::StepLimits& limits = TinyLimits(),
                                          const backend::DeviceOptions& options = {}) {
  return BuildTinyEngineFrom(GoldenFolder(model), precision, backend, limits, options);
}

}  // namespace zhibi::test
