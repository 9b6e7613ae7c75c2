// SPDX-License-Identifier: Apache-2.0
// CIT-02 no article, CIT-04 order, CIT-05 level (all three on the basis of a decision, 法释〔2009〕
// 14号), CIT-15 an interpretation that the reasons rest on and the basis leaves out. Which kinds a
// branch allows is data: rules.json "tables.citation_levels".
#include <algorithm>
#include <string>
#include <vector>

#include "base/utf8.h"
#include "rules/cit.h"

namespace zhibi::rules {
namespace {

using nlohmann::json;
using statute::Kind;
using statute::Matter;
using statute::Statute;

// Laws, regulations, interpretations; -1: article 2 says nothing of it.
int Tier(Kind kind) {
  switch (kind) {
    case Kind::kConstitution:
    case Kind::kBasicLaw:
    case Kind::kLaw:
    case Kind::kLawInterpretation:
      return 0;
    case Kind::kRegulation:
      return 1;
    case Kind::kLocalRegulation:
      return 2;
    case Kind::kAutonomousRegulation:
      return 3;
    case Kind::kJudicialInterpretation:
      return 4;
    case Kind::kRule:
    case Kind::kNormative:
    case Kind::kTreaty:
      break;
  }
  return -1;
}

// Why `second` should stand before `first`; empty: nothing says so.
std::string WhyBefore(const Statute& first, const Statute& second) {
  const int front = Tier(first.kind);
  const int back = Tier(second.kind);
  if (front < 0 || back < 0 || &first == &second) return {};
  if (front > back) {
    return std::string(back == 0 ? "法律" : KindName(second.kind)) + "应当在" +
           std::string(KindName(first.kind)) + "之前引用";
  }
  if (front != 0 || back != 0) return {};
  if (first.matter == Matter::kProcedural && second.matter == Matter::kSubstantive) {
    return "实体法应当在程序法之前引用";
  }
  if (first.matter == second.matter && first.matter != Matter::kUnknown &&
      first.kind == Kind::kLaw && second.kind == Kind::kBasicLaw) {
    return "基本法律应当在其他法律之前引用";
  }
  return {};
}

void CheckOrder(Context& context, const std::vector<const Cited*>& basis) {
  for (std::size_t i = 1; i < basis.size(); ++i) {
    const Cited& second = *basis[i];
    // A full stop or a semicolon begins another list: 对被告人甲，依照…；对被告人乙，依照….
    for (std::size_t j = 0; j < i; ++j) {
      const Cited& first = *basis[j];
      const Span between{first.citation->span.end, second.citation->span.begin};
      if (between.end < between.begin || Has(context.view.At(between), "；") ||
          Has(context.view.At(between), "。")) {
        continue;
      }
      const std::string why = WhyBefore(*first.resolved->statute, *second.resolved->statute);
      if (why.empty()) continue;
      context.Report("CIT-04", {first.citation->span.begin, second.citation->span.end},
                     {.message = why,
                      .suggestion = "把" + Quoted(*second.resolved->statute) + "移到" +
                                    Quoted(*first.resolved->statute) + "之前"});
      return;
    }
  }
}

std::string_view BranchOf(const View& view) {
  // With a civil action attached the court decides by civil law too; what an earlier instance held
  // of one is only recited.
  static const Pattern kCivil = MustCompile("附带民事(?!判决|裁定|调解)|民事部分|赔偿");
  const bool civil_holding = view.holding && Has(kCivil, view.At(*view.holding));
  if (view.branch == Branch::kCriminal && (view.incidental_civil || civil_holding)) {
    return "incidental_civil";
  }
  return BranchName(view.branch);
}

void CheckLevel(Context& context, const Cited& cited) {
  const json& tables = context.tables.rules.tables();
  if (!tables.is_object() || !tables.contains("citation_levels")) return;
  const json& levels = tables["citation_levels"];
  const auto branch = levels.find(BranchOf(context.view));
  if (branch == levels.end() || !branch->is_object()) return;
  const Statute& statute = *cited.resolved->statute;
  const std::string kind(KindName(statute.kind));
  const auto level = branch->find(kind);
  if (level == branch->end() || !level->is_string()) return;
  const bool error = *level == "error";
  context.Report("CIT-05", ToSpan(cited.citation->name_span),
                 {.message = Quoted(statute) + "是" + kind + "，" +
                             (error ? "不能作为本类案件的裁判依据" : "一般不作为裁判依据"),
                  .suggestion = "在说理部分引用，裁判依据改引法律、司法解释等",
                  .level = error ? Level::kError : Level::kWarning});
}

void CheckArticle(Context& context, const Cited& cited) {
  const statute::Citation& citation = *cited.citation;
  if (citation.form == statute::NameForm::kReference || !citation.divisions.empty()) return;
  if (!citation.places.empty()) {
    const Span first = ToSpan(citation.places.front().span);
    if (context.view.At(first).starts_with("第")) return;
    context.Report("CIT-02", first,
                   {.message = "条文序号前缺“第”字",
                    .suggestion = FormatArticle(citation.places.front().article)});
    return;
  }
  // 《…》第一百四十四规定: 条 is forgotten.
  static const Pattern kNoUnit = MustCompile(
      "^ ?第[\\d一二三四五六七八九十百千]{1,8}(?![\\d一二三四五六七八九十百千条编章节分])");
  const std::size_t end = citation.span.end;
  Match match;
  if (kNoUnit.Search(std::string_view(context.view.text)
                         .substr(end, base::BorderUpTo(context.view.text, end + 40) - end),
                     0, &match)) {
    context.Report("CIT-02", {end + match.begin(), end + match.end()},
                   {.message = "条文序号缺“条”字", .suggestion = "补写“条”"});
    return;
  }
  context.Report("CIT-02", ToSpan(citation.name_span),
                 {.message = "裁判依据没有写明" + Quoted(*cited.resolved->statute) + "的条文序号",
                  .suggestion = "写明条、款、项"});
}

// The reasons rest on an interpretation, the basis names none: a person has to decide.
void CheckInterpretation(Context& context, const Citing& citing) {
  const View& view = context.view;
  if (view.branch != Branch::kAdministrative || !view.basis) return;
  const Cited* applied = nullptr;
  for (const Cited& cited : citing.cited) {
    if (cited.resolved->statute == nullptr || cited.voice != Voice::kOwn) continue;
    if (cited.resolved->statute->kind != Kind::kJudicialInterpretation) continue;
    if (cited.basis) return;
    if (!cited.citation->places.empty() &&
        view.PartAt(cited.citation->span.begin) == Part::kReasoning) {
      applied = &cited;
    }
  }
  if (applied == nullptr) return;
  context.Report("CIT-15", ToSpan(applied->citation->span),
                 {.message = "说理引用了" + Quoted(*applied->resolved->statute) +
                             "，裁判依据没有援引；是否适用了它，程序不能判断，须人工核对",
                  .suggestion = "适用司法解释的，在裁判依据中援引"});
}

}  // namespace

void CheckCitedBasis(Context& context, const Citing& citing) {
  std::vector<const Cited*> basis;
  for (const Cited& cited : citing.cited) {
    if (!(cited.basis || cited.loose) || cited.voice == Voice::kSilent) continue;
    if (cited.resolved->statute == nullptr) continue;
    if (cited.citation->form == statute::NameForm::kRelative) continue;
    basis.push_back(&cited);
    if (!cited.basis) continue;
    CheckArticle(context, cited);
    CheckLevel(context, cited);
  }
  CheckOrder(context, basis);
  CheckInterpretation(context, citing);
}

}  // namespace zhibi::rules
