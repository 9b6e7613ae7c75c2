// SPDX-License-Identifier: Apache-2.0
// Filters of days: add_days, add_months, add_years, the deadlines, is_day_off, and what an identity
// number says (birth_of_id, sex_of_id).
#include "base/status_macros.h"
#include "legal/calc_filters_parts.h"
#include "legal/identity.h"
#include "legal/period.h"

namespace zhibi::legal {
namespace {

using nlohmann::ordered_json;

void AddUnit(text::HostFilters& filters, const std::string& name, PeriodUnit unit,
             const CalcTables& tables) {
  AddPeriod(filters, name, {{"date", "count", "roll"}, 2},
            [unit, tables](const CalcArgs& args) -> Result<PeriodEnd> {
              constexpr std::int64_t kMaxCount = 36'500;
              ZB_ASSIGN_OR_RETURN(const Date date, args.Day(0));
              ZB_ASSIGN_OR_RETURN(const std::int64_t count, args.Whole(1, 0, kMaxCount));
              bool roll = true;
              if (args.given(2)) {
                ZB_ASSIGN_OR_RETURN(roll, args.Flag(2));
              }
              return EndOfPeriod(tables.holidays, date, count, unit, roll);
            });
}

using Deadline = Result<PeriodEnd> (*)(const HolidayTable&, const Date&);

void AddDeadline(text::HostFilters& filters, const std::string& name, Deadline deadline,
                 const CalcTables& tables) {
  AddPeriod(filters, name, {{"date"}, 1},
            [deadline, tables](const CalcArgs& args) -> Result<PeriodEnd> {
              ZB_ASSIGN_OR_RETURN(const Date date, args.Day(0));
              return deadline(tables.holidays, date);
            });
}

Result<CitizenNumber> IdOf(const CalcArgs& args) {
  ZB_ASSIGN_OR_RETURN(const std::string text, args.Text(0));
  return ParseCitizenNumber(text);
}

}  // namespace

void AddPeriodFilters(text::HostFilters& filters, const CalcTables& tables) {
  AddUnit(filters, "add_days", PeriodUnit::kDay, tables);
  AddUnit(filters, "add_months", PeriodUnit::kMonth, tables);
  AddUnit(filters, "add_years", PeriodUnit::kYear, tables);
  AddPeriod(filters, "appeal_deadline", {{"served", "days"}, 1},
            [tables](const CalcArgs& args) -> Result<PeriodEnd> {
              ZB_ASSIGN_OR_RETURN(const Date served, args.Day(0));
              std::int64_t days = 15;
              if (args.given(1)) {
                ZB_ASSIGN_OR_RETURN(days, args.Whole(1, 1, 30));
              }
              return AppealDeadline(tables.holidays, served, days);
            });
  AddDeadline(filters, "limitation_deadline", &LimitationDeadline, tables);
  AddDeadline(filters, "enforcement_deadline", &EnforcementDeadline, tables);
  AddDeadline(filters, "labour_arbitration_deadline", &LabourArbitrationDeadline, tables);
  AddCheckedFilter(filters, "is_day_off", {{"date"}, 1},
                   [tables](const CalcArgs& args) -> Result<ordered_json> {
                     ZB_ASSIGN_OR_RETURN(const Date date, args.Day(0));
                     return ordered_json(tables.holidays.IsDayOff(date));
                   });
  AddCheckedFilter(filters, "birth_of_id", {{"id_number"}, 1},
                   [](const CalcArgs& args) -> Result<ordered_json> {
                     ZB_ASSIGN_OR_RETURN(const CitizenNumber number, IdOf(args));
                     return ordered_json(FormatIso(number.birth));
                   });
  AddCheckedFilter(filters, "sex_of_id", {{"id_number"}, 1},
                   [](const CalcArgs& args) -> Result<ordered_json> {
                     ZB_ASSIGN_OR_RETURN(const CitizenNumber number, IdOf(args));
                     return ordered_json(number.female ? "女" : "男");
                   });
}

}  // namespace zhibi::legal
