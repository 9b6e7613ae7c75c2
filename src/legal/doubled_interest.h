// SPDX-License-Identifier: Apache-2.0
// The doubled part of interest for late performance of a judgment (加倍部分债务利息): the money
// debts of the judgment other than ordinary interest, 0.0175 % a day. Days run from the end of the
// term of performance (the first day counts) to performance (that day does not); days on which
// enforcement was suspended on grounds that are not the debtor's motion are left out. Source:
// 法释〔2014〕8号, 1 to 4; 民事诉讼法 264. Thread-safe.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "legal/calculation.h"
#include "legal/date.h"
#include "zhibi/status.h"

namespace zhibi::legal {

// [first, second): the second day is not suspended.
using DaySpan = std::pair<Date, Date>;

// `fen`: the unpaid money debt without ordinary interest. Suspended spans may overlap and reach
// beyond [from, to). Unknown for days before 2014-08-01, which the older rule governs.
// kInvalidArgument: negative sum, a span that ends before it begins.
Result<Calculation> DoubledInterest(std::int64_t fen, const Date& from, const Date& to,
                                    const std::vector<DaySpan>& suspended = {});

}  // namespace zhibi::legal
