// SPDX-License-Identifier: Apache-2.0
// Quotations against the words of an article.
#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "base/utf8.h"
#include "statute/store.h"

namespace zhibi::statute {
namespace {

constexpr std::size_t kMaxCharacters = 20'000;
constexpr std::size_t kEnough = 4;  // characters that must agree for a place to be meant
constexpr char32_t kEllipsis = U'…';

// One spelling for every character that quoting changes; 0: passed over.
char32_t Even(char32_t c) {
  switch (c) {
    case U' ':
    case U'\t':
    case U'\n':
    case U'\r':
    case 0x00A0:
    case 0x3000:
    case 0x200B:
    case 0xFEFF:
    case U'“':
    case U'”':
    case U'‘':
    case U'’':
    case U'"':
    case U'\'':
    case U'「':
    case U'」':
    case U'『':
    case U'』':
      return 0;
    case U'《':
    case U'〈':
    case U'﹤':
      return U'<';
    case U'》':
    case U'〉':
    case U'﹥':
      return U'>';
    case U'。':
      return U'.';
    case U'、':
      return U',';
    default:
      return c >= 0xFF01 && c <= 0xFF5E ? c - 0xFEE0 : c;
  }
}

struct Evened {
  std::u32string text;
  std::vector<std::size_t> bytes;  // where each character begins
};

Evened EvenAll(std::string_view text) {
  Evened out;
  for (std::size_t at = 0; at < text.size() && out.text.size() < kMaxCharacters;) {
    const base::Utf8Char c = base::DecodeUtf8(text.substr(at));
    if (const char32_t even = Even(c.code_point); even != 0) {
      out.text += even;
      out.bytes.push_back(at);
    }
    at += c.length;
  }
  return out;
}

bool IsPunctuation(char32_t c) {
  return std::u32string_view(U".,;:!?").find(c) != std::u32string_view::npos;
}

// The pieces between ellipses: [begin, end).
std::vector<std::pair<std::size_t, std::size_t>> Pieces(const std::u32string& text) {
  std::vector<std::pair<std::size_t, std::size_t>> pieces;
  for (std::size_t begin = 0; begin < text.size();) {
    while (begin < text.size() && (text[begin] == kEllipsis || IsPunctuation(text[begin]))) ++begin;
    std::size_t end = std::min(text.find(kEllipsis, begin), text.size());
    const std::size_t next = end;
    while (end > begin && IsPunctuation(text[end - 1])) --end;
    if (end > begin) pieces.emplace_back(begin, end);
    begin = next;
  }
  return pieces;
}

// The place of `article` from `from` on with which the longest beginning of `piece` agrees.
struct Agreement {
  std::size_t start = 0;
  std::size_t length = 0;
};
Agreement LongestBeginning(std::u32string_view piece, std::u32string_view article) {
  Agreement best;
  for (std::size_t start = 0; start < article.size(); ++start) {
    std::size_t length = 0;
    while (length < piece.size() && start + length < article.size() &&
           piece[length] == article[start + length]) {
      ++length;
    }
    if (length > best.length) best = {start, length};
  }
  return best;
}

}  // namespace

QuoteComparison CompareQuote(std::string_view quote, std::string_view article_text) {
  constexpr std::size_t kShown = 12;
  const Evened quoted = EvenAll(quote);
  const Evened article = EvenAll(article_text);
  QuoteComparison comparison;
  std::size_t from = 0;
  const auto pieces = Pieces(quoted.text);
  if (pieces.empty()) return comparison;
  for (const auto& [begin, end] : pieces) {
    const std::u32string_view piece = std::u32string_view(quoted.text).substr(begin, end - begin);
    const std::size_t at = article.text.find(piece, from);
    if (at != std::u32string::npos) {
      from = at + piece.size();
      continue;
    }
    const std::u32string_view rest = std::u32string_view(article.text).substr(from);
    const Agreement front = LongestBeginning(piece, rest);
    std::u32string reversed_piece(piece.rbegin(), piece.rend());
    std::u32string reversed_rest(rest.rbegin(), rest.rend());
    const Agreement back = LongestBeginning(reversed_piece, reversed_rest);
    if (std::max(front.length, back.length) < std::min(kEnough, piece.size())) return comparison;
    comparison.result = QuoteResult::kDiffers;
    std::size_t differs = front.length;
    std::u32string_view stands = rest.substr(front.start + front.length);
    if (front.length < kEnough && back.length > front.length) {
      // Only the end agrees: the first word is the one that differs.
      const std::size_t back_begin = rest.size() - back.start - back.length;
      const std::size_t width = piece.size() - back.length;
      differs = 0;
      stands = rest.substr(back_begin - std::min(back_begin, width));
    }
    comparison.at = quoted.bytes[begin + std::min(differs, piece.size() - 1)];
    // Shown as the article writes it, not evened.
    const auto first = static_cast<std::size_t>(stands.data() - article.text.data());
    const std::size_t last = std::min(first + kShown, article.bytes.size());
    const std::size_t to = last < article.bytes.size() ? article.bytes[last] : article_text.size();
    if (first < article.bytes.size()) {
      const std::size_t start = article.bytes[first];
      comparison.stands = std::string(article_text.substr(start, to - start));
    }
    return comparison;
  }
  comparison.result = QuoteResult::kEqual;
  return comparison;
}

}  // namespace zhibi::statute
