// SPDX-License-Identifier: Apache-2.0
#include "export/text_writer.h"

#include <cstddef>
#include <string_view>

#include "export/flow.h"

namespace zhibi::exporting {
namespace {

std::string Escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (std::string_view("\\`*_[]<>|#").find(c) != std::string_view::npos) out += '\\';
    out += c;
  }
  return out;
}

std::string MarkdownRuns(const legal::Paragraph& paragraph) {
  std::string out;
  for (const legal::Run& run : paragraph.runs) {
    const std::string text = Escaped(run.text);
    out += run.bold && !text.empty() ? "**" + text + "**" : text;
  }
  return out;
}

void AppendTable(const legal::Table& table, std::string& out) {
  const std::size_t columns = table.column_percent.empty() ? 1 : table.column_percent.size();
  const auto rule = [&] {
    out += "|";
    for (std::size_t i = 0; i < columns; ++i) out += " --- |";
    out += "\n";
  };
  // Markdown wants exactly one head row; a table without one gets an empty one.
  if (table.header_rows == 0) {
    out += "|" + std::string(columns, '|') + "\n";
    rule();
  }
  for (std::size_t r = 0; r < table.rows.size(); ++r) {
    out += "|";
    for (const legal::TableCell& cell : table.rows[r]) {
      out += " ";
      for (std::size_t p = 0; p < cell.paragraphs.size(); ++p)
        out += (p > 0 ? "<br>" : "") + MarkdownRuns(Trimmed(cell.paragraphs[p]));
      out += " |";
      for (int i = 1; i < cell.column_span; ++i) out += " |";
    }
    out += "\n";
    if (table.header_rows > 0 && r == 0) rule();
  }
  out += "\n";
}

}  // namespace

std::string WriteText(const legal::Document& document) {
  std::string out = legal::PlainText(document);
  const std::string label = VisibleLabel(document);
  if (!label.empty() && out.find(label) == std::string::npos) out += label + "\n";
  return out;
}

std::string WriteMarkdown(const legal::Document& document) {
  std::string out;
  for (const legal::Block& block : document.blocks) {
    if (block.is_table) {
      AppendTable(block.table, out);
      continue;
    }
    const std::string& style = block.paragraph.style;
    if (style == "title" || style == "court") out += "# ";
    if (style == "heading") out += "## ";
    out += MarkdownRuns(Trimmed(block.paragraph)) + "\n\n";
  }
  const std::string label = VisibleLabel(document);
  if (!label.empty()) out += "> " + Escaped(label) + "\n";
  return out;
}

}  // namespace zhibi::exporting
