// SPDX-License-Identifier: Apache-2.0
// MarkedString: text that remembers which of its bytes came from a user.
// A chat template puts text of users between control tokens. If a user writes "<|im_end|>" the
// rendered prompt must not contain that control token, so every string value of the interpreter
// carries its user spans through concatenation, slicing, trimming, replacing and joining; whoever
// tokenises the result parses control tokens outside these spans only. Where an operation can't
// follow single bytes, the whole result counts as the user's. Also the few Unicode rules that
// Python's str methods follow (white space, letter case). Thread rule: values.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace zhibi::text::jinja {

class MarkedString {
 public:
  struct Span {
    std::size_t begin = 0;
    std::size_t end = 0;  // one past the last byte
  };

  MarkedString() = default;
  explicit MarkedString(std::string text, bool user = false);

  const std::string& text() const { return text_; }
  std::size_t size() const { return text_.size(); }
  bool empty() const { return text_.empty(); }
  // Sorted, disjoint, never touching each other.
  const std::vector<Span>& user_spans() const { return spans_; }
  bool any_user() const { return !spans_.empty(); }

  void Append(const MarkedString& other);
  void Append(std::string_view text, bool user);
  // Bytes [begin, end) with their marks; begin and end are clamped to the text.
  MarkedString Slice(std::size_t begin, std::size_t end) const;
  // The same marks over a text of the same length (case mapping of ASCII); otherwise all of it is
  // marked if any was.
  MarkedString WithText(std::string text) const;

 private:
  std::string text_;
  std::vector<Span> spans_;
};

// Length in bytes of the UTF-8 character at `at` (1 for a byte that starts none). Precondition: at
// < text.size().
std::size_t CharLength(std::string_view text, std::size_t at);
// Byte offsets of every character start, and text.size() at the end.
std::vector<std::size_t> CharOffsets(std::string_view text);
std::size_t CountChars(std::string_view text);
char32_t DecodeChar(std::string_view text, std::size_t at);

// What Python's str.isspace holds for white space (U+3000 included).
bool IsSpace(char32_t c);
// Byte range left after stripping white space, or the characters of `chars` when it is not empty.
MarkedString::Span StripRange(std::string_view text, std::string_view chars, bool left, bool right);

// ASCII, Latin-1, Greek and Cyrillic letters; other letters stay as they are.
std::string ToUpper(std::string_view text);
std::string ToLower(std::string_view text);
// First character upper, the others lower.
std::string Capitalize(std::string_view text);
// Each word (run of letters and digits after space or one of -([{<) capitalised, as Jinja's title
// filter does.
std::string TitleCase(std::string_view text);

}  // namespace zhibi::text::jinja
