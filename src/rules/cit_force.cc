// SPDX-License-Identifier: Apache-2.0
// CIT-06 no such article, CIT-07 no such paragraph or item, CIT-08 repealed, CIT-09 not yet in
// force, CIT-10 another version. Errors only for this document's own words, on a known day, where
// the table holds the text in force on it. Older facts may need older law, so they make an error a
// warning; procedural law goes by the day of the act and knows no such exception.
#include <set>
#include <string>

#include "rules/cit.h"

namespace zhibi::rules {
namespace {

using statute::Force;
using statute::Matter;
using statute::PlaceFinding;
using statute::PlaceProblem;
using statute::Statute;
using statute::Version;

std::string Since(const Version& version) {
  return version.from ? Said(*version.from) + "起施行的文本" : std::string("另一文本");
}

class ForceChecker {
 public:
  ForceChecker(Context& context, const Citing& citing) : context_(context), citing_(citing) {
    FindDay();
  }

  void Check(const Cited& cited) {
    if (cited.voice == Voice::kSilent || cited.resolved->statute == nullptr) return;
    if (cited.citation->form == statute::NameForm::kRelative) return;
    Repealed(cited);
    const bool early = NotYet(cited);
    if (early) return;
    Version10(cited);
    for (const PlaceFinding& finding : cited.resolved->problems) PlaceOf(cited, finding);
  }

 private:
  // The day to compare repeals with: the document's; else the last day that it tells of; else, for
  // a text that tells of no day at all, today. Only the first makes errors.
  void FindDay() {
    day_ = context_.date;
    if (day_) return;
    day_ = context_.floor;
    if (day_ || !context_.options.today) return;
    static const Pattern kYear = MustCompile("(?:19|20)\\d\\d(?:年|）)|二〇[〇一二三]|[×xX*＊]年");
    if (!Has(kYear, context_.view.text)) day_ = context_.options.today;
  }

  // Not one known text has the article, but the text may be older than they are. Laws hardly ever
  // lose articles; interpretations were cut to half and less.
  bool MayBeOlder(const Cited& cited, const PlaceFinding& finding) const {
    if (finding.certain || cited.resolved->version != nullptr) return false;
    const Statute& statute = *cited.resolved->statute;
    const int most = statute.kind <= statute::Kind::kLaw ? finding.has + finding.has / 10 + 5
                                                         : finding.has * 3 + 5;
    if (finding.article.number > most) return false;
    const Version& oldest = statute.versions.front();
    const std::optional<legal::Date>& from = oldest.from ? oldest.from : oldest.surely_from;
    return !day_ || !from || *day_ < *from;
  }

  Level LevelOf(const Cited& cited, bool sure) const {
    const bool error = sure && cited.voice == Voice::kOwn && !cited.former &&
                       cited.citation->form != statute::NameForm::kReference;
    return error ? Level::kError : Level::kWarning;
  }

  // Do the elements or the text tell of facts before the day?
  bool FactsBefore(const legal::Date& day) const {
    return citing_.facts.first && *citing_.facts.first < day;
  }

  bool First(std::string_view rule, const Cited& cited) {
    if (cited.basis) return true;
    return said_.insert(std::string(rule) + cited.resolved->statute->name).second;
  }

  void Repealed(const Cited& cited) {
    const Statute& statute = *cited.resolved->statute;
    if (!statute.repealed || !day_) return;
    if (!statute.repealed_on) {
      RepealedSometime(cited);
      return;
    }
    if (*day_ < *statute.repealed_on || !First("CIT-08", cited)) return;
    const bool old_facts =
        statute.matter != Matter::kProcedural && FactsBefore(*statute.repealed_on);
    Details details;
    details.message = Quoted(statute) + "自" + Said(*statute.repealed_on) + "起废止";
    if (old_facts) details.message += "；事实发生在废止之前的，应当写明适用它的理由";
    if (!statute.replaced_by.empty()) {
      details.suggestion = "改引" + statute.replaced_by;
    } else if (!statute.successor_hint.empty()) {
      details.suggestion = statute.successor_hint;
    } else {
      details.suggestion = "核对现行规定";
    }
    details.level = LevelOf(cited, context_.date.has_value() && !old_facts);
    details.basis = BasisOf(statute);
    context_.Report("CIT-08", ToSpan(cited.citation->name_span), std::move(details));
  }

  // No source shows the day: said only where the snapshot is older than the document.
  void RepealedSometime(const Cited& cited) {
    const Statute& statute = *cited.resolved->statute;
    if (*day_ < statute.as_of || !First("CIT-08", cited)) return;
    context_.Report("CIT-08", ToSpan(cited.citation->name_span),
                    {.message = Quoted(statute) + "已经废止，废止的日期不明",
                     .suggestion = statute.replaced_by.empty() ? std::string("核对现行规定")
                                                               : "改引" + statute.replaced_by,
                     .level = Level::kWarning,
                     .basis = BasisOf(statute)});
  }

  bool NotYet(const Cited& cited) {
    const Statute& statute = *cited.resolved->statute;
    const Version* named = cited.resolved->version_named ? cited.resolved->version : nullptr;
    const bool named_early =
        named != nullptr && context_.date && named->from && *context_.date < *named->from;
    if (cited.resolved->state.force != Force::kNotYet && !named_early) return false;
    if (!First("CIT-09", cited)) return true;
    const Version& first = named_early ? *named : statute.versions.front();
    std::string since;
    if (first.from && (named_early || first.original)) {
      since = "自" + Said(*first.from) + "起施行，";
    } else if (statute.adopted) {
      since = "于" + Said(*statute.adopted) + "通过，";
    }
    context_.Report("CIT-09", ToSpan(cited.citation->name_span),
                    {.message = Quoted(statute) + (named_early ? "的这一文本" : "") + since + "在" +
                                Said(*context_.date) + "尚未施行",
                     .suggestion = "引用当时施行的规定",
                     .level = LevelOf(cited, true),
                     .basis = BasisOf(statute)});
    return true;
  }

  // The text named by its year, or in force on the day of the facts, is not the one in force.
  void Version10(const Cited& cited) {
    const Statute& statute = *cited.resolved->statute;
    const statute::State& state = cited.resolved->state;
    if (cited.voice != Voice::kOwn || state.version == nullptr) return;
    if (cited.resolved->version_named && cited.resolved->version != state.version) {
      const Version& named = *cited.resolved->version;
      const bool older_facts = state.version->from && FactsBefore(*state.version->from) &&
                               statute.matter != Matter::kProcedural;
      if (older_facts || !First("CIT-10", cited)) return;
      context_.Report("CIT-10", ToSpan(cited.citation->name_span),
                      {.message = "引用的是" + Since(named) + "，" + Said(*context_.date) +
                                  "施行的是" + Since(*state.version),
                       .suggestion = "核对应当适用的文本",
                       .basis = BasisOf(statute)});
      return;
    }
    if (!citing_.facts.given || !citing_.facts.last || statute.matter == Matter::kProcedural)
      return;
    if (cited.resolved->version_named) return;
    const legal::Date& fact = *citing_.facts.last;
    const statute::State then = StateOn(statute, fact);
    std::string message;
    if (then.force == Force::kNotYet) {
      message = "事实发生在" + Said(fact) + "，" + Quoted(statute) + "当时尚未施行";
    } else if (then.version != nullptr && then.version != state.version && state.version->from) {
      message = "事实发生在" + Said(fact) + "，当时施行的不是" + Since(*state.version);
    }
    if (message.empty() || !First("CIT-10", cited)) return;
    context_.Report("CIT-10", ToSpan(cited.citation->name_span),
                    {.message = std::move(message),
                     .suggestion = "核对时间效力，写明适用的文本",
                     .basis = BasisOf(statute)});
  }

  void PlaceOf(const Cited& cited, const PlaceFinding& finding) {
    if (finding.problem == PlaceProblem::kNoArticle && MayBeOlder(cited, finding)) return;
    const Statute& statute = *cited.resolved->statute;
    const statute::Place& place = cited.citation->places[finding.place];
    Details details;
    details.basis = BasisOf(statute, FormatArticle(finding.article));
    const std::string article = Quoted(statute) + FormatArticle(finding.article);
    bool sure = finding.certain;
    // Said of all known versions, as the one of the day is not known.
    const bool unknown = cited.resolved->version == nullptr;
    std::string_view rule = "CIT-06";
    switch (finding.problem) {
      case PlaceProblem::kReversed:
        details.message = "条号范围的起止颠倒";
        details.suggestion = "核对条号";
        sure = false;
        break;
      case PlaceProblem::kDeleted:
        details.message = article + "已经删去";
        details.suggestion = "核对条号";
        break;
      case PlaceProblem::kNoArticle:
        details.message =
            article + (finding.certain ? "不存在" : "可能不存在") +
            (finding.has > 0 ? "：末条是第" + std::to_string(finding.has) + "条" : "");
        details.suggestion = "核对条号";
        break;
      case PlaceProblem::kNoParagraph:
        rule = "CIT-07";
        details.message =
            unknown ? Quoted(statute) + "没有一条多到" + std::to_string(place.paragraph) + "款"
                    : article + "只有" + std::to_string(finding.has) + "款";
        details.suggestion = "核对款号";
        break;
      case PlaceProblem::kNoItem:
        rule = "CIT-07";
        if (unknown) {
          details.message = Quoted(statute) + "没有一款多到" + std::to_string(place.item) + "项";
          details.suggestion = "核对项号";
          break;
        }
        details.message =
            article + (place.paragraph > 0 ? "第" + std::to_string(place.paragraph) + "款" : "") +
            (finding.has > 0 ? "只有" + std::to_string(finding.has) + "项"
                             : std::string("没有分项"));
        details.suggestion = "核对项号";
        break;
    }
    if (rule == "CIT-06") {
      sure = sure && !Elsewhere(cited, finding, details);
      details.level = LevelOf(cited, sure);
    }
    context_.Report(rule, ToSpan(place.span), std::move(details));
  }

  // The article stands in another text: one to come is no excuse, an older one may be.
  bool Elsewhere(const Cited& cited, const PlaceFinding& finding, Details& details) const {
    if (finding.elsewhere == nullptr) return false;
    const Version& other = *finding.elsewhere;
    details.message += "；" + Since(other) + "有这一条";
    const Version* now = cited.resolved->version;
    const bool older = now != nullptr && now->from && other.from && *other.from < *now->from;
    return older && cited.resolved->statute->matter != Matter::kProcedural &&
           FactsBefore(*now->from);
  }

  Context& context_;
  const Citing& citing_;
  std::optional<legal::Date> day_;
  std::set<std::string> said_;
};

}  // namespace

void CheckCitedForce(Context& context, const Citing& citing) {
  ForceChecker checker(context, citing);
  for (const Cited& cited : citing.cited) checker.Check(cited);
}

}  // namespace zhibi::rules
