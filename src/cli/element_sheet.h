// SPDX-License-Identifier: Apache-2.0
// The table of a document type's elements as a spreadsheet that people fill in: heads in Chinese,
// required fields marked, choices as drop-downs, help at each cell and on a sheet of its own.
#pragma once

#include <string>
#include <vector>

#include "extract/table.h"
#include "zhibi/status.h"

namespace zhibi::cli {

// The bytes of an XLSX. `title`: of the document type.
Result<std::string> ElementSheet(const std::string& title,
                                 const std::vector<extract::TemplateLine>& lines);

}  // namespace zhibi::cli
