// SPDX-License-Identifier: Apache-2.0
// Elements from a table (the one that `zhibi doctypes template ID` prints, filled in): a column
// 字段 with paths, a column 值 with values, other columns are for people. CSV is read here;
// spreadsheets bring their cells. Every value says in which cell it stands. Thread-safe.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "extract/extract.h"
#include "legal/json_schema.h"
#include "legal/schema_fields.h"
#include "zhibi/status.h"

namespace zhibi::extract {

using TableRows = std::vector<std::vector<std::string>>;

struct Cell {
  std::size_t row = 0;     // from 0
  std::size_t column = 0;  // from 0
  std::string text;
  std::string problem;  // why the text is not to be had; an error once somebody asks for the cell
  std::string note;     // why the value is doubtful
};

struct Table {
  std::vector<Cell> cells;                                                  // by rows
  std::function<std::string(std::size_t row, std::size_t column)> place{};  // "要素!C3"
};

// RFC 4180 with a byte order mark, any line ends, quoted cells over lines. kInvalidArgument: a
// quote that does not close, text behind a closing quote, over a million cells; names the line.
Result<TableRows> ParseCsv(std::string_view text, std::string_view source);
// A byte order mark, so that spreadsheets read UTF-8; every cell quoted.
std::string FormatCsv(const TableRows& rows);
// Places are "row 3 column 2".
Table TableOf(const TableRows& rows);

// kInvalidArgument names place and field of every problem, one a line: no table with the columns
// 字段 and 值 in its first 20 rows, a path that the schema does not have or that stands twice, a
// cell that cannot be read, a number, sum, day or rate that is none. Empty values are left out;
// required ones among them are missing. A choice may be given by its code or by what the
// description calls it (yes, 是).
Result<Extraction> FromTables(const std::vector<Table>& tables, const legal::JsonSchema& schema,
                              std::string_view source);
Result<Extraction> FromTable(const TableRows& rows, const legal::JsonSchema& schema,
                             std::string_view source);

// What people call the values of a field's list: "yes 是，no 否" in its description gives {是, 否};
// the codes where the description does not name every one.
std::vector<std::string> ChoiceLabels(const legal::SchemaField& field);
// 文字, 日期, 金额（元）, 选择: what a person is asked for.
std::string KindOfField(const legal::SchemaField& field);

// One line of the blank table: the field (with the index of this line in its path) and its value.
struct TemplateLine {
  legal::SchemaField field;
  std::string value;
};
// The fields of the schema with the values of `elements` (null: none), every item of a list. Values
// of fields that the schema does not list are left out.
std::vector<TemplateLine> TemplateLines(const legal::JsonSchema& schema,
                                        const nlohmann::json& elements);
// 字段, 名称, 值, 必填, 类型, 可选值, 说明: heads, then the cells of a line in their order.
const std::vector<std::string>& TemplateHeads();
std::vector<std::string> TemplateCells(const TemplateLine& line);

}  // namespace zhibi::extract
