// SPDX-License-Identifier: Apache-2.0
#include "text/split_pattern.h"

#include <array>
#include <cstddef>

#include "text/unicode.h"

namespace zhibi::text {
namespace {

constexpr std::array<std::string_view, kNumSplitPatterns> kRegexes = {
    R"('s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+)",
    R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*)"
    R"(|\s*[\r\n]+|\s+(?!\S)|\s+)",
    R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*)"
    R"(|\s*[\r\n]+|\s+(?!\S)|\s+)",
    R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?[\p{L}\p{M}]+|\p{N})"
    R"(| ?[^\s\p{L}\p{M}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+)",
    R"(\p{N}{1,3})",
    "[\u4E00-\u9FA5\u3040-\u309F\u30A0-\u30FF]+",
    "[!\"#$%&'()*+,\\-./"
    ":;<=>?@\\[\\\\\\]^_`{|}~][A-Za-z]+|[^\r\n\\p{L}\\p{P}\\p{S}]?[\\p{L}\\p{M}]+"
    "| ?[\\p{P}\\p{S}]+[\r\n]*|\\s*[\r\n]+|\\s+(?!\\S)|\\s+",
    R"(\p{N})",
    R"(\p{N}+)",
};

// A position in valid UTF-8 with the character that stands there.
struct Char {
  char32_t code_point;
  std::uint8_t length;
  std::uint8_t classes;
};

class Scanner {
 public:
  explicit Scanner(std::string_view text)
      : table_(UnicodeTable::Get()), begin_(text.data()), end_(text.data() + text.size()) {}

  const char* begin() const { return begin_; }
  const char* end() const { return end_; }

  Char At(const char* pos) const {
    const auto byte = [pos](int i) { return static_cast<unsigned char>(pos[i]); };
    const char32_t lead = byte(0);
    if (lead < 0x80) return {lead, 1, table_.Classes(lead)};
    if (lead < 0xE0) {
      const char32_t c = (lead & 0x1F) << 6 | (byte(1) & 0x3FU);
      return {c, 2, table_.Classes(c)};
    }
    if (lead < 0xF0) {
      const char32_t c = (lead & 0x0F) << 12 | (byte(1) & 0x3FU) << 6 | (byte(2) & 0x3FU);
      return {c, 3, table_.Classes(c)};
    }
    const char32_t c =
        (lead & 0x07) << 18 | (byte(1) & 0x3FU) << 12 | (byte(2) & 0x3FU) << 6 | (byte(3) & 0x3FU);
    return {c, 4, table_.Classes(c)};
  }

  // End of the run of characters from pos that have one of the classes `mask`.
  const char* RunOf(const char* pos, unsigned mask) const {
    while (pos < end_) {
      const Char c = At(pos);
      if ((c.classes & mask) == 0) break;
      pos += c.length;
    }
    return pos;
  }
  // End of the run of characters from pos that have none of the classes `mask`.
  const char* RunOfNot(const char* pos, unsigned mask) const {
    while (pos < end_) {
      const Char c = At(pos);
      if ((c.classes & mask) != 0) break;
      pos += c.length;
    }
    return pos;
  }
  const char* NewLines(const char* pos) const {
    while (pos < end_ && (*pos == '\r' || *pos == '\n')) ++pos;
    return pos;
  }
  // \p{N}{1,max} at pos, which is at a number.
  const char* Digits(const char* pos, int max) const {
    for (int n = 0; n < max && pos < end_; ++n) {
      const Char c = At(pos);
      if ((c.classes & kNumber) == 0) break;
      pos += c.length;
    }
    return pos;
  }

  // '(s|t|re|ve|m|ll|d) at pos; nullptr when there is none.
  const char* Contraction(const char* pos, bool ignore_case) const {
    if (end_ - pos < 2 || *pos != '\'') return nullptr;
    const auto fold = [ignore_case](char c) {
      return ignore_case && c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    };
    const char first = fold(pos[1]);
    if (first == 's' || first == 't' || first == 'm' || first == 'd') return pos + 2;
    if (end_ - pos < 3) return nullptr;
    // U+017F LATIN SMALL LETTER LONG S is an s when case is ignored.
    if (ignore_case && pos[1] == '\xC5' && pos[2] == '\xBF') return pos + 3;
    const char second = fold(pos[2]);
    if ((first == 'r' || first == 'v') && second == 'e') return pos + 3;
    return first == 'l' && second == 'l' ? pos + 3 : nullptr;
  }

  // \s*[\r\n]+|\s+(?!\S)|\s+ at pos, which is at white space. with_lines: the first alternative is
  // there.
  const char* Spaces(const char* pos, bool with_lines) const {
    const char* last = pos;       // start of the run's last character
    const char* lines = nullptr;  // end of the run's last line break
    const char* stop = pos;
    while (stop < end_) {
      const Char c = At(stop);
      if ((c.classes & kWhite) == 0) break;
      last = stop;
      stop += c.length;
      if (c.code_point == '\r' || c.code_point == '\n') lines = stop;
    }
    if (with_lines && lines != nullptr) return lines;
    if (stop == end_ || last == pos) return stop;
    return last;
  }

 private:
  const UnicodeTable& table_;
  const char* begin_;
  const char* end_;
};

const char* Gpt2(const Scanner& s) {
  const char* pos = s.begin();
  if (const char* end = s.Contraction(pos, false)) return end;
  Char c = s.At(pos);
  const char* body = pos;
  if (c.code_point == ' ' && pos + 1 < s.end()) {
    const Char next = s.At(pos + 1);
    if ((next.classes & kWhite) == 0) {
      c = next;
      body = pos + 1;
    }
  }
  if ((c.classes & kLetter) != 0) return s.RunOf(body + c.length, kLetter);
  if ((c.classes & kNumber) != 0) return s.RunOf(body + c.length, kNumber);
  if ((c.classes & kWhite) == 0) return s.RunOfNot(body + c.length, kWhite | kLetter | kNumber);
  return s.Spaces(pos, false);
}

// letters: the classes of a word (\p{L}, or [\p{L}\p{M}]); max_digits: \p{N}{1,max_digits}.
const char* Cl100k(const Scanner& s, unsigned letters, int max_digits) {
  const char* pos = s.begin();
  if (const char* end = s.Contraction(pos, true)) return end;
  const Char c = s.At(pos);
  const char* const after = pos + c.length;
  if ((c.classes & kLetter) != 0) return s.RunOf(after, letters);
  if ((c.classes & kNumber) != 0) return s.Digits(pos, max_digits);
  const bool line_break = c.code_point == '\r' || c.code_point == '\n';
  if (!line_break && after < s.end()) {
    const Char next = s.At(after);
    if ((next.classes & letters) != 0) return s.RunOf(after + next.length, letters);
  }
  if ((c.classes & letters) != 0) return after;  // a mark alone, where marks are letters
  const unsigned not_other = kWhite | letters | kNumber;
  if ((c.classes & kWhite) == 0) return s.NewLines(s.RunOfNot(after, not_other));
  if (c.code_point == ' ' && after < s.end()) {
    const Char next = s.At(after);
    if ((next.classes & not_other) == 0) {
      return s.NewLines(s.RunOfNot(after + next.length, not_other));
    }
  }
  return s.Spaces(pos, true);
}

bool IsAsciiLetter(char c) { return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z'); }

// The third pattern at pos; nullptr when no alternative matches there.
const char* DeepSeekV3At(const Scanner& s, const char* pos) {
  constexpr unsigned kWord = kLetter | kMark;
  constexpr unsigned kSign = kPunctuation | kSymbol;
  const Char c = s.At(pos);
  const char* const after = pos + c.length;
  if (c.code_point < 0x80 && (c.classes & kSign) != 0 && after < s.end() && IsAsciiLetter(*after)) {
    const char* end = after + 1;
    while (end < s.end() && IsAsciiLetter(*end)) ++end;
    return end;
  }
  if ((c.classes & kLetter) != 0) return s.RunOf(after, kWord);
  const bool line_break = c.code_point == '\r' || c.code_point == '\n';
  if (!line_break && (c.classes & kSign) == 0 && after < s.end()) {
    const Char next = s.At(after);
    if ((next.classes & kWord) != 0) return s.RunOf(after + next.length, kWord);
  }
  if ((c.classes & kMark) != 0) return after;
  if ((c.classes & kSign) != 0) return s.NewLines(s.RunOf(after, kSign));
  if (c.code_point == ' ' && after < s.end()) {
    const Char next = s.At(after);
    if ((next.classes & kSign) != 0) return s.NewLines(s.RunOf(after + next.length, kSign));
  }
  return (c.classes & kWhite) != 0 ? s.Spaces(pos, true) : nullptr;
}

const char* DeepSeekV3(const Scanner& s) {
  const char* pos = s.begin();
  if (const char* end = DeepSeekV3At(s, pos)) return end;
  do {
    pos += s.At(pos).length;
  } while (pos < s.end() && DeepSeekV3At(s, pos) == nullptr);
  return pos;
}

bool IsDeepSeekCjk(char32_t c) {
  return (c >= 0x4E00 && c <= 0x9FA5) || (c >= 0x3040 && c <= 0x30FF);
}

const char* DeepSeekCjk(const Scanner& s) {
  const char* pos = s.begin();
  Char c = s.At(pos);
  const bool inside = IsDeepSeekCjk(c.code_point);
  do {
    pos += c.length;
    if (pos == s.end()) break;
    c = s.At(pos);
  } while (IsDeepSeekCjk(c.code_point) == inside);
  return pos;
}

// \p{N}{1,max}, or the text before it.
const char* Numbers(const Scanner& s, int max) {
  const char* pos = s.begin();
  return (s.At(pos).classes & kNumber) != 0 ? s.Digits(pos, max) : s.RunOfNot(pos, kNumber);
}

}  // namespace

std::optional<SplitPattern> FindSplitPattern(std::string_view regex) {
  for (std::size_t i = 0; i < kRegexes.size(); ++i) {
    if (kRegexes[i] == regex) return static_cast<SplitPattern>(i);
  }
  return std::nullopt;
}

std::string_view SplitPatternRegex(SplitPattern pattern) {
  return kRegexes[static_cast<std::size_t>(pattern)];
}

bool SplitPatternCoversAll(SplitPattern pattern) {
  switch (pattern) {
    case SplitPattern::kGpt2:
    case SplitPattern::kLlama3:
    case SplitPattern::kQwen2:
    case SplitPattern::kQwen35:
      return true;
    case SplitPattern::kDigits3:
    case SplitPattern::kDeepSeekCjk:
    case SplitPattern::kDeepSeekV3:
    case SplitPattern::kDigit:
    case SplitPattern::kDigitRun:
      return false;
  }
  return false;
}

const char* NextPiece(SplitPattern pattern, std::string_view text) {
  const Scanner scanner(text);
  switch (pattern) {
    case SplitPattern::kGpt2:
      return Gpt2(scanner);
    case SplitPattern::kLlama3:
      return Cl100k(scanner, kLetter, 3);
    case SplitPattern::kQwen2:
      return Cl100k(scanner, kLetter, 1);
    case SplitPattern::kQwen35:
      return Cl100k(scanner, kLetter | kMark, 1);
    case SplitPattern::kDigits3:
      return Numbers(scanner, 3);
    case SplitPattern::kDeepSeekCjk:
      return DeepSeekCjk(scanner);
    case SplitPattern::kDeepSeekV3:
      return DeepSeekV3(scanner);
    case SplitPattern::kDigit:
      return Numbers(scanner, 1);
    case SplitPattern::kDigitRun: {
      const char* pos = scanner.begin();
      const bool digits = (scanner.At(pos).classes & kNumber) != 0;
      return digits ? scanner.RunOf(pos, kNumber) : scanner.RunOfNot(pos, kNumber);
    }
  }
  return scanner.end();
}

}  // namespace zhibi::text
