// SPDX-License-Identifier: Apache-2.0
#include "legal/chinese_number.h"

#include <array>
#include <vector>

#include "base/status_macros.h"

namespace zhibi::legal {
namespace {

constexpr std::array<std::string_view, 10> kDigits = {"零", "一", "二", "三", "四",
                                                      "五", "六", "七", "八", "九"};
constexpr std::int64_t kWan = 10'000;
constexpr std::int64_t kYi = 100'000'000;

struct Character {
  std::string_view text;
  std::int64_t value;
  bool unit;
};

constexpr Character kCharacters[] = {
    {"零", 0, false},   {"〇", 0, false},   {"○", 0, false},    {"Ｏ", 0, false},
    {"一", 1, false},   {"壹", 1, false},   {"二", 2, false},   {"贰", 2, false},
    {"两", 2, false},   {"三", 3, false},   {"叁", 3, false},   {"四", 4, false},
    {"肆", 4, false},   {"五", 5, false},   {"伍", 5, false},   {"六", 6, false},
    {"陆", 6, false},   {"七", 7, false},   {"柒", 7, false},   {"八", 8, false},
    {"捌", 8, false},   {"九", 9, false},   {"玖", 9, false},   {"十", 10, true},
    {"拾", 10, true},   {"百", 100, true},  {"佰", 100, true},  {"千", 1000, true},
    {"仟", 1000, true}, {"万", kWan, true}, {"萬", kWan, true}, {"亿", kYi, true},
    {"億", kYi, true},
};

const Character* Find(std::string_view one) {
  for (const Character& character : kCharacters) {
    if (character.text == one) return &character;
  }
  return nullptr;
}

Status Bad(std::string_view text, std::string_view why) {
  return InvalidArgumentError("“" + std::string(text) + "”不是规范的中文数字：" + std::string(why) +
                              " (not a Chinese number)");
}

Result<std::vector<Character>> Split(std::string_view text) {
  if (text.empty() || text.size() > 120) return Bad(text, "空或过长");
  if (text.size() % 3 != 0) return Bad(text, "含有其他字符");
  std::vector<Character> characters;
  for (std::size_t at = 0; at < text.size(); at += 3) {
    const Character* found = Find(text.substr(at, 3));
    if (found == nullptr) return Bad(text, "含有其他字符");
    characters.push_back(*found);
  }
  return characters;
}

Result<std::int64_t> ParseDigits(std::string_view text, const std::vector<Character>& characters) {
  if (characters.size() > 12) return Bad(text, "位数过多");
  std::int64_t value = 0;
  for (const Character& character : characters) value = value * 10 + character.value;
  return value;
}

// Below 万: digits with 千 百 十 in falling order; zeros are skipped.
Result<std::int64_t> ParseSection(std::string_view text, const std::vector<Character>& characters,
                                  std::size_t begin, std::size_t end, bool first_section) {
  std::int64_t value = 0;
  std::int64_t digit = -1;
  std::int64_t last_unit = 10'000;
  bool after_zero = false;
  for (std::size_t i = begin; i < end; ++i) {
    const Character& character = characters[i];
    if (!character.unit) {
      if (digit > 0 || (digit == 0 && character.value == 0))
        return Bad(text, "两个数字之间缺少单位");
      if (character.value == 0) {
        after_zero = true;
        continue;
      }
      digit = character.value;
      continue;
    }
    if (character.value >= last_unit) return Bad(text, "单位次序不对");
    if (digit < 0) {
      // 十二 without 一 in front is usual at the very start only, and after 零 in loose writing.
      if (character.value != 10 || !(first_section && i == begin))
        return Bad(text, "单位前缺少数字");
      digit = 1;
    }
    value += digit * character.value;
    digit = -1;
    last_unit = character.value;
    after_zero = false;
  }
  if (digit > 0) {
    // 一千二 is one thousand two hundred in speech; in a document that is a doubt, not a number.
    if (last_unit > 10 && last_unit < 10'000 && !after_zero)
      return Bad(text, "末位缺少单位，请写全");
    value += digit;
  }
  return value;
}

}  // namespace

std::string ToChineseDigits(std::int64_t value) {
  std::string out;
  for (const char c : std::to_string(value)) {
    out += c == '0'
               ? std::string_view("〇")
               : (c == '-' ? std::string_view("负") : kDigits[static_cast<std::size_t>(c - '0')]);
  }
  return out;
}

std::string ToChineseNumber(std::int64_t value) {
  if (value < 0) return "负" + ToChineseNumber(-value);
  if (value == 0) return "零";
  std::string out;
  bool gap = false;  // zeros were passed since the last digit
  const auto section = [&](std::int64_t part, std::string_view name) {
    constexpr std::array<std::pair<std::int64_t, std::string_view>, 4> kUnits = {
        {{1000, "千"}, {100, "百"}, {10, "十"}, {1, ""}}};
    for (const auto& [unit, unit_name] : kUnits) {
      const std::int64_t digit = part / unit % 10;
      if (digit == 0) {
        gap = true;
        continue;
      }
      if (gap && !out.empty()) out += "零";
      gap = false;
      if (!(digit == 1 && unit == 10 && out.empty()))
        out += kDigits[static_cast<std::size_t>(digit)];
      out += unit_name;
    }
    if (part > 0) out += name;
  };
  if (value >= kYi) section(value / kYi % kWan, "亿");
  if (value >= kWan) section(value / kWan % kWan, "万");
  section(value % kWan, "");
  return out;
}

bool IsChineseNumber(std::string_view text) {
  if (text.empty() || text.size() % 3 != 0) return false;
  for (std::size_t at = 0; at < text.size(); at += 3) {
    if (Find(text.substr(at, 3)) == nullptr) return false;
  }
  return true;
}

Result<std::int64_t> ParseChineseNumber(std::string_view text) {
  ZB_ASSIGN_OR_RETURN(const std::vector<Character> characters, Split(text));
  bool any_unit = false;
  for (const Character& character : characters) any_unit = any_unit || character.unit;
  if (!any_unit) return ParseDigits(text, characters);
  std::int64_t total = 0;
  std::int64_t last_big = kYi * kWan;
  std::size_t begin = 0;
  for (std::size_t i = 0; i <= characters.size(); ++i) {
    const bool at_end = i == characters.size();
    if (!at_end && !(characters[i].unit && characters[i].value >= kWan)) continue;
    if (at_end && begin == i) break;
    if (!at_end && begin == i) return Bad(text, "单位前缺少数字");
    ZB_ASSIGN_OR_RETURN(const std::int64_t part,
                        ParseSection(text, characters, begin, i, begin == 0));
    const std::int64_t big = at_end ? 1 : characters[i].value;
    if (big >= last_big) return Bad(text, "单位次序不对");
    // 一万五: fifteen thousand in speech, doubtful in a document.
    const bool doubtful = at_end && i - begin == 1 && begin > 0 && part > 0;
    if (doubtful) return Bad(text, "末位缺少单位，请写全");
    if (!at_end && part == 0) return Bad(text, "单位前缺少数字");
    total += part * big;
    last_big = big;
    begin = i + 1;
  }
  return total;
}

}  // namespace zhibi::legal
