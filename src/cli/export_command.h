// SPDX-License-Identifier: Apache-2.0
// `zhibi export`: a document (JSON, text or DOCX) in another format. The file is written whole or
// not at all.
// What stands in for a font that is not installed is said on standard error.
#pragma once

#include <string>

#include "zhibi/status.h"

namespace zhibi::cli {

struct ExportOptions {
  std::string file;
  std::string format;  // empty: by the name of `out`, else docx
  std::string layout;  // empty: the document's own, else "court"
  std::string out;
  std::string fonts;  // PDF: a folder of fonts besides the installed ones; empty: none
};

Status RunExport(const ExportOptions& options);

}  // namespace zhibi::cli
