// SPDX-License-Identifier: Apache-2.0
#include "text/unicode.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <memory>
#include <vector>

namespace zhibi::text {
namespace {

struct CombiningRange {
  std::uint32_t begin;
  std::uint32_t end;
  std::uint8_t value;
};
struct Decomposition {
  std::uint32_t code_point;
  std::uint32_t first;
  std::uint32_t second;
};

#include "text/unicode_data.inc"

constexpr std::uint8_t kCategoryMask = 0x1F;
constexpr std::uint8_t kTableWhite = 0x20;
constexpr std::uint8_t kTableNfc = 0x40;

// Hangul syllables are arithmetic (The Unicode Standard, section 3.12).
constexpr char32_t kSBase = 0xAC00;
constexpr char32_t kLBase = 0x1100;
constexpr char32_t kVBase = 0x1161;
constexpr char32_t kTBase = 0x11A7;
constexpr char32_t kLCount = 19;
constexpr char32_t kVCount = 21;
constexpr char32_t kTCount = 28;
constexpr char32_t kSCount = kLCount * kVCount * kTCount;

std::uint8_t ClassesOf(std::uint8_t entry) {
  const auto category = static_cast<Category>(entry & kCategoryMask);
  std::uint8_t classes = 0;
  if (category >= Category::kLu && category <= Category::kLo) classes = kLetter;
  if (category >= Category::kMn && category <= Category::kMe) classes = kMark;
  if (category >= Category::kNd && category <= Category::kNo) classes = kNumber;
  if (category >= Category::kPc && category <= Category::kPo) classes = kPunctuation;
  if (category >= Category::kSm && category <= Category::kSo) classes = kSymbol;
  if (category == Category::kLu || category == Category::kLt) classes |= kUpper;
  if ((entry & kTableWhite) != 0) classes |= kWhite;
  if ((entry & kTableNfc) != 0) classes |= kNotNfc;
  return classes;
}

// First code points of the runs, summed once.
const std::vector<char32_t>& RunStarts() {
  static const std::vector<char32_t> starts = [] {
    std::vector<char32_t> result;
    result.reserve(std::size(kRuns));
    char32_t start = 0;
    for (const std::uint32_t run : kRuns) {
      result.push_back(start);
      start += run >> 8;
    }
    return result;
  }();
  return starts;
}

std::uint8_t EntryOf(char32_t code_point) {
  const std::vector<char32_t>& starts = RunStarts();
  const auto next = std::upper_bound(starts.begin(), starts.end(), code_point);
  return static_cast<std::uint8_t>(kRuns[next - starts.begin() - 1] & 0xFF);
}

const Decomposition* FindDecomposition(char32_t code_point) {
  const auto* found =
      std::lower_bound(std::begin(kDecompositions), std::end(kDecompositions), code_point,
                       [](const Decomposition& d, char32_t value) { return d.code_point < value; });
  return found != std::end(kDecompositions) && found->code_point == code_point ? found : nullptr;
}

}  // namespace

UnicodeTable::UnicodeTable() {
  std::size_t begin = 0;
  for (const std::uint32_t run : kRuns) {
    const std::size_t end = std::min<std::size_t>(begin + (run >> 8), kFlatSize);
    std::fill(flat_.begin() + static_cast<std::ptrdiff_t>(begin),
              flat_.begin() + static_cast<std::ptrdiff_t>(end), ClassesOf(run & 0xFF));
    begin = end;
    if (begin == kFlatSize) break;
  }
}

const UnicodeTable& UnicodeTable::Get() {
  static const std::unique_ptr<const UnicodeTable> table(new UnicodeTable());
  return *table;
}

std::uint8_t UnicodeTable::HighClasses(char32_t code_point) {
  return ClassesOf(EntryOf(code_point));
}

Category UnicodeTable::CategoryOf(char32_t code_point) {
  return static_cast<Category>(EntryOf(code_point) & kCategoryMask);
}

std::string_view UnicodeTable::category_version() { return kCategoryUnicodeVersion; }
std::string_view UnicodeTable::nfc_version() { return kNfcUnicodeVersion; }

std::uint8_t CombiningClass(char32_t code_point) {
  const auto* next =
      std::upper_bound(std::begin(kCombiningRanges), std::end(kCombiningRanges), code_point,
                       [](char32_t value, const CombiningRange& r) { return value < r.begin; });
  if (next == std::begin(kCombiningRanges)) return 0;
  const CombiningRange& range = *std::prev(next);
  return code_point < range.end ? range.value : std::uint8_t{0};
}

bool Decompose(char32_t code_point, char32_t* first, char32_t* second) {
  if (code_point >= kSBase && code_point < kSBase + kSCount) {
    const char32_t index = code_point - kSBase;
    if (index % kTCount != 0) {
      *first = kSBase + index / kTCount * kTCount;
      *second = kTBase + index % kTCount;
    } else {
      *first = kLBase + index / (kVCount * kTCount);
      *second = kVBase + index % (kVCount * kTCount) / kTCount;
    }
    return true;
  }
  const Decomposition* found = FindDecomposition(code_point);
  if (found == nullptr) return false;
  *first = found->first;
  *second = found->second;
  return true;
}

char32_t Compose(char32_t first, char32_t second) {
  if (first >= kLBase && first < kLBase + kLCount && second >= kVBase &&
      second < kVBase + kVCount) {
    return kSBase + ((first - kLBase) * kVCount + (second - kVBase)) * kTCount;
  }
  if (first >= kSBase && first < kSBase + kSCount && (first - kSBase) % kTCount == 0 &&
      second > kTBase && second < kTBase + kTCount) {
    return first + (second - kTBase);
  }
  const auto* found = std::lower_bound(
      std::begin(kCompositions), std::end(kCompositions), std::pair(first, second),
      [](std::uint16_t index, const std::pair<char32_t, char32_t>& pair) {
        const Decomposition& d = kDecompositions[index];
        return d.first < pair.first || (d.first == pair.first && d.second < pair.second);
      });
  if (found == std::end(kCompositions)) return 0;
  const Decomposition& d = kDecompositions[*found];
  return d.first == first && d.second == second ? d.code_point : 0;
}

}  // namespace zhibi::text
