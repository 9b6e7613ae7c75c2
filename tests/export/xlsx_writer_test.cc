// SPDX-License-Identifier: Apache-2.0
// Workbooks that zhibi writes, read back by its own reader and as XML in the order that ECMA-376
// part 1 gives.
#include "export/xlsx_writer.h"

#include <limits>
#include <pugixml.hpp>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "export/xlsx_reader.h"
#include "export/zip_package.h"

namespace zhibi::exporting {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

SheetCell Text(const std::string& text, CellLook look = CellLook::kPlain) {
  SheetCell cell;
  cell.text = text;
  cell.look = look;
  return cell;
}

Sheet Example() {
  Sheet sheet;
  sheet.name = "要素";
  sheet.widths = {12, 40};
  sheet.frozen_rows = 1;
  SheetCell choice = Text("女", CellLook::kInput);
  choice.choices = {"男", "女"};
  choice.prompt = "性别";
  sheet.rows = {{Text("字段", CellLook::kHead), Text("值", CellLook::kHead)},
                {Text("公民身份号码"), Text("110105199005011010", CellLook::kRequired)},
                {Text("性别"), choice},
                {Text("空"), Text("")},
                {Text("难字"), Text("𠮷<&>\"a_x0041_\n第二行")}};
  return sheet;
}

std::string Bytes(const std::vector<Sheet>& sheets) {
  Result<std::string> bytes = WriteXlsx(sheets);
  EXPECT_TRUE(bytes.ok()) << bytes.status().ToString();
  return bytes.ok() ? *bytes : std::string();
}

std::string CellText(const XlsxSheet& sheet, std::size_t row, std::size_t column) {
  for (const XlsxCell& cell : sheet.cells) {
    if (cell.row == row && cell.column == column) return cell.text;
  }
  return "(none)";
}

std::vector<std::string> Children(const pugi::xml_node& node) {
  std::vector<std::string> names;
  for (const pugi::xml_node& child : node.children()) names.emplace_back(child.name());
  return names;
}

pugi::xml_document Part(const std::string& bytes, const std::string& name) {
  pugi::xml_document document;
  auto package = ZipReader::Open(bytes, "t.xlsx");
  EXPECT_TRUE(package.ok());
  const auto part = package->Read(name);
  EXPECT_TRUE(part.ok()) << name;
  EXPECT_TRUE(document.load_string(part->c_str()));
  return document;
}

TEST(XlsxWriter, EveryCellComesBackAsText) {
  const auto sheets = ReadXlsx(Bytes({Example()}), "t.xlsx");
  ASSERT_TRUE(sheets.ok()) << sheets.status().ToString();
  ASSERT_EQ(sheets->size(), 2U);
  const XlsxSheet& sheet = sheets->front();
  EXPECT_EQ(sheet.name, "要素");
  EXPECT_FALSE(sheet.hidden);
  EXPECT_EQ(CellText(sheet, 1, 1), "110105199005011010");
  EXPECT_EQ(CellText(sheet, 2, 1), "女");
  EXPECT_EQ(CellText(sheet, 3, 1), "(none)");
  EXPECT_EQ(CellText(sheet, 4, 1), "𠮷<&>\"a_x0041_\n第二行");
  // The choices stand on a sheet that nobody sees.
  EXPECT_TRUE(sheets->back().hidden);
  EXPECT_EQ(CellText(sheets->back(), 1, 0), "女");
}

TEST(XlsxWriter, ElementsStandInTheOrderOfTheSchema) {
  const std::string bytes = Bytes({Example()});
  const pugi::xml_document sheet = Part(bytes, "xl/worksheets/sheet1.xml");
  EXPECT_THAT(Children(sheet.child("worksheet")),
              ElementsAre("sheetViews", "sheetFormatPr", "cols", "sheetData", "dataValidations"));
  const pugi::xml_node rules = sheet.child("worksheet").child("dataValidations");
  EXPECT_EQ(rules.attribute("count").as_int(), 1);
  EXPECT_STREQ(rules.first_child().attribute("sqref").value(), "B3");
  EXPECT_STREQ(rules.first_child().child_value("formula1"), "选项!$A$1:$A$2");
  const pugi::xml_document styles = Part(bytes, "xl/styles.xml");
  EXPECT_THAT(Children(styles.child("styleSheet")),
              ElementsAre("fonts", "fills", "borders", "cellStyleXfs", "cellXfs", "cellStyles"));
  for (const pugi::xml_node& list : styles.child("styleSheet").children()) {
    EXPECT_EQ(list.attribute("count").as_uint(), Children(list).size()) << list.name();
  }
  // Every look has a format, and every cell of it is text ("@" is 49).
  for (const pugi::xml_node& format : styles.child("styleSheet").child("cellXfs").children()) {
    EXPECT_EQ(format.attribute("numFmtId").as_int(), 49);
  }
}

TEST(XlsxWriter, EqualInputGivesEqualBytes) { EXPECT_EQ(Bytes({Example()}), Bytes({Example()})); }

TEST(XlsxWriter, LongPromptsAreCutAndSayso) {
  Sheet sheet = Example();
  sheet.rows[2][1].prompt.clear();
  for (int i = 0; i < 300; ++i) sheet.rows[2][1].prompt += "长";
  const pugi::xml_document part = Part(Bytes({sheet}), "xl/worksheets/sheet1.xml");
  const std::string prompt =
      part.child("worksheet").child("dataValidations").first_child().attribute("prompt").value();
  EXPECT_EQ(prompt.size(), 255U * 3);
  EXPECT_TRUE(prompt.ends_with("…"));
}

TEST(XlsxWriter, RefusesNamesThatNoSheetMayHave) {
  EXPECT_FALSE(WriteXlsx({}).ok());
  Sheet sheet = Example();
  for (const char* name : {"", "a/b", "选项", "[x]",
                           "一二三四五六七八九十一二三四五六七八九十一二三四五六七八九十一二"}) {
    sheet.name = name;
    const auto bytes = WriteXlsx({sheet});
    ASSERT_FALSE(bytes.ok()) << name;
    EXPECT_THAT(bytes.status().message(), HasSubstr(name));
  }
  EXPECT_FALSE(WriteXlsx({Example(), Example()}).ok());
}

}  // namespace
}  // namespace zhibi::exporting
