// SPDX-License-Identifier: Apache-2.0
#include "cli/import_command.h"

#include <cstdio>
#include <optional>
#include <string>
#include <utility>

#include <nlohmann/json.hpp>

#include "base/file.h"
#include "base/json.h"
#include "base/status_macros.h"
#include "cli/read_text.h"
#include "export/docx_import.h"
#include "legal/document.h"

namespace zhibi::cli {
namespace {

constexpr std::size_t kMaxDocumentBytes = std::size_t{64} << 20;

const char* FateZh(exporting::Fate fate) {
  switch (fate) {
    case exporting::Fate::kKept:
      return "保留";
    case exporting::Fate::kMoved:
      return "移动";
    case exporting::Fate::kSplit:
      return "拆分";
    case exporting::Fate::kMerged:
      return "合并";
    case exporting::Fate::kDeleted:
      return "删除";
    case exporting::Fate::kNew:
      return "新增";
  }
  return "新增";
}

// A change that spans paragraphs stays one line of the report.
std::string OneLine(std::string text) {
  while (!text.empty() && text.back() == '\n') text.pop_back();
  for (std::size_t at = 0; (at = text.find('\n', at)) != std::string::npos; at += 3)
    text.replace(at, 1, "⏎");
  return text;
}

void Print(const exporting::ImportedDocument& imported) {
  std::size_t untouched = 0;
  for (const exporting::BlockChange& change : imported.changes) {
    if (change.fate == exporting::Fate::kKept && !change.text_changed && !change.format_changed) {
      ++untouched;
      continue;
    }
    std::string more;
    if (change.text_changed) more += " 文字";
    if (change.format_changed) more += " 格式";
    for (const std::string& id : change.related) more += " " + id;
    if (change.found_by_text) more += " 书签已失，按文字认出";
    std::printf("%s\t%s\t%s\n", FateZh(change.fate), change.id.c_str(), more.c_str());
  }
  for (const exporting::TrackedChange& change : imported.tracked)
    std::printf("修订 %s\t%s\t%s\n", change.kind.c_str(), change.author.c_str(),
                OneLine(change.text).c_str());
  for (const exporting::LeftOut& left : imported.left_out)
    std::printf("未入正文 %s\t%s\t%s\n", left.kind.c_str(), left.author.c_str(),
                OneLine(left.text).c_str());
  std::printf("未改 / untouched: %zu\n", untouched);
}

}  // namespace

Status RunImport(const ImportOptions& options) {
  ZB_ASSIGN_OR_RETURN(const std::string bytes, ReadDocumentBytes(options.file));
  std::optional<legal::Document> known;
  if (!options.document.empty()) {
    ZB_ASSIGN_OR_RETURN(const nlohmann::json json,
                        base::ReadJsonFile(options.document, kMaxDocumentBytes));
    Result<legal::Document> document = legal::DocumentFromJson(json);
    if (!document.ok()) return std::move(document).status().WithContext(options.document);
    known = std::move(document).value();
  }
  ZB_ASSIGN_OR_RETURN(const exporting::ImportedDocument imported,
                      exporting::ImportDocx(bytes, options.file, known ? &*known : nullptr,
                                            !options.reject_tracked));
  if (!options.out.empty()) {
    ZB_RETURN_IF_ERROR(
        base::WriteFileAtomic(options.out, legal::ToJson(imported.document).dump(2) + "\n"));
  }
  if (options.json) {
    std::printf("%s\n", exporting::ChangesToJson(imported).dump(2).c_str());
  } else {
    Print(imported);
  }
  return OkStatus();
}

}  // namespace zhibi::cli
