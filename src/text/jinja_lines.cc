// SPDX-License-Identifier: Apache-2.0
#include "text/jinja_lines.h"

namespace zhibi::text::jinja {

std::vector<MarkedString::Span> SplitLines(std::string_view text) {
  std::vector<MarkedString::Span> lines;
  std::size_t begin = 0;
  std::size_t at = 0;
  while (at < text.size()) {
    const char32_t c = DecodeChar(text, at);
    std::size_t length = CharLength(text, at);
    const bool ends = (c >= 0x0A && c <= 0x0D) || (c >= 0x1C && c <= 0x1E) || c == 0x85 ||
                      c == 0x2028 || c == 0x2029;
    if (ends) {
      if (c == '\r' && at + 1 < text.size() && text[at + 1] == '\n') ++length;
      lines.push_back({begin, at});
      begin = at + length;
    }
    at += length;
  }
  if (begin < text.size()) lines.push_back({begin, text.size()});
  return lines;
}

}  // namespace zhibi::text::jinja
