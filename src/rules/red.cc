// SPDX-License-Identifier: Apache-2.0
// RED-01 to RED-04, RED-09: what must not stand in a text for the web, and what must stay in it
// (法释〔2016〕19号 4, 8 to 10; 2026-01: judges and case numbers are not masked). Only with
// --publish. P0 keeps everything and is told how much it holds; P1 to P3 must hold nothing.
#include <map>
#include <span>
#include <string>

#include "rules/context.h"

namespace zhibi::rules {
namespace {

struct Kind {
  const char* name;
  Pattern pattern;
  bool luhn = false;
};

bool Luhn(std::string_view digits) {
  int sum = 0;
  bool twice = false;
  int count = 0;
  for (auto c = digits.rbegin(); c != digits.rend(); ++c) {
    if (*c == ' ') continue;
    int value = *c - '0';
    if (twice) {
      value *= 2;
      if (value > 9) value -= 9;
    }
    sum += value;
    twice = !twice;
    ++count;
  }
  return count >= 13 && sum % 10 == 0;
}

std::span<const Kind> Kinds() {
  static const Kind kKinds[] = {
      {"公民身份号码", MustCompile("(?<![0-9A-Za-z])[1-9]\\d{5}(?:18|19|20)\\d\\d(?:0[1-9]|1[0-2])("
                                   "?:0[1-9]|[12]\\d|3[01])\\d{3}[\\dXx](?![0-9A-Za-z])")},
      {"手机号码", MustCompile("(?<![\\d.])1[3-9]\\d[ -]?\\d{4}[ -]?\\d{4}(?![\\d.])")},
      {"电话号码", MustCompile("(?<![\\d.])0\\d{2,3}-\\d{7,8}(?!\\d)")},
      {"银行账号", MustCompile("(?<![\\d.])(?:62|4|5[1-5]|3[47])\\d[\\d ]{10,17}\\d(?![\\d.])"),
       true},
      {"银行账号", MustCompile("(?:账号|帐号|账户|卡号)[^\\d，。；\\n]{0,8}\\d{9,30}")},
      {"车牌号码",
       MustCompile("[京津沪渝冀豫云辽黑湘皖鲁新苏浙赣鄂桂甘晋蒙陕吉闽贵粤青藏川宁琼][A-HJ-NP-Z]·?["
                   "A-HJ-NP-Z0-9]{4,5}[A-HJ-NP-Z0-9挂学警港澳](?![A-Z0-9])")},
      {"电子邮箱", MustCompile("[A-Za-z0-9._-]+@[A-Za-z0-9-]+(?:\\.[A-Za-z]{2,})+")},
      {"住址",
       MustCompile(
           "(?:住|住所地?|户籍地|地址)[：:]?[\\p{Han}\\d]{2,40}?\\d+(?:号|室|栋|幢|单元|弄)")},
      {"微信号", MustCompile("微信号?[：:][ ]*[A-Za-z][-_A-Za-z0-9]{5,19}")},
      {"权属证书编号", MustCompile("不动产权第\\d+号|房权证[^，。；\\n]{0,12}字第?[\\d-]{4,}号")},
  };
  return kKinds;
}

template <typename F>
void ForEachSensitive(const View& view, F f) {
  for (const Kind& kind : Kinds()) {
    ForEach(kind.pattern, view.text, {0, view.text.size()}, [&](const Match& m) {
      if (kind.luhn && !Luhn(m.Text(view.text, 0))) return;
      for (const CaseNumber& number : view.case_numbers) {
        if (number.span.Contains(m.begin())) return;
      }
      f(kind, SpanOf(m));
    });
  }
}

void CheckOriginal(Context& context) {
  std::map<std::string, int> counts;
  int total = 0;
  ForEachSensitive(context.view, [&](const Kind& kind, Span) {
    ++counts[kind.name];
    ++total;
  });
  if (total == 0) return;
  std::string list;
  for (const auto& [name, count] : counts) {
    list += (list.empty() ? "" : "、") + name + std::to_string(count) + "处";
  }
  context.Report("RED-01", context.view.title,
                 {.message = "正本含敏感信息" + std::to_string(total) + "处：" + list,
                  .evidence = list,
                  .suggestion = "对外提供以前先脱敏"});
}

void CheckResidue(Context& context) {
  const bool organisations =
      context.options.publish == Publish::kP2 || context.options.publish == Publish::kP3;
  ForEachSensitive(context.view, [&](const Kind& kind, Span span) {
    const bool agency = std::string_view(kind.name) == "住址" &&
                        Has(context.view.At(context.view.SentenceAt(span.begin)), "公司") &&
                        !organisations;
    if (agency) return;
    context.Report("RED-02", span,
                   {.message = std::string("对外公布的文本中还有") + kind.name,
                    .suggestion = "删除或者以“×”代替"});
  });
  static const Pattern kCode = MustCompile("(?<![0-9A-Za-z])9[0-9A-Z]{17}(?![0-9A-Za-z])");
  if (organisations) {
    ForEach(kCode, context.view.text, {0, context.view.text.size()}, [&](const Match& m) {
      context.Report("RED-02", SpanOf(m),
                     {.message = "对外公布的文本中还有统一社会信用代码", .suggestion = "删除"});
    });
    // Natural persons keep their family name only.
    for (const Party& party : context.view.parties) {
      if (party.masked || party.organisation || party.agent || party.side == Side::kState) continue;
      if (party.name.size() < 6 || party.name.size() > 12) continue;
      context.Report("RED-02", party.span,
                     {.message = "当事人“" + party.name + "”没有隐名",
                      .suggestion = party.name.substr(0, 3) + "某"});
    }
  }
}

void CheckSameNames(Context& context) {
  std::map<std::string, const Party*> seen;
  for (const Party& party : context.view.parties) {
    if (!party.masked || party.agent || party.organisation) continue;
    const auto [it, added] = seen.emplace(party.name, &party);
    if (added) continue;
    if (it->second->side == party.side && it->second->span.begin == party.span.begin) continue;
    context.Report("RED-03", party.span,
                   {.message = "两个当事人隐名后都是“" + party.name + "”，读者分不清",
                    .suggestion = party.name + "1、" + party.name + "2"});
  }
}

void CheckUnpublishable(Context& context) {
  const View& view = context.view;
  // What this case is about: what is asked or decided, or how the court names its own case.
  static const Pattern kDivorce = MustCompile(
      "(?:准予|准许|不准|请求|要求|判令|驳回)[^。\\n]{0,24}离婚(?=[。，；、]|的|$)|解除[^。\\n]{0,"
      "24}婚姻关系|"
      "本案(?:系|是|为|属于?)?离婚(?:纠纷|诉讼)|离婚(?:纠纷)?一案[^。\\n]{0,60}?(?:现已审理终结|"
      "本院[^"
      "。\\n]{"
      "0,16}(?:立案|受理))|抚养权纠纷|变更抚养关系|监护权");
  // Words that another case may have brought in: a loan or property after a divorce is published.
  static const Pattern kMention = MustCompile("离婚纠纷|离婚诉讼|离婚一案");
  static const Pattern kMinor = MustCompile(
      "未成年人犯罪|犯罪时(?:未满|不满)十八(?:周)?岁|系未成年被告人|未成年被告人|不公开开庭审理"
      "[^。\\n]{0,30}未成年");
  Match match;
  const auto report = [&](Span span, const std::string& why) {
    context.Report("RED-04", span,
                   {.message = why + "，不在互联网公布", .suggestion = "不生成上网版"});
  };
  if (view.form == Form::kMediation) report(view.title, "以调解方式结案的文书");
  if (view.branch != Branch::kCriminal) {
    if (kDivorce.Search(view.text, 0, &match)) {
      report(SpanOf(match), "离婚诉讼或者涉及未成年子女抚养、监护的文书");
    } else if (kMention.Search(view.text, 0, &match)) {
      context.Report("RED-04", SpanOf(match),
                     {.message = "提到离婚诉讼；本案如果就是离婚诉讼，不在互联网公布",
                      .suggestion = "核对本案案由",
                      .level = Level::kWarning});
    }
  }
  if (view.branch == Branch::kCriminal && kMinor.Search(view.text, 0, &match)) {
    report(SpanOf(match), "未成年人犯罪的文书");
  }
}

void CheckOverMasked(Context& context) {
  const View& view = context.view;
  static const Pattern kJudge = MustCompile(
      "^(?:代理|助理)?(?:审 ?判 ?长|审 ?判 ?员|人民陪审员|书 ?记 ?员|法官助理)[ "
      "：:]*([\\p{Han}]?[某×＊*xX]+[\\p{Han}某×＊*]*)");
  static const Pattern kNumber = MustCompile(
      "（[×Xx＊*]{2,4}）[^，。；\\n]{1,20}?号|（\\d{4}）[^，。；\\n（）]{0,10}?[×＊*]{1,6}[^"
      "，。；\\n（）]{0,12}?号");
  ForEach(kJudge, view.text, {0, view.text.size()}, [&](const Match& m) {
    context.Report("RED-09", SpanOf(m),
                   {.message = "审判人员、书记员的姓名不隐去", .suggestion = "写明姓名"});
  });
  ForEach(kNumber, view.text, {0, view.text.size()}, [&](const Match& m) {
    context.Report("RED-09", SpanOf(m), {.message = "案号不隐去", .suggestion = "写明案号"});
  });
}

}  // namespace

void CheckRedaction(Context& context) {
  switch (context.options.publish) {
    case Publish::kNone:
      return;
    case Publish::kP0:
      CheckOriginal(context);
      return;
    case Publish::kP1:
    case Publish::kP2:
    case Publish::kP3:
      CheckResidue(context);
      CheckSameNames(context);
      CheckUnpublishable(context);
      CheckOverMasked(context);
      return;
  }
}

}  // namespace zhibi::rules
