// SPDX-License-Identifier: Apache-2.0
// Foreign bytes as a DOCX: its text, and as an edited draft with and without the draft. A document
// or a status, never a crash; what is read back is a document in every way that a draft is one.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

#include "export/docx_import.h"
#include "export/docx_reader.h"
#include "legal/document.h"
#include "support/office_parts.h"

namespace {

using zhibi::legal::Document;

Document Known() {
  Document document;
  document.doctype = "civil-complaint";
  for (const char* id : {"a", "b", "c"}) {
    zhibi::legal::Block block;
    block.id = id;
    block.clause = id;
    block.paragraph.id = id;
    block.paragraph.runs = {{std::string("第") + id + "段的文字，足够长以便认出来。",
                             zhibi::legal::RunSource::kSkeleton, "", false}};
    document.blocks.push_back(block);
  }
  zhibi::legal::Block table;
  table.id = "t";
  table.clause = "t";
  table.is_table = true;
  table.table.column_percent = {30, 70};
  table.table.header_rows = 1;
  table.table.rows.assign(2, std::vector<zhibi::legal::TableCell>(2));
  for (auto& row : table.table.rows) {
    for (auto& cell : row) {
      cell.paragraphs = {{"", "cell", {{"项目", zhibi::legal::RunSource::kElement, "a.b", false}}}};
    }
  }
  document.blocks.push_back(table);
  return document;
}

void Import(std::string_view bytes, const Document* known, bool accept) {
  const auto imported = zhibi::exporting::ImportDocx(bytes, "fuzz.docx", known, accept);
  if (!imported.ok()) return;
  (void)zhibi::exporting::ChangesToJson(*imported).dump();
  const auto again = zhibi::legal::DocumentFromJson(zhibi::legal::ToJson(imported->document));
  if (!again.ok() || !(*again == imported->document)) {
    std::fprintf(
        stderr, "not a document: %s\n",
        again.ok() ? "it changes on its way through JSON" : again.status().message().c_str());
    std::abort();
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const Document known = Known();
  const std::string bytes = zhibi::testing_support::PackageOf(
      std::string_view(reinterpret_cast<const char*>(data), size));
  (void)zhibi::exporting::ReadDocxText(bytes, "fuzz.docx");
  Import(bytes, &known, true);
  Import(bytes, &known, false);
  Import(bytes, nullptr, true);
  return 0;
}
