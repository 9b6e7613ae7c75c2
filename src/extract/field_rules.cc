// SPDX-License-Identifier: Apache-2.0
#include "extract/field_rules.h"

#include <utility>

#include "base/file.h"
#include "base/json.h"
#include "base/status_macros.h"
#include "legal/money.h"

namespace zhibi::extract {
namespace {

using nlohmann::json;

constexpr std::size_t kMaxRulesBytes = std::size_t{1} << 20;

bool KindNamed(const std::string& name, FieldRule::Kind& kind) {
  if (name == "money") {
    kind = FieldRule::Kind::kMoney;
  } else if (name == "date") {
    kind = FieldRule::Kind::kDate;
  } else if (name == "percent") {
    kind = FieldRule::Kind::kPercent;
  } else if (name == "text") {
    kind = FieldRule::Kind::kText;
  } else {
    return false;
  }
  return true;
}

Status ReadGroups(const json& field, const std::string& where, FieldRule& rule) {
  if (!rule.path.ends_with("[]") || !field.value("groups", json()).is_object())
    return InvalidArgumentError(where + ": a list needs a path x[] and groups");
  for (const auto& [property, kind] : field["groups"].items()) {
    FieldRule::Kind read = FieldRule::Kind::kText;
    if (!kind.is_string() || !KindNamed(kind.get<std::string>(), read))
      return InvalidArgumentError(where + "/groups/" + property +
                                  ": expected money, date, percent or text");
    rule.groups.emplace_back(property, read);
  }
  return rule.groups.empty() ? InvalidArgumentError(where + "/groups: empty") : OkStatus();
}

entity::Kind EntityKind(FieldRule::Kind kind) {
  if (kind == FieldRule::Kind::kDate) return entity::Kind::kDate;
  return kind == FieldRule::Kind::kPercent ? entity::Kind::kPercent : entity::Kind::kMoney;
}

}  // namespace

Result<std::vector<FieldRule>> LoadRules(const std::string& data_dir, const std::string& doctype) {
  const std::string path = data_dir + "/doctypes/" + doctype + "/extract.json";
  std::vector<FieldRule> rules;
  Result<std::string> bytes = base::ReadFile(path, kMaxRulesBytes);
  if (!bytes.ok()) {
    if (bytes.status().code() == StatusCode::kNotFound) return rules;
    return std::move(bytes).status();
  }
  ZB_ASSIGN_OR_RETURN(const json spec, base::ParseJson(*bytes, path));
  if (!spec.is_object() || !spec.contains("fields") || !spec["fields"].is_array()) {
    return InvalidArgumentError(path + ": \"fields\": expected a list");
  }
  for (const json& field : spec["fields"]) {
    std::string where = path;
    where.append(": fields/").append(std::to_string(rules.size()));
    if (!field.is_object() || !field.value("path", json()).is_string() ||
        !field.value("kind", json()).is_string() || !field.value("patterns", json()).is_array()) {
      return InvalidArgumentError(where + ": expected path, kind, patterns");
    }
    FieldRule rule;
    rule.path = field["path"].get<std::string>();
    const auto kind = field["kind"].get<std::string>();
    if (kind == "choice") {
      rule.value = field.value("value", "");
      if (!rule.path.starts_with("claims[].") || rule.value.empty()) {
        return InvalidArgumentError(where + ": a choice needs a path claims[].x and a value");
      }
    } else if (kind == "list") {
      ZB_RETURN_IF_ERROR(ReadGroups(field, where, rule));
    } else if (!KindNamed(kind, rule.kind)) {
      where.append("/kind: expected money, date, percent, text, list or choice, got ").append(kind);
      return InvalidArgumentError(where);
    }
    for (const json& source : field["patterns"]) {
      if (!source.is_string()) {
        return InvalidArgumentError(where + "/patterns: expected texts");
      }
      Result<entity::Pattern> pattern = entity::Pattern::Compile(source.get<std::string>());
      if (!pattern.ok()) return std::move(pattern).status().WithContext(where);
      rule.patterns.push_back(std::move(pattern).value());
    }
    rules.push_back(std::move(rule));
  }
  return rules;
}

std::optional<Value> ValueIn(FieldRule::Kind kind, std::string_view text,
                             const entity::Match::Group& span,
                             const std::vector<entity::Entity>& entities) {
  Value value;
  if (kind == FieldRule::Kind::kText) {
    value.begin = span.begin;
    value.end = span.end;
    value.value = std::string(text.substr(span.begin, span.end - span.begin));
    if (span.end == span.begin || text.substr(span.begin).starts_with("【待")) return std::nullopt;
    return value;
  }
  for (const entity::Entity& entity : entities) {
    if (entity.kind != EntityKind(kind) || entity.begin < span.begin || entity.end > span.end)
      continue;
    // Half a day is no day: it stays missing.
    if (entity.Has(entity::kPartial) || entity.Has(entity::kForeign)) return std::nullopt;
    value.begin = entity.begin;
    value.end = entity.end;
    if (kind == FieldRule::Kind::kMoney) {
      value.value = legal::FormatYuan(entity.number);
    } else if (kind == FieldRule::Kind::kPercent) {
      value.value = static_cast<double>(entity.number) / 10'000;
    } else {
      value.value = entity.value;
    }
    return value;
  }
  return std::nullopt;
}

}  // namespace zhibi::extract
