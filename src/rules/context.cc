// SPDX-License-Identifier: Apache-2.0
#include "rules/context.h"

#include <utility>

namespace zhibi::rules {
namespace {

// The last day that the text tells of as past: no 至…止, no 于…前, no term.
std::optional<legal::Date> FindFloor(const View& view) {
  static const Pattern kFuture =
      MustCompile("^ ?(?:前|止|之前|以前|届满|到期|为止|期满|还清|归还|付清)");
  std::optional<legal::Date> floor;
  for (const Day& day : view.days) {
    if (!day.date || day.lunar) continue;
    const Part part = view.PartAt(day.span.begin);
    if (part == Part::kHolding || part == Part::kAppendix || part == Part::kBasis) continue;
    const std::string_view after = std::string_view(view.text).substr(day.span.end, 12);
    if (Has(kFuture, after)) continue;
    const std::size_t from = day.span.begin >= 6 ? day.span.begin - 6 : 0;
    const std::string_view before = std::string_view(view.text).substr(from, day.span.begin - from);
    if (before.ends_with("至") || before.ends_with("到") || before.ends_with("自")) continue;
    if (!floor || *day.date > *floor) floor = day.date;
  }
  return floor;
}

}  // namespace

std::string Said(const legal::Date& date) { return legal::FormatBody(date); }

Context::Context(const View& view_in, const Tables& tables_in, const CheckOptions& options_in)
    : view(view_in), tables(tables_in), options(options_in) {
  if (options.date) {
    date = options.date;
  } else if (view.signature_day && view.signature_day->date) {
    date = view.signature_day->date;
  }
  floor = date ? date : FindFloor(view);
}

bool Context::Covers(std::string_view id) const {
  const RuleInfo* rule = tables.rules.Find(id);
  return rule != nullptr && RuleSet::Covers(*rule, view, date);
}

void Context::Report(std::string_view id, Span span, Details details) {
  const RuleInfo* rule = tables.rules.Find(id);
  if (rule == nullptr || !RuleSet::Covers(*rule, view, date)) return;
  if (!RuleSet::CoversPart(*rule, view.PartAt(span.begin))) return;
  Finding finding;
  finding.id = rule->id;
  finding.level = details.level.value_or(rule->level);
  finding.span = span;
  finding.message = std::move(details.message);
  finding.message_en = rule->en;
  finding.evidence =
      details.evidence.empty() ? std::string(view.At(span)) : std::move(details.evidence);
  finding.suggestion = std::move(details.suggestion);
  finding.basis = details.basis.value_or(rule->basis);
  findings.push_back(std::move(finding));
}

}  // namespace zhibi::rules
