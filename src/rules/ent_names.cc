// SPDX-License-Identifier: Apache-2.0
// ENT-01 and ENT-02: names after 原告, 被告 and the like that the head does not introduce, and
// spellings one character away from a party. Whether 王建军 is a slip for 王建国 or his brother no
// program can decide from names alone, so both are warnings, and a name that the text introduces on
// its own (其兄王建军, 证人…, a heading, an agent) or uses more than once is left alone.
#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "base/utf8.h"
#include "rules/context.h"

namespace zhibi::rules {
namespace {

bool IsHan(std::string_view c) {
  return c.size() == 3 && static_cast<unsigned char>(c[0]) >= 0xE4 &&
         static_cast<unsigned char>(c[0]) <= 0xE9;
}

std::size_t Count(std::string_view text, std::string_view part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != std::string_view::npos;
       at = text.find(part, at + part.size())) {
    ++count;
  }
  return count;
}

bool Introduced(std::string_view text, std::string_view name, std::size_t at, bool beside) {
  static const Pattern kBefore = MustCompile(
      "(?:其|之)?(?:兄|弟|哥|姐|妹|父|母|子|女|妻|夫|叔|侄|亲)[弟哥姐妹亲子]?$|证人$|案外人$|"
      "法定代表人$|代理人$|经营者$|负责人$|"
      "审判长 ?$|审判员 ?$|书记员 ?$|陪审员 ?$|检察员 "
      "?$|律师$|民警$|被害人$|同案人$|同案犯$");
  static const Pattern kListed = MustCompile("[、和与及]$");
  const std::size_t begin = base::BorderFrom(text, at >= 24 ? at - 24 : 0);
  const std::string_view before = text.substr(begin, at - begin);
  if (Has(kBefore, before)) return true;
  // In a list beside the party itself it is another person.
  if ((Has(kListed, before) || text.substr(at + name.size()).starts_with("、")) && beside)
    return true;
  const std::string_view after = text.substr(at + name.size(), 9);
  return after.starts_with("（") || after.starts_with("，男") || after.starts_with("，女");
}

bool IsSuspectChar(std::string_view c) {
  static const std::string_view kWords =
      "的了在是与和及等因未于为将向从到对被又不应已无有经后前自系以并其该至还归借同之也均曾再均则均"
      "或均起诉"
      "称辩述偿某甲乙丙丁签订提犯伙持驾故均共出支给付交";
  return kWords.find(c) != std::string_view::npos;
}

bool AfterRole(std::string_view text, std::size_t at) {
  for (const std::string_view word : {"原告", "被告", "被告人", "上诉人", "申请人", "第三人"}) {
    if (at >= word.size() && text.substr(at - word.size(), word.size()) == word) return true;
  }
  return false;
}

// Places where the name stands with one given character replaced.
void CheckPerson(Context& context, const Party& party, const std::set<std::string>& known) {
  const View& view = context.view;
  const std::vector<std::string_view> name = base::Characters(party.name);
  if (name.size() != 3) return;
  for (const std::string_view c : name) {
    if (!IsHan(c)) return;
  }
  const std::size_t uses = Count(view.text, party.name);
  const auto look = [&](const std::string& first, const std::string& last, std::size_t gap_at) {
    for (std::size_t at = view.text.find(first, party.span.end); at != std::string::npos;
         at = view.text.find(first, at + first.size())) {
      const Part part = view.PartAt(at);
      if (part == Part::kSignature || part == Part::kAppendix) return;
      const std::size_t gap = at + first.size();
      if (gap + 3 > view.text.size()) return;
      const std::string_view c = std::string_view(view.text).substr(gap, 3);
      if (!IsHan(c) || c == name[gap_at] || IsSuspectChar(c)) continue;
      if (!last.empty() && view.text.compare(gap + 3, last.size(), last) != 0) continue;
      const std::size_t end = gap + 3 + last.size();
      const std::string variant(view.At({at, end}));
      if (known.contains(variant) || variant == party.name) continue;
      // The last character is also what follows a short name: only where nothing else begins so.
      if (gap_at == 2 && !AfterRole(view.text, at) &&
          (uses < 2 || Count(view.text, variant) > 1 || Count(view.text, first) > uses + 1)) {
        continue;
      }
      const bool beside = Has(view.At(view.SentenceAt(at)), party.name);
      if (Introduced(view.text, variant, at, beside)) continue;
      const std::size_t times = Count(view.text, variant);
      if (times > 2 || (times >= uses && times > 1)) continue;
      context.Report("ENT-02", {at, end},
                     {.message = "“" + variant + "”与当事人“" + party.name +
                                 "”只差一个字；程序不能判断是误写还是另一人",
                      .suggestion = "若为误写，改为“" + party.name + "”"});
    }
  };
  look(std::string(name[0]), std::string(name[2]), 1);
  look(std::string(name[0]) + std::string(name[1]), "", 2);
}

// An organisation written with one character replaced, or 有限责任公司 for 有限公司.
void CheckOrganisation(Context& context, const Party& party) {
  const View& view = context.view;
  const std::vector<std::string_view> name = base::Characters(party.name);
  if (name.size() < 6) return;
  std::set<std::size_t> reported;
  const std::size_t half = name.size() / 2;
  std::string front;
  std::string back;
  for (std::size_t i = 0; i < half; ++i) front += name[i];
  for (std::size_t i = half; i < name.size(); ++i) back += name[i];
  const auto compare = [&](std::size_t begin) {
    const std::size_t end = begin + party.name.size();
    if (begin < party.span.end || end > view.text.size() || reported.contains(begin)) return;
    const std::vector<std::string_view> have = base::Characters(view.At({begin, end}));
    if (have.size() != name.size()) return;
    std::size_t differ = 0;
    std::size_t where = 0;
    for (std::size_t i = 0; i < name.size(); ++i) {
      if (have[i] != name[i]) {
        ++differ;
        where = i;
      }
    }
    if (differ != 1 || !IsHan(have[where])) return;
    const std::string variant(view.At({begin, end}));
    if (Count(view.text, variant) > 2) return;
    for (const Party& other : view.parties) {
      if (Has(other.name, variant)) return;
    }
    reported.insert(begin);
    context.Report("ENT-02", {begin, end},
                   {.message = "“" + variant + "”与当事人“" + party.name + "”只差一个字",
                    .suggestion = "若为误写，改为“" + party.name + "”"});
  };
  for (std::size_t at = view.text.find(front); at != std::string::npos;
       at = view.text.find(front, at + front.size())) {
    compare(at);
  }
  for (std::size_t at = view.text.find(back); at != std::string::npos;
       at = view.text.find(back, at + back.size())) {
    if (at >= front.size()) compare(at - front.size());
  }
  static constexpr std::string_view kShort = "有限公司";
  static constexpr std::string_view kLong = "有限责任公司";
  std::string other = party.name;
  if (const std::size_t at = other.find(kLong); at != std::string::npos) {
    other.replace(at, kLong.size(), kShort);
  } else if (const std::size_t place = other.find(kShort); place != std::string::npos) {
    other.replace(place, kShort.size(), kLong);
  } else {
    return;
  }
  for (const Party& registered : view.parties) {
    if (registered.name == other) return;
  }
  for (std::size_t at = view.text.find(other, party.span.end); at != std::string::npos;
       at = view.text.find(other, at + other.size())) {
    context.Report(
        "ENT-02", {at, at + other.size()},
        {.message = "当事人名称前后不一：首部写“" + party.name + "”", .suggestion = party.name});
  }
}

// 原告X, 被告X where no party, agent or abbreviation begins like X.
void CheckUnknown(Context& context) {
  static const Pattern kMention = MustCompile(
      "(?<!反诉|本诉|原审|一审|二审|同案|另案)(原告|被告人|被告|上诉人)(?!["
      "人一二三四五六七八九十方单]|主体|席|住所|所在)(["
      "\\p{Han}·]{2,4}?)"
      "(?=诉称|辩称|系|向|于|未|在|与|的|支付|偿还|返还|归还|承担|应|负担|提供|签订|提交|认为|经|"
      "因|借|赔偿|犯|以|无视|违反|违背|明知|伙同|驾驶|如实|到案|归案|案发|系|的|承认|负|认罪|供述|"
      "涉嫌|构成|具有|自愿|主动|酒后|醉酒|持|窃|盗|抢|故意|非法|多次|没有|无证|被|将|对|，|、|。|"
      "；)");
  const View& view = context.view;
  std::set<std::string> reported;
  bool has_parties = false;
  for (const Party& party : view.parties) {
    if (party.masked) return;
    has_parties = has_parties || party.role == "原告" || party.role == "被告" ||
                  (party.role == "被告人" && view.instance != Instance::kSecond);
  }
  if (!has_parties) return;
  static const Pattern kWord = MustCompile(
      "^(?:之间|双方|均|已|未|应|不|的|在|于|向|对|因|为|提|支付|偿还|返还|归还|承担|负担|主张|"
      "认可|否认|可|至|从|将|经|与|和|及|"
      "诉|辩|名|共|起|要求|请求|同意|拒|无|有|是|系|又|还|也|称|表示|曾|自愿|自|按|当|所|该|其|依|"
      "违|拖|欠|继续|逾|公司|银行|单位|本人|现|只|仅|并|后|等|两|各|实|依法|立即|给付|赔|签|出|借|"
      "收|交|使|证据|双|到|多|处|身|一|二|三|四|犯|以|伙|驾|归案|案发|案|如实|违反|明知|无视|供述|"
      "非法|故意|"
      "结伙|进|前|在|携|持|用|通过|窃|盗|抢|被|及其|对|为|经|酒|归|将|先|曾|再|随|趁|采|主动|年|所|"
      "行|家|单|乘)");
  ForEach(kMention, view.text, {0, view.text.size()}, [&](const Match& m) {
    const std::string name(m.Text(view.text, 2));
    if (Has(kWord, name) || reported.contains(name)) return;
    if (!context.tables.recogniser.LooksLikePerson(name)) return;
    if (view.PartAt(m.begin()) == Part::kHeading || view.PartAt(m.begin()) == Part::kPrior) return;
    for (const Party& party : view.parties) {
      if (Has(party.name, name) || Has(name, party.name) ||
          base::Characters(party.name)[0] == base::Characters(name)[0]) {
        return;
      }
    }
    if (Has(view.text, "简称" + name) || Has(view.text, "简称“" + name) ||
        Count(view.text, name) > 2) {
      return;
    }
    reported.insert(name);
    context.Report("ENT-01", SpanOf(m),
                   {.message = "首部没有“" + std::string(m.Text(view.text, 0)) + "”这一当事人",
                    .suggestion = "核对姓名，或者在首部列明"});
  });
}

}  // namespace

void CheckNames(Context& context) {
  const View& view = context.view;
  std::set<std::string> known;
  for (const Party& party : view.parties) known.insert(party.name);
  std::set<std::string> done;
  for (const Party& party : view.parties) {
    if (party.agent || party.masked || party.side == Side::kState ||
        !done.insert(party.name).second)
      continue;
    if (party.organisation) {
      CheckOrganisation(context, party);
    } else {
      CheckPerson(context, party, known);
    }
  }
  CheckUnknown(context);
}

}  // namespace zhibi::rules
