// SPDX-License-Identifier: Apache-2.0
// Days off and make-up working days as the State Council announces them year by year. The table is
// data (data/rates/holidays.json: compact, facts only); outside of it only the weekends are known.
// Thread-safe.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "legal/date.h"
#include "zhibi/status.h"

namespace zhibi::legal {

class HolidayTable {
 public:
  // Weekends only, covers no day.
  HolidayTable() = default;

  // {"from": date, "until": date, "years": {"2024": {"off": "0101 0210-0217", "work": "0204"}}}.
  // kInvalidArgument names `source` and the year.
  static Result<HolidayTable> FromJson(const nlohmann::json& json, std::string_view source);
  // data_dir/rates/holidays.json; an empty table where there is no such file.
  static Result<HolidayTable> Load(const std::string& data_dir);

  // Does the announced calendar cover the day?
  bool Covers(const Date& day) const { return from_ <= day && day <= until_; }
  // A day off: announced, or a weekend that was not made a working day.
  bool IsDayOff(const Date& day) const;
  const Date& from() const { return from_; }
  const Date& until() const { return until_; }

 private:
  std::vector<Date> off_;   // sorted
  std::vector<Date> work_;  // sorted
  Date from_ = {2, 1, 1};
  Date until_ = {1, 1, 1};
};

}  // namespace zhibi::legal
