// SPDX-License-Identifier: Apache-2.0
// A stream that behaves as badly as a GPU's may: work runs on a thread of its own, late, with
// random delays; a copy to the host first poisons its target, a copy from the host reads its source
// only when its turn comes. A missing event or wait therefore gives wrong values, every time.
// Stream: one thread at a time. Events: any thread.
#pragma once

#include <cstdint>
#include <memory>

#include "backend/backend.h"
#include "backend/fenced/fenced_memory.h"

namespace zhibi::fenced {

// What targets of copies to the host hold until the copy is done: NaN as float, -1 as an integer.
inline constexpr std::byte kPoison{0xFF};

std::unique_ptr<backend::Stream> MakeFencedStream(std::shared_ptr<const AddressMap> map,
                                                  std::uint64_t seed);
std::unique_ptr<backend::Event> MakeFencedEvent();

}  // namespace zhibi::fenced
