// SPDX-License-Identifier: Apache-2.0
// The tokenizer at work: views into a validated blob. Every index in the views is in range once
// ReadBlob has accepted them, so encoding needs no checks. Thread rule: immutable. Private to
// src/text.
#pragma once

#include <array>
#include <bitset>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "text/tokenizer_spec.h"

namespace zhibi::text {

constexpr std::uint32_t kEmptySlot = 0xFFFFFFFF;

// Merge slots pack a fingerprint of the pair with the rule's index, so that a search that finds
// nothing, the usual one, stays inside a table of four bytes a slot.
constexpr unsigned kRuleBits = 22;
constexpr std::uint32_t kRuleMask = (1U << kRuleBits) - 1;
constexpr std::uint32_t kNoRule = kRuleMask;  // the index that no rule has

// Characters that CharSlot knows: U+3000 to U+9FFF, U+FF00 to U+FFFF.
constexpr std::size_t kNumCharSlots = 0x7000 + 0x100;
// Entries of the character table: a token id, with this bit when it also holds after an ASCII byte;
// kEmptySlot when the character must go through merging.
constexpr std::uint32_t kAfterAscii = 0x80000000;

struct AddedRecord {
  std::uint32_t id;
  std::uint32_t flags;
  std::uint32_t match_offset;  // into added_bytes
  std::uint32_t match_length;
};
static_assert(sizeof(AddedRecord) == 16);

// Multiply-shift hashes; part of the blob format.
inline std::uint64_t HashPair(std::int32_t left, std::int32_t right) {
  const auto key =
      std::uint64_t{static_cast<std::uint32_t>(left)} << 32 | static_cast<std::uint32_t>(right);
  std::uint64_t h = key * 0x9E3779B97F4A7C15ULL;
  h ^= h >> 29;
  return h * 0xBF58476D1CE4E5B9ULL;
}
std::uint64_t HashBytes(std::string_view bytes);
inline std::uint32_t Fingerprint(std::uint64_t hash) {
  return static_cast<std::uint32_t>(hash & 0xFFFFFFFF) >> kRuleBits;
}
// A slot below num_slots, from the high bits.
inline std::size_t SlotOf(std::uint64_t hash, std::size_t num_slots) {
  return static_cast<std::size_t>((hash >> 32) * num_slots >> 32);
}

class TokenizerData {
 public:
  std::span<const std::byte> blob;
  std::string storage;  // holds the blob of a tokenizer made from JSON (aligned: 8 at least)

  std::span<const std::uint32_t> token_offsets;  // num_tokens + 1
  std::string_view token_bytes;
  std::span<const std::uint8_t> token_flags;
  std::span<const std::int32_t> byte_ids;      // 256
  std::span<const MergeRule> rules;            // by rank
  std::span<const std::uint32_t> merge_slots;  // kEmptySlot, or fingerprint << kRuleBits | rule
  std::span<const std::uint32_t> char_tokens;  // kNumCharSlots of them, or none
  std::span<const std::uint32_t>
      vocabulary;  // slots: token id or kEmptySlot, by bytes; mergeable tokens only
  std::span<const AddedRecord> added;  // raw ones first, each group ascending by match
  std::size_t num_raw_added = 0;
  std::string_view added_bytes;
  std::span<const std::uint8_t> splits;
  std::span<const std::int32_t> prefix;
  std::span<const std::int32_t> suffix;
  bool nfc = false;
  bool ignore_merges = false;
  bool prefix_space = false;
  std::uint64_t serial = 0;  // unique in the process; keys the word cache

  // First bytes of added tokens: [0] those of plain ones, [1] of all; raw and normalized.
  std::array<std::bitset<256>, 2> raw_first;
  std::array<std::bitset<256>, 2> normalized_first;

  std::size_t num_tokens() const { return token_flags.size(); }
  std::string_view TokenBytes(std::size_t id) const {
    return token_bytes.substr(token_offsets[id], token_offsets[id + 1] - token_offsets[id]);
  }
  std::string_view AddedMatch(const AddedRecord& record) const {
    return added_bytes.substr(record.match_offset, record.match_length);
  }
  // The rule that merges the pair; kNoRule when there is none. A lower rule comes first.
  std::uint32_t FindMerge(std::int32_t left, std::int32_t right) const {
    const std::uint64_t hash = HashPair(left, right);
    const std::uint32_t fingerprint = Fingerprint(hash);
    std::size_t slot = SlotOf(hash, merge_slots.size());
    while (merge_slots[slot] != kEmptySlot) {
      const std::uint32_t rule = merge_slots[slot] & kRuleMask;
      if (merge_slots[slot] >> kRuleBits == fingerprint && rules[rule].left == left &&
          rules[rule].right == right) {
        return rule;
      }
      if (++slot == merge_slots.size()) slot = 0;
    }
    return kNoRule;
  }
  // The mergeable token of these bytes, or -1.
  std::int32_t FindWord(std::string_view bytes) const;
};

}  // namespace zhibi::text
