// SPDX-License-Identifier: Apache-2.0
// Sums of money in fen (分), as 64-bit integers. Reading is wide (50000, 5万元, 0.35万元,
// 三千五百元, ¥1,234.50, 人民币壹万元整), writing is strict: plain digits for the body and capital
// characters (大写) by the rules of 支付结算办法: 元 or 角 at the end is followed by 整, a run of
// zeros is one 零. Thread-safe.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "zhibi/status.h"

namespace zhibi::legal {

// The largest sum that is read or written: 9999 亿 9999 万 9999 元 99 分.
inline constexpr std::int64_t kMaxFen = 99'999'999'999'999;

// 5000000 -> "50000元", 123450 -> "1234.50元". Negative sums keep their sign in front.
std::string FormatYuan(std::int64_t fen);
// With commas and always two decimals: 123450 -> "1,234.50".
std::string FormatGrouped(std::int64_t fen);
// 10700053 -> "壹拾万零柒仟元伍角叁分"; 0 -> "零元整". Precondition: 0 <= fen <= kMaxFen, otherwise
// "".
std::string FormatCapital(std::int64_t fen);

// kInvalidArgument: not a sum, more than two decimals of 元, out of range; names the text.
Result<std::int64_t> ParseMoney(std::string_view text);

}  // namespace zhibi::legal
