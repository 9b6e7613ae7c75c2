// SPDX-License-Identifier: Apache-2.0
#include "base/utf8.h"

#include <cstring>

namespace zhibi::base {
namespace {

constexpr std::uint64_t kHighBits = 0x8080808080808080ULL;

unsigned char At(std::string_view text, std::size_t i) {
  return static_cast<unsigned char>(text[i]);
}

// Length that a lead byte asks for and the range of its second byte (table 3-7); length 0: never a
// lead byte.
struct Lead {
  std::uint8_t length;
  std::uint8_t second_min;
  std::uint8_t second_max;
};

Lead LeadOf(unsigned char byte) {
  if (byte < 0x80) return {1, 0, 0};
  if (byte < 0xC2) return {0, 0, 0};
  if (byte < 0xE0) return {2, 0x80, 0xBF};
  if (byte == 0xE0) return {3, 0xA0, 0xBF};
  if (byte == 0xED) return {3, 0x80, 0x9F};
  if (byte < 0xF0) return {3, 0x80, 0xBF};
  if (byte == 0xF0) return {4, 0x90, 0xBF};
  if (byte < 0xF4) return {4, 0x80, 0xBF};
  if (byte == 0xF4) return {4, 0x80, 0x8F};
  return {0, 0, 0};
}

// Start of the first byte at or after i that is not ASCII.
std::size_t SkipAscii(std::string_view text, std::size_t i) {
  while (i + 8 <= text.size()) {
    std::uint64_t word = 0;
    std::memcpy(&word, text.data() + i, 8);
    if ((word & kHighBits) != 0) break;
    i += 8;
  }
  while (i < text.size() && At(text, i) < 0x80) ++i;
  return i;
}

}  // namespace

Utf8Char DecodeUtf8(std::string_view text) {
  const unsigned char first = At(text, 0);
  if (first < 0x80) return {first, 1, Utf8State::kValid};
  const Lead lead = LeadOf(first);
  if (lead.length == 0) return {kReplacementChar, 1, Utf8State::kInvalid};
  char32_t code_point = first & (0x7FU >> lead.length);
  for (std::uint8_t i = 1; i < lead.length; ++i) {
    if (i == text.size()) return {kReplacementChar, i, Utf8State::kIncomplete};
    const unsigned char byte = At(text, i);
    const unsigned char low = i == 1 ? lead.second_min : 0x80;
    const unsigned char high = i == 1 ? lead.second_max : 0xBF;
    if (byte < low || byte > high) return {kReplacementChar, i, Utf8State::kInvalid};
    code_point = code_point << 6 | (byte & 0x3FU);
  }
  return {code_point, lead.length, Utf8State::kValid};
}

std::size_t ValidUtf8Prefix(std::string_view text) {
  std::size_t i = 0;
  while (true) {
    i = SkipAscii(text, i);
    // Three-byte characters other than E0 and ED rows are the bulk of Chinese text.
    while (i + 3 <= text.size() && At(text, i) > 0xE0 && At(text, i) < 0xF0 &&
           At(text, i) != 0xED) {
      if ((At(text, i + 1) & 0xC0) != 0x80 || (At(text, i + 2) & 0xC0) != 0x80) return i;
      i += 3;
    }
    if (i == text.size()) return i;
    if (At(text, i) < 0x80) continue;
    const Utf8Char decoded = DecodeUtf8(text.substr(i, 4));
    if (decoded.state != Utf8State::kValid) return i;
    i += decoded.length;
  }
}

std::size_t CountCodePoints(std::string_view text) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < text.size(); ++count) i += DecodeUtf8(text.substr(i, 4)).length;
  return count;
}

std::vector<std::string_view> Characters(std::string_view text) {
  std::vector<std::string_view> characters;
  while (!text.empty()) {
    const std::size_t length = DecodeUtf8(text.substr(0, 4)).length;
    characters.push_back(text.substr(0, length));
    text.remove_prefix(length);
  }
  return characters;
}

void AppendUtf8(char32_t code_point, std::string* dst) {
  const auto byte = [](char32_t value) {
    return static_cast<char>(static_cast<unsigned char>(value));
  };
  if (code_point < 0x80) {
    dst->push_back(byte(code_point));
  } else if (code_point < 0x800) {
    dst->push_back(byte(0xC0 | code_point >> 6));
    dst->push_back(byte(0x80 | (code_point & 0x3F)));
  } else if (code_point > 0x10FFFF || (code_point >= 0xD800 && code_point < 0xE000)) {
    dst->append(kReplacementUtf8);
  } else if (code_point < 0x10000) {
    dst->push_back(byte(0xE0 | code_point >> 12));
    dst->push_back(byte(0x80 | (code_point >> 6 & 0x3F)));
    dst->push_back(byte(0x80 | (code_point & 0x3F)));
  } else {
    dst->push_back(byte(0xF0 | code_point >> 18));
    dst->push_back(byte(0x80 | (code_point >> 12 & 0x3F)));
    dst->push_back(byte(0x80 | (code_point >> 6 & 0x3F)));
    dst->push_back(byte(0x80 | (code_point & 0x3F)));
  }
}

std::string RepairUtf8(std::string_view text) {
  std::string repaired;
  repaired.reserve(text.size() + 16);
  while (!text.empty()) {
    const std::size_t valid = ValidUtf8Prefix(text);
    repaired.append(text.substr(0, valid));
    text.remove_prefix(valid);
    if (text.empty()) break;
    repaired.append(kReplacementUtf8);
    text.remove_prefix(DecodeUtf8(text.substr(0, 4)).length);
  }
  return repaired;
}

}  // namespace zhibi::base
