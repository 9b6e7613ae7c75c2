// SPDX-License-Identifier: Apache-2.0
#include "export/pdf/subset.h"

#include <string>

#include <gtest/gtest.h>

#include "export/pdf/pdf_samples.h"
#include "export/pdf/render.h"

namespace zhibi::exporting {
namespace {

TEST(Subset, GlyphsKeepTheirNumbersAndTheirShapes) {
  Typesetter setter("court");
  const TypesetDocument placed = setter.Set(
      Document({Text("title", "民事起诉状"), Text("body", Characters(60) + "，2026年（AI）")}));
  const std::vector<ScaledFont> cut = SubsetFonts(placed, setter.shaper->fonts());
  ASSERT_EQ(cut.size(), setter.shaper->fonts().size());
  std::size_t compared = 0;
  for (const PlacedLine& line : placed.pages[0].lines) {
    for (const GlyphRun& run : line.runs) {
      cairo_scaled_font_t* whole =
          pango_cairo_font_get_scaled_font(PANGO_CAIRO_FONT(setter.shaper->fonts()[run.font]));
      for (const cairo_glyph_t& glyph : run.glyphs) {
        cairo_text_extents_t before;
        cairo_text_extents_t after;
        cairo_scaled_font_glyph_extents(whole, &glyph, 1, &before);
        cairo_scaled_font_glyph_extents(cut[run.font].get(), &glyph, 1, &after);
        EXPECT_NEAR(before.width, after.width, 0.05);
        EXPECT_NEAR(before.x_bearing, after.x_bearing, 0.05);
        EXPECT_NEAR(before.y_bearing, after.y_bearing, 0.05);
        EXPECT_NEAR(before.x_advance, after.x_advance, 0.05);
        ++compared;
      }
    }
  }
  EXPECT_GT(compared, 60U);
}

TEST(Subset, AFewCharactersMakeASmallFile) {
  const Result<PdfFile> file =
      RenderPdf(Document({Text("body", Characters(40))}), LoadShipped("court"), {});
  ASSERT_TRUE(file.ok()) << file.status().ToString();
  EXPECT_LT(file->bytes.size(), 60'000U);
}

}  // namespace
}  // namespace zhibi::exporting
