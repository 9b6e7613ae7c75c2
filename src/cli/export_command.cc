// SPDX-License-Identifier: Apache-2.0
#include "cli/export_command.h"

#include <cstdio>
#include <filesystem>
#include <string_view>
#include <utility>

#include <nlohmann/json.hpp>

#include "base/file.h"
#include "base/json.h"
#include "base/status_macros.h"
#include "export/docx_reader.h"
#include "export/docx_writer.h"
#include "export/layout.h"
#include "export/pdf_writer.h"
#include "export/text_writer.h"
#include "legal/data_dir.h"
#include "legal/document.h"
#include "legal/input_text.h"

namespace zhibi::cli {
namespace {

constexpr std::size_t kMaxInputBytes = std::size_t{64} << 20;

// A text without structure: every line is a paragraph that a person wrote.
legal::Document FromText(std::string_view text) {
  legal::Document document;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    std::string line(text.substr(0, end));
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    if (line.ends_with('\r')) line.pop_back();
    if (line.find_first_not_of(" \t") == std::string::npos) continue;
    legal::Block block;
    block.id = "text-" + std::to_string(document.blocks.size() + 1);
    block.clause = "text";
    block.paragraph.id = block.id;
    if (document.blocks.empty()) block.paragraph.style = "title";
    block.paragraph.runs.push_back({std::move(line), legal::RunSource::kPerson, "", false});
    document.blocks.push_back(std::move(block));
  }
  if (!document.blocks.empty()) document.title = document.blocks.front().paragraph.runs[0].text;
  return document;
}

Result<legal::Document> ReadDocument(const std::string& path) {
  ZB_ASSIGN_OR_RETURN(std::string bytes, base::ReadFile(path, kMaxInputBytes));
  if (bytes.starts_with("PK")) {
    ZB_ASSIGN_OR_RETURN(const std::string text, exporting::ReadDocxText(bytes, path));
    return FromText(text);
  }
  ZB_ASSIGN_OR_RETURN(const legal::InputText text, legal::DecodeInput(std::move(bytes), path));
  if (!path.ends_with(".json") && !text.utf8.starts_with('{')) return FromText(text.utf8);
  ZB_ASSIGN_OR_RETURN(const nlohmann::json json, base::ParseJson(text.utf8, path));
  Result<legal::Document> document = legal::DocumentFromJson(json);
  if (!document.ok()) return std::move(document).status().WithContext(path);
  return document;
}

std::string FormatOf(const ExportOptions& options) {
  if (!options.format.empty()) return options.format;
  const std::string extension = std::filesystem::path(options.out).extension().string();
  return extension.empty() ? "docx" : extension.substr(1);
}

Result<std::string> Write(const legal::Document& document, const std::string& format,
                          const ExportOptions& options) {
  if (format == "txt") return exporting::WriteText(document);
  if (format == "md") return exporting::WriteMarkdown(document);
  if (format != "docx" && format != "pdf")
    return InvalidArgumentError("--format " + format + ": expected docx, pdf, md or txt");
  ZB_ASSIGN_OR_RETURN(const std::string data_dir, legal::FindDataDir());
  ZB_ASSIGN_OR_RETURN(const exporting::Layout layout,
                      exporting::LayoutOf(data_dir, document, options.layout));
  if (format == "docx") return exporting::WriteDocx(document, layout);
  ZB_ASSIGN_OR_RETURN(exporting::PdfFile pdf,
                      exporting::WritePdf(document, layout, {.fonts_dir = options.fonts}));
  for (const std::string& note : pdf.notes) std::fprintf(stderr, "%s\n", note.c_str());
  return std::move(pdf.bytes);
}

}  // namespace

Status RunExport(const ExportOptions& options) {
  ZB_ASSIGN_OR_RETURN(const legal::Document document, ReadDocument(options.file));
  if (document.blocks.empty())
    return InvalidArgumentError(options.file + ": 没有内容 / there is nothing to export");
  ZB_ASSIGN_OR_RETURN(const std::string bytes, Write(document, FormatOf(options), options));
  return base::WriteFileAtomic(options.out, bytes);
}

}  // namespace zhibi::cli
