// SPDX-License-Identifier: Apache-2.0
// Which three-byte characters merging may take as one token at once, exactly.
// Merging byte by byte spends two thirds of its time inside Chinese characters. A character may be
// taken whole when no other order is possible: every rule that could join one of its unfinished
// parts, or its finished token, to a neighbour ranks after the last rule that its own bytes need.
// Then its bytes always merge first, whatever stands around it. Neighbours that end in ASCII are
// judged apart, since rules "blank + first byte" are common. bpe_test compares with plain merging.
// Thread-safe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "text/tokenizer_data.h"
#include "text/tokenizer_spec.h"

namespace zhibi::text {

// The slot of a three-byte character, given by its bytes; kNumCharSlots when the table does not
// have it.
inline std::size_t CharSlot(unsigned char b0, unsigned char b1, unsigned char b2) {
  const std::size_t c = (b0 & 0x0FU) << 12 | (b1 & 0x3FU) << 6 | (b2 & 0x3FU);
  if (c >= 0x3000 && c < 0xA000) return c - 0x3000;
  return c >= 0xFF00 ? c - 0xFF00 + 0x7000 : kNumCharSlots;
}

// The table for the blob: kNumCharSlots entries, or none when no character may be taken whole.
std::vector<std::uint32_t> MakeCharTokens(const TokenizerSpec& spec,
                                          std::span<const std::uint32_t> merge_slots);

}  // namespace zhibi::text
