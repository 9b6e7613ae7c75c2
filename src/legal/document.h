// SPDX-License-Identifier: Apache-2.0
// Document: a finished or running draft as paragraphs and tables with named styles, where every run
// of text knows where it came from. Drafting makes it, checks read its text, export sets it.
// Identity: a block's id ("claims-2": clause and number in it) is stable for the same plan and
// survives a trip through Word (export writes it as a bookmark). Thread rule: plain data.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "zhibi/status.h"

namespace zhibi::legal {

// Where a run of text came from. 标识办法 (2025) 4 and 5 need kModel told apart in every format.
enum class RunSource : std::uint8_t {
  kSkeleton,  // data/doctypes
  kElement,   // as the user gave it; `path` names the field
  kComputed,  // computed from elements; `path` names the derived value
  kModel,     // written by a model
  kPerson,    // typed or confirmed by a person after drafting
};
std::string_view RunSourceName(RunSource source);  // "skeleton", "element", ...

struct Run {
  std::string text;  // UTF-8, no line feed
  RunSource source = RunSource::kSkeleton;
  std::string path;  // "loan.amount", "derived.total_fen"; may be empty
  bool bold = false;

  friend bool operator==(const Run&, const Run&) = default;
};

// Styles: court, title, caseno, party, body, heading, claim, holding, addressee, signature, date,
// attachment, note, cell. A layout (data/layouts) says how each looks; an unknown style is body.
struct Paragraph {
  std::string id;
  std::string style = "body";
  std::vector<Run> runs;

  friend bool operator==(const Paragraph&, const Paragraph&) = default;
};

struct TableCell {
  std::vector<Paragraph> paragraphs;  // style "cell" if not said otherwise
  int column_span = 1;

  friend bool operator==(const TableCell&, const TableCell&) = default;
};

struct Table {
  std::vector<int> column_percent;  // adds up to 100
  int header_rows = 0;              // repeated on each page
  std::vector<std::vector<TableCell>> rows;

  friend bool operator==(const Table&, const Table&) = default;
};

struct Block {
  std::string id;
  std::string clause;  // id of the clause in doctype.json
  bool is_table = false;
  Paragraph paragraph;  // when !is_table
  Table table;          // when is_table

  friend bool operator==(const Block&, const Block&) = default;
};

struct Document {
  std::string doctype;
  std::string title;
  std::string layout;    // "court", "official", "lawfirm", "form": data/layouts/<layout>.json
  std::string ai_label;  // shown when a run is kModel; empty: none
  std::vector<Block> blocks;
  std::map<std::string, std::string> metadata;  // statute snapshot, rule set, model, content id

  friend bool operator==(const Document&, const Document&) = default;
};

// The text of the document: blocks one after the other, each ended by a line feed; a table's row is
// one line, cells joined by "｜", paragraphs of a cell by "↵".
std::string PlainText(const Document& document);

nlohmann::json ToJson(const Document& document);
// kInvalidArgument names the JSON pointer, what was expected and what came.
Result<Document> DocumentFromJson(const nlohmann::json& json);

}  // namespace zhibi::legal
