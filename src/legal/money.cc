// SPDX-License-Identifier: Apache-2.0
#include "legal/money.h"

#include <array>

#include "base/status_macros.h"
#include "legal/chinese_number.h"

namespace zhibi::legal {
namespace {

Status Bad(std::string_view text, std::string_view why) {
  return InvalidArgumentError("“" + std::string(text.substr(0, 90)) + "”不是金额：" +
                              std::string(why) +
                              " (not a sum of money, expected e.g. 50000, 5万元, 叁仟伍佰元整)");
}

bool RemovePrefix(std::string_view& text, std::string_view prefix) {
  if (text.substr(0, prefix.size()) != prefix) return false;
  text.remove_prefix(prefix.size());
  return true;
}

bool RemoveSuffix(std::string_view& text, std::string_view suffix) {
  if (text.size() < suffix.size() || text.substr(text.size() - suffix.size()) != suffix)
    return false;
  text.remove_suffix(suffix.size());
  return true;
}

// Full-width digits, comma and point to ASCII; blanks and thousands separators removed where they
// group digits.
std::string Plain(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    if (byte == 0xEF && i + 2 < text.size() && static_cast<unsigned char>(text[i + 1]) == 0xBC) {
      const auto low = static_cast<unsigned char>(text[i + 2]);
      if (low >= 0x81 && low <= 0xBF) {
        out += static_cast<char>(low - 0x60);
        i += 2;
        continue;
      }
    }
    if (byte != ' ' && byte != '\t') out += text[i];
  }
  return out;
}

bool IsDigit(char c) { return c >= '0' && c <= '9'; }

// "1,234,567.89" without the commas; a comma that does not stand before exactly three digits is an
// error.
Result<std::string> WithoutCommas(std::string_view number, std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < number.size(); ++i) {
    if (number[i] != ',') {
      out += number[i];
      continue;
    }
    bool groups = i > 0 && IsDigit(number[i - 1]);
    for (std::size_t k = 1; k <= 3; ++k)
      groups = groups && i + k < number.size() && IsDigit(number[i + k]);
    groups = groups && (i + 4 >= number.size() || !IsDigit(number[i + 4]));
    if (!groups) return Bad(text, "千分位逗号的位置不对");
    out += ',';
  }
  std::erase(out, ',');
  return out;
}

// Digits with an optional point, times `unit_fen`; the result must be whole fen.
Result<std::int64_t> Decimal(std::string_view number, std::int64_t unit_fen,
                             std::string_view text) {
  const std::size_t point = number.find('.');
  const std::string_view whole = number.substr(0, point);
  const std::string_view part =
      point == std::string_view::npos ? std::string_view() : number.substr(point + 1);
  if (whole.empty() || (point != std::string_view::npos && part.empty()))
    return Bad(text, "数字不完整");
  std::int64_t value = 0;
  for (const char c : whole) {
    if (!IsDigit(c)) return Bad(text, "含有不认识的字符");
    value = value * 10 + (c - '0');
    if (value > kMaxFen) return Bad(text, "超出范围");
  }
  if (value > kMaxFen / unit_fen) return Bad(text, "超出范围");
  std::int64_t fen = value * unit_fen;
  std::int64_t scale = unit_fen;
  for (const char c : part) {
    if (!IsDigit(c)) return Bad(text, "含有不认识的字符");
    if (scale % 10 != 0) {
      if (c != '0') return Bad(text, "小于一分");
      continue;
    }
    scale /= 10;
    fen += scale * (c - '0');
  }
  if (fen > kMaxFen) return Bad(text, "超出范围");
  return fen;
}

// Unit at the end of a number: 万, 亿, 千, 百 before 元.
std::int64_t TakeUnit(std::string_view& number) {
  constexpr std::array<std::pair<std::string_view, std::int64_t>, 4> kUnits = {
      {{"亿", 100'000'000}, {"万", 10'000}, {"千", 1'000}, {"百", 100}}};
  for (const auto& [name, factor] : kUnits) {
    if (RemoveSuffix(number, name)) return factor;
  }
  return 1;
}

// A part in characters or digits, e.g. 三千五百 / 3500 / 3.5万; empty is an error.
Result<std::int64_t> Part(std::string_view part, std::int64_t unit_fen, std::string_view text) {
  if (part.empty()) return Bad(text, "缺少数字");
  if (IsChineseNumber(part)) {
    ZB_ASSIGN_OR_RETURN(const std::int64_t value, ParseChineseNumber(part));
    if (value > kMaxFen / unit_fen) return Bad(text, "超出范围");
    return value * unit_fen;
  }
  const std::int64_t factor = TakeUnit(part);
  ZB_ASSIGN_OR_RETURN(const std::string digits, WithoutCommas(part, text));
  return Decimal(digits, factor * unit_fen, text);
}

// One digit before 角 or 分, in characters or ASCII; 零 may stand in front.
Result<std::int64_t> Small(std::string_view part, std::string_view text) {
  while (part.size() > 3 && RemovePrefix(part, "零")) {
  }
  ZB_ASSIGN_OR_RETURN(const std::int64_t value, Part(part, 1, text));
  if (value > 9) return Bad(text, "角、分前应为一位数字");
  return value;
}

}  // namespace

std::string FormatYuan(std::int64_t fen) {
  if (fen < 0) return "-" + FormatYuan(-fen);
  std::string out = std::to_string(fen / 100);
  if (const std::int64_t rest = fen % 100; rest != 0) {
    out += "." + std::to_string(rest / 10) + std::to_string(rest % 10);
  }
  return out + "元";
}

std::string FormatGrouped(std::int64_t fen) {
  if (fen < 0) return "-" + FormatGrouped(-fen);
  std::string digits = std::to_string(fen / 100);
  for (std::size_t at = digits.size(); at > 3; at -= 3) digits.insert(at - 3, ",");
  return digits + "." + std::to_string(fen % 100 / 10) + std::to_string(fen % 10);
}

std::string FormatCapital(std::int64_t fen) {
  if (fen < 0 || fen > kMaxFen) return "";
  constexpr std::array<std::string_view, 10> kCapitals = {"零", "壹", "贰", "叁", "肆",
                                                          "伍", "陆", "柒", "捌", "玖"};
  constexpr std::array<std::string_view, 4> kPlaces = {"", "拾", "佰", "仟"};
  const std::int64_t yuan = fen / 100;
  const auto jiao = static_cast<std::size_t>(fen / 10 % 10);
  const auto cents = static_cast<std::size_t>(fen % 10);
  std::string out;
  bool gap = false;
  const std::string digits = std::to_string(yuan);
  for (std::size_t i = 0; i < digits.size() && yuan > 0; ++i) {
    const std::size_t place = digits.size() - 1 - i;
    const auto digit = static_cast<std::size_t>(digits[i] - '0');
    if (digit == 0) {
      gap = true;
    } else {
      if (gap) out += kCapitals[0];
      gap = false;
      out += kCapitals[digit];
      out += kPlaces[place % 4];
    }
    const bool section_ends = place % 4 == 0 && place > 0;
    if (!section_ends) continue;
    const std::int64_t section = place == 8 ? yuan / 100'000'000 % 10'000 : yuan / 10'000 % 10'000;
    if (section > 0) out += place == 8 ? "亿" : "万";
  }
  if (yuan > 0) out += "元";
  if (jiao == 0 && cents == 0) return yuan > 0 ? out + "整" : "零元整";
  if (jiao > 0) {
    out += kCapitals[jiao];
    out += "角";
  } else if (yuan > 0) {
    out += kCapitals[0];
  }
  if (cents == 0) return out + "整";
  out += kCapitals[cents];
  return out + "分";
}

Result<std::int64_t> ParseMoney(std::string_view text) {
  if (text.size() > 200) return Bad(text, "过长");
  const std::string plain = Plain(text);
  std::string_view rest = plain;
  while (RemovePrefix(rest, "人民币") || RemovePrefix(rest, "¥") || RemovePrefix(rest, "￥") ||
         RemovePrefix(rest, ":") || RemovePrefix(rest, "RMB")) {
  }
  if (!RemoveSuffix(rest, "整")) RemoveSuffix(rest, "正");
  if (rest.empty()) return Bad(text, "空");
  std::size_t yuan_size = 3;
  std::size_t yuan = rest.find("元");
  if (yuan == std::string_view::npos) yuan = rest.find("圆");
  std::int64_t total = 0;
  if (yuan == std::string_view::npos) {
    const bool has_small =
        rest.find("角") != std::string_view::npos || rest.find("分") != std::string_view::npos;
    if (!has_small) return Part(rest, 100, text);
    yuan = 0;
    yuan_size = 0;
  } else {
    ZB_ASSIGN_OR_RETURN(total, Part(rest.substr(0, yuan), 100, text));
  }
  rest.remove_prefix(yuan + yuan_size);
  if (const std::size_t jiao = rest.find("角"); jiao != std::string_view::npos) {
    ZB_ASSIGN_OR_RETURN(const std::int64_t value, Small(rest.substr(0, jiao), text));
    total += value * 10;
    rest.remove_prefix(jiao + 3);
  }
  if (RemoveSuffix(rest, "分")) {
    ZB_ASSIGN_OR_RETURN(const std::int64_t value, Small(rest, text));
    total += value;
    rest = {};
  }
  if (!rest.empty()) return Bad(text, "元以后的部分不完整");
  return total;
}

}  // namespace zhibi::legal
