// SPDX-License-Identifier: Apache-2.0
// Slabs: horizontal stripes of a document that no page break may cut, in order, and what stands in
// them. Composing makes them from blocks, paginating puts them on pages. One thread at a time.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "export/layout.h"
#include "export/pdf/shape.h"
#include "export/pdf/typeset.h"
#include "legal/document.h"
#include "zhibi/status.h"

namespace zhibi::exporting {

struct Slab {
  double before = 0;  // white space above, not at the top of a page but the first
  double height = 0;
  bool joined = false;            // on one page with the next
  bool on_grid = false;           // begins on a line of the grid
  std::vector<PlacedLine> lines;  // from the slab's upper edge, the text's left edge

  bool is_row = false;
  std::size_t table = 0;  // of Composed::heads
  bool in_head = false;
  bool opens_row = true;  // its upper rule is drawn
  bool closes_row = true;
  std::vector<double> borders;  // x of the upright rules

  std::string outline;  // what the outline says; empty: nothing
  int outline_level = 0;
};

struct Composed {
  std::vector<Slab> slabs;
  std::vector<std::vector<Slab>> heads;  // of each table: rows that every page repeats
};

// Lines of one paragraph in a box of that width, each line_pt high, the first at 0. `hang`: marks
// may stand in the margin.
Result<std::vector<PlacedLine>> ComposeLines(const legal::Paragraph& paragraph,
                                             const StyleLook& look, const Layout& layout,
                                             double width, bool hang, Shaper& shaper);

// One line of text that is not the document's.
Result<std::vector<PlacedLine>> ComposeText(const std::string& text, const StyleLook& look,
                                            const Layout& layout, double width, Shaper& shaper);

Status ComposeTable(const legal::Block& block, bool keep, const Layout& layout, Shaper& shaper,
                    Composed& out);

Result<Composed> Compose(const legal::Document& document, const Layout& layout, Shaper& shaper);

// Width of a full line: whole cells where the layout has a grid of characters.
double Measure(const Layout& layout);

}  // namespace zhibi::exporting
