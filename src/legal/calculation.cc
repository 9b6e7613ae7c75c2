// SPDX-License-Identifier: Apache-2.0
#include "legal/calculation.h"

#include <utility>

#include "legal/money.h"

namespace zhibi::legal {

Calculation Calculation::Unknown(std::string reason) {
  Calculation out;
  out.known = false;
  out.warnings.push_back(std::move(reason));
  return out;
}

Result<std::int64_t> MulDiv(std::int64_t a, std::int64_t b, std::int64_t divisor) {
  // 128 bits: a sum of 10^14 fen times days and rates would overflow 64.
  __extension__ using Wide = __int128;
  if (a < 0 || b < 0 || divisor <= 0) {
    return InvalidArgumentError("计算的数不能为负 (a calculation takes no negative numbers)");
  }
  const Wide value = (Wide{a} * b + divisor / 2) / divisor;
  if (value > kMaxFen) {
    return InvalidArgumentError("计算结果超过9999亿元 (a sum of at most 999999999999.99 yuan)");
  }
  return static_cast<std::int64_t>(value);
}

Result<std::int64_t> AddFen(std::int64_t a, std::int64_t b) {
  if (a < 0 || b < 0 || a > kMaxFen || b > kMaxFen - a) {
    return InvalidArgumentError("合计超过9999亿元 (a sum of at most 999999999999.99 yuan)");
  }
  return a + b;
}

std::string FormulaYuan(std::int64_t fen) {
  std::string out = FormatGrouped(fen);
  if (out.ends_with(".00")) out.resize(out.size() - 3);
  return out;
}

std::string FormulaDecimal(std::int64_t scaled, int decimals) {
  std::int64_t power = 1;
  for (int i = 0; i < decimals; ++i) power *= 10;
  std::string out = std::to_string(scaled / power);
  std::string part = std::to_string(power + scaled % power).substr(1);
  while (!part.empty() && part.back() == '0') part.pop_back();
  return part.empty() ? out : out + "." + part;
}

}  // namespace zhibi::legal
