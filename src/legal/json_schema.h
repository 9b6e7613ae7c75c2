// SPDX-License-Identifier: Apache-2.0
// The subset of JSON Schema (draft 2020-12) that document types use, with messages for people who
// fill in a form: every violation names the field by its Chinese title and by its path, and all of
// them come at once. Keywords: type, enum, const, required, properties, additionalProperties (true
// or false), items, minItems, maxItems, uniqueItems, minLength, maxLength (characters), pattern
// (ECMAScript over characters, on strings up to 512 bytes), minimum, maximum, exclusiveMinimum,
// exclusiveMaximum, oneOf, anyOf, allOf, not, if/then/else, $ref and $defs within the file or to
// common.schema.json (json_schema_prepare.h); annotations title, description, default, examples,
// $schema, $id, $comment and x-*. Any other keyword is an error when the schema is loaded, with its
// JSON pointer: a rule that is silently ignored would be worse than none. Thread rule: immutable
// after creation.
#pragma once

#include <map>
#include <memory>
#include <regex>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "zhibi/status.h"

namespace zhibi::legal {

// One broken rule. `field` is for people ("被告第1名 › 姓名"), `path` for programs
// ("defendants[0].name").
struct Violation {
  std::string field;
  std::string path;
  std::string rule;  // keyword of the schema, or the kind of a normalised value
  std::string message_zh;
  std::string message_en;

  // "被告第1名 › 姓名（defendants[0].name）：必填 / required".
  std::string ToString() const;
};

class JsonSchema {
 public:
  // kInvalidArgument: "civil-complaint/elements.schema.json#/properties/loan: unknown keyword
  // "requird"".
  // `common`: the parsed common.schema.json that references may lead to; null: none.
  static Result<JsonSchema> FromJson(nlohmann::json schema, std::string_view source,
                                     const nlohmann::json& common = nullptr);

  // Empty when the value is good. At most 100 are listed.
  std::vector<Violation> Validate(const nlohmann::json& value) const;

  const nlohmann::json& root() const { return *root_; }
  // Follows $ref; the schema itself when there is none.
  const nlohmann::json& Resolve(const nlohmann::json& schema) const;
  // Where normalising puts the sum of a money property of this name; a required property that has
  // moved there is not missing.
  bool MovedTo(const std::string& key, const nlohmann::json& object) const;

 private:
  explicit JsonSchema(std::shared_ptr<const nlohmann::json> root) : root_(std::move(root)) {}
  std::multimap<std::string, std::string> moves_;
  std::shared_ptr<const nlohmann::json> root_;  // shared by copies
};

// A pattern of a schema as std::wregex over code points; kInvalidArgument when it is none.
Result<std::wregex> CompilePattern(std::string_view pattern);
std::wstring WideText(std::string_view utf8);

// Path and titles of a place in the value, kept while walking schema and value together.
class FieldPath {
 public:
  FieldPath Child(std::string_view key, const nlohmann::json& schema) const;
  FieldPath Item(std::size_t index) const;
  const std::string& field() const { return field_; }
  const std::string& path() const { return path_; }

 private:
  std::string field_;
  std::string path_;
};

}  // namespace zhibi::legal
