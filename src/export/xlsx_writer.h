// SPDX-License-Identifier: Apache-2.0
// XLSX with texts, looks, drop-downs and help for those who fill it in. Every cell is text: a
// spreadsheet makes a citizen number of 18 digits a number of 15. Lists of choices stand on a
// hidden sheet, since a list within a cell's rule holds 255 characters only. Equal input gives
// equal bytes. Element order is ECMA-376 part 1, chapter 18. Thread-safe.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "zhibi/status.h"

namespace zhibi::exporting {

enum class CellLook : std::uint8_t { kPlain, kHead, kFixed, kInput, kRequired };

struct SheetCell {
  std::string text;
  CellLook look = CellLook::kPlain;
  std::vector<std::string> choices;  // a drop-down; empty: any text
  std::string prompt;                // shown when the cell is chosen; cut at 255 characters
};

struct Sheet {
  std::string name;            // at most 31 characters
  std::vector<double> widths;  // of the columns, in digits of the default font
  std::vector<std::vector<SheetCell>> rows;
  int frozen_rows = 0;
};

// kInvalidArgument: no sheet, a name that no sheet may have, more rows than a sheet has.
Result<std::string> WriteXlsx(const std::vector<Sheet>& sheets);

}  // namespace zhibi::exporting
