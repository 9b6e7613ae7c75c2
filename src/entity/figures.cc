// SPDX-License-Identifier: Apache-2.0
#include "entity/figures.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "base/status_macros.h"
#include "legal/chinese_number.h"
#include "legal/date.h"
#include "legal/money.h"

namespace zhibi::entity {
namespace {

constexpr std::array<const char*, 10> kSources = {
    // Articles: 第一百二十条之一第二款第（三）项
    R"(第[零〇一二三四五六七八九十百千\d]{1,9}条(?:之[一二三四五六七八九十\d]{1,2})?(?:第?[零〇一二三四五六七八九十百\d]{1,5}款)?(?:第?[（(]?[零〇一二三四五六七八九十百\d]{1,5}[)）]?[项目])?)",
    R"(《[^《》\n]{1,80}(?:《[^《》\n]{1,60}》[^《》\n]{0,60})?》)",
    // Dates: 1 year, 2 month, 3 day; 4 to 6 with - / .
    R"((?<![\d])((?:19|20)\d\d)\s?年(?:\s?(\d{1,2})\s?月(?:份(?!\d))?(?:\s?(\d{1,2})\s?[日号])?)?|(?<![\d./-])((?:19|20)\d\d)[-/.](\d{1,2})[-/.](\d{1,2})(?![\d./-]|[元万]))",
    R"(([〇零○Oo0一二三四五六七八九]{4})年(?:([一二三四五六七八九十]{1,3})月(?:([一二三四五六七八九十]{1,3})日)?)?)",
    // Sums: 1 currency sign, 2 figure, 3 余, 4 unit, 5 余, 6 yuan or a foreign currency, 7 N角, 8
    // N分
    R"((?<![A-Za-z\d.])(人民币|RMB|￥|¥|\$|US\$|USD|HK\$|€|£)?\s?(?<![\d.,])(\d{1,3}(?:[,，]\d{3})+(?:\.\d{1,6})?|\d{1,15}(?:\.\d{1,6})?)\s?([余多几]?)\s?(亿|千万|百万|十万|万|千|百)?([余多]?)(?:人民币)?(元(?![旦月素化])|圆|块(?!地|田|石|砖)|美元|美金|港元|港币|欧元|日元|英镑|澳元|加元|韩元|新加坡元|新台币|台币|卢布|法郎|瑞士法郎)(?:(\d)角)?(?:(\d)分(?!之))?)",
    // 1 the figure in characters, 2 余, 3 the yuan, 4 角, 5 分
    R"((?<![第零〇一二三四五六七八九十百千万亿两壹贰叁肆伍陆柒捌玖拾佰仟])([零〇一二三四五六七八九十百千万亿两壹贰叁肆伍陆柒捌玖拾佰仟]{1,30})([余多]?)\s?(元|圆)(?![旦月素化])[整正]?(?:零?([一二三四五六七八九壹贰叁肆伍陆柒捌玖])角[整正]?)?(?:零?([一二三四五六七八九壹贰叁肆伍陆柒捌玖])分(?!之)[整正]?)?)",
    // A figure without 元: 1 sign, 2 figure, 3 余, 4 unit, 5 余. What follows shows that it is a
    // sum.
    R"((?<![A-Za-z\d.])(人民币|RMB|￥|¥)?\s?(?<![\d.,])(\d{1,3}(?:[,，]\d{3})+(?:\.\d{1,6})?|\d{1,15}(?:\.\d{1,6})?)\s?([余多]?)\s?(亿|千万|百万|十万|万|千)?([余多]?)(?![\d\p{Han}A-Za-z%％.]|[,，]\d{3}|、\d+万?[元，])|(?<![A-Za-z\d.])()(?<![\d.,])(\d{1,3}(?:[,，]\d{3})+(?:\.\d{1,6})?|\d{1,15}(?:\.\d{1,6})?)([余多]?)(亿|千万|百万|十万|万)([余多]?)(?=(?:的|借款|本金|及|和|是|已|为|以|利息|货款|现金|款|给|用|进|转|打|汇|其中|中|至今|左右|一次|未|后|并|到|等|整|作|系|都|还|均))(?!及以))",
    R"((\d{1,6}(?:\.\d{1,6})?)\s?(%|％|‰|‱|个基点|BP|bp))",
    R"((百|千|万)分之([零〇一二三四五六七八九十百两点\d.]{1,12}))",
    // 月息2分, 年息一分五厘, 月利率2分
    R"((月息|月利率|月利|月利息|年息|年利率|年利|利息|利率)(?:按照?|为|以)?(?:每月|月)?([\d.]{1,4}|[一二三四五六七八九])分(?:([\d一二三四五六七八九])厘?)?(?!之))",
};

Entity Make(Kind kind, const Match& match) {
  Entity entity;
  entity.kind = kind;
  entity.begin = match.begin();
  entity.end = match.end();
  return entity;
}

// "1,234.5" times `scale`; empty where the result is no whole number or too large.
std::optional<std::int64_t> Scaled(std::string_view figure, std::int64_t scale) {
  std::int64_t value = 0;
  std::int64_t places = 1;
  bool fraction = false;
  for (const char c : figure) {
    if (c == '.') {
      fraction = true;
    } else if (c >= '0' && c <= '9') {
      if (value > INT64_C(900'000'000'000'000'000) / 10) return std::nullopt;
      value = value * 10 + (c - '0');
      if (fraction) places *= 10;
    }
  }
  // places is at most 10^6, scale at most 10^10: 128 bits hold every product.
  __extension__ using Wide = __int128;
  const Wide product = static_cast<Wide>(value) * scale;
  if (product % places != 0 || product / places > legal::kMaxFen) return std::nullopt;
  return static_cast<std::int64_t>(product / places);
}

std::int64_t UnitOf(std::string_view unit) {
  if (unit == "亿") return 100'000'000;
  if (unit == "千万") return 10'000'000;
  if (unit == "百万") return 1'000'000;
  if (unit == "十万") return 100'000;
  if (unit == "万") return 10'000;
  if (unit == "千") return 1'000;
  return unit == "百" ? 100 : 1;
}

int Number(std::string_view text) {
  int value = 0;
  for (const char c : text) value = value * 10 + (c - '0');
  return value;
}

std::string Padded(int value) { return (value < 10 ? "0" : "") + std::to_string(value); }

// One of kMoneyPattern's or kBareMoneyPattern's figures; `first` is the group of the sign.
bool ReadFigure(std::string_view text, const Match& match, std::size_t first, Entity& entity) {
  const std::int64_t unit = UnitOf(match.Text(text, first + 3));
  const std::optional<std::int64_t> fen = Scaled(match.Text(text, first + 1), unit * 100);
  if (!fen) return false;
  entity.number = *fen;
  const bool vague = !match.Text(text, first + 2).empty() || !match.Text(text, first + 4).empty();
  if (vague) entity.flags |= kApproximate;
  return true;
}

bool PrecededBy(std::string_view text, std::size_t at, std::string_view word) {
  return at >= word.size() && text.substr(at - word.size(), word.size()) == word;
}

// A bare figure counts as a sum where the clause before it speaks of money. 45 bytes: 15
// characters.
bool ClauseIsAboutMoney(std::string_view text, std::size_t at) {
  const std::size_t from = base::BorderFrom(text, at > 45 ? at - 45 : 0);
  std::string_view clause = text.substr(from, at - from);
  for (const std::string_view mark : {"，", "。", "；", "\n", "："}) {
    const std::size_t last = clause.rfind(mark);
    if (last != std::string_view::npos) clause = clause.substr(last + mark.size());
  }
  for (const std::string_view word :
       {"借",   "款",   "还",   "付", "欠", "转账", "汇",   "收到", "金额", "本金",
        "利息", "共计", "合计", "费", "价", "现金", "工资", "赔偿", "资金", "元"}) {
    if (clause.find(word) != std::string_view::npos) return true;
  }
  return false;
}

}  // namespace

Result<Figures> Figures::Create() {
  Figures figures;
  static_assert(kSources.size() == kSlots);
  for (const char* source : kSources) {
    ZB_ASSIGN_OR_RETURN(Pattern pattern, Pattern::Compile(source));
    figures.patterns_.push_back(std::move(pattern));
  }
  return figures;
}

void Figures::FindReferences(std::string_view text, const CaseNumbers& numbers,
                             Spans& spans) const {
  ForEach(numbers.pattern(), text, [&](const Match& match) {
    Entity entity = Make(Kind::kCaseNumber, match);
    const Result<CaseNumber> number = numbers.Parse(match.Text(text, 0));
    if (!number.ok()) return;
    entity.value = std::string(match.Text(text, 0));
    // One spelling of the brackets, so that equal numbers compare equal.
    const std::size_t close =
        entity.value.find_first_not_of("0123456789xX", match.groups[2].begin - match.begin());
    if (number->half_width_brackets && close != std::string::npos && entity.value[close] == ')') {
      entity.value.replace(close, 1, "）");
      entity.value.replace(0, 1, "（");
    }
    if (number->masked) entity.flags |= kMasked;
    if (number->old_form) entity.flags |= kOldForm;
    spans.AddExclusive(std::move(entity));
  });
  ForEach(patterns_[kArticlePattern], text, [&](const Match& match) {
    Entity entity = Make(Kind::kArticle, match);
    entity.value = std::string(match.Text(text, 0));
    spans.AddExclusive(std::move(entity));
  });
  ForEach(patterns_[kStatutePattern], text, [&](const Match& match) {
    Entity entity = Make(Kind::kStatute, match);
    entity.value = std::string(match.Text(text, 0));
    // Not exclusive: 《借款合同（编号：…）》 holds numbers that redaction must see.
    spans.Add(std::move(entity));
  });
}

void Figures::FindFigures(std::string_view text, Spans& spans) const {
  FindDates(text, spans);
  FindPercents(text, spans);
  FindMoney(text, spans);
}

void Figures::FindDates(std::string_view text, Spans& spans) const {
  const auto add = [&](const Match& match, int year, int month, int day) {
    Entity entity = Make(Kind::kDate, match);
    if (month == 0) {
      entity.value = std::to_string(year);
      entity.flags |= kPartial;
    } else if (day == 0) {
      entity.value = std::to_string(year) + "-" + Padded(month);
      entity.flags |= kPartial;
      if (month > 12) entity.flags |= kUnverified;
    } else {
      entity.value = std::to_string(year) + "-" + Padded(month) + "-" + Padded(day);
      // 2月30日 is read, and marked: a rule reports it.
      if (!legal::ParseDate(entity.value).ok()) entity.flags |= kUnverified;
    }
    spans.AddExclusive(std::move(entity));
  };
  ForEach(patterns_[kDatePattern], text, [&](const Match& match) {
    const std::size_t first = match.has(4) ? 4 : 1;
    add(match, Number(match.Text(text, first)), Number(match.Text(text, first + 1)),
        Number(match.Text(text, first + 2)));
  });
  ForEach(patterns_[kChineseDatePattern], text, [&](const Match& match) {
    std::string digits;
    for (const char c : match.Text(text, 1)) digits += c;
    for (const std::string_view zero : {"O", "o", "0", "○"}) {
      for (std::size_t at = digits.find(zero); at != std::string::npos; at = digits.find(zero)) {
        digits.replace(at, zero.size(), "〇");
      }
    }
    const auto number = [](std::string_view spelt) {
      const Result<std::int64_t> value = legal::ParseChineseNumber(spelt);
      return value.ok() ? static_cast<int>(*value) : 0;
    };
    const int year = number(digits);
    if (year < 1900 || year > 2200) return;
    add(match, year, match.has(2) ? number(match.Text(text, 2)) : 0,
        match.has(3) ? number(match.Text(text, 3)) : 0);
  });
}

void Figures::FindMoney(std::string_view text, Spans& spans) const {
  ForEach(patterns_[kMoneyPattern], text, [&](const Match& match) {
    Entity entity = Make(Kind::kMoney, match);
    if (!ReadFigure(text, match, 1, entity)) return;
    // 10万3000元: the part before 万 belongs to it.
    if (match.Text(text, 4).empty() && PrecededBy(text, entity.begin, "万")) {
      std::size_t from = entity.begin - std::string_view("万").size();
      const std::size_t end = from;
      while (from > 0 && end - from < 6 && text[from - 1] >= '0' && text[from - 1] <= '9') --from;
      if (from < end && entity.number < 1'000'000) {
        entity.number += std::int64_t{1'000'000} * Number(text.substr(from, end - from));
        entity.begin = from;
      }
    }
    entity.number += Number(match.Text(text, 7)) * 10 + Number(match.Text(text, 8));
    const std::string_view currency = match.Text(text, 6);
    const std::string_view sign = match.Text(text, 1);
    if (currency != "元" && currency != "圆" && currency != "块") {
      entity.flags |= kForeign;
      entity.value = std::string(currency);
    } else if (sign.ends_with('$') || sign == "USD" || sign == "€" || sign == "£") {
      entity.flags |= kForeign;
      entity.value = std::string(sign);
    }
    if (PrecededBy(text, entity.begin, "约") || PrecededBy(text, entity.begin, "近") ||
        text.substr(entity.end).starts_with("左右")) {
      entity.flags |= kApproximate;
    }
    spans.AddExclusive(std::move(entity));
  });
  ForEach(patterns_[kChineseMoneyPattern], text, [&](const Match& match) {
    Entity entity = Make(Kind::kMoney, match);
    const Result<std::int64_t> yuan = legal::ParseChineseNumber(match.Text(text, 1));
    if (!yuan.ok() || *yuan > legal::kMaxFen / 100) return;
    entity.number = *yuan * 100;
    for (const auto& [group, fen] : {std::pair{std::size_t{4}, 10}, std::pair{std::size_t{5}, 1}}) {
      if (!match.has(group)) continue;
      const Result<std::int64_t> digit = legal::ParseChineseNumber(match.Text(text, group));
      if (digit.ok()) entity.number += *digit * fen;
    }
    entity.flags |= kCapital;
    if (!match.Text(text, 2).empty()) entity.flags |= kApproximate;
    spans.AddExclusive(std::move(entity));
  });
  ForEach(patterns_[kBareMoneyPattern], text, [&](const Match& match) {
    const std::size_t first = match.has(6) ? 6 : 1;
    const bool sign = first == 1 && match.has(1);
    const std::string_view unit = match.Text(text, first + 3);
    if (!sign && unit.empty()) return;
    if (!sign && !ClauseIsAboutMoney(text, match.begin())) return;
    Entity entity = Make(Kind::kMoney, match);
    if (!ReadFigure(text, match, first, entity)) return;
    entity.flags |= kNoUnit;
    spans.AddExclusive(std::move(entity));
  });
}

void Figures::FindPercents(std::string_view text, Spans& spans) const {
  ForEach(patterns_[kPercentPattern], text, [&](const Match& match) {
    Entity entity = Make(Kind::kPercent, match);
    const std::string_view unit = match.Text(text, 2);
    std::int64_t scale = 10'000;
    entity.value = "percent";
    if (unit == "‰") {
      scale = 1'000;
      entity.value = "permille";
    } else if (unit == "‱" || unit == "个基点" || unit == "BP" || unit == "bp") {
      scale = 100;
      entity.value = "bp";
    }
    const std::optional<std::int64_t> millionths = Scaled(match.Text(text, 1), scale);
    if (!millionths) return;
    entity.number = *millionths;
    spans.AddExclusive(std::move(entity));
  });
  ForEach(patterns_[kChinesePercentPattern], text, [&](const Match& match) {
    Entity entity = Make(Kind::kPercent, match);
    const std::string_view base = match.Text(text, 1);
    const std::int64_t scale = base == "百" ? 10'000 : base == "千" ? 1'000 : 100;
    entity.value = base == "百" ? "percent" : base == "千" ? "permille" : "bp";
    const std::string figure(match.Text(text, 2));
    const std::size_t point = figure.find("点");
    if (figure[0] >= '0' && figure[0] <= '9') {
      const std::optional<std::int64_t> value = Scaled(figure, scale);
      if (!value) return;
      entity.number = *value;
    } else {
      const Result<std::int64_t> whole = legal::ParseChineseNumber(figure.substr(0, point));
      if (!whole.ok()) return;
      std::string digits = std::to_string(*whole);
      if (point != std::string::npos) {
        // One digit a character behind 点; 万分之一点七五.
        digits += '.';
        for (std::size_t i = point + 3; i + 3 <= figure.size(); i += 3) {
          const Result<std::int64_t> digit = legal::ParseChineseNumber(figure.substr(i, 3));
          if (!digit.ok() || *digit > 9) return;
          digits += static_cast<char>('0' + *digit);
        }
      }
      const std::optional<std::int64_t> value = Scaled(digits, scale);
      if (!value) return;
      entity.number = *value;
    }
    spans.AddExclusive(std::move(entity));
  });
  ForEach(patterns_[kRatePattern], text, [&](const Match& match) {
    Entity entity = Make(Kind::kPercent, match);
    // 年息一分 is 10 % a year, 月息一分 1 % a month; without a word of time it is by the month.
    const bool yearly = match.Text(text, 1).starts_with("年");
    entity.value = yearly ? "percent" : "month";
    std::string figure(match.Text(text, 2));
    if (const Result<std::int64_t> digit = legal::ParseChineseNumber(figure); digit.ok()) {
      figure = std::to_string(*digit);
    }
    if (match.has(3)) {
      std::string small(match.Text(text, 3));
      if (const Result<std::int64_t> digit = legal::ParseChineseNumber(small); digit.ok()) {
        small = std::to_string(*digit);
      }
      figure += "." + small;
    }
    const std::optional<std::int64_t> value = Scaled(figure, yearly ? 100'000 : 10'000);
    if (!value) return;
    entity.number = *value;
    spans.AddExclusive(std::move(entity));
  });
}

}  // namespace zhibi::entity
