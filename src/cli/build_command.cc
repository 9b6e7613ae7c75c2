// SPDX-License-Identifier: Apache-2.0
#include "cli/build_command.h"

#include <cstdio>
#include <memory>

#include "base/machine.h"
#include "base/status_macros.h"
#include "cli/model_builder.h"
#include "compile/compile.h"
#include "import/model_folder.h"

namespace zhibi::cli {

Status RunBuild(const BuildOptions& options) {
  if (!import::LooksLikeModelFolder(options.model.model)) {
    return InvalidArgumentError(options.model.model +
                                ": expected a model folder or a .safetensors file in one");
  }
  if (options.out.empty()) return InvalidArgumentError("--out: expected the engine's path");
  ZB_ASSIGN_OR_RETURN(const import::ModelFolder folder,
                      import::LoadModelFolder(options.model.model));
  backend::DeviceOptions device_options;
  device_options.threads = options.model.threads;
  ZB_ASSIGN_OR_RETURN(const std::unique_ptr<backend::Device> device,
                      backend::OpenDevice(options.model.backend, device_options));
  ModelBuild build;
  build.folder = &folder;
  build.device = device.get();
  ZB_ASSIGN_OR_RETURN(build.precision, PrecisionFor(options.model.precision, folder));
  build.limits = options.model.limits;
  build.memory_limit = options.model.memory_limit;
  build.workspace_limit = options.workspace_limit;
  build.out_path = options.out;
  build.progress = !options.model.quiet;
  if (options.explain) {
    build.explain = [](std::string_view line) {
      std::printf("%.*s\n", static_cast<int>(line.size()), line.data());
    };
  }
  ZB_ASSIGN_OR_RETURN(const compile::BuildReport report, BuildModel(build));
  if (!options.model.quiet) {
    std::printf("%s: %s, weights %s, arena %s, %lld launches a step (%lld before fusing), %.1f s\n",
                options.out.c_str(), std::string(compile::PrecisionName(build.precision)).c_str(),
                base::FormatByteSize(report.weight_bytes).c_str(),
                base::FormatByteSize(report.arena_bytes).c_str(),
                static_cast<long long>(report.launches_after),
                static_cast<long long>(report.launches_before), report.seconds);
  }
  return OkStatus();
}

}  // namespace zhibi::cli
