// SPDX-License-Identifier: Apache-2.0
// Reads Hugging Face's tokenizer.json into a TokenizerSpec: byte-level BPE only. Hostile input:
// every field's type and range is checked, contradictions (two tokens of one id, merges of unknown
// tokens, a missing byte) are errors, and what zhibi would not do exactly as the library does is
// refused by name instead of done roughly. `truncation` and `padding` are ignored, as its users'
// calls override them. Source: the file format as its library's version 0.23 reads it. Thread-safe.
#pragma once

#include <cstddef>
#include <string_view>

#include "text/tokenizer_spec.h"
#include "zhibi/status.h"

namespace zhibi::text {

constexpr std::size_t kMaxTokenizerJsonBytes = std::size_t{128} << 20;
constexpr std::size_t kMaxTokens = std::size_t{1} << 20;  // ids are below this
constexpr std::size_t kMaxMerges = 4000000;
constexpr std::size_t kMaxAddedTokens = std::size_t{1} << 16;
constexpr std::size_t kMaxTokenBytes = std::size_t{1} << 14;
constexpr std::size_t kMaxSplits = 8;

// Errors as Tokenizer::FromJson lists them; messages begin with `source` and the field's path.
Result<TokenizerSpec> ReadTokenizerJson(std::string_view tokenizer_json, std::string_view source);

}  // namespace zhibi::text
