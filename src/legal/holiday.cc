// SPDX-License-Identifier: Apache-2.0
#include "legal/holiday.h"

#include <algorithm>
#include <cstdint>
#include <utility>

#include <nlohmann/json.hpp>

#include "base/json.h"
#include "base/status_macros.h"

namespace zhibi::legal {
namespace {

bool IsWeekend(const Date& day) {
  // 1970-01-01 was a Thursday.
  const std::int64_t weekday = ((ToDays(day) + 3) % 7 + 7) % 7;  // 0: Monday
  return weekday >= 5;
}

Status Bad(const std::string& where, std::string_view word) {
  return InvalidArgumentError(where + ": expected days like 0101 or 0210-0217, got \"" +
                              std::string(word) + "\"");
}

Result<Date> DayOf(const std::string& year, std::string_view month_day, const std::string& where) {
  if (month_day.size() != 4) return Bad(where, month_day);
  Result<Date> day = ParseDate(year + std::string(month_day));
  if (!day.ok()) return Bad(where, month_day);
  return day;
}

Status ReadDays(const std::string& year, const std::string& list, const std::string& where,
                std::vector<Date>& out) {
  for (std::size_t at = 0; at < list.size();) {
    const std::size_t end = std::min(list.find(' ', at), list.size());
    const std::string_view word = std::string_view(list).substr(at, end - at);
    at = end + 1;
    if (word.size() != 4 && (word.size() != 9 || word[4] != '-')) return Bad(where, word);
    ZB_ASSIGN_OR_RETURN(const Date first, DayOf(year, word.substr(0, 4), where));
    ZB_ASSIGN_OR_RETURN(const Date last, DayOf(year, word.substr(word.size() - 4), where));
    if (last < first) return Bad(where, word);
    for (std::int64_t day = ToDays(first); day <= ToDays(last); ++day) out.push_back(FromDays(day));
  }
  return OkStatus();
}

}  // namespace

Result<HolidayTable> HolidayTable::Load(const std::string& data_dir) {
  const std::string path = data_dir + "/rates/holidays.json";
  Result<nlohmann::json> json = base::ReadJsonFile(path, std::size_t{1} << 20);
  if (!json.ok() && json.status().code() == StatusCode::kNotFound) return HolidayTable();
  if (!json.ok()) return std::move(json).status();
  return FromJson(*json, path);
}

Result<HolidayTable> HolidayTable::FromJson(const nlohmann::json& json, std::string_view source) {
  const std::string where(source);
  const auto text = [](const nlohmann::json& object, const char* key) {
    return object.is_object() && object.contains(key) && object[key].is_string();
  };
  if (!text(json, "from") || !text(json, "until") || !json.contains("years") ||
      !json["years"].is_object()) {
    return InvalidArgumentError(where +
                                ": expected an object with from, until (dates) and years (an "
                                "object)");
  }
  HolidayTable table;
  ZB_ASSIGN_OR_RETURN(table.from_, ParseDate(json["from"].get<std::string>()));
  ZB_ASSIGN_OR_RETURN(table.until_, ParseDate(json["until"].get<std::string>()));
  for (const auto& [year, days] : json["years"].items()) {
    const std::string place = where + ": years." + year;
    if (!text(days, "off") || !text(days, "work")) {
      return InvalidArgumentError(place + ": expected an object with off and work (texts)");
    }
    ZB_RETURN_IF_ERROR(ReadDays(year, days["off"].get<std::string>(), place + ".off", table.off_));
    ZB_RETURN_IF_ERROR(
        ReadDays(year, days["work"].get<std::string>(), place + ".work", table.work_));
  }
  std::sort(table.off_.begin(), table.off_.end());
  std::sort(table.work_.begin(), table.work_.end());
  return table;
}

bool HolidayTable::IsDayOff(const Date& day) const {
  if (std::binary_search(off_.begin(), off_.end(), day)) return true;
  return IsWeekend(day) && !std::binary_search(work_.begin(), work_.end(), day);
}

}  // namespace zhibi::legal
