// SPDX-License-Identifier: Apache-2.0
// Whether a workbook that we write is valid: every part against ECMA-376 part 4 (transitional),
// annex A (sml.xsd), and part 2 (packages). Looks, frozen rows, lists of choices, prompts and empty
// sheets are all there.
#include <map>
#include <pugixml.hpp>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest-spi.h>
#include <gtest/gtest.h>

#include "export/schema_checker.h"
#include "export/xlsx_writer.h"
#include "export/zip_package.h"

namespace zhibi::exporting {
namespace {

// NOLINTNEXTLINE(readability-function-size): a table, no steps.
const OfficeSchema& Spreadsheet() {
  static const OfficeSchema schema = {
      {
          // CT_Workbook, CT_Worksheet, CT_Stylesheet: the whole sequence.
          {"workbook",
           {"fileVersion", "fileSharing", "workbookPr", "workbookProtection", "bookViews", "sheets",
            "functionGroups", "externalReferences", "definedNames", "calcPr", "oleSize"}},
          {"sheets", {"+sheet"}},
          {"worksheet",
           {"sheetPr",
            "dimension",
            "sheetViews",
            "sheetFormatPr",
            "+cols",
            "sheetData",
            "sheetCalcPr",
            "sheetProtection",
            "protectedRanges",
            "scenarios",
            "autoFilter",
            "sortState",
            "dataConsolidate",
            "customSheetViews",
            "mergeCells",
            "phoneticPr",
            "+conditionalFormatting",
            "dataValidations",
            "hyperlinks",
            "printOptions",
            "pageMargins",
            "pageSetup",
            "headerFooter"}},
          {"sheetViews", {"+sheetView"}},
          {"sheetView", {"pane", "+selection"}},
          {"cols", {"+col"}},
          {"sheetData", {"+row"}},
          {"row", {"+c"}},
          {"c", {"f", "v", "is"}},
          {"is", {"t", "+r"}},
          {"dataValidations", {"+dataValidation"}},
          {"dataValidation", {"formula1", "formula2"}},
          {"styleSheet",
           {"numFmts", "fonts", "fills", "borders", "cellStyleXfs", "cellXfs", "cellStyles", "dxfs",
            "tableStyles", "colors"}},
          {"fonts", {"+font"}},
          // The schema allows any order; spreadsheet programs write and want this one.
          {"font", {"b", "i", "strike", "u", "sz", "color", "name", "family", "charset"}},
          {"fills", {"+fill"}},
          {"fill", {"patternFill"}},
          {"patternFill", {"fgColor", "bgColor"}},
          {"borders", {"+border"}},
          {"border", {"left", "right", "top", "bottom", "diagonal"}},
          {"left", {"color"}},
          {"right", {"color"}},
          {"top", {"color"}},
          {"bottom", {"color"}},
          {"cellStyleXfs", {"+xf"}},
          {"cellXfs", {"+xf"}},
          {"xf", {"alignment", "protection"}},
          {"cellStyles", {"+cellStyle"}},
          {"Types", {"+Default|Override"}},
          {"Relationships", {"+Relationship"}},
      },
      {
          {"sheet", {"name", "sheetId", "r:id"}},
          {"sheetView", {"workbookViewId"}},
          {"sheetFormatPr", {"defaultRowHeight"}},
          {"col", {"min", "max"}},
          {"dataValidation", {"sqref"}},
          {"cellStyle", {"xfId"}},
          {"sz", {"val"}},
          {"name", {"val"}},
          {"family", {"val"}},
          {"charset", {"val"}},
          {"Default", {"Extension", "ContentType"}},
          {"Override", {"PartName", "ContentType"}},
          {"Relationship", {"Id", "Type", "Target"}},
      },
      {
          {"sheet", {"state"}},
          {"pane", {"xSplit", "ySplit", "topLeftCell", "activePane", "state"}},
          {"col", {"width", "style", "hidden", "bestFit", "customWidth"}},
          {"row", {"r", "spans", "s", "customFormat", "ht", "hidden", "customHeight"}},
          {"c", {"r", "s", "t"}},
          {"t", {"xml:space"}},
          {"dataValidations", {"count", "disablePrompts", "xWindow", "yWindow"}},
          {"dataValidation",
           {"type", "errorStyle", "operator", "allowBlank", "showDropDown", "showInputMessage",
            "showErrorMessage", "errorTitle", "error", "promptTitle", "prompt"}},
          {"fonts", {"count"}},
          {"fills", {"count"}},
          {"borders", {"count"}},
          {"cellStyleXfs", {"count"}},
          {"cellXfs", {"count"}},
          {"cellStyles", {"count"}},
          {"b", {"val"}},
          {"color", {"auto", "indexed", "rgb", "theme", "tint"}},
          {"fgColor", {"auto", "indexed", "rgb", "theme", "tint"}},
          {"bgColor", {"auto", "indexed", "rgb", "theme", "tint"}},
          {"patternFill", {"patternType"}},
          {"left", {"style"}},
          {"right", {"style"}},
          {"top", {"style"}},
          {"bottom", {"style"}},
          {"alignment", {"horizontal", "vertical", "wrapText", "indent"}},
          {"xf",
           {"numFmtId", "fontId", "fillId", "borderId", "xfId", "applyNumberFormat", "applyFont",
            "applyFill", "applyBorder", "applyAlignment", "applyProtection"}},
          {"cellStyle", {"name", "builtinId"}},
      },
      {
          {"sheet@state", {"visible", "hidden", "veryHidden"}},
          {"sheet@sheetId", {"#"}},
          {"pane@state", {"split", "frozen", "frozenSplit"}},
          {"pane@activePane", {"bottomRight", "topRight", "bottomLeft", "topLeft"}},
          {"pane@ySplit", {"#"}},
          {"col@min", {"#"}},
          {"col@max", {"#"}},
          {"row@r", {"#"}},
          {"c@s", {"#"}},
          {"c@t", {"b", "d", "n", "e", "s", "str", "inlineStr"}},
          {"dataValidation@type",
           {"none", "whole", "decimal", "list", "date", "time", "textLength", "custom"}},
          {"dataValidation@allowBlank", {"0", "1", "true", "false"}},
          {"dataValidation@showInputMessage", {"0", "1", "true", "false"}},
          {"dataValidation@showErrorMessage", {"0", "1", "true", "false"}},
          {"patternFill@patternType", {"none", "solid", "gray125"}},
          {"alignment@horizontal", {"general", "left", "center", "right", "fill", "justify"}},
          {"alignment@vertical", {"top", "center", "bottom", "justify", "distributed"}},
      }};
  return schema;
}

Sheet WithEverything(const std::string& name) {
  Sheet sheet;
  sheet.name = name;
  sheet.widths = {8, 12.5, 40};
  sheet.frozen_rows = 1;
  for (const CellLook look :
       {CellLook::kPlain, CellLook::kHead, CellLook::kFixed, CellLook::kInput, CellLook::kRequired})
    sheet.rows.push_back({{"文<&>\"", look, {}, ""},
                          {"", look, {"男", "女"}, "性别，必填"},
                          {" 两行\n字 ", look, {}, "只有提示"}});
  return sheet;
}

TEST(XlsxSchema, EveryPartIsValid) {
  Sheet bare;
  bare.name = "空";
  const auto bytes = WriteXlsx({WithEverything("要素"), WithEverything("再一张"), bare});
  ASSERT_TRUE(bytes.ok()) << bytes.status().ToString();
  auto zip = ZipReader::Open(*bytes, "x.xlsx");
  ASSERT_TRUE(zip.ok());
  pugi::xml_document types;
  ASSERT_TRUE(types.load_string(zip->Read("[Content_Types].xml")->c_str()));
  std::set<std::string> parts = {"[Content_Types].xml", "_rels/.rels",
                                 "xl/_rels/workbook.xml.rels"};
  for (const pugi::xml_node& override : types.child("Types").children("Override"))
    parts.insert(std::string(override.attribute("PartName").value()).substr(1));
  EXPECT_EQ(parts.size(), 9U);  // workbook, styles, three sheets and that of the choices
  for (const std::string& part : parts) {
    const Result<std::string> text = zip->Read(part);
    ASSERT_TRUE(text.ok()) << part;
    pugi::xml_document document;
    ASSERT_TRUE(document.load_string(text->c_str())) << part;
    SchemaChecker(Spreadsheet(), part).Element(document.document_element());
    for (const auto& relation : document.select_nodes("//Relationship")) {
      const std::string target = relation.node().attribute("Target").value();
      const std::string base = part == "_rels/.rels" ? "" : "xl/";
      EXPECT_EQ(parts.count(base + target), 1U) << part << " names " << target;
    }
  }
}

TEST(XlsxSchema, FormatsPointAtWhatIsThere) {
  const std::string bytes = WriteXlsx({WithEverything("要素")}).value();
  auto zip = ZipReader::Open(bytes, "x.xlsx");
  pugi::xml_document styles;
  ASSERT_TRUE(styles.load_string(zip->Read("xl/styles.xml")->c_str()));
  const pugi::xml_node root = styles.child("styleSheet");
  const auto size = [&](const char* list) { return root.child(list).attribute("count").as_uint(); };
  for (const auto& format : styles.select_nodes("//xf")) {
    EXPECT_LT(format.node().attribute("fontId").as_uint(), size("fonts"));
    EXPECT_LT(format.node().attribute("fillId").as_uint(), size("fills"));
    EXPECT_LT(format.node().attribute("borderId").as_uint(), size("borders"));
    EXPECT_LT(format.node().attribute("xfId").as_uint(), size("cellStyleXfs"));
  }
  pugi::xml_document sheet;
  ASSERT_TRUE(sheet.load_string(zip->Read("xl/worksheets/sheet1.xml")->c_str()));
  std::set<unsigned> used;
  for (const auto& cell : sheet.select_nodes("//c")) {
    used.insert(cell.node().attribute("s").as_uint());
    EXPECT_LT(cell.node().attribute("s").as_uint(), size("cellXfs"));
  }
  EXPECT_EQ(used.size(), 5U);
}

// The test can fail: each of these was valid before one thing was changed.
TEST(XlsxSchema, TheCheckerSeesWhatIsWrong) {
  const auto failures = [](const char* xml) {
    testing::TestPartResultArray results;
    {
      testing::ScopedFakeTestPartResultReporter reporter(
          testing::ScopedFakeTestPartResultReporter::INTERCEPT_ONLY_CURRENT_THREAD, &results);
      pugi::xml_document document;
      if (document.load_string(xml))
        SchemaChecker(Spreadsheet(), "x").Element(document.document_element());
    }
    return results.size();
  };
  EXPECT_EQ(failures("<worksheet><sheetData/><mergeCells/><dataValidations/></worksheet>"), 0);
  EXPECT_EQ(failures("<worksheet><dataValidations/><sheetData/></worksheet>"), 1);
  EXPECT_EQ(failures("<c r='A1' t='inlineStr'><is><t>x</t></is></c>"), 0);
  EXPECT_EQ(failures("<c r='A1' t='text'/>"), 1);
  EXPECT_EQ(failures("<c r='A1' style='2'/>"), 1);
  EXPECT_EQ(failures("<sheets><sheet name='a' sheetId='1'/></sheets>"), 1);
}

}  // namespace
}  // namespace zhibi::exporting
