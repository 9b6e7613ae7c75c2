// SPDX-License-Identifier: Apache-2.0
// Text of a DOCX that someone else made: paragraphs in order, table rows as lines with "｜" between
// cells. Foreign bytes: limits of zip_package.h and office_xml.h (no entities, nesting is bounded).
// Tracked insertions count, tracked deletions do not. Thread-safe.
#pragma once

#include <string>
#include <string_view>

#include "zhibi/status.h"

namespace zhibi::exporting {

// UTF-8, one line a paragraph. `source` names the file in messages. kInvalidArgument: not a DOCX;
// kResourceExhausted: over a limit; kDataLoss: damaged.
Result<std::string> ReadDocxText(std::string_view bytes, std::string_view source);

}  // namespace zhibi::exporting
