// SPDX-License-Identifier: Apache-2.0
#include "export/pdf/render.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/status_macros.h"
#include "export/flow.h"
#include "export/pdf/draw.h"
#include "export/pdf/fonts.h"
#include "export/pdf/metadata.h"
#include "export/pdf/shape.h"
#include "export/pdf/subset.h"
#include "export/pdf/typeset.h"

namespace zhibi::exporting {

Result<PdfFile> RenderPdf(const legal::Document& document, const Layout& layout,
                          const PdfOptions& options) {
  ZB_ASSIGN_OR_RETURN(const std::unique_ptr<Fonts> fonts, Fonts::Open(layout, options.fonts_dir));
  Shaper shaper(layout, *fonts);
  ZB_ASSIGN_OR_RETURN(const TypesetDocument placed, Typeset(document, layout, shaper));
  ZB_ASSIGN_OR_RETURN(const std::string drawn,
                      DrawPdf(placed, layout, SubsetFonts(placed, shaper.fonts())));
  PdfFacts facts;
  facts.title = document.title.empty() ? FirstOfStyle(document, "title") : document.title;
  facts.subject = VisibleLabel(document);
  facts.aigc = HiddenLabel(document);
  facts.properties = FileProperties(document);
  PdfFile file;
  ZB_ASSIGN_OR_RETURN(file.bytes, WithMetadata(drawn, facts));
  file.pages = placed.pages.size();
  file.notes = fonts->Notes();
  for (std::string& note : shaper.Notes()) file.notes.push_back(std::move(note));
  return file;
}

}  // namespace zhibi::exporting
