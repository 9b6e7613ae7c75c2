// SPDX-License-Identifier: Apache-2.0
#include "legal/labour.h"

#include <algorithm>
#include <array>

#include "base/status_macros.h"
#include "legal/period.h"

namespace zhibi::legal {
namespace {

constexpr Date kContractLaw = {2008, 1, 1};  // 劳动合同法施行
constexpr std::int64_t kMonthDays = 2175;    // 21.75 days, in hundredths

std::string Equals(const std::string& left, std::int64_t fen) {
  return left + " = " + FormulaYuan(fen) + " 元";
}

// The day after the last day of a span of months that begins on `start`: 2024-01-31 and a month is
// 2024-03-01, for the month is full with the last of February.
Result<Date> MonthsAfter(const Date& start, std::int64_t months) {
  ZB_ASSIGN_OR_RETURN(const Date day, AddPeriodTo(start, months, PeriodUnit::kMonth));
  return day.day < start.day ? FromDays(ToDays(day) + 1) : day;
}

// Of work from `start` to the day before `after`.
Result<std::int64_t> HalfYears(const Date& start, const Date& after) {
  std::int64_t years = std::max(0, after.year - start.year);
  ZB_ASSIGN_OR_RETURN(Date reached, MonthsAfter(start, years * 12));
  if (reached > after) {
    --years;
    ZB_ASSIGN_OR_RETURN(reached, MonthsAfter(start, years * 12));
  }
  if (reached == after) return 2 * years;
  ZB_ASSIGN_OR_RETURN(const Date half, MonthsAfter(start, years * 12 + 6));
  return 2 * years + (half <= after ? 2 : 1);
}

// The wage that counts, and how it reads in the formula.
struct CountedWage {
  std::int64_t fen = 0;
  bool capped = false;
  std::string text;
};

Result<CountedWage> WageOf(const Employment& employment, std::vector<std::string>& warnings) {
  CountedWage wage;
  wage.fen = employment.wage_fen;
  wage.text = FormulaYuan(wage.fen);
  if (employment.minimum_fen && *employment.minimum_fen > wage.fen) {
    wage.fen = *employment.minimum_fen;
    wage.text = FormulaYuan(wage.fen) + "（当地最低工资标准）";
  }
  if (!employment.average_fen) {
    warnings.emplace_back("没有给出当地上年度职工月平均工资，未核对三倍封顶");
    return wage;
  }
  ZB_ASSIGN_OR_RETURN(const std::int64_t cap, MulDiv(*employment.average_fen, 3, 1));
  if (wage.fen > cap) {
    wage.fen = cap;
    wage.capped = true;
    wage.text = FormulaYuan(*employment.average_fen) + "×3";
  }
  return wage;
}

Result<Calculation> PayForYears(const Employment& employment, const Date& from,
                                std::int64_t times) {
  constexpr std::int64_t kMaxHalfYears = 24;
  ZB_ASSIGN_OR_RETURN(std::int64_t halves, ServiceHalfYears(from, employment.end));
  Calculation out;
  ZB_ASSIGN_OR_RETURN(const CountedWage wage, WageOf(employment, out.warnings));
  const bool cut = wage.capped && halves > kMaxHalfYears;
  if (cut) halves = kMaxHalfYears;
  ZB_ASSIGN_OR_RETURN(out.fen, MulDiv(wage.fen, halves * times, 2));
  std::string left = wage.text + "×" + FormulaDecimal(halves * 5, 1) + "个月";
  if (cut) left += "（年限以十二年为限）";
  if (times > 1) left += "×" + std::to_string(times);
  out.formula = Equals(left, out.fen);
  return out;
}

}  // namespace

Result<std::int64_t> ServiceHalfYears(const Date& start, const Date& end) {
  if (end < start) {
    return InvalidArgumentError("离职日" + FormatIso(end) + "早于入职日" + FormatIso(start) +
                                " (the last day of work is earlier than the first)");
  }
  return HalfYears(start, FromDays(ToDays(end) + 1));
}

Result<Calculation> SeverancePay(const Employment& employment) {
  if (employment.end < employment.start) {
    return ServiceHalfYears(employment.start, employment.end).status();
  }
  if (employment.end < kContractLaw) {
    return Calculation::Unknown("劳动合同在2008年1月1日以前终止，经济补偿按当时有关规定计算");
  }
  const bool older = employment.start < kContractLaw;
  const Date from = older ? kContractLaw : employment.start;
  Result<Calculation> out = PayForYears(employment, from, 1);
  if (out.ok() && older) {
    out->warnings.emplace_back(
        "经济补偿年限自2008年1月1日起计算，此前的年限按当时有关规定另计，请核对");
  }
  return out;
}

Result<Calculation> UnlawfulDismissalPay(const Employment& employment) {
  return PayForYears(employment, employment.start, 2);
}

Result<Calculation> DoubleWage(const Date& start, const Date& until, std::int64_t wage_fen) {
  const Date counted = std::max(start, kContractLaw);
  ZB_ASSIGN_OR_RETURN(const Date last, MonthsAfter(counted, 12));
  const Date end = std::min(until, last);
  ZB_ASSIGN_OR_RETURN(Date reached, MonthsAfter(counted, 1));
  Calculation out;
  if (end <= reached) {
    out.formula = "0 元";
    out.warnings.emplace_back("用工未超过一个月，没有二倍工资");
    return out;
  }
  std::int64_t months = 0;
  Date next = reached;
  while (true) {
    ZB_ASSIGN_OR_RETURN(next, MonthsAfter(counted, months + 2));
    if (next > end) break;
    reached = next;
    ++months;
  }
  const std::int64_t days = ToDays(end) - ToDays(reached);
  const std::int64_t month_days = ToDays(next) - ToDays(reached);
  ZB_ASSIGN_OR_RETURN(out.fen, MulDiv(wage_fen, months * month_days + days, month_days));
  std::string count = std::to_string(months) + "个月";
  if (days > 0) {
    const std::string part = std::to_string(days) + "天÷" + std::to_string(month_days) + "天";
    count = months == 0 ? part : "(" + count + " + " + part + ")";
    out.warnings.emplace_back("不足一个月的部分按自然日折算，各地做法不一，请核对");
  }
  out.formula = Equals(FormulaYuan(wage_fen) + "×" + count, out.fen);
  if (start < kContractLaw) {
    out.warnings.emplace_back("劳动合同法自2008年1月1日起施行，二倍工资自该日起满一个月的次日起算");
  }
  out.warnings.emplace_back("二倍工资差额的仲裁时效为一年，请核对是否超过");
  return out;
}

Result<Calculation> OvertimePay(std::int64_t wage_fen, const OvertimeHours& hours) {
  constexpr std::int64_t kMaxHours = 10'000'000;  // hundredths
  constexpr std::int64_t kDayHours = 8;
  struct Kind {
    std::int64_t hours;
    std::int64_t percent;
  };
  const std::array kinds = {Kind{hours.weekday, 150}, Kind{hours.rest_day, 200},
                            Kind{hours.holiday, 300}};
  std::int64_t weighted = 0;
  std::string terms;
  int count = 0;
  for (const Kind& kind : kinds) {
    if (kind.hours < 0 || kind.hours > kMaxHours) {
      return InvalidArgumentError("加班小时应在0至100000之间 (0 to 100000 hours of overtime)");
    }
    if (kind.hours == 0) continue;
    weighted += kind.hours * kind.percent;
    terms += (count++ > 0 ? " + " : "") + FormulaDecimal(kind.hours, 2) + "小时×" +
             std::to_string(kind.percent) + "%";
  }
  Calculation out;
  // Hundredths of hours, percent, hundredths of days.
  ZB_ASSIGN_OR_RETURN(out.fen, MulDiv(wage_fen, weighted, kMonthDays * kDayHours * 100));
  if (count != 1) terms = "(" + (terms.empty() ? "0" : terms) + ")";
  out.formula = Equals(FormulaYuan(wage_fen) + "÷21.75÷8×" + terms, out.fen);
  if (hours.rest_day > 0) {
    out.warnings.emplace_back("休息日加班已经安排补休的，不计加班工资，请核对");
  }
  return out;
}

Result<Calculation> AnnualLeavePay(std::int64_t wage_fen, std::int64_t days, bool normal_paid) {
  constexpr std::int64_t kMaxDays = 1000;
  if (days < 0 || days > kMaxDays) {
    return InvalidArgumentError("未休年休假天数应在0至1000之间 (0 to 1000 days of leave)");
  }
  const std::int64_t percent = normal_paid ? 200 : 300;
  Calculation out;
  ZB_ASSIGN_OR_RETURN(out.fen, MulDiv(wage_fen, days * percent, kMonthDays));
  out.formula = Equals(FormulaYuan(wage_fen) + "÷21.75×" + std::to_string(days) + "天×" +
                           (normal_paid ? "(300%−100%)" : "300%"),
                       out.fen);
  return out;
}

Result<std::int64_t> AnnualLeaveDays(std::int64_t years, std::int64_t elapsed_days,
                                     std::int64_t taken) {
  if (years < 0 || years > 100 || elapsed_days < 0 || elapsed_days > 366 || taken < 0) {
    return InvalidArgumentError(
        "年休假：工作年限0至100年，当年已过天数0至366天，已休天数不为负 (0 to 100 years of work, 0 "
        "to "
        "366 days of the year, leave taken not negative)");
  }
  const std::int64_t full = years >= 20 ? 15 : (years >= 10 ? 10 : (years >= 1 ? 5 : 0));
  const std::int64_t due = std::min(full, elapsed_days * full / 365);
  return std::max<std::int64_t>(0, due - taken);
}

Result<Calculation> WageArrears(const std::vector<WageMonth>& months) {
  if (months.empty()) return InvalidArgumentError("没有列出拖欠工资的月份 (no month is listed)");
  Calculation out;
  std::string terms;
  for (std::size_t i = 0; i < months.size(); ++i) {
    const WageMonth& month = months[i];
    if (month.paid_fen < 0 || month.paid_fen > month.due_fen) {
      return InvalidArgumentError(
          "第" + std::to_string(i + 1) + "个月已付" + FormulaYuan(month.paid_fen) +
          "元，应在0至应付" + FormulaYuan(month.due_fen) + "元之间 (more was paid than was due)");
    }
    ZB_ASSIGN_OR_RETURN(out.fen, AddFen(out.fen, month.due_fen - month.paid_fen));
    const std::string due = FormulaYuan(month.due_fen);
    terms += (i > 0 ? " + " : "") + month.label;
    terms += month.paid_fen > 0 ? "(" + due + "−" + FormulaYuan(month.paid_fen) + ")" : due;
  }
  out.formula = Equals(terms, out.fen);
  return out;
}

}  // namespace zhibi::legal
