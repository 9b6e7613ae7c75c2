// SPDX-License-Identifier: Apache-2.0
// Calendar dates: reading the spellings that people use, writing the two that documents use
// (2024年3月5日 in the body, 二〇二四年三月五日 at the end), and counting days. Gregorian calendar
// only. Thread-safe.
#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <string_view>

#include "zhibi/status.h"

namespace zhibi::legal {

struct Date {
  int year = 1970;
  int month = 1;
  int day = 1;

  auto operator<=>(const Date&) const = default;
};

// 2024-03-05, 2024/3/5, 2024.3.5, 20240305, 2024年3月5日, 二〇二四年三月五日; digits may be full
// width. kInvalidArgument: not a date, or one that the calendar lacks (2月30日); years 1800 to
// 2200.
Result<Date> ParseDate(std::string_view text);

std::string FormatIso(const Date& date);     // 2024-03-05
std::string FormatBody(const Date& date);    // 2024年3月5日
std::string FormatFormal(const Date& date);  // 二〇二四年三月五日

// Today in China (UTC+8, no summer time since 1991), whatever the system's time zone is.
Date TodayInChina();

// Days from 1970-01-01; differences count days.
std::int64_t ToDays(const Date& date);
Date FromDays(std::int64_t days);
// Whole years from birth to the day.
int AgeAt(const Date& birth, const Date& day);

}  // namespace zhibi::legal
