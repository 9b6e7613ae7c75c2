// SPDX-License-Identifier: Apache-2.0
// Workbooks: every kind of cell by hand, a file that LibreOffice saved (fixtures/numbers.xlsx), and
// damage, which names sheet and cell.
#include "export/xlsx_reader.h"

#include <map>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/file.h"
#include "support/zip_bytes.h"

namespace zhibi::exporting {
namespace {

using ::testing::HasSubstr;
using testing_support::RawEntry;
using testing_support::ZipBytes;

constexpr const char* kRelations =
    "<Relationships><Relationship Id='rId1' Type='http://x/worksheet' Target='worksheets/s1.xml'/>"
    "<Relationship Id='rId2' Type='http://x/worksheet' Target='/xl/worksheets/s2.xml'/>"
    "<Relationship Id='rId3' Type='http://x/sharedStrings' Target='sharedStrings.xml'/>"
    "<Relationship Id='rId4' Type='http://x/styles' Target='styles.xml'/>"
    "<Relationship Id='rId5' Type='http://x/chartsheet' Target='c.xml'/></Relationships>";
constexpr const char* kStyles =
    "<styleSheet><numFmts><numFmt numFmtId='164' formatCode='yyyy&quot;年&quot;m&quot;月&quot;'/>"
    "</numFmts><cellXfs><xf numFmtId='0'/><xf numFmtId='164'/><xf numFmtId='10'/></cellXfs>"
    "</styleSheet>";
constexpr const char* kStrings =
    "<sst><si><t>共享</t></si><si><r><t>粗</t></r><r><t>细</t></r><rPh><t>cu</t></rPh></si>"
    "<si><t>a_x000A_b_x005F_x</t></si></sst>";

std::string Workbook(const std::string& rows, const std::string& workbook_pr = "",
                     const std::string& merges = "") {
  return ZipBytes(
      {{"xl/workbook.xml", "<workbook>" + workbook_pr +
                               "<sheets><sheet name='要素' sheetId='1' r:id='rId1'/>"
                               "<sheet name='选项' sheetId='2' state='hidden' r:id='rId2'/>"
                               "<sheet name='图' sheetId='3' r:id='rId5'/></sheets></workbook>"},
       {"xl/_rels/workbook.xml.rels", kRelations},
       {"xl/sharedStrings.xml", kStrings},
       {"xl/styles.xml", kStyles},
       {"xl/worksheets/s1.xml",
        "<worksheet><sheetData>" + rows + "</sheetData>" + merges + "</worksheet>"},
       {"xl/worksheets/s2.xml",
        "<worksheet><sheetData><row><c t='inlineStr'><is><t>是</t></is></c></row></sheetData>"
        "</worksheet>"}});
}

std::map<std::string, XlsxCell> Cells(const std::string& bytes, std::size_t sheet = 0) {
  const Result<std::vector<XlsxSheet>> sheets = ReadXlsx(bytes, "x.xlsx");
  EXPECT_TRUE(sheets.ok()) << sheets.status().message();
  std::map<std::string, XlsxCell> cells;
  if (!sheets.ok()) return cells;
  for (const XlsxCell& cell : (*sheets)[sheet].cells) cells[CellName(cell.row, cell.column)] = cell;
  return cells;
}

TEST(XlsxReader, KindsOfCells) {
  const auto cells = Cells(Workbook(
      "<row r='2'><c r='B2' t='s'><v>0</v></c><c r='C2' t='s'><v>1</v></c><c t='s'><v>2</v></c>"
      "<c r='E2' t='b'><v>1</v></c><c r='F2' t='b'><v>0</v></c><c r='G2' s='1'><v>45356</v></c>"
      "<c r='H2' s='2'><v>0.12</v></c><c r='I2' t='str'><f>A1&amp;B1</f><v>算出</v></c>"
      "<c r='J2' t='d'><v>2024-03-05T00:00:00</v></c><c r='K2'/></row>"
      "<row><c r='A3'><f>B2*2</f></c><c r='B3' t='e'><v>#REF!</v></c><c r='C3'><v>abc</v></c></row>"
      "<row r='5'><c t='inlineStr'><is><r><t>行</t></r><r><t>内</t></r></is></c></row>"));
  EXPECT_EQ(cells.at("B2").text, "共享");
  EXPECT_EQ(cells.at("C2").text, "粗细");
  EXPECT_EQ(cells.at("D2").text, "a\nb_x");
  EXPECT_EQ(cells.at("E2").text, "TRUE");
  EXPECT_EQ(cells.at("F2").text, "FALSE");
  EXPECT_EQ(cells.at("G2").text, "2024-03-05");
  EXPECT_EQ(cells.at("H2").text, "12%");
  EXPECT_EQ(cells.at("I2").text, "算出");
  EXPECT_EQ(cells.at("J2").text, "2024-03-05");
  EXPECT_EQ(cells.count("K2"), 0U);
  EXPECT_THAT(cells.at("A3").problem, HasSubstr("公式"));
  EXPECT_THAT(cells.at("B3").problem, HasSubstr("#REF!"));
  EXPECT_THAT(cells.at("C3").problem, HasSubstr("abc"));
  EXPECT_EQ(cells.at("A5").text, "行内");
}

TEST(XlsxReader, SheetsMergesAndTheSystemOf1904) {
  const std::string bytes =
      Workbook("<row r='3'><c r='C3' s='1'><v>43894</v></c></row>", "<workbookPr date1904='1'/>",
               "<mergeCells><mergeCell ref='C3:C5'/></mergeCells>");
  const auto sheets = ReadXlsx(bytes, "x.xlsx").value();
  ASSERT_EQ(sheets.size(), 2U);  // the chart is none
  EXPECT_EQ(sheets[0].name, "要素");
  EXPECT_FALSE(sheets[0].hidden);
  EXPECT_TRUE(sheets[1].hidden);
  EXPECT_EQ(sheets[0].cells.at(0).text, "2024-03-05");
  EXPECT_EQ(sheets[0].cells.at(0).merged, "C3:C5");
}

TEST(XlsxReader, DamageNamesSheetAndCell) {
  const auto error = [](const std::string& bytes) {
    return ReadXlsx(bytes, "x.xlsx").status().message();
  };
  EXPECT_THAT(error(Workbook("<row r='1'><c r='B1' t='s'><v>9</v></c></row>")),
              HasSubstr("x.xlsx: 要素!B1: string 9 of 3"));
  EXPECT_THAT(error(Workbook("<row r='0'/>")), HasSubstr("要素: row \"0\""));
  EXPECT_THAT(error(Workbook("<row r='1048577'/>")), HasSubstr("row"));
  for (const char* name : {"B0", "1", "B", "AAAA1", "XFE1", "b1"})
    EXPECT_THAT(error(Workbook("<row><c r='" + std::string(name) + "'><v>1</v></c></row>")),
                HasSubstr("not a cell"))
        << name;
  EXPECT_THAT(error(Workbook("", "", "<mergeCells><mergeCell ref='?'/></mergeCells>")),
              HasSubstr("not a range"));
  EXPECT_THAT(error(ZipBytes({{"a", ""}})), HasSubstr("不是 XLSX"));
  EXPECT_THAT(error(ZipBytes({{"xl/workbook.xml", "<html/>"}})), HasSubstr("<html>"));
  EXPECT_THAT(
      error(ZipBytes({{"xl/workbook.xml",
                       "<workbook><sheets><sheet name='甲' r:id='r'/></sheets></workbook>"}})),
      HasSubstr("甲: the sheet has no part"));
  std::string many;
  for (int i = 0; i < 300; ++i) many += "<sheet name='s' r:id='rId1'/>";
  EXPECT_EQ(
      ReadXlsx(ZipBytes({{"xl/workbook.xml", "<workbook><sheets>" + many + "</sheets></workbook>"},
                         {"xl/_rels/workbook.xml.rels",
                          "<Relationships><Relationship Id='rId1' Type='worksheet' "
                          "Target='s.xml'/></Relationships>"},
                         {"xl/s.xml", "<worksheet/>"}}),
               "x")
          .status()
          .code(),
      StatusCode::kResourceExhausted);
}

TEST(XlsxReader, OneLongStringManyTimesIsBounded) {
  // 3000 references to 32 kB are 96 MB of text from an archive of 130 kB.
  std::string rows = "<row r='1'>";
  for (int i = 0; i < 3000; ++i) rows += "<c t='s'><v>0</v></c>";
  const std::string bytes = ZipBytes(
      {{"xl/workbook.xml", "<workbook><sheets><sheet name='s' r:id='r1'/></sheets></workbook>"},
       {"xl/_rels/workbook.xml.rels",
        "<Relationships><Relationship Id='r1' Type='worksheet' Target='s.xml'/><Relationship "
        "Id='r2' Type='sharedStrings' Target='t.xml'/></Relationships>"},
       {"xl/t.xml", "<sst><si><t>" + std::string(32768, 'a') + "</t></si></sst>"},
       {"xl/s.xml", "<worksheet><sheetData>" + rows + "</row></sheetData></worksheet>"}});
  EXPECT_EQ(ReadXlsx(bytes, "x").status().code(), StatusCode::kResourceExhausted);
}

TEST(XlsxReader, FileOfLibreOffice) {
  const std::string bytes =
      base::ReadFile(std::string(ZHIBI_SOURCE_DIR) + "/tests/export/fixtures/numbers.xlsx", 1 << 20)
          .value();
  const auto cells = Cells(bytes);
  EXPECT_EQ(cells.at("B1").text, "值");
  EXPECT_EQ(cells.at("B2").text, "张三");
  EXPECT_THAT(cells.at("B3").problem, HasSubstr("15 位"));
  EXPECT_EQ(cells.at("B4").text, "2024-03-05");
  EXPECT_EQ(cells.at("B5").text, "50000");
  EXPECT_EQ(cells.at("B6").text, "12%");
  EXPECT_EQ(cells.at("B7").text, "北京市朝阳区人民法院");
  EXPECT_EQ(cells.at("B9").text, "TRUE");
}

TEST(XlsxReader, NamesOfCells) {
  EXPECT_EQ(CellName(0, 0), "A1");
  EXPECT_EQ(CellName(9, 25), "Z10");
  EXPECT_EQ(CellName(2, 26), "AA3");
  EXPECT_EQ(CellName(1048575, 16383), "XFD1048576");
}

}  // namespace
}  // namespace zhibi::exporting
