// SPDX-License-Identifier: Apache-2.0
#include "legal/compensation.h"

#include <algorithm>
#include <numeric>
#include <string>

#include "base/status_macros.h"

namespace zhibi::legal {
namespace {

constexpr std::int64_t kMonthsOfYear = 12;

Status CheckPercent(Rate percent) {
  if (percent > 0 && percent <= kWholePercent) return OkStatus();
  return InvalidArgumentError("系数应大于0、不超过100%，现为" + FormulaDecimal(percent, 4) +
                              "% (a percentage above 0 up to 100)");
}

Status CheckDays(std::int64_t days) {
  constexpr std::int64_t kMaxDays = 36'500;
  if (days >= 0 && days <= kMaxDays) return OkStatus();
  return InvalidArgumentError("天数应在0至36500之间，现为" + std::to_string(days) +
                              " (0 to 36500 days)");
}

std::string Equals(const std::string& left, std::int64_t fen) {
  return left + " = " + FormulaYuan(fen) + " 元";
}

std::string Duration(std::int64_t months) {
  if (months % kMonthsOfYear == 0) return std::to_string(months / kMonthsOfYear) + "年";
  return std::to_string(months) + "个月÷12";
}

struct Unit {
  std::int64_t days;
  const char* text;
};

Unit UnitOf(PayUnit unit) {
  switch (unit) {
    case PayUnit::kDay:
      return {1, ""};
    case PayUnit::kMonth:
      return {30, "÷30"};
    case PayUnit::kYear:
      return {365, "÷365"};
  }
  return {1, ""};
}

}  // namespace

Result<std::int64_t> CompensationYears(std::int64_t age) {
  constexpr std::int64_t kMaxAge = 150;
  constexpr std::int64_t kFull = 20;
  constexpr std::int64_t kLeast = 5;
  if (age < 0 || age > kMaxAge) {
    return InvalidArgumentError("年龄应在0至150之间，现为" + std::to_string(age) +
                                " (an age of 0 to 150)");
  }
  if (age >= 75) return kLeast;
  return age <= 60 ? kFull : kFull - (age - 60);
}

Result<Calculation> DeathCompensation(std::int64_t age, std::int64_t income_fen) {
  ZB_ASSIGN_OR_RETURN(const std::int64_t years, CompensationYears(age));
  Calculation out;
  ZB_ASSIGN_OR_RETURN(out.fen, MulDiv(income_fen, years, 1));
  out.formula = Equals(FormulaYuan(income_fen) + "×" + std::to_string(years) + "年", out.fen);
  return out;
}

Result<Calculation> DisabilityCompensation(std::int64_t age, Rate percent,
                                           std::int64_t income_fen) {
  ZB_RETURN_IF_ERROR(CheckPercent(percent));
  ZB_ASSIGN_OR_RETURN(const std::int64_t years, CompensationYears(age));
  Calculation out;
  ZB_ASSIGN_OR_RETURN(out.fen, MulDiv(income_fen, years * percent, kWholePercent));
  out.formula = Equals(FormulaYuan(income_fen) + "×" + std::to_string(years) + "年×" +
                           FormulaDecimal(percent, 4) + "%",
                       out.fen);
  return out;
}

Result<Rate> DisabilityPercent(std::int64_t grade) {
  if (grade < 1 || grade > 10) {
    return InvalidArgumentError("伤残等级应为1至10级，现为" + std::to_string(grade) +
                                " (a grade of 1 to 10)");
  }
  return (11 - grade) * kWholePercent / 10;
}

Result<std::int64_t> SupportMonths(std::int64_t age) {
  if (age >= 0 && age < 18) return (18 - age) * kMonthsOfYear;
  ZB_ASSIGN_OR_RETURN(const std::int64_t years, CompensationYears(age));
  return years * kMonthsOfYear;
}

namespace {

Status CheckDependants(const std::vector<Dependant>& dependants) {
  constexpr std::int64_t kMaxSupporters = 10;
  constexpr std::int64_t kMaxMonths = 20 * kMonthsOfYear;
  constexpr std::size_t kMaxDependants = 50;
  if (dependants.empty() || dependants.size() > kMaxDependants) {
    return InvalidArgumentError("被扶养人应为1至50人 (1 to 50 dependants)");
  }
  for (std::size_t i = 0; i < dependants.size(); ++i) {
    const Dependant& dependant = dependants[i];
    const std::string who = "第" + std::to_string(i + 1) + "名被扶养人：";
    if (dependant.supporters < 1 || dependant.supporters > kMaxSupporters) {
      return InvalidArgumentError(who + "扶养人数应为1至10，现为" +
                                  std::to_string(dependant.supporters) + " (1 to 10 supporters)");
    }
    if (dependant.months < 0 || dependant.months > kMaxMonths) {
      return InvalidArgumentError(who + "扶养期限应为0至240个月，现为" +
                                  std::to_string(dependant.months) + " (0 to 240 months)");
    }
  }
  return OkStatus();
}

}  // namespace

Result<Calculation> DependantLiving(const std::vector<Dependant>& dependants,
                                    std::int64_t expense_fen, Rate percent) {
  ZB_RETURN_IF_ERROR(CheckDependants(dependants));
  ZB_RETURN_IF_ERROR(CheckPercent(percent));
  // Shares are fractions of one denominator, so that the whole is rounded once.
  std::int64_t common = 1;
  std::vector<std::int64_t> ends;
  for (const Dependant& dependant : dependants) {
    common = std::lcm(common, dependant.supporters);
    ends.push_back(dependant.months);
  }
  std::sort(ends.begin(), ends.end());
  ends.erase(std::unique(ends.begin(), ends.end()), ends.end());
  const std::int64_t whole = common * kWholePercent;
  const std::string factor = percent == kWholePercent ? "" : "×" + FormulaDecimal(percent, 4) + "%";

  std::int64_t scaled = 0;  // months times share
  std::string terms;
  bool capped = false;
  std::int64_t begin = 0;
  for (const std::int64_t end : ends) {
    if (end == begin) continue;
    std::int64_t share = 0;
    std::string parts;
    for (const Dependant& dependant : dependants) {
      if (dependant.months <= begin) continue;
      share += common / dependant.supporters * percent;
      const std::string one =
          dependant.supporters == 1 ? "1" : "1/" + std::to_string(dependant.supporters);
      parts += (parts.empty() ? "" : "+") + one;
    }
    std::string term = FormulaYuan(expense_fen);
    if (share > whole) {
      capped = true;
      term += "×" + Duration(end - begin) + "（年赔偿总额封顶）";
    } else {
      if (parts.find('+') != std::string::npos) parts = "(" + parts + ")";
      if (parts != "1") term += "×" + parts;
      term += factor + "×" + Duration(end - begin);
    }
    scaled += (end - begin) * std::min(share, whole);
    terms += (terms.empty() ? "" : " + ") + term;
    begin = end;
  }
  Calculation out;
  ZB_ASSIGN_OR_RETURN(out.fen, MulDiv(expense_fen, scaled, kMonthsOfYear * whole));
  out.formula = Equals(terms.empty() ? "0" : terms, out.fen);
  if (capped && percent < kWholePercent) {
    out.warnings.emplace_back(
        "被扶养人生活费的年赔偿总额按人均消费支出全额封顶，伤残系数与封顶的先后各地做法不一，请核"
        "对");
  }
  return out;
}

Result<Calculation> FuneralExpense(std::int64_t wage_month_fen) {
  Calculation out;
  ZB_ASSIGN_OR_RETURN(out.fen, MulDiv(wage_month_fen, 6, 1));
  out.formula = Equals(FormulaYuan(wage_month_fen) + "×6个月", out.fen);
  return out;
}

Result<Calculation> LostWages(std::int64_t days, std::int64_t income_fen, PayUnit unit) {
  return NursingFee(days, income_fen, unit, 1, kWholePercent);
}

Result<Calculation> NursingFee(std::int64_t days, std::int64_t income_fen, PayUnit unit,
                               std::int64_t persons, Rate percent) {
  constexpr std::int64_t kTwentyYears = 7305;
  constexpr std::int64_t kMaxPersons = 10;
  ZB_RETURN_IF_ERROR(CheckDays(days));
  ZB_RETURN_IF_ERROR(CheckPercent(percent));
  if (days > kTwentyYears) {
    return InvalidArgumentError("期限最长不超过二十年，现为" + std::to_string(days) +
                                "天 (at most twenty years)");
  }
  if (persons < 1 || persons > kMaxPersons) {
    return InvalidArgumentError("护理人数应为1至10，现为" + std::to_string(persons) +
                                " (1 to 10 persons)");
  }
  const Unit per = UnitOf(unit);
  Calculation out;
  ZB_ASSIGN_OR_RETURN(out.fen,
                      MulDiv(income_fen, days * persons * percent, per.days * kWholePercent));
  std::string left = FormulaYuan(income_fen) + per.text + "×" + std::to_string(days) + "天";
  if (persons > 1) left += "×" + std::to_string(persons) + "人";
  if (percent < kWholePercent) left += "×" + FormulaDecimal(percent, 4) + "%";
  out.formula = Equals(left, out.fen);
  if (unit == PayUnit::kMonth) {
    out.warnings.emplace_back("月收入按每月30天折算，由使用者核对");
  }
  if (persons > 1) {
    out.warnings.emplace_back("护理人员原则上为一人，多于一人须有医疗机构或者鉴定机构的明确意见");
  }
  return out;
}

Result<Calculation> DailyAllowance(std::int64_t days, std::int64_t day_fen) {
  ZB_RETURN_IF_ERROR(CheckDays(days));
  Calculation out;
  ZB_ASSIGN_OR_RETURN(out.fen, MulDiv(day_fen, days, 1));
  out.formula = Equals(FormulaYuan(day_fen) + "×" + std::to_string(days) + "天", out.fen);
  return out;
}

}  // namespace zhibi::legal
