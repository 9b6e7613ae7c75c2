// SPDX-License-Identifier: Apache-2.0
#include "text/jinja_string.h"

#include <algorithm>
#include <utility>

namespace zhibi::text::jinja {
namespace {

void AppendChar(std::string& out, char32_t c) {
  const auto put = [&out](char32_t byte) { out.push_back(static_cast<char>(byte)); };
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

// Simple one-to-one mappings whose UTF-8 length does not change.
char32_t UpperOf(char32_t c) {
  if (c >= 'a' && c <= 'z') return c - 32;
  if (c >= 0xE0 && c <= 0xFE && c != 0xF7) return c - 32;
  if (c >= 0x3B1 && c <= 0x3C9 && c != 0x3C2) return c - 32;
  if (c >= 0x430 && c <= 0x44F) return c - 32;
  if (c >= 0x450 && c <= 0x45F) return c - 80;
  return c;
}

char32_t LowerOf(char32_t c) {
  if (c >= 'A' && c <= 'Z') return c + 32;
  if (c >= 0xC0 && c <= 0xDE && c != 0xD7) return c + 32;
  if (c >= 0x391 && c <= 0x3A9 && c != 0x3A2) return c + 32;
  if (c >= 0x410 && c <= 0x42F) return c + 32;
  if (c >= 0x400 && c <= 0x40F) return c + 80;
  return c;
}

// Calls map(character, index) for each character; bytes that start none are copied.
template <typename Map>
std::string MapChars(std::string_view text, Map map) {
  std::string out;
  out.reserve(text.size());
  std::size_t index = 0;
  for (std::size_t at = 0; at < text.size(); ++index) {
    const std::size_t length = CharLength(text, at);
    const char32_t c = DecodeChar(text, at);
    const char32_t mapped = map(c, index);
    if (mapped == c) {
      out.append(text.substr(at, length));
    } else {
      AppendChar(out, mapped);
    }
    at += length;
  }
  return out;
}

}  // namespace

MarkedString::MarkedString(std::string text, bool user) : text_(std::move(text)) {
  if (user && !text_.empty()) spans_.push_back({0, text_.size()});
}

void MarkedString::Append(const MarkedString& other) {
  const std::size_t base = text_.size();
  text_.append(other.text_);
  for (const Span& span : other.spans_) {
    if (!spans_.empty() && spans_.back().end == base + span.begin) {
      spans_.back().end = base + span.end;
    } else {
      spans_.push_back({base + span.begin, base + span.end});
    }
  }
}

void MarkedString::Append(std::string_view text, bool user) {
  if (text.empty()) return;
  const std::size_t base = text_.size();
  text_.append(text);
  if (!user) return;
  if (!spans_.empty() && spans_.back().end == base) {
    spans_.back().end = text_.size();
  } else {
    spans_.push_back({base, text_.size()});
  }
}

MarkedString MarkedString::Slice(std::size_t begin, std::size_t end) const {
  end = std::min(end, text_.size());
  begin = std::min(begin, end);
  MarkedString out;
  out.text_ = text_.substr(begin, end - begin);
  for (const Span& span : spans_) {
    const std::size_t low = std::max(span.begin, begin);
    const std::size_t high = std::min(span.end, end);
    if (low < high) out.spans_.push_back({low - begin, high - begin});
  }
  return out;
}

MarkedString MarkedString::WithText(std::string text) const {
  if (text.size() != text_.size()) return MarkedString(std::move(text), any_user());
  MarkedString out;
  out.text_ = std::move(text);
  out.spans_ = spans_;
  return out;
}

std::size_t CharLength(std::string_view text, std::size_t at) {
  const auto lead = static_cast<unsigned char>(text[at]);
  std::size_t length = 1;
  if (lead >= 0xC2 && lead < 0xE0) length = 2;
  if (lead >= 0xE0 && lead < 0xF0) length = 3;
  if (lead >= 0xF0 && lead < 0xF5) length = 4;
  if (at + length > text.size()) return 1;
  for (std::size_t i = 1; i < length; ++i) {
    if ((static_cast<unsigned char>(text[at + i]) & 0xC0) != 0x80) return 1;
  }
  return length;
}

std::vector<std::size_t> CharOffsets(std::string_view text) {
  std::vector<std::size_t> offsets;
  offsets.reserve(text.size() + 1);
  for (std::size_t at = 0; at < text.size(); at += CharLength(text, at)) offsets.push_back(at);
  offsets.push_back(text.size());
  return offsets;
}

std::size_t CountChars(std::string_view text) {
  std::size_t count = 0;
  for (std::size_t at = 0; at < text.size(); at += CharLength(text, at)) ++count;
  return count;
}

char32_t DecodeChar(std::string_view text, std::size_t at) {
  const auto byte = [&text, at](std::size_t i) {
    return static_cast<char32_t>(static_cast<unsigned char>(text[at + i]));
  };
  switch (CharLength(text, at)) {
    case 2:
      return ((byte(0) & 0x1F) << 6) | (byte(1) & 0x3F);
    case 3:
      return ((byte(0) & 0x0F) << 12) | ((byte(1) & 0x3F) << 6) | (byte(2) & 0x3F);
    case 4:
      return ((byte(0) & 0x07) << 18) | ((byte(1) & 0x3F) << 12) | ((byte(2) & 0x3F) << 6) |
             (byte(3) & 0x3F);
    default:
      return byte(0) < 0x80 ? byte(0) : 0xFFFD;
  }
}

bool IsSpace(char32_t c) {
  return (c >= 0x09 && c <= 0x0D) || (c >= 0x1C && c <= 0x20) || c == 0x85 || c == 0xA0 ||
         c == 0x1680 || (c >= 0x2000 && c <= 0x200A) || c == 0x2028 || c == 0x2029 || c == 0x202F ||
         c == 0x205F || c == 0x3000;
}

MarkedString::Span StripRange(std::string_view text, std::string_view chars, bool left,
                              bool right) {
  const std::vector<std::size_t> offsets = CharOffsets(text);
  const auto strips = [&](std::size_t index) {
    const std::string_view one = text.substr(offsets[index], offsets[index + 1] - offsets[index]);
    return chars.empty() ? IsSpace(DecodeChar(text, offsets[index]))
                         : chars.find(one) != std::string_view::npos;
  };
  std::size_t begin = 0;
  std::size_t end = offsets.size() - 1;
  while (left && begin < end && strips(begin)) ++begin;
  while (right && end > begin && strips(end - 1)) --end;
  return {offsets[begin], offsets[end]};
}

std::string ToUpper(std::string_view text) {
  return MapChars(text, [](char32_t c, std::size_t) { return UpperOf(c); });
}

std::string ToLower(std::string_view text) {
  return MapChars(text, [](char32_t c, std::size_t) { return LowerOf(c); });
}

std::string Capitalize(std::string_view text) {
  return MapChars(
      text, [](char32_t c, std::size_t index) { return index == 0 ? UpperOf(c) : LowerOf(c); });
}

std::string TitleCase(std::string_view text) {
  bool start = true;
  return MapChars(text, [&start](char32_t c, std::size_t) {
    const char32_t mapped = start ? UpperOf(c) : LowerOf(c);
    start = IsSpace(c) || c == '-' || c == '(' || c == '[' || c == '{' || c == '<';
    return mapped;
  });
}

}  // namespace zhibi::text::jinja
