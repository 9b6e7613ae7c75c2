// SPDX-License-Identifier: Apache-2.0
#include "legal/date.h"

#include <array>
#include <chrono>
#include <cstdio>
#include <ctime>

#include "base/status_macros.h"
#include "legal/chinese_number.h"

namespace zhibi::legal {
namespace {

Status Bad(std::string_view text) {
  return InvalidArgumentError(
      "“" + std::string(text) +
      "”不是日期，应写成 2024-03-05 或 2024年3月5日 (not a date, expected e.g. 2024-03-05)");
}

// Full-width digits and separators to ASCII, blanks removed.
std::string Plain(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    if (byte == 0xEF && i + 2 < text.size() && static_cast<unsigned char>(text[i + 1]) == 0xBC) {
      const auto low = static_cast<unsigned char>(text[i + 2]);
      if (low >= 0x81 && low <= 0xBF) {
        out += static_cast<char>(low - 0x60);
        i += 2;
        continue;
      }
    }
    if (byte == ' ' || byte == '\t') continue;
    out += text[i];
  }
  return out;
}

Result<int> Number(std::string_view text, std::string_view whole) {
  if (text.empty() || text.size() > 24) return Bad(whole);
  if (text.find_first_not_of("0123456789") == std::string_view::npos) {
    if (text.size() > 4) return Bad(whole);
    return std::stoi(std::string(text));
  }
  if (!IsChineseNumber(text)) return Bad(whole);
  ZB_ASSIGN_OR_RETURN(const std::int64_t value, ParseChineseNumber(text));
  if (value > 9999) return Bad(whole);
  return static_cast<int>(value);
}

Result<Date> Checked(int year, int month, int day, std::string_view text) {
  if (year < 1800 || year > 2200) {
    return InvalidArgumentError("“" + std::string(text) +
                                "”的年份超出 1800 至 2200 (year out of range)");
  }
  const std::chrono::year_month_day date{std::chrono::year{year},
                                         std::chrono::month{static_cast<unsigned>(month)},
                                         std::chrono::day{static_cast<unsigned>(day)}};
  if (month < 1 || month > 12 || day < 1 || !date.ok()) {
    return InvalidArgumentError("“" + std::string(text) + "”在日历上不存在 (no such day)");
  }
  return Date{year, month, day};
}

// Splits at the first of the separators; npos parts stay empty.
Result<Date> Split(std::string_view text, std::string_view first, std::string_view second,
                   std::string_view last, std::string_view whole) {
  const std::size_t a = text.find(first);
  if (a == std::string_view::npos) return Bad(whole);
  const std::size_t b = text.find(second, a + first.size());
  if (b == std::string_view::npos) return Bad(whole);
  std::string_view day = text.substr(b + second.size());
  if (!last.empty()) {
    if (day.size() <= last.size() || day.substr(day.size() - last.size()) != last)
      return Bad(whole);
    day.remove_suffix(last.size());
  }
  ZB_ASSIGN_OR_RETURN(const int y, Number(text.substr(0, a), whole));
  ZB_ASSIGN_OR_RETURN(const int m,
                      Number(text.substr(a + first.size(), b - a - first.size()), whole));
  ZB_ASSIGN_OR_RETURN(const int d, Number(day, whole));
  return Checked(y, m, d, whole);
}

std::chrono::year_month_day ToYmd(const Date& date) {
  return {std::chrono::year{date.year}, std::chrono::month{static_cast<unsigned>(date.month)},
          std::chrono::day{static_cast<unsigned>(date.day)}};
}

}  // namespace

Result<Date> ParseDate(std::string_view text) {
  if (text.size() > 64) return Bad(text.substr(0, 24));
  const std::string plain = Plain(text);
  if (plain.find("年") != std::string::npos) {
    const bool formal = plain.size() > 3 && plain.substr(plain.size() - 3) == "号";
    return Split(plain, "年", "月", formal ? "号" : "日", text);
  }
  for (const std::string_view separator : {"-", "/", "."}) {
    if (plain.find(separator) != std::string::npos)
      return Split(plain, separator, separator, "", text);
  }
  if (plain.size() == 8 && plain.find_first_not_of("0123456789") == std::string::npos) {
    return Checked(std::stoi(plain.substr(0, 4)), std::stoi(plain.substr(4, 2)),
                   std::stoi(plain.substr(6, 2)), text);
  }
  return Bad(text);
}

std::string FormatIso(const Date& date) {
  std::array<char, 48> buffer{};
  std::snprintf(buffer.data(), buffer.size(), "%04d-%02d-%02d", date.year, date.month, date.day);
  return buffer.data();
}

std::string FormatBody(const Date& date) {
  return std::to_string(date.year) + "年" + std::to_string(date.month) + "月" +
         std::to_string(date.day) + "日";
}

std::string FormatFormal(const Date& date) {
  return ToChineseDigits(date.year) + "年" + ToChineseNumber(date.month) + "月" +
         ToChineseNumber(date.day) + "日";
}

std::int64_t ToDays(const Date& date) {
  return std::chrono::sys_days(ToYmd(date)).time_since_epoch().count();
}

Date FromDays(std::int64_t days) {
  const std::chrono::year_month_day date{std::chrono::sys_days(std::chrono::days(days))};
  return {static_cast<int>(date.year()), static_cast<int>(static_cast<unsigned>(date.month())),
          static_cast<int>(static_cast<unsigned>(date.day()))};
}

int AgeAt(const Date& birth, const Date& day) {
  const bool before = day.month < birth.month || (day.month == birth.month && day.day < birth.day);
  return day.year - birth.year - (before ? 1 : 0);
}

Date TodayInChina() {
  constexpr std::int64_t kHour = 3600;
  const auto seconds = static_cast<std::int64_t>(std::time(nullptr)) + 8 * kHour;
  return FromDays(seconds / (24 * kHour));
}

}  // namespace zhibi::legal
