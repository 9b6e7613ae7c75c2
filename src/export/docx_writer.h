// SPDX-License-Identifier: Apache-2.0
// DOCX from a document: every look is a style, each block carries its id in a bookmark, what a
// model wrote has a character style, a visible label and file properties. Equal input gives equal
// bytes. Needs no font. Thread-safe.
#pragma once

#include <string>

#include "export/layout.h"
#include "legal/document.h"
#include "zhibi/status.h"

namespace zhibi::exporting {

// The bytes of the file.
Result<std::string> WriteDocx(const legal::Document& document, const Layout& layout);

}  // namespace zhibi::exporting
