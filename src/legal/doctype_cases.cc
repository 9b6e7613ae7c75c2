// SPDX-License-Identifier: Apache-2.0
#include "legal/doctype_cases.h"

#include <algorithm>
#include <filesystem>
#include <system_error>

#include <nlohmann/json.hpp>

#include "base/json.h"
#include "base/status_macros.h"
#include "legal/case.h"

namespace zhibi::legal {
namespace {

using nlohmann::json;

constexpr std::size_t kMaxFileBytes = std::size_t{4} << 20;
// Cases that say no day are planned on this one, so that they never age.
constexpr Date kCaseDay = {2026, 12, 1};

struct CaseFile {
  std::string file;
  json spec;
  json elements;
  Date today = kCaseDay;
  std::vector<std::string> problems;  // of the case that the elements come from
};

Status CheckForm(const json& spec, const std::string& file) {
  const auto wrong = [&](const std::string& what) {
    return InvalidArgumentError(file + ": " + what);
  };
  if (!spec.is_object()) return wrong("expected an object");
  for (const auto& [key, value] : spec.items()) {
    const bool known = key == "name" || key == "about" || key == "elements" || key == "case" ||
                       key == "allow_missing" || key == "today" || key == "expect";
    if (!known) return wrong("unknown key \"" + key + "\"");
    if (key == "allow_missing" && !value.is_boolean())
      return wrong(key + ": expected true or false");
    if ((key == "name" || key == "about" || key == "today") && !value.is_string())
      return wrong(key + ": expected a string");
  }
  if (!spec.contains("name")) return wrong("name: is missing");
  if (spec.contains("elements") == spec.contains("case"))
    return wrong("expected either elements or case");
  if (!spec.contains("expect")) return OkStatus();
  if (!spec["expect"].is_object()) return wrong("expect: expected an object");
  for (const auto& [key, value] : spec["expect"].items()) {
    const bool known = key == "contains" || key == "absent" || key == "errors" ||
                       key == "warnings" || key == "missing";
    if (!known) return wrong("expect: unknown key \"" + key + "\"");
    const bool strings =
        value.is_array() &&
        std::all_of(value.begin(), value.end(), [](const json& v) { return v.is_string(); });
    if (!strings) return wrong("expect." + key + ": expected a list of strings");
  }
  return OkStatus();
}

Result<std::vector<CaseFile>> ReadCases(const Doctype& doctype, const std::string& data_dir) {
  std::vector<std::string> names;
  std::error_code error;
  for (std::filesystem::directory_iterator it(doctype.folder() + "/cases", error), end;
       !error && it != end; it.increment(error)) {
    if (it->path().extension() == ".json") names.push_back(it->path().filename().string());
  }
  std::sort(names.begin(), names.end());
  std::vector<CaseFile> cases;
  std::vector<CaseSchema> schema;  // read when the first case needs it
  for (const std::string& name : names) {
    CaseFile one;
    one.file = name;
    const std::string path = doctype.folder() + "/cases/" + name;
    ZB_ASSIGN_OR_RETURN(one.spec, base::ReadJsonFile(path, kMaxFileBytes));
    ZB_RETURN_IF_ERROR(CheckForm(one.spec, path));
    if (one.spec.contains("today")) {
      ZB_ASSIGN_OR_RETURN(one.today, ParseDate(one.spec["today"].get<std::string>()));
    }
    if (one.spec.contains("elements")) {
      one.elements = one.spec["elements"];
    } else {
      if (schema.empty()) {
        ZB_ASSIGN_OR_RETURN(CaseSchema loaded, CaseSchema::Load(data_dir));
        schema.push_back(std::move(loaded));
      }
      const CaseResult read = schema.front().Read(one.spec["case"]);
      for (const Violation& violation : read.errors)
        one.problems.push_back("case: " + violation.ToString());
      if (read.errors.empty()) {
        ZB_ASSIGN_OR_RETURN(one.elements, doctype.ElementsFromCase(read.data, one.today));
      }
    }
    cases.push_back(std::move(one));
  }
  return cases;
}

std::vector<std::string> Strings(const json& spec, const char* key) {
  if (!spec.contains("expect") || !spec["expect"].contains(key)) return {};
  return spec["expect"][key].get<std::vector<std::string>>();
}

bool NamedBy(const std::vector<Violation>& violations, const std::string& name) {
  return std::any_of(violations.begin(), violations.end(), [&](const Violation& violation) {
    return violation.path == name || violation.rule == name;
  });
}

std::string TextOf(const DraftPlan& plan) {
  std::string text;
  for (const PlannedClause& clause : plan.clauses) {
    if (clause.generated && !clause.fallback.empty()) {
      text += text::JoinSegments(clause.fallback);
      continue;
    }
    text += text::JoinSegments(clause.text);
    if (clause.generated) text += "【待补：" + clause.gap + "】\n";
  }
  return text;
}

// What no document may hold, whatever the case says.
void CheckTraces(const std::string& text, const json& elements,
                 std::vector<std::string>& problems) {
  const std::string given = elements.dump(-1, ' ', false, json::error_handler_t::replace);
  for (const char* trace : {"{{", "{%", "None", "undefined", "[object", "True", "False"}) {
    if (text.find(trace) != std::string::npos && given.find(trace) == std::string::npos)
      problems.push_back(std::string("the document holds a trace of the program: ") + trace);
  }
}

void CheckDocument(const DraftPlan& plan, const CaseFile& one, CaseRun& run) {
  const Document document = DocumentWithoutModel(plan);
  run.text = TextOf(plan);
  const std::string plain = PlainText(document);
  for (const std::string& part : Strings(one.spec, "contains")) {
    if (run.text.find(part) == std::string::npos && plain.find(part) == std::string::npos)
      run.problems.push_back("the document lacks “" + part + "”");
  }
  for (const std::string& part : Strings(one.spec, "absent")) {
    if (run.text.find(part) != std::string::npos || plain.find(part) != std::string::npos)
      run.problems.push_back("the document holds “" + part + "”, which should be absent");
  }
  CheckTraces(run.text, one.elements, run.problems);
  if (document.blocks.empty()) run.problems.emplace_back("the document is empty");
  const Result<Document> again = DocumentFromJson(ToJson(document));
  if (!again.ok() || !(*again == document))
    run.problems.emplace_back("the document does not survive a trip through JSON");
}

void CheckExpectations(const PlanResult& result, const CaseFile& one, CaseRun& run) {
  const std::vector<std::string> errors = Strings(one.spec, "errors");
  for (const std::string& name : errors) {
    if (!NamedBy(result.errors, name)) run.problems.push_back("expected an error at " + name);
  }
  if (errors.empty()) {
    for (const Violation& violation : result.errors)
      run.problems.push_back("unexpected error: " + violation.ToString());
  }
  if (!result.errors.empty()) return;
  for (const std::string& id : Strings(one.spec, "warnings")) {
    if (!NamedBy(result.plan.warnings, id)) run.problems.push_back("expected the warning " + id);
  }
  const std::vector<std::string> missing = Strings(one.spec, "missing");
  for (const std::string& path : missing) {
    const bool found = std::any_of(result.plan.missing.begin(), result.plan.missing.end(),
                                   [&](const MissingField& field) { return field.path == path; });
    if (!found) run.problems.push_back("expected " + path + " to be listed as missing");
  }
  if (one.spec.contains("expect") && one.spec["expect"].contains("missing")) {
    for (const MissingField& field : result.plan.missing) {
      if (std::find(missing.begin(), missing.end(), field.path) == missing.end())
        run.problems.push_back("also missing: " + field.path);
    }
  }
  CheckDocument(result.plan, one, run);
}

std::vector<BranchCount> Counted(const std::vector<TemplateBranch>& branches, const PlanLog& log) {
  std::vector<BranchCount> out;
  for (const TemplateBranch& branch : branches) {
    const std::string elif =
        branch.branch.index == 0 ? "" : " elif " + std::to_string(branch.branch.index);
    const auto found = log.branches.counts.find({branch.branch.place, branch.branch.index});
    out.push_back({branch.file + ":" + std::to_string(branch.branch.line) + elif,
                   found == log.branches.counts.end() ? text::BranchLog::Count() : found->second});
  }
  return out;
}

}  // namespace

bool TypeReport::ok() const {
  return std::all_of(cases.begin(), cases.end(),
                     [](const CaseRun& run) { return run.problems.empty(); });
}

void AddCounts(const std::vector<BranchCount>& counts, FieldCounts& sum) {
  for (const BranchCount& branch : counts) {
    text::BranchLog::Count& count = sum[branch.place];
    count.taken += branch.count.taken;
    count.skipped += branch.count.skipped;
  }
}

std::vector<BranchCount> ListedCounts(const FieldCounts& counts) {
  std::vector<BranchCount> out;
  out.reserve(counts.size());
  for (const auto& [name, count] : counts) out.push_back({name, count});
  return out;
}

std::size_t BothWays(const std::vector<BranchCount>& counts) {
  return static_cast<std::size_t>(
      std::count_if(counts.begin(), counts.end(), [](const BranchCount& branch) {
        return branch.count.taken > 0 && branch.count.skipped > 0;
      }));
}

Result<TypeReport> RunCases(const Doctype& doctype, const std::string& data_dir) {
  TypeReport report;
  report.id = doctype.id();
  PlanLog log;
  FieldCounts fields;
  ListOptional(doctype.schema(), fields);
  for (const std::string& id : doctype.ConditionalClauses()) log.clauses[id];
  ZB_ASSIGN_OR_RETURN(const std::vector<CaseFile> cases, ReadCases(doctype, data_dir));
  for (const CaseFile& one : cases) {
    CaseRun run;
    run.file = one.file;
    run.name = one.spec["name"].get<std::string>();
    run.problems = one.problems;
    if (run.problems.empty()) {
      if (one.elements.is_object()) CountOptional(doctype.schema(), one.elements, fields);
      PlanOptions options;
      options.allow_missing = one.spec.value("allow_missing", false);
      options.log = &log;
      const Result<PlanResult> result = doctype.Plan(one.elements, one.today, options);
      if (result.ok()) {
        CheckExpectations(*result, one, run);
      } else {
        run.problems.push_back(result.status().ToString());
      }
    }
    report.cases.push_back(std::move(run));
  }
  report.clauses = ListedCounts(log.clauses);
  report.checks = ListedCounts(log.checks);
  for (const BranchCount& field : ListedCounts(fields)) {
    const bool shared = field.place.rfind("common.", 0) == 0;
    (shared ? report.shared_fields : report.fields).push_back(field);
  }
  report.branches = Counted(doctype.Branches(), log);
  report.shared_branches = Counted(doctype.SharedBranches(), log);
  return report;
}

Result<std::vector<std::pair<std::string, nlohmann::json>>> CaseElements(
    const Doctype& doctype, const std::string& data_dir) {
  ZB_ASSIGN_OR_RETURN(std::vector<CaseFile> cases, ReadCases(doctype, data_dir));
  std::vector<std::pair<std::string, json>> out;
  for (CaseFile& one : cases) {
    if (one.problems.empty()) out.emplace_back(one.file, std::move(one.elements));
  }
  return out;
}

}  // namespace zhibi::legal
