// SPDX-License-Identifier: Apache-2.0
#include "legal/interest.h"

#include <cmath>
#include <string>

#include <nlohmann/json.hpp>

#include "base/json.h"
#include "base/status_macros.h"
#include "legal/money.h"

namespace zhibi::legal {

Result<Rate> RateFromPercent(double percent) {
  if (!(percent >= 0.0 && percent <= 1000.0)) {
    return InvalidArgumentError("利率应在 0 至 1000 之间 (a rate is 0 to 1000 percent)");
  }
  const double scaled = percent * 10'000.0;
  const double whole = std::nearbyint(scaled);
  if (std::fabs(scaled - whole) > 1e-4) {
    return InvalidArgumentError("利率最多四位小数 (a rate has at most four decimals)");
  }
  return static_cast<Rate>(whole);
}

std::string FormatRate(Rate rate) {
  std::string out = std::to_string(rate / 10'000);
  std::string part = std::to_string(10'000 + rate % 10'000).substr(1);
  while (!part.empty() && part.back() == '0') part.pop_back();
  return part.empty() ? out : out + "." + part;
}

std::int64_t SimpleInterest(std::int64_t fen, Rate rate, std::int64_t days) {
  // 128 bits: 10^14 fen * 10^7 * 10^5 days would overflow 64.
  __extension__ using Wide = __int128;
  constexpr Wide kDivisor = Wide{365} * 1'000'000;
  const Wide product = Wide{fen} * rate * days;
  const Wide interest = (product + kDivisor / 2) / kDivisor;
  return interest > kMaxFen ? kMaxFen : static_cast<std::int64_t>(interest);
}

Result<LprTable> LprTable::Load(const std::string& data_dir) {
  const std::string path = data_dir + "/rates/lpr.json";
  ZB_ASSIGN_OR_RETURN(const nlohmann::json json, base::ReadJsonFile(path, std::size_t{1} << 20));
  return FromJson(json, path);
}

Result<LprTable> LprTable::FromJson(const nlohmann::json& json, std::string_view source) {
  const std::string where(source);
  if (!json.is_object() || !json.contains("one_year") || !json["one_year"].is_array() ||
      !json.contains("as_of") || !json["as_of"].is_string()) {
    return InvalidArgumentError(where +
                                ": expected an object with one_year (a list) and as_of (a date)");
  }
  LprTable table;
  ZB_ASSIGN_OR_RETURN(table.as_of_, ParseDate(json["as_of"].get<std::string>()));
  for (const nlohmann::json& row : json["one_year"]) {
    if (!row.is_array() || row.size() != 2 || !row[0].is_string() || !row[1].is_number()) {
      return InvalidArgumentError(where + ": one_year: expected pairs of a date and a rate");
    }
    ZB_ASSIGN_OR_RETURN(const Date day, ParseDate(row[0].get<std::string>()));
    ZB_ASSIGN_OR_RETURN(const Rate rate, RateFromPercent(row[1].get<double>()));
    if (!table.rows_.empty() && table.rows_.back().first >= day) {
      return InvalidArgumentError(where + ": one_year: dates must rise, " + FormatIso(day) +
                                  " does not");
    }
    table.rows_.emplace_back(day, rate);
  }
  if (table.rows_.empty()) return InvalidArgumentError(where + ": one_year is empty");
  return table;
}

std::optional<Rate> LprTable::At(const Date& day) const {
  std::optional<Rate> rate;
  for (const auto& [from, value] : rows_) {
    if (from <= day) rate = value;
  }
  return rate;
}

}  // namespace zhibi::legal
