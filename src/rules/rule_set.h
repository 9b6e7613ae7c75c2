// SPDX-License-Identifier: Apache-2.0
// The rules as data (data/rules/rules.json): id, level, names, basis, and where a rule may speak:
// document types, branches, instances, parts of the text (who speaks) and days. A rule is silent
// outside of its scope, whatever its program finds. Thread rule: immutable after Load.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "legal/date.h"
#include "rules/finding.h"
#include "rules/view.h"
#include "zhibi/status.h"

namespace zhibi::rules {

struct RuleInfo {
  std::string id;
  Level level = Level::kWarning;
  std::string zh;
  std::string en;
  Basis basis;
  std::vector<std::string> doctypes;  // ids; "*-judgment", "*"; a leading "!" excludes
  std::vector<std::string> branches;
  std::vector<std::string> instances;
  std::vector<std::string> speakers;
  std::optional<legal::Date> from;  // of the document's day
  std::optional<legal::Date> until;
  std::string undecided;  // why the text alone cannot decide it; such a rule has no program
};

class RuleSet {
 public:
  // data_dir/rules/rules.json. kNotFound, kInvalidArgument name the file and the field.
  static Result<RuleSet> Load(const std::string& data_dir);
  static Result<RuleSet> FromJson(const nlohmann::json& json, std::string_view source);

  const RuleInfo* Find(std::string_view id) const;
  const std::string& version() const { return version_; }
  const std::vector<RuleInfo>& rules() const { return rules_; }
  // Lists and tables that rules read: rules.json "tables".
  const nlohmann::json& tables() const { return tables_; }

  // May the rule speak about this document, and at this place?
  static bool Covers(const RuleInfo& rule, const View& view,
                     const std::optional<legal::Date>& date);
  static bool CoversPart(const RuleInfo& rule, Part part);

 private:
  std::string version_;
  std::vector<RuleInfo> rules_;
  std::map<std::string, std::size_t, std::less<>> index_;
  nlohmann::json tables_;
};

}  // namespace zhibi::rules
