// SPDX-License-Identifier: Apache-2.0
// A document as a PDF, in the module that Pango and Cairo are linked to; the program calls it
// through export/pdf_writer.h. One thread a call, calls side by side are fine.
#pragma once

#include "export/layout.h"
#include "export/pdf_writer.h"
#include "legal/document.h"
#include "zhibi/status.h"

namespace zhibi::exporting {

Result<PdfFile> RenderPdf(const legal::Document& document, const Layout& layout,
                          const PdfOptions& options);

}  // namespace zhibi::exporting
