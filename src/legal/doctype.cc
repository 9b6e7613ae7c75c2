// SPDX-License-Identifier: Apache-2.0
// Loading of a document type. Its own files are checked as strictly as a user's: a fault names file
// and place.
#include "legal/doctype.h"

#include <algorithm>
#include <filesystem>
#include <system_error>

#include "base/file.h"
#include "base/json.h"
#include "base/status_macros.h"
#include "legal/calc_filters.h"
#include "legal/doctype_parts.h"
#include "legal/filters.h"
#include "legal/missing_fields.h"

namespace zhibi::legal {
namespace {

using nlohmann::json;

constexpr std::size_t kMaxFileBytes = std::size_t{4} << 20;

Result<json> ReadJson(const std::string& path) { return base::ReadJsonFile(path, kMaxFileBytes); }

// An expression as a template that renders "1" when it holds.
Result<text::JinjaTemplate> Condition(const std::string& expression, const std::string& name) {
  return text::JinjaTemplate::Parse("{{ '1' if (" + expression + ") else '' }}", name);
}

Result<text::JinjaTemplate> ReadTemplate(const std::string& path) {
  ZB_ASSIGN_OR_RETURN(const std::string text, base::ReadFile(path, kMaxFileBytes));
  return text::JinjaTemplate::Parse(text, path);
}

class Loader {
 public:
  Loader(std::string data_dir, std::string folder, Doctype::Parts& parts)
      : data_dir_(std::move(data_dir)), folder_(std::move(folder)), parts_(parts) {}

  Status Run(const json& spec) {
    spec_path_ = folder_ + "/doctype.json";
    ZB_ASSIGN_OR_RETURN(const json form, ReadJson(data_dir_ + "/schemas/doctype.schema.json"));
    ZB_ASSIGN_OR_RETURN(const JsonSchema form_schema,
                        JsonSchema::FromJson(form, "schemas/doctype.schema.json"));
    const std::vector<Violation> violations = form_schema.Validate(spec);
    if (!violations.empty())
      return InvalidArgumentError(spec_path_ + ":\n" + FormatViolations(violations));
    parts_.id = spec["id"].get<std::string>();
    parts_.title = spec["title"].get<std::string>();
    parts_.title_en = spec["title_en"].get<std::string>();
    parts_.version = spec["version"].get<std::string>();
    parts_.layout = spec.value("layout", std::string("court"));
    parts_.instance = spec.value("instance", std::string());
    parts_.branch = spec.value("branch", std::string());
    parts_.folder = folder_;
    parts_.ai_label = spec.value("ai_label", std::string());
    ZB_RETURN_IF_ERROR(LoadMacros(spec));
    ZB_RETURN_IF_ERROR(LoadDerived(spec));
    ZB_RETURN_IF_ERROR(LoadChecks(spec));
    ZB_RETURN_IF_ERROR(LoadCitations(spec));
    ZB_RETURN_IF_ERROR(LoadPrompts(spec));
    ZB_RETURN_IF_ERROR(LoadStructure(spec));
    ZB_RETURN_IF_ERROR(LoadFromCase(spec));
    return LoadClauses(spec);
  }

 private:
  static const json& ListOf(const json& spec, const char* key) {
    static const json kNone = json::array();
    return spec.contains(key) ? spec[key] : kNone;
  }
  std::string Place(const char* key, std::size_t index) const {
    return spec_path_ + ": " + key + "[" + std::to_string(index) + "]";
  }

  Status LoadMacros(const json& spec) {
    for (const json& row : ListOf(spec, "macros")) {
      ZB_ASSIGN_OR_RETURN(
          text::JinjaTemplate macros,
          ReadTemplate(data_dir_ + "/doctypes/_shared/" + row.get<std::string>() + ".jinja"));
      ZB_RETURN_IF_ERROR(RefuseHiddenElements(macros));
      parts_.macros.push_back(std::move(macros));
    }
    return OkStatus();
  }

  // A macro and an element of one name: templates would see the macro only.
  Status RefuseHiddenElements(const text::JinjaTemplate& macros) const {
    const json& root = parts_.schema.Resolve(parts_.schema.root());
    const auto properties = root.find("properties");
    if (properties == root.end()) return OkStatus();
    for (const std::string& name : macros.DefinedNames()) {
      if (!properties->contains(name)) continue;
      return InvalidArgumentError(macros.name() + ": '" + name + "' is an element of " +
                                  spec_path_ + " too and would hide it; rename one of them");
    }
    return OkStatus();
  }

  Status LoadStructure(const json& spec) {
    if (!spec.contains("structure")) return OkStatus();
    const json& structure = spec["structure"];
    for (const json& row : ListOf(structure, "sections")) {
      const std::string place = Place("structure.sections", parts_.structure.sections.size());
      SectionRule rule;
      rule.id = row["id"].get<std::string>();
      rule.title = row["title"].get<std::string>();
      rule.pattern = row["pattern"].get<std::string>();
      rule.level = row.value("level", 1);
      std::optional<text::JinjaTemplate> condition;
      if (const auto required = row.find("required"); required != row.end()) {
        if (required->is_boolean()) {
          rule.required = required->get<bool>();
        } else {
          rule.required_when = required->get<std::string>();
          ZB_ASSIGN_OR_RETURN(condition, Condition(rule.required_when, place + ".required"));
        }
      }
      parts_.structure.sections.push_back(std::move(rule));
      parts_.section_conditions.push_back(std::move(condition));
    }
    for (const json& row : ListOf(structure, "forbidden")) {
      parts_.structure.forbidden.push_back(
          {row["id"].get<std::string>(), row["pattern"].get<std::string>(),
           row["zh"].get<std::string>(), row.value("basis", std::string())});
    }
    return OkStatus();
  }

  // May a value that a person alone decides reach the property?
  Status CheckOutcome(const std::string& expression, const json& property,
                      const std::string& place) const {
    if (expression.find("case.outcome") == std::string::npos) return OkStatus();
    const json& resolved = parts_.schema.Resolve(property);
    if (resolved.value("x-human-only", false) || property.value("x-human-only", false))
      return OkStatus();
    return InvalidArgumentError(place +
                                ": takes case.outcome into a property without x-human-only");
  }

  Result<CaseMapping> Mapping(const json& value, const json& property, const std::string& place,
                              int depth) const {
    CaseMapping mapping;
    if (depth > 16) return InvalidArgumentError(place + ": nested deeper than 16 levels");
    if (value.is_string()) {
      ZB_RETURN_IF_ERROR(CheckOutcome(value.get<std::string>(), property, place));
      ZB_ASSIGN_OR_RETURN(mapping.value, JsonExpression(value.get<std::string>(), place));
      return mapping;
    }
    if (!value.is_object())
      return InvalidArgumentError(place + ": expected an expression or an object of such");
    if (value.contains("$each")) {
      if (!value["$each"].is_string() || !value.contains("$item"))
        return InvalidArgumentError(place + ": expected {\"$each\": expression, \"$item\": ...}");
      ZB_ASSIGN_OR_RETURN(mapping.value,
                          JsonExpression(value["$each"].get<std::string>(), place + ".$each"));
      ZB_ASSIGN_OR_RETURN(CaseMapping item,
                          Mapping(value["$item"], property, place + ".$item", depth + 1));
      mapping.item = std::make_shared<const CaseMapping>(std::move(item));
      return mapping;
    }
    const json& schema = parts_.schema.Resolve(property);
    static const json kAny = json::object();
    for (const auto& [key, child] : value.items()) {
      const bool known = schema.contains("properties") && schema["properties"].contains(key);
      ZB_ASSIGN_OR_RETURN(
          CaseMapping member,
          Mapping(child, known ? schema["properties"][key] : kAny, place + "." + key, depth + 1));
      mapping.members.push_back({key, std::move(member)});
    }
    return mapping;
  }

  Status LoadFromCase(const json& spec) {
    if (!spec.contains("from_case")) return OkStatus();
    ZB_ASSIGN_OR_RETURN(CaseMapping mapping, Mapping(spec["from_case"], parts_.schema.root(),
                                                     spec_path_ + ": from_case", 0));
    const json& root = parts_.schema.Resolve(parts_.schema.root());
    for (const auto& [key, member] : mapping.members) {
      if (!root.contains("properties") || !root["properties"].contains(key)) {
        return InvalidArgumentError(spec_path_ + ": from_case." + key +
                                    ": the elements have no such property");
      }
    }
    parts_.from_case.push_back(std::move(mapping));
    return OkStatus();
  }

  Status LoadTable(const json& row, const std::string& place, BlockForm& form) const {
    form.style = row.value("style", std::string("body"));
    if (!IsStyleName(form.style))
      return InvalidArgumentError(place + ".style: unknown style " + form.style);
    const auto table = row.find("table");
    if (table == row.end()) return OkStatus();
    form.is_table = true;
    form.column_percent = (*table)["columns"].get<std::vector<int>>();
    form.header_rows = table->value("header_rows", 0);
    int sum = 0;
    for (const int percent : form.column_percent) sum += percent;
    if (sum == 100) return OkStatus();
    return InvalidArgumentError(place + ".table.columns: expected a sum of 100, got " +
                                std::to_string(sum));
  }

  Status LoadDerived(const json& spec) {
    for (const json& row : ListOf(spec, "derived")) {
      const std::string place = Place("derived", parts_.derived.size());
      ZB_ASSIGN_OR_RETURN(text::JinjaTemplate value,
                          text::JinjaTemplate::Parse(
                              "{{ (" + row["value"].get<std::string>() + ") | tojson }}", place));
      parts_.derived.push_back({row["name"].get<std::string>(), std::move(value)});
    }
    return OkStatus();
  }

  Status LoadChecks(const json& spec) {
    for (const json& row : ListOf(spec, "checks")) {
      const std::string place = Place("checks", parts_.checks.size());
      ZB_ASSIGN_OR_RETURN(text::JinjaTemplate when,
                          Condition(row["when"].get<std::string>(), place + ".when"));
      ZB_ASSIGN_OR_RETURN(text::JinjaTemplate zh,
                          text::JinjaTemplate::Parse(row["zh"].get<std::string>(), place + ".zh"));
      parts_.checks.push_back({row["id"].get<std::string>(), row["level"] == "error",
                               row["path"].get<std::string>(), std::move(when), std::move(zh),
                               row["en"].get<std::string>()});
    }
    return OkStatus();
  }

  Status LoadCitations(const json& spec) {
    for (const json& row : ListOf(spec, "citations")) {
      const std::string place = Place("citations", parts_.citations.size());
      const auto id = row["statute"].get<std::string>();
      const Statute* statute = parts_.statutes.Find(id);
      if (statute == nullptr)
        return InvalidArgumentError(place + ": the statute table has no " + id);
      const auto article = row["article"].get<std::int64_t>();
      if (article > statute->articles) {
        return InvalidArgumentError(place + ": article " + std::to_string(article) + ", but " +
                                    statute->name + " has " + std::to_string(statute->articles));
      }
      ZB_ASSIGN_OR_RETURN(text::JinjaTemplate when,
                          Condition(row["when"].get<std::string>(), place + ".when"));
      parts_.citations.push_back({{statute, static_cast<int>(article)}, std::move(when)});
    }
    return OkStatus();
  }

  Status LoadPrompts(const json& spec) {
    for (const json& row : ListOf(spec, "prompts")) {
      PromptForm form;
      form.id = row["id"].get<std::string>();
      form.needs = row["needs"].get<std::vector<std::string>>();
      form.chat = row["chat"].get<bool>();
      form.before = row["before"].get<std::string>();
      form.after = row["after"].get<std::string>();
      form.stop = row["stop"].get<std::vector<std::string>>();
      ZB_ASSIGN_OR_RETURN(text::JinjaTemplate head,
                          ReadTemplate(folder_ + "/" + row["head"].get<std::string>()));
      parts_.prompts.push_back({std::move(form), std::move(head)});
    }
    return OkStatus();
  }

  Result<text::JinjaTemplate> SkeletonOf(const json& name) const {
    return ReadTemplate(folder_ + "/skeleton/" + name.get<std::string>());
  }

  Status LoadClauses(const json& spec) {
    for (const json& row : spec["clauses"]) {
      Clause clause;
      clause.planned.id = row["id"].get<std::string>();
      clause.planned.title = row["title"].get<std::string>();
      const std::string place = Place("clauses", parts_.clauses.size());
      for (const Clause& other : parts_.clauses) {
        if (other.planned.id == clause.planned.id) {
          return InvalidArgumentError(place + ".id: repeats " + other.planned.id);
        }
      }
      if (row.contains("when")) {
        ZB_ASSIGN_OR_RETURN(clause.when,
                            Condition(row["when"].get<std::string>(), place + ".when"));
      }
      clause.planned.form.clause = clause.planned.id;
      ZB_RETURN_IF_ERROR(LoadTable(row, place, clause.planned.form));
      if (row.contains("template")) {
        ZB_ASSIGN_OR_RETURN(clause.fixed, SkeletonOf(row["template"]));
      } else {
        const json& generate = row["generate"];
        clause.planned.generated = true;
        clause.planned.name = generate["name"].get<std::string>();
        clause.planned.max_tokens = generate["max_tokens"].get<int>();
        clause.planned.gap = generate["gap"].get<std::string>();
        clause.before = generate["before"].get<std::string>();
        const json& fallback =
            row.contains("skeleton_fallback") ? row : generate;  // either place will do
        if (fallback.contains("skeleton_fallback")) {
          ZB_ASSIGN_OR_RETURN(clause.fallback, SkeletonOf(fallback["skeleton_fallback"]));
        } else if (parts_.prompts.empty()) {
          return InvalidArgumentError(
              place + ".generate: expected prompts of the type, or a skeleton_fallback");
        }
      }
      parts_.clauses.push_back(std::move(clause));
    }
    return OkStatus();
  }

  std::string data_dir_;
  std::string folder_;
  std::string spec_path_;
  Doctype::Parts& parts_;
};

bool IsId(std::string_view id) {
  return !id.empty() && id.size() < 64 && id.front() != '.' &&
         id.find("..") == std::string_view::npos &&
         id.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-.") == std::string_view::npos;
}

// A file that may be missing: null then.
Result<json> ReadOptionalJson(const std::string& path) {
  std::error_code error;
  if (!std::filesystem::exists(path, error)) return json(nullptr);
  return ReadJson(path);
}

}  // namespace

std::vector<std::string> Doctype::List(const std::string& data_dir) {
  std::vector<std::string> ids;
  std::error_code error;
  for (std::filesystem::directory_iterator it(data_dir + "/doctypes", error), end;
       !error && it != end; it.increment(error)) {
    if (std::filesystem::exists(it->path() / "doctype.json", error))
      ids.push_back(it->path().filename().string());
  }
  std::sort(ids.begin(), ids.end());
  return ids;
}

Result<Doctype> Doctype::Load(const std::string& data_dir, std::string_view id) {
  const std::vector<std::string> known = List(data_dir);
  if (!IsId(id) || std::find(known.begin(), known.end(), id) == known.end()) {
    std::string list;
    for (const std::string& name : known) list += (list.empty() ? "" : ", ") + name;
    return NotFoundError("没有文书类型 " + std::string(id) + "，现有：" +
                         (list.empty() ? "（无）" : list) +
                         " / unknown document type, there are: " + (list.empty() ? "none" : list));
  }
  return LoadFolder(data_dir, data_dir + "/doctypes/" + std::string(id));
}

Result<Doctype> Doctype::LoadFolder(const std::string& data_dir, const std::string& folder) {
  const std::string id = std::filesystem::path(folder).filename().string();
  ZB_ASSIGN_OR_RETURN(const json spec, ReadJson(folder + "/doctype.json"));
  if (!spec.is_object() || !spec.contains("schema") || !spec["schema"].is_string()) {
    return InvalidArgumentError(folder + "/doctype.json: expected an object that names its schema");
  }
  const auto schema_name = spec["schema"].get<std::string>();
  if (schema_name.find('/') != std::string::npos || schema_name.find("..") != std::string::npos) {
    return InvalidArgumentError(folder +
                                "/doctype.json: schema: expected the name of a file beside it");
  }
  ZB_ASSIGN_OR_RETURN(json schema_json, ReadJson(folder + "/" + schema_name));
  ZB_ASSIGN_OR_RETURN(const json common,
                      ReadOptionalJson(data_dir + "/schemas/common.schema.json"));
  ZB_ASSIGN_OR_RETURN(JsonSchema schema,
                      JsonSchema::FromJson(std::move(schema_json), id + "/" + schema_name, common));
  ZB_ASSIGN_OR_RETURN(const json statutes_json, ReadJson(data_dir + "/statutes/statutes.json"));
  ZB_ASSIGN_OR_RETURN(StatuteTable statutes,
                      StatuteTable::FromJson(statutes_json, "statutes/statutes.json"));
  ZB_ASSIGN_OR_RETURN(LprTable lpr, LprTable::Load(data_dir));
  ZB_ASSIGN_OR_RETURN(BenchmarkTable benchmark, BenchmarkTable::Load(data_dir));
  ZB_ASSIGN_OR_RETURN(HolidayTable holidays, HolidayTable::Load(data_dir));
  auto parts = std::make_shared<Parts>(Parts{std::move(schema), std::move(statutes), std::move(lpr),
                                             std::move(benchmark), std::move(holidays)});
  parts->any_human_only = HasHumanOnly(parts->schema);
  // The filters look into the tables of these very parts.
  parts->filters = MakeFilters(parts->lpr);
  AddCalcFilters(parts->filters, {parts->lpr, parts->benchmark, parts->holidays});
  ZB_RETURN_IF_ERROR(Loader(data_dir, folder, *parts).Run(spec));
  if (parts->id != id) {
    return InvalidArgumentError(folder + "/doctype.json: id: expected the folder's name " + id +
                                ", got " + parts->id);
  }
  return Doctype(std::move(parts));
}

Result<text::JinjaTemplate> JsonExpression(const std::string& expression, const std::string& name) {
  return text::JinjaTemplate::Parse(
      "{% set value = (" + expression + ") %}{{ (value if value is defined else none) | tojson }}",
      name);
}

const std::string& Doctype::id() const { return parts_->id; }
const std::string& Doctype::title() const { return parts_->title; }
const std::string& Doctype::title_en() const { return parts_->title_en; }
const std::string& Doctype::version() const { return parts_->version; }
const std::string& Doctype::layout() const { return parts_->layout; }
const std::string& Doctype::instance() const { return parts_->instance; }
const std::string& Doctype::branch() const { return parts_->branch; }
const std::string& Doctype::folder() const { return parts_->folder; }
const JsonSchema& Doctype::schema() const { return parts_->schema; }
const Structure& Doctype::structure() const { return parts_->structure; }
bool Doctype::has_from_case() const { return !parts_->from_case.empty(); }

namespace {

void AddBranches(const text::JinjaTemplate& source, std::vector<TemplateBranch>& out) {
  const std::string file = std::filesystem::path(source.name()).filename().string();
  for (const text::JinjaTemplate::Branch& branch : source.Branches()) out.push_back({file, branch});
}

}  // namespace

std::vector<TemplateBranch> Doctype::Branches() const {
  std::vector<TemplateBranch> out;
  for (const Clause& clause : parts_->clauses) {
    if (clause.fixed) AddBranches(*clause.fixed, out);
    if (clause.fallback) AddBranches(*clause.fallback, out);
  }
  return out;
}

std::vector<TemplateBranch> Doctype::SharedBranches() const {
  std::vector<TemplateBranch> out;
  for (const text::JinjaTemplate& macros : parts_->macros) AddBranches(macros, out);
  return out;
}

std::vector<std::string> Doctype::ConditionalClauses() const {
  std::vector<std::string> ids;
  for (const Clause& clause : parts_->clauses) {
    if (clause.when) ids.push_back(clause.planned.id);
  }
  return ids;
}

std::string FormatViolations(const std::vector<Violation>& violations) {
  std::string out;
  for (std::size_t i = 0; i < violations.size(); ++i) {
    out += "  " + std::to_string(i + 1) + ". " + violations[i].ToString() + "\n";
  }
  return out;
}

}  // namespace zhibi::legal
