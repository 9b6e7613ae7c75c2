// SPDX-License-Identifier: Apache-2.0
#include "legal/period.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <utility>

#include "base/status_macros.h"

namespace zhibi::legal {
namespace {

constexpr int kLastYear = 2200;

int DaysInMonth(int year, int month) {
  const auto last = std::chrono::year(year) / std::chrono::month(static_cast<unsigned>(month)) /
                    std::chrono::last;
  return static_cast<int>(static_cast<unsigned>(std::chrono::year_month_day_last(last).day()));
}

std::string UnitText(PeriodUnit unit) {
  switch (unit) {
    case PeriodUnit::kDay:
      return "日";
    case PeriodUnit::kMonth:
      return "个月";
    case PeriodUnit::kYear:
      return "年";
  }
  return "";
}

constexpr std::string_view kInterruptionNote = "未考虑时效的中止、中断，请核对";

}  // namespace

Result<Date> AddPeriodTo(const Date& day, std::int64_t count, PeriodUnit unit) {
  constexpr std::int64_t kMaxCount = 36'500;
  if (count < 0 || count > kMaxCount) {
    return InvalidArgumentError("期间应在0至36500之间 (a period of 0 to 36500)");
  }
  Date out;
  if (unit == PeriodUnit::kDay) {
    out = FromDays(ToDays(day) + count);
  } else {
    const std::int64_t months = unit == PeriodUnit::kMonth ? count : count * 12;
    const std::int64_t index = std::int64_t{day.year} * 12 + day.month - 1 + months;
    if (index / 12 <= kLastYear) {
      out.year = static_cast<int>(index / 12);
      out.month = static_cast<int>(index % 12) + 1;
      out.day = std::min(day.day, DaysInMonth(out.year, out.month));
    } else {
      out.year = kLastYear + 1;
    }
  }
  if (out.year > kLastYear) {
    return InvalidArgumentError("期间的末日晚于2200年 (the period ends after the year 2200)");
  }
  return out;
}

Result<PeriodEnd> EndOfPeriod(const HolidayTable& holidays, const Date& event, std::int64_t count,
                              PeriodUnit unit, bool roll) {
  PeriodEnd end;
  ZB_ASSIGN_OR_RETURN(end.nominal, AddPeriodTo(event, count, unit));
  end.last = end.nominal;
  end.formula = "自" + FormatBody(event) + "的次日起算" + std::to_string(count) + UnitText(unit) +
                "，至" + FormatBody(end.nominal);
  if (!roll) return end;
  while (holidays.IsDayOff(end.last)) end.last = FromDays(ToDays(end.last) + 1);
  if (end.last != end.nominal) end.formula += "，该日为休假日，顺延至" + FormatBody(end.last);
  if (!holidays.Covers(end.nominal) || !holidays.Covers(end.last)) {
    const bool known = holidays.from() <= holidays.until();
    end.warnings.push_back((known ? "节假日数据为" + FormatBody(holidays.from()) + "至" +
                                        FormatBody(holidays.until()) + "，"
                                  : std::string("没有节假日数据，")) +
                           FormatBody(end.nominal) + "在此之外，只按周六、周日顺延，请核对");
  }
  return end;
}

Result<PeriodEnd> AppealDeadline(const HolidayTable& holidays, const Date& served,
                                 std::int64_t days) {
  constexpr std::array<std::int64_t, 4> kAllowed = {5, 10, 15, 30};
  if (std::find(kAllowed.begin(), kAllowed.end(), days) == kAllowed.end()) {
    return InvalidArgumentError("上诉期应为15日、10日、5日或30日，现为" + std::to_string(days) +
                                "日 (an appeal takes 15, 10, 5 or 30 days)");
  }
  return EndOfPeriod(holidays, served, days, PeriodUnit::kDay);
}

Result<PeriodEnd> LimitationDeadline(const HolidayTable& holidays, const Date& known) {
  // Two years under 民法通则 end before three years begin to count on 2017-10-01.
  constexpr Date kThreeYears = {2015, 10, 1};
  const bool old = known < kThreeYears;
  ZB_ASSIGN_OR_RETURN(PeriodEnd end, EndOfPeriod(holidays, known, old ? 2 : 3, PeriodUnit::kYear));
  if (old) {
    end.warnings.emplace_back("2017年10月1日以前已经届满的诉讼时效按当时的二年计算，由使用者核对");
  }
  end.warnings.emplace_back(kInterruptionNote);
  return end;
}

Result<PeriodEnd> EnforcementDeadline(const HolidayTable& holidays, const Date& due) {
  ZB_ASSIGN_OR_RETURN(PeriodEnd end, EndOfPeriod(holidays, due, 2, PeriodUnit::kYear));
  end.warnings.emplace_back(kInterruptionNote);
  return end;
}

Result<PeriodEnd> LabourArbitrationDeadline(const HolidayTable& holidays, const Date& known) {
  ZB_ASSIGN_OR_RETURN(PeriodEnd end, EndOfPeriod(holidays, known, 1, PeriodUnit::kYear));
  end.warnings.emplace_back(kInterruptionNote);
  return end;
}

}  // namespace zhibi::legal
