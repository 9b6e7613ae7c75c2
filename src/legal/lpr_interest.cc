// SPDX-License-Identifier: Apache-2.0
#include "legal/lpr_interest.h"

#include <algorithm>
#include <utility>

#include "base/status_macros.h"
#include "legal/money.h"

namespace zhibi::legal {
namespace {

__extension__ using Wide = __int128;

constexpr Date kNewRule = {2020, 8, 20};
constexpr Rate kOldCap = 240'000;  // 24 %
constexpr std::int64_t kMaxMultiple = 100'000'000;

std::int64_t DaysBetween(const Date& from, const Date& to) { return ToDays(to) - ToDays(from); }

struct Step {
  Date from;
  Rate rate;
  bool is_lpr;
  bool confirmed;
};

// Rates in force from their days on, over both tables.
std::vector<Step> Steps(const LprTable& lpr, const BenchmarkTable& benchmark) {
  std::vector<Step> steps;
  if (lpr.rows().empty()) return steps;
  const Date first_lpr = lpr.rows().front().first;
  for (const BenchmarkTable::Row& row : benchmark.rows()) {
    if (row.from < first_lpr) steps.push_back({row.from, row.rate, false, row.confirmed});
  }
  for (const auto& [from, rate] : lpr.rows()) steps.push_back({from, rate, true, true});
  return steps;
}

// Sum of rate * days, so that the interest is rounded once.
Result<std::int64_t> InterestOf(std::int64_t fen, Wide rate_days, std::int64_t multiple) {
  constexpr Wide kDivisor = Wide{365} * 1'000'000 * 10'000;
  const Wide value = (Wide{fen} * rate_days * multiple + kDivisor / 2) / kDivisor;
  if (value > kMaxFen) {
    return InvalidArgumentError("利息超过9999亿元 (interest of at most 999999999999.99 yuan)");
  }
  return static_cast<std::int64_t>(value);
}

Status CheckSum(std::int64_t fen) {
  if (fen >= 0 && fen <= kMaxFen) return OkStatus();
  return InvalidArgumentError("本金应在0至9999亿元之间 (a principal of 0 to 999999999999.99 yuan)");
}

std::string SegmentText(const Date& from, const Date& to, Rate rate) {
  return FormatBody(from) + "至" + FormatBody(FromDays(ToDays(to) - 1)) + FormatRate(rate) + "%×" +
         std::to_string(DaysBetween(from, to)) + "天";
}

Calculation NoDays() {
  Calculation out;
  out.formula = "0 元";
  out.warnings.emplace_back("截止日不晚于起算日，没有产生利息");
  return out;
}

std::string OutsideText(const LprTable& lpr) {
  return "LPR 数据止于" + FormatBody(lpr.as_of()) + "，此后的天数按最后一次公布的利率计算，请核对";
}

void AddBenchmarkWarnings(const BenchmarkTable& benchmark, const std::vector<RateSegment>& segments,
                          Calculation& out) {
  const auto old = [](const RateSegment& segment) { return !segment.is_lpr; };
  if (std::none_of(segments.begin(), segments.end(), old)) return;
  out.warnings.push_back("2019年8月20日之前按中国人民银行" + benchmark.term() +
                         "期贷款基准利率计算，其他期限的贷款利率不同，请核对");
  std::string doubtful;
  for (const RateSegment& segment : segments) {
    if (segment.is_lpr || segment.confirmed) continue;
    doubtful += (doubtful.empty() ? "" : "、") + FormatRate(segment.rate) + "%";
  }
  if (!doubtful.empty()) {
    out.warnings.push_back("贷款基准利率" + doubtful + "只有一份来源，由使用者核对");
  }
}

}  // namespace

std::optional<std::vector<RateSegment>> LprSegments(const LprTable& lpr,
                                                    const BenchmarkTable& benchmark,
                                                    const Date& from, const Date& to) {
  std::vector<RateSegment> out;
  if (to <= from) return out;
  const std::vector<Step> steps = Steps(lpr, benchmark);
  if (steps.empty() || from < steps.front().from) return std::nullopt;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const Date begin = std::max(from, steps[i].from);
    const Date end = i + 1 < steps.size() ? std::min(to, steps[i + 1].from) : to;
    if (end <= begin) continue;
    const Step& step = steps[i];
    if (!out.empty() && out.back().rate == step.rate && out.back().is_lpr == step.is_lpr) {
      out.back().to = end;
      out.back().confirmed = out.back().confirmed && step.confirmed;
    } else {
      out.push_back({begin, end, step.rate, step.is_lpr, step.confirmed});
    }
  }
  return out;
}

Result<Calculation> LprInterest(const LprTable& lpr, const BenchmarkTable& benchmark,
                                std::int64_t fen, const Date& from, const Date& to,
                                std::int64_t multiple) {
  ZB_RETURN_IF_ERROR(CheckSum(fen));
  if (multiple < 0 || multiple > kMaxMultiple) {
    return InvalidArgumentError("倍数应在0至10000之间 (a multiple of 0 to 10000)");
  }
  if (to <= from) return NoDays();
  const std::optional<std::vector<RateSegment>> segments = LprSegments(lpr, benchmark, from, to);
  if (!segments) {
    return Calculation::Unknown(FormatBody(from) +
                                "起的一段没有利率数据（LPR 自2019年8月20日起公布），不能计算");
  }
  Calculation out;
  Wide rate_days = 0;
  std::string terms;
  for (const RateSegment& segment : *segments) {
    rate_days += Wide{segment.rate} * DaysBetween(segment.from, segment.to);
    terms += (terms.empty() ? "" : " + ") + SegmentText(segment.from, segment.to, segment.rate);
  }
  ZB_ASSIGN_OR_RETURN(out.fen, InterestOf(fen, rate_days, multiple));
  if (segments->size() > 1) terms = "(" + terms + ")";
  out.formula = FormulaYuan(fen) + "×" + terms + "÷365";
  if (multiple != 10'000) out.formula += "×" + FormulaDecimal(multiple, 4);
  out.formula += " = " + FormulaYuan(out.fen) + " 元";
  AddBenchmarkWarnings(benchmark, *segments, out);
  if (FromDays(ToDays(to) - 1) > lpr.as_of()) out.warnings.push_back(OutsideText(lpr));
  return out;
}

std::optional<Rate> LprCap(const LprTable& lpr, const Date& day) {
  const std::optional<Rate> rate = lpr.At(day);
  if (!rate) return std::nullopt;
  return *rate * 4;
}

namespace {

Status CheckLoan(const CappedLoan& loan) {
  ZB_RETURN_IF_ERROR(CheckSum(loan.fen));
  if (loan.rate < 0) return InvalidArgumentError("利率不能为负 (a rate is not negative)");
  if (loan.contract > loan.from) {
    return InvalidArgumentError("合同成立日" + FormatIso(loan.contract) + "晚于起息日" +
                                FormatIso(loan.from) +
                                " (the contract is later than the first day of interest)");
  }
  if (loan.filing < loan.contract) {
    return InvalidArgumentError("起诉日" + FormatIso(loan.filing) + "早于合同成立日" +
                                FormatIso(loan.contract) +
                                " (the filing is earlier than the contract)");
  }
  return OkStatus();
}

void WarnOnce(std::string warning, std::vector<std::string>& warnings) {
  if (std::find(warnings.begin(), warnings.end(), warning) == warnings.end())
    warnings.push_back(std::move(warning));
}

struct Cap {
  Rate rate = 0;
  std::string basis;
};

// A cap for the days up to 2020-08-19 (`old`) and one from 2020-08-20 on; none: not known.
std::optional<Cap> CapFor(const LprTable& lpr, const CappedLoan& loan, bool old,
                          std::vector<std::string>& warnings) {
  const auto four = [&](const Date& day, const std::string& basis) -> std::optional<Cap> {
    const std::optional<Rate> cap = LprCap(lpr, day);
    if (!cap) return std::nullopt;
    if (day > lpr.as_of()) WarnOnce(OutsideText(lpr), warnings);
    return Cap{*cap, basis + "一年期LPR" + FormatRate(*cap / 4) + "%的四倍"};
  };
  if (loan.contract >= kNewRule) return four(loan.contract, "合同成立时");
  if (loan.filing < kNewRule || (old && loan.asks_old_rule)) {
    WarnOnce("2020年8月19日以前的利息按当时司法解释的年利率24%保护，由使用者核对", warnings);
    return Cap{kOldCap, "当时的司法解释"};
  }
  if (!old) return four(loan.filing, "起诉时");
  WarnOnce(
      "原告没有请求对2020年8月19日以前的利息适用当时的司法解释，按现行规定的四倍LPR计算，请核对",
      warnings);
  std::optional<Cap> at_contract = four(loan.contract, "合同成立时");
  return at_contract ? at_contract : four(loan.filing, "起诉时");
}

}  // namespace

Result<Calculation> CappedInterest(const LprTable& lpr, const CappedLoan& loan) {
  ZB_RETURN_IF_ERROR(CheckLoan(loan));
  if (loan.to <= loan.from) return NoDays();
  Calculation out;
  Wide rate_days = 0;
  std::string terms;
  int parts = 0;
  for (const bool old : {true, false}) {
    const Date begin = old ? loan.from : std::max(loan.from, kNewRule);
    const Date end = old ? std::min(loan.to, kNewRule) : loan.to;
    if (end <= begin) continue;
    const std::optional<Cap> cap = CapFor(lpr, loan, old, out.warnings);
    if (!cap)
      return Calculation::Unknown("当日没有 LPR（自2019年8月20日起公布），不能计算利率上限");
    const Rate rate = std::min(loan.rate, cap->rate);
    rate_days += Wide{rate} * DaysBetween(begin, end);
    terms += (parts++ == 0 ? "" : " + ") + SegmentText(begin, end, rate);
    if (loan.rate > cap->rate) {
      WarnOnce("约定年利率" + FormatRate(loan.rate) + "%超过" + cap->basis + "即" +
                   FormatRate(cap->rate) + "%，超过部分不予计算",
               out.warnings);
    }
  }
  ZB_ASSIGN_OR_RETURN(out.fen, InterestOf(loan.fen, rate_days, 10'000));
  if (parts > 1) terms = "(" + terms + ")";
  out.formula = FormulaYuan(loan.fen) + "×" + terms + "÷365 = " + FormulaYuan(out.fen) + " 元";
  return out;
}

}  // namespace zhibi::legal
