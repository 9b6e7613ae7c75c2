// SPDX-License-Identifier: Apache-2.0
// Names of statutes in one spelling.
#include "statute/name.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

#include "base/utf8.h"
#include "statute/table.h"

namespace zhibi::statute {
namespace {

// 0: dropped.
char32_t EvenCharacter(char32_t c) {
  constexpr char32_t kFullWidthFirst = 0xFF01;
  constexpr char32_t kFullWidthLast = 0xFF5E;
  constexpr char32_t kFullWidthShift = 0xFEE0;
  switch (c) {
    case U'(':
    case U'（':
    case U'〔':
    case U'［':
    case U'[':
      return U'（';
    case U')':
    case U'）':
    case U'〕':
    case U'］':
    case U']':
      return U'）';
    case U'《':
    case U'》':
    case U'〈':
    case U'〉':
    case U'﹤':
    case U'﹥':
    case U'＜':
    case U'＞':
    case U'<':
    case U'>':
    case U' ':
    case U'\t':
    case U'\n':
    case U'\r':
    case 0x00A0:
    case 0x3000:
    case 0x200B:
    case 0xFEFF:
      return 0;
    case U'·':
    case U'•':
    case U'・':
      return U'·';
    default:
      break;
  }
  if (c >= kFullWidthFirst && c <= kFullWidthLast) c -= kFullWidthShift;
  return c >= U'A' && c <= U'Z' ? c - U'A' + U'a' : c;
}

}  // namespace

std::string EvenName(std::string_view name) {
  std::string out;
  out.reserve(name.size());
  while (!name.empty()) {
    const base::Utf8Char c = base::DecodeUtf8(name);
    const char32_t even = EvenCharacter(c.code_point);
    if (even != 0) base::AppendUtf8(even, &out);
    name.remove_prefix(c.length);
  }
  return out;
}

std::string NormaliseName(std::string_view name) {
  std::string out = EvenName(name);
  // Longest first: 最高院 is not within 最高法院.
  constexpr std::pair<std::string_view, std::string_view> kBodies[] = {
      {"最高法院", "最高人民法院"},
      {"最高院", "最高人民法院"},
      {"最高检察院", "最高人民检察院"},
      {"最高检", "最高人民检察院"},
  };
  for (const auto& [from, to] : kBodies) {
    for (std::size_t at = out.find(from); at != std::string::npos; at = out.find(from, at)) {
      out.replace(at, from.size(), to);
      at += to.size();
    }
  }
  return out;
}

}  // namespace zhibi::statute
