// SPDX-License-Identifier: Apache-2.0
#include "legal/calc_filters.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "base/status_macros.h"
#include "legal/calc_filters_parts.h"
#include "legal/calculation.h"
#include "legal/court_fee.h"

namespace zhibi::legal {
namespace {

using nlohmann::ordered_json;
using Args = std::vector<ordered_json>;

Result<std::optional<std::int64_t>> OptionalFen(const ordered_json& value) {
  if (value.is_null()) return std::optional<std::int64_t>();
  if (!value.is_number_integer()) {
    return InvalidArgumentError(std::string("expected a sum in fen, got ") + value.type_name());
  }
  return std::optional<std::int64_t>(value.get<std::int64_t>());
}

Result<CourtFee> FeeOf(const Args& args) {
  if (args.size() < 2 || args.size() > 3 || !args[1].is_string()) {
    return InvalidArgumentError("takes a kind of fee and, where it is a band, a figure in it");
  }
  const auto name = args[1].get<std::string>();
  const std::optional<FeeKind> kind = FeeKindFromName(name);
  if (!kind.has_value()) return InvalidArgumentError("knows no kind of fee \"" + name + "\"");
  ZB_ASSIGN_OR_RETURN(const std::optional<std::int64_t> amount, OptionalFen(args[0]));
  std::optional<std::int64_t> base;
  if (args.size() == 3) {
    ZB_ASSIGN_OR_RETURN(base, OptionalFen(args[2]));
  }
  ZB_ASSIGN_OR_RETURN(CourtFee fee, ComputeCourtFee(*kind, amount, base));
  if (!fee.exact()) {
    return InvalidArgumentError("a fee of kind \"" + name + "\" is a band (" + fee.formula +
                                "): give the figure of the province");
  }
  return fee;
}

Result<ordered_json> CourtFeeFilter(const Args& args) {
  ZB_ASSIGN_OR_RETURN(const CourtFee fee, FeeOf(args));
  return ordered_json(fee.low_fen);
}

Result<ordered_json> CourtFeeFormulaFilter(const Args& args) {
  ZB_ASSIGN_OR_RETURN(const CourtFee fee, FeeOf(args));
  return ordered_json(fee.formula);
}

Result<ordered_json> HalfFeeFilter(const Args& args) {
  if (args.size() != 1) return InvalidArgumentError("takes no arguments");
  ZB_ASSIGN_OR_RETURN(const std::optional<std::int64_t> fen, OptionalFen(args[0]));
  if (!fen.has_value()) return InvalidArgumentError("expected a sum in fen, got null");
  ZB_ASSIGN_OR_RETURN(const Calculation half, HalfFee(*fen));
  return ordered_json(half.fen);
}

}  // namespace

void AddCalcFilters(text::HostFilters& filters, const CalcTables& tables) {
  filters["court_fee"] = &CourtFeeFilter;
  filters["court_fee_formula"] = &CourtFeeFormulaFilter;
  filters["half_fee"] = &HalfFeeFilter;
  AddInterestFilters(filters, tables);
  AddPeriodFilters(filters, tables);
  AddCompensationFilters(filters);
  AddLabourFilters(filters);
}

}  // namespace zhibi::legal
