// SPDX-License-Identifier: Apache-2.0
// Filters of compensation for injury and death, traffic_split among them.
#include <string>

#include "base/status_macros.h"
#include "legal/calc_filters_parts.h"
#include "legal/compensation.h"
#include "legal/compensation_traffic.h"

namespace zhibi::legal {
namespace {

using nlohmann::ordered_json;

constexpr std::int64_t kMaxAge = 150;
constexpr std::int64_t kMaxDays = 36'500;

Result<Calculation> Death(const CalcArgs& args) {
  ZB_ASSIGN_OR_RETURN(const std::int64_t age, args.Whole(0, 0, kMaxAge));
  ZB_ASSIGN_OR_RETURN(const std::int64_t income, args.Fen(1));
  return DeathCompensation(age, income);
}

Result<Calculation> Disability(const CalcArgs& args) {
  ZB_ASSIGN_OR_RETURN(const std::int64_t age, args.Whole(0, 0, kMaxAge));
  ZB_ASSIGN_OR_RETURN(const Rate percent, args.Percent(1));
  ZB_ASSIGN_OR_RETURN(const std::int64_t income, args.Fen(2));
  return DisabilityCompensation(age, percent, income);
}

// {"age": 10, "supporters": 2} or {"months": 96, "supporters": 2}.
Result<Dependant> ReadDependant(const ordered_json& value, const std::string& path) {
  if (!value.is_object()) {
    return InvalidArgumentError(path + ": expected an object with age or months, and supporters");
  }
  Dependant out;
  if (const ordered_json& months = MemberOf(value, "months"); !months.is_null()) {
    ZB_ASSIGN_OR_RETURN(out.months, ReadWhole(months, path + ".months", 0, 240));
  } else {
    ZB_ASSIGN_OR_RETURN(const std::int64_t age,
                        ReadWhole(MemberOf(value, "age"), path + ".age", 0, kMaxAge));
    ZB_ASSIGN_OR_RETURN(out.months, SupportMonths(age));
  }
  if (const ordered_json& supporters = MemberOf(value, "supporters"); !supporters.is_null()) {
    ZB_ASSIGN_OR_RETURN(out.supporters, ReadWhole(supporters, path + ".supporters", 1, 10));
  }
  return out;
}

Result<Calculation> Dependants(const CalcArgs& args) {
  if (!args.at(0).is_array()) {
    return InvalidArgumentError(args.path(0) + ": expected a list of dependants");
  }
  std::vector<Dependant> dependants;
  for (const ordered_json& item : args.at(0)) {
    const std::string path = args.path(0) + "[" + std::to_string(dependants.size()) + "]";
    ZB_ASSIGN_OR_RETURN(const Dependant dependant, ReadDependant(item, path));
    dependants.push_back(dependant);
  }
  ZB_ASSIGN_OR_RETURN(const std::int64_t expense, args.Fen(1));
  Rate percent = kWholePercent;
  if (args.given(2)) {
    ZB_ASSIGN_OR_RETURN(percent, args.Percent(2));
  }
  return DependantLiving(dependants, expense, percent);
}

Result<PayUnit> ReadUnit(const CalcArgs& args, std::size_t i) {
  if (!args.given(i)) return PayUnit::kDay;
  ZB_ASSIGN_OR_RETURN(const std::string unit, args.Text(i));
  if (unit == "day") return PayUnit::kDay;
  if (unit == "month") return PayUnit::kMonth;
  if (unit == "year") return PayUnit::kYear;
  return InvalidArgumentError(args.path(i) + ": expected day, month or year, got " + unit);
}

Result<Calculation> Wages(const CalcArgs& args) {
  ZB_ASSIGN_OR_RETURN(const std::int64_t days, args.Whole(0, 0, kMaxDays));
  ZB_ASSIGN_OR_RETURN(const std::int64_t income, args.Fen(1));
  ZB_ASSIGN_OR_RETURN(const PayUnit unit, ReadUnit(args, 2));
  return LostWages(days, income, unit);
}

Result<Calculation> Nursing(const CalcArgs& args) {
  ZB_ASSIGN_OR_RETURN(const std::int64_t days, args.Whole(0, 0, kMaxDays));
  ZB_ASSIGN_OR_RETURN(const std::int64_t income, args.Fen(1));
  ZB_ASSIGN_OR_RETURN(const PayUnit unit, ReadUnit(args, 2));
  std::int64_t persons = 1;
  Rate percent = kWholePercent;
  if (args.given(3)) {
    ZB_ASSIGN_OR_RETURN(persons, args.Whole(3, 1, 10));
  }
  if (args.given(4)) {
    ZB_ASSIGN_OR_RETURN(percent, args.Percent(4));
  }
  return NursingFee(days, income, unit, persons, percent);
}

Result<Calculation> Allowance(const CalcArgs& args) {
  ZB_ASSIGN_OR_RETURN(const std::int64_t days, args.Whole(0, 0, kMaxDays));
  ZB_ASSIGN_OR_RETURN(const std::int64_t day_fen, args.Fen(1));
  return DailyAllowance(days, day_fen);
}

Result<std::int64_t> OptionalFen(const ordered_json& object, const char* name,
                                 const std::string& path) {
  const ordered_json& value = MemberOf(object, name);
  if (value.is_null()) return std::int64_t{0};
  return ReadFen(value, path + "." + name);
}

Result<TrafficLosses> ReadLosses(const CalcArgs& args) {
  const ordered_json& object = args.at(0);
  const std::string path = args.path(0);
  if (!object.is_object()) return InvalidArgumentError(path + ": expected an object");
  TrafficLosses losses;
  ZB_ASSIGN_OR_RETURN(losses.medical_fen, OptionalFen(object, "medical_fen", path));
  ZB_ASSIGN_OR_RETURN(losses.injury_fen, OptionalFen(object, "injury_fen", path));
  ZB_ASSIGN_OR_RETURN(losses.property_fen, OptionalFen(object, "property_fen", path));
  ZB_ASSIGN_OR_RETURN(losses.accident,
                      ReadDate(MemberOf(object, "accident_date"), path + ".accident_date"));
  ZB_ASSIGN_OR_RETURN(losses.fault,
                      ReadPercent(MemberOf(object, "fault_percent"), path + ".fault_percent"));
  if (const ordered_json& flag = MemberOf(object, "no_fault"); !flag.is_null()) {
    ZB_ASSIGN_OR_RETURN(losses.no_fault, ReadFlag(flag, path + ".no_fault"));
  }
  if (const ordered_json& limit = MemberOf(object, "commercial_limit_fen"); !limit.is_null()) {
    ZB_ASSIGN_OR_RETURN(losses.commercial_limit_fen,
                        ReadFen(limit, path + ".commercial_limit_fen"));
  }
  return losses;
}

Result<ordered_json> Traffic(const CalcArgs& args) {
  ZB_ASSIGN_OR_RETURN(const TrafficLosses losses, ReadLosses(args));
  ZB_ASSIGN_OR_RETURN(const TrafficSplit split, SplitTrafficLosses(losses));
  ordered_json out;
  out["compulsory_fen"] = split.compulsory_fen;
  out["compulsory_medical_fen"] = split.compulsory_medical_fen;
  out["compulsory_injury_fen"] = split.compulsory_injury_fen;
  out["compulsory_property_fen"] = split.compulsory_property_fen;
  out["liable_fen"] = split.liable_fen;
  out["commercial_fen"] = split.commercial_fen;
  out["tortfeasor_fen"] = split.tortfeasor_fen;
  out["formula"] = split.formula;
  out["warnings"] = split.warnings;
  return out;
}

}  // namespace

void AddCompensationFilters(text::HostFilters& filters) {
  AddCalculation(filters, "death_compensation", {{"age", "income_fen"}, 2}, Death);
  AddCalculation(filters, "disability_compensation", {{"age", "percent", "income_fen"}, 3},
                 Disability);
  AddCalculation(filters, "dependant_living", {{"dependants", "expense_fen", "percent"}, 2},
                 Dependants);
  AddCalculation(filters, "funeral_expense", {{"wage_month_fen"}, 1},
                 [](const CalcArgs& args) -> Result<Calculation> {
                   ZB_ASSIGN_OR_RETURN(const std::int64_t wage, args.Fen(0));
                   return FuneralExpense(wage);
                 });
  AddCalculation(filters, "lost_wages", {{"days", "income_fen", "unit"}, 2}, Wages);
  AddCalculation(filters, "nursing_fee", {{"days", "income_fen", "unit", "persons", "percent"}, 2},
                 Nursing);
  AddCalculation(filters, "meal_allowance", {{"days", "day_fen"}, 2}, Allowance);
  AddCalculation(filters, "nutrition_fee", {{"days", "day_fen"}, 2}, Allowance);
  AddCheckedFilter(filters, "compensation_years", {{"age"}, 1},
                   [](const CalcArgs& args) -> Result<ordered_json> {
                     ZB_ASSIGN_OR_RETURN(const std::int64_t age, args.Whole(0, 0, kMaxAge));
                     ZB_ASSIGN_OR_RETURN(const std::int64_t years, CompensationYears(age));
                     return ordered_json(years);
                   });
  AddCheckedFilter(filters, "disability_percent", {{"grade"}, 1},
                   [](const CalcArgs& args) -> Result<ordered_json> {
                     ZB_ASSIGN_OR_RETURN(const std::int64_t grade, args.Whole(0, 1, 10));
                     ZB_ASSIGN_OR_RETURN(const Rate percent, DisabilityPercent(grade));
                     return PercentJson(percent);
                   });
  AddCheckedFilter(filters, "traffic_split", {{"losses"}, 1}, Traffic);
}

}  // namespace zhibi::legal
