// SPDX-License-Identifier: Apache-2.0
#include "legal/document.h"

#include <array>
#include <utility>

#include <nlohmann/json.hpp>

#include "base/status_macros.h"

namespace zhibi::legal {
namespace {

using nlohmann::json;

constexpr std::array<std::string_view, 5> kSourceNames = {"skeleton", "element", "computed",
                                                          "model", "person"};

json RunJson(const Run& run) {
  json out = {{"text", run.text}, {"source", std::string(RunSourceName(run.source))}};
  if (!run.path.empty()) out["path"] = run.path;
  if (run.bold) out["bold"] = true;
  return out;
}

json ParagraphJson(const Paragraph& paragraph) {
  json runs = json::array();
  for (const Run& run : paragraph.runs) runs.push_back(RunJson(run));
  return {{"id", paragraph.id}, {"style", paragraph.style}, {"runs", std::move(runs)}};
}

json TableJson(const Table& table) {
  json rows = json::array();
  for (const std::vector<TableCell>& row : table.rows) {
    json cells = json::array();
    for (const TableCell& cell : row) {
      json paragraphs = json::array();
      for (const Paragraph& paragraph : cell.paragraphs)
        paragraphs.push_back(ParagraphJson(paragraph));
      json out = {{"paragraphs", std::move(paragraphs)}};
      if (cell.column_span != 1) out["column_span"] = cell.column_span;
      cells.push_back(std::move(out));
    }
    rows.push_back(std::move(cells));
  }
  return {{"column_percent", table.column_percent},
          {"header_rows", table.header_rows},
          {"rows", std::move(rows)}};
}

// Reads members with their JSON pointer in messages.
class Reader {
 public:
  Reader(const json& value, std::string pointer) : value_(value), pointer_(std::move(pointer)) {}

  Status Expect(json::value_t type, std::string_view expected) const {
    const bool integer = type == json::value_t::number_integer && value_.is_number_integer();
    if (integer || value_.type() == type) return OkStatus();
    return InvalidArgumentError("document: " + (pointer_.empty() ? "/" : pointer_) + ": expected " +
                                std::string(expected) + ", got " + value_.type_name());
  }
  Result<Reader> Member(const char* key) const {
    ZB_RETURN_IF_ERROR(Expect(json::value_t::object, "an object"));
    const auto found = value_.find(key);
    if (found == value_.end())
      return InvalidArgumentError("document: " + pointer_ + "/" + key + ": is missing");
    return Reader(*found, pointer_ + "/" + key);
  }
  bool Has(const char* key) const { return value_.is_object() && value_.contains(key); }
  Result<std::string> Text() const {
    ZB_RETURN_IF_ERROR(Expect(json::value_t::string, "a string"));
    return value_.get<std::string>();
  }
  Result<std::string> Text(const char* key) const {
    ZB_ASSIGN_OR_RETURN(const Reader member, Member(key));
    return member.Text();
  }
  Result<std::string> TextOr(const char* key, const char* otherwise) const {
    return Has(key) ? Text(key) : Result<std::string>(std::string(otherwise));
  }
  Result<int> Integer(const char* key, int low, int high) const {
    ZB_ASSIGN_OR_RETURN(const Reader member, Member(key));
    return member.Integer(low, high);
  }
  Result<int> Integer(int low, int high) const {
    ZB_RETURN_IF_ERROR(Expect(json::value_t::number_integer, "an integer"));
    const bool huge =
        value_.is_number_unsigned() && value_.get<std::uint64_t>() > static_cast<unsigned>(high);
    const auto number = huge ? std::int64_t{high} + 1 : value_.get<std::int64_t>();
    if (number < low || number > high) {
      return InvalidArgumentError("document: " + pointer_ + ": expected " + std::to_string(low) +
                                  " to " + std::to_string(high) + ", got " + value_.dump());
    }
    return static_cast<int>(number);
  }
  template <typename T, typename Read>
  Result<std::vector<T>> List(const char* key, Read read) const {
    ZB_ASSIGN_OR_RETURN(const Reader member, Member(key));
    return member.template Items<T>(read);
  }
  template <typename T, typename Read>
  Result<std::vector<T>> Items(Read read) const {
    ZB_RETURN_IF_ERROR(Expect(json::value_t::array, "a list"));
    std::vector<T> out;
    for (std::size_t i = 0; i < value_.size(); ++i) {
      ZB_ASSIGN_OR_RETURN(T item, read(Reader(value_[i], pointer_ + "/" + std::to_string(i))));
      out.push_back(std::move(item));
    }
    return out;
  }
  const json& value() const { return value_; }
  const std::string& pointer() const { return pointer_; }

 private:
  const json& value_;
  std::string pointer_;
};

Result<Run> ReadRun(const Reader& reader) {
  Run run;
  ZB_ASSIGN_OR_RETURN(run.text, reader.Text("text"));
  if (run.text.find('\n') != std::string::npos)
    return InvalidArgumentError("document: " + reader.pointer() +
                                "/text: expected no line feed in a run");
  ZB_ASSIGN_OR_RETURN(const std::string source, reader.Text("source"));
  bool known = false;
  for (std::size_t i = 0; i < kSourceNames.size(); ++i) {
    if (kSourceNames[i] != source) continue;
    run.source = static_cast<RunSource>(i);
    known = true;
  }
  if (!known) {
    return InvalidArgumentError(
        "document: " + reader.pointer() +
        "/source: expected skeleton, element, computed, model or person, got " + source);
  }
  ZB_ASSIGN_OR_RETURN(run.path, reader.TextOr("path", ""));
  if (reader.Has("bold")) {
    ZB_ASSIGN_OR_RETURN(const Reader bold, reader.Member("bold"));
    ZB_RETURN_IF_ERROR(bold.Expect(json::value_t::boolean, "true or false"));
    run.bold = bold.value().get<bool>();
  }
  return run;
}

Result<Paragraph> ReadParagraph(const Reader& reader) {
  Paragraph paragraph;
  ZB_ASSIGN_OR_RETURN(paragraph.id, reader.Text("id"));
  ZB_ASSIGN_OR_RETURN(paragraph.style, reader.TextOr("style", "body"));
  ZB_ASSIGN_OR_RETURN(paragraph.runs, reader.List<Run>("runs", ReadRun));
  return paragraph;
}

Result<TableCell> ReadCell(const Reader& reader) {
  TableCell cell;
  ZB_ASSIGN_OR_RETURN(cell.paragraphs, reader.List<Paragraph>("paragraphs", ReadParagraph));
  if (reader.Has("column_span")) {
    ZB_ASSIGN_OR_RETURN(cell.column_span, reader.Integer("column_span", 1, 100));
  }
  return cell;
}

Result<Table> ReadTable(const Reader& reader) {
  Table table;
  ZB_ASSIGN_OR_RETURN(
      table.column_percent,
      reader.List<int>("column_percent", [](const Reader& item) { return item.Integer(1, 100); }));
  ZB_ASSIGN_OR_RETURN(table.header_rows, reader.Integer("header_rows", 0, 1000));
  ZB_ASSIGN_OR_RETURN(
      table.rows, reader.List<std::vector<TableCell>>(
                      "rows", [](const Reader& row) { return row.Items<TableCell>(ReadCell); }));
  return table;
}

Result<Block> ReadBlock(const Reader& reader) {
  Block block;
  ZB_ASSIGN_OR_RETURN(block.id, reader.Text("id"));
  ZB_ASSIGN_OR_RETURN(block.clause, reader.Text("clause"));
  block.is_table = reader.Has("table");
  if (block.is_table) {
    ZB_ASSIGN_OR_RETURN(const Reader table, reader.Member("table"));
    ZB_ASSIGN_OR_RETURN(block.table, ReadTable(table));
  } else {
    ZB_ASSIGN_OR_RETURN(const Reader paragraph, reader.Member("paragraph"));
    ZB_ASSIGN_OR_RETURN(block.paragraph, ReadParagraph(paragraph));
  }
  return block;
}

}  // namespace

std::string_view RunSourceName(RunSource source) {
  return kSourceNames[static_cast<std::size_t>(source)];
}

std::string PlainText(const Document& document) {
  std::string text;
  const auto put = [&text](const Paragraph& paragraph) {
    for (const Run& run : paragraph.runs) text += run.text;
  };
  for (const Block& block : document.blocks) {
    if (!block.is_table) {
      put(block.paragraph);
      text += '\n';
      continue;
    }
    for (const std::vector<TableCell>& row : block.table.rows) {
      for (std::size_t i = 0; i < row.size(); ++i) {
        if (i > 0) text += "｜";
        for (std::size_t k = 0; k < row[i].paragraphs.size(); ++k) {
          if (k > 0) text += "↵";
          put(row[i].paragraphs[k]);
        }
      }
      text += '\n';
    }
  }
  return text;
}

nlohmann::json ToJson(const Document& document) {
  json blocks = json::array();
  for (const Block& block : document.blocks) {
    json out = {{"id", block.id}, {"clause", block.clause}};
    if (block.is_table) {
      out["table"] = TableJson(block.table);
    } else {
      out["paragraph"] = ParagraphJson(block.paragraph);
    }
    blocks.push_back(std::move(out));
  }
  return {{"format", 1},
          {"doctype", document.doctype},
          {"title", document.title},
          {"layout", document.layout},
          {"ai_label", document.ai_label},
          {"metadata", document.metadata},
          {"blocks", std::move(blocks)}};
}

Result<Document> DocumentFromJson(const nlohmann::json& value) {
  const Reader reader(value, "");
  Document document;
  ZB_RETURN_IF_ERROR(reader.Expect(json::value_t::object, "an object"));
  ZB_RETURN_IF_ERROR([&]() -> Status {
    const Result<int> format = reader.Integer("format", 1, 1);
    return format.ok() ? OkStatus() : format.status();
  }());
  ZB_ASSIGN_OR_RETURN(document.doctype, reader.Text("doctype"));
  ZB_ASSIGN_OR_RETURN(document.title, reader.Text("title"));
  ZB_ASSIGN_OR_RETURN(document.layout, reader.TextOr("layout", ""));
  ZB_ASSIGN_OR_RETURN(document.ai_label, reader.TextOr("ai_label", ""));
  if (reader.Has("metadata")) {
    ZB_ASSIGN_OR_RETURN(const Reader metadata, reader.Member("metadata"));
    ZB_RETURN_IF_ERROR(metadata.Expect(json::value_t::object, "an object"));
    for (const auto& [key, text] : metadata.value().items()) {
      ZB_ASSIGN_OR_RETURN(document.metadata[key], Reader(text, "/metadata/" + key).Text());
    }
  }
  ZB_ASSIGN_OR_RETURN(document.blocks, reader.List<Block>("blocks", ReadBlock));
  return document;
}

}  // namespace zhibi::legal
