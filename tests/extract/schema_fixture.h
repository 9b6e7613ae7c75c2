// SPDX-License-Identifier: Apache-2.0
// A small document type's schema for tests of extraction: every type of value once.
#pragma once

#include <algorithm>
#include <string>

#include "base/json.h"
#include "extract/extract.h"
#include "legal/json_schema.h"

namespace zhibi::extract {

inline legal::JsonSchema SmallSchema() {
  const char* text =
      R"({"type": "object", "required": ["plaintiffs", "court", "note"], "properties": {
    "court": {"type": "string", "title": "法院"}, "note": {"type": "string", "title": "备注"},
    "filing_date": {"type": "string", "title": "日期", "x-kind": "date"},
    "amount": {"type": ["string", "number"], "title": "金额", "x-kind": "money"},
    "urgent": {"type": "boolean", "title": "紧急"}, "count": {"type": "integer", "title": "份数"},
    "secured": {"type": "string", "title": "担保", "enum": ["yes", "no"], "description": "yes 有，no 无",
      "x-human-only": true},
    "claims": {"type": "array", "title": "请求", "items": {"type": "string", "title": "请求"}},
    "plaintiffs": {"type": "array", "title": "原告", "items": {"type": "object", "required": ["name", "phone"],
      "properties": {"name": {"type": "string", "title": "姓名"}, "kind": {"type": "string", "title": "类型",
      "enum": ["natural", "organization"]}, "sex": {"type": "string", "title": "性别", "enum": ["男", "女"]},
      "birth_date": {"type": "string", "title": "出生"}, "id_number": {"type": "string", "title": "身份证"},
      "phone": {"type": "string", "title": "电话"}}}}}})";
  return legal::JsonSchema::FromJson(base::ParseJson(text, "schema").value(), "schema").value();
}

inline const Value* FindValue(const Extraction& extraction, const std::string& path) {
  const auto found = std::find_if(extraction.values.begin(), extraction.values.end(),
                                  [&](const Value& value) { return value.path == path; });
  return found == extraction.values.end() ? nullptr : &*found;
}

}  // namespace zhibi::extract
