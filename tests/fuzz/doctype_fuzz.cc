// SPDX-License-Identifier: Apache-2.0
// Foreign bytes as the files of a document type: doctype.json (an object with "clauses"), a statute
// table ("statutes"), a table of rates ("one_year"), otherwise a schema, which then checks and
// normalises a small case and itself.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "base/json.h"
#include "legal/data_dir.h"
#include "legal/doctype.h"
#include "legal/interest.h"
#include "legal/normalise.h"
#include "legal/statutes.h"

namespace {

namespace fs = std::filesystem;

// A copy of the data folder whose doctype.json is replaced by each input.
const fs::path& Folder() {
  static const fs::path folder = [] {
    std::string name = (fs::temp_directory_path() / "zhibi-doctype-fuzz-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) std::abort();
    const auto data = zhibi::legal::FindDataDir();
    fs::copy(data.ok() ? *data : "data", name, fs::copy_options::recursive);
    std::atexit([] { fs::remove_all(Folder()); });
    return fs::path(name);
  }();
  return folder;
}

void TryDoctype(std::string_view text) {
  std::ofstream(Folder() / "doctypes" / "civil-complaint" / "doctype.json", std::ios::binary)
      << text;
  const auto doctype = zhibi::legal::Doctype::Load(Folder().string(), "civil-complaint");
  if (!doctype.ok()) return;
  const zhibi::legal::Date today{2026, 11, 30};
  static_cast<void>(doctype->Plan(nlohmann::json::object(), today));
  zhibi::legal::PlanOptions options;
  options.allow_missing = true;
  static_cast<void>(doctype->Plan(nlohmann::json::object(), today, options));
  static_cast<void>(doctype->Branches());
  static_cast<void>(doctype->SharedBranches());
  static_cast<void>(doctype->ConditionalClauses());
  static_cast<void>(doctype->structure());
  if (!doctype->has_from_case()) return;
  static const nlohmann::json kCase = nlohmann::json::parse(
      R"({"court": "北京市朝阳区人民法院", "parties": [{"name": "甲", "kind": "natural",
      "role": "plaintiff"}, {"name": "乙", "kind": "natural", "role": "defendant"}]})");
  static_cast<void>(doctype->ElementsFromCase(kCase, today));
}

void TrySchema(nlohmann::json json) {
  const auto schema = zhibi::legal::JsonSchema::FromJson(json, "fuzz");
  if (!schema.ok()) return;
  nlohmann::json value = nlohmann::json::parse(
      R"({"name": "甲", "day": "2024年3月5日", "sum": "5万元", "list": [1, 1, {"a": null}],
    "rate": "12%", "id": "11010519491231002X", "code": "91330100799655058B", "text": " a\nb "})");
  std::vector<zhibi::legal::Violation> violations = schema->Validate(value);
  zhibi::legal::Normalise(*schema, value, violations);
  static_cast<void>(schema->Validate(json));
  static_cast<void>(zhibi::legal::FormatViolations(violations));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  auto json = zhibi::base::ParseJson(text, "fuzz");
  if (!json.ok()) return 0;
  if (json->is_object() && json->contains("clauses")) {
    TryDoctype(text);
  } else if (json->is_object() && json->contains("statutes")) {
    const auto table = zhibi::legal::StatuteTable::FromJson(*json, "fuzz");
    if (table.ok() && table->Find("a") != nullptr) {
      static_cast<void>(
          zhibi::legal::FormatCitations({{table->Find("a"), 1}, {table->Find("a"), 2}}));
    }
  } else if (json->is_object() && json->contains("one_year")) {
    const auto table = zhibi::legal::LprTable::FromJson(*json, "fuzz");
    if (table.ok()) static_cast<void>(table->At({2024, 3, 5}));
  } else {
    TrySchema(*json);
  }
  return 0;
}
