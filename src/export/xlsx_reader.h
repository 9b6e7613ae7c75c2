// SPDX-License-Identifier: Apache-2.0
// Cells of an XLSX that someone else made, as texts: shared, inline and rich strings, numbers,
// days, booleans, what a formula last gave, merged cells, all sheets. Foreign bytes: limits of
// zip_package.h and office_xml.h, at most a million cells and 64 MiB of text. Nothing is computed:
// a formula is not run. Source: ECMA-376 part 1, chapter 18. Thread-safe.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "zhibi/status.h"

namespace zhibi::exporting {

inline constexpr std::size_t kMaxSheetCells = 1'000'000;
inline constexpr std::size_t kMaxSheetTextBytes = std::size_t{64} << 20;

struct XlsxCell {
  std::size_t row = 0;     // from 0
  std::size_t column = 0;  // from 0
  std::string text;        // 是/否 of a boolean is TRUE or FALSE; days are 2024-03-05
  std::string problem;     // why the text is not to be had: an error value, a formula without one
  std::string merged;      // "C3:C5" when the cell stands for them all
};

struct XlsxSheet {
  std::string name;
  bool hidden = false;
  std::vector<XlsxCell> cells;  // not empty ones, by rows
};

// "C3" of row 2 and column 2.
std::string CellName(std::size_t row, std::size_t column);

// `source` names the file in messages, which name sheet and cell. kInvalidArgument: not an XLSX;
// kResourceExhausted: over a limit; kDataLoss: damaged.
Result<std::vector<XlsxSheet>> ReadXlsx(std::string_view bytes, std::string_view source);

}  // namespace zhibi::exporting
