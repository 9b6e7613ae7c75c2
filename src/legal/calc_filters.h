// SPDX-License-Identifier: Apache-2.0
// Filters of skeletons that compute sums and days by a rule of law. Sums are integers in fen, days
// are texts like 2024-03-20. Each of those below also has NAME_formula, the line that shows how the
// result came about, and NAME_warnings, a list of texts for the person who signs (the fee filters
// have the first only). A sum that cannot be known is none, and its warnings say why. A 【待填：…】
// text anywhere in the arguments is given back. Arguments with ? may be left out. The table of all
// filters is in docs/reference/filters.md; a fee that the rules give only as a band is an error of
// the filter, not a guess. Thread-safe; the tables must outlive the filters.
#pragma once

#include "legal/benchmark.h"
#include "legal/holiday.h"
#include "legal/interest.h"
#include "text/jinja.h"

namespace zhibi::legal {

struct CalcTables {
  const LprTable& lpr;
  const BenchmarkTable& benchmark;
  const HolidayTable& holidays;
};

void AddCalcFilters(text::HostFilters& filters, const CalcTables& tables);

}  // namespace zhibi::legal
