// SPDX-License-Identifier: Apache-2.0
#include "cli/extract_command.h"

#include <cstdio>
#include <optional>
#include <vector>

#include <nlohmann/json.hpp>

#include "base/file.h"
#include "base/status_macros.h"
#include "cli/extract_view.h"
#include "cli/read_text.h"
#include "entity/recogniser.h"
#include "extract/extract.h"
#include "extract/form.h"
#include "extract/table.h"
#include "legal/data_dir.h"
#include "legal/doctype.h"

namespace zhibi::cli {
Status RunExtract(const ExtractOptions& options) {
  ZB_ASSIGN_OR_RETURN(std::string bytes, ReadDocumentBytes(options.file));
  ZB_ASSIGN_OR_RETURN(const std::string data_dir, legal::FindDataDir());
  std::optional<legal::Doctype> doctype;
  if (!options.doctype.empty()) {
    ZB_ASSIGN_OR_RETURN(doctype, legal::Doctype::Load(data_dir, options.doctype));
  }
  const bool sheets = IsSpreadsheet(bytes, options.file);
  if ((sheets || options.file.ends_with(".csv")) && !doctype) {
    return InvalidArgumentError("--doctype：表格须指明文书类型 / a table needs a document type");
  }
  extract::Extraction extraction;
  std::string text;
  bool common_only = false;
  if (sheets) {
    ZB_ASSIGN_OR_RETURN(const auto tables, ReadSheets(bytes, options.file));
    ZB_ASSIGN_OR_RETURN(extraction, extract::FromTables(tables, doctype->schema(), options.file));
  } else if (options.file.ends_with(".csv")) {
    ZB_ASSIGN_OR_RETURN(text, TextOfBytes(std::move(bytes), options.file));
    ZB_ASSIGN_OR_RETURN(const extract::TableRows rows, extract::ParseCsv(text, options.file));
    ZB_ASSIGN_OR_RETURN(extraction, extract::FromTable(rows, doctype->schema(), options.file));
  } else {
    ZB_ASSIGN_OR_RETURN(text, TextOfBytes(std::move(bytes), options.file));
    ZB_ASSIGN_OR_RETURN(const entity::Recogniser recogniser, entity::Recogniser::Load(data_dir));
    ZB_ASSIGN_OR_RETURN(const extract::Extractor extractor, extract::Extractor::Create(recogniser));
    ZB_ASSIGN_OR_RETURN(const auto rules, extract::LoadRules(data_dir, options.doctype));
    common_only = rules.empty() && !extract::IsForm(text);
    ZB_ASSIGN_OR_RETURN(extraction,
                        extractor.Extract(text, doctype ? &doctype->schema() : nullptr, rules));
  }
  if (!options.out.empty()) {
    ZB_RETURN_IF_ERROR(base::WriteFileAtomic(options.out, extraction.elements.dump(2) + "\n"));
  }
  if (options.json) {
    std::printf("%s\n", extract::ToJson(extraction, text).dump(2).c_str());
  } else {
    ExtractView view;
    view.text = text;
    if (sheets || options.file.ends_with(".csv")) view.text = {};
    if (doctype) {
      view.title = doctype->title();
      view.schema = &doctype->schema();
      if (common_only) view.common_only = options.doctype;
    }
    std::fputs(ViewAsText(extraction, view).c_str(), stdout);
  }
  return OkStatus();
}

}  // namespace zhibi::cli
