// SPDX-License-Identifier: Apache-2.0
#include "cli/model_builder.h"

#include <memory>
#include <optional>
#include <utility>

#include "base/progress.h"
#include "base/status_macros.h"
#include "engine/engine_file.h"
#include "text/tokenizer.h"

namespace zhibi::cli {

Result<compile::Precision> PrecisionFor(const std::string& text,
                                        const import::ModelFolder& folder) {
  if (!text.empty()) return compile::ParsePrecision(text);
  return import::StoresInt8(*folder.checkpoint) ? compile::Precision::kI8
                                                : compile::Precision::kBF16;
}

Result<compile::BuildReport> BuildModel(const ModelBuild& build) {
  const import::ModelFolder& folder = *build.folder;
  compile::BuildRequest request;
  ZB_ASSIGN_OR_RETURN(request.graphs, import::BuildGraphs(folder, build.limits));
  request.weights = folder.checkpoint.get();
  request.device = build.device;
  request.precision = build.precision;
  request.limits = build.limits;
  request.source = folder.path;
  request.source_hash = folder.content_hash;
  request.out_path = build.out_path;
  request.memory_limit_bytes = build.memory_limit;
  request.workspace_limit_bytes = build.workspace_limit;
  request.explain = build.explain;
  if (!folder.tokenizer_json.empty()) {
    ZB_ASSIGN_OR_RETURN(
        const text::Tokenizer tokenizer,
        text::Tokenizer::FromJson(folder.tokenizer_json, folder.folder + "/tokenizer.json"));
    request.sections.emplace_back(engine::kRoleTokenizer, tokenizer.Serialize());
  }
  auto add = [&request](std::string_view role, const std::string& bytes) {
    if (!bytes.empty()) request.sections.emplace_back(role, bytes);
  };
  add(engine::kRoleChatTemplate, folder.chat_template);
  add(engine::kRoleTokenizerConfig, folder.tokenizer_config_json);
  add(engine::kRoleGenerationConfig, folder.generation_config_json);
  std::unique_ptr<base::ProgressBar> bar;
  if (build.progress) {
    request.progress = [&bar](std::int64_t done, std::int64_t total, std::string_view weight) {
      if (bar == nullptr) bar = std::make_unique<base::ProgressBar>("building", total);
      bar->Update(done, weight);
    };
  }
  return compile::BuildEngine(std::move(request));
}

}  // namespace zhibi::cli
