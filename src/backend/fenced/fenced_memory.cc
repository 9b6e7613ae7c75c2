// SPDX-License-Identifier: Apache-2.0
#include "backend/fenced/fenced_memory.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string>
#include <utility>

namespace zhibi::fenced {
namespace {

constexpr std::size_t kPage = 4096;

class FencedBuffer final : public backend::DeviceBuffer {
 public:
  // `fence` and `view` are two mappings of `mapped` bytes of the same memory.
  FencedBuffer(std::shared_ptr<AddressMap> map, void* fence, void* view, std::size_t mapped,
               std::size_t bytes)
      : map_(std::move(map)), view_(view), mapped_(mapped) {
    data_ = static_cast<std::byte*>(fence);
    size_ = bytes;
    map_->Add(data_, static_cast<std::byte*>(view), mapped);
  }
  FencedBuffer(const FencedBuffer&) = delete;
  FencedBuffer& operator=(const FencedBuffer&) = delete;
  ~FencedBuffer() override {
    map_->Remove(data_);
    ::munmap(data_, mapped_);
    ::munmap(view_, mapped_);
  }

 private:
  std::shared_ptr<AddressMap> map_;  // owned by the device, its streams and its buffers
  void* view_;
  std::size_t mapped_;
};

Status Failed(std::size_t bytes, const char* what) {
  return ResourceExhaustedError("fenced device: cannot allocate " + std::to_string(bytes) +
                                " bytes: " + what + ": " + std::strerror(errno));
}

}  // namespace

void AddressMap::Add(const std::byte* fence, std::byte* view, std::size_t bytes) {
  const std::lock_guard lock(mutex_);
  ranges_[fence] = {view, bytes};
}

void AddressMap::Remove(const std::byte* fence) {
  const std::lock_guard lock(mutex_);
  ranges_.erase(fence);
}

std::byte* AddressMap::View(const void* address, std::size_t bytes) const {
  const auto* wanted = static_cast<const std::byte*>(address);
  const std::lock_guard lock(mutex_);
  auto at = ranges_.upper_bound(wanted);
  if (at == ranges_.begin()) return nullptr;
  --at;
  const auto offset = static_cast<std::size_t>(wanted - at->first);
  if (offset > at->second.bytes || bytes > at->second.bytes - offset) return nullptr;
  return at->second.view + offset;
}

Result<std::unique_ptr<backend::DeviceBuffer>> MakeFencedBuffer(std::shared_ptr<AddressMap> map,
                                                                std::size_t bytes) {
  const std::size_t mapped = (std::max<std::size_t>(bytes, 1) + kPage - 1) / kPage * kPage;
  const int fd = ::memfd_create("zhibi-fenced", MFD_CLOEXEC);
  if (fd < 0) return Failed(bytes, "memfd_create");
  if (::ftruncate(fd, static_cast<off_t>(mapped)) != 0) {
    const Status status = Failed(bytes, "ftruncate");
    ::close(fd);
    return status;
  }
  void* view = ::mmap(nullptr, mapped, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  void* fence = ::mmap(nullptr, mapped, PROT_NONE, MAP_SHARED, fd, 0);
  ::close(fd);
  if (view == MAP_FAILED || fence == MAP_FAILED) {
    const Status status = Failed(bytes, "mmap");
    if (view != MAP_FAILED) ::munmap(view, mapped);
    if (fence != MAP_FAILED) ::munmap(fence, mapped);
    return status;
  }
  return std::unique_ptr<backend::DeviceBuffer>(
      std::make_unique<FencedBuffer>(std::move(map), fence, view, mapped, bytes));
}

}  // namespace zhibi::fenced
