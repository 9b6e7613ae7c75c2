// SPDX-License-Identifier: Apache-2.0
// Finds added tokens in text: leftmost, then longest, without overlap, with the strip and word
// flags, in the way Hugging Face's `tokenizers` does it. Thread-safe.
#pragma once

#include <cstddef>
#include <string_view>

#include "text/tokenizer_data.h"

namespace zhibi::text {

enum class AddedGroup { kRaw, kNormalized };

struct AddedMatch {
  std::size_t begin = 0;  // bytes of the text that the token takes, blanks that it strips included
  std::size_t end = 0;
  const AddedRecord* token = nullptr;  // nullptr: none found
};

// Whether the group has a token that may be found at all.
bool HasAddedTokens(const TokenizerData& data, AddedGroup group, bool with_control);

// text: valid UTF-8. The first match that begins at or after `from`; text before `from` is context
// only (strips stop there). with_control: control tokens are found too.
AddedMatch FindAddedToken(const TokenizerData& data, AddedGroup group, bool with_control,
                          std::string_view text, std::size_t from);

}  // namespace zhibi::text
