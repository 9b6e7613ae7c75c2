// SPDX-License-Identifier: Apache-2.0
// The fenced backend (design.md §7.9): reference kernels behind the manners of a GPU. It is a
// module loaded through zhibi_backend_v1 like any other, so that the border itself is tested from
// the first day. Thread rule as in backend/backend.h.
#include <atomic>
#include <cstring>
#include <memory>
#include <utility>

#include "backend/backend.h"
#include "backend/builtin.h"
#include "backend/fenced/fenced_memory.h"
#include "backend/fenced/fenced_stream.h"
#include "base/status_macros.h"

namespace zhibi::fenced {
namespace {

class FencedDevice final : public backend::Device {
 public:
  explicit FencedDevice(std::uint64_t seed) : seed_(seed) {
    info_.backend = "fenced";
    info_.name = "fenced reference";
    info_.isa = "scalar";
    info_.host_memory = false;
  }
  const backend::DeviceInfo& info() const override { return info_; }
  std::span<const backend::KernelEntry* const> kernels() const override {
    return reference::ReferenceKernels();
  }
  Result<std::unique_ptr<backend::DeviceBuffer>> Allocate(std::size_t bytes) override {
    return MakeFencedBuffer(map_, bytes);
  }
  Result<std::unique_ptr<backend::DeviceBuffer>> Wrap(std::span<const std::byte> bytes) override {
    ZB_ASSIGN_OR_RETURN(std::unique_ptr<backend::DeviceBuffer> buffer,
                        MakeFencedBuffer(map_, bytes.size()));
    std::byte* view = map_->View(buffer->data(), bytes.size());
    if (!bytes.empty()) std::memcpy(view, bytes.data(), bytes.size());
    return buffer;
  }
  Result<std::unique_ptr<backend::Stream>> CreateStream() override {
    return MakeFencedStream(map_, seed_++);
  }
  Result<std::unique_ptr<backend::Event>> CreateEvent() override { return MakeFencedEvent(); }

 private:
  backend::DeviceInfo info_;
  std::atomic<std::uint64_t> seed_;  // of the next stream
  // Owned by the device, its streams and its buffers.
  std::shared_ptr<AddressMap> map_ = std::make_shared<AddressMap>();
};

int DeviceCount() { return 1; }

Result<std::unique_ptr<backend::Device>> Open(int ordinal, const backend::DeviceOptions& options) {
  if (ordinal != 0) {
    return NotFoundError("fenced: expected device 0, got " + std::to_string(ordinal));
  }
  return std::unique_ptr<backend::Device>(std::make_unique<FencedDevice>(options.seed));
}

constexpr backend::BackendApi kApi = {
    .abi = backend::kBackendAbi, .name = "fenced", .device_count = &DeviceCount, .open = &Open};

}  // namespace
}  // namespace zhibi::fenced

extern "C" __attribute__((visibility("default"))) const zhibi::backend::BackendApi*
zhibi_backend_v1(const zhibi::backend::HostApi* host) {
  return host != nullptr && host->abi == zhibi::backend::kBackendAbi ? &zhibi::fenced::kApi
                                                                     : nullptr;
}
