// SPDX-License-Identifier: Apache-2.0
#include "text/normalizer.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/utf8.h"
#include "text/unicode.h"

namespace zhibi::text {
namespace {

struct Unit {
  char32_t code_point;
  std::uint8_t combining_class;
  std::uint32_t place = 0;  // within a run of non-starters
};

void AppendDecomposed(char32_t code_point, std::vector<Unit>* dst) {
  char32_t first = 0;
  char32_t second = 0;
  // Only the first half decomposes again (a property of the data that the ICU comparison covers).
  std::vector<char32_t> tail;
  while (Decompose(code_point, &first, &second)) {
    if (second != 0) tail.push_back(second);
    code_point = first;
  }
  dst->push_back({code_point, CombiningClass(code_point)});
  for (auto it = tail.rbegin(); it != tail.rend(); ++it) dst->push_back({*it, CombiningClass(*it)});
}

// Canonical ordering: runs of non-starters are sorted by class, stably (long runs must not cost n *
// n). The place in the text makes the order total, since std::stable_sort of GCC 12 uses what C++17
// deprecates.
void Reorder(std::vector<Unit>* units) {
  auto it = units->begin();
  while (it != units->end()) {
    if (it->combining_class == 0) {
      ++it;
      continue;
    }
    const auto end =
        std::find_if(it, units->end(), [](const Unit& u) { return u.combining_class == 0; });
    const auto by_class = [](const Unit& a, const Unit& b) {
      return a.combining_class != b.combining_class ? a.combining_class < b.combining_class
                                                    : a.place < b.place;
    };
    std::uint32_t place = 0;
    std::for_each(it, end, [&place](Unit& u) { u.place = place++; });
    if (!std::is_sorted(it, end, by_class)) std::sort(it, end, by_class);
    it = end;
  }
}

void ComposeInto(const std::vector<Unit>& units, std::string* dst) {
  std::vector<char32_t> composed;
  composed.reserve(units.size());
  std::size_t starter = 0;
  bool has_starter = false;
  std::uint8_t last_class = 0;  // class of the last unit kept after the starter
  bool kept_after_starter = false;
  for (const Unit& unit : units) {
    const bool blocked = kept_after_starter && last_class >= unit.combining_class;
    const char32_t merged =
        has_starter && !blocked ? Compose(composed[starter], unit.code_point) : 0;
    if (merged != 0) {
      composed[starter] = merged;
      continue;
    }
    composed.push_back(unit.code_point);
    if (unit.combining_class == 0) {
      starter = composed.size() - 1;
      has_starter = true;
      kept_after_starter = false;
    } else {
      kept_after_starter = true;
    }
    last_class = unit.combining_class;
  }
  for (const char32_t code_point : composed) base::AppendUtf8(code_point, dst);
}

}  // namespace

bool IsCertainlyNfc(std::string_view text) {
  const UnicodeTable& table = UnicodeTable::Get();
  const char* pos = text.data();
  const char* const end = pos + text.size();
  while (pos < end) {
    const auto lead = static_cast<unsigned char>(*pos);
    // Below U+0300 and in U+4000 to U+9FFF every character is a starter with quick check Yes.
    if (lead < 0x80) {
      ++pos;
    } else if (lead < 0xCC) {
      pos += 2;
    } else if (lead >= 0xE4 && lead <= 0xE9) {
      pos += 3;
    } else {
      const base::Utf8Char decoded =
          base::DecodeUtf8(std::string_view(pos, static_cast<std::size_t>(end - pos)));
      if ((table.Classes(decoded.code_point) & kNotNfc) != 0) return false;
      pos += decoded.length;
    }
  }
  return true;
}

std::string ToNfc(std::string_view text) {
  std::vector<Unit> units;
  units.reserve(text.size());
  for (std::size_t i = 0; i < text.size();) {
    const base::Utf8Char decoded = base::DecodeUtf8(text.substr(i, 4));
    AppendDecomposed(decoded.code_point, &units);
    i += decoded.length;
  }
  Reorder(&units);
  std::string dst;
  dst.reserve(text.size());
  ComposeInto(units, &dst);
  return dst;
}

}  // namespace zhibi::text
