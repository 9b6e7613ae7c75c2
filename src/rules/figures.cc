// SPDX-License-Identifier: Apache-2.0
// Sums of money, days and case numbers of a text. A value that is masked or that the readers of
// src/legal refuse is left out (sums) or kept without a value (days), so that no rule computes with
// it.
#include <algorithm>
#include <charconv>
#include <utility>

#include "legal/chinese_number.h"
#include "legal/money.h"
#include "rules/matcher.h"
#include "rules/view.h"

namespace zhibi::rules {
namespace {

int ToInt(std::string_view text) {
  int value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

std::string WithoutCommas(std::string_view text) {
  std::string plain;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == ',' || text[i] == ' ') continue;
    if (text.substr(i, 3) == "，" || text.substr(i, 3) == "余" || text.substr(i, 3) == "多") {
      i += 2;
      continue;
    }
    plain += text[i];
  }
  return plain;
}

constexpr std::string_view kForeignAfter[] = {"美元", "港元", "欧元", "日元",
                                              "加元", "澳元", "英镑"};

void FindDigitSums(View& view) {
  static const Pattern kDigits = MustCompile(
      "(?<![\\d.])(\\d{1,3}(?:[,，]\\d{3})+(?:\\.\\d+)?|\\d+(?:\\.\\d+)?)[ ]?(余|多)?(百万|千万|"
      "万|亿|千)?(余|多)?"
      "(元|美元|港元|欧元|日元)(余|多)?(?:(\\d)角)?(?:(\\d)分)?");
  ForEach(kDigits, view.text, {0, view.text.size()}, [&](const Match& m) {
    Sum sum;
    sum.span = SpanOf(m);
    const std::string_view unit = m.Text(view.text, 5);
    sum.foreign = unit != "元";
    const std::string_view before = std::string_view(view.text).substr(
        m.begin() >= 9 ? m.begin() - 9 : 0, m.begin() >= 9 ? 9 : m.begin());
    for (const std::string_view name : kForeignAfter) {
      if (Has(before, name)) sum.foreign = true;
    }
    if (Has(before, "港币") || Has(before, "美金")) sum.foreign = true;
    sum.approximate = m.has(2) || m.has(4) || m.has(6);
    std::string plain = WithoutCommas(m.Text(view.text, 1));
    plain += std::string(m.Text(view.text, 3)) + "元";
    const Result<std::int64_t> fen = legal::ParseMoney(plain);
    if (!fen.ok()) return;
    sum.fen = *fen;
    if (m.has(7)) sum.fen += 10LL * ToInt(m.Text(view.text, 7));
    if (m.has(8)) sum.fen += ToInt(m.Text(view.text, 8));
    view.sums.push_back(sum);
  });
}

void FindWrittenSums(View& view) {
  static const Pattern kWritten = MustCompile(
      "[零壹贰叁肆伍陆柒捌玖拾佰仟万亿〇一二三四五六七八九十百千两]+(?:元|圆)"
      "(?:（零）)?(?:[零〇]?[零壹贰叁肆伍陆柒捌玖一二三四五六七八九]角)?"
      "(?:（零）)?(?:[零〇]?[零壹贰叁肆伍陆柒捌玖一二三四五六七八九]分)?(?:整|正)?");
  ForEach(kWritten, view.text, {0, view.text.size()}, [&](const Match& m) {
    std::string plain(m.Text(view.text, 0));
    for (const std::string_view drop : {"（零）", "零角", "零分"}) {
      const std::size_t at = plain.find(drop);
      if (at != std::string::npos) plain.erase(at, drop.size());
    }
    const Result<std::int64_t> fen = legal::ParseMoney(plain);
    if (!fen.ok()) return;
    Sum sum;
    sum.span = SpanOf(m);
    sum.fen = *fen;
    sum.capital = true;
    view.sums.push_back(sum);
  });
}

void FindDays(View& view) {
  static const Pattern kDigits =
      MustCompile("(?<!\\d)(\\d{4}) ?年 ?(\\d{1,2}) ?月 ?(\\d{1,2}) ?日");
  static const Pattern kChinese = MustCompile(
      "([一二三四五六七八九〇零○O0ＯΟ]{4})年([一二三四五六七八九十元]{1,3})月"
      "([一二三四五六七八九十廿卅]{1,3})日");
  const auto add = [&](const Match& m, int year, int month, int day, bool chinese) {
    Day found;
    found.span = SpanOf(m);
    found.chinese = chinese;
    const std::size_t from = m.begin() >= 12 ? m.begin() - 12 : 0;
    const std::string_view before = std::string_view(view.text).substr(from, m.begin() - from);
    const std::string_view month_text = m.Text(view.text, 2);
    found.lunar = Has(before, "农历") || Has(before, "阴历") || Has(before, "旧历") ||
                  Has(month_text, "农历");
    const Result<legal::Date> date = legal::ParseDate(
        std::to_string(year) + "-" + std::to_string(month) + "-" + std::to_string(day));
    if (date.ok()) found.date = *date;
    view.days.push_back(found);
  };
  ForEach(kDigits, view.text, {0, view.text.size()}, [&](const Match& m) {
    add(m, ToInt(m.Text(view.text, 1)), ToInt(m.Text(view.text, 2)), ToInt(m.Text(view.text, 3)),
        false);
  });
  ForEach(kChinese, view.text, {0, view.text.size()}, [&](const Match& m) {
    std::string year(m.Text(view.text, 1));
    for (const std::string_view zero : {"○", "O", "0", "Ｏ", "Ο", "零"}) {
      for (std::size_t at = year.find(zero); at != std::string::npos; at = year.find(zero)) {
        year.replace(at, zero.size(), "〇");
      }
    }
    const Result<std::int64_t> y = legal::ParseChineseNumber(year);
    const Result<std::int64_t> mo = legal::ParseChineseNumber(m.Text(view.text, 2));
    const Result<std::int64_t> d = legal::ParseChineseNumber(m.Text(view.text, 3));
    if (!y.ok() || !mo.ok() || !d.ok()) return;
    add(m, static_cast<int>(*y), static_cast<int>(*mo), static_cast<int>(*d), true);
  });
}

void FindCaseNumbers(View& view) {
  static const Pattern kNew = MustCompile(
      "[（〔\\[［]((?:19|20)\\d\\d)[）〕\\]］](最高法|\\p{Han}\\d{0,4}|[×某X*＊\\d\\p{Han}]{1,6}?)"
      "(知)?([\\p{Han}]{1,5}?)((?:第)?[\\d×X*＊某]{1,10})号(?!令|文|公告|解释|通知)");
  static const Pattern kOld = MustCompile(
      "[（〔\\[［]((?:19|20)\\d\\d)[）〕\\]］]([\\p{Han}×某X*＊\\d]{1,16}?)字第?([\\d×X*＊某、\\-"
      "－—]{1,16})号");
  std::size_t last_end = 0;
  ForEach(kOld, view.text, {0, view.text.size()}, [&](const Match& m) {
    CaseNumber number;
    number.span = SpanOf(m);
    number.year = ToInt(m.Text(view.text, 1));
    number.court = m.Text(view.text, 2);
    number.number = m.Text(view.text, 3);
    number.old_form = true;
    number.masked = IsMasked(m.Text(view.text, 0));
    view.case_numbers.push_back(number);
  });
  const std::size_t old_count = view.case_numbers.size();
  ForEach(kNew, view.text, {0, view.text.size()}, [&](const Match& m) {
    for (std::size_t i = 0; i < old_count; ++i) {
      if (view.case_numbers[i].span.Contains(m.begin())) return;
    }
    if (m.begin() < last_end || m.Text(view.text, 4).ends_with("字") ||
        m.Text(view.text, 5).starts_with("第")) {
      return;
    }
    CaseNumber number;
    number.span = SpanOf(m);
    number.year = ToInt(m.Text(view.text, 1));
    number.court = m.Text(view.text, 2);
    number.type = std::string(m.Text(view.text, 3)) + std::string(m.Text(view.text, 4));
    number.number = m.Text(view.text, 5);
    number.masked = IsMasked(m.Text(view.text, 0));
    last_end = m.end();
    view.case_numbers.push_back(number);
  });
}

template <typename T>
void SortBySpan(std::vector<T>& list) {
  std::sort(list.begin(), list.end(),
            [](const T& a, const T& b) { return a.span.begin < b.span.begin; });
}

}  // namespace

void FindFigures(View& view) {
  FindDigitSums(view);
  FindWrittenSums(view);
  FindDays(view);
  FindCaseNumbers(view);
  SortBySpan(view.sums);
  SortBySpan(view.days);
  SortBySpan(view.case_numbers);
}

}  // namespace zhibi::rules
