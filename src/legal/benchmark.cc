// SPDX-License-Identifier: Apache-2.0
#include "legal/benchmark.h"

#include <cstdint>
#include <utility>

#include <nlohmann/json.hpp>

#include "base/json.h"
#include "base/status_macros.h"

namespace zhibi::legal {

Result<BenchmarkTable> BenchmarkTable::Load(const std::string& data_dir) {
  const std::string path = data_dir + "/rates/benchmark.json";
  Result<nlohmann::json> json = base::ReadJsonFile(path, std::size_t{1} << 20);
  if (!json.ok() && json.status().code() == StatusCode::kNotFound) return BenchmarkTable();
  if (!json.ok()) return std::move(json).status();
  return FromJson(*json, path);
}

Result<BenchmarkTable> BenchmarkTable::FromJson(const nlohmann::json& json,
                                                std::string_view source) {
  const std::string where(source);
  const auto text = [&](const char* key) {
    const auto found = json.find(key);
    return found != json.end() && found->is_string();
  };
  if (!json.is_object() || !json.contains("loans") || !json["loans"].is_array() || !text("term") ||
      !text("until")) {
    return InvalidArgumentError(
        where + ": expected an object with loans (a list), term (a text) and until (a date)");
  }
  BenchmarkTable table;
  table.term_ = json["term"].get<std::string>();
  ZB_ASSIGN_OR_RETURN(table.until_, ParseDate(json["until"].get<std::string>()));
  for (const nlohmann::json& row : json["loans"]) {
    if (!row.is_array() || row.size() != 3 || !row[0].is_string() || !row[1].is_number() ||
        !row[2].is_number_integer()) {
      return InvalidArgumentError(
          where + ": loans: expected rows of a date, a rate and the number of its sources");
    }
    Row out;
    ZB_ASSIGN_OR_RETURN(out.from, ParseDate(row[0].get<std::string>()));
    ZB_ASSIGN_OR_RETURN(out.rate, RateFromPercent(row[1].get<double>()));
    out.confirmed = row[2].get<std::int64_t>() >= 2;
    if ((!table.rows_.empty() && table.rows_.back().from >= out.from) || out.from > table.until_) {
      return InvalidArgumentError(where + ": loans: dates must rise up to until, " +
                                  FormatIso(out.from) + " does not");
    }
    table.rows_.push_back(out);
  }
  if (table.rows_.empty()) return InvalidArgumentError(where + ": loans is empty");
  return table;
}

}  // namespace zhibi::legal
