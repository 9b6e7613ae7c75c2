// SPDX-License-Identifier: Apache-2.0
// The spreadsheet of elements: for every document type, filled from its cases, written as XLSX and
// read again it gives what the CSV table gives; faults name sheet, row and column.
#include "cli/element_sheet.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "cli/read_text.h"
#include "extract/table.h"
#include "legal/doctype.h"
#include "legal/doctype_cases.h"

namespace zhibi::cli {
namespace {

const std::string kData = std::string(ZHIBI_SOURCE_DIR) + "/data";

TEST(ElementSheet, EveryCaseOfEveryTypeComesBack) {
  std::size_t cases = 0;
  for (const std::string& id : legal::Doctype::List(kData)) {
    const legal::Doctype doctype = legal::Doctype::Load(kData, id).value();
    const auto files = legal::CaseElements(doctype, kData).value();
    for (const auto& [file, elements] : files) {
      SCOPED_TRACE(id + "/" + file);
      const auto lines = extract::TemplateLines(doctype.schema(), elements);
      extract::TableRows rows = {extract::TemplateHeads()};
      for (const extract::TemplateLine& line : lines) rows.push_back(extract::TemplateCells(line));
      const auto from_rows = extract::FromTable(rows, doctype.schema(), file);
      const auto bytes = ElementSheet(doctype.title(), lines);
      ASSERT_TRUE(bytes.ok()) << bytes.status().message();
      const auto sheets = ReadSheets(*bytes, "case.xlsx");
      ASSERT_TRUE(sheets.ok()) << sheets.status().message();
      const auto from_sheets = extract::FromTables(*sheets, doctype.schema(), "case.xlsx");
      // A case that is wrong on purpose is refused by both.
      ASSERT_EQ(from_sheets.ok(), from_rows.ok());
      if (!from_rows.ok()) continue;
      EXPECT_EQ(from_sheets->elements, from_rows->elements);
      ++cases;
    }
  }
  EXPECT_GE(cases, 36U);
}

TEST(ElementSheet, FaultsNameSheetRowAndColumn) {
  const legal::Doctype doctype = legal::Doctype::Load(kData, "civil-complaint").value();
  auto lines = extract::TemplateLines(doctype.schema(), nullptr);
  ASSERT_GT(lines.size(), 3U);
  lines[2].field.path = "no_such_field";
  lines[2].value = "x";
  const std::string bytes = ElementSheet(doctype.title(), lines).value();
  const auto sheets = ReadSheets(bytes, "case.xlsx").value();
  const Status status = extract::FromTables(sheets, doctype.schema(), "case.xlsx").status();
  // Row 4: the head is row 1. Column C holds the values.
  EXPECT_NE(status.message().find("case.xlsx, 要素!C4, no_such_field"), std::string::npos)
      << status.message();
}

}  // namespace
}  // namespace zhibi::cli
