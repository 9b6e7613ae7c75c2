// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <span>
#include <utility>

#include "base/status_macros.h"
#include "export/flow.h"
#include "export/pdf/slab.h"

namespace zhibi::exporting {
namespace {

// Of the em box of Chinese fonts; one figure for all, so that lines of two fonts stand level.
constexpr double kAscent = 0.88;
// Wider gaps than this look worse than a ragged edge.
constexpr double kMostStretch = 0.3;  // em
constexpr std::size_t kMaxTextBytes = std::size_t{8} << 20;
constexpr std::size_t kMaxOutline = 2000;
constexpr double kLabelPt = 9;
constexpr double kAroundTable = 4;             // points above and below
constexpr double kSealPt = 42 * kPointsPerMm;  // the seal of a court

double Em(const Layout& layout, const StyleLook& look) {
  return look.size_pt + layout.Tracking(look);
}

// Distance that is added after each item of a justified line; 0: none.
double Stretch(std::span<const BreakItem> items, const LineSpan& line, double em) {
  if (line.is_last) return 0;
  const std::size_t end = line.end - (line.hangs ? 1 : 0);
  std::size_t gaps = 0;
  for (std::size_t i = line.begin; i + 1 < end; ++i) gaps += StretchesAfter(items, i) ? 1U : 0U;
  const double rest = line.available - line.width;
  if (gaps == 0 || rest <= 0) return 0;
  const double extra = rest / static_cast<double>(gaps);
  return extra <= em * kMostStretch ? extra : 0;
}

void AddGlyphs(const ShapedText& shaped, const Cluster& cluster, double pen, GlyphRun& run) {
  const std::size_t bytes = cluster.text_end - cluster.text_begin;
  run.text.append(shaped.text, cluster.text_begin, bytes);
  for (std::uint32_t g = cluster.glyph_begin; g < cluster.glyph_end; ++g) {
    const ShapedGlyph& glyph = shaped.glyphs[g];
    run.glyphs.push_back({glyph.index, pen + glyph.x, glyph.y});
  }
  run.clusters.push_back(
      {static_cast<int>(bytes), static_cast<int>(cluster.glyph_end - cluster.glyph_begin)});
}

PlacedLine PlaceLine(const ShapedText& shaped, const LineSpan& line, double stretch) {
  PlacedLine placed;
  double pen = 0;
  for (std::size_t i = line.begin; i < line.end; ++i) {
    const Cluster& cluster = shaped.clusters[i];
    if (placed.runs.empty() || placed.runs.back().font != cluster.font) {
      placed.runs.emplace_back();
      placed.runs.back().font = cluster.font;
    }
    AddGlyphs(shaped, cluster, pen, placed.runs.back());
    placed.pens.push_back(pen);
    const double right = pen + shaped.items[i].width;
    pen = right + (StretchesAfter(shaped.items, i) ? stretch : 0.0);
    if (!cluster.model) continue;
    if (placed.ai_spans.empty() || i == line.begin || !shaped.clusters[i - 1].model) {
      placed.ai_spans.emplace_back(placed.pens.back(), right);
    } else {
      placed.ai_spans.back().second = right;
    }
  }
  return placed;
}

// Long titles in lines of about the same length, not one full line and a rest (公文标题回行).
std::vector<LineSpan> BalancedLines(std::span<const BreakItem> items, BreakOptions options,
                                    double em) {
  std::vector<LineSpan> lines = BreakLines(items, options);
  constexpr std::size_t kMostLines = 6;
  if (lines.size() < 2 || lines.size() > kMostLines) return lines;
  const double full = options.measure;
  while (options.measure > full / 2) {
    options.measure -= em;
    std::vector<LineSpan> narrower = BreakLines(items, options);
    if (narrower.size() > lines.size()) break;
    lines = std::move(narrower);
  }
  for (LineSpan& line : lines) line.available = full;
  return lines;
}

StyleLook LabelLook(const Layout& layout) {
  StyleLook look;
  look.font = layout.number.font;
  look.size_pt = kLabelPt;
  look.line_pt = layout.line_pt;
  look.align = Align::kLeft;
  return look;
}

bool HasStyle(const legal::Document& document, std::size_t at, const char* style) {
  return at < document.blocks.size() && !document.blocks[at].is_table &&
         document.blocks[at].paragraph.style == style;
}

// White space for the seal of a court, which covers the date and touches neither the judge above
// nor the clerk below. Others sign and date without it.
double SealSpace(const legal::Document& document, const Layout& layout, std::size_t at) {
  const bool sealed = at > 0 && HasStyle(document, at, "date") &&
                      HasStyle(document, at - 1, "signature") &&
                      HasStyle(document, at + 1, "signature");
  if (!sealed) return 0;
  return std::ceil((kSealPt - layout.line_pt / 2) / layout.line_pt) * layout.line_pt;
}

class Composer {
 public:
  Composer(const legal::Document& document, const Layout& layout, Shaper& shaper)
      : document_(document), layout_(layout), shaper_(shaper), keep_(KeepWithNext(document)) {}

  Result<Composed> Run() {
    for (std::size_t i = 0; i < document_.blocks.size(); ++i) {
      const legal::Block& block = document_.blocks[i];
      if (block.is_table) {
        ZB_RETURN_IF_ERROR(AddTable(block, keep_[i]));
      } else {
        ZB_RETURN_IF_ERROR(AddParagraph(i));
      }
    }
    if (const std::string label = VisibleLabel(document_); !label.empty()) {
      const StyleLook look = LabelLook(layout_);
      ZB_ASSIGN_OR_RETURN(std::vector<PlacedLine> lines,
                          ComposeText(label, look, layout_, Measure(layout_), shaper_));
      for (PlacedLine& line : lines) AddLine(std::move(line), look);
    }
    return std::move(out_);
  }

 private:
  Slab& AddLine(PlacedLine line, const StyleLook& look) {
    Slab& slab = out_.slabs.emplace_back();
    slab.height = look.line_pt;
    slab.before = std::exchange(after_, 0);
    slab.on_grid = layout_.grid_chars > 0;
    slab.lines.push_back(std::move(line));
    return slab;
  }

  Status AddParagraph(std::size_t at) {
    const legal::Paragraph& paragraph = document_.blocks[at].paragraph;
    const StyleLook& look = layout_.Look(paragraph.style);
    for (const legal::Run& run : paragraph.runs) ZB_RETURN_IF_ERROR(Count(run.text.size()));
    ZB_ASSIGN_OR_RETURN(std::vector<PlacedLine> lines,
                        ComposeLines(paragraph, look, layout_, Measure(layout_), true, shaper_));
    const bool keep = keep_[at] || look.keep_next;
    const bool whole = paragraph.style == "signature" || paragraph.style == "date";
    after_ += look.before_lines * layout_.line_pt + SealSpace(document_, layout_, at);
    for (std::size_t i = 0; i < lines.size(); ++i) {
      Slab& slab = AddLine(std::move(lines[i]), look);
      // Two lines go with what follows, so that none stands alone above a signature.
      slab.joined = (keep && i + 2 >= lines.size()) || (whole && i + 1 < lines.size());
      if (i > 0 || look.outline_level < 0 || outlines_ >= kMaxOutline) continue;
      slab.outline = TextOf(Trimmed(paragraph));
      slab.outline_level = look.outline_level;
      ++outlines_;
    }
    after_ = look.after_lines * layout_.line_pt;
    return OkStatus();
  }

  Status AddTable(const legal::Block& block, bool keep) {
    for (const auto& row : block.table.rows) {
      for (const legal::TableCell& cell : row) {
        for (const legal::Paragraph& paragraph : cell.paragraphs) {
          for (const legal::Run& run : paragraph.runs) ZB_RETURN_IF_ERROR(Count(run.text.size()));
        }
      }
    }
    const std::size_t first = out_.slabs.size();
    ZB_RETURN_IF_ERROR(ComposeTable(block, keep, layout_, shaper_, out_));
    if (out_.slabs.size() == first) return OkStatus();
    out_.slabs[first].before = after_ + kAroundTable;
    after_ = kAroundTable;
    return OkStatus();
  }

  Status Count(std::size_t bytes) {
    bytes_ += bytes;
    if (bytes_ <= kMaxTextBytes) return OkStatus();
    return ResourceExhaustedError(
        "文书超过 8 MiB 文字，不排 PDF (expected at most 8 MiB of text for "
        "a PDF)");
  }

  const legal::Document& document_;
  const Layout& layout_;
  Shaper& shaper_;
  std::vector<bool> keep_;
  Composed out_;
  double after_ = 0;
  std::size_t bytes_ = 0;
  std::size_t outlines_ = 0;
};

}  // namespace

double Measure(const Layout& layout) {
  return layout.grid_chars > 0 ? layout.grid_chars * layout.char_pt : layout.text_width();
}

Result<std::vector<PlacedLine>> ComposeLines(const legal::Paragraph& paragraph,
                                             const StyleLook& look, const Layout& layout,
                                             double width, bool hang, Shaper& shaper) {
  ZB_ASSIGN_OR_RETURN(const ShapedText shaped, shaper.Shape(Trimmed(paragraph), look));
  const double em = Em(layout, look);
  const double left = look.left_chars * em;
  BreakOptions options;
  options.measure = std::max(width - left - look.right_chars * em, em);
  options.first_indent = std::min(look.first_line_chars * em, options.measure - em);
  options.hang = hang && look.align != Align::kCenter && look.align != Align::kRight;
  const std::vector<LineSpan> spans = look.align == Align::kCenter
                                          ? BalancedLines(shaped.items, options, em)
                                          : BreakLines(shaped.items, options);
  std::vector<PlacedLine> lines;
  lines.reserve(spans.size());
  for (const LineSpan& span : spans) {
    const double stretch = look.align == Align::kJustify ? Stretch(shaped.items, span, em) : 0.0;
    PlacedLine line = PlaceLine(shaped, span, stretch);
    const double rest = span.available - span.width;
    line.x = left + (options.measure - span.available);
    if (look.align == Align::kCenter) line.x += rest / 2;
    if (look.align == Align::kRight) line.x += rest;
    line.baseline = (look.line_pt - look.size_pt) / 2 + look.size_pt * kAscent;
    line.size_pt = look.size_pt;
    lines.push_back(std::move(line));
  }
  return lines;
}

Result<std::vector<PlacedLine>> ComposeText(const std::string& text, const StyleLook& look,
                                            const Layout& layout, double width, Shaper& shaper) {
  legal::Paragraph paragraph;
  paragraph.runs.push_back({text, legal::RunSource::kSkeleton, "", false});
  return ComposeLines(paragraph, look, layout, width, false, shaper);
}

Result<Composed> Compose(const legal::Document& document, const Layout& layout, Shaper& shaper) {
  return Composer(document, layout, shaper).Run();
}

}  // namespace zhibi::exporting
