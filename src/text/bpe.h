// SPDX-License-Identifier: Apache-2.0
// Byte pair encoding of one word: the pair of the lowest rank merges first, of equal ones the
// leftmost, until none is left. Short words scan an array; long ones use a heap, so that a word of
// a megabyte still takes n log n steps. A small cache per thread answers words seen before. Source:
// Sennrich, Haddow and Birch 2016. Thread-safe.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "text/tokenizer_data.h"

namespace zhibi::text {

// Appends the ids of one piece of the pre-tokenizer to dst. word: not empty.
void EncodeWord(const TokenizerData& data, std::string_view word, std::vector<std::int32_t>* dst);

// The merge algorithms alone, without cache and whole-word look-up; equal results (a test compares
// them).
void MergeShort(const TokenizerData& data, std::string_view word, std::vector<std::int32_t>* dst);
void MergeLong(const TokenizerData& data, std::string_view word, std::vector<std::int32_t>* dst);
// Bytes up to which MergeShort may be called.
constexpr std::size_t kMaxShortWord = 128;

}  // namespace zhibi::text
