// SPDX-License-Identifier: Apache-2.0
// Host memory of the reference device. Move-only; one thread at a time.
#pragma once

#include <cstddef>
#include <memory>

#include "zhibi/status.h"

namespace zhibi::reference {

struct AlignedDelete {
  void operator()(std::byte* bytes) const;
};
using AlignedBytes = std::unique_ptr<std::byte, AlignedDelete>;

// 64-byte aligned, zero-filled. kResourceExhausted says how much was asked.
Result<AlignedBytes> AllocateAligned(std::size_t bytes);

}  // namespace zhibi::reference
