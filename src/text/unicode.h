// SPDX-License-Identifier: Apache-2.0
// Character classes of Unicode 16.0.0 from one generated table (tools/unicode, ADR 0021): the
// version of the regex engine inside Hugging Face's `tokenizers`, so that the split patterns see
// the same letters. A flat byte per code point below U+40000 keeps a look-up at one load.
// Thread-safe.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

namespace zhibi::text {

// The generated table stores these numbers.
enum class Category : std::uint8_t {
  kCn,
  kLu,
  kLl,
  kLt,
  kLm,
  kLo,
  kMn,
  kMc,
  kMe,
  kNd,
  kNl,
  kNo,
  kPc,
  kPd,
  kPs,
  kPe,
  kPi,
  kPf,
  kPo,
  kSm,
  kSc,
  kSk,
  kSo,
  kZs,
  kZl,
  kZp,
  kCc,
  kCf,
  kCs,
  kCo,
};

// Bits of UnicodeTable::Classes.
constexpr std::uint8_t kLetter = 0x01;       // \p{L}
constexpr std::uint8_t kMark = 0x02;         // \p{M}
constexpr std::uint8_t kNumber = 0x04;       // \p{N}
constexpr std::uint8_t kPunctuation = 0x08;  // \p{P}
constexpr std::uint8_t kSymbol = 0x10;       // \p{S}
constexpr std::uint8_t kWhite = 0x20;        // \s: White_Space
constexpr std::uint8_t kNotNfc =
    0x40;  // NFC_Quick_Check is not Yes, or the combining class is not 0
constexpr std::uint8_t kUpper = 0x80;  // Lu or Lt

class UnicodeTable {
 public:
  // Built on the first call (well under a millisecond), then shared.
  static const UnicodeTable& Get();

  // code_point: at most U+10FFFF.
  std::uint8_t Classes(char32_t code_point) const {
    return code_point < kFlatSize ? flat_[code_point] : HighClasses(code_point);
  }

  // By binary search; for tests and rare questions.
  static Category CategoryOf(char32_t code_point);
  static std::string_view category_version();
  static std::string_view nfc_version();

 private:
  static constexpr char32_t kFlatSize = 0x40000;
  UnicodeTable();
  static std::uint8_t HighClasses(char32_t code_point);
  std::array<std::uint8_t, kFlatSize> flat_;
};

// Canonical combining class of a code point, 0 to 254.
std::uint8_t CombiningClass(char32_t code_point);
// One step of canonical decomposition, Hangul included: false when there is none. *second is 0 for
// a singleton.
bool Decompose(char32_t code_point, char32_t* first, char32_t* second);
// The primary composite of a pair, Hangul included; 0 when there is none.
char32_t Compose(char32_t first, char32_t second);

}  // namespace zhibi::text
