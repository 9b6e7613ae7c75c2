// SPDX-License-Identifier: Apache-2.0
// DAT-01 to DAT-04: days the calendar lacks, days in an order that cannot be, periods of appeal,
// and how the last day is written.
#include <iterator>
#include <optional>
#include <string>

#include "base/utf8.h"
#include "legal/chinese_number.h"
#include "rules/context.h"

namespace zhibi::rules {
namespace {

void CheckCalendar(Context& context) {
  const View& view = context.view;
  for (const Day& day : view.days) {
    if (day.date || day.lunar) continue;
    context.Report("DAT-01", day.span,
                   {.message = "“" + std::string(view.At(day.span)) + "”不是日历上有的日期",
                    .suggestion = "核对日期"});
  }
  // Short forms: 13月5日, 2月30日 without a year.
  static const Pattern kShort = MustCompile("(?<![\\d年])(\\d{1,2})月(\\d{1,2})日");
  ForEach(kShort, view.text, {0, view.text.size()}, [&](const Match& m) {
    const int month = std::atoi(std::string(m.Text(view.text, 1)).c_str());
    const int day = std::atoi(std::string(m.Text(view.text, 2)).c_str());
    static constexpr int kDays[] = {31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    if (month >= 1 && month <= 12 && day >= 1 && day <= kDays[month - 1]) return;
    const std::size_t from = m.begin() >= 12 ? m.begin() - 12 : 0;
    const std::string_view before = std::string_view(view.text).substr(from, m.begin() - from);
    if (Has(before, "农历") || Has(before, "阴历") || Has(before, "旧历")) return;
    context.Report("DAT-01", SpanOf(m),
                   {.message = "“" + std::string(m.Text(view.text, 0)) + "”不是日历上有的日期",
                    .suggestion = "核对日期"});
  });
}

// What happened must lie before the day of the document.
void CheckAgainstDocument(Context& context) {
  const View& view = context.view;
  if (!view.signature_day || !view.signature_day->date) return;
  const legal::Date own = *view.signature_day->date;
  static const Pattern kFuture =
      MustCompile("^ ?(?:前|止|之前|以前|届满|到期|为止|期满|起至|还清|归还|付清)");
  static const Pattern kHappened = MustCompile(
      "(?:受理|立案|开庭|提起公诉|起诉|签订|出具|借款|转账|支付|被逮捕|刑事拘留|取保候审|发生|"
      "登记结婚|出生|作出|判决|裁定|查获|抓获|归案|送达|交付|收到)");
  for (const Day& day : view.days) {
    if (!day.date || day.lunar || *day.date <= own) continue;
    if (view.signature_day->span == day.span) continue;
    const Part part = view.PartAt(day.span.begin);
    if (part == Part::kHolding || part == Part::kTail || part == Part::kSignature ||
        part == Part::kAppendix || part == Part::kBasis || part == Part::kBody) {
      continue;
    }
    const std::string_view after = std::string_view(view.text).substr(day.span.end, 60);
    static const Pattern kDue = MustCompile(
        "(?:至|到期|止于|期限为|期限是|(?:届满|起付|到期|还款|支付|终止|截止)日[为是]?[：: "
        "]?)$");
    const std::size_t from =
        base::BorderFrom(view.text, day.span.begin >= 24 ? day.span.begin - 24 : 0);
    const std::string_view before = std::string_view(view.text).substr(from, day.span.begin - from);
    if (Has(kFuture, after.substr(0, 12)) || Has(kDue, before)) continue;
    if (!Has(kHappened, after)) continue;
    context.Report(
        "DAT-02", day.span,
        {.message = Said(*day.date) + "晚于文书日期" + Said(own), .suggestion = "核对日期"});
  }
}

struct Step {
  const char* name;
  Pattern pattern;
};

// Steps of a procedure that follow each other: in one paragraph each later step has a later day.
void CheckChain(Context& context) {
  static const Step kCriminal[] = {
      {"刑事拘留", MustCompile("^[^，。；\\n]{0,30}?(?:刑事)?拘留")},
      {"逮捕", MustCompile("^[^，。；\\n]{0,40}?(?:被|批准|决定|执行)?逮捕")},
      {"提起公诉", MustCompile("^[^。；\\n]{0,12}?向本院提起公诉")},
      {"受理", MustCompile("^[^。；，\\n]{0,8}?(?:受理|立案)")},
      {"开庭", MustCompile("^[^。；，\\n]{0,24}?开庭")},
  };
  const View& view = context.view;
  static const Pattern kNoChange = MustCompile("(?:重新|又|再次|撤回|变更)");
  for (const Span line : view.lines) {
    if (view.PartAt(line.begin) != Part::kHeading && view.PartAt(line.begin) != Part::kProcedure)
      continue;
    if (line.end - line.begin > 3000 || Has(kNoChange, view.At(line))) continue;
    std::optional<legal::Date> last;
    std::size_t last_step = 0;
    for (const Day& day : view.days) {
      if (!line.Contains(day.span.begin) || !day.date || day.lunar) continue;
      const std::string_view after = std::string_view(view.text).substr(
          day.span.end, std::min<std::size_t>(150, line.end - day.span.end));
      for (std::size_t step = 0; step < std::size(kCriminal); ++step) {
        if (!Has(kCriminal[step].pattern, after)) continue;
        if (last && step > last_step && *day.date < *last) {
          context.Report(
              "DAT-02", day.span,
              {.message = std::string(kCriminal[step].name) + "（" + Said(*day.date) + "）早于" +
                          kCriminal[last_step].name + "（" + Said(*last) + "）",
               .suggestion = "核对日期"});
        }
        last = day.date;
        last_step = step;
        break;
      }
    }
  }
}

// 自2020年5月1日起至2019年5月1日止.
void CheckRanges(Context& context) {
  const View& view = context.view;
  static const Pattern kRange =
      MustCompile("^ ?(?:起)?(?:开始)?(?:计算)?(?:，)?(?:至|到|—|-|～|~)$");
  for (std::size_t i = 0; i + 1 < view.days.size(); ++i) {
    const Day& a = view.days[i];
    const Day& b = view.days[i + 1];
    if (!a.date || !b.date || a.lunar || b.lunar || b.span.begin < a.span.end ||
        b.span.begin - a.span.end > 24)
      continue;
    if (!Has(kRange, view.At({a.span.end, b.span.begin})) || *b.date >= *a.date) continue;
    context.Report("DAT-02", {a.span.begin, b.span.end},
                   {.message = "期间的末日早于首日", .suggestion = "核对起止日期"});
  }
}

// The period of the appeal notice: judgments 15 days (criminal 10), rulings 10 (criminal 5).
void CheckAppeal(Context& context) {
  const View& view = context.view;
  static const Pattern kPeriod = MustCompile(
      "(?:不服本(?:判决|裁定)[^。\\n]{0,60}?|接到(?:本)?(?:判决书|裁定书)[^。\\n]{0,16}?|"
      "送达之日起)("
      "十五|十|五|15|10|5|[二三四六七八九]十?|30|20|7|三十)日内");
  Match match;
  const std::size_t from = view.holding ? view.holding->end : 0;
  if (!kPeriod.Search(view.text, from, &match)) return;
  const Part part = view.PartAt(match.begin());
  if (part == Part::kAppendix || part == Part::kReasoning || part == Part::kClaim) return;
  const Span sentence = view.SentenceAt(match.begin());
  if (!Has(view.At(sentence), "上诉")) return;
  std::string want;
  if (view.form == Form::kJudgment) {
    want = view.branch == Branch::kCriminal ? "十" : "十五";
  } else if (view.form == Form::kRuling) {
    want = view.branch == Branch::kCriminal ? "五" : "十";
  }
  // With a civil action attached the criminal periods hold for both parts.
  if (want.empty() || (view.incidental_civil && view.branch != Branch::kCriminal)) return;
  std::string said(match.Text(view.text, 1));
  if (said == "15") said = "十五";
  if (said == "10") said = "十";
  if (said == "5") said = "五";
  if (said == want) return;
  context.Report(
      "DAT-03", SpanOf(match, 1),
      {.message = "上诉期限应为" + want + "日，文中写" + said + "日", .suggestion = want + "日"});
}

void CheckWriting(Context& context) {
  const View& view = context.view;
  const bool court = view.form == Form::kJudgment || view.form == Form::kRuling ||
                     view.form == Form::kMediation || view.form == Form::kDecision ||
                     view.form == Form::kIndictment;
  if (!court || !view.signature_day) return;
  const Day& day = *view.signature_day;
  const std::string_view said = view.At(day.span);
  const std::string right = day.date ? legal::FormatFormal(*day.date) : "";
  if (!day.chinese) {
    context.Report("DAT-04", day.span, {.message = "落款日期应当用汉字书写", .suggestion = right});
    return;
  }
  static const Pattern kZero = MustCompile("[○O0ＯΟ零]");
  if (Has(kZero, said)) {
    context.Report(
        "DAT-04", day.span,
        {.message = "落款日期中的零应写“〇”", .suggestion = right, .level = Level::kInfo});
  }
}

}  // namespace

void CheckDates(Context& context) {
  CheckCalendar(context);
  CheckAgainstDocument(context);
  CheckChain(context);
  CheckRanges(context);
  CheckAppeal(context);
  CheckWriting(context);
}

}  // namespace zhibi::rules
