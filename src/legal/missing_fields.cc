// SPDX-License-Identifier: Apache-2.0
#include "legal/missing_fields.h"

#include <algorithm>
#include <string>

#include <nlohmann/json.hpp>

#include "legal/element_path.h"

namespace zhibi::legal {
namespace {

using nlohmann::json;

constexpr int kMaxDepth = 64;
constexpr int kMaxRounds = 32;

bool HasType(const json& schema, std::string_view type) {
  const auto found = schema.find("type");
  if (found == schema.end()) return type == "object" && schema.contains("properties");
  if (found->is_string()) return found->get_ref<const std::string&>() == type;
  return found->is_array() && std::find(found->begin(), found->end(), type) != found->end();
}

// Calls `visit(key, property)` for properties of a schema and of the schemas that apply with it.
template <typename Visit>
void ForProperties(const JsonSchema& root, const json& unresolved, int depth, const Visit& visit) {
  const json& schema = root.Resolve(unresolved);
  if (depth > kMaxDepth || !schema.is_object()) return;
  if (const auto found = schema.find("properties"); found != schema.end()) {
    for (const auto& [key, property] : found->items()) visit(key, property);
  }
  for (const char* key : {"then", "else"}) {
    if (const auto found = schema.find(key); found != schema.end())
      ForProperties(root, *found, depth + 1, visit);
  }
  for (const char* key : {"allOf", "anyOf", "oneOf"}) {
    if (const auto found = schema.find(key); found != schema.end()) {
      for (const json& part : *found) ForProperties(root, part, depth + 1, visit);
    }
  }
}

const json* FindProperty(const JsonSchema& root, const json& schema, const std::string& key) {
  const json* best = nullptr;
  ForProperties(root, schema, 0, [&](const std::string& name, const json& property) {
    const json& resolved = root.Resolve(property);
    // Branches of anyOf repeat a property only to give it a title.
    if (name == key && (best == nullptr || (!best->contains("type") && resolved.contains("type"))))
      best = &resolved;
  });
  return best;
}

std::string LastTitle(const std::string& field) {
  const std::string_view mark = " › ";
  const std::size_t at = field.rfind(mark);
  return at == std::string::npos ? field : field.substr(at + mark.size());
}

class Filler {
 public:
  Filler(const JsonSchema& schema, std::vector<MissingField>& missing)
      : schema_(schema), missing_(missing) {}

  // true: something was put in.
  bool Fill(json& root, const Violation& violation) {
    const Result<std::vector<PathStep>> parsed = ParsePath(violation.path);
    if (!parsed.ok()) return false;
    const std::vector<PathStep>& steps = *parsed;
    json* place = &root;
    const json* at = &schema_.Resolve(schema_.root());
    for (std::size_t i = 0; i + 1 < steps.size(); ++i) {
      if (!Down(steps[i], place, at)) return false;
    }
    const PathStep& last = steps.back();
    const json* property = at == nullptr ? nullptr : FindChild(*at, last);
    if (violation.rule == "minItems") {
      return Down(last, place, at) && FillItem(*place, property, violation);
    }
    if (last.key.empty() || !place->is_object()) return false;
    static const json kAny = json::object();
    if (property == nullptr) property = &kAny;
    const std::string into = property->value("x-into", last.key);
    (*place)[into] = Made(*property, violation);
    return true;
  }

 private:
  const json* FindChild(const json& at, const PathStep& step) const {
    if (!step.key.empty()) return FindProperty(schema_, at, step.key);
    return at.contains("items") ? &schema_.Resolve(at["items"]) : nullptr;
  }

  bool Down(const PathStep& step, json*& place, const json*& at) const {
    const json* next = at == nullptr ? nullptr : FindChild(*at, step);
    if (step.key.empty()) {
      if (!place->is_array() || step.index >= place->size()) return false;
      place = &(*place)[step.index];
    } else {
      if (!place->is_object() || !place->contains(step.key)) return false;
      place = &(*place)[step.key];
    }
    at = next;
    return true;
  }

  bool FillItem(json& list, const json* schema, const Violation& violation) {
    if (!list.is_array() || !list.empty() || schema == nullptr) return false;
    const bool known = schema->contains("items");
    list.push_back(known ? Made(schema_.Resolve((*schema)["items"]), violation) : Mark(violation));
    return true;
  }

  json Mark(const Violation& violation) {
    const std::string title = LastTitle(violation.field);
    missing_.push_back({violation.path, violation.field, title});
    return std::string(kMissingMark) + title + "】";
  }

  // Objects and lists are made empty: what they need is found missing in the next round.
  json Made(const json& schema, const Violation& violation) {
    if (HasType(schema, "object") && !HasType(schema, "string")) {
      if (schema.contains("required") || schema.contains("anyOf")) return json::object();
    }
    if (HasType(schema, "array")) {
      json list = json::array();
      FillItem(list, &schema, violation);
      return list;
    }
    return Mark(violation);
  }

  const JsonSchema& schema_;
  std::vector<MissingField>& missing_;
};

template <typename Visit>
void WalkMembers(const JsonSchema& root, const json& unresolved, json& value, int depth,
                 const Visit& visit) {
  const json& schema = root.Resolve(unresolved);
  if (depth > kMaxDepth || !schema.is_object()) return;
  visit(schema, value);
  if (value.is_array() && schema.contains("items")) {
    for (json& element : value) WalkMembers(root, schema["items"], element, depth + 1, visit);
  }
  if (!value.is_object()) return;
  ForProperties(root, schema, 0, [&](const std::string& key, const json& property) {
    if (value.contains(key)) WalkMembers(root, property, value[key], depth + 1, visit);
  });
}

bool SearchHumanOnly(const json& schema, int depth) {
  if (depth > kMaxDepth * 2) return false;
  if (schema.is_object() && schema.contains("x-human-only")) return schema["x-human-only"] == true;
  return (schema.is_object() || schema.is_array()) &&
         std::any_of(schema.begin(), schema.end(),
                     [&](const json& child) { return SearchHumanOnly(child, depth + 1); });
}

}  // namespace

bool IsMissingViolation(const Violation& violation) {
  return violation.rule == "required" ||
         (violation.rule == "minItems" && violation.message_en.find("items") != std::string::npos);
}

void DropNulls(json& value) {
  if (value.is_object()) {
    for (auto it = value.begin(); it != value.end();) {
      if (it->is_null()) {
        it = value.erase(it);
      } else {
        DropNulls(*it);
        ++it;
      }
    }
  } else if (value.is_array()) {
    for (json& element : value) DropNulls(element);
  }
}

std::vector<MissingField> FillMissing(const JsonSchema& schema, json& value) {
  std::vector<MissingField> missing;
  Filler filler(schema, missing);
  for (int round = 0; round < kMaxRounds; ++round) {
    bool filled = false;
    for (const Violation& violation : schema.Validate(value)) {
      if (IsMissingViolation(violation)) filled = filler.Fill(value, violation) || filled;
    }
    if (!filled) break;
  }
  return missing;
}

void DropHumanOnly(const JsonSchema& schema, json& value) {
  WalkMembers(schema, schema.root(), value, 0, [&](const json& at, json& object) {
    if (!object.is_object()) return;
    ForProperties(schema, at, 0, [&](const std::string& key, const json& property) {
      const bool human = property.value("x-human-only", false) ||
                         schema.Resolve(property).value("x-human-only", false);
      if (!human) return;
      const std::string into = schema.Resolve(property).value("x-into", key);
      object.erase(key);
      object.erase(into);
    });
  });
}

bool HasHumanOnly(const JsonSchema& schema) { return SearchHumanOnly(schema.root(), 0); }

void PruneUnknown(const JsonSchema& schema, json& value) {
  WalkMembers(schema, schema.root(), value, 0, [&](const json& at, json& object) {
    if (!object.is_object() || at.value("additionalProperties", true)) return;
    for (auto it = object.begin(); it != object.end();) {
      const bool known = at.contains("properties") && at["properties"].contains(it.key());
      it = known ? std::next(it) : object.erase(it);
    }
  });
}

}  // namespace zhibi::legal
