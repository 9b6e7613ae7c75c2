// SPDX-License-Identifier: Apache-2.0
// Mapping to JSON and back; names from elements.
#include <nlohmann/json.hpp>

#include "base/status_macros.h"
#include "redact/redact.h"

namespace zhibi::redact {
namespace {

constexpr int kFormat = 1;

Status FieldError(std::string_view source, const std::string& field, const std::string& expected) {
  return InvalidArgumentError(std::string(source) + ": \"" + field + "\": expected " + expected);
}

Result<entity::Kind> KindByName(std::string_view name) {
  for (int i = 0; i <= static_cast<int>(entity::Kind::kJudge); ++i) {
    const auto kind = static_cast<entity::Kind>(i);
    if (entity::KindName(kind) == name) return kind;
  }
  return InvalidArgumentError("kind \"" + std::string(name) + "\" is not known");
}

void Collect(const nlohmann::json& json, const std::string& key,
             std::vector<entity::KnownName>& names) {
  if (json.is_object()) {
    for (const auto& [name, value] : json.items()) Collect(value, name, names);
  } else if (json.is_array()) {
    for (const nlohmann::json& item : json) Collect(item, key, names);
  } else if (json.is_string() &&
             (key == "name" || key == "representative" || key == "trade_name")) {
    const auto& text = json.get_ref<const std::string&>();
    if (text.size() < 4) return;  // one character is no name
    const bool organisation = text.size() > 15 || text.ends_with("公司") || text.ends_with("厂");
    names.push_back({text, organisation ? entity::Kind::kOrganisation : entity::Kind::kPerson, ""});
  }
}

}  // namespace

nlohmann::json ToJson(const Mapping& mapping) {
  nlohmann::json list = nlohmann::json::array();
  for (const Replacement& replacement : mapping.replacements) {
    list.push_back({{"begin", replacement.begin},
                    {"text", replacement.text},
                    {"original", replacement.original},
                    {"kind", entity::KindName(replacement.kind)}});
  }
  return {{"format", kFormat},
          {"level", "P" + std::to_string(static_cast<int>(mapping.level))},
          {"size", mapping.size},
          {"replacements", std::move(list)}};
}

Result<Mapping> MappingFromJson(const nlohmann::json& json, std::string_view source) {
  if (!json.is_object() || json.value("format", nlohmann::json()) != kFormat) {
    return FieldError(source, "format", "1: a mapping written by zhibi redact");
  }
  Mapping mapping;
  if (!json.contains("level") || !json["level"].is_string()) {
    return FieldError(source, "level", "P0 to P3");
  }
  ZB_ASSIGN_OR_RETURN(mapping.level, ParseLevel(json["level"].get<std::string>()));
  if (!json.contains("size") || !json["size"].is_number_unsigned()) {
    return FieldError(source, "size", "a number of bytes");
  }
  mapping.size = json["size"].get<std::size_t>();
  if (!json.contains("replacements") || !json["replacements"].is_array()) {
    return FieldError(source, "replacements", "a list");
  }
  for (const nlohmann::json& item : json["replacements"]) {
    const std::string field = "replacements/" + std::to_string(mapping.replacements.size());
    if (!item.is_object() || !item.contains("begin") || !item["begin"].is_number_unsigned() ||
        !item.contains("text") || !item["text"].is_string() || !item.contains("original") ||
        !item["original"].is_string() || !item.contains("kind") || !item["kind"].is_string()) {
      return FieldError(source, field, "begin, text, original, kind");
    }
    Replacement replacement;
    replacement.begin = item["begin"].get<std::size_t>();
    replacement.text = item["text"].get<std::string>();
    replacement.original = item["original"].get<std::string>();
    Result<entity::Kind> kind = KindByName(item["kind"].get_ref<const std::string&>());
    if (!kind.ok()) return FieldError(source, field + "/kind", "a kind of entity");
    replacement.kind = *kind;
    mapping.replacements.push_back(std::move(replacement));
  }
  return mapping;
}

std::vector<entity::KnownName> NamesOfElements(const nlohmann::json& elements) {
  std::vector<entity::KnownName> names;
  Collect(elements, "", names);
  return names;
}

}  // namespace zhibi::redact
