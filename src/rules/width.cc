// SPDX-License-Identifier: Apache-2.0
#include "rules/width.h"

#include "base/utf8.h"

namespace zhibi::rules {
namespace {

char32_t Even(char32_t c) {
  if ((c >= 0xFF10 && c <= 0xFF19) || (c >= 0xFF21 && c <= 0xFF3A) ||
      (c >= 0xFF41 && c <= 0xFF5A)) {
    return c - 0xFEE0;
  }
  switch (c) {
    case U'(':
      return U'（';
    case U')':
      return U'）';
    case U'％':
      return U'%';
    case U'．':
      return U'.';
    case U'‹':
    case U'＜':
    case U'﹤':
    case U'<':
      return U'〈';
    case U'›':
    case U'＞':
    case U'﹥':
    case U'>':
      return U'〉';
    case U'\u00A0':
    case U'\u3000':
    case U'\t':
      return U' ';
    case U'￥':
      return U'¥';
    default:
      return c;
  }
}

}  // namespace

EvenText EvenWidth(std::string_view original) {
  EvenText even;
  even.text.reserve(original.size() + original.size() / 16);
  even.origin.reserve(original.size() + original.size() / 16);
  std::size_t at = 0;
  while (at < original.size()) {
    const base::Utf8Char c = base::DecodeUtf8(original.substr(at));
    if (c.code_point == U'\r' && at + 1 < original.size() && original[at + 1] == '\n') {
      ++at;
      continue;
    }
    base::AppendUtf8(c.code_point == U'\r' ? U'\n' : Even(c.code_point), &even.text);
    even.origin.resize(even.text.size(), static_cast<std::uint32_t>(at));
    at += c.length;
  }
  even.origin.push_back(static_cast<std::uint32_t>(original.size()));
  return even;
}

}  // namespace zhibi::rules
