// SPDX-License-Identifier: Apache-2.0
#include "legal/calc_filters_parts.h"

#include <cmath>
#include <utility>

#include "base/status_macros.h"
#include "legal/missing_fields.h"
#include "legal/money.h"

namespace zhibi::legal {
namespace {

using nlohmann::ordered_json;
using Args = std::vector<ordered_json>;

const ordered_json kNull;

Status Wrong(std::string_view path, const std::string& expected, const ordered_json& got) {
  return InvalidArgumentError(std::string(path) + ": expected " + expected + ", got " +
                              (got.is_number() ? got.dump() : got.type_name()));
}

// The first 【待填：…】 in a value, depth first; nullptr: none.
const ordered_json* FindMissing(const ordered_json& value, int depth) {
  if (value.is_string()) {
    return value.get_ref<const std::string&>().starts_with(kMissingMark) ? &value : nullptr;
  }
  if (!value.is_structured() || depth == 0) return nullptr;
  for (const ordered_json& child : value) {
    if (const ordered_json* found = FindMissing(child, depth - 1); found != nullptr) return found;
  }
  return nullptr;
}

const ordered_json* FindMissing(const Args& args) {
  constexpr int kMaxDepth = 8;
  for (const ordered_json& arg : args) {
    if (const ordered_json* found = FindMissing(arg, kMaxDepth); found != nullptr) return found;
  }
  return nullptr;
}

ordered_json Texts(const std::vector<std::string>& texts) {
  ordered_json out = ordered_json::array();
  for (const std::string& text : texts) out.push_back(text);
  return out;
}

}  // namespace

Result<std::int64_t> ReadFen(const ordered_json& value, std::string_view path) {
  if (!value.is_number_integer()) return Wrong(path, "a sum in fen", value);
  const auto fen = value.get<std::int64_t>();
  if (fen < 0 || fen > kMaxFen ||
      (value.is_number_unsigned() && value.get<std::uint64_t>() > std::uint64_t{kMaxFen})) {
    return Wrong(path, "a sum of 0 to 999999999999.99 yuan in fen", value);
  }
  return fen;
}

Result<std::int64_t> ReadWhole(const ordered_json& value, std::string_view path, std::int64_t low,
                               std::int64_t high) {
  const std::string expected =
      "a whole number of " + std::to_string(low) + " to " + std::to_string(high);
  if (!value.is_number_integer()) return Wrong(path, expected, value);
  const auto number = value.get<std::int64_t>();
  if (number < low || number > high) return Wrong(path, expected, value);
  return number;
}

Result<std::int64_t> ReadScaled(const ordered_json& value, std::string_view path, int decimals,
                                std::int64_t high) {
  const std::string expected = "a number of 0 to " + std::to_string(high) + " with at most " +
                               std::to_string(decimals) + " decimals";
  if (!value.is_number()) return Wrong(path, expected, value);
  const auto number = value.get<double>();
  const double scaled = number * std::pow(10.0, decimals);
  const double whole = std::nearbyint(scaled);
  if (!(number >= 0.0 && number <= static_cast<double>(high)) || std::fabs(scaled - whole) > 1e-4) {
    return Wrong(path, expected, value);
  }
  return static_cast<std::int64_t>(whole);
}

Result<Rate> ReadPercent(const ordered_json& value, std::string_view path) {
  constexpr int kDecimals = 4;
  return ReadScaled(value, path, kDecimals, 100);
}

Result<Date> ReadDate(const ordered_json& value, std::string_view path) {
  if (!value.is_string()) return Wrong(path, "a date", value);
  Result<Date> date = ParseDate(value.get<std::string>());
  if (!date.ok()) return std::move(date).status().WithContext(path);
  return date;
}

Result<bool> ReadFlag(const ordered_json& value, std::string_view path) {
  if (!value.is_boolean()) return Wrong(path, "true or false", value);
  return value.get<bool>();
}

Result<std::string> ReadText(const ordered_json& value, std::string_view path) {
  if (!value.is_string()) return Wrong(path, "a text", value);
  return value.get<std::string>();
}

ordered_json PercentJson(Rate rate) {
  if (rate % 10'000 == 0) return rate / 10'000;
  return static_cast<double>(rate) / 10'000.0;
}

const ordered_json& MemberOf(const ordered_json& value, const char* name) {
  if (!value.is_object()) return kNull;
  const auto found = value.find(name);
  return found == value.end() ? kNull : *found;
}

const ordered_json& CalcArgs::at(std::size_t i) const {
  return i < values_.size() ? values_[i] : kNull;
}

void AddCheckedFilter(text::HostFilters& filters, const std::string& name,
                      const CalcParameters& parameters,
                      std::function<Result<ordered_json>(const CalcArgs&)> function) {
  filters[name] = [name, parameters,
                   function = std::move(function)](const Args& args) -> Result<ordered_json> {
    if (args.size() < parameters.required || args.size() > parameters.names.size()) {
      std::string list;
      for (std::size_t i = 1; i < parameters.names.size(); ++i) {
        list += (i > 1 ? ", " : "") + parameters.names[i];
        if (i >= parameters.required) list += "?";
      }
      return InvalidArgumentError(name + ": expected the arguments (" + list + "), got " +
                                  std::to_string(args.size() - 1));
    }
    if (const ordered_json* missing = FindMissing(args); missing != nullptr) return *missing;
    Result<ordered_json> result = function(CalcArgs(name, parameters.names, args));
    // Errors of a calculation itself do not know the filter.
    if (result.ok() || result.status().message().starts_with(name)) return result;
    return std::move(result).status().WithContext(name);
  };
}

void AddCalculation(text::HostFilters& filters, const std::string& name,
                    const CalcParameters& parameters,
                    const std::function<Result<Calculation>(const CalcArgs&)>& function) {
  const auto add = [&](const std::string& full, const auto& pick) {
    AddCheckedFilter(filters, full, parameters,
                     [function, pick](const CalcArgs& args) -> Result<ordered_json> {
                       Result<Calculation> sum = function(args);
                       if (!sum.ok()) return std::move(sum).status();
                       return pick(*sum);
                     });
  };
  add(name, [](const Calculation& sum) {
    return sum.known ? ordered_json(sum.fen) : ordered_json(nullptr);
  });
  add(name + "_formula", [](const Calculation& sum) {
    return sum.known ? ordered_json(sum.formula) : ordered_json(nullptr);
  });
  add(name + "_warnings", [](const Calculation& sum) { return Texts(sum.warnings); });
}

void AddPeriod(text::HostFilters& filters, const std::string& name,
               const CalcParameters& parameters,
               const std::function<Result<PeriodEnd>(const CalcArgs&)>& function) {
  const auto add = [&](const std::string& full, const auto& pick) {
    AddCheckedFilter(filters, full, parameters,
                     [function, pick](const CalcArgs& args) -> Result<ordered_json> {
                       Result<PeriodEnd> end = function(args);
                       if (!end.ok()) return std::move(end).status();
                       return pick(*end);
                     });
  };
  add(name, [](const PeriodEnd& end) { return ordered_json(FormatIso(end.last)); });
  add(name + "_formula", [](const PeriodEnd& end) { return ordered_json(end.formula); });
  add(name + "_warnings", [](const PeriodEnd& end) { return Texts(end.warnings); });
}

}  // namespace zhibi::legal
