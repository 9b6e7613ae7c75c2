// SPDX-License-Identifier: Apache-2.0
// A paragraph as clusters of glyphs with widths: what line breaking asks and drawing needs. Chinese
// characters and marks stand in cells of one em plus the layout's tracking, Latin in the Latin font
// with its own widths. Shaping is Pango's (HarfBuzz). One thread at a time, an object a document.
#pragma once

#include <pango/pango.h>

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "export/layout.h"
#include "export/pdf/fonts.h"
#include "export/pdf/linebreak.h"
#include "legal/document.h"
#include "zhibi/status.h"

namespace zhibi::exporting {

struct ShapedGlyph {
  unsigned long index = 0;  // cairo's type
  double x = 0;             // from the left edge of its cluster
  double y = 0;             // down from the baseline
};

struct Cluster {
  std::uint32_t text_begin = 0;  // bytes of ShapedText::text
  std::uint32_t text_end = 0;
  std::uint32_t glyph_begin = 0;
  std::uint32_t glyph_end = 0;
  std::uint32_t font = 0;  // of Shaper::fonts()
  bool model = false;      // written by a model
};

struct ShapedText {
  std::string text;
  std::vector<Cluster> clusters;
  std::vector<BreakItem> items;  // one a cluster
  std::vector<ShapedGlyph> glyphs;
};

class Shaper {
 public:
  Shaper(const Layout& layout, Fonts& fonts) : layout_(layout), fonts_(fonts) {}
  ~Shaper();
  Shaper(const Shaper&) = delete;
  Shaper& operator=(const Shaper&) = delete;

  Result<ShapedText> Shape(const legal::Paragraph& paragraph, const StyleLook& look);

  // What Cluster::font counts; they live as long as the shaper.
  const std::vector<PangoFont*>& fonts() const { return pango_fonts_; }
  // A line for each character that no font has, and for each font out of the chain that had to
  // help.
  std::vector<std::string> Notes() const;

 private:
  struct Piece;  // a stretch of text in one font
  Status AddPieces(const legal::Paragraph& paragraph, const StyleLook& look, ShapedText& out,
                   std::vector<Piece>& pieces);
  void ShapeItem(const PangoItem& item, const StyleLook& look, ShapedText& out);
  void AddCluster(const PangoGlyphString& glyphs, int first, int last, const Cluster& cluster,
                  const StyleLook& look, ShapedText& out);
  void Missing(std::string_view text);
  std::uint32_t FontIndex(PangoFont* font, std::string_view text);
  Result<const PangoFontDescription*> Description(const std::string& name, const StyleLook& look,
                                                  bool bold);

  const Layout& layout_;
  Fonts& fonts_;
  std::vector<PangoFont*> pango_fonts_;  // held, so that an address is one font for good
  std::map<PangoFont*, std::uint32_t> index_;
  std::map<std::string, FontDescription> descriptions_;
  std::map<std::string, std::string> missing_;  // character or family: what is said of it
};

}  // namespace zhibi::exporting
