// SPDX-License-Identifier: Apache-2.0
// Checks one value against one schema and collects what is wrong. Used by JsonSchema::Validate. One
// thread.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "legal/json_schema.h"

namespace zhibi::legal {

class SchemaValidator {
 public:
  explicit SchemaValidator(const JsonSchema& schema) : schema_(schema) {}

  void Check(const nlohmann::json& schema, const nlohmann::json& value, const FieldPath& at,
             int depth);
  std::vector<Violation> Take() { return std::move(violations_); }

 private:
  void CheckType(const nlohmann::json& schema, const nlohmann::json& value, const FieldPath& at);
  void CheckValues(const nlohmann::json& schema, const nlohmann::json& value, const FieldPath& at);
  void CheckNumber(const nlohmann::json& schema, const nlohmann::json& value, const FieldPath& at);
  void CheckString(const nlohmann::json& schema, const nlohmann::json& value, const FieldPath& at);
  void CheckArray(const nlohmann::json& schema, const nlohmann::json& value, const FieldPath& at,
                  int depth);
  void CheckObject(const nlohmann::json& schema, const nlohmann::json& value, const FieldPath& at,
                   int depth);
  void CheckCombined(const nlohmann::json& schema, const nlohmann::json& value, const FieldPath& at,
                     int depth);
  // Violations of the value against a schema, without recording them.
  std::vector<Violation> Try(const nlohmann::json& schema, const nlohmann::json& value,
                             const FieldPath& at, int depth);
  void Add(const FieldPath& at, std::string_view rule, std::string zh, std::string en);

  const JsonSchema& schema_;
  std::vector<Violation> violations_;
};

}  // namespace zhibi::legal
