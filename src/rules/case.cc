// SPDX-License-Identifier: Apache-2.0
// CASE-01 to CASE-05: the form of case numbers, numbers that look made up, and whether the codes
// fit the court and the procedure (法〔2015〕137号, 法〔2018〕335号). The table of courts is a
// sample, so a miss there says nothing; whether a cited case exists is not decidable from a text.
#include <algorithm>
#include <string>

#include "base/utf8.h"
#include "entity/case_number.h"
#include "entity/courts.h"
#include "rules/context.h"

namespace zhibi::rules {
namespace {

// Letters of case numbers by area; the letters that number plates use instead are a common slip.
constexpr std::string_view kLetters =
    "京津冀晋内辽吉黑沪苏浙皖闽赣鲁豫鄂湘粤桂琼渝川黔云藏陕甘青宁新兵军";

std::string RightLetter(std::string_view wrong) {
  if (wrong == "贵") return "黔";
  if (wrong == "蒙") return "内";
  if (wrong == "滇") return "云";
  if (wrong == "蜀") return "川";
  if (wrong == "秦") return "陕";
  if (wrong == "陇") return "甘";
  if (wrong == "港" || wrong == "澳" || wrong == "台") return "";
  return "";
}

std::string_view FirstChar(std::string_view text) {
  return text.empty() ? text : text.substr(0, base::DecodeUtf8(text).length);
}

std::size_t DigitsAtEnd(std::string_view court) {
  std::size_t count = 0;
  while (count < court.size() && court[court.size() - 1 - count] >= '0' &&
         court[court.size() - 1 - count] <= '9') {
    ++count;
  }
  return count;
}

void CheckForm(Context& context, const CaseNumber& number) {
  if (number.masked) return;
  if (context.date && number.year > context.date->year) {
    context.Report("CASE-01", number.span,
                   {.message = "案号的收案年度" + std::to_string(number.year) + "晚于文书日期",
                    .suggestion = "核对收案年度"});
    return;
  }
  if (number.old_form) return;
  const std::string_view letter = FirstChar(number.court);
  if (letter == "最" || number.court.empty()) return;
  const std::size_t digits = DigitsAtEnd(number.court);
  if (number.court.size() != letter.size() + digits) return;
  if (!Has(kLetters, letter)) {
    if (digits == 0) return;
    const std::string right = RightLetter(letter);
    context.Report("CASE-01", number.span,
                   {.message = "案号中的“" + std::string(letter) + "”不是法院代字",
                    .suggestion = right.empty() ? std::string("核对法院代字")
                                                : "法院代字应为“" + right + "”"});
    return;
  }
  if (digits == 1 || digits == 3) {
    context.Report(
        "CASE-01", number.span,
        {.message = "法院代字“" + number.court + "”的数字应为两位（中级法院）或者四位（基层法院）",
         .suggestion = "核对法院代字"});
    return;
  }
  if (number.year < 2016) {
    context.Report("CASE-01", number.span,
                   {.message = "2016年以前的案号不用这种格式",
                    .suggestion = "核对收案年度或者案号格式",
                    .level = Level::kWarning});
  }
  if (number.number.size() > 1 && number.number.front() == '0' && number.year >= 2016) {
    context.Report("CASE-01", number.span,
                   {.message = "案件编号是自然数，不以0开头",
                    .suggestion = "去掉编号前的0",
                    .level = Level::kWarning});
  }
}

bool Suspicious(std::string_view digits) {
  if (digits.size() < 4) return false;
  bool same = true;
  bool rising = true;
  bool falling = true;
  for (std::size_t i = 1; i < digits.size(); ++i) {
    same = same && digits[i] == digits[0];
    rising = rising && digits[i] == digits[i - 1] + 1;
    falling = falling && digits[i] == digits[i - 1] - 1;
  }
  return same || rising || falling;
}

// Numbers that are broken so that FindCaseNumbers does not take them: no number, no type, no 号.
void CheckBroken(Context& context) {
  static const Pattern kNoNumber = MustCompile("（(?:19|20)\\d\\d）[" + std::string(kLetters) +
                                               "]\\d{2,4}(?:民|刑|行|执|破|知)[\\p{Han}]{0,3}号");
  static const Pattern kNoEnd =
      MustCompile("（(?:19|20)\\d\\d）[" + std::string(kLetters) +
                  "]\\d{0,4}(?:民|刑|行|执|破|知|赔)[\\p{Han}]{0,3}\\d{1,6}(?![\\d号、之×*Xx-])");
  static const Pattern kNoType =
      MustCompile("（(?:19|20)\\d\\d）[" + std::string(kLetters) + "]\\d{3,12}号");
  static const Pattern kNoYear =
      MustCompile("(?<![）〕\\]\\p{Han}\\d])(?<![）〕\\]][\\n 　])[" + std::string(kLetters) +
                  "]\\d{2,4}(?:民|刑|行|执)[\\p{Han}]{1,3}\\d{1,6}号");
  static const Pattern kShortYear =
      MustCompile("（(?:\\d{1,3}|\\d{5,6})）[" + std::string(kLetters) +
                  "]\\d{0,4}(?:民|刑|行|执)[\\p{Han}]{1,3}\\d{1,6}号");
  const Span all{0, context.view.text.size()};
  const auto report = [&](const Match& m, const std::string& message) {
    context.Report(
        "CASE-01", SpanOf(m),
        {.message = message, .suggestion = "按（年度）法院代字类型代字编号号的格式补全"});
  };
  ForEach(kNoNumber, context.view.text, all,
          [&](const Match& m) { report(m, "案号缺少案件编号"); });
  ForEach(kNoEnd, context.view.text, all, [&](const Match& m) { report(m, "案号末尾缺少“号”字"); });
  ForEach(kNoType, context.view.text, all, [&](const Match& m) { report(m, "案号缺少类型代字"); });
  ForEach(kNoYear, context.view.text, all, [&](const Match& m) { report(m, "案号缺少收案年度"); });
  ForEach(kShortYear, context.view.text, all,
          [&](const Match& m) { report(m, "案号的收案年度不是四位数字"); });
}

// Area letter of a court's name, from the province at its front.
std::string LetterOfCourt(const Context& context, std::string_view court) {
  static const Pattern kArea = MustCompile(
      "^(?:中华人民共和国)?(北京|天津|河北|山西|内蒙古|辽宁|吉林|黑龙江|上海|江苏|浙江|安徽|福建|"
      "江西|山东|河南|"
      "湖北|湖南|广东|广西|海南|重庆|四川|贵州|云南|西藏|陕西|甘肃|青海|宁夏|新疆)");
  Match match;
  if (!kArea.Search(court, 0, &match)) return "";
  if (Has(court, "兵团")) return "兵";
  // 海南藏族自治州 lies in 青海, 吉林市 in 吉林.
  if (court.starts_with("海南藏族")) return "青";
  return context.tables.recogniser.case_numbers().LetterOf(match.Text(court, 1));
}

void CheckCourt(Context& context, const CaseNumber& number, std::string_view court) {
  if (number.masked || number.old_form || court.empty() || IsMasked(court)) return;
  const std::string letter = LetterOfCourt(context, court);
  const std::string_view own = FirstChar(number.court);
  const std::size_t digits = DigitsAtEnd(number.court);
  const std::string_view special[] = {"铁路", "海事", "知识产权", "互联网", "金融", "油田", "林区",
                                      "农垦", "垦区", "矿区",     "开发区", "兵团", "军事"};
  bool ordinary = true;
  for (const std::string_view word : special) ordinary = ordinary && !Has(court, word);
  // Courts of railways, seas and the army reach over provinces; the others lie in theirs.
  bool provincial = true;
  for (const std::string_view word : {"铁路", "海事", "兵团", "军事"}) {
    provincial = provincial && !Has(court, word);
  }
  const std::string name(court);
  if (!letter.empty() && provincial && Has(kLetters, own) && letter != own) {
    context.Report("CASE-03", number.span,
                   {.message = "案号的法院代字“" + number.court + "”与“" + name + "”不符",
                    .suggestion = name + "的代字以“" + letter + "”开头"});
    return;
  }
  const std::string_view expected = context.tables.recogniser.courts().NameOf(number.court);
  const std::string_view code = context.tables.recogniser.courts().CodeOf(court);
  if (!code.empty() && code != number.court) {
    context.Report(
        "CASE-03", number.span,
        {.message = "案号的法院代字“" + number.court + "”与“" + name + "”不符",
         .suggestion =
             name + "的代字是“" + std::string(code) + "”" +
             (expected.empty() ? "" : "；“" + number.court + "”是" + std::string(expected))});
    return;
  }
  if (!ordinary) return;
  const entity::CourtLevel level = entity::LevelOfCourtName(court);
  const bool wrong = (level == entity::CourtLevel::kHigh && digits != 0) ||
                     (level == entity::CourtLevel::kIntermediate && digits != 2) ||
                     (level == entity::CourtLevel::kSupreme && own != "最");
  if (wrong && Has(kLetters, own)) {
    context.Report("CASE-03", number.span,
                   {.message = "案号的法院代字“" + number.court + "”与“" + name + "”的级别不符",
                    .suggestion = "高级法院没有数字，中级法院两位，基层法院四位"});
  }
}

void CheckOwn(Context& context) {
  const View& view = context.view;
  if (!view.own_number || view.own_number->masked) return;
  const CaseNumber& own = *view.own_number;
  if (view.court_line.end > 0) CheckCourt(context, own, view.At(view.court_line));
  const std::string type = own.old_form ? own.court : own.type;
  const std::string title(view.At(view.title));
  const bool mismatch =
      (Has(title, "民事") && !Has(title, "刑事") && Has(type, "刑")) ||
      (Has(title, "刑事") && (own.type.starts_with("民") || own.type.starts_with("行"))) ||
      (Has(title, "行政") && (own.type.starts_with("民") || own.type.starts_with("刑")));
  if (mismatch) {
    context.Report("CASE-04", own.span,
                   {.message = "案号的类型代字“" + type + "”与“" + title + "”不符",
                    .suggestion = "核对类型代字"});
    return;
  }
  if (own.old_form) return;
  const std::string_view head = std::string_view(view.text).substr(own.span.end, 2400);
  const bool appeal = Has(head, "\n上诉人");
  const bool first = own.type.ends_with("初");
  if (first && appeal && !Has(head, "\n公诉机关") && view.form == Form::kJudgment) {
    context.Report("CASE-04", own.span,
                   {.message = "当事人是上诉人，案号的类型代字却是一审的“" + own.type + "”",
                    .suggestion = "二审案件的类型代字以“终”结尾"});
  }
  if (own.type.ends_with("终") && !appeal && !Has(head, "上诉") && !Has(head, "抗诉") &&
      view.form == Form::kJudgment) {
    context.Report("CASE-04", own.span,
                   {.message = "案号的类型代字“" + own.type + "”是二审的，文中没有上诉人",
                    .suggestion = "核对类型代字"});
  }
}

// The court whose name stands right before a case number:
// 北京市朝阳区人民法院（2024）京0105民初1号.
std::string_view CourtBefore(const View& view, std::size_t at) {
  static const Pattern kCourt = MustCompile(
      "([\\p{Han}]{2,30}?法院)(?:于[^，。；\\n]{4,16}日?)?(?:作出的?|以|的|就)?[^，。；\\p{Han}\\n]"
      "{0,2}"
      "$");
  const std::size_t begin = base::BorderFrom(view.text, at >= 150 ? at - 150 : 0);
  const std::string_view before = std::string_view(view.text).substr(begin, at - begin);
  Match match;
  if (!kCourt.Search(before, 0, &match)) return {};
  std::string_view court = match.Text(before, 1);
  for (const std::string_view lead :
       {"不服", "撤销", "维持", "变更", "由",   "经",   "于",   "向",   "在",   "和",
        "及",   "与",   "被",   "对",   "将",   "因",   "至",   "中",   "后",   "即",
        "系",   "依据", "根据", "依照", "核准", "一案", "按照", "关于", "上述", "以及"}) {
    const std::size_t found = court.rfind(lead);
    if (found != std::string_view::npos && court.size() - found > lead.size() + 12) {
      const std::string_view rest = court.substr(found + lead.size());
      static const Pattern kStarts = MustCompile(
          "^(?:北京|天津|河北|山西|内蒙古|辽宁|吉林|黑龙江|上海|江苏|浙江|安徽|福建|江西|山东|河南|"
          "湖北|湖南|广东|广西|海南|重庆|四川|贵州|云南|西藏|陕西|甘肃|青海|宁夏|新疆|最高)");
      if (Has(kStarts, rest)) court = rest;
    }
  }
  return court;
}

void CheckUnverified(Context& context, const CaseNumber& number) {
  static const Pattern kExample = MustCompile(
      "参照|参考|类案|类似案|同类|案例|判例|生效(?:判决|裁判)(?:也|亦|均)|例如|如（|裁判(?:观点|"
      "要旨)");
  const Span sentence = context.view.SentenceAt(number.span.begin);
  if (!Has(kExample, context.view.At(sentence))) return;
  context.Report("CASE-05", number.span,
                 {.message = "引用的案例没有核实：程序不能判断这一案号是否存在、内容是否相符",
                  .suggestion = "在人民法院案例库或者裁判文书网核对后再使用"});
}

}  // namespace

void CheckCases(Context& context) {
  const View& view = context.view;
  CheckBroken(context);
  CheckOwn(context);
  for (const CaseNumber& number : view.case_numbers) {
    if (view.PartAt(number.span.begin) == Part::kAppendix) continue;
    CheckForm(context, number);
    const bool own = view.own_number && view.own_number->span == number.span;
    if (!own) CheckCourt(context, number, CourtBefore(view, number.span.begin));
    if (!number.masked && !number.old_form && Suspicious(number.number)) {
      context.Report("CASE-02", number.span,
                     {.message = "案件编号" + number.number + "是连续或者重复的数字，可能是编造的",
                      .suggestion = "核对案号来源"});
    }
    if (!own) CheckUnverified(context, number);
  }
}

}  // namespace zhibi::rules
