// SPDX-License-Identifier: Apache-2.0
// The fields of a schema as a list: for forms, tables and help, and for coverage. A field within a
// shared definition is counted once, wherever the definition is used. Thread-safe.
#pragma once

#include <map>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "legal/json_schema.h"
#include "text/jinja.h"

namespace zhibi::legal {

struct SchemaField {
  std::string path;   // "plaintiffs[0].name"
  std::string field;  // "原告第1项 › 姓名或名称"
  std::string title;
  std::string description;
  std::string type;                 // "string", "number", "integer", "boolean"; what it is given as
  std::string kind;                 // x-kind; may be empty
  std::vector<std::string> values;  // of an enum
  bool required = false;            // within its object
  bool human_only = false;
};

// Leaves in the order of the schema; the first element stands for a list. Properties that
// normalising fills (x-implied) are left out.
std::vector<SchemaField> ListFields(const JsonSchema& schema);

// An object with every field, leaves null.
nlohmann::ordered_json BlankElements(const JsonSchema& schema);

// How often each optional property was there (taken) and not there although its object was
// (skipped), by name: "loan.purpose", "common.party.sex".
using FieldCounts = std::map<std::string, text::BranchLog::Count>;
// Every optional property with zeros.
void ListOptional(const JsonSchema& schema, FieldCounts& counts);
void CountOptional(const JsonSchema& schema, const nlohmann::json& elements, FieldCounts& counts);

}  // namespace zhibi::legal
