// SPDX-License-Identifier: Apache-2.0
// Foreign bytes as a table of elements (CSV), as a mapping of a redaction, and as paths: an answer
// or a status, never a crash, and what was read keeps to the schema's fields.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

#include "base/json.h"
#include "extract/table.h"
#include "legal/element_path.h"
#include "legal/json_schema.h"
#include "redact/redact.h"

namespace {

const zhibi::legal::JsonSchema& Schema() {
  static const zhibi::legal::JsonSchema schema = [] {
    const char* text = R"({"type": "object", "required": ["court", "loan"], "properties": {
      "court": {"type": "string", "title": "法院"}, "urgent": {"type": "boolean", "title": "紧急"},
      "count": {"type": "integer", "title": "份数"},
      "loan": {"type": "object", "title": "借款", "required": ["date"], "properties": {
        "date": {"type": "string", "title": "日期", "x-kind": "date"},
        "amount": {"type": ["string", "number"], "title": "金额", "x-kind": "money", "x-into": "amount_fen"},
        "amount_fen": {"type": "integer", "title": "金额（分）"}}},
      "parties": {"type": "array", "title": "当事人", "items": {"type": "object", "required": ["name"],
        "properties": {"name": {"type": "string", "title": "姓名"}, "age": {"type": "number", "title": "年龄"}}}}}})";
    auto json = zhibi::base::ParseJson(text, "schema");
    auto made = zhibi::legal::JsonSchema::FromJson(json.ok() ? *json : nlohmann::json(), "schema");
    if (!made.ok()) {
      std::fprintf(stderr, "%s\n", made.status().message().c_str());
      std::abort();
    }
    return *made;
  }();
  return schema;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  if (const auto rows = zhibi::extract::ParseCsv(text, "fuzz.csv"); rows.ok()) {
    const auto extraction = zhibi::extract::FromTable(*rows, Schema(), "fuzz.csv");
    if (extraction.ok()) (void)extraction->elements.dump();
  }
  if (const auto json = zhibi::base::ParseJson(text, "fuzz"); json.ok()) {
    const auto mapping = zhibi::redact::MappingFromJson(*json, "fuzz");
    if (mapping.ok()) (void)zhibi::redact::Restore(text, *mapping);
    (void)zhibi::redact::NamesOfElements(*json);
  }
  nlohmann::json root;
  (void)zhibi::legal::SetPath(std::string(text.substr(0, 64)), 1, root);
  return 0;
}
