// SPDX-License-Identifier: Apache-2.0
// The reference device: host memory, the calling thread, work done when Launch returns. The
// yardstick of the other backends, and their last resort. Thread rule as in backend/backend.h.
#include <cstring>
#include <utility>

#include "backend/builtin.h"
#include "backend/reference/memory.h"
#include "base/status_macros.h"

namespace zhibi::reference {
namespace {

class Buffer final : public backend::DeviceBuffer {
 public:
  Buffer(AlignedBytes memory, std::size_t bytes) : memory_(std::move(memory)) {
    data_ = memory_.get();
    size_ = bytes;
  }
  // Over mapped weights, which kernels only read.
  explicit Buffer(std::span<const std::byte> bytes) {
    data_ = const_cast<std::byte*>(bytes.data());
    size_ = bytes.size();
  }

 private:
  AlignedBytes memory_;
};

class DoneEvent final : public backend::Event {
 public:
  bool Happened() const override { return true; }
  Status Wait() override { return OkStatus(); }
};

class DirectStream final : public backend::Stream {
 public:
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
    if (bytes > 0) std::memmove(dst, src, bytes);
    return OkStatus();
  }
  Status Record(backend::Event&) override { return OkStatus(); }
  Status Synchronize() override { return OkStatus(); }
  void RunTiles(std::int64_t tiles, backend::TileFunction function, void* context) override {
    for (std::int64_t tile = 0; tile < tiles; ++tile) function(context, tile, 0);
  }
  int workers() const override { return 1; }
};

class ReferenceDevice final : public backend::Device {
 public:
  ReferenceDevice() {
    info_.backend = "reference";
    info_.name = "reference";
    info_.isa = "scalar";
  }
  const backend::DeviceInfo& info() const override { return info_; }
  std::span<const backend::KernelEntry* const> kernels() const override {
    return ReferenceKernels();
  }
  Result<std::unique_ptr<backend::DeviceBuffer>> Allocate(std::size_t bytes) override {
    ZB_ASSIGN_OR_RETURN(AlignedBytes memory, AllocateAligned(bytes));
    return std::unique_ptr<backend::DeviceBuffer>(
        std::make_unique<Buffer>(std::move(memory), bytes));
  }
  Result<std::unique_ptr<backend::DeviceBuffer>> Wrap(std::span<const std::byte> bytes) override {
    return std::unique_ptr<backend::DeviceBuffer>(std::make_unique<Buffer>(bytes));
  }
  Result<std::unique_ptr<backend::Stream>> CreateStream() override {
    return std::unique_ptr<backend::Stream>(std::make_unique<DirectStream>());
  }
  Result<std::unique_ptr<backend::Event>> CreateEvent() override {
    return std::unique_ptr<backend::Event>(std::make_unique<DoneEvent>());
  }

 private:
  backend::DeviceInfo info_;
};

}  // namespace

Result<std::unique_ptr<backend::Device>> OpenReferenceDevice(const backend::DeviceOptions&) {
  return std::unique_ptr<backend::Device>(std::make_unique<ReferenceDevice>());
}

}  // namespace zhibi::reference
