// SPDX-License-Identifier: Apache-2.0
#include "export/xlsx_reader.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <pugixml.hpp>
#include <utility>

#include "base/status_macros.h"
#include "base/utf8.h"
#include "export/office_xml.h"
#include "export/xlsx_number.h"
#include "export/zip_package.h"

namespace zhibi::exporting {
namespace {

constexpr std::size_t kMaxRows = 1'048'576;
constexpr std::size_t kMaxColumns = 16'384;
constexpr std::size_t kMaxSheets = 256;
constexpr std::size_t kMaxMerges = 100'000;

bool ParseNumber(std::string_view text, std::size_t* value) {
  const auto parsed = std::from_chars(text.data(), text.data() + text.size(), *value);
  return parsed.ec == std::errc() && parsed.ptr == text.data() + text.size();
}

// "C3" -> row 2, column 2; "$" is allowed as formulas write it.
bool ParseCellName(std::string_view name, std::size_t* row, std::size_t* column) {
  std::size_t letters = 0;
  std::size_t at = 0;
  *column = 0;
  if (name.starts_with('$')) ++at;
  for (; at < name.size() && name[at] >= 'A' && name[at] <= 'Z'; ++at, ++letters)
    *column = *column * 26 + static_cast<std::size_t>(name[at] - 'A' + 1);
  if (at < name.size() && name[at] == '$') ++at;
  const bool good = letters >= 1 && letters <= 3 && ParseNumber(name.substr(at), row);
  if (!good || *row == 0 || *row > kMaxRows || *column > kMaxColumns) return false;
  --*row;
  --*column;
  return true;
}

// Spreadsheets write what XML cannot hold as _x000D_, and "_x" itself as _x005F_x.
std::string Unescaped(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    unsigned code = 0;
    const bool escape = text.size() >= 7 && text.starts_with("_x") && text[6] == '_';
    if (escape) {
      const auto parsed = std::from_chars(text.data() + 2, text.data() + 6, code, 16);
      if (parsed.ec == std::errc() && parsed.ptr == text.data() + 6) {
        if (code != '\r') base::AppendUtf8(code, &out);
        text.remove_prefix(7);
        continue;
      }
    }
    out += text.front();
    text.remove_prefix(1);
  }
  return base::RepairUtf8(out);
}

// <si> and <is>: one <t>, or runs of them; <rPh> is how a word sounds, not text.
std::string StringOf(const pugi::xml_node& item) {
  std::string text;
  for (const pugi::xml_node& node : item.children()) {
    if (LocalName(node) == "t") text += node.text().get();
    if (LocalName(node) == "r") text += ChildOf(node, "t").text().get();
  }
  return Unescaped(text);
}

class WorkbookReader {
 public:
  explicit WorkbookReader(ZipReader zip) : zip_(std::move(zip)) {}

  Result<std::vector<XlsxSheet>> Read() {
    ZB_ASSIGN_OR_RETURN(const std::string main, MainPart(zip_, "xl/workbook.xml"));
    if (!zip_.Has(main))
      return InvalidArgumentError(zip_.source() + ": 不是 XLSX 文件 / not an XLSX: there is no " +
                                  main);
    pugi::xml_document document;
    ZB_RETURN_IF_ERROR(LoadPart(zip_, main, &document));
    const pugi::xml_node workbook = ChildOf(document, "workbook");
    if (!workbook)
      return InvalidArgumentError(zip_.source() + ": " + main +
                                  ": 不是工作簿 / expected a workbook, got <" +
                                  std::string(LocalName(document.document_element())) + ">");
    const std::string system = AttributeOf(ChildOf(workbook, "workbookPr"), "date1904");
    from_1904_ = system == "1" || system == "true";
    ZB_ASSIGN_OR_RETURN(const auto relations, ReadRelations(zip_, main));
    for (const auto& [id, relation] : relations) {
      if (relation.type == "sharedStrings") ZB_RETURN_IF_ERROR(ReadStrings(relation.target));
      if (relation.type == "styles") ZB_RETURN_IF_ERROR(ReadStyles(relation.target));
    }
    std::vector<XlsxSheet> sheets;
    for (const pugi::xml_node& node : ChildOf(workbook, "sheets").children()) {
      if (LocalName(node) != "sheet") continue;
      if (sheets.size() == kMaxSheets)
        return ResourceExhaustedError(zip_.source() + ": more than " + std::to_string(kMaxSheets) +
                                      " sheets");
      XlsxSheet sheet;
      sheet.name = AttributeOf(node, "name");
      const std::string state = AttributeOf(node, "state");
      sheet.hidden = state == "hidden" || state == "veryHidden";
      const auto found = relations.find(IdOf(node));
      if (found == relations.end() || found->second.target.empty())
        return DataLossError(zip_.source() + ": " + sheet.name + ": the sheet has no part");
      if (found->second.type != "worksheet") continue;  // a chart
      ZB_RETURN_IF_ERROR(ReadSheet(found->second.target, &sheet));
      sheets.push_back(std::move(sheet));
    }
    return sheets;
  }

 private:
  // r:id, and not the sheetId beside it.
  static std::string IdOf(const pugi::xml_node& sheet) {
    for (const pugi::xml_attribute& attribute : sheet.attributes()) {
      const std::string_view name = attribute.name();
      if (name == "id" || name.ends_with(":id")) return attribute.value();
    }
    return {};
  }

  Status ReadStrings(const std::string& part) {
    pugi::xml_document document;
    ZB_RETURN_IF_ERROR(LoadPart(zip_, part, &document));
    for (const pugi::xml_node& item : ChildOf(document, "sst").children()) {
      if (LocalName(item) == "si") strings_.push_back(StringOf(item));
    }
    return OkStatus();
  }

  Status ReadStyles(const std::string& part) {
    pugi::xml_document document;
    ZB_RETURN_IF_ERROR(LoadPart(zip_, part, &document));
    const pugi::xml_node sheet = ChildOf(document, "styleSheet");
    std::map<std::size_t, NumberKind> own;
    for (const pugi::xml_node& format : ChildOf(sheet, "numFmts").children()) {
      std::size_t id = 0;
      if (ParseNumber(AttributeOf(format, "numFmtId"), &id))
        own[id] = KindOfFormatCode(AttributeOf(format, "formatCode"));
    }
    for (const pugi::xml_node& format : ChildOf(sheet, "cellXfs").children()) {
      std::size_t id = 0;
      ParseNumber(AttributeOf(format, "numFmtId"), &id);
      const auto found = own.find(id);
      const int known = static_cast<int>(std::min<std::size_t>(id, 1000));
      kinds_.push_back(found != own.end() ? found->second : KindOfFormatId(known));
    }
    return OkStatus();
  }

  Status ReadSheet(const std::string& part, XlsxSheet* sheet) {
    pugi::xml_document document;
    ZB_RETURN_IF_ERROR(LoadPart(zip_, part, &document));
    const pugi::xml_node root = ChildOf(document, "worksheet");
    std::map<std::pair<std::size_t, std::size_t>, std::string> merges;
    for (const pugi::xml_node& merge : ChildOf(root, "mergeCells").children()) {
      const std::string range = AttributeOf(merge, "ref");
      std::pair<std::size_t, std::size_t> first;
      if (!ParseCellName(range.substr(0, range.find(':')), &first.first, &first.second))
        return DataLossError(zip_.source() + ": " + sheet->name + ": merged cells " + range +
                             ": not a range");
      merges[first] = range;
      if (merges.size() > kMaxMerges)
        return ResourceExhaustedError(zip_.source() + ": " + sheet->name + ": more than " +
                                      std::to_string(kMaxMerges) + " merged ranges");
    }
    std::size_t next_row = 0;
    for (const pugi::xml_node& row : ChildOf(root, "sheetData").children()) {
      if (LocalName(row) != "row") continue;
      std::size_t number = next_row;
      if (const std::string given = AttributeOf(row, "r"); !given.empty()) {
        if (!ParseNumber(given, &number) || number == 0 || number > kMaxRows)
          return DataLossError(zip_.source() + ": " + sheet->name + ": row \"" + given +
                               "\": expected 1 to " + std::to_string(kMaxRows));
        --number;
      }
      next_row = number + 1;
      ZB_RETURN_IF_ERROR(ReadRow(row, number, merges, sheet));
    }
    std::stable_sort(sheet->cells.begin(), sheet->cells.end(),
                     [](const XlsxCell& a, const XlsxCell& b) {
                       return std::pair(a.row, a.column) < std::pair(b.row, b.column);
                     });
    return OkStatus();
  }

  Status ReadRow(const pugi::xml_node& row, std::size_t number,
                 const std::map<std::pair<std::size_t, std::size_t>, std::string>& merges,
                 XlsxSheet* sheet) {
    std::size_t next_column = 0;
    for (const pugi::xml_node& node : row.children()) {
      if (LocalName(node) != "c") continue;
      XlsxCell cell;
      cell.row = number;
      cell.column = next_column;
      const std::string given = AttributeOf(node, "r");
      if (!given.empty() && !ParseCellName(given, &cell.row, &cell.column))
        return DataLossError(zip_.source() + ": " + sheet->name + ": cell \"" + given +
                             "\": not a cell");
      next_column = cell.column + 1;
      const std::string where =
          zip_.source() + ": " + sheet->name + "!" + CellName(cell.row, cell.column);
      ZB_RETURN_IF_ERROR(ReadCell(node, where, &cell));
      if (cell.text.empty() && cell.problem.empty()) continue;
      if (const auto merge = merges.find({cell.row, cell.column}); merge != merges.end())
        cell.merged = merge->second;
      text_bytes_ += cell.text.size();
      if (++cells_ > kMaxSheetCells || text_bytes_ > kMaxSheetTextBytes)
        return ResourceExhaustedError(where + ": over " + std::to_string(kMaxSheetCells) +
                                      " cells or " + std::to_string(kMaxSheetTextBytes) +
                                      " bytes of text");
      sheet->cells.push_back(std::move(cell));
    }
    return OkStatus();
  }

  Status ReadCell(const pugi::xml_node& node, const std::string& where, XlsxCell* cell) {
    const std::string type = AttributeOf(node, "t");
    const pugi::xml_node value = ChildOf(node, "v");
    if (type == "inlineStr") {
      cell->text = StringOf(ChildOf(node, "is"));
      return OkStatus();
    }
    const std::string text = value.text().get();
    if (text.empty() && type != "str") {
      if (ChildOf(node, "f"))
        cell->problem =
            "公式没有算出的值 / the formula has no value: open and save it in a "
            "spreadsheet";
      return OkStatus();
    }
    if (type == "s") {
      std::size_t index = 0;
      if (!ParseNumber(text, &index) || index >= strings_.size())
        return DataLossError(where + ": string " + base::RepairUtf8(text.substr(0, 20)) + " of " +
                             std::to_string(strings_.size()));
      cell->text = strings_[index];
    } else if (type == "str") {
      cell->text = Unescaped(text);
    } else if (type == "b") {
      cell->text = text == "1" || text == "true" ? "TRUE" : "FALSE";
    } else if (type == "e") {
      cell->problem = "错误值 / an error value: " + base::RepairUtf8(text.substr(0, 40));
    } else if (type == "d") {
      // ISO 8601; midnight is the day.
      const std::string day = base::RepairUtf8(text);
      const std::size_t time = day.find("T00:00:00");
      cell->text = day.substr(0, time);
    } else {
      Result<std::string> number = NumberText(text, KindOf(node), from_1904_);
      if (number.ok()) {
        cell->text = std::move(number).value();
      } else {
        cell->problem = number.status().message();
      }
    }
    return OkStatus();
  }

  NumberKind KindOf(const pugi::xml_node& node) const {
    std::size_t style = 0;
    ParseNumber(AttributeOf(node, "s"), &style);
    return style < kinds_.size() ? kinds_[style] : NumberKind::kPlain;
  }

  ZipReader zip_;
  std::vector<std::string> strings_;
  std::vector<NumberKind> kinds_;  // of each cell format
  bool from_1904_ = false;
  std::size_t cells_ = 0;
  std::size_t text_bytes_ = 0;
};

}  // namespace

std::string CellName(std::size_t row, std::size_t column) {
  std::string letters;
  for (std::size_t rest = column + 1; rest > 0; rest = (rest - 1) / 26)
    letters.insert(letters.begin(), static_cast<char>('A' + (rest - 1) % 26));
  return letters + std::to_string(row + 1);
}

Result<std::vector<XlsxSheet>> ReadXlsx(std::string_view bytes, std::string_view source) {
  ZB_RETURN_IF_ERROR(CheckPackage(bytes, source));
  ZB_ASSIGN_OR_RETURN(ZipReader zip, ZipReader::Open(bytes, source));
  return WorkbookReader(std::move(zip)).Read();
}

}  // namespace zhibi::exporting
