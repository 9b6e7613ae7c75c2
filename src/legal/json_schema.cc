// SPDX-License-Identifier: Apache-2.0
#include "legal/json_schema.h"

#include <algorithm>
#include <array>
#include <regex>
#include <set>

#include "base/status_macros.h"
#include "legal/json_schema_prepare.h"
#include "legal/json_schema_validator.h"
#include "text/jinja_string.h"

namespace zhibi::legal {
namespace {

using nlohmann::json;

constexpr int kMaxSchemaDepth = 64;

enum class Kind : std::uint8_t {
  kAny,
  kBool,
  kString,
  kCount,
  kNumber,
  kStrings,
  kSchema,
  kSchemas,
  kSchemaMap,
  kType
};

struct Keyword {
  std::string_view name;
  Kind kind;
};

constexpr Keyword kKeywords[] = {
    {"$comment", Kind::kString},
    {"$defs", Kind::kSchemaMap},
    {"$id", Kind::kString},
    {"$ref", Kind::kString},
    {"$schema", Kind::kString},
    {"additionalProperties", Kind::kBool},
    {"allOf", Kind::kSchemas},
    {"anyOf", Kind::kSchemas},
    {"const", Kind::kAny},
    {"default", Kind::kAny},
    {"description", Kind::kString},
    {"else", Kind::kSchema},
    {"enum", Kind::kAny},
    {"examples", Kind::kAny},
    {"exclusiveMaximum", Kind::kNumber},
    {"exclusiveMinimum", Kind::kNumber},
    {"if", Kind::kSchema},
    {"items", Kind::kSchema},
    {"maxItems", Kind::kCount},
    {"maxLength", Kind::kCount},
    {"maximum", Kind::kNumber},
    {"minItems", Kind::kCount},
    {"minLength", Kind::kCount},
    {"minimum", Kind::kNumber},
    {"not", Kind::kSchema},
    {"oneOf", Kind::kSchemas},
    {"pattern", Kind::kString},
    {"properties", Kind::kSchemaMap},
    {"required", Kind::kStrings},
    {"then", Kind::kSchema},
    {"title", Kind::kString},
    {"type", Kind::kType},
    {"uniqueItems", Kind::kBool},
};

constexpr std::array<std::string_view, 7> kTypes = {"null",   "boolean", "integer", "number",
                                                    "string", "array",   "object"};

bool IsTypeName(const json& value) {
  return value.is_string() && std::find(kTypes.begin(), kTypes.end(),
                                        value.get_ref<const std::string&>()) != kTypes.end();
}

bool WellFormed(Kind kind, const json& value) {
  switch (kind) {
    case Kind::kAny:
      return true;
    case Kind::kBool:
      return value.is_boolean();
    case Kind::kString:
      return value.is_string();
    case Kind::kCount:
      return value.is_number_unsigned();
    case Kind::kNumber:
      return value.is_number();
    case Kind::kStrings:
      return value.is_array() &&
             std::all_of(value.begin(), value.end(), [](const json& v) { return v.is_string(); });
    case Kind::kType:
      return IsTypeName(value) || (value.is_array() && !value.empty() &&
                                   std::all_of(value.begin(), value.end(), IsTypeName));
    case Kind::kSchema:
      return value.is_object();
    case Kind::kSchemas:
      return value.is_array() && !value.empty();
    case Kind::kSchemaMap:
      return value.is_object();
  }
  return false;
}

// Walks a schema before it is ever used.
class Checker {
 public:
  Checker(const json& root, std::string source) : root_(root), source_(std::move(source)) {}

  Status Check(const json& schema, const std::string& pointer, int depth) {
    if (depth > kMaxSchemaDepth) return Error(pointer, "nested deeper than 64 levels");
    if (!schema.is_object())
      return Error(pointer, std::string("expected an object, got ") + schema.type_name());
    for (const auto& [key, value] : schema.items()) {
      if (key.rfind("x-", 0) == 0) {
        const bool text = key == "x-kind" || key == "x-into" || key == "x-type";
        if ((text && !value.is_string()) || (key == "x-human-only" && !value.is_boolean()))
          return Error(pointer + "/" + key, "a value of the wrong kind");
        continue;
      }
      const auto* found = std::find_if(std::begin(kKeywords), std::end(kKeywords),
                                       [&key = key](const Keyword& k) { return k.name == key; });
      if (found == std::end(kKeywords)) return Error(pointer, "unknown keyword \"" + key + "\"");
      if (!WellFormed(found->kind, value))
        return Error(pointer + "/" + key, "a value of the wrong kind");
      ZB_RETURN_IF_ERROR(CheckValue(found->kind, key, value, pointer + "/" + key, depth));
    }
    return OkStatus();
  }

  // A chain of references that comes back to itself would never end.
  Status CheckReference(const json& value, const std::string& pointer) const {
    std::set<std::string> seen;
    const json* at = &value;
    while (true) {
      const auto& text = at->get_ref<const std::string&>();
      if (!seen.insert(text).second)
        return Error(pointer, "the reference " + text + " leads back to itself");
      if (text.rfind("#/", 0) != 0)
        return Error(pointer, "only references within the file (#/...) are known");
      const json::json_pointer target(text.substr(1));
      if (!root_.contains(target))
        return Error(pointer, "the reference " + text + " leads nowhere");
      const json& schema = root_.at(target);
      if (!schema.is_object() || !schema.contains("$ref")) return OkStatus();
      at = &schema["$ref"];
      if (!at->is_string())
        return Error(pointer, "the reference " + text + " leads to a bad reference");
    }
  }

 private:
  Status Error(const std::string& pointer, const std::string& what) const {
    return InvalidArgumentError(source_ + "#" + pointer + ": " + what);
  }

  Status CheckValue(Kind kind, const std::string& key, const json& value,
                    const std::string& pointer, int depth) {
    if (kind == Kind::kSchema) return Check(value, pointer, depth + 1);
    if (kind == Kind::kSchemas || kind == Kind::kSchemaMap) {
      for (const auto& [name, child] : value.items()) {
        ZB_RETURN_IF_ERROR(Check(child, pointer + "/" + name, depth + 1));
      }
    }
    if (key == "$ref") {
      try {
        return CheckReference(value, pointer);
      } catch (const json::exception&) {
        return Error(pointer, "not a JSON pointer");
      }
    }
    if (key == "enum" && (!value.is_array() || value.empty()))
      return Error(pointer, "expected a list of values");
    if (key == "pattern") {
      const Result<std::wregex> compiled = CompilePattern(value.get_ref<const std::string&>());
      if (!compiled.ok()) return Error(pointer, compiled.status().message());
    }
    return OkStatus();
  }

  const json& root_;
  std::string source_;
};

// Names of money properties, and of those that their sums move to.
void CollectMoves(const json& schema, int depth, std::multimap<std::string, std::string>& moves) {
  if (depth > kMaxSchemaDepth) return;
  if (schema.is_array()) {
    for (const json& child : schema) CollectMoves(child, depth + 1, moves);
  }
  if (!schema.is_object()) return;
  for (const auto& [key, child] : schema.items()) {
    if (child.is_object() && child.contains("x-into") && child["x-into"].is_string())
      moves.emplace(key, child["x-into"].get<std::string>());
    CollectMoves(child, depth + 1, moves);
  }
}

}  // namespace

std::wstring WideText(std::string_view utf8) {
  std::wstring wide;
  for (std::size_t at = 0; at < utf8.size(); at += text::jinja::CharLength(utf8, at))
    wide += static_cast<wchar_t>(text::jinja::DecodeChar(utf8, at));
  return wide;
}

Result<std::wregex> CompilePattern(std::string_view pattern) {
  try {
    return std::wregex(WideText(pattern));
  } catch (const std::regex_error&) {
    return InvalidArgumentError("not a regular expression");
  }
}

std::string Violation::ToString() const {
  const std::string name = field.empty() ? "全部要素" : field;
  return name + "（" + (path.empty() ? "elements" : path) + "）：" + message_zh + " / " +
         message_en;
}

FieldPath FieldPath::Child(std::string_view key, const nlohmann::json& schema) const {
  FieldPath child;
  std::string title(key);
  if (schema.is_object() && schema.contains("title")) title = schema["title"].get<std::string>();
  child.field_ = field_.empty() ? title : field_ + " › " + title;
  child.path_ = path_.empty() ? std::string(key) : path_ + "." + std::string(key);
  return child;
}

FieldPath FieldPath::Item(std::size_t index) const {
  FieldPath child;
  child.field_ = field_ + "第" + std::to_string(index + 1) + "项";
  child.path_ = path_ + "[" + std::to_string(index) + "]";
  return child;
}

Result<JsonSchema> JsonSchema::FromJson(nlohmann::json schema, std::string_view source,
                                        const nlohmann::json& common) {
  ZB_RETURN_IF_ERROR(PrepareSchema(schema, common, std::string(source)));
  auto root = std::make_shared<const json>(std::move(schema));
  Checker checker(*root, std::string(source));
  ZB_RETURN_IF_ERROR(checker.Check(*root, "", 0));
  JsonSchema made(std::move(root));
  CollectMoves(*made.root_, 0, made.moves_);
  return made;
}

bool JsonSchema::MovedTo(const std::string& key, const nlohmann::json& object) const {
  const auto [begin, end] = moves_.equal_range(key);
  return std::any_of(begin, end, [&](const auto& move) { return object.contains(move.second); });
}

const nlohmann::json& JsonSchema::Resolve(const nlohmann::json& schema) const {
  const json* at = &schema;
  // The chain was checked when the schema was loaded.
  while (at->is_object() && at->contains("$ref")) {
    at = &root_->at(json::json_pointer((*at)["$ref"].get_ref<const std::string&>().substr(1)));
  }
  return *at;
}

std::vector<Violation> JsonSchema::Validate(const nlohmann::json& value) const {
  SchemaValidator validator(*this);
  validator.Check(root(), value, FieldPath(), 0);
  return validator.Take();
}

}  // namespace zhibi::legal
