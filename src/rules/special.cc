// SPDX-License-Identifier: Apache-2.0
// Rules of single document types: POA-01 (powers of an agent), PRS-01 (security for preservation),
// PAY-01 (payment order), ENF-01 (a holding that can be enforced), STR-07 (claims without an
// answer). Whether a holding answers every claim no program can decide; STR-07 says what it
// counted.
#include <string>
#include <vector>

#include "base/utf8.h"
#include "legal/chinese_number.h"
#include "rules/context.h"

namespace zhibi::rules {
namespace {

void CheckPowers(Context& context) {
  const View& view = context.view;
  if (view.form != Form::kPowerOfAttorney && view.doctype != "power-of-attorney") return;
  static const Pattern kFull = MustCompile("全权(?:代理|委托)|全部代理权|一切代理权限|包办一切");
  // The powers themselves, not 上诉人 or a case on 变更…: a list of them, or one behind 代为.
  static const Pattern kItems = MustCompile(
      "(?:代为|代理人?有权)[^\\n]{0,40}?(?:承认|放弃|变更|和解|反诉|上诉(?!人|案))|"
      "(?:承认|放弃|变更)[^\\n]{0,40}?(?:和解|反诉|上诉(?!人|案)|诉讼请求)|"
      "和解[、，或][^\\n]{0,16}?(?:反诉|上诉(?!人|案))");
  static const Pattern kGeneral =
      MustCompile("一般代理|一般授权|特别授权|特别代理|代理权限|委托权限|授权范围|权限");
  static const Pattern kTerm =
      MustCompile("期限|之日起|至.{0,20}(?:止|终结|结束)|本案(?:审理)?终结|有效期");
  static const Pattern kPrincipal =
      MustCompile("^(?:委托人|授权人)|委托人[：:（(]|(?:甲方|委托方)[：:]");
  Match match;
  if (kFull.Search(view.text, 0, &match) && !Has(kItems, view.text)) {
    context.Report(
        "POA-01", SpanOf(match),
        {.message = "只写“" + std::string(match.Text(view.text, 0)) +
                    "”没有具体授权，诉讼代理人无权代为承认、放弃、变更诉讼请求，进行和解，提出反诉"
                    "或者提起上诉",
         .suggestion = "逐项写明代为承认、放弃、变更诉讼请求，进行和解，提起反诉或者上诉"});
  } else if (!Has(kGeneral, view.text) && !Has(kItems, view.text) && !Has(kFull, view.text)) {
    context.Report("POA-01", view.title,
                   {.message = "没有写明代理权限",
                    .evidence = "代理权限",
                    .suggestion = "写明一般授权，或者逐项写明特别授权"});
  }
  static const Pattern kSpecial = MustCompile("特别(?:授权|代理)");
  static const Pattern kListed = MustCompile("(?:包括|下列|以下)(?:下列)?(?:事项|权限)|：（一）");
  if (kSpecial.Search(view.text, 0, &match) && !Has(kItems, view.text) &&
      !Has(kListed, view.text)) {
    context.Report(
        "POA-01", SpanOf(match),
        {.message = "特别授权没有逐项写明",
         .suggestion = "逐项写明代为承认、放弃、变更诉讼请求，进行和解，提起反诉或者上诉"});
  }
  if (!Has(kTerm, view.text)) {
    context.Report("POA-01", view.title,
                   {.message = "没有写明代理期限",
                    .evidence = "期限",
                    .suggestion = "写明代理期限或者审理阶段",
                    .level = Level::kWarning});
  }
  if (!Has(kPrincipal, view.text)) {
    context.Report("POA-01", view.title,
                   {.message = "没有写明委托人",
                    .evidence = "委托人",
                    .suggestion = "写明委托人并签名或者盖章"});
  }
  static const Pattern kAgent =
      MustCompile("^(?:受委托人|受托人|代理人|被委托人)[一二三四\\d]?[：:]");
  int agents = 0;
  Span last;
  ForEach(kAgent, view.text, {0, view.text.size()}, [&](const Match& m) {
    ++agents;
    last = SpanOf(m);
  });
  if (agents > 2) {
    context.Report("POA-01", last,
                   {.message = "当事人可以委托一至二人作为诉讼代理人",
                    .suggestion = "减为二人",
                    .level = Level::kWarning,
                    .basis = Basis{"中华人民共和国民事诉讼法", "第六十一条", ""}});
  }
}

void CheckPreservation(Context& context) {
  const View& view = context.view;
  if (view.form != Form::kPreservation && view.doctype != "preservation-application") return;
  static const Pattern kBefore = MustCompile("诉前(?:财产)?保全|申请诉前|起诉前");
  static const Pattern kShare = MustCompile(
      "担保[^。\\n]{0,60}?(?:百分之([一二三四五六七八九]十)|(\\d{1,3})%)|(?:百分之(["
      "一二三四五六七八九]十)|(\\d{1,3})%)[^。\\n]{0,30}?担保");
  Match match;
  if (!kShare.Search(view.text, 0, &match)) return;
  int percent = 0;
  for (const std::size_t group : {std::size_t{2}, std::size_t{4}}) {
    if (match.has(group)) percent = std::atoi(std::string(match.Text(view.text, group)).c_str());
  }
  for (const std::size_t group : {std::size_t{1}, std::size_t{3}}) {
    if (!match.has(group)) continue;
    const Result<std::int64_t> tens = legal::ParseChineseNumber(match.Text(view.text, group));
    if (tens.ok()) percent = static_cast<int>(*tens);
  }
  const bool before = Has(kBefore, view.text);
  if (before && percent < 100) {
    context.Report("PRS-01", SpanOf(match),
                   {.message = "诉前财产保全应当提供相当于请求保全数额的担保，文中为" +
                               std::to_string(percent) + "%；情况特殊的由法院酌定，程序不能判断",
                    .suggestion = "按请求保全数额提供担保"});
  } else if (!before && percent > 30) {
    context.Report("PRS-01", SpanOf(match),
                   {.message = "诉讼中的财产保全，责令提供的担保不超过请求保全数额的30%",
                    .suggestion = "核对担保数额"});
  }
}

void CheckPaymentOrder(Context& context) {
  const View& view = context.view;
  if (view.form != Form::kPaymentOrder && view.doctype != "payment-order-application") return;
  static const Pattern kAsked = MustCompile("逾期利息|违约金|赔偿金|滞纳金");
  static const Pattern kAgreed = MustCompile(
      "约定[^。\\n]{0,60}?(?:逾期利息|违约金|赔偿金|滞纳金)|(?:逾期利息|违约金|赔偿金|滞纳金)[^"
      "。\\n]{0,"
      "20}?约定");
  // 未按约定付款 says that something was agreed.
  static const Pattern kNotAgreed = MustCompile(
      "(?:未|没有|无)(?:对[^。，\\n]{1,16}?)?(?:作出?|作了|明确|另行|书面|予以)?约定[^。\\n]{0,30}?"
      "(?:"
      "逾期|违约|赔偿|滞纳|利息)|"
      "(?:逾期利息|违约金|赔偿金|滞纳金)[^。\\n]{0,12}?(?:未|没有|无)(?:作出?|明确|书面)?约定|"
      "对[^。，\\n]{0,12}?(?:逾期利息|违约金|赔偿金|滞纳金)[^。\\n]{0,12}?(?:未|没有)[^。按照依"
      "\\n]{0,6}约定");
  Match match;
  if (!kAsked.Search(view.text, 0, &match)) return;
  if (Has(kAgreed, view.text) && !Has(kNotAgreed, view.text)) return;
  context.Report("PAY-01", SpanOf(match),
                 {.message = "请求给付没有约定的" + std::string(match.Text(view.text, 0)) +
                             "，人民法院应当裁定驳回支付令申请；凭证中有无约定，程序不能判断",
                  .suggestion = "写明约定，或者删去这一请求"});
}

std::vector<Span> Items(const View& view, Span range) {
  static const Pattern kItem = MustCompile("(?:^|[。；\\n])[ ]*([一二三四五六七八九十]{1,3}、)");
  std::vector<Span> items;
  std::vector<std::size_t> starts;
  const std::string_view text = view.At(range);
  std::size_t at = 0;
  Match match;
  while (kItem.Search(text, at, &match)) {
    starts.push_back(range.begin + match.groups[1].begin);
    at = match.end();
  }
  if (starts.empty()) starts.push_back(range.begin);
  items.reserve(starts.size());
  for (std::size_t i = 0; i < starts.size(); ++i) {
    items.push_back({starts[i], i + 1 < starts.size() ? starts[i + 1] : range.end});
  }
  return items;
}

void CheckEnforceable(Context& context) {
  const View& view = context.view;
  if (!view.holding || (view.form != Form::kJudgment && view.form != Form::kMediation &&
                        view.form != Form::kUnknown))
    return;
  if (view.branch == Branch::kAdministrative) return;
  const bool criminal = view.branch == Branch::kCriminal;
  static const Pattern kPay = MustCompile("(?:支付|给付|偿还|返还|归还|赔偿|清偿)");
  static const Pattern kSkip = MustCompile(
      "驳回|撤销|维持|变更为|连带|追偿|优先受偿|不再支付|无需|无须|不承担|解除|确认|抵销|抵扣|上述|"
      "第[一二三四五六七八九十]项|前项|补充(?:清偿|赔偿)|按[^。\\n]{0,20}比例|发回|财产分割|"
      "共同财产|"
      "返还[^，。；元\\n]{0,20}(?:物品|证书|房屋|车辆|股权|土地|原物|设备|场地|账册|公章|印章|材料|"
      "档案|钥匙|孩子|护照|户口)|归[^。\\n]{0,12}所有|抚养|每月|探望|直至|强制医疗|离婚");
  static const Pattern kMoney =
      MustCompile("\\d|[零壹贰叁肆伍陆柒捌玖]|[一二三四五六七八九十百千万]+元|某|×");
  static const Pattern kWhen = MustCompile(
      "(?:日|月|年|周|天)(?:之?内|前|以前|之前)|立即|当日|届满(?:前|之日)|生效后[^，。；\\n]{0,12}("
      "?:"
      "日|月)|"
      "于[^，。；\\n]{0,20}(?:日|月)(?:前|内|付|给付|支付|返还|偿还|交)|期限内|先行|限[^。\\n]{0,"
      "12}内|"
      "前付|分期|每[月年季]|"
      "生效之日(?:一次|起)");
  for (const Span item : Items(view, *view.holding)) {
    const std::string_view words = view.At(item);
    Match match;
    if (!kPay.Search(words, 0, &match) || Has(kSkip, words) || words.size() > 2400) continue;
    // Of a criminal judgment the civil part only.
    if (criminal && !Has(words, "附带民事")) continue;
    const bool money = Has(kMoney, words.substr(3 < words.size() ? 3 : 0));
    const bool when = Has(kWhen, words);
    if (money && when) continue;
    const std::size_t begin = item.begin + match.begin();
    std::string lacks;
    if (!money) lacks = "金额";
    if (!when) lacks += lacks.empty() ? "履行期限" : "和履行期限";
    context.Report(
        "ENF-01", {begin, item.begin + match.end()},
        {.message = "给付的判项没有写明" + lacks + "，可能无法执行；是否另有交代，程序不能判断",
         .evidence = std::string(words.substr(0, base::BorderUpTo(words, 180))),
         .suggestion = "写明给付义务人、受给付人、金额和期限"});
  }
}

void CheckAnswered(Context& context) {
  const View& view = context.view;
  if (!view.holding || view.form != Form::kJudgment || view.instance != Instance::kFirst) return;
  const std::string_view holding = view.At(*view.holding);
  if (Has(holding, "驳回")) return;
  static const Pattern kNumber =
      MustCompile("(?:^|[：:；;。\\n])[ ]*(?:\\d{1,2}[.、]|[一二三四五六七八九十]{1,3}、)");
  int claims = 0;
  for (const Segment& segment : view.segments) {
    if (segment.part != Part::kClaim) continue;
    const std::string_view words = view.At(segment.span);
    const std::size_t start = words.find("诉讼请求");
    if (start == std::string_view::npos) continue;
    std::size_t end = words.find("事实", start);
    if (end == std::string_view::npos) end = words.size();
    ForEach(kNumber, view.text, {segment.span.begin + start, segment.span.begin + end},
            [&](const Match&) { ++claims; });
    break;
  }
  const std::size_t held = Items(view, *view.holding).size();
  if (claims < 2 || static_cast<std::size_t>(claims) <= held + 1) return;
  context.Report(
      "STR-07", {view.holding->begin, view.holding->begin},
      {.message = "诉讼请求有" + std::to_string(claims) + "项，主文有" + std::to_string(held) +
                  "项且没有“驳回其他诉讼请求”；是否逐项回应，程序不能判断",
       .evidence = "诉讼请求" + std::to_string(claims) + "项",
       .suggestion = "逐项核对，或者加写驳回其他诉讼请求"});
}

}  // namespace

void CheckSpecialForms(Context& context) {
  CheckPowers(context);
  CheckPreservation(context);
  CheckPaymentOrder(context);
  CheckEnforceable(context);
  CheckAnswered(context);
}

}  // namespace zhibi::rules
