// SPDX-License-Identifier: Apache-2.0
#include "backend/cpu/cpu_backend.h"

#include <cstring>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "backend/cpu/memory.h"
#include "backend/cpu/pool.h"
#include "base/machine.h"
#include "base/status_macros.h"

namespace zhibi::cpu {
namespace {

constexpr int kMaxThreads = 1024;

class CpuBuffer final : public backend::DeviceBuffer {
 public:
  explicit CpuBuffer(Memory memory) : memory_(std::move(memory)) {
    data_ = memory_.data();
    size_ = memory_.size();
  }
  // Over somebody else's bytes. Kernels never write weights, hence the cast is safe.
  explicit CpuBuffer(std::span<const std::byte> bytes) {
    data_ = const_cast<std::byte*>(bytes.data());
    size_ = bytes.size();
  }

 private:
  Memory memory_;
};

class CpuEvent final : public backend::Event {
 public:
  bool Happened() const override { return true; }
  Status Wait() override { return OkStatus(); }
};

class CpuStream final : public backend::Stream {
 public:
  explicit CpuStream(Pool* pool) : pool_(pool) {}

  Status Launch(const backend::KernelEntry& entry, const backend::LaunchArgs& args) override {
    backend::LaunchArgs own = args;
    own.stream = this;
    entry.launch(own);
    return OkStatus();
  }
  Status CopyToDevice(std::byte* device, std::span<const std::byte> host) override {
    if (!host.empty()) std::memcpy(device, host.data(), host.size());
    return OkStatus();
  }
  Status CopyToHost(std::span<std::byte> host, const std::byte* device) override {
    if (!host.empty()) std::memcpy(host.data(), device, host.size());
    return OkStatus();
  }
  Status CopyOnDevice(std::byte* dst, const std::byte* src, std::size_t bytes) override {
    if (bytes != 0) std::memmove(dst, src, bytes);
    return OkStatus();
  }
  Status Record(backend::Event& /*event*/) override { return OkStatus(); }
  Status Synchronize() override { return OkStatus(); }
  void RunTiles(std::int64_t tiles, backend::TileFunction function, void* context) override {
    pool_->Run(tiles, function, context);
  }
  int workers() const override { return pool_->workers(); }

 private:
  Pool* pool_;  // the device's, which outlives its streams
};

class CpuDevice final : public backend::Device {
 public:
  CpuDevice(backend::DeviceInfo info, KernelList kernels)
      : info_(std::move(info)), kernels_(std::move(kernels)), pool_({.threads = info_.threads}) {}

  const backend::DeviceInfo& info() const override { return info_; }
  std::span<const backend::KernelEntry* const> kernels() const override { return kernels_; }

  Result<std::unique_ptr<backend::DeviceBuffer>> Allocate(std::size_t bytes) override {
    ZB_ASSIGN_OR_RETURN(Memory memory, Memory::Allocate(bytes));
    return std::unique_ptr<backend::DeviceBuffer>(std::make_unique<CpuBuffer>(std::move(memory)));
  }
  Result<std::unique_ptr<backend::DeviceBuffer>> Wrap(std::span<const std::byte> bytes) override {
    return std::unique_ptr<backend::DeviceBuffer>(std::make_unique<CpuBuffer>(bytes));
  }
  Result<std::unique_ptr<backend::Stream>> CreateStream() override {
    return std::unique_ptr<backend::Stream>(std::make_unique<CpuStream>(&pool_));
  }
  Result<std::unique_ptr<backend::Event>> CreateEvent() override {
    return std::unique_ptr<backend::Event>(std::make_unique<CpuEvent>());
  }

 private:
  const backend::DeviceInfo info_;
  const KernelList kernels_;
  Pool pool_;
};

// Features that kernels of the level use beyond the level itself, sorted.
std::vector<std::string> FeaturesInUse(const Isa& isa) {
  std::vector<std::string> names;
  if (isa.features.avx512_bf16) names.emplace_back("avx512_bf16");
  if (isa.features.avx512_vnni) names.emplace_back("avx512_vnni");
  return names;
}

}  // namespace

Result<ChosenIsa> ChooseIsa(const backend::DeviceOptions& options) {
  base::CpuInfo cpu;
  if (options.isa.empty()) {
    const Result<base::CpuInfo>& current = base::CurrentCpu();
    if (!current.ok()) return current.status();
    cpu = *current;
  } else {
    ZB_ASSIGN_OR_RETURN(cpu, base::DetectCpu(std::optional<std::string>(options.isa)));
  }
  return ChosenIsa{.isa = {.level = cpu.level, .features = cpu.usable()},
                   .model_name = cpu.model_name};
}

Result<std::unique_ptr<backend::Device>> OpenCpuDevice(
    const backend::DeviceOptions& options, std::span<const backend::KernelEntry* const> fallback) {
  if (options.threads < 0 || options.threads > kMaxThreads) {
    return InvalidArgumentError("cpu: expected 0 to 1024 threads, got " +
                                std::to_string(options.threads));
  }
  ZB_ASSIGN_OR_RETURN(ChosenIsa chosen, ChooseIsa(options));
  int threads = options.threads;
  if (threads == 0) {
    ZB_ASSIGN_OR_RETURN(threads, base::EffectiveThreads());
  }
  KernelList kernels = CpuKernels(chosen.isa);
  kernels.insert(kernels.end(), fallback.begin(), fallback.end());
  backend::DeviceInfo info;
  info.backend = "cpu";
  info.name = chosen.model_name;
  info.isa = std::string(base::CpuLevelName(chosen.isa.level));
  info.features = FeaturesInUse(chosen.isa);
  info.threads = threads;
  return std::unique_ptr<backend::Device>(
      std::make_unique<CpuDevice>(std::move(info), std::move(kernels)));
}

}  // namespace zhibi::cpu
