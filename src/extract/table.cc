// SPDX-License-Identifier: Apache-2.0
#include "extract/table.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <utility>

#include "base/status_macros.h"
#include "base/utf8.h"
#include "extract/table_parts.h"
#include "legal/chinese_number.h"
#include "legal/date.h"
#include "legal/element_path.h"
#include "legal/money.h"
#include "legal/schema_fields.h"

namespace zhibi::extract {
namespace {

constexpr std::size_t kMaxCells = 1'000'000;
constexpr std::size_t kHeadRows = 20;  // a title may stand above the table

Result<nlohmann::json> Typed(const legal::SchemaField& field, const std::string& cell,
                             const std::string& where) {
  if (!field.values.empty() && field.type == "string") {
    const std::vector<std::string> labels = ChoiceLabels(field);
    for (std::size_t i = 0; i < labels.size(); ++i) {
      if (cell == labels[i]) return nlohmann::json(field.values[i]);
    }
  }
  if (field.type == "boolean") {
    if (cell == "是" || cell == "true" || cell == "TRUE") return nlohmann::json(true);
    if (cell == "否" || cell == "false" || cell == "FALSE") return nlohmann::json(false);
    return InvalidArgumentError(where + ": expected 是 or 否, got " + cell);
  }
  // Spellings of sums, days and rates are wide (5万元, 2024.3.5, 12%); what is none is said here,
  // where the cell is known, not by the draft.
  if (field.kind == "money" && !legal::ParseMoney(cell).ok())
    return InvalidArgumentError(where + ": expected a sum (50000, 5万元), got " + cell);
  if (field.kind == "date" && !legal::ParseDate(cell).ok())
    return InvalidArgumentError(where + ": expected a day (2024-03-05, 2024年3月5日), got " + cell);
  if (field.kind == "percent" && cell.find_first_of("0123456789") == std::string::npos &&
      !legal::ParseChineseNumber(cell).ok()) {
    return InvalidArgumentError(where + ": expected a rate (12, 12%), got " + cell);
  }
  if (field.type == "integer" || field.type == "number") {
    long long whole = 0;
    const char* end = cell.data() + cell.size();
    const auto parsed = std::from_chars(cell.data(), end, whole);
    if (parsed.ec == std::errc() && parsed.ptr == end) return nlohmann::json(whole);
    double value = 0;
    const auto real = std::from_chars(cell.data(), end, value);
    if (field.type == "number" && real.ec == std::errc() && real.ptr == end) {
      return nlohmann::json(value);
    }
    // A sum or a rate may be given in words (5万元): normalising reads it.
    if (!field.kind.empty()) return nlohmann::json(cell);
    return InvalidArgumentError(where + ": expected a number, got " + cell);
  }
  return nlohmann::json(cell);
}

struct Head {
  std::size_t row = 0;
  std::size_t path_column = std::string::npos;
  std::size_t value_column = std::string::npos;
};

// The first of the first rows that holds both names.
bool FindHead(const Table& table, Head* head) {
  *head = Head();
  for (const Cell& cell : table.cells) {
    if (cell.row >= kHeadRows) return false;
    if (cell.row != head->row) *head = Head{cell.row};
    const std::string title = Trimmed(cell.text);
    if (title == "字段" || title == "path") head->path_column = cell.column;
    if (title == "值" || title == "value") head->value_column = cell.column;
    if (head->path_column != std::string::npos && head->value_column != std::string::npos)
      return true;
  }
  return false;
}

// Lines of all tables; values are set in the order of their paths, so that a list may be filled in
// in any order.
class TableReader {
 public:
  TableReader(const std::map<std::string, legal::SchemaField>& fields, std::string source)
      : fields_(fields), source_(std::move(source)) {}

  void Read(const Table& table, const Head& head) {
    const Cell* path = nullptr;
    const Cell* value = nullptr;
    const auto end_row = [&] {
      const Status status =
          path != nullptr && value != nullptr ? ReadLine(table, *path, *value) : Status();
      path = nullptr;
      value = nullptr;
      if (!status.ok()) problems_.push_back(status.message());
    };
    std::size_t row = head.row;
    for (const Cell& cell : table.cells) {
      if (cell.row <= head.row) continue;
      if (cell.row != row) end_row();
      row = cell.row;
      if (cell.column == head.path_column) path = &cell;
      if (cell.column == head.value_column) value = &cell;
    }
    end_row();
  }

  // Every problem of the tables, or what they hold.
  Result<Extraction> Take() {
    std::vector<std::size_t> order(lines_.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    std::sort(order.begin(), order.end(),
              [this](std::size_t a, std::size_t b) { return lines_[a].steps < lines_[b].steps; });
    Extraction result;
    for (std::size_t i = 0; i < order.size(); ++i) {
      const Line& line = lines_[order[i]];
      const std::string where = source_ + ", " + line.value.place + ", " + line.value.path;
      if (i > 0 && lines_[order[i - 1]].steps == line.steps) {
        problems_.push_back(where + ": 重复 / also given in " + lines_[order[i - 1]].value.place);
        continue;
      }
      const Status status = legal::SetPath(line.value.path, line.value.value, result.elements);
      if (!status.ok()) problems_.push_back(where + ": " + status.message());
    }
    if (!problems_.empty()) return InvalidArgumentError(Joined());
    for (Line& line : lines_) result.values.push_back(std::move(line.value));
    return result;
  }

 private:
  // One a line; the first fifty.
  std::string Joined() const {
    constexpr std::size_t kMost = 50;
    std::string all;
    for (std::size_t i = 0; i < std::min(problems_.size(), kMost); ++i)
      all += (i == 0 ? "" : "\n") + problems_[i];
    if (problems_.size() > kMost)
      all += "\nand " + std::to_string(problems_.size() - kMost) + " more";
    return all;
  }

  struct Line {
    std::vector<std::pair<std::string, std::size_t>> steps;
    Value value;
  };

  Status ReadLine(const Table& table, const Cell& path_cell, const Cell& cell) {
    const std::string path = Trimmed(path_cell.text);
    const std::string text = Trimmed(cell.text);
    if (path.empty() || (text.empty() && cell.problem.empty())) return OkStatus();
    const std::string place = table.place(cell.row, cell.column);
    std::string where = source_;
    where.append(", ").append(place).append(", ").append(path);
    if (!base::IsValidUtf8(path) || !base::IsValidUtf8(text))
      return InvalidArgumentError(where + ": not UTF-8");
    const auto field = fields_.find(FirstOf(path));
    if (field == fields_.end()) {
      return InvalidArgumentError(where + ": the document type has no such field");
    }
    if (!cell.problem.empty()) return InvalidArgumentError(where + ": " + cell.problem);
    ZB_ASSIGN_OR_RETURN(nlohmann::json value, Typed(field->second, text, where));
    Result<std::vector<legal::PathStep>> steps = legal::ParsePath(path);
    if (!steps.ok()) return InvalidArgumentError(where + ": " + steps.status().message());
    Line line;
    for (const legal::PathStep& step : *steps) line.steps.emplace_back(step.key, step.index);
    line.value.path = path;
    line.value.value = std::move(value);
    line.value.state = cell.note.empty() ? State::kRead : State::kDoubtful;
    line.value.note = cell.note;
    line.value.place = place;
    lines_.push_back(std::move(line));
    return OkStatus();
  }

  const std::map<std::string, legal::SchemaField>& fields_;
  std::string source_;
  std::vector<Line> lines_;
  std::vector<std::string> problems_;
};

}  // namespace

Result<TableRows> ParseCsv(std::string_view text, std::string_view source) {
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  TableRows rows;
  std::vector<std::string> row;
  std::string cell;
  std::size_t cells = 0;
  std::size_t line = 1;
  const auto end_cell = [&] {
    row.push_back(std::move(cell));
    cell.clear();
    ++cells;
  };
  const auto fail = [&](const std::string& what) {
    return InvalidArgumentError(std::string(source) + ", line " + std::to_string(line) + ": " +
                                what);
  };
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (cells > kMaxCells) return fail("more than a million cells");
    if (c == '"' && cell.empty()) {
      bool closed = false;
      for (++i; i < text.size(); ++i) {
        if (text[i] == '\n') ++line;
        if (text[i] != '"') {
          cell += text[i];
        } else if (i + 1 < text.size() && text[i + 1] == '"') {
          cell += '"';
          ++i;
        } else {
          closed = true;
          break;
        }
      }
      if (!closed) return fail("a quote does not close");
      if (i + 1 < text.size() && text[i + 1] != ',' && text[i + 1] != '\r' && text[i + 1] != '\n') {
        return fail("text behind a closing quote");
      }
    } else if (c == ',') {
      end_cell();
    } else if (c == '\n' || c == '\r') {
      if (c == '\r' && i + 1 < text.size() && text[i + 1] == '\n') ++i;
      end_cell();
      rows.push_back(std::move(row));
      row.clear();
      ++line;
    } else {
      cell += c;
    }
  }
  if (!cell.empty() || !row.empty()) {
    end_cell();
    rows.push_back(std::move(row));
  }
  return rows;
}

std::string FormatCsv(const TableRows& rows) {
  std::string out = "\xEF\xBB\xBF";
  for (const std::vector<std::string>& row : rows) {
    for (std::size_t i = 0; i < row.size(); ++i) {
      out += i == 0 ? "\"" : ",\"";
      for (const char c : row[i]) out += c == '"' ? std::string("\"\"") : std::string(1, c);
      out += '"';
    }
    out += "\r\n";
  }
  return out;
}

Table TableOf(const TableRows& rows) {
  Table table;
  for (std::size_t row = 0; row < rows.size(); ++row) {
    for (std::size_t column = 0; column < rows[row].size(); ++column)
      table.cells.push_back({row, column, rows[row][column], "", ""});
  }
  table.place = [](std::size_t row, std::size_t column) {
    return "row " + std::to_string(row + 1) + " column " + std::to_string(column + 1);
  };
  return table;
}

Result<Extraction> FromTables(const std::vector<Table>& tables, const legal::JsonSchema& schema,
                              std::string_view source) {
  std::map<std::string, legal::SchemaField> fields;
  for (legal::SchemaField& field : legal::ListFields(schema)) {
    fields.emplace(field.path, std::move(field));
  }
  TableReader reader(fields, std::string(source));
  bool found = false;
  for (const Table& table : tables) {
    Head head;
    if (!FindHead(table, &head)) continue;
    found = true;
    reader.Read(table, head);
  }
  if (!found) {
    return InvalidArgumentError(std::string(source) + ", row 1: expected columns 字段 and 值, as " +
                                "zhibi doctypes template prints them");
  }
  ZB_ASSIGN_OR_RETURN(Extraction result, reader.Take());
  MapToSchema({}, "", {}, {}, schema, result);
  return result;
}

Result<Extraction> FromTable(const TableRows& rows, const legal::JsonSchema& schema,
                             std::string_view source) {
  return FromTables({TableOf(rows)}, schema, source);
}

}  // namespace zhibi::extract
