// SPDX-License-Identifier: Apache-2.0
// Filters that document templates have beside Jinja's own:
//   "2024-03-05" | date            2024年3月5日          | formal_date   二〇二四年三月五日
//   5000000 | yuan                 50000元               | capital       伍万元整         | grouped
//   50,000.00 12.5 | rate                    12.5                  3 | chinese      三 "2024-03-05"
//   | lpr             one-year LPR that day in percent, or none 5000000 | interest(12,
//   "2024-06-06", "2024-12-06")   simple interest in fen "2024-03-05" | days("2024-04-05")  31
//   "1990-05-01" | age("2024-04-30")  33
// Thread rule: the table is immutable; the LPR table must outlive it.
#pragma once

#include "legal/interest.h"
#include "text/jinja.h"

namespace zhibi::legal {

text::HostFilters MakeFilters(const LprTable& lpr);

}  // namespace zhibi::legal
