// SPDX-License-Identifier: Apache-2.0
#include "cli/read_text.h"

#include <cstdio>
#include <utility>

#include "base/file.h"
#include "base/status_macros.h"
#include "export/docx_reader.h"
#include "export/xlsx_reader.h"
#include "export/zip_package.h"
#include "legal/input_text.h"

namespace zhibi::cli {
namespace {

constexpr std::size_t kMaxDocumentBytes = std::size_t{64} << 20;
constexpr std::string_view kZip = "PK\x03\x04";
constexpr std::string_view kCompoundFile = "\xD0\xCF\x11\xE0";  // .doc, .xls: the reader says so

}  // namespace

Result<std::string> ReadDocumentBytes(const std::string& path) {
  return base::ReadFile(path, kMaxDocumentBytes);
}

Result<std::string> TextOfBytes(std::string bytes, const std::string& path) {
  if (bytes.starts_with(kZip) || bytes.starts_with(kCompoundFile)) {
    return exporting::ReadDocxText(bytes, path);
  }
  ZB_ASSIGN_OR_RETURN(legal::InputText input, legal::DecodeInput(std::move(bytes), path));
  if (!input.note.empty()) std::fprintf(stderr, "%s: %s\n", path.c_str(), input.note.c_str());
  return std::move(input.utf8);
}

Result<std::string> ReadTextFile(const std::string& path) {
  ZB_ASSIGN_OR_RETURN(std::string bytes, ReadDocumentBytes(path));
  return TextOfBytes(std::move(bytes), path);
}

bool IsSpreadsheet(std::string_view bytes, const std::string& path) {
  if (path.ends_with(".xlsx") || path.ends_with(".xls")) return true;
  if (!bytes.starts_with(kZip)) return false;
  const Result<exporting::ZipReader> zip = exporting::ZipReader::Open(bytes, path);
  return zip.ok() && zip->Has("xl/workbook.xml");
}

Result<std::vector<extract::Table>> ReadSheets(std::string_view bytes, const std::string& path) {
  ZB_ASSIGN_OR_RETURN(std::vector<exporting::XlsxSheet> sheets, exporting::ReadXlsx(bytes, path));
  std::vector<extract::Table> tables;
  for (exporting::XlsxSheet& sheet : sheets) {
    if (sheet.hidden) continue;  // lists of choices
    extract::Table table;
    for (exporting::XlsxCell& cell : sheet.cells) {
      std::string note;
      if (!cell.merged.empty())
        note = "合并单元格 " + cell.merged +
               " 的值只算给第一行 / merged cells: taken for the first row only";
      table.cells.push_back(
          {cell.row, cell.column, std::move(cell.text), std::move(cell.problem), std::move(note)});
    }
    table.place = [name = std::move(sheet.name)](std::size_t row, std::size_t column) {
      return name + "!" + exporting::CellName(row, column);
    };
    tables.push_back(std::move(table));
  }
  return tables;
}

}  // namespace zhibi::cli
