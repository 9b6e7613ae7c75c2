// SPDX-License-Identifier: Apache-2.0
#include "legal/json_schema_prepare.h"

#include <algorithm>
#include <functional>
#include <set>
#include <vector>

#include <nlohmann/json.hpp>

#include "base/status_macros.h"

namespace zhibi::legal {
namespace {

using nlohmann::json;

constexpr int kMaxDepth = 64;
constexpr std::string_view kCommonFile = "common.schema.json#/$defs/";
constexpr std::string_view kLocal = "#/$defs/";

// Calls `visit` for every schema directly within another one.
void ForEachChild(json& schema, const std::function<void(json&)>& visit) {
  for (const char* key : {"properties", "$defs"}) {
    const auto found = schema.find(key);
    if (found == schema.end() || !found->is_object()) continue;
    for (auto& [name, child] : found->items()) visit(child);
  }
  for (const char* key : {"items", "not", "if", "then", "else"}) {
    const auto found = schema.find(key);
    if (found != schema.end()) visit(*found);
  }
  for (const char* key : {"allOf", "anyOf", "oneOf"}) {
    const auto found = schema.find(key);
    if (found == schema.end() || !found->is_array()) continue;
    for (json& child : *found) visit(child);
  }
}

bool HasRef(const json& schema) {
  const auto found = schema.find("$ref");
  return found != schema.end() && found->is_string();
}

// Rewrites references that start with `from`; notes the names they lead to.
void Rename(json& schema, std::string_view from, const std::string& to, int depth,
            std::set<std::string>& names) {
  if (!schema.is_object() || depth > kMaxDepth) return;
  if (HasRef(schema)) {
    const auto text = schema["$ref"].get<std::string>();
    if (text.rfind(from, 0) == 0) {
      const std::string name = text.substr(from.size());
      names.insert(name);
      schema["$ref"] = to + name;
    }
  }
  ForEachChild(schema, [&](json& child) { Rename(child, from, to, depth + 1, names); });
}

Status ImportCommon(json& root, const json& common, const std::string& source) {
  const std::string target = std::string(kLocal) + kCommonPrefix;
  std::set<std::string> wanted;
  Rename(root, kCommonFile, target, 0, wanted);
  std::vector<std::string> open(wanted.begin(), wanted.end());
  while (!open.empty()) {
    const std::string name = open.back();
    open.pop_back();
    if (!common.is_object() || !common.contains("$defs") || !common["$defs"].contains(name)) {
      return InvalidArgumentError(source + ": common.schema.json has no definition \"" + name +
                                  "\"");
    }
    json definition = common["$defs"][name];
    std::set<std::string> more;
    Rename(definition, kLocal, target, 0, more);
    root["$defs"][kCommonPrefix + name] = std::move(definition);
    for (const std::string& next : more) {
      if (wanted.insert(next).second) open.push_back(next);
    }
  }
  return OkStatus();
}

class Merger {
 public:
  Merger(json& root, std::string source) : root_(root), source_(std::move(source)) {}

  Status Walk(json& schema, int depth) {
    if (!schema.is_object()) return OkStatus();
    if (depth > kMaxDepth)
      return InvalidArgumentError(source_ + ": schemas nested deeper than 64 levels");
    if (HasRef(schema) && schema.size() > 1) {
      ZB_RETURN_IF_ERROR(Merge(schema, depth));
    }
    Status status = OkStatus();
    ForEachChild(schema, [&](json& child) {
      if (status.ok()) status = Walk(child, depth + 1);
    });
    ZB_RETURN_IF_ERROR(std::move(status));
    return Money(schema);
  }

 private:
  // The schema that a reference leads to, siblings on the way merged.
  Result<json> Target(const std::string& reference, int depth) const {
    if (depth > kMaxDepth)
      return InvalidArgumentError(source_ + ": the reference " + reference + " leads to itself");
    if (reference.rfind("#/", 0) != 0)
      return InvalidArgumentError(source_ + ": the reference " + reference +
                                  ": expected #/... or common.schema.json#/$defs/...");
    json found;
    try {
      const json::json_pointer pointer(reference.substr(1));
      if (!root_.contains(pointer))
        return InvalidArgumentError(source_ + ": the reference " + reference + " leads nowhere");
      found = root_.at(pointer);
    } catch (const json::exception&) {
      return InvalidArgumentError(source_ + ": the reference " + reference +
                                  " is not a JSON pointer");
    }
    if (!found.is_object())
      return InvalidArgumentError(source_ + ": the reference " + reference + " leads to no schema");
    if (!HasRef(found)) return found;
    const auto next = found["$ref"].get<std::string>();
    ZB_ASSIGN_OR_RETURN(json base, Target(next, depth + 1));
    found.erase("$ref");
    Put(found, base);
    return base;
  }

  // Keywords of `over` on top of `base`.
  static void Put(const json& over, json& base) {
    for (const auto& [key, value] : over.items()) {
      if (key == "properties" && base.contains(key) && base[key].is_object()) {
        base[key].update(value);
      } else if (key == "required" && base.contains(key) && base[key].is_array() &&
                 value.is_array()) {
        for (const json& name : value) {
          if (std::find(base[key].begin(), base[key].end(), name) == base[key].end())
            base[key].push_back(name);
        }
      } else {
        base[key] = value;
      }
    }
  }

  Status Merge(json& schema, int depth) {
    const auto reference = schema["$ref"].get<std::string>();
    ZB_ASSIGN_OR_RETURN(json base, Target(reference, depth));
    schema.erase("$ref");
    base["x-from"] = reference;
    Put(schema, base);
    schema = std::move(base);
    return OkStatus();
  }

  Status Money(json& schema) {
    const auto properties = schema.find("properties");
    if (properties == schema.end() || !properties->is_object()) return OkStatus();
    std::vector<std::pair<std::string, json>> implied;
    for (auto& [name, property] : properties->items()) {
      if (!property.is_object()) continue;
      json resolved = property;
      if (HasRef(property)) {
        ZB_ASSIGN_OR_RETURN(resolved, Target(property["$ref"].get<std::string>(), 0));
      }
      if (!resolved.contains("x-kind") || resolved["x-kind"] != "money" ||
          !resolved.contains("x-into") || !resolved["x-into"].is_string()) {
        continue;
      }
      auto into = resolved["x-into"].get<std::string>();
      if (const std::size_t at = into.find("{name}"); at != std::string::npos) {
        into.replace(at, 6, name);
        if (HasRef(property)) resolved["x-from"] = property["$ref"];
        resolved["x-into"] = into;
        property = resolved;
      }
      if (into == name || properties->contains(into)) continue;
      json sum = {{"type", "integer"},
                  {"title", resolved.value("title", name) + "（分）"},
                  {"minimum", 0},
                  {"maximum", 99'999'999'999'999},
                  {"x-implied", name}};
      if (resolved.contains("x-human-only")) sum["x-human-only"] = resolved["x-human-only"];
      implied.emplace_back(into, std::move(sum));
    }
    for (auto& [into, sum] : implied) (*properties)[into] = std::move(sum);
    return OkStatus();
  }

  json& root_;
  std::string source_;
};

}  // namespace

Status PrepareSchema(json& root, const json& common, const std::string& source) {
  if (!root.is_object()) return OkStatus();
  try {
    ZB_RETURN_IF_ERROR(ImportCommon(root, common, source));
    return Merger(root, source).Walk(root, 0);
  } catch (const json::exception&) {
    // Annotations are read here before the schema has been checked.
    return InvalidArgumentError(source +
                                ": a title, $ref, $defs or x-* annotation of the wrong kind");
  }
}

}  // namespace zhibi::legal
