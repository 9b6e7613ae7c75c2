// SPDX-License-Identifier: Apache-2.0
#include "text/byte_alphabet.h"

#include <array>
#include <cstdint>

#include "base/utf8.h"

namespace zhibi::text {
namespace {

struct Alphabet {
  std::array<char32_t, 256> character{};   // by byte
  std::array<std::int16_t, 0x144> byte{};  // by character; -1 outside
};

// Printable Latin-1 characters stand for themselves; the other 68 bytes take U+0100 and up, in
// order.
constexpr Alphabet MakeAlphabet() {
  Alphabet alphabet;
  alphabet.byte.fill(-1);
  char32_t next = 0x100;
  for (char32_t b = 0; b < 256; ++b) {
    const bool itself = (b >= 0x21 && b <= 0x7E) || (b >= 0xA1 && b <= 0xAC) || b >= 0xAE;
    const char32_t c = itself ? b : next++;
    alphabet.character[b] = c;
    alphabet.byte[c] = static_cast<std::int16_t>(b);
  }
  return alphabet;
}
constexpr Alphabet kAlphabet = MakeAlphabet();
static_assert(kAlphabet.character[' '] == 0x120 && kAlphabet.byte[0x143] == 0xAD);

}  // namespace

bool BytesOfSpelling(std::string_view spelling, std::string* bytes) {
  bytes->clear();
  while (!spelling.empty()) {
    const base::Utf8Char c = base::DecodeUtf8(spelling);
    if (c.code_point >= kAlphabet.byte.size() || kAlphabet.byte[c.code_point] < 0) return false;
    bytes->push_back(static_cast<char>(kAlphabet.byte[c.code_point]));
    spelling.remove_prefix(c.length);
  }
  return true;
}

std::string SpellingOfBytes(std::string_view bytes) {
  std::string spelling;
  for (const char b : bytes)
    base::AppendUtf8(kAlphabet.character[static_cast<unsigned char>(b)], &spelling);
  return spelling;
}

}  // namespace zhibi::text
