// SPDX-License-Identifier: Apache-2.0
#include "export/pdf/pdf_samples.h"

#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <utility>

#include "base/file.h"
#include "base/utf8.h"

namespace zhibi::exporting {
namespace {

constexpr std::string_view kCharacters =
    "原告被告法院民事判决书借款本金利息合同约定偿还责任承担担保证据事实理由依据规定诉讼请求"
    "审理查明认为综上所述驳回支付清偿期间届满";

// The number after `key="` in a tag.
double Attribute(std::string_view tag, std::string_view key) {
  const std::size_t at = tag.find(std::string(key) + "=\"");
  if (at == std::string_view::npos) return -1;
  return std::strtod(std::string(tag.substr(at + key.size() + 2)).c_str(), nullptr);
}

}  // namespace

Layout LoadShipped(const std::string& id) {
  Result<Layout> layout = LoadLayout(std::string(ZHIBI_SOURCE_DIR) + "/data", id);
  EXPECT_TRUE(layout.ok()) << layout.status().ToString();
  return *layout;
}

std::string Characters(std::size_t count) {
  static const std::vector<std::string_view> kAll = base::Characters(kCharacters);
  std::string out;
  for (std::size_t i = 0; i < count; ++i) out += kAll[i % kAll.size()];
  return out;
}

legal::Block Text(const std::string& style, const std::string& text, legal::RunSource source,
                  const std::string& path) {
  legal::Block block;
  block.paragraph.style = style;
  block.paragraph.runs = {{text, source, path, false}};
  return block;
}

legal::Document Document(std::vector<legal::Block> blocks) {
  legal::Document document;
  document.title = "样本";
  document.ai_label = "（部分内容由人工智能辅助生成）";
  document.blocks = std::move(blocks);
  for (std::size_t i = 0; i < document.blocks.size(); ++i)
    document.blocks[i].id = "b-" + std::to_string(i);
  return document;
}

legal::Block TableOf(std::size_t rows, const std::string& cell) {
  const auto row = [](const std::string& left, const std::string& right) {
    std::vector<legal::TableCell> cells(2);
    cells[0].paragraphs = {Text("cell", left).paragraph};
    cells[1].paragraphs = {Text("cell", right).paragraph};
    return cells;
  };
  legal::Block block;
  block.is_table = true;
  block.table.column_percent = {30, 70};
  block.table.header_rows = 1;
  block.table.rows.push_back(row("项目", "内容"));
  for (std::size_t i = 0; i < rows; ++i)
    block.table.rows.push_back(row("第" + std::to_string(i + 1) + "行", cell));
  return block;
}

Typesetter::Typesetter(const std::string& layout_id) : layout(LoadShipped(layout_id)) {
  Result<std::unique_ptr<Fonts>> opened = Fonts::Open(layout, "");
  EXPECT_TRUE(opened.ok()) << opened.status().ToString();
  fonts = std::move(*opened);
  shaper = std::make_unique<Shaper>(layout, *fonts);
}

TypesetDocument Typesetter::Set(const legal::Document& document) {
  Result<TypesetDocument> placed = Typeset(document, layout, *shaper);
  EXPECT_TRUE(placed.ok()) << placed.status().ToString();
  return placed.ok() ? std::move(*placed) : TypesetDocument{};
}

std::string TextOf(const PlacedLine& line) {
  std::string text;
  for (const GlyphRun& run : line.runs) text += run.text;
  return text;
}

std::vector<std::string> LinesOf(const PlacedPage& page) {
  std::vector<std::string> lines;
  lines.reserve(page.lines.size());
  for (const PlacedLine& line : page.lines) lines.push_back(TextOf(line));
  return lines;
}

bool HasCommand(const std::string& name) {
  int status = 0;
  OutputOf("command -v " + name, &status);
  return status == 0;
}

std::string OutputOf(const std::string& command, int* status) {
  std::string out;
  FILE* pipe = popen((command + " 2>/dev/null").c_str(), "r");
  *status = 127;
  if (pipe == nullptr) return out;
  std::array<char, 4096> buffer;
  for (std::size_t got = 0; (got = fread(buffer.data(), 1, buffer.size(), pipe)) > 0;)
    out.append(buffer.data(), got);
  const int ended = pclose(pipe);
  *status = WIFEXITED(ended) ? WEXITSTATUS(ended) : 128;
  return out;
}

std::vector<ReadLine> ReadLines(const std::string& pdf_path) {
  int status = 0;
  const std::string html = OutputOf("pdftotext -bbox-layout '" + pdf_path + "' -", &status);
  EXPECT_EQ(status, 0);
  std::vector<ReadLine> lines;
  std::size_t page = 0;
  for (std::size_t at = html.find('<'); at != std::string::npos; at = html.find('<', at + 1)) {
    const std::string_view tag = std::string_view(html).substr(at, html.find('>', at) - at);
    if (tag.starts_with("<page")) ++page;
    if (tag.starts_with("<line")) {
      lines.push_back({page - 1, Attribute(tag, "xMin"), Attribute(tag, "xMax"),
                       Attribute(tag, "yMin"), Attribute(tag, "yMax"), ""});
    } else if (tag.starts_with("<word") && !lines.empty()) {
      const std::size_t from = at + tag.size() + 1;
      lines.back().text += html.substr(from, html.find('<', from) - from);
    }
  }
  return lines;
}

ScratchFolder::ScratchFolder() {
  std::string name = (std::filesystem::temp_directory_path() / "zhibi_pdf_XXXXXX").string();
  EXPECT_NE(mkdtemp(name.data()), nullptr);
  folder_ = name;
}

ScratchFolder::~ScratchFolder() {
  std::error_code error;
  std::filesystem::remove_all(folder_, error);
}

std::string ScratchFolder::Write(const std::string& name, std::string_view bytes) const {
  EXPECT_TRUE(base::WriteFileAtomic(Path(name), bytes).ok());
  return Path(name);
}

}  // namespace zhibi::exporting
