// SPDX-License-Identifier: Apache-2.0
// Device memory that the host cannot touch: one anonymous file mapped twice. The address that the
// program sees has no access rights, so that a read or write by the host faults at once; kernels
// and copies go through the second mapping, which only this module knows. Thread-safe.
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <mutex>

#include "backend/backend.h"
#include "zhibi/status.h"

namespace zhibi::fenced {

// Which ranges are device memory, and where the module's own view of them lies.
class AddressMap {
 public:
  void Add(const std::byte* fence, std::byte* view, std::size_t bytes);
  void Remove(const std::byte* fence);
  // The module's view of `bytes` bytes at a device address; nullptr when they are not all inside
  // one buffer.
  std::byte* View(const void* address, std::size_t bytes) const;

 private:
  struct Range {
    std::byte* view = nullptr;
    std::size_t bytes = 0;
  };
  mutable std::mutex mutex_;
  std::map<const std::byte*, Range> ranges_;  // by address
};

// kResourceExhausted says how much was asked. The map outlives the buffer.
Result<std::unique_ptr<backend::DeviceBuffer>> MakeFencedBuffer(std::shared_ptr<AddressMap> map,
                                                                std::size_t bytes);

}  // namespace zhibi::fenced
