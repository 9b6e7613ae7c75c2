// SPDX-License-Identifier: Apache-2.0
// Calculation: a sum with the line that shows how it came about, so that a reader can recompute it
// ("50 + 90,000×2.5% = 2,300 元"). A sum that cannot be computed from what is known is "unknown"
// and says why; it is never a number. All arithmetic is in integers; each sum is rounded once, half
// up to fen, where its formula shows a result. Thread-safe.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "zhibi/status.h"

namespace zhibi::legal {

struct Calculation {
  std::int64_t fen = 0;               // meaningless when !known
  bool known = true;                  // false: `warnings` says what is missing
  std::string formula;                // Chinese, ends with "= 2,300 元"; empty when !known
  std::vector<std::string> warnings;  // Chinese, for the person who signs

  // An unknown sum with its reason.
  static Calculation Unknown(std::string reason);
};

// a * b / divisor, half up. kInvalidArgument: a factor is negative, the divisor is not positive, or
// the result is above kMaxFen.
Result<std::int64_t> MulDiv(std::int64_t a, std::int64_t b, std::int64_t divisor);
// Sum of two sums. kInvalidArgument: above kMaxFen.
Result<std::int64_t> AddFen(std::int64_t a, std::int64_t b);

// As formulas print sums: 230000 -> "2,300", 115050 -> "1,150.50".
std::string FormulaYuan(std::int64_t fen);
// A number with `decimals` implied decimals, shortest form: (250, 2) -> "2.5".
std::string FormulaDecimal(std::int64_t scaled, int decimals);

}  // namespace zhibi::legal
