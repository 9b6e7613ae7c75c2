// SPDX-License-Identifier: Apache-2.0
// The cases of a document type (cases/*.json in its folder) and what they prove: every case drafts
// without a model to what it expects, and together they take conditions both ways.
//   {"name", "about", "elements": {...} or "case": {...}, "allow_missing": false,
//    "today": "2026-12-01",
//    "expect": {"contains": [...], "absent": [...], "errors": [path or id], "warnings": [id],
//               "missing": [path]}}
// `errors` not there: the case must plan. `missing` there: exactly these fields are missing.
// Thread-safe.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "legal/doctype.h"
#include "legal/schema_fields.h"
#include "zhibi/status.h"

namespace zhibi::legal {

struct CaseRun {
  std::string file;
  std::string name;
  std::string text;  // of the document; empty when the case expects errors
  std::vector<std::string> problems;
};

struct BranchCount {
  std::string place;  // "parties.jinja:12", "parties.jinja:12 elif 1"
  text::BranchLog::Count count;
};

struct TypeReport {
  std::string id;
  std::vector<CaseRun> cases;
  std::vector<BranchCount> clauses;   // `when` of clauses
  std::vector<BranchCount> branches;  // {% if %} and {% elif %} of the type's own templates
  std::vector<BranchCount> fields;    // optional properties of the type's own
  // Of shared macros and shared definitions that the type uses; all types together take these both
  // ways.
  std::vector<BranchCount> shared_branches;
  std::vector<BranchCount> shared_fields;
  std::vector<BranchCount> checks;  // taken: broken

  bool ok() const;
};

// Adds counts of the same places.
void AddCounts(const std::vector<BranchCount>& counts, FieldCounts& sum);
std::vector<BranchCount> ListedCounts(const FieldCounts& counts);

// How many went both ways.
std::size_t BothWays(const std::vector<BranchCount>& counts);

// kInvalidArgument: a case file that is no case; other faults are problems of their case.
Result<TypeReport> RunCases(const Doctype& doctype, const std::string& data_dir);

// Elements of each case file as the type gets them (from_case applied), with their file names.
Result<std::vector<std::pair<std::string, nlohmann::json>>> CaseElements(
    const Doctype& doctype, const std::string& data_dir);

}  // namespace zhibi::legal
