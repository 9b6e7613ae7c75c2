// SPDX-License-Identifier: Apache-2.0
#include "cli/model_loader.h"

#include <chrono>
#include <cstdio>
#include <utility>

#include "base/status_macros.h"
#include "cli/model_builder.h"
#include "compile/engine_cache.h"
#include "import/model_folder.h"
#include "text/tokenizer_blob.h"

namespace zhibi::cli {
namespace {

using Clock = std::chrono::steady_clock;

std::string TextOf(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

// Path of an engine for the folder: from the cache, or built now. `build_ms` is the time that a
// build took.
Result<std::string> EnsureFolderEngine(const ModelOptions& options, backend::Device& device,
                                       double& build_ms) {
  compile::EngineKey key;
  key.source = options.model;
  ZB_ASSIGN_OR_RETURN(key.source_hash, import::HashModel(options.model));
  key.machine = {device.info().backend, device.info().isa, device.info().features};
  key.kernels = compile::KernelTable(device.kernels());
  key.limits = options.limits;
  key.tokenizer_version = text::kBlobVersion;
  // A cached engine is found without opening the checkpoint when the precision is given.
  std::optional<import::ModelFolder> folder;
  if (options.precision.empty()) {
    ZB_ASSIGN_OR_RETURN(folder, import::LoadModelFolder(options.model));
    ZB_ASSIGN_OR_RETURN(key.precision, PrecisionFor("", *folder));
  } else {
    ZB_ASSIGN_OR_RETURN(key.precision, compile::ParsePrecision(options.precision));
  }
  auto build = [&](const std::string& path) -> Status {
    const Clock::time_point start = Clock::now();
    if (!folder.has_value()) {
      ZB_ASSIGN_OR_RETURN(folder, import::LoadModelFolder(options.model));
    }
    ModelBuild request;
    request.folder = &*folder;
    request.device = &device;
    request.precision = key.precision;
    request.limits = options.limits;
    request.memory_limit = options.memory_limit;
    request.out_path = path;
    request.progress = !options.quiet;
    ZB_ASSIGN_OR_RETURN(const compile::BuildReport report, BuildModel(request));
    build_ms = std::chrono::duration<double, std::milli>(Clock::now() - start).count();
    if (!options.quiet)
      std::fprintf(stderr, "zhibi: built %s in %.1f s (once)\n", path.c_str(), report.seconds);
    return OkStatus();
  };
  return compile::EnsureEngine(key, build, [](std::string_view message) {
    std::fprintf(stderr, "zhibi: %.*s\n", static_cast<int>(message.size()), message.data());
  });
}

Result<LoadedModel> Open(const ModelOptions& options, double& build_ms) {
  LoadedModel model;
  backend::DeviceOptions device_options;
  device_options.threads = options.threads;
  ZB_ASSIGN_OR_RETURN(model.device, backend::OpenDevice(options.backend, device_options));
  std::string path = options.model;
  if (import::LooksLikeModelFolder(path)) {
    ZB_ASSIGN_OR_RETURN(path, EnsureFolderEngine(options, *model.device, build_ms));
  }
  ZB_ASSIGN_OR_RETURN(model.file, engine::EngineFile::Open(path));
  const std::span<const std::byte> blob = model.file->SectionBytes(engine::kRoleTokenizer);
  if (!blob.empty()) {
    ZB_ASSIGN_OR_RETURN(text::Tokenizer tokenizer, text::Tokenizer::FromBlob(blob));
    model.tokenizer = std::make_unique<text::Tokenizer>(std::move(tokenizer));
  }
  model.chat_template = TextOf(model.file->SectionBytes(engine::kRoleChatTemplate));
  model.tokenizer_config = TextOf(model.file->SectionBytes(engine::kRoleTokenizerConfig));
  return model;
}

}  // namespace

Result<LoadedModel> OpenModel(const ModelOptions& options) {
  double build_ms = 0;
  return Open(options, build_ms);
}

Result<LoadedModel> LoadModel(const ModelOptions& options) {
  const Clock::time_point start = Clock::now();
  double build_ms = 0;
  ZB_ASSIGN_OR_RETURN(LoadedModel model, Open(options, build_ms));
  ZB_ASSIGN_OR_RETURN(model.engine,
                      runtime::Engine::Create(model.file, model.device, options.engine));
  model.load_ms =
      std::chrono::duration<double, std::milli>(Clock::now() - start).count() - build_ms;
  return model;
}

Result<std::unique_ptr<text::Tokenizer>> LoadTokenizer(
    const std::string& model, std::shared_ptr<const engine::EngineFile>& keep_alive) {
  if (import::LooksLikeModelFolder(model)) {
    ZB_ASSIGN_OR_RETURN(const import::ModelFolder folder, import::LoadModelFolder(model));
    if (folder.tokenizer_json.empty()) {
      return NotFoundError(folder.folder + ": has no tokenizer.json");
    }
    ZB_ASSIGN_OR_RETURN(
        text::Tokenizer tokenizer,
        text::Tokenizer::FromJson(folder.tokenizer_json, folder.folder + "/tokenizer.json"));
    return std::make_unique<text::Tokenizer>(std::move(tokenizer));
  }
  ZB_ASSIGN_OR_RETURN(keep_alive, engine::EngineFile::Open(model));
  const std::span<const std::byte> blob = keep_alive->SectionBytes(engine::kRoleTokenizer);
  if (blob.empty()) return NotFoundError(model + ": the engine holds no tokenizer");
  ZB_ASSIGN_OR_RETURN(text::Tokenizer tokenizer, text::Tokenizer::FromBlob(blob));
  return std::make_unique<text::Tokenizer>(std::move(tokenizer));
}

}  // namespace zhibi::cli
