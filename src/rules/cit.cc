// SPDX-License-Identifier: Apache-2.0
// Citations of statutes (CIT-01 to CIT-15): reads and resolves them once, and decides whose words
// each one is. A court's own words are its reasons, its basis and what follows; claims, defences
// and what an earlier instance held are others' words; the appendix only quotes.
#include "rules/cit.h"

#include <algorithm>
#include <utility>

#include "legal/date.h"

namespace zhibi::rules {
namespace {

using nlohmann::json;

bool IsCourt(const View& view) {
  return view.form == Form::kJudgment || view.form == Form::kRuling ||
         view.form == Form::kDecision || view.form == Form::kMediation;
}

bool InQuotes(std::string_view before) {
  int open = 0;
  for (std::size_t at = 0; at + 3 <= before.size(); ++at) {
    const std::string_view c = before.substr(at, 3);
    if (c == "“") ++open;
    if (c == "”" && open > 0) --open;
  }
  return open > 0;
}

// 上诉人认为…, 一审法院依据…: recited in the court's reasons.
bool IsRecited(std::string_view before) {
  static const Pattern kSaid = MustCompile(
      "(?:上诉人|原告|被告|被告人|公诉机关|辩护人|申请人|第三人|当事人|代理人|检察院|检察机关|"
      "仲裁委|"
      "[甲乙]方|公司|原审|一审|二审|原判|双方)[^。；\\n]{0,40}?(?:主张|认为|提出|诉称|辩称|上诉称|"
      "援引|"
      "引用|为由|抗辩|约定)");
  static const Pattern kEarlier = MustCompile(
      "(?:原审|一审|二审|原判|原裁定|仲裁委|仲裁裁决|行政机关|(?:被告|局|机关)作出)[^。；\\n]{0,40}"
      "?"
      "(?:依据|依照|根据|适用|按照)");
  return Has(kSaid, before) || Has(kEarlier, before);
}

Voice VoiceOf(const View& view, Part part, std::string_view before, bool court) {
  switch (part) {
    case Part::kHeading:
    case Part::kPrior:
    case Part::kSignature:
    case Part::kAppendix:
      return Voice::kSilent;
    case Part::kBasis:
    case Part::kHolding:
    case Part::kTail:
      return Voice::kOwn;
    case Part::kProcedure:
    case Part::kClaim:
    case Part::kDefence:
    case Part::kFinding:
      if (court || view.form == Form::kUnknown) return Voice::kParty;
      break;
    case Part::kReasoning:
    case Part::kBody:
      break;
  }
  return InQuotes(before) || IsRecited(before) ? Voice::kParty : Voice::kOwn;
}

// An excerpt without a title: 依照《…》…、《…》 is taken for the basis of a decision.
bool IsLooseBasis(const View& view, std::string_view before) {
  static const Pattern kOpens = MustCompile("^[ ]*(?:综上，)?(?:据此，)?(?:依照|依据|根据)");
  return view.form == Form::kUnknown && !view.basis && Has(kOpens, before);
}

// Days that only name somebody's birth or the document itself say nothing about the facts.
bool IsFactKey(std::string_view key) {
  for (const std::string_view other :
       {"birth", "filing", "sign", "document", "judgment", "appeal", "today", "hearing"}) {
    if (key.find(other) != std::string_view::npos) return false;
  }
  return true;
}

void Widen(FactDays& days, const legal::Date& day) {
  if (!days.first || day < *days.first) days.first = day;
  if (!days.last || day > *days.last) days.last = day;
}

void CollectDays(const json& value, std::string_view key, int depth, FactDays& days) {
  constexpr int kMaxDepth = 16;
  if (depth > kMaxDepth) return;
  if (value.is_object()) {
    for (const auto& [name, child] : value.items()) CollectDays(child, name, depth + 1, days);
  } else if (value.is_array()) {
    for (const json& child : value) CollectDays(child, key, depth + 1, days);
  } else if (value.is_string() && IsFactKey(key)) {
    const std::string& text = value.get_ref<const std::string&>();
    if (text.size() < 8 || text.size() > 40) return;
    const Result<legal::Date> day = legal::ParseDate(text);
    if (day.ok()) Widen(days, *day);
  }
}

FactDays FindFactDays(const Context& context) {
  FactDays days;
  CollectDays(context.options.elements, "", 0, days);
  if (days.first) {
    days.given = true;
    return days;
  }
  const View& view = context.view;
  for (const Day& day : view.days) {
    if (!day.date || day.lunar) continue;
    const Part part = view.PartAt(day.span.begin);
    if (part == Part::kHeading || part == Part::kProcedure || part == Part::kBasis ||
        part == Part::kHolding || part == Part::kTail || part == Part::kSignature ||
        part == Part::kAppendix) {
      continue;
    }
    if (view.signature_day && day.span == view.signature_day->span) continue;
    const std::string_view after = std::string_view(view.text).substr(day.span.end, 6);
    if (after.starts_with("出生") || after.starts_with("生")) continue;
    Widen(days, *day.date);
  }
  return days;
}

}  // namespace

std::string Quoted(const statute::Statute& statute) {
  std::string name = statute.name;
  for (const auto& [outer, inner] : {std::pair{"《", "〈"}, std::pair{"》", "〉"}}) {
    for (std::size_t at = name.find(outer); at != std::string::npos; at = name.find(outer)) {
      name.replace(at, std::string_view(outer).size(), inner);
    }
  }
  return "《" + name + "》";
}

Basis BasisOf(const statute::Statute& statute, std::string article) {
  if (statute.local) article += "（本地）";  // the user's own, as `zhibi statutes` marks it
  return {statute.name, std::move(article), legal::FormatIso(statute.as_of)};
}

void CheckCitations(Context& context) {
  const View& view = context.view;
  const statute::NameFinder& names = context.tables.statute_names;
  Citing citing;
  citing.citations = statute::ParseCitations(
      view.text, [&names](std::string_view before) { return names.EndingAt(before); });
  citing.resolved = statute::Resolve(citing.citations, context.tables.statutes, context.date);
  citing.court = IsCourt(view) || view.form == Form::kUnknown;
  citing.facts = FindFactDays(context);
  for (std::size_t i = 0; i < citing.resolved.size(); ++i) {
    Cited cited;
    cited.citation = &citing.citations.citations[i];
    cited.resolved = &citing.resolved[i];
    const std::size_t begin = cited.citation->span.begin;
    const Span sentence = view.SentenceAt(begin);
    const std::string_view before = view.At({std::min(sentence.begin, begin), begin});
    const Part part = view.PartAt(begin);
    cited.voice = VoiceOf(view, part, before, citing.court);
    if (IsMasked(view.At(ToSpan(cited.citation->name_span)))) cited.voice = Voice::kSilent;
    cited.basis = part == Part::kBasis;
    cited.loose = part != Part::kPrior && part != Part::kAppendix && IsLooseBasis(view, before);
    static const Pattern kFormer =
        MustCompile("(?:原|旧|当时(?:施行|有效|适用)?的?|修[正订改]前的?|已(?:经)?废止的)$");
    cited.former = Has(kFormer, before);
    citing.cited.push_back(cited);
  }
  CheckCitedNames(context, citing);
  CheckCitedForce(context, citing);
  CheckCitedBasis(context, citing);
  CheckCitedQuotes(context, citing);
}

}  // namespace zhibi::rules
