// SPDX-License-Identifier: Apache-2.0
#include "rules/rule_set.h"

#include <algorithm>
#include <utility>

#include "base/json.h"
#include "base/status_macros.h"

namespace zhibi::rules {
namespace {

using nlohmann::json;

constexpr std::size_t kMaxBytes = std::size_t{4} << 20;

Result<std::string> TextAt(const json& object, const char* key, const std::string& where,
                           bool required) {
  const auto it = object.find(key);
  if (it == object.end()) {
    if (required) return InvalidArgumentError(where + ": lacks \"" + key + "\"");
    return std::string();
  }
  if (!it->is_string()) {
    return InvalidArgumentError(where + "." + key + ": expected a text, got " + it->type_name());
  }
  return it->get<std::string>();
}

Status ReadList(const json& object, const char* key, const std::string& where,
                std::vector<std::string>& out) {
  const auto it = object.find(key);
  if (it == object.end()) return OkStatus();
  if (!it->is_array()) return InvalidArgumentError(where + "." + key + ": expected a list");
  for (const json& item : *it) {
    if (!item.is_string()) {
      return InvalidArgumentError(where + "." + key + ": expected a list of texts");
    }
    out.push_back(item.get<std::string>());
  }
  return OkStatus();
}

Status ReadDate(const json& object, const char* key, const std::string& where,
                std::optional<legal::Date>& out) {
  ZB_ASSIGN_OR_RETURN(const std::string text, TextAt(object, key, where, false));
  if (text.empty()) return OkStatus();
  Result<legal::Date> date = legal::ParseDate(text);
  if (!date.ok()) return std::move(date).status().WithContext(where + "." + key);
  out = *date;
  return OkStatus();
}

Result<RuleInfo> ReadRule(const json& entry, const std::string& where) {
  if (!entry.is_object()) return InvalidArgumentError(where + ": expected an object");
  static constexpr std::string_view kKnown[] = {"id",       "level",    "zh",       "en",
                                                "basis",    "doctypes", "branches", "instances",
                                                "speakers", "from",     "until",    "undecided"};
  for (const auto& [key, value] : entry.items()) {
    if (std::find(std::begin(kKnown), std::end(kKnown), key) == std::end(kKnown)) {
      return InvalidArgumentError(where + ": unknown field \"" + key + "\"");
    }
  }
  RuleInfo rule;
  ZB_ASSIGN_OR_RETURN(rule.id, TextAt(entry, "id", where, true));
  const std::string named = where + " (" + rule.id + ")";
  ZB_ASSIGN_OR_RETURN(const std::string level, TextAt(entry, "level", named, true));
  if (level == "error") {
    rule.level = Level::kError;
  } else if (level == "warning") {
    rule.level = Level::kWarning;
  } else if (level == "info") {
    rule.level = Level::kInfo;
  } else {
    return InvalidArgumentError(named + ".level: expected error, warning or info, got \"" + level +
                                "\"");
  }
  ZB_ASSIGN_OR_RETURN(rule.zh, TextAt(entry, "zh", named, true));
  ZB_ASSIGN_OR_RETURN(rule.en, TextAt(entry, "en", named, true));
  ZB_ASSIGN_OR_RETURN(rule.undecided, TextAt(entry, "undecided", named, false));
  if (const auto basis = entry.find("basis"); basis != entry.end()) {
    if (!basis->is_object()) return InvalidArgumentError(named + ".basis: expected an object");
    ZB_ASSIGN_OR_RETURN(rule.basis.law, TextAt(*basis, "law", named + ".basis", true));
    ZB_ASSIGN_OR_RETURN(rule.basis.article, TextAt(*basis, "article", named + ".basis", false));
  }
  ZB_RETURN_IF_ERROR(ReadList(entry, "doctypes", named, rule.doctypes));
  ZB_RETURN_IF_ERROR(ReadList(entry, "branches", named, rule.branches));
  ZB_RETURN_IF_ERROR(ReadList(entry, "instances", named, rule.instances));
  ZB_RETURN_IF_ERROR(ReadList(entry, "speakers", named, rule.speakers));
  ZB_RETURN_IF_ERROR(ReadDate(entry, "from", named, rule.from));
  ZB_RETURN_IF_ERROR(ReadDate(entry, "until", named, rule.until));
  return rule;
}

bool Fits(std::string_view pattern, std::string_view value) {
  if (pattern == "*") return true;
  if (pattern.starts_with("*")) return value.ends_with(pattern.substr(1));
  if (pattern.ends_with("*")) return value.starts_with(pattern.substr(0, pattern.size() - 1));
  return pattern == value;
}

// Empty: everything. Exclusions win.
bool Allows(const std::vector<std::string>& list, std::string_view value) {
  bool any = false;
  bool allowed = false;
  for (const std::string& entry : list) {
    if (entry.starts_with("!")) {
      if (Fits(std::string_view(entry).substr(1), value)) return false;
    } else {
      any = true;
      allowed = allowed || Fits(entry, value);
    }
  }
  return allowed || !any;
}

}  // namespace

Result<RuleSet> RuleSet::Load(const std::string& data_dir) {
  const std::string path = data_dir + "/rules/rules.json";
  ZB_ASSIGN_OR_RETURN(const json parsed, base::ReadJsonFile(path, kMaxBytes));
  return FromJson(parsed, path);
}

Result<RuleSet> RuleSet::FromJson(const json& parsed, std::string_view source) {
  const std::string name(source);
  if (!parsed.is_object()) return InvalidArgumentError(name + ": expected an object");
  RuleSet set;
  ZB_ASSIGN_OR_RETURN(set.version_, TextAt(parsed, "version", name, true));
  const auto list = parsed.find("rules");
  if (list == parsed.end() || !list->is_array()) {
    return InvalidArgumentError(name + ".rules: expected a list");
  }
  for (std::size_t i = 0; i < list->size(); ++i) {
    ZB_ASSIGN_OR_RETURN(RuleInfo rule,
                        ReadRule((*list)[i], name + ": rules[" + std::to_string(i) + "]"));
    if (!set.index_.emplace(rule.id, set.rules_.size()).second) {
      return InvalidArgumentError(name + ": rule " + rule.id + " stands twice");
    }
    set.rules_.push_back(std::move(rule));
  }
  if (const auto tables = parsed.find("tables"); tables != parsed.end()) set.tables_ = *tables;
  return set;
}

const RuleInfo* RuleSet::Find(std::string_view id) const {
  const auto it = index_.find(id);
  return it == index_.end() ? nullptr : &rules_[it->second];
}

bool RuleSet::Covers(const RuleInfo& rule, const View& view,
                     const std::optional<legal::Date>& date) {
  if (!Allows(rule.doctypes, view.doctype)) return false;
  if (!Allows(rule.branches, BranchName(view.branch))) return false;
  if (!Allows(rule.instances, InstanceName(view.instance))) return false;
  if (rule.from && date && *date < *rule.from) return false;
  if (rule.until && date && *date > *rule.until) return false;
  return true;
}

bool RuleSet::CoversPart(const RuleInfo& rule, Part part) {
  return Allows(rule.speakers, PartName(part));
}

}  // namespace zhibi::rules
