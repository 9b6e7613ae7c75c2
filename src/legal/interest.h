// SPDX-License-Identifier: Apache-2.0
// Simple interest on private loans, and the one-year loan prime rate (LPR) by date.
// Days are counted from the first day (included) to the last (not included), a year is 365 days;
// both are stated in the document. Rates are in ten-thousandths of a percent (14.8 % = 148000), so
// that nothing is computed in floating point. Source of the rates: data/rates/lpr.json. Law:
// 民间借贷规定 (法释〔2020〕17号) 25, 28, 29. Thread-safe.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "legal/date.h"
#include "zhibi/status.h"

namespace zhibi::legal {

using Rate = std::int64_t;  // ten-thousandths of a percent a year

// 12, 12.5 -> 120000, 125000. kInvalidArgument: negative, above 1000, more than four decimals.
Result<Rate> RateFromPercent(double percent);
// Shortest decimal: 148000 -> "14.8".
std::string FormatRate(Rate rate);

// fen * rate * days / 365, rounded half up to fen. Precondition: all not negative; saturates at
// kMaxFen.
std::int64_t SimpleInterest(std::int64_t fen, Rate rate, std::int64_t days);

class LprTable {
 public:
  // {"one_year": [["2019-08-20", 4.25], ...], "as_of": "2026-06-22"}, rising dates.
  static Result<LprTable> FromJson(const nlohmann::json& json, std::string_view source);

  // data_dir/rates/lpr.json. kNotFound, kInvalidArgument name the file.
  static Result<LprTable> Load(const std::string& data_dir);

  // The one-year rate in force on the day; none before the first row (the LPR began on 2019-08-20).
  std::optional<Rate> At(const Date& day) const;
  // Days of change with the rate from that day, rising.
  const std::vector<std::pair<Date, Rate>>& rows() const { return rows_; }
  // The last day for which the table was checked.
  const Date& as_of() const { return as_of_; }

 private:
  std::vector<std::pair<Date, Rate>> rows_;
  Date as_of_;
};

}  // namespace zhibi::legal
