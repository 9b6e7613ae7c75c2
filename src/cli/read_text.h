// SPDX-License-Identifier: Apache-2.0
// What a user has: the text of a document (UTF-8, UTF-16 with mark, GB18030, or DOCX), or a table
// (CSV, XLSX). What a file is shows in its first bytes, not in its name.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "extract/table.h"
#include "zhibi/status.h"

namespace zhibi::cli {

// UTF-8. A file in another encoding is named on standard error. "-" reads standard input.
Result<std::string> ReadTextFile(const std::string& path);
// The same of bytes that were read; `path` names them.
Result<std::string> TextOfBytes(std::string bytes, const std::string& path);
// The bytes; kResourceExhausted over 64 MiB.
Result<std::string> ReadDocumentBytes(const std::string& path);

bool IsSpreadsheet(std::string_view bytes, const std::string& path);
// The sheets of an XLSX as tables whose places are "sheet!C3".
Result<std::vector<extract::Table>> ReadSheets(std::string_view bytes, const std::string& path);

}  // namespace zhibi::cli
