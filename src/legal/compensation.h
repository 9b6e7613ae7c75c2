// SPDX-License-Identifier: Apache-2.0
// Compensation for injury and death. Incomes, expenses and wages of a province are the user's: none
// is built in; which year's they must be is the user's to know (一审法庭辩论终结时的上一统计年度).
// Source: 人身损害赔偿解释 (法释〔2022〕14号) 7, 8, 10 to 12, 14, 15, 17, 18, 22. Percentages are
// in ten-thousandths of a percent (100 % = 1,000,000). Each sum is rounded once, half up.
// Thread-safe.
#pragma once

#include <cstdint>
#include <vector>

#include "legal/calculation.h"
#include "legal/interest.h"
#include "zhibi/status.h"

namespace zhibi::legal {

inline constexpr Rate kWholePercent = 1'000'000;

// Years for which disability and death are compensated (12, 15): 20, from 60 on one less for each
// further year of age, from 75 on 5. kInvalidArgument: an age outside 0 to 150.
Result<std::int64_t> CompensationYears(std::int64_t age);

// 死亡赔偿金: `income_fen`: disposable income of urban residents in a year.
Result<Calculation> DeathCompensation(std::int64_t age, std::int64_t income_fen);
// 残疾赔偿金: `percent` of lost working capacity, above 0 up to 100 %.
Result<Calculation> DisabilityCompensation(std::int64_t age, Rate percent, std::int64_t income_fen);
// Grade 1 to 10 -> 100 % to 10 %, which is practice: 【K】.
Result<Rate> DisabilityPercent(std::int64_t grade);

struct Dependant {
  std::int64_t months = 0;      // for which there is a duty to support
  std::int64_t supporters = 1;  // who share the duty, the victim among them; 1 to 10
};

// Months of support: a minor up to 18 years, an adult without means as CompensationYears.
Result<std::int64_t> SupportMonths(std::int64_t age);

// 被扶养人生活费: `expense_fen`: consumption of urban residents in a year; `percent` of lost
// working capacity (100 % on death). In no year more than `expense_fen` for all dependants
// together. kInvalidArgument: nobody, or figures out of range.
Result<Calculation> DependantLiving(const std::vector<Dependant>& dependants,
                                    std::int64_t expense_fen, Rate percent);

// 丧葬费: six months of the average wage.
Result<Calculation> FuneralExpense(std::int64_t wage_month_fen);

enum class PayUnit : std::uint8_t { kDay, kMonth, kYear };

// 误工费: days times income; a month counts 30 days (【K】, a warning), a year 365.
Result<Calculation> LostWages(std::int64_t days, std::int64_t income_fen, PayUnit unit);
// 护理费: as LostWages, for `persons` (a second one is a warning) and a degree of dependence.
// kInvalidArgument: more than twenty years.
Result<Calculation> NursingFee(std::int64_t days, std::int64_t income_fen, PayUnit unit,
                               std::int64_t persons, Rate percent);
// 住院伙食补助费, 营养费: days times a figure.
Result<Calculation> DailyAllowance(std::int64_t days, std::int64_t day_fen);

}  // namespace zhibi::legal
