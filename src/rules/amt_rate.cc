// SPDX-License-Identifier: Apache-2.0
// AMT-04 and AMT-07: agreed rates of private loans above four times the one-year LPR of the day the
// loan was made (民间借贷规定 25), and interest that is claimed without an end. Silent for banks
// and other lenders under supervision, for loans before 2020-08-20 and for what an earlier instance
// or the other side said.
#include <cmath>
#include <cstdlib>
#include <optional>
#include <string>

#include "legal/chinese_number.h"
#include "rules/context.h"

namespace zhibi::rules {
namespace {

constexpr legal::Date kCapFrom{2020, 8, 20};

bool IsPrivateLoan(const View& view) {
  static const Pattern kLoan = MustCompile("民间借贷|借款|出借|借条|借据|借到");
  static const Pattern kLender = MustCompile(
      "银行|信用社|信用合作联社|金融借款|小额贷款|消费金融|信托|典当|融资租赁|保理|汽车金融|信用卡|"
      "资产管理公司");
  if (!Has(kLoan, view.text)) return false;
  for (const Party& party : view.parties) {
    if (!party.agent && Has(kLender, party.name)) return false;
  }
  if (Has(view.text, "金融借款合同") || Has(view.text, "信用卡纠纷")) return false;
  static const Pattern kBankLends = MustCompile(
      "(?:银行(?!转|的往|往来|汇|账|帐|卡|流水|打款|存|取|交易|进账|回单|柜)|信用社|小额贷款公司|"
      "消费金融公司|信托公司)[^。，\\n]{0,12}"
      "(?:向|与|出借|发放|贷款)");
  // An excerpt names no parties: a note of hand (借条, 欠条) is what persons give each other,
  // whatever banks the text tells of besides.
  static const Pattern kNote = MustCompile("民间借贷|借条|欠条");
  return !view.parties.empty() || Has(kNote, view.text) || !Has(kBankLends, view.text);
}

// 向某银行借款, 与某银行签订: a bank that money only went through (银行转账) lends nothing.
bool LentByBank(std::string_view sentence) {
  static const Pattern kFrom = MustCompile(
      "(?:向|与|和|由|从)[^，。；\\n]{0,24}?(?:银行(?!转|账|帐|卡|流水|汇)|支行|信用社|小额贷款|"
      "消费金融|信托)"
      "[^。；\\n]{0,30}?(?:借|贷|签订)");
  return Has(kFrom, sentence);
}

struct AgreedRate {
  Span span;
  double percent = 0;  // a year
};

double Number(std::string_view text) { return std::strtod(std::string(text).c_str(), nullptr); }

// 年利率18%, 年息18%, 月利率1.5%, 月息2分, 月利率20‰, 日利率万分之五 as percent a year.
void ForEachRate(const View& view, auto f) {
  static const Pattern kRate = MustCompile(
      "(年利率|年利息|年息|年化利率|年化|月利率|月利息|月息|日利率|日息|日万分之|每月利息|每年利息)"
      "(?:按照|按|为|是|即|以|的|利率|标准|[：: ])*"
      "(?:百分之([一二三四五六七八九十]{1,3})|(\\d+(?:\\.\\d+)?)[ "
      "]?(%|‰|分|厘)|万分之(\\d+(?:\\.\\d+)?))");
  ForEach(kRate, view.text, {0, view.text.size()}, [&](const Match& m) {
    AgreedRate rate;
    rate.span = SpanOf(m);
    const std::string_view period = m.Text(view.text, 1);
    double percent = 0;
    if (m.has(2)) {
      const Result<std::int64_t> value = legal::ParseChineseNumber(m.Text(view.text, 2));
      if (!value.ok()) return;
      percent = static_cast<double>(*value);
    } else if (m.has(5)) {
      percent = Number(m.Text(view.text, 5)) * 0.01;
    } else {
      percent = Number(m.Text(view.text, 3));
      const std::string_view unit = m.Text(view.text, 4);
      const bool yearly = period.starts_with("年") || Has(period, "每年");
      if (unit == "‰") percent *= 0.1;
      if (unit == "分") percent *= yearly ? 10.0 : 1.0;
      if (unit == "厘") percent *= yearly ? 1.0 : 0.1;
    }
    if (Has(period, "月")) percent *= 12;
    if (Has(period, "日")) percent *= 365;
    rate.percent = percent;
    f(rate);
  });
}

// The day the loan was made: of the elements, else the last day before the rate in its sentence or
// in the two sentences before, else the first day of the facts.
std::optional<legal::Date> LoanDay(const Context& context, std::size_t at) {
  const nlohmann::json& elements = context.options.elements;
  if (elements.is_object() && elements.contains("loan") && elements["loan"].is_object() &&
      elements["loan"].contains("date") && elements["loan"]["date"].is_string()) {
    const Result<legal::Date> date = legal::ParseDate(elements["loan"]["date"].get<std::string>());
    if (date.ok()) return *date;
  }
  const View& view = context.view;
  std::optional<legal::Date> found;
  static const Pattern kDue =
      MustCompile("^ ?(?:前|止|之前|归还|还清|到期|偿还|起诉|向本院|立案|出生|生)");
  Span sentence = view.SentenceAt(at);
  for (int back = 0; back < 3 && !found; ++back) {
    for (const Day& day : view.days) {
      if (!day.date || day.lunar || !sentence.Contains(day.span.begin) || day.span.begin > at)
        continue;
      const std::string_view after = std::string_view(view.text).substr(day.span.end, 12);
      const std::string_view before =
          std::string_view(view.text).substr(day.span.begin >= 3 ? day.span.begin - 3 : 0, 3);
      if (Has(kDue, after) || before == "至") continue;
      if (!found) found = day.date;
    }
    if (sentence.begin < 4) break;
    sentence = view.SentenceAt(sentence.begin - 4);
  }
  if (found) return found;
  // A loan contract carries its day at the end or the beginning.
  if (view.form == Form::kContract && view.signature_day) return view.signature_day->date;
  // The claims come before the facts: take the loan's day from there.
  static const Pattern kLoan = MustCompile("借款|出借|借到|借条|借贷|转账");
  for (const Day& day : view.days) {
    if (!day.date || day.lunar || view.PartAt(day.span.begin) == Part::kHeading) continue;
    if (Has(kLoan, view.At(view.SentenceAt(day.span.begin)))) return day.date;
  }
  return std::nullopt;
}

void CheckCap(Context& context) {
  const View& view = context.view;
  if (!context.Covers("AMT-04") || !IsPrivateLoan(view)) return;
  static const Pattern kCut =
      MustCompile("超过|超出|高于|不予支持|调整|过高|四倍|上限|以.{0,12}为限|保护的范围|不超");
  ForEachRate(view, [&](const AgreedRate& rate) {
    const Part part = view.PartAt(rate.span.begin);
    if (part == Part::kPrior || part == Part::kDefence || part == Part::kAppendix ||
        part == Part::kBasis)
      return;
    if (rate.percent < 3.0 || rate.percent > 400.0) return;
    const std::optional<legal::Date> day = LoanDay(context, rate.span.begin);
    if (!day || *day < kCapFrom) return;
    const std::optional<legal::Rate> lpr = context.tables.lpr.At(*day);
    if (!lpr) return;
    const double cap = static_cast<double>(*lpr) / 10000.0 * 4;
    if (rate.percent <= cap + 0.0001) return;
    const std::string_view sentence = view.At(view.SentenceAt(rate.span.begin));
    if (Has(kCut, sentence) || LentByBank(sentence)) return;  // the rate of a bank's loan
    // A judgment tells what was agreed; it errs only where it grants it.
    const bool told = part == Part::kFinding || part == Part::kReasoning || part == Part::kClaim;
    const bool court = view.form == Form::kJudgment || view.form == Form::kRuling ||
                       view.form == Form::kMediation || view.form == Form::kUnknown;
    std::optional<Level> level;
    if (court && told) level = Level::kWarning;
    if (*day > context.tables.lpr.as_of()) level = Level::kWarning;
    const std::string limit = legal::FormatRate(*lpr * 4);
    char percent[32];
    std::snprintf(percent, sizeof(percent), "%.4g", rate.percent);
    context.Report("AMT-04", rate.span,
                   {.message = "年利率" + std::string(percent) + "%超过" + Said(*day) +
                               "合同成立时一年期LPR的四倍（" + limit + "%）",
                    .suggestion = "不超过年利率" + limit + "%",
                    .level = level});
  });
}

// 利息 in a claim or a holding without 至…止: the sum can never be computed.
void CheckEnd(Context& context) {
  static const Pattern kClaimed = MustCompile(
      "(?:支付|给付|偿还|赔偿|承担)[^。；\\n]{0,60}?(?:逾期利息|利息|违约金)[^。；\\n]{0,120}");
  static const Pattern kRuns = MustCompile("利率|LPR|基数|标准计|计算|‰|%|万分之|按");
  static const Pattern kEnd = MustCompile(
      "[至到][^。；\\n]{0,40}(?:止|之日|日|届满|清偿|付清|还清|完毕|为止|结束)|(?:利息|违约金)(?:"
      "款)?("
      "?:共计|合计|"
      "人民币|为|计)?[ ]?\\d|计至|算至|算到|利随本清|清偿时|付清时|还清时");
  const View& view = context.view;
  ForEach(kClaimed, view.text, {0, view.text.size()}, [&](const Match& m) {
    const Part part = view.PartAt(m.begin());
    if (part != Part::kClaim && part != Part::kHolding) return;
    const std::string_view words = m.Text(view.text, 0);
    if (!Has(kRuns, words) || Has(kEnd, words)) return;
    context.Report("AMT-07", SpanOf(m),
                   {.message = "利息或者违约金没有写明截止日",
                    .suggestion = "写明起算日和截止日，如“计算至实际清偿之日止”"});
  });
}

}  // namespace

void CheckRates(Context& context) {
  CheckCap(context);
  CheckEnd(context);
}

}  // namespace zhibi::rules
