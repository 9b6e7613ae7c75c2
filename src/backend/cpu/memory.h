// SPDX-License-Identifier: Apache-2.0
// Memory of the CPU device: aligned, zero-filled, on huge pages where the system gives them (a
// stream of weights then misses the TLB a thousand times less often).
// Thread rule: a buffer belongs to one thread at a time.
#pragma once

#include <cstddef>
#include <cstdint>

#include "zhibi/status.h"

namespace zhibi::cpu {

// An anonymous mapping; moves only.
class Memory {
 public:
  Memory() = default;
  ~Memory();
  Memory(Memory&& other) noexcept;
  Memory& operator=(Memory&& other) noexcept;
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;

  // At least 64-byte aligned (2 MiB from 2 MiB on), zero-filled; bytes may be 0.
  // kResourceExhausted says how much was asked.
  static Result<Memory> Allocate(std::size_t bytes);

  std::byte* data() const { return data_; }
  std::size_t size() const { return size_; }

 private:
  std::byte* data_ = nullptr;
  std::size_t size_ = 0;
  void* mapping_ = nullptr;
  std::size_t mapping_bytes_ = 0;
};

}  // namespace zhibi::cpu
