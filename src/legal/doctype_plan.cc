// SPDX-License-Identifier: Apache-2.0
// From elements to a plan: validate, normalise, derive, check, choose citations, render.
#include <algorithm>

#include "base/status_macros.h"
#include "legal/doctype.h"
#include "legal/doctype_parts.h"
#include "legal/missing_fields.h"
#include "legal/normalise.h"
#include "text/jinja_string.h"

namespace zhibi::legal {
namespace {

using nlohmann::json;
using nlohmann::ordered_json;

constexpr std::string_view kGapMark = "【待补：";
// A statute or rate table that was checked longer ago than this is named in a warning.
constexpr std::int64_t kStaleDays = 180;

// Field name of a path like "loan.term_end": the titles of the schema along it.
Violation AtPath(const JsonSchema& schema, const std::string& path) {
  FieldPath at;
  const json* place = &schema.Resolve(schema.root());
  std::size_t begin = 0;
  while (begin < path.size()) {
    const std::size_t dot = std::min(path.find('.', begin), path.size());
    const std::string key = path.substr(begin, dot - begin);
    static const json kNone = json::object();
    const bool known = place->contains("properties") && (*place)["properties"].contains(key);
    const json& unresolved = known ? (*place)["properties"][key] : kNone;
    place = &schema.Resolve(unresolved);
    at = at.Child(key, unresolved.contains("title") ? unresolved : *place);
    begin = dot + 1;
  }
  return {at.field(), at.path(), "", "", ""};
}

// What templates see: elements, derived values, citations.
struct Scene {
  ordered_json context = ordered_json::object();
  text::RenderOptions options;
  bool met_missing = false;
};

class Planner {
 public:
  Planner(const Doctype::Parts& parts, const Date& today, const PlanOptions& plan_options)
      : parts_(parts), today_(today), plan_options_(plan_options) {}

  Result<PlanResult> Run(json elements) {
    PlanResult result;
    if (plan_options_.allow_missing) DropNulls(elements);
    result.errors = Validate(elements);
    if (!elements.is_object()) return result;
    Normalise(parts_.schema, elements, result.errors);
    if (!result.errors.empty()) return result;
    // What normalising has made (fen under another key, dates) must hold the schema's bounds too.
    result.errors = Validate(elements);
    if (!result.errors.empty()) return result;
    if (plan_options_.allow_missing) {
      result.plan.missing = FillMissing(parts_.schema, elements);
      for (Violation& violation : parts_.schema.Validate(elements)) {
        if (IsMissingViolation(violation)) result.errors.push_back(std::move(violation));
      }
      if (!result.errors.empty()) return result;
    }
    missing_ = !result.plan.missing.empty();
    Scene scene;
    // Before the derived values, whose macros have branches too.
    scene.options.branches = plan_options_.log == nullptr ? nullptr : &plan_options_.log->branches;
    ZB_RETURN_IF_ERROR(MakeScene(elements, scene));
    ZB_RETURN_IF_ERROR(RunChecks(scene, result));
    if (!result.errors.empty()) return result;
    SayCitations(result.plan);
    values_.Add(scene.context["derived"], "derived", RunSource::kComputed);
    values_.Add(ordered_json(elements), "", RunSource::kElement);
    ZB_RETURN_IF_ERROR(RenderClauses(scene, result.plan));
    ZB_RETURN_IF_ERROR(MakeStructure(scene, result.plan));
    ZB_RETURN_IF_ERROR(RenderPrompts(std::move(elements), scene, result.plan));
    return result;
  }

 private:
  std::vector<Violation> Validate(const json& elements) const {
    std::vector<Violation> violations = parts_.schema.Validate(elements);
    if (plan_options_.allow_missing) {
      violations.erase(std::remove_if(violations.begin(), violations.end(), IsMissingViolation),
                       violations.end());
    }
    return violations;
  }

  Status MakeScene(const json& elements, Scene& scene) {
    for (const auto& [key, value] : elements.items()) {
      scene.context[key] = ordered_json(value);
      scene.options.user_keys.push_back(key);
    }
    scene.options.user_keys.emplace_back("derived");
    scene.context["today"] = FormatIso(today_);
    scene.context["lpr_as_of"] = FormatIso(parts_.lpr.as_of());
    scene.context["derived"] = ordered_json::object();
    scene.options.strict_undefined = true;
    scene.options.filters = &parts_.filters;
    // Sums and dates that filters write come from the elements.
    scene.options.filters_are_user = true;
    for (const text::JinjaTemplate& macros : parts_.macros) scene.options.macros.push_back(&macros);
    if (missing_) {
      scene.options.missing_mark = std::string(kMissingMark);
      scene.options.undefined_text = std::string(kMissingMark) + "相关内容】";
      scene.options.met_missing = &scene.met_missing;
    }
    ZB_RETURN_IF_ERROR(Derive(scene));
    return Cite(scene);
  }

  static Result<std::string> Text(const text::JinjaTemplate& source, const Scene& scene) {
    ZB_ASSIGN_OR_RETURN(const Segments segments,
                        source.RenderSegments(scene.context, scene.options));
    return text::JoinSegments(segments);
  }

  // A condition that can't be decided because a value is missing does not hold.
  static Result<bool> Holds(const text::JinjaTemplate& condition, Scene& scene) {
    scene.met_missing = false;
    const Result<std::string> text = Text(condition, scene);
    if (!text.ok() && scene.met_missing) return false;
    if (!text.ok()) return text.status();
    return !text->empty();
  }

  Status Derive(Scene& scene) {
    for (const Derived& derived : parts_.derived) {
      scene.met_missing = false;
      const Result<std::string> text = Text(derived.value, scene);
      if (!text.ok() && scene.met_missing) {
        scene.context["derived"][derived.name] = std::string(kMissingMark) + derived.name + "】";
        continue;
      }
      if (!text.ok() && lenient_) continue;
      ZB_RETURN_IF_ERROR(text.status());
      ordered_json value = ordered_json::parse(*text, nullptr, false);
      if (value.is_discarded())
        return InternalError("derived value " + derived.name + " is no JSON");
      scene.context["derived"][derived.name] = std::move(value);
    }
    return OkStatus();
  }

  Status RunChecks(Scene& scene, PlanResult& result) {
    for (const Check& check : parts_.checks) {
      ZB_ASSIGN_OR_RETURN(const bool broken, Holds(check.when, scene));
      if (plan_options_.log != nullptr) {
        text::BranchLog::Count& count = plan_options_.log->checks[check.id];
        ++(broken ? count.taken : count.skipped);
      }
      // What depends on a missing value can't be judged; the value itself is listed.
      if (!broken || scene.met_missing) continue;
      Violation violation = AtPath(parts_.schema, check.path);
      violation.rule = check.id;
      ZB_ASSIGN_OR_RETURN(violation.message_zh, Text(check.zh, scene));
      violation.message_en = check.en;
      (check.is_error ? result.errors : result.plan.warnings).push_back(std::move(violation));
    }
    return OkStatus();
  }

  Status Cite(Scene& scene) {
    std::vector<Citation> citations;
    statutes_.clear();
    for (const CitationRule& rule : parts_.citations) {
      const Result<bool> applies = Holds(rule.when, scene);
      if (!applies.ok() && lenient_) continue;
      ZB_RETURN_IF_ERROR(applies.status());
      if (!*applies || rule.citation.statute->effective > today_) continue;
      citations.push_back(rule.citation);
      if (std::find(statutes_.begin(), statutes_.end(), rule.citation.statute) == statutes_.end()) {
        statutes_.push_back(rule.citation.statute);
      }
    }
    scene.context["citations"] = FormatCitations(citations);
    return OkStatus();
  }

  void SayCitations(DraftPlan& plan) const {
    for (const Statute* statute : statutes_) {
      plan.sources.push_back("《" + statute->name + "》（" + FormatIso(statute->effective) +
                             " 起施行，共 " + std::to_string(statute->articles) +
                             " 条，数据核对至 " + FormatIso(statute->as_of) + "）");
      if (ToDays(today_) - ToDays(statute->as_of) > kStaleDays) {
        plan.warnings.push_back({"法律依据", "citations", "CIT-00",
                                 "《" + statute->name + "》的数据核对至 " +
                                     FormatIso(statute->as_of) + "，已逾 180 天，请核对现行文本",
                                 "the statute data is older than 180 days"});
      }
    }
  }

  Status RenderClauses(Scene& scene, DraftPlan& plan) {
    plan.doctype = parts_.id;
    plan.title = parts_.title;
    plan.version = parts_.version;
    plan.ai_label = parts_.ai_label;
    plan.layout = parts_.layout;
    for (const Clause& clause : parts_.clauses) {
      if (clause.when) {
        ZB_ASSIGN_OR_RETURN(const bool applies, Holds(*clause.when, scene));
        if (plan_options_.log != nullptr) {
          text::BranchLog::Count& count = plan_options_.log->clauses[clause.planned.id];
          ++(applies ? count.taken : count.skipped);
        }
        if (!applies) continue;
      }
      PlannedClause planned = clause.planned;
      if (clause.fixed) {
        ZB_RETURN_IF_ERROR(Build(*clause.fixed, scene, planned.form, planned.text, planned.blocks));
        FindGaps(planned, plan);
      } else if (!clause.before.empty()) {
        planned.text.push_back({clause.before, true});
      }
      if (clause.fallback) {
        ZB_RETURN_IF_ERROR(Build(*clause.fallback, scene, planned.form, planned.fallback,
                                 planned.fallback_blocks));
      }
      plan.clauses.push_back(std::move(planned));
    }
    return OkStatus();
  }

  Status Build(const text::JinjaTemplate& source, const Scene& scene, const BlockForm& form,
               Segments& text, std::vector<Block>& blocks) const {
    ZB_ASSIGN_OR_RETURN(Segments segments, source.RenderSegments(scene.context, scene.options));
    // Jinja drops the template's last line end.
    segments.push_back({"\n", true});
    Result<BuiltBlocks> built = BuildBlocks(segments, form, values_);
    if (!built.ok()) return std::move(built).status().WithContext(source.name());
    text = std::move(built->text);
    blocks = std::move(built->blocks);
    return OkStatus();
  }

  Status MakeStructure(Scene& scene, DraftPlan& plan) const {
    plan.structure = parts_.structure;
    for (std::size_t i = 0; i < parts_.section_conditions.size(); ++i) {
      if (!parts_.section_conditions[i]) continue;
      ZB_ASSIGN_OR_RETURN(const bool required, Holds(*parts_.section_conditions[i], scene));
      plan.structure.sections[i].required = required;
    }
    return OkStatus();
  }

  // A model sees no field that a person alone decides, and nothing that was computed from one:
  // derived values are computed again without them, and kept where that changes nothing.
  Status RenderPrompts(json elements, const Scene& scene, DraftPlan& plan) {
    const Scene* seen = &scene;
    Scene without;
    if (parts_.any_human_only && !parts_.prompts.empty()) {
      DropHumanOnly(parts_.schema, elements);
      lenient_ = true;
      ZB_RETURN_IF_ERROR(MakeScene(elements, without));
      lenient_ = false;
      ordered_json& derived = without.context["derived"];
      const ordered_json& all = scene.context["derived"];
      for (auto it = derived.begin(); it != derived.end();) {
        const bool same = all.contains(it.key()) && all[it.key()] == it.value();
        it = same ? std::next(it) : derived.erase(it);
      }
      seen = &without;
    }
    for (const PromptTemplate& prompt : parts_.prompts) {
      PromptForm form = prompt.form;
      ZB_ASSIGN_OR_RETURN(form.head, prompt.head.RenderSegments(seen->context, seen->options));
      plan.prompts.push_back(std::move(form));
    }
    Measure(elements, "", plan);
    std::sort(plan.longest_fields.begin(), plan.longest_fields.end(),
              [](const auto& a, const auto& b) {
                return a.second != b.second ? a.second > b.second : a.first < b.first;
              });
    return OkStatus();
  }

  // Gaps that the skeleton left are warnings: nothing is missing silently.
  static void FindGaps(const PlannedClause& clause, DraftPlan& plan) {
    const std::string text = text::JoinSegments(clause.text);
    for (std::size_t at = text.find(kGapMark); at != std::string::npos;
         at = text.find(kGapMark, at + 1)) {
      const std::size_t begin = at + kGapMark.size();
      const std::size_t end = text.find("】", begin);
      const std::string what = text.substr(begin, end == std::string::npos ? end : end - begin);
      plan.warnings.push_back({clause.title, clause.id, "gap", "缺少" + what + "，文中留有【待补】",
                               "missing, the draft holds a marked gap"});
    }
  }

  static void Measure(const json& value, const std::string& path, DraftPlan& plan) {
    if (value.is_string()) {
      plan.longest_fields.emplace_back(
          path, text::jinja::CountChars(value.get_ref<const std::string&>()));
    } else if (value.is_array()) {
      for (std::size_t i = 0; i < value.size(); ++i)
        Measure(value[i], path + "[" + std::to_string(i) + "]", plan);
    } else if (value.is_object()) {
      for (const auto& [key, element] : value.items())
        Measure(element, path.empty() ? key : path + "." + key, plan);
    }
  }

  const Doctype::Parts& parts_;
  Date today_;
  PlanOptions plan_options_;
  ValueIndex values_;
  std::vector<const Statute*> statutes_;
  bool missing_ = false;
  // Derived values and citations that fail are left out: they need what was taken out.
  bool lenient_ = false;
};

// From a case to elements.
class CaseMapper {
 public:
  CaseMapper(const Doctype::Parts& parts, const json& case_data, const Date& today) {
    context_["case"] = ordered_json(case_data);
    context_["today"] = FormatIso(today);
    options_.filters = &parts.filters;
    for (const text::JinjaTemplate& macros : parts.macros) options_.macros.push_back(&macros);
  }

  // null where the case does not say.
  Result<json> Map(const CaseMapping& mapping) {
    if (mapping.value) {
      ZB_ASSIGN_OR_RETURN(json value, Render(*mapping.value));
      if (mapping.item == nullptr) return value;
      json list = json::array();
      if (!value.is_array()) return json(nullptr);
      for (const json& element : value) {
        context_["item"] = ordered_json(element);
        ZB_ASSIGN_OR_RETURN(json item, Map(*mapping.item));
        list.push_back(std::move(item));
      }
      context_.erase("item");
      return list;
    }
    json object = json::object();
    for (const auto& [key, member] : mapping.members) {
      ZB_ASSIGN_OR_RETURN(json value, Map(member));
      if (!value.is_null()) object[key] = std::move(value);
    }
    return object.empty() ? json(nullptr) : object;
  }

 private:
  Result<json> Render(const text::JinjaTemplate& source) {
    const Result<Segments> segments = source.RenderSegments(context_, options_);
    if (!segments.ok()) {
      // A part of the case that is not there.
      if (segments.status().message().find("is undefined") != std::string::npos)
        return json(nullptr);
      return segments.status();
    }
    json value = json::parse(text::JoinSegments(*segments), nullptr, false);
    if (value.is_discarded()) return InternalError(source.name() + ": is no JSON");
    return value;
  }

  ordered_json context_ = ordered_json::object();
  text::RenderOptions options_;
};

}  // namespace

Result<PlanResult> Doctype::Plan(nlohmann::json elements, const Date& today,
                                 const PlanOptions& options) const {
  return Planner(*parts_, today, options).Run(std::move(elements));
}

Result<nlohmann::json> Doctype::ElementsFromCase(const nlohmann::json& case_data,
                                                 const Date& today) const {
  if (parts_->from_case.empty()) {
    return FailedPreconditionError("文书类型 " + parts_->id +
                                   " 没有 from_case，不能由案件起草 (the "
                                   "document type does not say how a case maps to it)");
  }
  ZB_ASSIGN_OR_RETURN(json elements,
                      CaseMapper(*parts_, case_data, today).Map(parts_->from_case.front()));
  if (elements.is_null()) elements = json::object();
  DropNulls(elements);
  PruneUnknown(parts_->schema, elements);
  const auto documents = case_data.find("documents");
  if (documents != case_data.end() && documents->is_object() && documents->contains(parts_->id))
    elements.merge_patch((*documents)[parts_->id]);
  return elements;
}

std::string GapText(const PlannedClause& clause) {
  return std::string(kGapMark) + clause.gap + "】";
}

Document EmptyDocument(const DraftPlan& plan) {
  Document document;
  document.doctype = plan.doctype;
  document.title = plan.title;
  document.layout = plan.layout;
  document.ai_label = plan.ai_label;
  document.metadata["doctype_version"] = plan.version;
  return document;
}

Document DocumentWithoutModel(const DraftPlan& plan) {
  Document document = EmptyDocument(plan);
  for (const PlannedClause& clause : plan.clauses) {
    std::vector<Block> blocks = clause.blocks;
    if (clause.generated) {
      blocks = clause.fallback.empty()
                   ? TextBlocks(GapText(clause), clause.form, RunSource::kSkeleton, 0)
                   : clause.fallback_blocks;
    }
    for (Block& block : blocks) document.blocks.push_back(std::move(block));
  }
  return document;
}

}  // namespace zhibi::legal
