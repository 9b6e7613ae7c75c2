// SPDX-License-Identifier: Apache-2.0
// Interest by the one-year LPR of each day (按同期LPR分段计算) and the cap of four times the LPR on
// private loans. Days are counted as in interest.h: the first day, not the last, 365 days a year.
// The whole sum is rounded once; its formula shows every segment. Before 2019-08-20 the benchmark
// rate of the People's Bank stands in, which is practice and not a rule: a warning says so.
// Law: 民间借贷规定 (法释〔2020〕17号) 25, 28, 29, 31. Thread-safe.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "legal/benchmark.h"
#include "legal/calculation.h"
#include "legal/date.h"
#include "legal/interest.h"
#include "zhibi/status.h"

namespace zhibi::legal {

// A span of days with one rate: [from, to).
struct RateSegment {
  Date from;
  Date to;
  Rate rate = 0;
  bool is_lpr = true;     // false: benchmark rate
  bool confirmed = true;  // of a benchmark rate: read from two independent sources
};

// The segments of [from, to), neighbours of one rate joined; none when a day has no rate (before
// the first row of `benchmark`, or before the LPR when `benchmark` is empty). Empty when to <=
// from.
std::optional<std::vector<RateSegment>> LprSegments(const LprTable& lpr,
                                                    const BenchmarkTable& benchmark,
                                                    const Date& from, const Date& to);

// Interest on `fen` for [from, to) at the LPR times `multiple` (ten-thousandths: 1.5 = 15000).
// Unknown where a day has no rate. Warnings: benchmark rates, days after the table's last day.
// kInvalidArgument: negative sum or multiple, above kMaxFen.
Result<Calculation> LprInterest(const LprTable& lpr, const BenchmarkTable& benchmark,
                                std::int64_t fen, const Date& from, const Date& to,
                                std::int64_t multiple = 10'000);

// Four times the one-year LPR on the day; none before 2019-08-20.
std::optional<Rate> LprCap(const LprTable& lpr, const Date& day);

struct CappedLoan {
  std::int64_t fen = 0;
  Rate rate = 0;  // agreed
  Date contract;  // 合同成立
  Date filing;    // 起诉
  Date from;
  Date to;                     // not included
  bool asks_old_rule = false;  // the plaintiff asks for the rule of that time up to 2020-08-19
};

// Interest at the agreed rate as far as the courts protect it. A contract since 2020-08-20: four
// times its day's LPR. An older one: up to 2020-08-19 24 % where the plaintiff asks for the old
// rule (a warning: that rule is not in the table of statutes), from 2020-08-20 four times the LPR
// of the day of filing. Unknown where the LPR is. kInvalidArgument: negative figures, a contract
// after the first day of interest, a filing before the contract.
Result<Calculation> CappedInterest(const LprTable& lpr, const CappedLoan& loan);

}  // namespace zhibi::legal
