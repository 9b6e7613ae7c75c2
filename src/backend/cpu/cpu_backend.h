// SPDX-License-Identifier: Apache-2.0
// The CPU device: memory of the host, kernels of the best instruction set that the machine has or
// that ZHIBI_CPU names, one pool of threads shared by its streams. Work is synchronous: when Launch
// returns, the results are there; events have happened as soon as they are recorded.
// Thread rule: the device is thread-safe; two streams that launch at once share the pool, the
// second runs alone on its caller's thread for that launch.
#pragma once

#include <memory>
#include <span>
#include <string>

#include "backend/backend.h"
#include "backend/cpu/kernel_list.h"
#include "zhibi/status.h"

namespace zhibi::cpu {

// options.threads 0: base::EffectiveThreads(). options.isa overrides ZHIBI_CPU.
// kInvalidArgument: not a level, or a number of threads outside 0..1024. kFailedPrecondition: a
// level that this machine lacks, naming the missing features.
// `fallback`: entries listed after all own ones, normally the reference backend's, which answer ops
// and cases without an own kernel.
Result<std::unique_ptr<backend::Device>> OpenCpuDevice(
    const backend::DeviceOptions& options,
    std::span<const backend::KernelEntry* const> fallback = {});

// The instruction set that OpenCpuDevice would use.
struct ChosenIsa {
  Isa isa;
  std::string model_name;
};
Result<ChosenIsa> ChooseIsa(const backend::DeviceOptions& options);

}  // namespace zhibi::cpu
