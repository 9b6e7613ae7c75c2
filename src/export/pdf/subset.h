// SPDX-License-Identifier: Apache-2.0
// Fonts cut down to the glyphs of a document before Cairo embeds them. Cairo 1.16 keeps all 26,000
// subroutines of Noto Serif CJK beside 300 glyphs (half a megabyte in a PDF of three pages);
// HarfBuzz writes them into the glyphs. Where a font can't be cut, Cairo gets it whole and cuts it
// its own way. One thread at a time.
#pragma once

#include <cairo.h>
#include <pango/pangocairo.h>

#include <memory>
#include <vector>

#include "export/pdf/fonts.h"
#include "export/pdf/typeset.h"

namespace zhibi::exporting {

using ScaledFont = std::unique_ptr<cairo_scaled_font_t, Release<cairo_scaled_font_destroy>>;

// For each font that the document's runs refer to, one with the same glyphs under the same numbers.
std::vector<ScaledFont> SubsetFonts(const TypesetDocument& document,
                                    const std::vector<PangoFont*>& fonts);

}  // namespace zhibi::exporting
