// SPDX-License-Identifier: Apache-2.0
// PDF from a document, through Pango and Cairo in a module of its own (libzhibi_pdf.so beside the
// program): loaded at the first PDF, so that no other command pays for 30 shared objects, and the
// program runs where they are not installed. Fonts are embedded as subsets; what stands in for a
// font that is not installed is said. Equal input with equal fonts gives equal bytes. Thread-safe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "export/layout.h"
#include "legal/document.h"
#include "zhibi/status.h"

namespace zhibi::exporting {

struct PdfOptions {
  std::string fonts_dir;  // fonts besides the installed ones; empty: none
};

struct PdfFile {
  std::string bytes;
  std::size_t pages = 0;
  // Lines for the operator: fonts that others stand in for, characters that no font has.
  std::vector<std::string> notes;
};

// kFailedPrecondition: the module, Pango, Cairo or every font of a chain is missing, and the
// message says which package to install. kInvalidArgument: the folder of fonts. kResourceExhausted:
// too long.
Result<PdfFile> WritePdf(const legal::Document& document, const Layout& layout,
                         const PdfOptions& options);

// What the module answers to "zhibi_pdf_v1".
inline constexpr std::uint32_t kPdfModuleAbi = 1;
struct PdfModule {
  std::uint32_t abi;
  std::size_t document_bytes;
  std::size_t layout_bytes;
  Result<PdfFile> (*render)(const legal::Document&, const Layout&, const PdfOptions&);
};

}  // namespace zhibi::exporting
