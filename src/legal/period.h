// SPDX-License-Identifier: Apache-2.0
// Periods of time as the law counts them: the day of the event does not count; a period of months
// or years ends on the corresponding day, or on the last day of a month that has none; a last day
// that is a day off moves to the first working day after it. Law: 民法典 201 to 203, 188;
// 民事诉讼法 85, 171, 250; 劳动争议调解仲裁法 27. Interruption and suspension are not known here.
// Thread-safe.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "legal/date.h"
#include "legal/holiday.h"
#include "zhibi/status.h"

namespace zhibi::legal {

enum class PeriodUnit : std::uint8_t { kDay, kMonth, kYear };

struct PeriodEnd {
  Date last;                          // the last day, after moving
  Date nominal;                       // before moving
  std::string formula;                // Chinese, how it was counted
  std::vector<std::string> warnings;  // Chinese
};

// Days, months or years from a day, without any rule about days off: 2024-01-31 and a month is
// 2024-02-29. kInvalidArgument: `count` negative or above 36,500 days, or the year above 2200.
Result<Date> AddPeriodTo(const Date& day, std::int64_t count, PeriodUnit unit);

// The last day of a period that begins after `event`. `roll`: a day off moves the end. Warns where
// the calendar of days off does not cover the end.
Result<PeriodEnd> EndOfPeriod(const HolidayTable& holidays, const Date& event, std::int64_t count,
                              PeriodUnit unit, bool roll = true);

// Appeal after service: 15 days against judgments, 10 against rulings and in criminal matters, 5
// against criminal rulings, 30 for parties without domicile in China. kInvalidArgument: other days.
Result<PeriodEnd> AppealDeadline(const HolidayTable& holidays, const Date& served,
                                 std::int64_t days);

// Limitation (诉讼时效, 民法典 188): three years from knowing. Where two years had passed before
// 2017-10-01, two (a warning).
Result<PeriodEnd> LimitationDeadline(const HolidayTable& holidays, const Date& known);
// Application for enforcement (民事诉讼法 250): two years from the last day of performance.
Result<PeriodEnd> EnforcementDeadline(const HolidayTable& holidays, const Date& due);
// Labour arbitration (劳动争议调解仲裁法 27): one year.
Result<PeriodEnd> LabourArbitrationDeadline(const HolidayTable& holidays, const Date& known);

}  // namespace zhibi::legal
