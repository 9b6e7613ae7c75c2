// SPDX-License-Identifier: Apache-2.0
#include "text/added_tokens.h"

#include <algorithm>
#include <span>

#include "base/utf8.h"
#include "text/unicode.h"

namespace zhibi::text {
namespace {

std::uint8_t ClassesAt(std::string_view text, std::size_t i, std::size_t* length) {
  const base::Utf8Char c = base::DecodeUtf8(text.substr(i, 4));
  *length = c.length;
  return UnicodeTable::Get().Classes(c.code_point);
}

// Start of the character that ends before i; i > 0.
std::size_t Previous(std::string_view text, std::size_t i) {
  do {
    --i;
  } while (i > 0 && (static_cast<unsigned char>(text[i]) & 0xC0) == 0x80);
  return i;
}

// \w of the library's regex crate: Alphabetic, Mark, decimal digits, connector punctuation, join
// controls.
bool IsWordAt(std::string_view text, std::size_t i) {
  const char32_t c = base::DecodeUtf8(text.substr(i, 4)).code_point;
  const Category category = UnicodeTable::CategoryOf(c);
  if ((UnicodeTable::Get().Classes(c) & (kLetter | kMark)) != 0) return true;
  if (category == Category::kNd || category == Category::kNl || category == Category::kPc)
    return true;
  const auto in = [c](char32_t low, char32_t high) { return c >= low && c <= high; };
  // Alphabetic symbols (circled and squared letters) and the join controls.
  return in(0x24B6, 0x24E9) || in(0x1F130, 0x1F149) || in(0x1F150, 0x1F169) ||
         in(0x1F170, 0x1F189) || in(0x200C, 0x200D);
}

bool IsSingleWord(std::string_view text, std::size_t begin, std::size_t end) {
  const bool free_before = begin == 0 || !IsWordAt(text, Previous(text, begin));
  const bool free_after = end == text.size() || !IsWordAt(text, end);
  return free_before && free_after;
}

// The longest token of `tokens` (ascending) that stands at `from`; nullptr when there is none.
const AddedRecord* LongestAt(const TokenizerData& data, std::span<const AddedRecord> tokens,
                             bool with_control, std::string_view text, std::size_t from) {
  const AddedRecord* longest = nullptr;
  for (std::size_t depth = 0; from + depth < text.size() && !tokens.empty(); ++depth) {
    // All of `tokens` share the `depth` bytes before; keep those that have this byte next.
    const auto byte = static_cast<unsigned char>(text[from + depth]);
    const auto next = [&data, depth](const AddedRecord& record) {
      const std::string_view match = data.AddedMatch(record);
      return depth < match.size() ? static_cast<int>(static_cast<unsigned char>(match[depth])) : -1;
    };
    const auto low = std::partition_point(tokens.begin(), tokens.end(),
                                          [&](const AddedRecord& r) { return next(r) < byte; });
    const auto high = std::partition_point(low, tokens.end(),
                                           [&](const AddedRecord& r) { return next(r) <= byte; });
    tokens = {low, high};
    if (tokens.empty() || tokens.front().match_length != depth + 1) continue;
    const bool control = (data.token_flags[tokens.front().id] & kTokenControl) != 0;
    if (with_control || !control) longest = &tokens.front();
  }
  return longest;
}

AddedMatch WithStrips(const AddedRecord& token, std::string_view text, std::size_t from,
                      std::size_t at) {
  AddedMatch match{at, at + token.match_length, &token};
  if ((token.flags & kAddedLeftStrip) != 0) {
    while (match.begin > from) {
      std::size_t length = 0;
      const std::size_t previous = Previous(text, match.begin);
      if ((ClassesAt(text, previous, &length) & kWhite) == 0) break;
      match.begin = previous;
    }
  }
  if ((token.flags & kAddedRightStrip) != 0) {
    while (match.end < text.size()) {
      std::size_t length = 0;
      if ((ClassesAt(text, match.end, &length) & kWhite) == 0) break;
      match.end += length;
    }
  }
  return match;
}

}  // namespace

bool HasAddedTokens(const TokenizerData& data, AddedGroup group, bool with_control) {
  const auto& first = group == AddedGroup::kRaw ? data.raw_first : data.normalized_first;
  return first[with_control ? 1 : 0].any();
}

AddedMatch FindAddedToken(const TokenizerData& data, AddedGroup group, bool with_control,
                          std::string_view text, std::size_t from) {
  const bool raw = group == AddedGroup::kRaw;
  const auto& first = (raw ? data.raw_first : data.normalized_first)[with_control ? 1 : 0];
  const std::span<const AddedRecord> tokens =
      raw ? data.added.first(data.num_raw_added) : data.added.subspan(data.num_raw_added);
  for (std::size_t at = from; at < text.size(); ++at) {
    if (!first.test(static_cast<unsigned char>(text[at]))) continue;
    const AddedRecord* token = LongestAt(data, tokens, with_control, text, at);
    if (token == nullptr) continue;
    if ((token->flags & kAddedSingleWord) != 0 &&
        !IsSingleWord(text, at, at + token->match_length)) {
      at += token->match_length - 1;  // the library goes on after a match that it discards
      continue;
    }
    return WithStrips(*token, text, from, at);
  }
  return {};
}

}  // namespace zhibi::text
