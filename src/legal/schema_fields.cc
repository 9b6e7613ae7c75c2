// SPDX-License-Identifier: Apache-2.0
#include "legal/schema_fields.h"

#include <algorithm>
#include <set>

#include <nlohmann/json.hpp>

namespace zhibi::legal {
namespace {

using nlohmann::json;
using nlohmann::ordered_json;

constexpr int kMaxDepth = 12;

std::string TypeOf(const json& schema) {
  const auto found = schema.find("type");
  if (found == schema.end()) {
    if (schema.contains("properties")) return "object";
    return schema.contains("items") ? "array" : "string";
  }
  if (found->is_string()) return found->get<std::string>();
  for (const json& type : *found) {
    // An element that may be a text or an object is written as the object.
    if (type == "object" || type == "array") return type.get<std::string>();
  }
  return found->front().get<std::string>();
}

bool IsRequired(const json& schema, const std::string& key) {
  const auto required = schema.find("required");
  return required != schema.end() &&
         std::find(required->begin(), required->end(), key) != required->end();
}

std::string TextOf(const json& schema, const char* key) {
  return schema.contains(key) && schema[key].is_string() ? schema[key].get<std::string>()
                                                         : std::string();
}

class Lister {
 public:
  explicit Lister(const JsonSchema& schema) : schema_(schema) {}

  ordered_json Walk(const json& unresolved, const FieldPath& at, bool required, int depth) {
    const json& schema = schema_.Resolve(unresolved);
    const std::string type = TypeOf(schema);
    if (type == "object" && schema.contains("properties") && depth < kMaxDepth) {
      ordered_json object = ordered_json::object();
      for (const auto& [key, property] : schema["properties"].items()) {
        const json& resolved = schema_.Resolve(property);
        if (resolved.contains("x-implied") || resolved.contains("const")) continue;
        object[key] =
            Walk(property, at.Child(key, property.contains("title") ? property : resolved),
                 IsRequired(schema, key), depth + 1);
      }
      return object;
    }
    if (type == "array" && schema.contains("items") && depth < kMaxDepth)
      return ordered_json::array({Walk(schema["items"], at.Item(0), required, depth + 1)});
    SchemaField field;
    field.path = at.path();
    field.field = at.field();
    field.title = TextOf(schema, "title");
    field.description = TextOf(schema, "description");
    field.type = type;
    field.kind = TextOf(schema, "x-kind");
    if (schema.contains("enum")) {
      for (const json& value : schema["enum"])
        field.values.push_back(value.is_string() ? value.get<std::string>() : value.dump());
    }
    field.required = required;
    field.human_only = schema.value("x-human-only", false);
    fields.push_back(std::move(field));
    return nullptr;
  }

  std::vector<SchemaField> fields;

 private:
  const JsonSchema& schema_;
};

std::string NameOfReference(const std::string& reference) {
  const std::string prefix = "#/$defs/";
  return reference.rfind(prefix, 0) == 0 ? reference.substr(prefix.size()) : reference;
}

// Visits optional properties with the names that coverage gives them.
class Optional {
 public:
  Optional(const JsonSchema& schema, FieldCounts& counts) : schema_(schema), counts_(counts) {}

  // `value` null: only the names.
  void Walk(const json& unresolved, const json* value, const std::string& name, int depth) {
    if (depth > kMaxDepth * 2) return;
    std::string here = name;
    if (unresolved.contains("$ref")) here = NameOfReference(unresolved["$ref"].get<std::string>());
    const json& schema = schema_.Resolve(unresolved);
    if (value == nullptr && !seen_.insert(here).second) return;
    if (schema.contains("items") && (value == nullptr || value->is_array())) {
      if (value == nullptr) {
        Walk(schema["items"], nullptr, here + "[]", depth + 1);
      } else {
        for (const json& item : *value) Walk(schema["items"], &item, here + "[]", depth + 1);
      }
    }
    if (!schema.contains("properties") || (value != nullptr && !value->is_object())) return;
    const json* base = Base(schema);
    for (const auto& [key, property] : schema["properties"].items()) {
      const json& resolved = schema_.Resolve(property);
      if (resolved.contains("x-implied") || resolved.contains("const")) continue;
      const bool shared = base != nullptr && base->contains("properties") &&
                          (*base)["properties"].contains(key) &&
                          (*base)["properties"][key] == property;
      const std::string owner =
          shared ? NameOfReference(schema["x-from"].get<std::string>()) : here;
      const std::string child = owner.empty() ? key : owner + "." + key;
      const std::string into = resolved.value("x-into", key);
      const bool there = value != nullptr && (value->contains(key) || value->contains(into));
      if (!IsRequired(schema, key)) {
        text::BranchLog::Count& count = counts_[child];
        if (value != nullptr) ++(there ? count.taken : count.skipped);
      }
      if (value == nullptr) {
        Walk(property, nullptr, child, depth + 1);
      } else if (value->contains(key)) {
        Walk(property, &(*value)[key], child, depth + 1);
      }
    }
  }

 private:
  const json* Base(const json& schema) const {
    if (!schema.contains("x-from")) return nullptr;
    const json::json_pointer pointer(schema["x-from"].get<std::string>().substr(1));
    return schema_.root().contains(pointer) ? &schema_.root().at(pointer) : nullptr;
  }

  const JsonSchema& schema_;
  FieldCounts& counts_;
  std::set<std::string> seen_;
};

}  // namespace

std::vector<SchemaField> ListFields(const JsonSchema& schema) {
  Lister lister(schema);
  lister.Walk(schema.root(), FieldPath(), false, 0);
  return std::move(lister.fields);
}

nlohmann::ordered_json BlankElements(const JsonSchema& schema) {
  return Lister(schema).Walk(schema.root(), FieldPath(), false, 0);
}

void ListOptional(const JsonSchema& schema, FieldCounts& counts) {
  Optional(schema, counts).Walk(schema.root(), nullptr, "", 0);
}

void CountOptional(const JsonSchema& schema, const nlohmann::json& elements, FieldCounts& counts) {
  Optional(schema, counts).Walk(schema.root(), &elements, "", 0);
}

}  // namespace zhibi::legal
