// SPDX-License-Identifier: Apache-2.0
// Plain text and Markdown of a document, with the visible AI label at the end. Thread-safe.
#pragma once

#include <string>

#include "legal/document.h"

namespace zhibi::exporting {

std::string WriteText(const legal::Document& document);
// Titles and headings are headings, tables are tables; characters that Markdown reads are escaped.
std::string WriteMarkdown(const legal::Document& document);

}  // namespace zhibi::exporting
