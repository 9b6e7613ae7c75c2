// SPDX-License-Identifier: Apache-2.0
// A document as pages of placed lines: what goes where, before anything is drawn. Lines of courts
// stand on the grid of the layout; what must stay together does (flow.h); tables repeat their head
// rows. Points, from the upper left corner of the page, y down. One thread at a time.
#pragma once

#include <cairo.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "export/layout.h"
#include "export/pdf/shape.h"
#include "legal/document.h"
#include "zhibi/status.h"

namespace zhibi::exporting {

// Glyphs of one font in one line; x and y of glyphs are from the line's own origin.
struct GlyphRun {
  std::uint32_t font = 0;  // of Shaper::fonts()
  std::string text;
  std::vector<cairo_glyph_t> glyphs;
  std::vector<cairo_text_cluster_t> clusters;
};

struct PlacedLine {
  double x = 0;
  double baseline = 0;
  double size_pt = 0;
  std::vector<GlyphRun> runs;
  std::vector<double> pens;                         // left edges of the clusters, from x
  std::vector<std::pair<double, double>> ai_spans;  // written by a model: from, to, from x
};

struct RuleLine {
  double x1 = 0;
  double y1 = 0;
  double x2 = 0;
  double y2 = 0;
};

struct PlacedPage {
  std::vector<PlacedLine> lines;
  std::vector<PlacedLine> furniture;  // label, running head, number
  std::vector<RuleLine> rules;
};

struct OutlineEntry {
  std::string text;
  int level = 0;
  std::size_t page = 0;
  double y = 0;
};

struct TypesetDocument {
  std::vector<PlacedPage> pages;  // at least one
  std::vector<OutlineEntry> outline;
};

// kResourceExhausted: more pages than anybody reads; kFailedPrecondition: a font is missing.
Result<TypesetDocument> Typeset(const legal::Document& document, const Layout& layout,
                                Shaper& shaper);

}  // namespace zhibi::exporting
