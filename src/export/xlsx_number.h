// SPDX-License-Identifier: Apache-2.0
// What a number in a sheet means: its format tells a day from a sum. ECMA-376 part 1, 18.8.30
// (number formats), 18.17.4 (serial dates of 1900, with its leap day that never was, and of 1904).
// Thread-safe.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "zhibi/status.h"

namespace zhibi::exporting {

enum class NumberKind : std::uint8_t { kPlain, kDate, kPercent };

// Of a format built into spreadsheets (14 is a date); ids that are free for files are kPlain.
NumberKind KindOfFormatId(int id);
// Of a format code: "yyyy\"年\"m\"月\"d\"日\"" is a date, "[h]:mm" a time, "0.00%" a percentage.
NumberKind KindOfFormatCode(std::string_view code);

// "1500", "0.35", "3.6%", "2024-03-05", "2024-03-05 08:30", as a person would type it. `value`: as
// the file holds it. kInvalidArgument: no number, no day of the calendar, an integer of more than
// 15 digits, of which a spreadsheet has already lost some.
Result<std::string> NumberText(std::string_view value, NumberKind kind, bool from_1904);

}  // namespace zhibi::exporting
