// SPDX-License-Identifier: Apache-2.0
// OpenDevice: built-in backends by name, others as modules. A module stays loaded for the life of
// the process: its kernels' code may be referred to by plans that are bound already.
#include <dlfcn.h>

#include <filesystem>
#include <string>
#include <vector>

#include "backend/backend.h"
#include "backend/builtin.h"
#include "base/log.h"
#include "base/paths.h"
#include "base/status_macros.h"
#include "base/switches.h"

namespace zhibi::backend {
namespace {

using EntryPoint = const BackendApi* (*)(const HostApi*);

void LogFromModule(int level, std::string_view message) {
  base::Log(base::LogArea::kDispatch, level > 0 ? base::LogLevel::kWarn : base::LogLevel::kInfo,
            message);
}

const HostApi kHostApi{.abi = kBackendAbi, .log = &LogFromModule};

// Where a module of that name may lie, best first.
std::vector<std::string> ModulePaths(std::string_view backend) {
  if (backend.find('/') != std::string_view::npos) return {std::string(backend)};
  const std::string file = "libzhibi_" + std::string(backend) + ".so";
  std::vector<std::string> paths;
  if (const auto folder = base::SwitchValue(base::Switch::kBackendDir)) {
    paths.push_back(*folder + "/" + file);
  }
  paths.push_back(base::ProgramDir() + "/" + file);
  return paths;
}

Result<std::unique_ptr<Device>> OpenModule(const std::string& path, const DeviceOptions& options) {
  void* module = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
  if (module == nullptr) {
    const char* reason = dlerror();
    return FailedPreconditionError("backend module " + path + ": " +
                                   (reason == nullptr ? "cannot be loaded" : reason));
  }
  const auto entry = reinterpret_cast<EntryPoint>(dlsym(module, "zhibi_backend_v1"));
  if (entry == nullptr) {
    return FailedPreconditionError("backend module " + path +
                                   ": expected a function zhibi_backend_v1, got none");
  }
  const BackendApi* api = entry(&kHostApi);
  if (api == nullptr || api->abi != kBackendAbi || api->open == nullptr) {
    return FailedPreconditionError("backend module " + path + ": expected ABI " +
                                   std::to_string(kBackendAbi) + ", got " +
                                   (api == nullptr ? "none" : std::to_string(api->abi)));
  }
  return api->open(0, options);
}

}  // namespace

Result<std::unique_ptr<Device>> OpenDevice(std::string_view backend, const DeviceOptions& options) {
  if (backend == "reference") return reference::OpenReferenceDevice(options);
  if (backend == "cpu") return cpu::OpenCpuDevice(options, reference::ReferenceKernels());
  std::string searched;
  for (const std::string& path : ModulePaths(backend)) {
    std::error_code error;
    if (std::filesystem::is_regular_file(path, error)) return OpenModule(path, options);
    searched += (searched.empty() ? "" : ", ") + path;
  }
  return NotFoundError("backend: expected cpu, reference or a module, got \"" +
                       std::string(backend) + "\" (searched " + searched + ")");
}

}  // namespace zhibi::backend
