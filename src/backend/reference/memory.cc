// SPDX-License-Identifier: Apache-2.0
#include "backend/reference/memory.h"

#include <cstring>
#include <new>
#include <string>

namespace zhibi::reference {
namespace {

constexpr std::align_val_t kAlignment{64};

}  // namespace

void AlignedDelete::operator()(std::byte* bytes) const { ::operator delete(bytes, kAlignment); }

Result<AlignedBytes> AllocateAligned(std::size_t bytes) {
  const std::size_t size = bytes == 0 ? 64 : bytes;
  AlignedBytes memory(static_cast<std::byte*>(::operator new(size, kAlignment, std::nothrow)));
  if (memory == nullptr) {
    return ResourceExhaustedError("reference device: expected " + std::to_string(size) +
                                  " bytes of memory, the system gives less");
  }
  std::memset(memory.get(), 0, size);
  return memory;
}

}  // namespace zhibi::reference
