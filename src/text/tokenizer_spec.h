// SPDX-License-Identifier: Apache-2.0
// What a tokenizer is, as plain data: the reader of tokenizer.json fills it, the blob writer stores
// it. Thread rule: a value.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "text/split_pattern.h"

namespace zhibi::text {

// Flags of a token, stored in blobs.
constexpr std::uint8_t kTokenPresent = 0x01;    // the id is in use
constexpr std::uint8_t kTokenSpecial = 0x02;    // `special` in the file
constexpr std::uint8_t kTokenControl = 0x04;    // special, or added and written like markup
constexpr std::uint8_t kTokenMergeable = 0x08;  // a byte-level token that plain text may become

// Flags of an added token, stored in blobs.
constexpr std::uint32_t kAddedNormalized = 0x01;  // looked for in the normalized text
constexpr std::uint32_t kAddedLeftStrip = 0x02;   // takes the white space before it
constexpr std::uint32_t kAddedRightStrip = 0x04;  // takes the white space after it
constexpr std::uint32_t kAddedSingleWord = 0x08;  // only where no word character touches it
constexpr std::uint32_t kAddedFlagMask = 0x0F;

// Stored in blobs.
struct MergeRule {
  std::int32_t left;
  std::int32_t right;
  std::int32_t result;
};
static_assert(sizeof(MergeRule) == 12);

struct AddedTokenSpec {
  std::int32_t id = 0;
  std::uint32_t flags = 0;
  std::string match;  // normalized when kAddedNormalized
};

struct TokenizerSpec {
  std::vector<std::string> tokens;           // raw bytes by id; empty where the id is not in use
  std::vector<std::uint8_t> token_flags;     // as many
  std::array<std::int32_t, 256> byte_ids{};  // -1: a byte that valid UTF-8 never has
  std::vector<MergeRule> merges;             // by rank
  std::vector<AddedTokenSpec> added;
  std::vector<SplitPattern> splits;  // applied one after the other; may be empty
  std::vector<std::int32_t> prefix;  // add_special_tokens: before and after the text
  std::vector<std::int32_t> suffix;
  bool nfc = false;
  bool ignore_merges = false;  // a word that is a token is taken whole
  bool prefix_space = false;   // a blank before text that does not begin with one
};

}  // namespace zhibi::text
