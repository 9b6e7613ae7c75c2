// SPDX-License-Identifier: Apache-2.0
// STR-01 to STR-06: the sections that a document must have, must not have and in which order, its
// appeal notice and its signature block. Which sections belong to which document is data:
// rules.json "tables.documents" for the courts' documents, "structure" of the document type for the
// others. Excerpts are left alone: a text is looked at when it has a title and, for the courts'
// documents, two of reasons, holding and signature, so that the one that is missing can be named.
#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "rules/context.h"
#include "rules/structure_table.h"

namespace zhibi::rules {
namespace {

// The text of this document's own statements up to the appendix, which quotes laws.
std::string_view Body(const View& view) {
  std::size_t end = view.text.size();
  for (const Segment& segment : view.segments) {
    if (segment.part == Part::kAppendix) {
      end = segment.span.begin;
      break;
    }
  }
  return std::string_view(view.text).substr(0, end);
}

std::size_t HeadEnd(const View& view, std::string_view body) {
  constexpr std::size_t kLines = 12;
  if (view.lines.empty()) return body.size();
  const Span last = view.lines[std::min(view.lines.size(), kLines) - 1];
  return std::min(last.end, body.size());
}

std::size_t TailEnd(const View& view) {
  for (const Segment& segment : view.segments) {
    if (segment.part == Part::kSignature) return segment.span.begin;
  }
  return view.holding ? view.holding->end : view.text.size();
}

// Where the lack of a section is shown: no words stand there, so the nearest line is marked.
Span Anchor(const View& view, std::string_view where) {
  if (where == "end" && !view.lines.empty()) return view.lines.back();
  if (where == "holding" && view.holding) {
    // The last line before the signature: there the notice belongs.
    Span last = view.title;
    const std::size_t end = TailEnd(view);
    for (const Span line : view.lines) {
      if (line.begin < end) last = line;
    }
    return last;
  }
  return view.title;
}

bool IsWhole(const View& view, std::string_view body) {
  static const Pattern kReasons = MustCompile("^[ 　]*本院(?:经[^，。\\n]{1,8})?认为");
  static const Pattern kJudge = MustCompile("^[ 　]*(?:代理|助理)?审 *判 *[长员][ 　：:]*\\p{Han}");
  static const Pattern kDay = MustCompile(
      "^[ "
      "　]*[一二三四五六七八九〇○零OΟ]{4}年[一二三四五六七八九十元]+月[一二三四五六七八九十]+日");
  static const Pattern kClerk = MustCompile("^[ 　]*(?:代理?|见习)?书 *记 *员[ 　：:]*\\p{Han}");
  const std::string_view all = view.text;
  const int signs =
      (Has(kJudge, all) ? 1 : 0) + (Has(kDay, all) ? 1 : 0) + (Has(kClerk, all) ? 1 : 0);
  const int parts = (Has(kReasons, body) ? 1 : 0) + (view.holding ? 1 : 0);
  return parts + (signs > 0 ? 1 : 0) >= 2 || signs == 3;
}

bool Applies(const DocumentSection& section, std::string_view body) {
  if (section.when && !Has(*section.when, body)) return false;
  return !section.unless || !Has(*section.unless, body);
}

// Where a section may stand: behind what a publisher put before the court's name; the signature
// also behind laws that a court appended.
Span Range(const View& view, const DocumentSection& section, std::string_view body) {
  const std::size_t begin = view.court_line.end > 0 ? view.court_line.begin : 0;
  if (section.in_head) return {begin, HeadEnd(view, body)};
  const std::size_t end = section.rule == "STR-05" ? view.text.size() : body.size();
  if (section.after_holding && view.holding) return {view.holding->begin, end};
  return {begin, end};
}

bool Find(const View& view, const DocumentSection& section, std::string_view body, Match* match) {
  const Span range = Range(view, section, body);
  bool found = false;
  ForEach(*section.pattern, view.text, range, [&](const Match& next) {
    if (!found || section.last) *match = next;
    found = true;
  });
  return found;
}

// Sections of one rule that are missing at one place are said together: 落款缺少审判人员、书记员.
struct Missing {
  const DocumentSection* first = nullptr;
  std::string names;
  std::string suggestion;
};

void ReportMissing(Context& context, const std::vector<const DocumentSection*>& missing) {
  std::vector<Missing> groups;
  for (const DocumentSection* section : missing) {
    Missing* group = nullptr;
    for (Missing& known : groups) {
      if (known.first->rule == section->rule && known.first->at == section->at) group = &known;
    }
    if (group == nullptr) group = &groups.emplace_back(Missing{section, "", ""});
    group->names += (group->names.empty() ? "" : "、") + section->zh;
    if (!section->suggestion.empty()) {
      group->suggestion += (group->suggestion.empty() ? "" : "；") + section->suggestion;
    }
  }
  for (const Missing& group : groups) {
    const std::string what = group.first->rule == "STR-05" ? "落款缺少" : "缺少必备部分：";
    context.Report(
        group.first->rule, Anchor(context.view, group.first->at),
        {.message = what + group.names,
         .evidence = group.names,
         .suggestion = group.suggestion.empty() ? "补写" + group.names : group.suggestion,
         .basis =
             group.first->basis.law.empty() ? std::nullopt : std::optional(group.first->basis)});
  }
}

struct Found {
  std::string_view name;
  Span span;
};

// What stands where it should not: all but the longest run of sections in their order, so that one
// section out of place is one finding.
void ReportOrder(Context& context, const std::vector<Found>& found) {
  std::vector<std::size_t> length(found.size(), 1);
  std::vector<std::size_t> before(found.size(), found.size());
  std::size_t best = found.size();
  for (std::size_t i = 0; i < found.size(); ++i) {
    for (std::size_t k = 0; k < i; ++k) {
      if (found[k].span.begin <= found[i].span.begin && length[k] + 1 > length[i]) {
        length[i] = length[k] + 1;
        before[i] = k;
      }
    }
    if (best == found.size() || length[i] > length[best]) best = i;
  }
  std::vector<bool> kept(found.size(), false);
  for (std::size_t i = best; i < found.size(); i = before[i]) kept[i] = true;
  for (std::size_t i = 0; i < found.size(); ++i) {
    if (kept[i]) continue;
    // Named by its neighbour in the right order.
    const bool late =
        i + 1 < found.size() && kept[i + 1] && found[i + 1].span.begin < found[i].span.begin;
    const std::string_view other = late ? found[i + 1].name : found[i > 0 ? i - 1 : 1].name;
    context.Report("STR-02", found[i].span,
                   {.message = "“" + std::string(found[i].name) + "”应当在“" + std::string(other) +
                               (late ? "”之前" : "”之后"),
                    .suggestion = "调整段落次序"});
  }
}

void CheckSections(Context& context, const DocumentStructure& structure, std::string_view body) {
  std::vector<const DocumentSection*> missing;
  std::vector<Found> found;
  for (const DocumentSection& section : structure.sections) {
    Match match;
    if (!Find(context.view, section, body, &match)) {
      if (section.required && Applies(section, body)) missing.push_back(&section);
    } else if (section.ordered) {
      found.push_back({section.zh, SpanOf(match)});
    }
  }
  ReportOrder(context, found);
  ReportMissing(context, missing);
}

void CheckForbidden(Context& context, const DocumentStructure& structure, std::string_view body) {
  const View& view = context.view;
  for (const ForbiddenWords& words : structure.forbidden) {
    bool said = false;
    ForEach(*words.pattern, body, {0, body.size()}, [&](const Match& match) {
      if (said) return;
      bool here = words.parts.empty();
      for (const std::string& part : words.parts)
        here = here || part == PartName(view.PartAt(match.begin()));
      if (!here) return;
      said = true;
      context.Report(
          "STR-03", SpanOf(match),
          {.message = words.message,
           .suggestion = words.suggestion.empty() ? "删去" : words.suggestion,
           .level = words.level,
           .basis = words.basis.law.empty() ? std::nullopt : std::optional(words.basis)});
    });
  }
}

// The first match behind `from`, else the first of all: words of a heading also stand elsewhere.
bool SearchIn(const std::string& source, std::string_view body, std::size_t from, Match* match) {
  const Result<Pattern> pattern = Pattern::Compile(source);
  return pattern.ok() && (pattern->Search(body, from, match) || pattern->Search(body, 0, match));
}

// "structure" of the document type, for pleadings and contracts. Where something is still to be
// filled in, what is missing may be just that.
void CheckDoctype(Context& context, const legal::Structure& structure, std::string_view body) {
  const bool unfinished = Has(body, "【待填");
  std::size_t last = 0;
  std::vector<Found> found;
  for (const legal::SectionRule& section : structure.sections) {
    Match match;
    if (SearchIn(section.pattern, body, last, &match)) {
      found.push_back({section.title, SpanOf(match)});
      last = std::max(last, match.begin());
    } else if (section.required) {
      context.Report("STR-01", Anchor(context.view, "title"),
                     {.message = "缺少必备部分：" + section.title,
                      .evidence = section.title,
                      .suggestion = "补写" + section.title,
                      .level = unfinished ? std::optional(Level::kWarning) : std::nullopt,
                      .basis = Basis{}});  // the rule's own is of court documents
    }
  }
  ReportOrder(context, found);
  for (const legal::ForbiddenRule& entry : structure.forbidden) {
    Match match;
    if (!SearchIn(entry.pattern, body, 0, &match)) continue;
    context.Report("STR-03", SpanOf(match), {.message = entry.zh, .suggestion = "删去"});
  }
}

void CheckPlaceholders(Context& context) {
  static const Pattern kMissing = MustCompile(
      "【[^】\\n]{0,20}(?:待填|待补|待定|待核|填写|填入)[^】\\n]{0,40}】|\\{\\{[^{}\\n]{1,40}\\}\\}"
      "|_{3,}|"
      "（[^）\\n]{0,8}(?:请|此处|待)填(?:写|入)?[^）\\n]{0,20}）");
  ForEach(kMissing, context.view.text, {0, context.view.text.size()}, [&](const Match& m) {
    context.Report("STR-06", SpanOf(m),
                   {.message = "还有没有填写的内容", .suggestion = "填写后再使用"});
  });
}

}  // namespace

void CheckStructure(Context& context) {
  const View& view = context.view;
  CheckPlaceholders(context);
  if (view.title.end == 0) return;
  const std::string_view body = Body(view);
  const bool court = view.form == Form::kJudgment || view.form == Form::kRuling ||
                     view.form == Form::kDecision || view.form == Form::kMediation;
  if (!court) {
    if (context.structure != nullptr) CheckDoctype(context, *context.structure, body);
    return;
  }
  const DocumentStructure* structure = context.tables.structures.For(view);
  if (structure == nullptr || !IsWhole(view, body)) return;
  CheckSections(context, *structure, body);
  CheckForbidden(context, *structure, body);
}

}  // namespace zhibi::rules
