// SPDX-License-Identifier: Apache-2.0
// The one function of the module libzhibi_pdf.so (export/pdf_writer.cc loads it). It is built with
// the program, from the same headers; the sizes are compared nevertheless.
#include <new>

#include "export/pdf/render.h"
#include "export/pdf_writer.h"

namespace zhibi::exporting {
namespace {

Result<PdfFile> Render(const legal::Document& document, const Layout& layout,
                       const PdfOptions& options) {
  try {
    return RenderPdf(document, layout, options);
  } catch (const std::bad_alloc&) {
    return ResourceExhaustedError("PDF: 内存不足 (out of memory)");
  }
}

constexpr PdfModule kModule = {.abi = kPdfModuleAbi,
                               .document_bytes = sizeof(legal::Document),
                               .layout_bytes = sizeof(Layout),
                               .render = &Render};

}  // namespace
}  // namespace zhibi::exporting

extern "C" __attribute__((visibility("default"))) const zhibi::exporting::PdfModule*
zhibi_pdf_v1() {  // NOLINT(readability-identifier-naming): a name for dlsym
  return &zhibi::exporting::kModule;
}
