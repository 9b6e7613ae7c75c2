// SPDX-License-Identifier: Apache-2.0
#include "rules/finding.h"

#include <algorithm>

#include <nlohmann/json.hpp>

namespace zhibi::rules {

std::string_view LevelName(Level level) {
  switch (level) {
    case Level::kInfo:
      return "info";
    case Level::kWarning:
      return "warning";
    case Level::kError:
      return "error";
  }
  return "info";
}

bool Report::HasError() const {
  return std::any_of(findings.begin(), findings.end(),
                     [](const Finding& finding) { return finding.level == Level::kError; });
}

nlohmann::json ToJson(const Report& report) {
  nlohmann::json list = nlohmann::json::array();
  for (const Finding& finding : report.findings) {
    nlohmann::json basis = nullptr;
    if (!finding.basis.law.empty()) {
      basis = {{"law", finding.basis.law},
               {"article", finding.basis.article},
               {"snapshot", finding.basis.snapshot}};
    }
    list.push_back(
        {{"id", finding.id},
         {"level", LevelName(finding.level)},
         {"span", {{"start", finding.characters.begin}, {"end", finding.characters.end}}},
         {"message", finding.message},
         {"message_en", finding.message_en},
         {"evidence", finding.evidence},
         {"suggestion", finding.suggestion},
         {"basis", basis}});
  }
  return {{"findings", list},
          {"rules", report.rules_version},
          {"statutes", report.statutes_as_of},
          {"doctype", report.doctype},
          {"date", report.date},
          {"notes", report.notes},
          {"not_run", report.not_run}};
}

}  // namespace zhibi::rules
