// SPDX-License-Identifier: Apache-2.0
// The byte alphabet of byte-level BPE: tokenizer files spell the 256 bytes as 256 printable
// characters (a blank is U+0120). Source: Radford et al. 2019 (GPT-2), released vocabulary.
// Thread-safe.
#pragma once

#include <string>
#include <string_view>

namespace zhibi::text {

// The bytes that `spelling` stands for; false when a character is outside the alphabet (then *bytes
// is unspecified).
bool BytesOfSpelling(std::string_view spelling, std::string* bytes);
// The spelling of bytes; never fails.
std::string SpellingOfBytes(std::string_view bytes);

}  // namespace zhibi::text
