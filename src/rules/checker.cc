// SPDX-License-Identifier: Apache-2.0
#include "rules/checker.h"

#include <algorithm>
#include <utility>

#include "base/status_macros.h"
#include "base/utf8.h"
#include "rules/width.h"

namespace zhibi::rules {

struct Checker::Parts {
  explicit Parts(Tables loaded) : tables(std::move(loaded)), doctypes(tables.data_dir) {}

  const Tables tables;
  DoctypeStructures doctypes;
};

Checker::Checker(std::unique_ptr<Parts> parts) : parts_(std::move(parts)) {}
Checker::Checker(Checker&& other) noexcept = default;
Checker& Checker::operator=(Checker&& other) noexcept = default;
Checker::~Checker() = default;

const RuleSet& Checker::rules() const { return parts_->tables.rules; }

Result<Checker> Checker::Load(const std::string& data_dir, const std::string& statutes_dir) {
  ZB_ASSIGN_OR_RETURN(RuleSet rules, RuleSet::Load(data_dir));
  ZB_ASSIGN_OR_RETURN(legal::LprTable lpr, legal::LprTable::Load(data_dir));
  ZB_ASSIGN_OR_RETURN(entity::Recogniser recogniser, entity::Recogniser::Load(data_dir));
  ZB_ASSIGN_OR_RETURN(StructureTable structures,
                      StructureTable::FromJson(rules.tables(), data_dir + "/rules/rules.json"));
  ZB_ASSIGN_OR_RETURN(statute::Table statutes, statute::Table::Load(data_dir, statutes_dir));
  statute::NameFinder statute_names(statutes);
  statute::TextStore texts;
  if (!statutes_dir.empty()) {
    ZB_ASSIGN_OR_RETURN(texts, statute::TextStore::Open(statutes_dir));
  }
  return Checker(std::make_unique<Parts>(Tables{
      data_dir, std::move(rules), std::move(lpr), std::move(recogniser), std::move(structures),
      std::move(statutes), std::move(statute_names), std::move(texts)}));
}

namespace {

// Code points before each byte are counted in one walk; spans come sorted by begin.
void CountCharacters(std::string_view text, std::vector<Finding>& findings) {
  std::vector<std::pair<std::size_t, std::size_t*>> wanted;
  wanted.reserve(findings.size() * 2);
  for (Finding& finding : findings) {
    wanted.emplace_back(finding.span.begin, &finding.characters.begin);
    wanted.emplace_back(finding.span.end, &finding.characters.end);
  }
  std::sort(wanted.begin(), wanted.end());
  std::size_t at = 0;
  std::size_t count = 0;
  for (const auto& [byte, target] : wanted) {
    count += base::CountCodePoints(text.substr(at, byte - at));
    at = byte;
    *target = count;
  }
}

void Sort(std::vector<Finding>& findings) {
  std::stable_sort(findings.begin(), findings.end(), [](const Finding& a, const Finding& b) {
    if (a.span.begin != b.span.begin) return a.span.begin < b.span.begin;
    return a.level > b.level;
  });
  // The same rule on the same words says it once.
  const auto same = [](const Finding& a, const Finding& b) {
    return a.id == b.id && a.span == b.span;
  };
  findings.erase(std::unique(findings.begin(), findings.end(), same), findings.end());
}

// element-form.<cause>-complaint and -answer: which causes have a form is data.
void NameElementForm(View& view, const nlohmann::json& tables) {
  if (view.form_cause.empty() || !tables.contains("element_forms")) return;
  const std::string cause = tables["element_forms"].value(view.form_cause, "");
  if (cause.empty()) return;
  view.doctype = "element-form." + cause + (view.form == Form::kAnswer ? "-answer" : "-complaint");
}

// Half a year behind the snapshot the table may have missed a change that matters.
void NoteStaleStatutes(const Tables& tables, const CheckOptions& options, Report& report) {
  constexpr std::int64_t kFreshDays = 180;
  const std::optional<legal::Date> day = options.today ? options.today : options.date;
  const legal::Date& as_of = tables.statutes.as_of();
  if (!day || legal::ToDays(*day) - legal::ToDays(as_of) <= kFreshDays) return;
  report.notes.push_back("法规表只收录到" + Said(as_of) + "，已过180天，此后的修改没有核对");
}

}  // namespace

Result<Report> Checker::Check(std::string_view text, const CheckOptions& options) const {
  if (text.size() > kMaxBytes) {
    return ResourceExhaustedError("the text has " + std::to_string(text.size()) +
                                  " bytes, at most " + std::to_string(kMaxBytes) + " are checked");
  }
  const std::size_t valid = base::ValidUtf8Prefix(text);
  if (valid != text.size()) {
    return InvalidArgumentError("the text is not UTF-8 at byte " + std::to_string(valid));
  }
  const Tables& tables = parts_->tables;
  EvenText even = EvenWidth(text);
  View view = MakeView(std::move(even.text));
  NameElementForm(view, tables.rules.tables());
  if (!options.doctype.empty()) view.doctype = options.doctype;
  Context context(view, tables, options);
  ZB_ASSIGN_OR_RETURN(
      context.structure,
      parts_->doctypes.For(view.doctype, options.elements,
                           options.today.value_or(context.date.value_or(legal::Date{}))));
  CheckStructure(context);
  CheckCitations(context);
  CheckCases(context);
  CheckEntities(context);
  CheckNames(context);
  CheckAmounts(context);
  CheckRates(context);
  CheckDates(context);
  CheckRedaction(context);
  CheckLayout(context);
  CheckAiLabels(context);
  CheckSpecialForms(context);

  Report report;
  report.rules_version = tables.rules.version();
  report.doctype = view.doctype;
  if (context.date) report.date = legal::FormatIso(*context.date);
  report.statutes_as_of = legal::FormatIso(tables.statutes.as_of());
  NoteStaleStatutes(tables, options, report);
  report.findings = std::move(context.findings);
  for (Finding& finding : report.findings) finding.span = even.Original(finding.span);
  Sort(report.findings);
  CountCharacters(text, report.findings);
  for (const RuleInfo& rule : tables.rules.rules()) {
    if (!rule.undecided.empty())
      report.not_run.push_back(rule.id + " " + rule.zh + "：" + rule.undecided);
  }
  return report;
}

}  // namespace zhibi::rules
