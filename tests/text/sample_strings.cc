// SPDX-License-Identifier: Apache-2.0
#include "text/sample_strings.h"

#include <array>
#include <fstream>
#include <random>
#include <string_view>
#include <utility>

#include "base/utf8.h"
#include "text/unicode.h"

namespace zhibi::text {
namespace {

using Random = std::mt19937_64;

std::size_t Below(Random& random, std::size_t n) { return static_cast<std::size_t>(random() % n); }

template <std::size_t N>
std::string Pick(Random& random, const std::array<std::string_view, N>& list) {
  return std::string(list[Below(random, N)]);
}

template <std::size_t N>
std::string PickSome(Random& random, const std::array<std::string_view, N>& list,
                     std::size_t most) {
  std::string text;
  for (std::size_t n = 1 + Below(random, most); n > 0; --n) text += Pick(random, list);
  return text;
}

std::string FromRanges(Random& random, const std::vector<std::pair<char32_t, char32_t>>& ranges,
                       std::size_t most) {
  std::string text;
  for (std::size_t n = 1 + Below(random, most); n > 0; --n) {
    const auto [low, high] = ranges[Below(random, ranges.size())];
    base::AppendUtf8(low + static_cast<char32_t>(Below(random, high - low + 1)), &text);
  }
  return text;
}

std::string Legal(Random& random) {
  const std::vector<std::string>& lines = LegalLines();
  const std::string& line = lines[Below(random, lines.size())];
  if (Below(random, 2) == 0) return line;
  // A part of it, cut between characters.
  std::size_t begin = Below(random, line.size());
  std::size_t end = begin + Below(random, line.size() - begin);
  const auto inside = [&line](std::size_t i) {
    return i < line.size() && (static_cast<unsigned char>(line[i]) & 0xC0) == 0x80;
  };
  while (inside(begin)) ++begin;
  while (inside(end)) ++end;
  return begin < end ? line.substr(begin, end - begin) : line;
}

std::string Digits(Random& random) {
  static constexpr std::array<std::string_view, 12> kOther = {"〇", "二", "①", "⑳", "㈠", "Ⅻ",
                                                              "ⅳ",  "½",  "²", "٣", "०",  "𝟙"};
  static const std::vector<std::pair<char32_t, char32_t>> kAscii = {{'0', '9'}};
  static const std::vector<std::pair<char32_t, char32_t>> kWide = {{0xFF10, 0xFF19}};
  switch (Below(random, 4)) {
    case 0:
      return FromRanges(random, kWide, 8);
    case 1:
      return PickSome(random, kOther, 5);
    case 2:
      return FromRanges(random, kAscii, 6) + "." + FromRanges(random, kAscii, 3) + "%";
    default:
      return FromRanges(random, kAscii, 20);
  }
}

std::string Punctuation(Random& random) {
  static constexpr std::array<std::string_view, 32> kMarks = {
      "，", "。", "、", "；", "：", "？", "！", "《", "》", "〈", "〉",
      "「", "」", "『", "』", "【", "】", "〔", "〕", "（", "）", "“",
      "”",  "‘",  "’",  "……", "——", "·",  "～", "￥", "％", "＆"};
  static constexpr std::array<std::string_view, 16> kAscii = {
      ".", ",", "!", "?", "-", "(", ")", "[", "]", "#", "$", "\"", "'", "`", "|", "_"};
  return Below(random, 3) == 0 ? PickSome(random, kAscii, 6) : PickSome(random, kMarks, 5);
}

std::string Blanks(Random& random) {
  static constexpr std::array<std::string_view, 20> kBlanks = {
      " ",      " ",      "  ",     "\n",     "\n\n",   "\r\n",   "\r",
      "\t",     "\v",     "\f",     "\u00A0", "\u3000", "\u2028", "\u2029",
      "\u0085", "\u2003", "\u200B", "\uFEFF", "\u180E", "\u202F"};
  return PickSome(random, kBlanks, 5);
}

std::string Cjk(Random& random) {
  static const std::vector<std::pair<char32_t, char32_t>> kRanges = {
      {0x4E00, 0x9FFF},   {0x3400, 0x4DBF},   {0x20000, 0x2A6DF}, {0x2A700, 0x2B739},
      {0x2B740, 0x2B81D}, {0x2B820, 0x2CEA1}, {0x2CEB0, 0x2EBE0}, {0x30000, 0x3134A},
      {0x31350, 0x323AF}, {0x2EBF0, 0x2EE5D}, {0xF900, 0xFA6D},   {0x2F800, 0x2FA1D},
      {0x3041, 0x3096},   {0x30A0, 0x30FF},   {0x3105, 0x312F}};
  return FromRanges(random, kRanges, 12);
}

std::string Hangul(Random& random) {
  static const std::vector<std::pair<char32_t, char32_t>> kRanges = {
      {0xAC00, 0xD7A3}, {0x1100, 0x1112}, {0x1161, 0x1175}, {0x11A7, 0x11C2}, {0x3131, 0x318E}};
  return FromRanges(random, kRanges, 8);
}

std::string Emoji(Random& random) {
  static constexpr std::array<std::string_view, 10> kEmoji = {"😀",
                                                              "👩‍⚖️",
                                                              "👨‍👩‍👧‍👦",
                                                              "👍🏽",
                                                              "🇨🇳",
                                                              "1️⃣",
                                                              "⚖️",
                                                              "🏳️‍🌈",
                                                              "❤",
                                                              "🧑🏿‍🤝‍🧑🏻"};
  return PickSome(random, kEmoji, 4);
}

std::string Marks(Random& random) {
  static const std::vector<std::pair<char32_t, char32_t>> kBases = {
      {'a', 'z'},     {'A', 'Z'},     {0xC0, 0x17F},   {0x1E00, 0x1EFF},
      {0x3B1, 0x3C9}, {0x915, 0x939}, {0x304B, 0x3050}};
  static const std::vector<std::pair<char32_t, char32_t>> kMarks = {
      {0x300, 0x36F}, {0x300, 0x30F},   {0x323, 0x331},
      {0x93C, 0x94D}, {0x3099, 0x309A}, {0x5B0, 0x5BD}};
  std::string text;
  for (std::size_t n = 1 + Below(random, 4); n > 0; --n) {
    if (Below(random, 8) != 0) text += FromRanges(random, kBases, 1);
    text += FromRanges(random, kMarks, 3);
  }
  return text;
}

std::string Contractions(Random& random) {
  static constexpr std::array<std::string_view, 18> kEnds = {"'s",  "'S",  "'t", "'T", "'re", "'RE",
                                                             "'Ve", "'ve", "'m", "'M", "'ll", "'lL",
                                                             "'d",  "'D",  "'ſ", "’s", "'",   "'x"};
  static constexpr std::array<std::string_view, 8> kWords = {"it", "We", "court", "原告",
                                                             "",   " ",  "1",     "é"};
  return Pick(random, kWords) + PickSome(random, kEnds, 2) + Pick(random, kWords);
}

std::string Scripts(Random& random) {
  static constexpr std::array<std::string_view, 14> kWords = {
      "Plaintiff",
      "v.",
      " Defendant",
      "истец",
      "Δίκη",
      "المدعي",
      "न्यायालय",
      "ศาล",
      "裁判所",
      "법원",
      "naïve",
      "ǅ",
      "for(int i=0;i<n;++i){",
      "https://court.gov.cn/a?b=1&c=%E6%B3%95"};
  return PickSome(random, kWords, 4);
}

std::string LookAlikes(Random& random) {
  static constexpr std::array<std::string_view, 20> kTokens = {"<|im_start|>",
                                                               "<|im_end|>",
                                                               "<|endoftext|>",
                                                               "<|begin_of_text|>",
                                                               "<|eot_id|>",
                                                               "<think>",
                                                               "</think>",
                                                               "<tool_call>",
                                                               "<｜User｜>",
                                                               "<｜begin▁of▁sentence｜>",
                                                               "<|EOT|>",
                                                               "＜|im_end|＞",
                                                               "<|im_end|",
                                                               "<|im_\u200Bend|>",
                                                               "<| im_end |>",
                                                               "|im_end|>",
                                                               "<<|im_end|>>",
                                                               "<|IM_END|>",
                                                               "<|reserved_special_token_0|>",
                                                               "[INST]"};
  return PickSome(random, kTokens, 2);
}

// Any assigned scalar value.
std::string AnyPlane(Random& random) {
  std::string text;
  for (std::size_t n = 1 + Below(random, 6); n > 0;) {
    const auto c = static_cast<char32_t>(Below(random, Below(random, 2) == 0 ? 0x3000 : 0x110000));
    const Category category = UnicodeTable::CategoryOf(c);
    if (category == Category::kCn || category == Category::kCs) continue;
    base::AppendUtf8(c, &text);
    --n;
  }
  return text;
}

std::string Invalid(Random& random) {
  static constexpr std::array<std::string_view, 12> kBytes = {
      "\x80",         "\xBF", "\xC0\xAF", "\xE4",     "\xE4\xBD",     "\xF0\x9F\x98",
      "\xED\xA0\x80", "\xF5", "\xFF",     "\xE0\x9F", "\xF4\x90\x80", "\xC2"};
  return PickSome(random, kBytes, 3);
}

}  // namespace

const std::vector<std::string>& LegalLines() {
  static const std::vector<std::string> lines = [] {
    std::vector<std::string> result;
    std::ifstream file(ZHIBI_SOURCE_DIR "/tests/text/data/legal_sample.txt");
    for (std::string line; std::getline(file, line);) result.push_back(line);
    return result;
  }();
  return lines;
}

std::vector<std::string> SampleStrings(std::uint64_t seed, std::size_t count, bool with_invalid) {
  using Maker = std::string (*)(Random&);
  constexpr std::array<Maker, 14> kMakers = {
      &Legal, &Legal, &Digits,  &Punctuation,  &Blanks,     &Cjk,      &Hangul,
      &Emoji, &Marks, &Scripts, &Contractions, &LookAlikes, &AnyPlane, &Invalid};
  Random random(seed);
  std::vector<std::string> strings;
  strings.reserve(count);
  while (strings.size() < count) {
    std::string text;
    for (std::size_t n = 1 + Below(random, 8); n > 0; --n) {
      text += kMakers[Below(random, kMakers.size() - (with_invalid ? 0 : 1))](random);
    }
    strings.push_back(std::move(text));
  }
  return strings;
}

}  // namespace zhibi::text
