// SPDX-License-Identifier: Apache-2.0
#include "text/char_tokens.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "base/utf8.h"

namespace zhibi::text {
namespace {

// The first rule, by token, that has the token on one side.
struct FirstRules {
  std::vector<std::uint32_t> as_left;
  std::vector<std::uint32_t> as_right;              // after any neighbour
  std::vector<std::uint32_t> as_right_after_other;  // after a neighbour that does not end in ASCII

  explicit FirstRules(const TokenizerSpec& spec)
      : as_left(spec.tokens.size(), kNoRule),
        as_right(spec.tokens.size(), kNoRule),
        as_right_after_other(spec.tokens.size(), kNoRule) {
    for (std::size_t i = spec.merges.size(); i-- > 0;) {
      const auto rule = static_cast<std::uint32_t>(i);
      const auto left = static_cast<std::size_t>(spec.merges[i].left);
      const auto right = static_cast<std::size_t>(spec.merges[i].right);
      as_left[left] = rule;
      as_right[right] = rule;
      const std::string& bytes = spec.tokens[left];
      const bool ascii = !bytes.empty() && static_cast<unsigned char>(bytes.back()) < 0x80;
      if (!ascii) as_right_after_other[right] = rule;
    }
  }
};

// Merges one character alone and watches the parts at its edges.
std::uint32_t JudgeChar(const TokenizerData& data, const FirstRules& first,
                        const std::string& bytes) {
  // Most small vocabularies have no rule for these bytes at all.
  const auto starts_rule = [&](char byte) {
    const std::int32_t id = data.byte_ids[static_cast<unsigned char>(byte)];
    return id >= 0 && first.as_left[static_cast<std::size_t>(id)] != kNoRule;
  };
  if (!starts_rule(bytes[0]) && !starts_rule(bytes[1])) return kEmptySlot;
  std::vector<std::int32_t> ids;
  for (const char byte : bytes) ids.push_back(data.byte_ids[static_cast<unsigned char>(byte)]);
  if (std::find(ids.begin(), ids.end(), -1) != ids.end()) return kEmptySlot;
  std::uint32_t last_rule = 0;          // the latest that the character needs
  std::uint32_t other = kNoRule;        // the earliest that could disturb it
  std::uint32_t after_ascii = kNoRule;  // the same when ASCII stands before
  while (ids.size() > 1) {
    const auto left = static_cast<std::size_t>(ids.front());
    const auto right = static_cast<std::size_t>(ids.back());
    other = std::min({other, first.as_right_after_other[left], first.as_left[right]});
    after_ascii = std::min({after_ascii, first.as_right[left], first.as_left[right]});
    std::uint32_t best = kNoRule;
    std::size_t at = 0;
    for (std::size_t i = 0; i + 1 < ids.size(); ++i) {
      const std::uint32_t rule = data.FindMerge(ids[i], ids[i + 1]);
      if (rule < best) {
        best = rule;
        at = i;
      }
    }
    if (best == kNoRule) return kEmptySlot;
    last_rule = std::max(last_rule, best);
    ids[at] = data.rules[best].result;
    ids.erase(ids.begin() + static_cast<std::ptrdiff_t>(at) + 1);
  }
  const auto token = static_cast<std::size_t>(ids.front());
  other = std::min({other, first.as_right_after_other[token], first.as_left[token]});
  after_ascii = std::min({after_ascii, first.as_right[token], first.as_left[token]});
  if (other <= last_rule) return kEmptySlot;
  return static_cast<std::uint32_t>(token) | (after_ascii > last_rule ? kAfterAscii : 0);
}

}  // namespace

std::vector<std::uint32_t> MakeCharTokens(const TokenizerSpec& spec,
                                          std::span<const std::uint32_t> merge_slots) {
  TokenizerData data;
  data.byte_ids = spec.byte_ids;
  data.rules = spec.merges;
  data.merge_slots = merge_slots;
  const FirstRules first(spec);
  std::vector<std::uint32_t> table(kNumCharSlots, kEmptySlot);
  const auto fill = [&](char32_t begin, char32_t end) {
    for (char32_t c = begin; c < end; ++c) {
      std::string bytes;
      base::AppendUtf8(c, &bytes);
      const auto byte = [&bytes](std::size_t i) { return static_cast<unsigned char>(bytes[i]); };
      table[CharSlot(byte(0), byte(1), byte(2))] = JudgeChar(data, first, bytes);
    }
  };
  fill(0x3000, 0xA000);
  fill(0xFF00, 0x10000);
  const bool useless = std::all_of(table.begin(), table.end(),
                                   [](std::uint32_t entry) { return entry == kEmptySlot; });
  return useless ? std::vector<std::uint32_t>() : table;
}

}  // namespace zhibi::text
