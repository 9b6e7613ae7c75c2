// SPDX-License-Identifier: Apache-2.0
// UTF-8: decoding one character, validation, counting, repair. Source: The Unicode Standard, table
// 3-7 (well-formed byte sequences) and section 3.9 (maximal subparts), as WHATWG's decoder replaces
// them. Thread-safe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace zhibi::base {

constexpr char32_t kReplacementChar = 0xFFFD;
constexpr std::string_view kReplacementUtf8 = "\xEF\xBF\xBD";

enum class Utf8State : std::uint8_t {
  kValid,       // a whole character
  kInvalid,     // `length` bytes that can never become a character: one U+FFFD
  kIncomplete,  // the text ends within a character that is right so far; `length` bytes up to the
                // end
};

struct Utf8Char {
  char32_t code_point;  // kReplacementChar unless kValid
  std::uint8_t length;  // bytes, 1 to 4
  Utf8State state;
};

// The character at the front of `text`, which must not be empty.
Utf8Char DecodeUtf8(std::string_view text);

// Number of leading bytes that form whole valid characters; text.size() when all of it is valid.
std::size_t ValidUtf8Prefix(std::string_view text);
inline bool IsValidUtf8(std::string_view text) { return ValidUtf8Prefix(text) == text.size(); }

// Number of characters; each maximal subpart of invalid bytes counts as one, as RepairUtf8 replaces
// it.
std::size_t CountCodePoints(std::string_view text);

// Is the byte the second, third or fourth of a character?
inline bool IsContinuationByte(char byte) {
  return (static_cast<unsigned char>(byte) & 0xC0U) == 0x80U;
}

// The nearest border between characters at or behind, at or before the byte `at`; at most
// text.size().
inline std::size_t BorderFrom(std::string_view text, std::size_t at) {
  while (at < text.size() && IsContinuationByte(text[at])) ++at;
  return at < text.size() ? at : text.size();
}
inline std::size_t BorderUpTo(std::string_view text, std::size_t at) {
  if (at >= text.size()) return text.size();
  while (at > 0 && IsContinuationByte(text[at])) --at;
  return at;
}

// The characters one by one; a maximal subpart of invalid bytes is one.
std::vector<std::string_view> Characters(std::string_view text);

// code_point: a scalar value; surrogates and values over U+10FFFF append U+FFFD.
void AppendUtf8(char32_t code_point, std::string* dst);

// A copy with one U+FFFD for every maximal subpart of invalid bytes, an incomplete end included.
std::string RepairUtf8(std::string_view text);

}  // namespace zhibi::base
