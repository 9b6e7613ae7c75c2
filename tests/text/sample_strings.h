// SPDX-License-Identifier: Apache-2.0
// Test strings: legal sentences and everything that breaks tokenizers, from one seeded generator.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace zhibi::text {

// The lines of tests/text/data/legal_sample.txt.
const std::vector<std::string>& LegalLines();

// One to eight fragments a string: legal text, digits, full-width punctuation, line ends and
// blanks, CJK extensions A to I, emoji, combining marks, Hangul, contractions, mixed scripts,
// look-alikes of control tokens, code points from all planes. with_invalid: some strings hold bytes
// that are not UTF-8.
std::vector<std::string> SampleStrings(std::uint64_t seed, std::size_t count, bool with_invalid);

}  // namespace zhibi::text
