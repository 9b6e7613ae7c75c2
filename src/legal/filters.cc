// SPDX-License-Identifier: Apache-2.0
#include "legal/filters.h"

#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "base/status_macros.h"
#include "legal/chinese_number.h"
#include "legal/date.h"
#include "legal/money.h"

namespace zhibi::legal {
namespace {

using nlohmann::ordered_json;
using Args = std::vector<ordered_json>;

Status Wrong(std::string_view expected, const ordered_json& got) {
  return InvalidArgumentError("expected " + std::string(expected) + ", got " + got.type_name());
}

Status Count(const Args& args, std::size_t count) {
  if (args.size() == count) return OkStatus();
  return InvalidArgumentError("takes " + std::to_string(count - 1) + " arguments, got " +
                              std::to_string(args.size() - 1));
}

Result<Date> DateArg(const ordered_json& value) {
  if (!value.is_string()) return Wrong("a date", value);
  return ParseDate(value.get<std::string>());
}

Result<std::int64_t> FenArg(const ordered_json& value) {
  if (!value.is_number_integer()) return Wrong("a sum in fen", value);
  const auto fen = value.get<std::int64_t>();
  if (fen < 0 || fen > kMaxFen) return InvalidArgumentError("a sum of 0 to 999999999999.99 yuan");
  return fen;
}

Result<Rate> RateArg(const ordered_json& value) {
  if (!value.is_number()) return Wrong("a rate in percent", value);
  return RateFromPercent(value.get<double>());
}

ordered_json PercentOf(Rate rate) {
  if (rate % 10'000 == 0) return rate / 10'000;
  return static_cast<double>(rate) / 10'000.0;
}

template <typename Format>
text::HostFilter DateFilter(Format format) {
  return [format](const Args& args) -> Result<ordered_json> {
    ZB_RETURN_IF_ERROR(Count(args, 1));
    ZB_ASSIGN_OR_RETURN(const Date date, DateArg(args[0]));
    return ordered_json(format(date));
  };
}

template <typename Format>
text::HostFilter FenFilter(Format format) {
  return [format](const Args& args) -> Result<ordered_json> {
    ZB_RETURN_IF_ERROR(Count(args, 1));
    ZB_ASSIGN_OR_RETURN(const std::int64_t fen, FenArg(args[0]));
    return ordered_json(format(fen));
  };
}

Result<ordered_json> Chinese(const Args& args) {
  ZB_RETURN_IF_ERROR(Count(args, 1));
  if (!args[0].is_number_integer()) return Wrong("an integer", args[0]);
  return ordered_json(ToChineseNumber(args[0].get<std::int64_t>()));
}

Result<ordered_json> RateText(const Args& args) {
  ZB_RETURN_IF_ERROR(Count(args, 1));
  ZB_ASSIGN_OR_RETURN(const Rate rate, RateArg(args[0]));
  return ordered_json(FormatRate(rate));
}

Result<ordered_json> Interest(const Args& args) {
  ZB_RETURN_IF_ERROR(Count(args, 4));
  ZB_ASSIGN_OR_RETURN(const std::int64_t fen, FenArg(args[0]));
  ZB_ASSIGN_OR_RETURN(const Rate rate, RateArg(args[1]));
  ZB_ASSIGN_OR_RETURN(const Date from, DateArg(args[2]));
  ZB_ASSIGN_OR_RETURN(const Date to, DateArg(args[3]));
  const std::int64_t days = ToDays(to) - ToDays(from);
  return ordered_json(days <= 0 ? 0 : SimpleInterest(fen, rate, days));
}

Result<ordered_json> Days(const Args& args) {
  ZB_RETURN_IF_ERROR(Count(args, 2));
  ZB_ASSIGN_OR_RETURN(const Date from, DateArg(args[0]));
  ZB_ASSIGN_OR_RETURN(const Date to, DateArg(args[1]));
  return ordered_json(ToDays(to) - ToDays(from));
}

Result<ordered_json> Age(const Args& args) {
  ZB_RETURN_IF_ERROR(Count(args, 2));
  ZB_ASSIGN_OR_RETURN(const Date birth, DateArg(args[0]));
  ZB_ASSIGN_OR_RETURN(const Date day, DateArg(args[1]));
  return ordered_json(AgeAt(birth, day));
}

// A value for a cell of a table: nothing for none, one line for the rest. The marks between cells
// and paragraphs need no escape, they count in template text only.
Result<ordered_json> Cell(const Args& args) {
  ZB_RETURN_IF_ERROR(Count(args, 1));
  if (args[0].is_null()) return ordered_json("");
  if (args[0].is_string()) return args[0];
  if (args[0].is_boolean()) return ordered_json(args[0].get<bool>() ? "是" : "否");
  if (args[0].is_number()) return ordered_json(args[0].dump());
  return Wrong("a text or number", args[0]);
}

}  // namespace

text::HostFilters MakeFilters(const LprTable& lpr) {
  text::HostFilters filters;
  filters["date"] = DateFilter(FormatBody);
  filters["formal_date"] = DateFilter(FormatFormal);
  filters["yuan"] = FenFilter(FormatYuan);
  filters["capital"] = FenFilter(FormatCapital);
  filters["grouped"] = FenFilter(FormatGrouped);
  filters["rate"] = RateText;
  filters["chinese"] = Chinese;
  filters["cell"] = Cell;
  filters["interest"] = Interest;
  filters["days"] = Days;
  filters["age"] = Age;
  filters["lpr"] = [&lpr](const Args& args) -> Result<ordered_json> {
    ZB_RETURN_IF_ERROR(Count(args, 1));
    ZB_ASSIGN_OR_RETURN(const Date day, DateArg(args[0]));
    const std::optional<Rate> rate = lpr.At(day);
    return rate ? PercentOf(*rate) : ordered_json(nullptr);
  };
  return filters;
}

}  // namespace zhibi::legal
