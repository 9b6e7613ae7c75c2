// SPDX-License-Identifier: Apache-2.0
#include "export/pdf/typeset.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/status_macros.h"
#include "export/flow.h"
#include "export/pdf/slab.h"

namespace zhibi::exporting {
namespace {

constexpr double kSlack = 0.6;  // points: the last line's leading may pass the text's lower edge
constexpr std::size_t kMaxPages = 20000;

class Paginator {
 public:
  Paginator(const Layout& layout, Composed composed)
      : layout_(layout), composed_(std::move(composed)) {
    out_.pages.emplace_back();
  }

  Result<TypesetDocument> Run() {
    std::vector<Slab>& slabs = composed_.slabs;
    for (std::size_t begin = 0; begin < slabs.size();) {
      std::size_t end = begin + 1;
      while (end < slabs.size() && slabs[end - 1].joined) ++end;
      if (!Fits(begin, end) && used_) {
        ZB_RETURN_IF_ERROR(NewPage(&slabs[begin]));
      }
      // What does not even fit a page of its own is broken wherever the page is full.
      for (std::size_t i = begin; i < end; ++i) {
        if (used_ && !Fits(i, i + 1)) {
          ZB_RETURN_IF_ERROR(NewPage(&slabs[i]));
        }
        Place(slabs[i]);
      }
      begin = end;
    }
    EndPage();
    return std::move(out_);
  }

 private:
  double Next(double y, const Slab& slab, bool at_top) const {
    if (!at_top || out_.pages.size() == 1) y += slab.before;
    if (slab.on_grid) y = std::ceil((y - 0.01) / layout_.line_pt) * layout_.line_pt;
    return y;
  }

  bool Fits(std::size_t begin, std::size_t end) const {
    double y = y_;
    bool at_top = !used_;
    for (std::size_t i = begin; i < end; ++i) {
      y = Next(y, composed_.slabs[i], at_top) + composed_.slabs[i].height;
      at_top = false;
    }
    return y <= layout_.text_height() + kSlack;
  }

  Status NewPage(const Slab* next) {
    EndPage();
    if (out_.pages.size() >= kMaxPages)
      return ResourceExhaustedError("文书超过 " + std::to_string(kMaxPages) +
                                    " 页 (expected at most that many pages)");
    out_.pages.emplace_back();
    y_ = 0;
    used_ = false;
    row_open_ = false;
    if (!next->is_row || next->in_head) return OkStatus();
    // The head is copied: its first place keeps it.
    for (Slab head : composed_.heads[next->table]) Place(head);
    used_ = false;
    return OkStatus();
  }

  void Rule(double x1, double y1, double x2, double y2) {
    const double left = layout_.left_pt;
    const double top = layout_.top_pt;
    out_.pages.back().rules.push_back({left + x1, top + y1, left + x2, top + y2});
  }

  // A row that goes on over the page is closed by a rule on this one.
  void EndPage() {
    if (row_open_) Rule(row_left_, y_, row_right_, y_);
    row_open_ = false;
  }

  void Place(Slab& slab) {
    y_ = Next(y_, slab, !used_);
    if (!slab.outline.empty())
      out_.outline.push_back(
          {slab.outline, slab.outline_level, out_.pages.size() - 1, layout_.top_pt + y_});
    for (PlacedLine& line : slab.lines) {
      line.x += layout_.left_pt;
      line.baseline += layout_.top_pt + y_;
      out_.pages.back().lines.push_back(std::move(line));
    }
    slab.lines.clear();
    if (slab.is_row) {
      row_left_ = slab.borders.front();
      row_right_ = slab.borders.back();
      if (slab.opens_row || !used_) Rule(row_left_, y_, row_right_, y_);
      for (const double x : slab.borders) Rule(x, y_, x, y_ + slab.height);
      if (slab.closes_row) Rule(row_left_, y_ + slab.height, row_right_, y_ + slab.height);
    }
    row_open_ = slab.is_row && !slab.closes_row;
    y_ += slab.height;
    used_ = true;
  }

  const Layout& layout_;
  Composed composed_;
  TypesetDocument out_;
  double y_ = 0;
  bool used_ = false;  // something stands on the page, besides a repeated head
  bool row_open_ = false;
  double row_left_ = 0;
  double row_right_ = 0;
};

// Labels, running heads and numbers, once the number of pages is known.
class Furnisher {
 public:
  Furnisher(const legal::Document& document, const Layout& layout, Shaper& shaper)
      : layout_(layout),
        shaper_(shaper),
        label_(VisibleLabel(document)),
        left_(FirstOfStyle(document, "title")),
        right_(FirstOfStyle(document, "caseno")) {}

  Status Run(std::vector<PlacedPage>& pages) {
    for (std::size_t i = 0; i < pages.size(); ++i) {
      ZB_RETURN_IF_ERROR(AddHead(pages[i]));
      ZB_RETURN_IF_ERROR(AddNumber(i + 1, pages.size(), pages[i]));
    }
    return OkStatus();
  }

 private:
  Status Add(const std::string& text, const StyleLook& look, double top, PlacedPage& page) {
    if (text.empty()) return OkStatus();
    ZB_ASSIGN_OR_RETURN(std::vector<PlacedLine> lines,
                        ComposeText(text, look, layout_, layout_.text_width(), shaper_));
    for (PlacedLine& line : lines) {
      line.x += layout_.left_pt;
      line.baseline += top;
      top += look.line_pt;
      page.furniture.push_back(std::move(line));
    }
    return OkStatus();
  }

  Status AddHead(PlacedPage& page) {
    StyleLook look;
    look.font = layout_.running_head ? layout_.head_font : layout_.number.font;
    look.size_pt = layout_.head_size_pt;
    look.line_pt = look.size_pt * 1.3;
    double top = std::min(layout_.top_pt / 2, 42.5);
    if (!label_.empty()) {
      look.align = Align::kCenter;
      ZB_RETURN_IF_ERROR(Add(label_, look, top, page));
      top += look.line_pt;
    }
    if (!layout_.running_head) return OkStatus();
    look.align = Align::kLeft;
    ZB_RETURN_IF_ERROR(Add(left_, look, top, page));
    look.align = Align::kRight;
    return Add(right_, look, top, page);
  }

  Status AddNumber(std::size_t number, std::size_t total, PlacedPage& page) {
    const PageNumber& how = layout_.number;
    StyleLook look;
    look.font = how.font;
    look.size_pt = how.size_pt;
    look.line_pt = how.size_pt;
    look.align = number % 2 == 1 ? how.odd : how.even;
    (look.align == Align::kRight ? look.right_chars : look.left_chars) =
        look.align == Align::kCenter ? 0 : how.indent_chars;
    std::string text = how.prefix + std::to_string(number);
    if (how.total) text += "/" + std::to_string(total);
    text += how.suffix;
    const double top = layout_.page_height_pt - layout_.bottom_pt + how.distance_pt;
    return Add(text, look, top, page);
  }

  const Layout& layout_;
  Shaper& shaper_;
  std::string label_;
  std::string left_;
  std::string right_;
};

}  // namespace

Result<TypesetDocument> Typeset(const legal::Document& document, const Layout& layout,
                                Shaper& shaper) {
  ZB_ASSIGN_OR_RETURN(Composed composed, Compose(document, layout, shaper));
  ZB_ASSIGN_OR_RETURN(TypesetDocument out, Paginator(layout, std::move(composed)).Run());
  ZB_RETURN_IF_ERROR(Furnisher(document, layout, shaper).Run(out.pages));
  return out;
}

}  // namespace zhibi::exporting
