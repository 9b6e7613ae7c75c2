// SPDX-License-Identifier: Apache-2.0
// Numbers as Chinese documents write them: 十二, 二千零二十四, 两万五千, 一亿零三百, 二〇二四, and
// financial forms (壹拾贰). Reading is wide, writing is strict. Thread-safe.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "zhibi/status.h"

namespace zhibi::legal {

// 0 to 999,999,999,999 in small characters: 12 -> 十二, 667 -> 六百六十七, 10005 -> 一万零五.
std::string ToChineseNumber(std::int64_t value);

// Digit by digit with 〇: 2024 -> 二〇二四.
std::string ToChineseDigits(std::int64_t value);

// Reads characters with units (small, financial, 两, 廿 not), or digit by digit (二〇二四, with 〇
// 零 ○). At most 9999 亿. kInvalidArgument: names the text and what is wrong with it.
Result<std::int64_t> ParseChineseNumber(std::string_view text);

// Is every character one of those that ParseChineseNumber knows, and is there at least one?
bool IsChineseNumber(std::string_view text);

}  // namespace zhibi::legal
