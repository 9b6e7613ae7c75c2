// SPDX-License-Identifier: Apache-2.0
#include "export/pdf/linebreak.h"

#include <algorithm>
#include <string_view>

namespace zhibi::exporting {
namespace {

constexpr std::u32string_view kNoBegin =
    U"、。，．；：？！）〕］｝〉》」』】〙〗”’·～・‰℃々〜ー—…!),.:;?]}%";
constexpr std::u32string_view kNoEnd = U"（〔［｛〈《「『【〘〖“‘＃￥№§([{$¥";
constexpr std::u32string_view kHangs = U"、。，．；：？！";
constexpr std::u32string_view kPairs = U"—…⸺";
constexpr std::u32string_view kUnits = U"元角分万亿年月日时岁天周个人份页条款项目号号%倍米吨克";
constexpr double kSlack = 0.01;  // points: sums of equal widths are not exact
// A line that is emptier than this takes a discouraged break instead.
constexpr double kLeastFill = 0.75;

bool Has(std::u32string_view set, char32_t character) {
  return set.find(character) != std::u32string_view::npos;
}

bool IsDigit(char32_t character) { return character >= U'0' && character <= U'9'; }

struct Overflow {
  std::size_t at = 0;       // the first item that does not fit
  std::size_t allowed = 0;  // the last border of each kind up to it; 0: none
  std::size_t discouraged = 0;
  double allowed_width = 0;
};

// Items from `begin` that fit `available`.
Overflow Fill(std::span<const BreakItem> items, std::size_t begin, double available) {
  Overflow out;
  double width = 0;
  std::size_t i = begin;
  for (; i < items.size(); ++i) {
    if (i > begin) {
      const Border border = BorderBefore(items, i);
      if (border == Border::kAllowed) {
        out.allowed = i;
        out.allowed_width = width;
      } else if (border == Border::kDiscouraged) {
        out.discouraged = i;
      }
    }
    if (!items[i].space && width + items[i].width > available + kSlack) break;
    width += items[i].width;
  }
  out.at = i;
  return out;
}

bool CanHang(std::span<const BreakItem> items, std::size_t begin, std::size_t at) {
  if (at == begin || !MayHang(items[at].character)) return false;
  return at + 1 == items.size() || BorderBefore(items, at + 1) == Border::kAllowed;
}

std::size_t ChooseBreak(const Overflow& found, std::size_t begin, double available) {
  if (found.allowed > begin && found.allowed_width >= available * kLeastFill) return found.allowed;
  if (found.discouraged > begin && found.discouraged > found.allowed) return found.discouraged;
  if (found.allowed > begin) return found.allowed;
  return std::max(found.at, begin + 1);
}

}  // namespace

bool MayNotBegin(char32_t character) { return Has(kNoBegin, character); }
bool MayNotEnd(char32_t character) { return Has(kNoEnd, character); }
bool MayHang(char32_t character) { return Has(kHangs, character); }

Border BorderBefore(std::span<const BreakItem> items, std::size_t at) {
  const BreakItem& before = items[at - 1];
  const BreakItem& after = items[at];
  if (after.space) return Border::kForbidden;
  const bool cjk = !before.latin || !after.latin || before.space;
  if (cjk) {
    if (before.character == after.character && Has(kPairs, after.character))
      return Border::kForbidden;
    // A dash or dots may begin a line when nothing belongs before them; here text does.
    if (MayNotBegin(after.character) || MayNotEnd(before.character)) return Border::kForbidden;
    if (after.inside_name) return Border::kDiscouraged;
    if (IsDigit(before.character) && Has(kUnits, after.character)) return Border::kDiscouraged;
    return Border::kAllowed;
  }
  if (after.word_border) return Border::kAllowed;
  return after.inside_number ? Border::kDiscouraged : Border::kForbidden;
}

std::vector<LineSpan> BreakLines(std::span<const BreakItem> items, const BreakOptions& options) {
  std::vector<LineSpan> lines;
  std::size_t begin = 0;
  do {
    LineSpan line;
    line.begin = begin;
    const double indent =
        lines.empty() ? std::max(options.first_indent, 0.0) : std::max(-options.first_indent, 0.0);
    line.available = std::max(options.measure - indent, 0.0);
    const Overflow found = Fill(items, begin, line.available);
    std::size_t next = items.size();
    if (found.at < items.size()) {
      line.hangs = options.hang && CanHang(items, begin, found.at);
      next = line.hangs ? found.at + 1 : ChooseBreak(found, begin, line.available);
    }
    line.end = next;
    while (next < items.size() && items[next].space) ++next;
    while (line.end > begin && items[line.end - 1].space) --line.end;
    for (std::size_t i = begin; i + (line.hangs ? 1 : 0) < line.end; ++i)
      line.width += items[i].width;
    line.is_last = next >= items.size();
    begin = next;
    lines.push_back(line);
  } while (begin < items.size());
  return lines;
}

bool StretchesAfter(std::span<const BreakItem> items, std::size_t at) {
  if (at + 1 >= items.size()) return false;
  if (items[at].space) return true;
  return !items[at + 1].space && (!items[at].latin || !items[at + 1].latin);
}

}  // namespace zhibi::exporting
