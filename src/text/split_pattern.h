// SPDX-License-Identifier: Apache-2.0
// The split patterns (regular expressions) of known tokenizer files as hand-written scanners, one
// per exact pattern string: an order of magnitude faster than a regex engine, linear in time, and
// no engine is linked. An unknown pattern is refused where the file is read. Semantics are those of
// Oniguruma 6.9.10 (Unicode 16, also for (?i:'s): U+017F), as in Hugging Face's `tokenizers`; tests
// run PCRE2 on the original patterns. Thread-safe.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace zhibi::text {

// Stored in tokenizer blobs: append only.
enum class SplitPattern : std::uint8_t {
  kGpt2 = 0,         // GPT-2, and ByteLevel with use_regex
  kLlama3 = 1,       // Llama 3, GLM-4: cl100k, digits by three
  kQwen2 = 2,        // Qwen2, Qwen2.5, Qwen3: cl100k, digits one by one
  kQwen35 = 3,       // Qwen3.5: marks count as letters
  kDigits3 = 4,      // DeepSeek V3, first: \p{N}{1,3}
  kDeepSeekCjk = 5,  // DeepSeek V3, second: runs of Han and kana
  kDeepSeekV3 = 6,   // DeepSeek V3, third
  kDigit = 7,        // \p{N}, and Digits with individual_digits
  kDigitRun = 8,     // \p{N}+, and Digits without
};
constexpr std::uint8_t kNumSplitPatterns = 9;

// The pattern whose regular expression is exactly `regex`.
std::optional<SplitPattern> FindSplitPattern(std::string_view regex);
// The regular expression, for tests and messages.
std::string_view SplitPatternRegex(SplitPattern pattern);
// Whether every character of any text is inside some match.
bool SplitPatternCoversAll(SplitPattern pattern);

// text: valid UTF-8, not empty. End of the first piece, behaviour "Isolated": the first match when
// it starts at the front, otherwise the text before it. Never text.data().
const char* NextPiece(SplitPattern pattern, std::string_view text);

}  // namespace zhibi::text
