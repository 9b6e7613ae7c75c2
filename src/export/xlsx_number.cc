// SPDX-License-Identifier: Apache-2.0
#include "export/xlsx_number.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdio>

#include "base/status_macros.h"
#include "legal/date.h"

namespace zhibi::exporting {
namespace {

constexpr double kLastSerial = 2'958'465;  // 9999-12-31 in the system of 1900
constexpr std::int64_t kLeapDay = 60;      // 1900-02-29, which the calendar lacks
constexpr int kDigits = 15;                // what a spreadsheet keeps of a number
constexpr double kTooLong = 1e15;

Result<double> Parse(std::string_view text) {
  double value = 0;
  const auto parsed = std::from_chars(text.data(), text.data() + text.size(), value);
  if (parsed.ec != std::errc() || parsed.ptr != text.data() + text.size() || !std::isfinite(value))
    return InvalidArgumentError("不是数 / not a number: " + std::string(text.substr(0, 40)));
  return value;
}

Result<std::string> Plain(double value) {
  if (std::abs(value) >= kTooLong)
    return InvalidArgumentError(
        "超过 15 位的号码被存成了数，末位已丢失；请把单元格设为文本再填 / a number of more than 15 "
        "digits has lost its last ones; make the cell text and type it again");
  std::array<char, 64> out{};
  // Rounded to what the spreadsheet shows (0.1 + 0.2 is 0.3), then written without an exponent.
  auto end = std::to_chars(out.data(), out.data() + out.size(), value,
                           std::chars_format::scientific, kDigits - 1)
                 .ptr;
  ZB_ASSIGN_OR_RETURN(const double rounded,
                      Parse({out.data(), static_cast<std::size_t>(end - out.data())}));
  std::array<char, 400> fixed{};
  end = std::to_chars(fixed.data(), fixed.data() + fixed.size(), rounded, std::chars_format::fixed)
            .ptr;
  std::string text(fixed.data(), end);
  return text == "-0" ? std::string("0") : text;
}

Result<std::string> Day(double serial, bool from_1904) {
  const double last = from_1904 ? kLastSerial - 1462 : kLastSerial;
  if (serial < 0 || serial >= last + 1)
    return InvalidArgumentError("不是日期 / not a day: serial number out of range");
  auto days = static_cast<std::int64_t>(std::floor(serial));
  auto seconds = static_cast<std::int64_t>(std::llround((serial - std::floor(serial)) * 86'400));
  if (seconds == 86'400) {
    seconds = 0;
    ++days;
  }
  std::string day;
  if (from_1904) {
    day = legal::FormatIso(legal::FromDays(legal::ToDays({1904, 1, 1}) + days));
  } else if (days == kLeapDay) {
    return InvalidArgumentError("1900-02-29 不存在 / 1900-02-29 is no day");
  } else if (days > 0) {
    const std::int64_t base = legal::ToDays({1899, 12, 31}) - (days > kLeapDay ? 1 : 0);
    day = legal::FormatIso(legal::FromDays(base + days));
  }
  if (seconds == 0 && !day.empty()) return day;
  std::array<char, 16> time{};
  std::snprintf(time.data(), time.size(), "%02d:%02d", static_cast<int>(seconds / 3600),
                static_cast<int>(seconds / 60 % 60));
  return day + (day.empty() ? "" : " ") + time.data();
}

}  // namespace

NumberKind KindOfFormatId(int id) {
  // 27 to 36 and 50 to 58 are the dates of East Asian spreadsheets.
  const bool date = (id >= 14 && id <= 22) || (id >= 27 && id <= 36) || (id >= 45 && id <= 47) ||
                    (id >= 50 && id <= 58);
  if (date) return NumberKind::kDate;
  return id == 9 || id == 10 ? NumberKind::kPercent : NumberKind::kPlain;
}

NumberKind KindOfFormatCode(std::string_view code) {
  bool percent = false;
  for (std::size_t i = 0; i < code.size() && code[i] != ';'; ++i) {
    const char c = code[i];
    if (c == '"') {
      i = std::min(code.find('"', i + 1), code.size());
    } else if (c == '\\' || c == '_' || c == '*') {
      ++i;
    } else if (c == '[') {
      const std::size_t end = std::min(code.find(']', i), code.size());
      const std::string_view inside = code.substr(i + 1, end - i - 1);
      // [h] counts hours; [Red], [$-804], [DBNum1] say nothing of the kind.
      const bool elapsed =
          !inside.empty() && inside.find_first_not_of("hHmMsS") == std::string_view::npos;
      if (elapsed) return NumberKind::kDate;
      i = end;
    } else if (std::string_view("yYmMdDhHsS").find(c) != std::string_view::npos) {
      return NumberKind::kDate;
    } else if (c == '%') {
      percent = true;
    } else if (code.substr(i).starts_with("General")) {
      i += 6;
    }
  }
  return percent ? NumberKind::kPercent : NumberKind::kPlain;
}

Result<std::string> NumberText(std::string_view value, NumberKind kind, bool from_1904) {
  ZB_ASSIGN_OR_RETURN(const double number, Parse(value));
  if (kind == NumberKind::kDate) return Day(number, from_1904);
  if (kind == NumberKind::kPlain) return Plain(number);
  ZB_ASSIGN_OR_RETURN(const std::string percent, Plain(number * 100));
  return percent + "%";
}

}  // namespace zhibi::exporting
