// SPDX-License-Identifier: Apache-2.0
// Sums of labour disputes. Wages are those of a month, in fen: the average of the last twelve
// months before the contract ended, as due (应得工资); the local average and minimum wage are the
// user's. The last day of work counts as worked. Source: 劳动合同法 46, 47, 82, 87, 97; 实施条例 6,
// 7, 25, 27; 工资支付暂行规定 13; 职工带薪年休假条例 3, 5; 企业职工带薪年休假实施办法 10 to 12.
// Thread-safe.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "legal/calculation.h"
#include "legal/date.h"
#include "zhibi/status.h"

namespace zhibi::legal {

struct Employment {
  Date start;  // 用工之日
  Date end;    // the last day of work
  std::int64_t wage_fen = 0;
  std::optional<std::int64_t> average_fen;  // local average of the year before; none: not checked
  std::optional<std::int64_t> minimum_fen;  // local minimum
};

// Half years of service as 47 counts them: a full year 2, a rest of six months or more 2, a shorter
// one 1. kInvalidArgument: `end` before `start`.
Result<std::int64_t> ServiceHalfYears(const Date& start, const Date& end);

// 经济补偿 (47): a wage for each year, from 2008-01-01 (97). Above three times the average: that
// sum, for at most twelve years.
Result<Calculation> SeverancePay(const Employment& employment);
// 违法解除赔偿金 (87): twice that, counted from the first day of work (实施条例 25).
Result<Calculation> UnlawfulDismissalPay(const Employment& employment);

// 未订立书面劳动合同的二倍工资 (82), the second wage only: from the end of the first month to the
// day before signing, at most to the end of the first year. `until`: the day of signing, or the day
// after the last day of work; it does not count.
Result<Calculation> DoubleWage(const Date& start, const Date& until, std::int64_t wage_fen);

// Hours in hundredths.
struct OvertimeHours {
  std::int64_t weekday = 0;   // 150 %
  std::int64_t rest_day = 0;  // 200 %, where no other day off was given
  std::int64_t holiday = 0;   // 300 %
};
// 加班工资: a month has 21.75 days of 8 hours.
Result<Calculation> OvertimePay(std::int64_t wage_fen, const OvertimeHours& hours);

// 未休年休假工资: 300 % of a day's wage; 200 % where the ordinary wage was paid.
Result<Calculation> AnnualLeavePay(std::int64_t wage_fen, std::int64_t days, bool normal_paid);
// Days of leave for full years of work in all, in proportion to the days employed in the year,
// without those taken. kInvalidArgument: figures out of range.
Result<std::int64_t> AnnualLeaveDays(std::int64_t years, std::int64_t elapsed_days,
                                     std::int64_t taken);

struct WageMonth {
  std::string label;  // "2024年1月", may be empty
  std::int64_t due_fen = 0;
  std::int64_t paid_fen = 0;
};
// 拖欠工资. kInvalidArgument: nothing listed, or more paid than due in a month.
Result<Calculation> WageArrears(const std::vector<WageMonth>& months);

}  // namespace zhibi::legal
