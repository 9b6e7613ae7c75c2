// SPDX-License-Identifier: Apache-2.0
// Parties as the head of a document introduces them, with their roles, sides and 以下简称. Masked
// names (张某, 李××) are kept, marked, and never taken for a misspelling of another.
#include <algorithm>

#include "rules/matcher.h"
#include "rules/view.h"

namespace zhibi::rules {
namespace {

constexpr std::string_view kRoles =
    "(?:原审|一审|二审|再审|原一审|原二审|反诉|本诉|附带民事诉讼|刑事附带民事诉讼|附带民事|原)?"
    "(?:被告单位|被告人|原告人|原告|被告|被上诉人|上诉人|无独立请求权第三人|有独立请求权第三人|"
    "第三人|"
    "再审申请人|被申请人|申请再审人|申请执行人|被执行人|申请人|申诉人|被申诉人|自诉人|公诉机关|"
    "抗诉机关|"
    "答辩人|被答辩人|委托人|受委托人|罪犯|被害人|男方|女方|出借人|贷款人|借款人|保证人|担保人|甲方|"
    "乙方|丙方)";
constexpr std::string_view kAgents =
    "(?:共同)?(?:委托诉讼代理人|委托代理人|诉讼代理人|法定代理人|指定代理人|法定代表人|诉讼代表人|"
    "代表人|主要负责人|负责人|经营者|辩护人|指定辩护人|执行事务合伙人|投资人|委托诉讼代表人)";

Side SideOf(std::string_view role) {
  if (Has(role, "第三人") || Has(role, "被害人")) return Side::kThird;
  if (Has(role, "机关")) return Side::kState;
  for (const std::string_view second : {"被告", "被上诉人", "被申请人", "被执行人", "被申诉人",
                                        "被答辩人", "罪犯", "女方", "借款人", "乙方"}) {
    if (Has(role, second)) return Side::kSecond;
  }
  return Side::kFirst;
}

bool LooksLikeOrganisation(std::string_view name) {
  static const Pattern kOrganisation = MustCompile(
      "(?:公司|厂|店|行|社|局|院|会|部|所|中心|集团|企业|政府|学校|大学|医院|银行|处|站|队|合作社|"
      "事务所|村民小组|委员会|经营部|商行|株式会社|LTD|Ltd|LIMITED)(?:（[^）\\n]*）)?$");
  return Has(kOrganisation, name);
}

std::string_view Trim(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

void AddParty(View& view, Span line, const Match& m, bool agent) {
  const std::string_view name = Trim(m.Text(view.text, 3));
  if (name.size() < 6 || name.size() > 150) return;
  static const Pattern kNoName = MustCompile(
      "^(?:诉称|辩称|与|因|为|的|在|[于向](?!某|\\p{Han}{1,2}$|\\p{Han}某)|对|不服|提出|认为|之间|"
      "系|和|及|未|已|均|经|是否|无|犯|"
      "如下|意见|应当|名称|姓名|住所)|"
      "因与|为与|一案|诉讼请求|[，。！]");
  if (Has(kNoName, name)) return;
  Party party;
  party.name = name;
  party.span = {static_cast<std::size_t>(name.data() - view.text.data()),
                static_cast<std::size_t>(name.data() - view.text.data()) + name.size()};
  party.line = line;
  party.role = m.Text(view.text, 1);
  party.roles = party.role + std::string(m.Text(view.text, 2));
  party.agent = agent;
  party.side = agent ? Side::kNone : SideOf(party.role);
  party.masked = IsMasked(name);
  party.organisation = LooksLikeOrganisation(name);
  view.parties.push_back(std::move(party));
}

}  // namespace

void FindParties(View& view) {
  static const Pattern kParty = MustCompile(
      "^(" + std::string(kRoles) +
      ")(?:[一二三四五六七八九十\\d]{1,3})?(（[^）\\n]{2,60}）)?｜?(?:[（]?[：: ]+|名称|姓名)?[：: "
      "]*"
      "((?:[^，。；;：:、（｜↵\\n]|（(?!原|曾|又|下|以|反|系|身份|男|女|统)[^）\\n]{1,20}）)+)");
  static const Pattern kAgent = MustCompile(
      "^(" + std::string(kAgents) + ")(（[^）\\n]{2,40}）)?[：: ]*((?:[^，。；;：:、（\\n])+)");
  for (const Span line : view.lines) {
    const Part part = view.PartAt(line.begin);
    const bool head = part == Part::kHeading ||
                      (view.form == Form::kContract && line.begin < view.text.size() / 3);
    const bool untitled_head =
        view.form == Form::kUnknown && line.begin < 1500 && line.end - line.begin < 400;
    if (!head && !untitled_head) continue;
    Match match;
    if (kAgent.MatchAt(view.text, line.begin, &match) && match.end() <= line.end) {
      AddParty(view, line, match, true);
    } else if (kParty.MatchAt(view.text, line.begin, &match) && match.end() <= line.end) {
      if (untitled_head) {
        // Without a head only a line that goes on like one: ，男 or ：住所地.
        static const Pattern kPersonal =
            MustCompile("[，,](?:男|女|住|汉族|住所|性别)|。住所地|^[^，\\n]{2,60}$");
        if (!Has(kPersonal, view.At(line)) || Has(view.At(line), "称")) continue;
      }
      AddParty(view, line, match, false);
    }
  }
}

}  // namespace zhibi::rules
