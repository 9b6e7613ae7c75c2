// SPDX-License-Identifier: Apache-2.0
// Filters of interest: lpr_interest, lpr_cap, capped_interest, doubled_interest.
#include <optional>
#include <utility>

#include "base/status_macros.h"
#include "legal/calc_filters_parts.h"
#include "legal/doubled_interest.h"
#include "legal/lpr_interest.h"

namespace zhibi::legal {
namespace {

using nlohmann::ordered_json;

// [[from, to], ...] or [{"from": ..., "to": ...}, ...].
Result<std::vector<DaySpan>> ReadSpans(const CalcArgs& args, std::size_t i) {
  std::vector<DaySpan> spans;
  if (!args.given(i)) return spans;
  const std::string expected = args.path(i) + ": expected a list of pairs of dates";
  if (!args.at(i).is_array()) return InvalidArgumentError(expected);
  for (const ordered_json& item : args.at(i)) {
    const bool pair = item.is_array() && item.size() == 2;
    if (!pair && !item.is_object()) return InvalidArgumentError(expected);
    DaySpan span;
    ZB_ASSIGN_OR_RETURN(span.first,
                        ReadDate(pair ? item[0] : MemberOf(item, "from"), args.path(i) + ".from"));
    ZB_ASSIGN_OR_RETURN(span.second,
                        ReadDate(pair ? item[1] : MemberOf(item, "to"), args.path(i) + ".to"));
    spans.push_back(span);
  }
  return spans;
}

Result<Calculation> LprInterestOf(const CalcTables& tables, const CalcArgs& args) {
  ZB_ASSIGN_OR_RETURN(const std::int64_t fen, args.Fen(0));
  ZB_ASSIGN_OR_RETURN(const Date from, args.Day(1));
  ZB_ASSIGN_OR_RETURN(const Date to, args.Day(2));
  std::int64_t multiple = 10'000;
  if (args.given(3)) {
    ZB_ASSIGN_OR_RETURN(multiple, args.Scaled(3, 4, 10'000));
  }
  return LprInterest(tables.lpr, tables.benchmark, fen, from, to, multiple);
}

Result<Calculation> CappedInterestOf(const CalcTables& tables, const CalcArgs& args) {
  constexpr std::int64_t kMaxPercent = 1000;
  CappedLoan loan;
  ZB_ASSIGN_OR_RETURN(loan.fen, args.Fen(0));
  ZB_ASSIGN_OR_RETURN(loan.rate, args.Scaled(1, 4, kMaxPercent));
  ZB_ASSIGN_OR_RETURN(loan.contract, args.Day(2));
  ZB_ASSIGN_OR_RETURN(loan.filing, args.Day(3));
  ZB_ASSIGN_OR_RETURN(loan.from, args.Day(4));
  ZB_ASSIGN_OR_RETURN(loan.to, args.Day(5));
  if (args.given(6)) {
    ZB_ASSIGN_OR_RETURN(loan.asks_old_rule, args.Flag(6));
  }
  return CappedInterest(tables.lpr, loan);
}

Result<Calculation> DoubledInterestOf(const CalcArgs& args) {
  ZB_ASSIGN_OR_RETURN(const std::int64_t fen, args.Fen(0));
  ZB_ASSIGN_OR_RETURN(const Date from, args.Day(1));
  ZB_ASSIGN_OR_RETURN(const Date to, args.Day(2));
  ZB_ASSIGN_OR_RETURN(const std::vector<DaySpan> suspended, ReadSpans(args, 3));
  return DoubledInterest(fen, from, to, suspended);
}

}  // namespace

void AddInterestFilters(text::HostFilters& filters, const CalcTables& tables) {
  AddCalculation(filters, "lpr_interest", {{"principal_fen", "from", "to", "multiple"}, 3},
                 [tables](const CalcArgs& args) { return LprInterestOf(tables, args); });
  AddCalculation(filters, "capped_interest",
                 {{"principal_fen", "rate_percent", "contract_date", "filing_date", "from", "to",
                   "asks_old_rule"},
                  6},
                 [tables](const CalcArgs& args) { return CappedInterestOf(tables, args); });
  AddCalculation(filters, "doubled_interest", {{"debt_fen", "from", "to", "suspended"}, 3},
                 DoubledInterestOf);
  AddCheckedFilter(filters, "lpr_cap", {{"day"}, 1},
                   [tables](const CalcArgs& args) -> Result<ordered_json> {
                     ZB_ASSIGN_OR_RETURN(const Date day, args.Day(0));
                     const std::optional<Rate> cap = LprCap(tables.lpr, day);
                     if (!cap) return ordered_json(nullptr);
                     return PercentJson(*cap);
                   });
}

}  // namespace zhibi::legal
