// SPDX-License-Identifier: Apache-2.0
#include "export/pdf/draw.h"

#include <cairo-pdf.h>

#include <array>
#include <cstdio>
#include <memory>
#include <new>

#include "export/pdf/fonts.h"

namespace zhibi::exporting {
namespace {

constexpr cairo_text_cluster_flags_t kForward{};
constexpr cairo_pdf_outline_flags_t kNoFlags{};
constexpr double kRulePt = 0.5;
constexpr double kDotPt = 0.6;
constexpr double kUnderline = 0.2;  // of the size, below the baseline

cairo_status_t Append(void* closure, const unsigned char* data, unsigned int length) {
  try {
    static_cast<std::string*>(closure)->append(reinterpret_cast<const char*>(data), length);
  } catch (const std::bad_alloc&) {
    return CAIRO_STATUS_NO_MEMORY;
  }
  return CAIRO_STATUS_SUCCESS;
}

void DrawLine(cairo_t* cr, const PlacedLine& line, const std::vector<ScaledFont>& fonts) {
  for (const GlyphRun& run : line.runs) {
    cairo_set_scaled_font(cr, fonts[run.font].get());
    std::vector<cairo_glyph_t> glyphs = run.glyphs;
    for (cairo_glyph_t& glyph : glyphs) {
      glyph.x += line.x;
      glyph.y += line.baseline;
    }
    cairo_show_text_glyphs(cr, run.text.data(), static_cast<int>(run.text.size()), glyphs.data(),
                           static_cast<int>(glyphs.size()), run.clusters.data(),
                           static_cast<int>(run.clusters.size()), kForward);
  }
  for (const auto& [from, to] : line.ai_spans) {
    constexpr std::array<double, 2> kDots = {kDotPt, 2 * kDotPt};
    const double y = line.baseline + line.size_pt * kUnderline;
    cairo_set_line_width(cr, kDotPt);
    cairo_set_line_cap(cr, CAIRO_LINE_CAP_BUTT);
    cairo_set_dash(cr, kDots.data(), kDots.size(), 0);
    cairo_move_to(cr, line.x + from, y);
    cairo_line_to(cr, line.x + to, y);
    cairo_stroke(cr);
    cairo_set_dash(cr, nullptr, 0, 0);
  }
}

void DrawPage(cairo_t* cr, const PlacedPage& page, const std::vector<ScaledFont>& fonts) {
  for (const PlacedLine& line : page.lines) DrawLine(cr, line, fonts);
  for (const PlacedLine& line : page.furniture) DrawLine(cr, line, fonts);
  cairo_set_line_width(cr, kRulePt);
  cairo_set_line_cap(cr, CAIRO_LINE_CAP_SQUARE);
  for (const RuleLine& rule : page.rules) {
    cairo_move_to(cr, rule.x1, rule.y1);
    cairo_line_to(cr, rule.x2, rule.y2);
  }
  cairo_stroke(cr);
  cairo_show_page(cr);
}

void AddOutline(cairo_surface_t* surface, const std::vector<OutlineEntry>& entries) {
  constexpr std::size_t kLevels = 9;
  std::array<int, kLevels + 1> parents{};
  parents.fill(CAIRO_PDF_OUTLINE_ROOT);
  for (const OutlineEntry& entry : entries) {
    const auto level = static_cast<std::size_t>(entry.level) % kLevels;
    char place[96];
    std::snprintf(place, sizeof place, "page=%zu pos=[0 %.2f]", entry.page + 1, entry.y);
    const int id =
        cairo_pdf_surface_add_outline(surface, parents[level], entry.text.c_str(), place, kNoFlags);
    for (std::size_t i = level + 1; i < parents.size(); ++i) parents[i] = id;
  }
}

}  // namespace

Result<std::string> DrawPdf(const TypesetDocument& document, const Layout& layout,
                            const std::vector<ScaledFont>& fonts) {
  std::string bytes;
  const std::unique_ptr<cairo_surface_t, Release<cairo_surface_destroy>> surface(
      cairo_pdf_surface_create_for_stream(Append, &bytes, layout.page_width_pt,
                                          layout.page_height_pt));
  // Later versions hide objects in compressed streams, where metadata.h can't replace them.
  cairo_pdf_surface_restrict_to_version(surface.get(), CAIRO_PDF_VERSION_1_4);
  const std::unique_ptr<cairo_t, Release<cairo_destroy>> cr(cairo_create(surface.get()));
  cairo_set_source_rgb(cr.get(), 0, 0, 0);
  for (const PlacedPage& page : document.pages) DrawPage(cr.get(), page, fonts);
  AddOutline(surface.get(), document.outline);
  cairo_surface_finish(surface.get());
  for (const cairo_status_t status :
       {cairo_status(cr.get()), cairo_surface_status(surface.get())}) {
    if (status != CAIRO_STATUS_SUCCESS)
      return InternalError(std::string("Cairo: ") + cairo_status_to_string(status));
  }
  return bytes;
}

}  // namespace zhibi::exporting
