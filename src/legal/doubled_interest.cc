// SPDX-License-Identifier: Apache-2.0
#include "legal/doubled_interest.h"

#include <algorithm>
#include <string>

#include "base/status_macros.h"

namespace zhibi::legal {
namespace {

constexpr Date kInForce = {2014, 8, 1};
// 0.000175 a day.
constexpr std::int64_t kDailyNumerator = 175;
constexpr std::int64_t kDailyDivisor = 1'000'000;

// Days of [from, to) that lie in a span; days in several spans count once.
Result<std::int64_t> SuspendedDays(std::int64_t from, std::int64_t to, std::vector<DaySpan> spans) {
  std::sort(spans.begin(), spans.end());
  std::int64_t days = 0;
  std::int64_t reached = from;
  for (const auto& [first, last] : spans) {
    if (last < first) {
      return InvalidArgumentError("中止执行的期间" + FormatIso(first) + "至" + FormatIso(last) +
                                  "前后颠倒 (a suspended span ends before it begins)");
    }
    const std::int64_t begin = std::max(reached, ToDays(first));
    const std::int64_t end = std::min(to, ToDays(last));
    if (end <= begin) continue;
    days += end - begin;
    reached = end;
  }
  return days;
}

}  // namespace

Result<Calculation> DoubledInterest(std::int64_t fen, const Date& from, const Date& to,
                                    const std::vector<DaySpan>& suspended) {
  ZB_ASSIGN_OR_RETURN(const std::int64_t skipped,
                      SuspendedDays(ToDays(from), ToDays(to), suspended));
  if (from < kInForce) {
    return Calculation::Unknown(
        "2014年8月1日以前的迟延履行期间按当时的规定计算，本项不能计算，请分段并核对");
  }
  const std::int64_t days = std::max<std::int64_t>(0, ToDays(to) - ToDays(from) - skipped);
  ZB_ASSIGN_OR_RETURN(const std::int64_t sum, MulDiv(fen, days * kDailyNumerator, kDailyDivisor));
  Calculation out;
  out.fen = sum;
  out.formula = FormulaYuan(fen) + "×0.0175%×" + std::to_string(days) +
                "天 = " + FormulaYuan(out.fen) + " 元";
  if (skipped > 0) out.formula += "（已扣除中止、暂缓执行的" + std::to_string(skipped) + "天）";
  if (days == 0) out.warnings.emplace_back("截止日不晚于起算日，没有加倍部分债务利息");
  return out;
}

}  // namespace zhibi::legal
