// SPDX-License-Identifier: Apache-2.0
#include "text/jinja_lexer.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/status_macros.h"
#include "text/jinja_string.h"

namespace zhibi::text::jinja {
namespace {

// Longest first, so that "//" is not read as two "/".
constexpr std::array<std::string_view, 25> kOperators = {
    "**", "//", "==", "!=", ">=", "<=", "+", "-", "/", "*", "%", "~", "[",
    "]",  "(",  ")",  "{",  "}",  ">",  "<", "=", ".", ":", "|", ","};

std::string NormaliseLineEnds(std::string_view source) {
  std::string out;
  out.reserve(source.size());
  for (std::size_t i = 0; i < source.size(); ++i) {
    if (source[i] == '\r') {
      out += '\n';
      if (i + 1 < source.size() && source[i + 1] == '\n') ++i;
    } else {
      out += source[i];
    }
  }
  if (!out.empty() && out.back() == '\n') out.pop_back();
  return out;
}

bool IsDigit(char c) { return c >= '0' && c <= '9'; }
bool IsNameStart(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || (c & 0x80) != 0;
}
bool IsNamePart(char c) { return IsNameStart(c) || IsDigit(c); }

void AppendUtf8(std::string& out, std::uint32_t c) {
  const auto put = [&out](std::uint32_t byte) { out.push_back(static_cast<char>(byte)); };
  if (c < 0x80) {
    put(c);
  } else if (c < 0x800) {
    put(0xC0 | (c >> 6));
    put(0x80 | (c & 0x3F));
  } else if (c < 0x10000) {
    put(0xE0 | (c >> 12));
    put(0x80 | ((c >> 6) & 0x3F));
    put(0x80 | (c & 0x3F));
  } else {
    put(0xF0 | (c >> 18));
    put(0x80 | ((c >> 12) & 0x3F));
    put(0x80 | ((c >> 6) & 0x3F));
    put(0x80 | (c & 0x3F));
  }
}

int HexValue(char c) {
  if (IsDigit(c)) return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

class Lexer {
 public:
  Lexer(std::string_view source, const LexOptions& options)
      : normal_(NormaliseLineEnds(source)), source_(normal_), options_(options) {}

  Result<std::vector<Token>> Run() {
    while (at_ < source_.size()) ZB_RETURN_IF_ERROR(Root());
    Emit(TokenKind::kEnd, "");
    return std::move(tokens_);
  }

 private:
  Status Error(const std::string& what) const {
    return InvalidArgumentError("line " + std::to_string(line_) + ": " + what);
  }
  void Emit(TokenKind kind, std::string text) { tokens_.push_back({kind, std::move(text), line_}); }

  // Moves on, counting lines.
  void Advance(std::size_t to) {
    line_ += static_cast<int>(std::count(source_.begin() + static_cast<std::ptrdiff_t>(at_),
                                         source_.begin() + static_cast<std::ptrdiff_t>(to), '\n'));
    line_starting_ = to > at_ ? source_[to - 1] == '\n' : line_starting_;
    at_ = to;
  }
  void SkipSpace() {
    std::size_t to = at_;
    while (to < source_.size() && IsSpace(DecodeChar(source_, to))) to += CharLength(source_, to);
    Advance(to);
  }
  bool LooksAt(std::string_view what, std::size_t at) const {
    return source_.substr(at, what.size()) == what;
  }

  // Text before a tag with the sign that follows the tag's opening.
  std::string_view TrimBefore(std::string_view text, char sign, bool is_output) const {
    if (sign == '-') {
      const MarkedString::Span kept = StripRange(text, "", false, true);
      return text.substr(0, kept.end);
    }
    if (sign == '+' || is_output || !options_.lstrip_blocks) return text;
    const std::size_t newline = text.rfind('\n');
    const std::size_t line_begin = newline == std::string_view::npos ? 0 : newline + 1;
    if (line_begin == 0 && !line_starting_) return text;
    const MarkedString::Span kept = StripRange(text.substr(line_begin), "", true, false);
    return kept.begin == text.size() - line_begin ? text.substr(0, line_begin) : text;
  }

  // From text up to and including the opening of the next tag.
  Status Root() {
    std::size_t open = at_;
    while (true) {
      open = source_.find('{', open);
      if (open == std::string_view::npos || open + 1 >= source_.size()) {
        Emit(TokenKind::kData, std::string(source_.substr(at_)));
        Advance(source_.size());
        return OkStatus();
      }
      const char kind = source_[open + 1];
      if (kind == '%' || kind == '{' || kind == '#') break;
      ++open;
    }
    const char kind = source_[open + 1];
    std::size_t after = open + 2;
    const char sign = after < source_.size() && (source_[after] == '-' || source_[after] == '+')
                          ? source_[after]
                          : ' ';
    if (sign != ' ') ++after;
    const std::string_view text = TrimBefore(source_.substr(at_, open - at_), sign, kind == '{');
    if (!text.empty()) Emit(TokenKind::kData, std::string(text));
    Advance(after);
    if (kind == '#') return Comment();
    if (kind == '{') {
      Emit(TokenKind::kOutputBegin, "");
      return Expression("}}", TokenKind::kOutputEnd);
    }
    if (AtRaw("raw", false)) return Raw();
    Emit(TokenKind::kBlockBegin, "");
    return Expression("%}", TokenKind::kBlockEnd);
  }

  Status Comment() {
    const std::size_t close = source_.find("#}", at_);
    if (close == std::string_view::npos) return Error("a comment has no end, expected '#}'");
    // "{#-#}": the sign of the opening is not the sign of the end.
    const char sign = close > at_ ? source_[close - 1] : ' ';
    Advance(close + 2);
    AfterTag(sign, true);
    return OkStatus();
  }

  // White space after a tag's end; `sign` stands before the end.
  void AfterTag(char sign, bool trims) {
    if (sign == '-') {
      SkipSpace();
    } else if (sign != '+' && trims && options_.trim_blocks && LooksAt("\n", at_)) {
      Advance(at_ + 1);
    }
  }

  // At "raw %}" or "endraw %}" (after the opening and its sign)? Moves behind it when it is.
  bool AtRaw(std::string_view word, bool trims) {
    std::size_t at = at_;
    const auto skip = [&] {
      while (at < source_.size() && IsSpace(DecodeChar(source_, at))) at += CharLength(source_, at);
    };
    skip();
    if (!LooksAt(word, at)) return false;
    at += word.size();
    skip();
    char sign = ' ';
    if (at < source_.size() && (source_[at] == '-' || (trims && source_[at] == '+')))
      sign = source_[at++];
    if (!LooksAt("%}", at)) return false;
    Advance(at + 2);
    AfterTag(sign, trims);
    return true;
  }

  Status Raw() {
    const std::size_t begin = at_;
    const bool starts_line = line_starting_;
    std::size_t open = at_;
    while ((open = source_.find("{%", open)) != std::string_view::npos) {
      std::size_t after = open + 2;
      char sign = ' ';
      if (after < source_.size() && (source_[after] == '-' || source_[after] == '+'))
        sign = source_[after++];
      line_starting_ = starts_line;
      const std::string_view text = TrimBefore(source_.substr(begin, open - begin), sign, false);
      Advance(after);
      if (AtRaw("endraw", true)) {
        if (!text.empty()) Emit(TokenKind::kData, std::string(text));
        return OkStatus();
      }
      open = after;
    }
    return Error("a raw block has no end, expected '{% endraw %}'");
  }

  // Tokens of a tag until its end.
  Status Expression(std::string_view end, TokenKind end_kind) {
    std::string open_brackets;
    while (true) {
      SkipSpace();
      if (at_ >= source_.size())
        return Error("the template ends inside a tag, expected '" + std::string(end) + "'");
      if (open_brackets.empty() && AtEnd(end, end_kind)) return OkStatus();
      const char c = source_[at_];
      if (IsDigit(c)) {
        ZB_RETURN_IF_ERROR(Number());
      } else if (IsNameStart(c)) {
        std::size_t to = at_;
        while (to < source_.size() && IsNamePart(source_[to])) ++to;
        Emit(TokenKind::kName, std::string(source_.substr(at_, to - at_)));
        Advance(to);
      } else if (c == '"' || c == '\'') {
        ZB_RETURN_IF_ERROR(String(c));
      } else {
        ZB_RETURN_IF_ERROR(Operator(open_brackets));
      }
    }
  }

  bool AtEnd(std::string_view end, TokenKind end_kind) {
    const bool block = end_kind == TokenKind::kBlockEnd;
    char sign = ' ';
    std::size_t at = at_;
    if (source_[at] == '-' || (block && source_[at] == '+')) sign = source_[at++];
    if (!LooksAt(end, at)) return false;
    Emit(end_kind, "");
    Advance(at + end.size());
    AfterTag(sign, block);
    return true;
  }

  Status Operator(std::string& open_brackets) {
    for (const std::string_view op : kOperators) {
      if (!LooksAt(op, at_)) continue;
      const char c = op[0];
      if (op.size() == 1 && (c == '(' || c == '[' || c == '{')) {
        open_brackets += c == '(' ? ')' : (c == '[' ? ']' : '}');
      } else if (op.size() == 1 && (c == ')' || c == ']' || c == '}')) {
        if (open_brackets.empty()) return Error("unexpected '" + std::string(op) + "'");
        if (open_brackets.back() != c) {
          return Error("unexpected '" + std::string(op) + "', expected '" + open_brackets.back() +
                       "'");
        }
        open_brackets.pop_back();
      }
      Emit(TokenKind::kOperator, std::string(op));
      Advance(at_ + op.size());
      return OkStatus();
    }
    return Error("unexpected character '" +
                 std::string(source_.substr(at_, CharLength(source_, at_))) + "'");
  }

  Status Number() {
    std::size_t to = at_;
    const auto digits = [&] {
      while (to < source_.size() && (IsDigit(source_[to]) || source_[to] == '_')) ++to;
    };
    digits();
    TokenKind kind = TokenKind::kInt;
    if (to + 1 < source_.size() && source_[to] == '.' && IsDigit(source_[to + 1])) {
      kind = TokenKind::kFloat;
      ++to;
      digits();
    }
    if (to < source_.size() && (source_[to] == 'e' || source_[to] == 'E')) {
      std::size_t exponent = to + 1;
      if (exponent < source_.size() && (source_[exponent] == '+' || source_[exponent] == '-'))
        ++exponent;
      if (exponent < source_.size() && IsDigit(source_[exponent])) {
        kind = TokenKind::kFloat;
        to = exponent;
        digits();
      }
    }
    std::string text(source_.substr(at_, to - at_));
    std::erase(text, '_');
    Emit(kind, std::move(text));
    Advance(to);
    return OkStatus();
  }

  Status String(char quote) {
    std::string out;
    std::size_t to = at_ + 1;
    while (true) {
      if (to >= source_.size()) return Error("a string has no end");
      const char c = source_[to];
      if (c == quote) break;
      if (c != '\\' || to + 1 >= source_.size()) {
        out += c;
        ++to;
        continue;
      }
      ZB_ASSIGN_OR_RETURN(to, Escape(to + 1, out));
    }
    Emit(TokenKind::kString, std::move(out));
    Advance(to + 1);
    return OkStatus();
  }

  // The escape whose letter is at `at`; answers the place behind it.
  Result<std::size_t> Escape(std::size_t at, std::string& out) const {
    static constexpr std::string_view kLetters = "\\'\"abfnrtv";
    static constexpr std::string_view kMeanings = "\\'\"\a\b\f\n\r\t\v";
    const char c = source_[at];
    if (const std::size_t found = kLetters.find(c); found != std::string_view::npos) {
      out += kMeanings[found];
      return at + 1;
    }
    if (c == '\n') return at + 1;
    if (c >= '0' && c <= '7') {
      std::uint32_t value = 0;
      std::size_t count = 0;
      for (; count < 3 && at < source_.size() && source_[at] >= '0' && source_[at] <= '7';
           ++count, ++at) {
        value = value * 8 + static_cast<std::uint32_t>(source_[at] - '0');
      }
      AppendUtf8(out, value);
      return at;
    }
    const std::size_t digits = c == 'x' ? 2U : (c == 'u' ? 4U : (c == 'U' ? 8U : 0U));
    if (digits == 0) {
      out += '\\';
      out += c;
      return at + 1;
    }
    std::uint32_t value = 0;
    for (std::size_t i = 1; i <= digits; ++i) {
      const int digit = at + i < source_.size() ? HexValue(source_[at + i]) : -1;
      if (digit < 0) return Error("a string has a bad escape '\\" + std::string(1, c) + "'");
      value = value * 16 + static_cast<std::uint32_t>(digit);
    }
    if (value > 0x10FFFF || (value >= 0xD800 && value < 0xE000)) {
      return Error("a string escapes a code point that does not exist");
    }
    AppendUtf8(out, value);
    return at + 1 + digits;
  }

  std::string normal_;
  std::string_view source_;
  LexOptions options_;
  std::size_t at_ = 0;
  int line_ = 1;
  bool line_starting_ = true;
  std::vector<Token> tokens_;
};

}  // namespace

Result<std::vector<Token>> Lex(std::string_view source, const LexOptions& options) {
  return Lexer(source, options).Run();
}

}  // namespace zhibi::text::jinja
