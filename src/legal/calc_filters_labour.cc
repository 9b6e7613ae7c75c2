// SPDX-License-Identifier: Apache-2.0
// Filters of labour disputes.
#include <string>
#include <utility>

#include "base/status_macros.h"
#include "legal/calc_filters_parts.h"
#include "legal/labour.h"

namespace zhibi::legal {
namespace {

using nlohmann::ordered_json;

Result<Employment> ReadEmployment(const CalcArgs& args) {
  Employment out;
  ZB_ASSIGN_OR_RETURN(out.wage_fen, args.Fen(0));
  ZB_ASSIGN_OR_RETURN(out.start, args.Day(1));
  ZB_ASSIGN_OR_RETURN(out.end, args.Day(2));
  if (args.given(3)) {
    ZB_ASSIGN_OR_RETURN(out.average_fen, args.Fen(3));
  }
  if (args.given(4)) {
    ZB_ASSIGN_OR_RETURN(out.minimum_fen, args.Fen(4));
  }
  return out;
}

void AddForYears(text::HostFilters& filters, const std::string& name,
                 Result<Calculation> (*function)(const Employment&)) {
  AddCalculation(filters, name, {{"wage_fen", "start", "end", "average_fen", "minimum_fen"}, 3},
                 [function](const CalcArgs& args) -> Result<Calculation> {
                   ZB_ASSIGN_OR_RETURN(const Employment employment, ReadEmployment(args));
                   return function(employment);
                 });
}

Result<Calculation> Double(const CalcArgs& args) {
  ZB_ASSIGN_OR_RETURN(const std::int64_t wage, args.Fen(0));
  ZB_ASSIGN_OR_RETURN(const Date start, args.Day(1));
  ZB_ASSIGN_OR_RETURN(const Date until, args.Day(2));
  return DoubleWage(start, until, wage);
}

Result<Calculation> Overtime(const CalcArgs& args) {
  constexpr std::int64_t kMaxHours = 100'000;
  ZB_ASSIGN_OR_RETURN(const std::int64_t wage, args.Fen(0));
  OvertimeHours hours;
  for (const auto& [i, into] : {std::pair<std::size_t, std::int64_t*>{1, &hours.weekday},
                                {2, &hours.rest_day},
                                {3, &hours.holiday}}) {
    if (!args.given(i)) continue;
    ZB_ASSIGN_OR_RETURN(*into, args.Scaled(i, 2, kMaxHours));
  }
  return OvertimePay(wage, hours);
}

Result<Calculation> LeavePay(const CalcArgs& args) {
  ZB_ASSIGN_OR_RETURN(const std::int64_t wage, args.Fen(0));
  ZB_ASSIGN_OR_RETURN(const std::int64_t days, args.Whole(1, 0, 1000));
  bool normal_paid = true;
  if (args.given(2)) {
    ZB_ASSIGN_OR_RETURN(normal_paid, args.Flag(2));
  }
  return AnnualLeavePay(wage, days, normal_paid);
}

Result<ordered_json> LeaveDays(const CalcArgs& args) {
  ZB_ASSIGN_OR_RETURN(const std::int64_t years, args.Whole(0, 0, 100));
  std::int64_t elapsed = 365;
  std::int64_t taken = 0;
  if (args.given(1)) {
    ZB_ASSIGN_OR_RETURN(elapsed, args.Whole(1, 0, 366));
  }
  if (args.given(2)) {
    ZB_ASSIGN_OR_RETURN(taken, args.Whole(2, 0, 366));
  }
  ZB_ASSIGN_OR_RETURN(const std::int64_t days, AnnualLeaveDays(years, elapsed, taken));
  return ordered_json(days);
}

Result<Calculation> Arrears(const CalcArgs& args) {
  if (!args.at(0).is_array()) {
    return InvalidArgumentError(args.path(0) + ": expected a list of months");
  }
  std::vector<WageMonth> months;
  for (const ordered_json& item : args.at(0)) {
    const std::string path = args.path(0) + "[" + std::to_string(months.size()) + "]";
    WageMonth month;
    ZB_ASSIGN_OR_RETURN(month.due_fen, ReadFen(MemberOf(item, "due_fen"), path + ".due_fen"));
    if (const ordered_json& paid = MemberOf(item, "paid_fen"); !paid.is_null()) {
      ZB_ASSIGN_OR_RETURN(month.paid_fen, ReadFen(paid, path + ".paid_fen"));
    }
    if (const ordered_json& label = MemberOf(item, "month"); !label.is_null()) {
      ZB_ASSIGN_OR_RETURN(month.label, ReadText(label, path + ".month"));
    }
    months.push_back(std::move(month));
  }
  return WageArrears(months);
}

}  // namespace

void AddLabourFilters(text::HostFilters& filters) {
  AddForYears(filters, "severance_pay", &SeverancePay);
  AddForYears(filters, "unlawful_dismissal_pay", &UnlawfulDismissalPay);
  AddCalculation(filters, "double_wage", {{"wage_fen", "start", "until"}, 3}, Double);
  AddCalculation(filters, "overtime_pay",
                 {{"wage_fen", "weekday_hours", "rest_day_hours", "holiday_hours"}, 2}, Overtime);
  AddCalculation(filters, "annual_leave_pay", {{"wage_fen", "days", "normal_paid"}, 2}, LeavePay);
  AddCheckedFilter(filters, "annual_leave_days", {{"years", "elapsed_days", "taken"}, 1},
                   LeaveDays);
  AddCalculation(filters, "wage_arrears", {{"months"}, 1}, Arrears);
}

}  // namespace zhibi::legal
