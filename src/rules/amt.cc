// SPDX-License-Identifier: Apache-2.0
// AMT-01 to AMT-03, AMT-05, FEE-01, INT-01: sums in figures against their capital characters,
// totals against their items, products written out in brackets, court fees and doubled interest. A
// total is wrong only when no choice of the items before it adds up to it: 其中, 已付 and the like
// make lists whose meaning a program cannot know.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

#include "legal/calculation.h"
#include "legal/court_fee.h"
#include "legal/money.h"
#include "rules/context.h"

namespace zhibi::rules {
namespace {

std::string Yuan(std::int64_t fen) { return legal::FormulaYuan(fen) + "元"; }

const Sum* SumAt(const View& view, std::size_t begin) {
  const auto it =
      std::lower_bound(view.sums.begin(), view.sums.end(), begin,
                       [](const Sum& sum, std::size_t at) { return sum.span.begin < at; });
  return it != view.sums.end() && it->span.begin == begin ? &*it : nullptr;
}

// 50000元（大写：伍万元整）, 人民币伍万元整（¥50000元）, 50000元，大写伍万元.
void CheckCapitals(Context& context) {
  static const Pattern kBetween = MustCompile(
      "^[ ]?(?:整|正)?[（，,、]?[ ]?(?:大写|小写|即|人民币|¥|计|为|金额|[:：\\[（]|[ ])*$");
  const View& view = context.view;
  for (std::size_t i = 0; i + 1 < view.sums.size(); ++i) {
    const Sum& a = view.sums[i];
    const Sum& b = view.sums[i + 1];
    if (a.capital == b.capital || a.foreign || b.foreign || a.approximate || b.approximate)
      continue;
    if (b.span.begin < a.span.end || b.span.begin - a.span.end > 45) continue;
    const std::string_view between = view.At({a.span.end, b.span.begin});
    if (!Has(kBetween, between)) continue;
    // Two sums one after the other need a sign that they are one: a bracket, 大写 or 小写.
    const bool paired = Has(between, "（") || Has(between, "大写") || Has(between, "小写") ||
                        Has(between, "¥") || Has(between, "即");
    if (!paired || a.fen == b.fen) continue;
    const Sum& written = a.capital ? a : b;
    const Sum& figures = a.capital ? b : a;
    context.Report(
        "AMT-01", {a.span.begin, b.span.end},
        {.message = "大小写金额不一致：小写" + Yuan(figures.fen) + "，大写是" + Yuan(written.fen),
         .suggestion = "小写金额的大写为“" + legal::FormatCapital(figures.fen) + "”"});
  }
  // ¥50000 or （小写）50000 without 元.
  static const Pattern kBare = MustCompile(
      "(?:¥|小写[：: ]?(?:人民币)?)[ "
      "]?(\\d{1,3}(?:[,，]\\d{3})+(?:\\.\\d{1,2})?|\\d+(?:\\.\\d{1,2})?)(?![\\d,.，万元])");
  ForEach(kBare, view.text, {0, view.text.size()}, [&](const Match& m) {
    std::string digits;
    for (const char c : m.Text(view.text, 1)) {
      if ((c >= '0' && c <= '9') || c == '.') digits += c;
    }
    const Result<std::int64_t> fen = legal::ParseMoney(digits + "元");
    if (!fen.ok()) return;
    for (const Sum& sum : view.sums) {
      if (!sum.capital || sum.span.end > m.begin() || m.begin() - sum.span.end > 24) continue;
      const std::string_view between = view.At({sum.span.end, m.begin()});
      if (!Has(kBetween, between) || sum.fen == *fen) continue;
      context.Report("AMT-01", {sum.span.begin, m.groups[1].end},
                     {.message = "大小写金额不一致：小写" + Yuan(*fen) + "，大写是" + Yuan(sum.fen),
                      .suggestion = "小写金额的大写为“" + legal::FormatCapital(*fen) + "”"});
    }
  });
}

// Do the items add up to the total: all of them, those from some item on (what stands before them
// is another list), or, where the words tell of parts or payments (`parts`), all but one?
bool Reaches(const std::vector<std::int64_t>& items, std::int64_t total, bool parts) {
  constexpr std::int64_t kRounding = 1;
  std::int64_t all = 0;
  for (const std::int64_t item : items) all += item;
  if (std::llabs(all - total) <= kRounding) return true;
  std::int64_t rest = all;
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (parts && items.size() > 2 && std::llabs(all - items[i] - total) <= kRounding) return true;
    rest -= items[i];
    if (i + 2 < items.size() && std::llabs(rest - total) <= kRounding) return true;
  }
  return false;
}

// Any choice of items, for lists whose borders are not known.
bool ReachesByChoice(const std::vector<std::int64_t>& items, std::int64_t total) {
  const std::size_t n = std::min<std::size_t>(items.size(), 16);
  for (std::uint32_t mask = 1; mask < (1U << n); ++mask) {
    std::int64_t sum = 0;
    for (std::size_t i = 0; i < n; ++i) {
      if ((mask & (1U << i)) != 0) sum += items[items.size() - n + i];
    }
    if (std::llabs(sum - total) <= 1) return true;
  }
  return false;
}

constexpr std::string_view kNotPlain =
    "其中|扣除|减去|抵扣|抵销|已付|已支付|已偿还|已经|已归还|已还|尚欠|下欠|剩余|余款|仍欠|还欠|"
    "每月|每年|每天|每日|"
    "基数|比例|%|‰|×|\\*|÷|/"
    "|本金.{0,6}利息.{0,10}计算|限额|余额|单价|每|折|未付|实际|先后|分别|累计|均|各|左右|余元|多元|"
    "美元|港元|港币|约|冲抵|垫付|前述|上述金额|按照|按|至.{0,20}日|类推|不等|以上|以下|某元|某万|"
    "×元";

void ReportTotal(Context& context, const Sum& total, Span list,
                 const std::vector<std::int64_t>& items, std::optional<Level> level) {
  std::int64_t sum = 0;
  std::string formula;
  for (const std::int64_t item : items) {
    sum += item;
    formula += (formula.empty() ? "" : "+") + legal::FormulaYuan(item);
  }
  context.Report("AMT-02", total.span,
                 {.message = "合计" + Yuan(total.fen) + "与各项之和" + Yuan(sum) + "不符",
                  .evidence = std::string(context.view.At(list)),
                  .suggestion = formula + "=" + Yuan(sum),
                  .level = level});
}

// 医疗费1000元、误工费2000元，合计3000元 in one sentence.
void CheckTotals(Context& context) {
  static const Pattern kTotal = MustCompile(
      "(?:以上|上述)?(?:各项|款项|费用|损失|金额|几项|三项|两项|四项|五项)*(?:共计|合计|总计)(?:"
      "损失|金额|款|费用)?[：:为]?(?:人民币|¥)?[ ]?(?=[\\d零壹贰叁肆伍陆柒捌玖])");
  static const Pattern kJoin = MustCompile(
      "^(?:（[^（）元\\n]{0,40}）)?[ "
      "]*[、，,；;和及与加]+(?:以及|并|另|又)?[^，。；、元\\d\\n]{1,36}(?:人民币|¥)?[ ]?$");
  static const Pattern kBeforeTotal = MustCompile(
      "^(?:（[^（）元\\n]{0,40}）)?[ "
      "]*[，,、；;]?(?:以上|上述)?(?:各项|款项|费用|损失|金额|几项|三项|两项|四项|五项)*(?:共计|"
      "合计|总计)(?:损失|金额|款|费用)?[：:为]?(?:人民币|¥)?[ ]?$");
  static const Pattern kPlain = MustCompile(std::string(kNotPlain));
  const View& view = context.view;
  ForEach(kTotal, view.text, {0, view.text.size()}, [&](const Match& m) {
    const Sum* total = SumAt(view, m.end());
    if (total == nullptr || total->approximate || total->foreign) return;
    std::vector<std::int64_t> items;
    std::size_t index = static_cast<std::size_t>(total - view.sums.data());
    std::size_t border = total->span.begin;
    std::size_t list_begin = border;
    const Pattern* between = &kBeforeTotal;
    while (index > 0) {
      const Sum& item = view.sums[index - 1];
      if (item.approximate || item.foreign) break;
      if (item.span.end > border) break;
      const std::string_view gap = view.At({item.span.end, border});
      if (gap.size() > 160 || Has(gap, "\n") || Has(gap, "。") || !Has(*between, gap)) break;
      if (between == &kJoin && Has(kPlain, gap)) break;
      items.insert(items.begin(), item.fen);
      border = item.span.begin;
      list_begin = border;
      between = &kJoin;
      --index;
    }
    if (items.size() < 2) return;
    // What stands before the first item belongs to it.
    const Span sentence = view.SentenceAt(list_begin > 0 ? list_begin - 1 : 0);
    const std::string_view lead = view.At({std::min(sentence.begin, list_begin), list_begin});
    const std::size_t comma = lead.rfind("，");
    const std::string_view name = comma == std::string_view::npos ? lead : lead.substr(comma + 3);
    const bool doubtful = Has(kPlain, name) || Has(view.At({m.begin(), total->span.end}), "以上");
    static const Pattern kParts = MustCompile("其中|含|包括|已|另|扣|尚|抵|减");
    if (Reaches(items, total->fen, Has(kParts, view.At({sentence.begin, total->span.end})))) return;
    // Sums before the list up to the full stop may belong to it.
    const std::size_t stop = view.text.rfind("。", list_begin);
    const std::size_t line = view.text.rfind('\n', list_begin);
    std::size_t from = stop == std::string::npos ? 0 : stop;
    if (line != std::string::npos) from = std::max(from, line);
    const bool more = index > 0 && view.sums[index - 1].span.begin >= from;
    ReportTotal(context, *total, {list_begin, total->span.end}, items,
                doubtful || more ? std::optional(Level::kWarning) : std::nullopt);
  });
}

// 诉讼请求 one below the other and then 以上共计.
void CheckClaimsTotal(Context& context) {
  static const Pattern kTotal =
      MustCompile("(?:以上|上述|前述)[^。；\\n\\d]{0,16}(?:共计|合计|总计)[^。；\\n\\d元]{0,8}");
  static const Pattern kNumber = MustCompile(
      "(?:^|[：:；;。\\n])[ "
      "]*(?:\\d{1,2}[.、．]|[一二三四五六七八九十]{1,3}、|（[一二三四五六七八九十\\d]{1,2}）)");
  const View& view = context.view;
  ForEach(kTotal, view.text, {0, view.text.size()}, [&](const Match& m) {
    const Sum* total = SumAt(view, m.end());
    if (total == nullptr || total->approximate || total->foreign) return;
    if (view.PartAt(m.begin()) != Part::kClaim) return;
    // Claims from the heading on.
    const std::size_t start = std::max(view.text.rfind("诉讼请求", m.begin()),
                                       view.text.rfind("仲裁请求", m.begin()) == std::string::npos
                                           ? 0
                                           : view.text.rfind("仲裁请求", m.begin()));
    if (start == std::string::npos || m.begin() - start > 3000) return;
    std::vector<std::int64_t> items;
    for (const Sum& sum : view.sums) {
      if (sum.span.begin <= start || sum.span.end >= m.begin()) continue;
      if (sum.capital || sum.approximate || sum.foreign) continue;
      items.push_back(sum.fen);
    }
    if (items.size() < 2 || items.size() > 16 || ReachesByChoice(items, total->fen)) return;
    int numbers = 0;
    ForEach(kNumber, view.text, {start, m.begin()}, [&](const Match&) { ++numbers; });
    const bool one_each = numbers > 0 && static_cast<std::size_t>(numbers) == items.size();
    ReportTotal(context, *total, {start, total->span.end}, items,
                one_each ? std::nullopt : std::optional(Level::kWarning));
  });
}

// 132750元（14750元×9个月): plain products, sums and quotients in brackets after a sum.
void CheckProducts(Context& context) {
  static const Pattern kProduct = MustCompile(
      "[（(]([\\d.,]+)(?:元)?(?:/"
      "(?:天|日|月|年|人))?[×xX*](\\d+(?:\\.\\d+)?)(%|‰)?(?:天|日|个月|月|年|人|个|次|倍)?(?:[×xX*]"
      "(\\d+(?:\\.\\d+)?)(%)?(?:天|日|个月|月|年|人|个|次|倍)?)?）");
  static const Pattern kEquals = MustCompile(
      "(?<![\\d.×+\\-÷/*）%天日月年])([\\d.,]+)(?:元)?(?:/"
      "(?:天|日|月|年|人))?[×xX*](\\d+(?:\\.\\d+)?)(%|‰)?(?:天|日|个月|月|年|人|个|次|倍)?(?:[×xX*]"
      "(\\d+(?:\\.\\d+)?)(%)?(?:天|日|个月|月|年|人|个|次|倍)?)?[=＝](?=\\d)");
  const View& view = context.view;
  const auto product = [&](const Match& m) {
    const auto number = [&](std::size_t group) {
      std::string plain;
      for (const char c : m.Text(view.text, group)) {
        if (c != ',') plain += c;
      }
      return std::strtod(plain.c_str(), nullptr);
    };
    double value = number(1) * number(2);
    if (m.has(3)) value *= m.Text(view.text, 3) == "%" ? 0.01 : 0.001;
    if (m.has(4)) value *= number(4);
    if (m.has(5)) value *= 0.01;
    return value;
  };
  const auto check = [&](const Match& m, const Sum& sum) {
    if (sum.approximate || sum.foreign || sum.capital) return;
    const double value = product(m);
    const double said = static_cast<double>(sum.fen) / 100.0;
    // Courts round to yuan; ten thousands are written as 万元 next to plain products.
    if (std::fabs(value - said) < 1.005 || value <= 0.0) return;
    for (const double unit :
         {0.0001, 10000.0, 0.01, 1.0 / 12.0, 1.0 / 365.0, 1.0 / 360.0, 1.0 / 30.0}) {
      if (std::fabs(value * unit - said) < 1.005) return;
    }
    context.Report(
        "AMT-05", {std::min(sum.span.begin, m.begin()), std::max(sum.span.end, m.end())},
        {.message = "算式的结果是" + Yuan(std::llround(value * 100.0)) + "，文中写" + Yuan(sum.fen),
         .suggestion = "核对算式和金额"});
  };
  ForEach(kProduct, view.text, {0, view.text.size()}, [&](const Match& m) {
    for (const Sum& sum : view.sums) {
      if (sum.span.end == m.begin()) check(m, sum);
    }
  });
  ForEach(kEquals, view.text, {0, view.text.size()}, [&](const Match& m) {
    if (const Sum* sum = SumAt(view, m.end()); sum != nullptr) check(m, *sum);
  });
}

// 加倍部分债务利息: principal × 0.0175% × days (法释〔2014〕8号).
void CheckDoubled(Context& context) {
  static const Pattern kDoubled =
      MustCompile("加倍(?:部分)?(?:的)?(?:债务)?利息|迟延履行期间的?(?:加倍)?(?:债务)?利息");
  static const Pattern kDays = MustCompile("(\\d{1,5})(?:天|日)(?!内)");
  static const Pattern kRate =
      MustCompile("万分之一点七五|0\\.0175%|0\\.175‰|0\\.000175|1\\.75‱|日万分之1\\.75");
  const View& view = context.view;
  ForEach(kDoubled, view.text, {0, view.text.size()}, [&](const Match& m) {
    const Span sentence = view.SentenceAt(m.begin());
    const std::string_view words = view.At(sentence);
    Match days;
    if (!Has(kRate, words)) return;
    std::size_t at = 0;
    bool found = false;
    while (kDays.Search(words, at, &days)) {
      // Not the day of a date.
      const std::size_t begin = days.begin();
      if (begin >= 3 && words.substr(begin - 3, 3) == "月") {
        at = days.end();
        continue;
      }
      found = true;
      break;
    }
    if (!found) return;
    std::vector<const Sum*> sums;
    for (const Sum& sum : view.sums) {
      if (sentence.Contains(sum.span.begin) && !sum.capital) sums.push_back(&sum);
    }
    if (sums.size() != 2) return;
    const std::int64_t n = std::strtoll(std::string(days.Text(words, 1)).c_str(), nullptr, 10);
    const std::int64_t principal = std::max(sums[0]->fen, sums[1]->fen);
    const Sum& said = sums[0]->fen < sums[1]->fen ? *sums[0] : *sums[1];
    const Result<std::int64_t> interest = legal::MulDiv(principal * 175, n, 1'000'000);
    if (!interest.ok() || std::llabs(*interest - said.fen) <= 100) return;
    context.Report("INT-01", said.span,
                   {.message = "加倍部分债务利息应为" + Yuan(*interest),
                    .suggestion = legal::FormulaYuan(principal) + "×0.0175%×" + std::to_string(n) +
                                  "天=" + Yuan(*interest)});
  });
}

bool FeeFits(std::int64_t fee, std::int64_t amount) {
  const Result<legal::CourtFee> full = legal::ComputeCourtFee(legal::FeeKind::kProperty, amount);
  if (!full.ok()) return false;
  const std::int64_t one = full->low_fen;
  // Courts round to yuan, and halve for simple procedure, mediation, withdrawal and counterclaims.
  return std::llabs(one - fee) <= 100 || std::llabs(one / 2 - fee) <= 100 ||
         std::llabs(one / 4 - fee) <= 100;
}

// Each of those who appeal pays a fee; the judgment may state them together.
std::int64_t Appellants(const View& view) {
  return std::count_if(view.parties.begin(), view.parties.end(),
                       [](const Party& party) { return !party.agent && party.role == "上诉人"; });
}

// 案件受理费 against a sum in dispute that the text states.
void CheckFee(Context& context) {
  static const Pattern kFee = MustCompile(
      "(?:案件受理费|受理费|案件诉讼费|诉讼费用?)(?:为|计|共计|人民币|减半收取(?:为|计)?|减半后为|["
      " ：:])*(?=\\d)");
  static const Pattern kAmount =
      MustCompile("(?:诉讼)?标的(?:额|金额|总额)?(?:为|是|共计|[：:])?(?:人民币)?(?=\\d)");
  const View& view = context.view;
  std::vector<const Sum*> amounts;
  ForEach(kAmount, view.text, {0, view.text.size()}, [&](const Match& m) {
    if (const Sum* sum = SumAt(view, m.end()); sum != nullptr) amounts.push_back(sum);
  });
  int fees = 0;
  ForEach(kFee, view.text, {0, view.text.size()}, [&](const Match&) { ++fees; });
  ForEach(kFee, view.text, {0, view.text.size()}, [&](const Match& m) {
    const Sum* fee = SumAt(view, m.end());
    if (fee == nullptr || fee->foreign || fee->approximate) return;
    const Span sentence = view.SentenceAt(m.begin());
    const std::string_view words = view.At(sentence);
    const bool half = Has(words, "减半") || view.simple_procedure || view.form == Form::kMediation;
    if (Has(view.text, "劳动争议") && !Has(view.text, "借贷") && view.branch == Branch::kCivil &&
        view.instance != Instance::kRetrial) {
      if (Has(view.At(view.title), "劳动") ||
          Has(view.text.substr(0, std::min<std::size_t>(2400, view.text.size())), "劳动争议一案")) {
        const bool each = fee->fen % 1000 == 0 && fee->fen / 1000 <= Appellants(view);
        if (fee->fen != 1000 && fee->fen != 500 && !each) {
          context.Report(
              "FEE-01", fee->span,
              {.message = "劳动争议案件每件交纳10元，减半收取5元", .suggestion = "10元"});
        }
        return;
      }
    }
    // The sum in dispute right before the fee; a single one for the single fee of a text.
    const Sum* amount = amounts.size() == 1 && fees == 1 ? amounts.front() : nullptr;
    for (const Sum* sum : amounts) {
      if (sum->span.end <= fee->span.begin && fee->span.begin - sum->span.end <= 60) amount = sum;
    }
    if (amount == nullptr) return;
    const Result<legal::CourtFee> full =
        legal::ComputeCourtFee(legal::FeeKind::kProperty, amount->fen);
    if (!full.ok()) return;
    const std::int64_t expected = half ? full->low_fen / 2 : full->low_fen;
    if (std::llabs(expected - fee->fen) <= 100) return;
    if (!half && FeeFits(fee->fen, amount->fen) && view.form != Form::kComplaint) return;
    context.Report(
        "FEE-01", fee->span,
        {.message = "标的额" + Yuan(amount->fen) + "的财产案件受理费应为" + Yuan(full->low_fen) +
                    (half ? "，减半收取" + Yuan(full->low_fen / 2) : ""),
         .suggestion = full->formula});
  });
}

// The tail of a civil judgment of first instance: the fee must follow from some sum that was
// claimed or granted; where interest still runs, the sum in dispute is not in the text.
void CheckTailFee(Context& context) {
  const View& view = context.view;
  if (view.branch == Branch::kCriminal || view.branch == Branch::kAdministrative) return;
  static const Pattern kFee =
      MustCompile("(?:案件受理费|受理费)(?:为|计|共计|人民币|[ ：:])*(?=\\d)");
  static const Pattern kOpen =
      MustCompile("利息|违约金|滞纳金|每日|每月|离婚|变更|确认|返还原物|继承|分割|人格|名誉|身体");
  if (!view.holding || Has(view.text, "标的额") || Has(kOpen, view.text)) return;
  if (view.instance != Instance::kFirst) return;
  std::vector<std::int64_t> candidates;
  for (const Sum& sum : view.sums) {
    const Part part = view.PartAt(sum.span.begin);
    if ((part == Part::kClaim || part == Part::kHolding) && !sum.foreign)
      candidates.push_back(sum.fen);
  }
  if (candidates.empty() || candidates.size() > 12) return;
  ForEach(kFee, view.text, {view.holding->end, view.text.size()}, [&](const Match& m) {
    const Sum* fee = SumAt(view, m.end());
    if (fee == nullptr) return;
    for (std::uint32_t mask = 1; mask < (1U << candidates.size()); ++mask) {
      std::int64_t sum = 0;
      for (std::size_t i = 0; i < candidates.size(); ++i) {
        if ((mask & (1U << i)) != 0) sum += candidates[i];
      }
      if (FeeFits(fee->fen, sum)) return;
    }
    context.Report("FEE-01", fee->span,
                   {.message = "受理费" + Yuan(fee->fen) +
                               "与文中的诉讼请求金额算不出；标的额未写明，程序不能断定",
                    .suggestion = "按诉讼费用交纳办法第十三条复算"});
  });
}

// Shares of liability that do not make a whole.
void CheckShares(Context& context) {
  static const Pattern kShare =
      MustCompile("承担[^，。；%\\n]{0,12}?(\\d{1,3}(?:\\.\\d+)?)%的?[^，。；\\n]{0,10}责任");
  const View& view = context.view;
  double sum = 0;
  int count = 0;
  Span last;
  ForEach(kShare, view.text, {0, view.text.size()}, [&](const Match& m) {
    const Part part = view.PartAt(m.begin());
    if (part != Part::kReasoning && part != Part::kHolding) return;
    const Span sentence = view.SentenceAt(m.begin());
    if (sentence.begin != view.SentenceAt(last.begin).begin || count == 0) {
      sum = 0;
      count = 0;
    }
    sum += std::strtod(std::string(m.Text(view.text, 1)).c_str(), nullptr);
    ++count;
    last = SpanOf(m);
    if (count >= 2 && sum > 100.01) {
      context.Report(
          "AMT-02", last,
          {.message = "责任比例之和超过100%", .suggestion = "核对比例", .level = Level::kWarning});
    }
  });
}

void CheckUnits(Context& context) {
  static const Pattern kUnit =
      MustCompile("(\\d+(?:\\.\\d+)?)万元[整]?（[^）\\d\\n]{0,6}(\\d+)元）");
  static const Pattern kSlip = MustCompile("(?<![\\d.,，])(?:(\\d{5,})万元|\\d{7,}\\.\\d{4,}元)");
  const View& view = context.view;
  // 50000万元 is a slip where all other sums of the text are far smaller, or one is 50000元.
  std::int64_t next = 0;
  for (const Sum& sum : view.sums) {
    if (Has(kSlip, view.At(sum.span))) continue;
    next = std::max(next, sum.fen);
  }
  ForEach(kSlip, view.text, {0, view.text.size()}, [&](const Match& m) {
    if (m.has(1)) {
      const std::string digits(m.Text(view.text, 1));
      const Sum* sum = SumAt(view, m.begin());
      const bool plain = view.text.find(digits + "元") != std::string::npos;
      if (!plain && sum != nullptr && next > 0 && sum->fen / 10 < next) return;
    }
    context.Report("AMT-03", SpanOf(m),
                   {.message = "金额的单位可能写错：" + std::string(m.Text(view.text, 0)),
                    .suggestion = "核对“元”与“万元”"});
  });
  // One debt in two currencies: 人民币50000美元.
  static const Pattern kCurrency = MustCompile(
      "人民币[ ]?[\\d,.]+(?:万|亿)?(?:美元|港元|欧元|日元)|(?:美元|美金|港币)[ "
      "]?[\\d,.]+(?:万|亿)?元人民币");
  ForEach(kCurrency, view.text, {0, view.text.size()}, [&](const Match& m) {
    context.Report("AMT-03", SpanOf(m), {.message = "币种前后矛盾", .suggestion = "只写一种币种"});
  });
  ForEach(kUnit, view.text, {0, view.text.size()}, [&](const Match& m) {
    const double ten_thousands = std::strtod(std::string(m.Text(view.text, 1)).c_str(), nullptr);
    const double yuan = std::strtod(std::string(m.Text(view.text, 2)).c_str(), nullptr);
    if (std::fabs(ten_thousands * 10000.0 - yuan) < 0.5) return;
    context.Report("AMT-03", SpanOf(m),
                   {.message = "同一金额的两种写法不一致", .suggestion = "核对单位"});
  });
}

}  // namespace

void CheckAmounts(Context& context) {
  CheckCapitals(context);
  CheckTotals(context);
  CheckClaimsTotal(context);
  CheckProducts(context);
  CheckDoubled(context);
  CheckFee(context);
  CheckTailFee(context);
  CheckShares(context);
  CheckUnits(context);
}

}  // namespace zhibi::rules
