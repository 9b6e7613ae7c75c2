// SPDX-License-Identifier: Apache-2.0
#include "export/xlsx_writer.h"

#include <algorithm>
#include <map>
#include <pugixml.hpp>
#include <set>
#include <utility>

#include "base/utf8.h"
#include "export/docx_parts.h"
#include "export/xlsx_reader.h"
#include "export/zip_package.h"

namespace zhibi::exporting {
namespace {

using pugi::xml_document;
using pugi::xml_node;

constexpr const char* kSheetNamespace = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
constexpr std::size_t kMaxRows = 1'048'576;
constexpr std::size_t kMaxNameChars = 31;
constexpr std::size_t kMaxPromptChars = 255;
constexpr const char* kChoiceSheet = "选项";

// Formats of the cells in the order of CellLook. "@" (49) is text.
constexpr const char* kStyles =
    R"(<?xml version="1.0" encoding="UTF-8" standalone="yes"?>)"
    R"(<styleSheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">)"
    R"(<fonts count="3"><font><sz val="11"/><color rgb="FF000000"/><name val="宋体"/><family val="3"/><charset val="134"/></font>)"
    R"(<font><b/><sz val="11"/><color rgb="FF000000"/><name val="宋体"/><family val="3"/><charset val="134"/></font>)"
    R"(<font><sz val="10"/><color rgb="FF666666"/><name val="宋体"/><family val="3"/><charset val="134"/></font></fonts>)"
    R"(<fills count="5"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill>)"
    R"(<fill><patternFill patternType="solid"><fgColor rgb="FFDDE6F0"/><bgColor indexed="64"/></patternFill></fill>)"
    R"(<fill><patternFill patternType="solid"><fgColor rgb="FFF7F9FC"/><bgColor indexed="64"/></patternFill></fill>)"
    R"(<fill><patternFill patternType="solid"><fgColor rgb="FFFFF2CC"/><bgColor indexed="64"/></patternFill></fill></fills>)"
    R"(<borders count="2"><border><left/><right/><top/><bottom/><diagonal/></border>)"
    R"(<border><left style="thin"><color rgb="FFBBBBBB"/></left><right style="thin"><color rgb="FFBBBBBB"/></right>)"
    R"(<top style="thin"><color rgb="FFBBBBBB"/></top><bottom style="thin"><color rgb="FFBBBBBB"/></bottom><diagonal/></border></borders>)"
    R"(<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>)"
    R"(<cellXfs count="5"><xf numFmtId="49" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1" applyAlignment="1"><alignment vertical="top" wrapText="1"/></xf>)"
    R"(<xf numFmtId="49" fontId="1" fillId="2" borderId="1" xfId="0" applyNumberFormat="1" applyFont="1" applyFill="1" applyBorder="1" applyAlignment="1"><alignment horizontal="center" vertical="center"/></xf>)"
    R"(<xf numFmtId="49" fontId="2" fillId="3" borderId="1" xfId="0" applyNumberFormat="1" applyFont="1" applyFill="1" applyBorder="1" applyAlignment="1"><alignment vertical="top" wrapText="1"/></xf>)"
    R"(<xf numFmtId="49" fontId="0" fillId="0" borderId="1" xfId="0" applyNumberFormat="1" applyBorder="1" applyAlignment="1"><alignment vertical="top" wrapText="1"/></xf>)"
    R"(<xf numFmtId="49" fontId="0" fillId="4" borderId="1" xfId="0" applyNumberFormat="1" applyFill="1" applyBorder="1" applyAlignment="1"><alignment vertical="top" wrapText="1"/></xf></cellXfs>)"
    R"(<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>)";

// What XML cannot hold is escaped as spreadsheets do it, and so is what would read as an escape.
std::string SheetText(const std::string& text) {
  std::string out;
  const std::string valid = base::RepairUtf8(text);
  constexpr std::string_view kHex = "0123456789ABCDEF";
  for (std::size_t i = 0; i < valid.size(); ++i) {
    const auto c = static_cast<unsigned char>(valid[i]);
    if (c < 0x20 && c != '\n' && c != '\t') {
      if (c != '\r') out += std::string("_x00") + kHex[c / 16] + kHex[c % 16] + "_";
    } else if (c == '_' && i + 1 < valid.size() && valid[i + 1] == 'x') {
      out += "_x005F_";
    } else {
      out += valid[i];
    }
  }
  return out;
}

std::string Cut(const std::string& text, std::size_t characters) {
  const std::vector<std::string_view> all = base::Characters(text);
  if (all.size() <= characters) return text;
  std::string out;
  for (std::size_t i = 0; i + 1 < characters; ++i) out += all[i];
  return out + "…";
}

xml_node Add(xml_node parent, const char* name) { return parent.append_child(name); }

void AddCell(xml_node row, std::size_t r, std::size_t c, const std::string& text, CellLook look) {
  xml_node cell = Add(row, "c");
  cell.append_attribute("r") = CellName(r, c).c_str();
  cell.append_attribute("s") = static_cast<int>(look);
  if (text.empty()) return;
  cell.append_attribute("t") = "inlineStr";
  xml_node node = Add(Add(cell, "is"), "t");
  node.append_attribute("xml:space") = "preserve";
  node.text().set(SheetText(text).c_str());
}

// The distinct lists of choices, each a column of the hidden sheet.
class Choices {
 public:
  explicit Choices(const std::vector<Sheet>& sheets) {
    for (const Sheet& sheet : sheets) {
      for (const auto& row : sheet.rows) {
        for (const SheetCell& cell : row) {
          if (!cell.choices.empty()) columns_.emplace(cell.choices, columns_.size());
        }
      }
    }
  }
  bool empty() const { return columns_.empty(); }
  std::string RangeOf(const std::vector<std::string>& choices) const {
    const std::size_t column = columns_.at(choices);
    const auto fixed = [&](std::size_t row) {
      const std::string cell = CellName(row, column);
      const std::size_t digit = cell.find_first_of("0123456789");
      return "$" + cell.substr(0, digit) + "$" + cell.substr(digit);
    };
    return std::string(kChoiceSheet) + "!" + fixed(0) + ":" + fixed(choices.size() - 1);
  }
  Sheet AsSheet() const {
    Sheet sheet;
    sheet.name = kChoiceSheet;
    std::size_t rows = 0;
    for (const auto& [choices, column] : columns_) rows = std::max(rows, choices.size());
    sheet.rows.assign(rows, std::vector<SheetCell>(columns_.size()));
    for (const auto& [choices, column] : columns_) {
      for (std::size_t i = 0; i < choices.size(); ++i) sheet.rows[i][column].text = choices[i];
    }
    return sheet;
  }

 private:
  std::map<std::vector<std::string>, std::size_t> columns_;
};

void AddView(xml_node root, const Sheet& sheet) {
  xml_node view = Add(Add(root, "sheetViews"), "sheetView");
  view.append_attribute("workbookViewId") = 0;
  if (sheet.frozen_rows <= 0) return;
  xml_node pane = Add(view, "pane");
  pane.append_attribute("ySplit") = sheet.frozen_rows;
  pane.append_attribute("topLeftCell") =
      CellName(static_cast<std::size_t>(sheet.frozen_rows), 0).c_str();
  pane.append_attribute("activePane") = "bottomLeft";
  pane.append_attribute("state") = "frozen";
}

void AddRules(xml_node root, const Sheet& sheet, const Choices& choices) {
  xml_node rules;
  int count = 0;
  for (std::size_t r = 0; r < sheet.rows.size(); ++r) {
    for (std::size_t c = 0; c < sheet.rows[r].size(); ++c) {
      const SheetCell& cell = sheet.rows[r][c];
      if (cell.choices.empty() && cell.prompt.empty()) continue;
      if (!rules) rules = Add(root, "dataValidations");
      ++count;
      xml_node rule = Add(rules, "dataValidation");
      if (!cell.choices.empty()) rule.append_attribute("type") = "list";
      rule.append_attribute("allowBlank") = 1;
      rule.append_attribute("showInputMessage") = 1;
      if (!cell.choices.empty()) {
        rule.append_attribute("showErrorMessage") = 1;
        rule.append_attribute("errorTitle") = "不在选项中";
        rule.append_attribute("error") = "请从列表中选择。";
      }
      if (!cell.prompt.empty())
        rule.append_attribute("prompt") = Cut(SheetText(cell.prompt), kMaxPromptChars).c_str();
      rule.append_attribute("sqref") = CellName(r, c).c_str();
      if (!cell.choices.empty())
        Add(rule, "formula1").text().set(choices.RangeOf(cell.choices).c_str());
    }
  }
  if (rules) rules.append_attribute("count") = count;
}

std::string SheetPart(const Sheet& sheet, const Choices& choices) {
  xml_document document;
  xml_node root = XmlRoot(document, "worksheet");
  root.append_attribute("xmlns") = kSheetNamespace;
  AddView(root, sheet);
  Add(root, "sheetFormatPr").append_attribute("defaultRowHeight") = "15";
  if (!sheet.widths.empty()) {
    xml_node columns = Add(root, "cols");
    for (std::size_t i = 0; i < sheet.widths.size(); ++i) {
      xml_node column = Add(columns, "col");
      column.append_attribute("min") = static_cast<unsigned>(i + 1);
      column.append_attribute("max") = static_cast<unsigned>(i + 1);
      column.append_attribute("width") = sheet.widths[i];
      column.append_attribute("customWidth") = 1;
    }
  }
  xml_node data = Add(root, "sheetData");
  for (std::size_t r = 0; r < sheet.rows.size(); ++r) {
    xml_node row = Add(data, "row");
    row.append_attribute("r") = static_cast<unsigned>(r + 1);
    for (std::size_t c = 0; c < sheet.rows[r].size(); ++c)
      AddCell(row, r, c, sheet.rows[r][c].text, sheet.rows[r][c].look);
  }
  AddRules(root, sheet, choices);
  return SaveXml(document);
}

std::string WorkbookPart(const std::vector<Sheet>& sheets, bool choices) {
  xml_document document;
  xml_node root = XmlRoot(document, "workbook");
  root.append_attribute("xmlns") = kSheetNamespace;
  root.append_attribute("xmlns:r") = kRelationNamespace;
  xml_node list = Add(root, "sheets");
  for (std::size_t i = 0; i < sheets.size(); ++i) {
    xml_node sheet = Add(list, "sheet");
    const std::string number = std::to_string(i + 1);
    sheet.append_attribute("name") = sheets[i].name.c_str();
    sheet.append_attribute("sheetId") = number.c_str();
    if (choices && i + 1 == sheets.size()) sheet.append_attribute("state") = "hidden";
    sheet.append_attribute("r:id") = ("rId" + number).c_str();
  }
  return SaveXml(document);
}

std::string ContentTypes(std::size_t sheets) {
  xml_document document;
  xml_node root = XmlRoot(document, "Types");
  root.append_attribute("xmlns") = "http://schemas.openxmlformats.org/package/2006/content-types";
  const auto add = [&](const char* name, const char* key, const std::string& what,
                       const std::string& type) {
    xml_node node = Add(root, name);
    node.append_attribute(key) = what.c_str();
    node.append_attribute("ContentType") = type.c_str();
  };
  const std::string office = "application/vnd.openxmlformats-officedocument.spreadsheetml.";
  add("Default", "Extension", "rels", "application/vnd.openxmlformats-package.relationships+xml");
  add("Default", "Extension", "xml", "application/xml");
  add("Override", "PartName", "/xl/workbook.xml", office + "sheet.main+xml");
  add("Override", "PartName", "/xl/styles.xml", office + "styles+xml");
  for (std::size_t i = 1; i <= sheets; ++i)
    add("Override", "PartName", "/xl/worksheets/sheet" + std::to_string(i) + ".xml",
        office + "worksheet+xml");
  return SaveXml(document);
}

std::string Relations(const std::vector<std::pair<std::string, std::string>>& targets) {
  xml_document document;
  xml_node root = XmlRoot(document, "Relationships");
  root.append_attribute("xmlns") = "http://schemas.openxmlformats.org/package/2006/relationships";
  int id = 0;
  for (const auto& [type, target] : targets) {
    xml_node node = Add(root, "Relationship");
    node.append_attribute("Id") = ("rId" + std::to_string(++id)).c_str();
    node.append_attribute("Type") = (std::string(kRelationNamespace) + "/" + type).c_str();
    node.append_attribute("Target") = target.c_str();
  }
  return SaveXml(document);
}

Status CheckSheets(const std::vector<Sheet>& sheets) {
  if (sheets.empty()) return InvalidArgumentError("xlsx: a workbook needs a sheet");
  std::set<std::string> names;
  for (const Sheet& sheet : sheets) {
    const bool good = !sheet.name.empty() && base::CountCodePoints(sheet.name) <= kMaxNameChars &&
                      sheet.name.find_first_of("[]:*?/\\'") == std::string::npos &&
                      sheet.name != kChoiceSheet && names.insert(sheet.name).second;
    if (!good) return InvalidArgumentError("xlsx: no name for a sheet: \"" + sheet.name + "\"");
    if (sheet.rows.size() > kMaxRows)
      return InvalidArgumentError("xlsx: " + sheet.name + ": " + std::to_string(sheet.rows.size()) +
                                  " rows, at most " + std::to_string(kMaxRows));
  }
  return OkStatus();
}

}  // namespace

Result<std::string> WriteXlsx(const std::vector<Sheet>& sheets) {
  if (const Status status = CheckSheets(sheets); !status.ok()) return status;
  const Choices choices(sheets);
  std::vector<Sheet> all = sheets;
  if (!choices.empty()) all.push_back(choices.AsSheet());
  std::vector<std::pair<std::string, std::string>> targets;
  for (std::size_t i = 1; i <= all.size(); ++i)
    targets.emplace_back("worksheet", "worksheets/sheet" + std::to_string(i) + ".xml");
  targets.emplace_back("styles", "styles.xml");
  std::vector<std::pair<std::string, std::string>> parts = {
      {"[Content_Types].xml", ContentTypes(all.size())},
      {"_rels/.rels", Relations({{"officeDocument", "xl/workbook.xml"}})},
      {"xl/workbook.xml", WorkbookPart(all, !choices.empty())},
      {"xl/_rels/workbook.xml.rels", Relations(targets)},
      {"xl/styles.xml", kStyles}};
  for (std::size_t i = 0; i < all.size(); ++i)
    parts.emplace_back("xl/" + targets[i].second, SheetPart(all[i], choices));
  return WriteZip(parts);
}

}  // namespace zhibi::exporting
