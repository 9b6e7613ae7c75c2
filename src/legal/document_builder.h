// SPDX-License-Identifier: Apache-2.0
// From rendered segments to blocks of a document. What structures a document (line ends, "@style "
// at the start of a line, "｜" between cells, "↵" between the paragraphs of a cell) counts in
// template text only: the same characters in a value of the elements stay characters. A line end in
// a value starts another paragraph of the same style, in the same cell. Thread-safe.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "legal/document.h"
#include "text/jinja.h"
#include "zhibi/status.h"

namespace zhibi::legal {

// Where printed values came from: every value of the elements and of the derived values in the
// spellings that filters write. A spelling that two fields share names no field.
class ValueIndex {
 public:
  // Leaves of `value`; paths start with `prefix` ("" or "derived").
  void Add(const nlohmann::ordered_json& value, const std::string& prefix, RunSource source);
  // Source and path of a text that is not the template's.
  std::pair<RunSource, std::string> Find(const std::string& text) const;

 private:
  void Put(const std::string& text, const std::string& path, RunSource source);
  struct Entry {
    RunSource source = RunSource::kElement;
    std::string path;  // empty: more than one
  };
  std::map<std::string, Entry> entries_;
};

// How the lines of a clause become blocks.
struct BlockForm {
  std::string clause;
  std::string style = "body";
  bool is_table = false;
  std::vector<int> column_percent;
  int header_rows = 0;
};

bool IsStyleName(std::string_view name);

struct BuiltBlocks {
  std::vector<Block> blocks;  // empty lines make none
  // The same text without the marks of styles: what streams to a terminal.
  std::vector<text::RenderedSegment> text;
};

// kInvalidArgument: an unknown style, or a row with more cells than the table has columns; names
// clause and line.
Result<BuiltBlocks> BuildBlocks(const std::vector<text::RenderedSegment>& segments,
                                const BlockForm& form, const ValueIndex& values);

// Paragraphs of a text that did not come from a template (a model, a person). Ids continue after
// `blocks_before` blocks of the clause.
std::vector<Block> TextBlocks(std::string_view text, const BlockForm& form, RunSource source,
                              std::size_t blocks_before);

}  // namespace zhibi::legal
