// SPDX-License-Identifier: Apache-2.0
// Breaking a paragraph into lines by the rules of Chinese typesetting (禁则): what may not begin a
// line, what may not end one, what hangs in the margin, what is broken only when nothing better is
// there (names, a number and its unit, long Latin runs). Knows no fonts: widths come in. Source:
// GB/T 15834-2011 5.1 (marks at the ends of lines), JLREQ 3.1 for the classes. Thread-safe, linear.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace zhibi::exporting {

struct BreakItem {
  char32_t character = 0;    // the first of the cluster
  double width = 0;          // points
  bool latin = false;        // set in the Latin font
  bool space = false;        // U+0020: vanishes at the end of a line
  bool word_border = false;  // between Latin characters: UAX #14 permits a break before it
  bool inside_name = false;  // not the first character of a short name
  bool inside_number =
      false;  // not the first of a run of Latin characters that is too long to keep
};

enum class Border : unsigned char { kForbidden, kDiscouraged, kAllowed };

struct LineSpan {
  std::size_t begin = 0;
  std::size_t end = 0;   // without spaces at the end of the line
  double width = 0;      // of [begin, end) without the mark that hangs
  bool hangs = false;    // the last item stands in the margin
  bool is_last = false;  // of the paragraph
  double available = 0;  // width that the line had
};

struct BreakOptions {
  double measure = 0;       // points
  double first_indent = 0;  // of the first line; negative: the others are indented
  bool hang = true;
};

// May a line end before items[at]? at in [1, items.size()).
Border BorderBefore(std::span<const BreakItem> items, std::size_t at);
bool MayNotBegin(char32_t character);
bool MayNotEnd(char32_t character);
bool MayHang(char32_t character);

// At least one line, every item in exactly one line but for spaces at the ends.
std::vector<LineSpan> BreakLines(std::span<const BreakItem> items, const BreakOptions& options);

// Places where a justified line may be stretched: between the items, not inside Latin words.
bool StretchesAfter(std::span<const BreakItem> items, std::size_t at);

}  // namespace zhibi::exporting
