// SPDX-License-Identifier: Apache-2.0
// What the files of calculation filters share: reading the arguments of a filter with errors that
// name filter and argument, and registering a calculation under three names (sum, formula,
// warnings). Not for use outside calc_filters*.cc. Thread-safe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "legal/calc_filters.h"
#include "legal/calculation.h"
#include "legal/date.h"
#include "legal/interest.h"
#include "legal/period.h"
#include "text/jinja.h"
#include "zhibi/status.h"

namespace zhibi::legal {

// Values of arguments and of members of arguments. `path` names them in messages
// ("dependant_living: [1].age").
Result<std::int64_t> ReadFen(const nlohmann::ordered_json& value, std::string_view path);
Result<std::int64_t> ReadWhole(const nlohmann::ordered_json& value, std::string_view path,
                               std::int64_t low, std::int64_t high);
// A number with at most `decimals` decimals as an integer: (7.5, 2) -> 750.
Result<std::int64_t> ReadScaled(const nlohmann::ordered_json& value, std::string_view path,
                                int decimals, std::int64_t high);
// A percentage of 0 to 100, in ten-thousandths of a percent.
Result<Rate> ReadPercent(const nlohmann::ordered_json& value, std::string_view path);
Result<Date> ReadDate(const nlohmann::ordered_json& value, std::string_view path);
Result<bool> ReadFlag(const nlohmann::ordered_json& value, std::string_view path);
Result<std::string> ReadText(const nlohmann::ordered_json& value, std::string_view path);
// 120000 -> 12, 148000 -> 14.8.
nlohmann::ordered_json PercentJson(Rate rate);
// The member, or null where there is none or `value` is no object.
const nlohmann::ordered_json& MemberOf(const nlohmann::ordered_json& value, const char* name);

// The arguments of one call; index 0 is the value before '|'.
class CalcArgs {
 public:
  CalcArgs(const std::string& filter, const std::vector<std::string>& names,
           const std::vector<nlohmann::ordered_json>& values)
      : filter_(filter), names_(names), values_(values) {}

  bool given(std::size_t i) const { return i < values_.size() && !values_[i].is_null(); }
  const nlohmann::ordered_json& at(std::size_t i) const;
  std::string path(std::size_t i) const { return filter_ + ": " + names_[i]; }

  Result<std::int64_t> Fen(std::size_t i) const { return ReadFen(at(i), path(i)); }
  Result<std::int64_t> Whole(std::size_t i, std::int64_t low, std::int64_t high) const {
    return ReadWhole(at(i), path(i), low, high);
  }
  Result<std::int64_t> Scaled(std::size_t i, int decimals, std::int64_t high) const {
    return ReadScaled(at(i), path(i), decimals, high);
  }
  Result<Rate> Percent(std::size_t i) const { return ReadPercent(at(i), path(i)); }
  Result<Date> Day(std::size_t i) const { return ReadDate(at(i), path(i)); }
  Result<bool> Flag(std::size_t i) const { return ReadFlag(at(i), path(i)); }
  Result<std::string> Text(std::size_t i) const { return ReadText(at(i), path(i)); }

 private:
  const std::string& filter_;
  const std::vector<std::string>& names_;
  const std::vector<nlohmann::ordered_json>& values_;
};

// Names of the arguments, the value before '|' first; the last may be left out from `required` on.
struct CalcParameters {
  std::vector<std::string> names;
  std::size_t required = 1;
};

// A filter whose arguments are counted, and which gives back a 【待填：…】 text found anywhere in
// them. Errors carry the filter's name.
void AddCheckedFilter(text::HostFilters& filters, const std::string& name,
                      const CalcParameters& parameters,
                      std::function<Result<nlohmann::ordered_json>(const CalcArgs&)> function);

// `name` gives the sum in fen (none when unknown), `name`_formula the line (none when unknown),
// `name`_warnings a list of texts.
void AddCalculation(text::HostFilters& filters, const std::string& name,
                    const CalcParameters& parameters,
                    const std::function<Result<Calculation>(const CalcArgs&)>& function);

// `name` gives the last day (2024-03-20), with `name`_formula and `name`_warnings.
void AddPeriod(text::HostFilters& filters, const std::string& name,
               const CalcParameters& parameters,
               const std::function<Result<PeriodEnd>(const CalcArgs&)>& function);

void AddInterestFilters(text::HostFilters& filters, const CalcTables& tables);
void AddPeriodFilters(text::HostFilters& filters, const CalcTables& tables);
void AddCompensationFilters(text::HostFilters& filters);
void AddLabourFilters(text::HostFilters& filters);

}  // namespace zhibi::legal
