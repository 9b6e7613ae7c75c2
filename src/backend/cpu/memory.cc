// SPDX-License-Identifier: Apache-2.0
#include "backend/cpu/memory.h"

#include <sys/mman.h>

#include <cerrno>
#include <cstring>
#include <string>
#include <utility>

namespace zhibi::cpu {
namespace {

constexpr std::size_t kPage = 4096;
constexpr std::size_t kHugePage = std::size_t{2} << 20;
// One vector behind the last byte is mapped too. Masked loads of a row's end reach over it: on
// hardware a masked-off lane on a missing page costs an assist, under qemu 7.2 it faults.
constexpr std::size_t kVector = 64;

}  // namespace

Memory::~Memory() {
  if (mapping_ != nullptr) munmap(mapping_, mapping_bytes_);
}

Memory::Memory(Memory&& other) noexcept
    : data_(std::exchange(other.data_, nullptr)),
      size_(std::exchange(other.size_, 0)),
      mapping_(std::exchange(other.mapping_, nullptr)),
      mapping_bytes_(std::exchange(other.mapping_bytes_, 0)) {}

Memory& Memory::operator=(Memory&& other) noexcept {
  std::swap(data_, other.data_);
  std::swap(size_, other.size_);
  std::swap(mapping_, other.mapping_);
  std::swap(mapping_bytes_, other.mapping_bytes_);
  return *this;
}

Result<Memory> Memory::Allocate(std::size_t bytes) {
  Memory memory;
  if (bytes == 0) return memory;
  const bool huge = bytes >= kHugePage;
  // Room to start at a huge page.
  const std::size_t slack = huge ? kHugePage : kPage;
  if (bytes > SIZE_MAX - 2 * slack) {
    return ResourceExhaustedError("cpu: cannot allocate " + std::to_string(bytes) + " bytes");
  }
  const std::size_t mapped = bytes + kVector + (huge ? slack : 0);
  void* const mapping =
      mmap(nullptr, mapped, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (mapping == MAP_FAILED) {
    return ResourceExhaustedError("cpu: cannot allocate " + std::to_string(bytes) +
                                  " bytes: " + std::strerror(errno));
  }
  auto* data = static_cast<std::byte*>(mapping);
  if (huge) {
    const std::size_t offset =
        (kHugePage - reinterpret_cast<std::uintptr_t>(data) % kHugePage) % kHugePage;
    data += offset;
    // Advice only: without huge pages everything still works.
    (void)madvise(data, bytes, MADV_HUGEPAGE);
  }
  memory.data_ = data;
  memory.size_ = bytes;
  memory.mapping_ = mapping;
  memory.mapping_bytes_ = mapped;
  return memory;
}

}  // namespace zhibi::cpu
