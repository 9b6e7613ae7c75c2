// SPDX-License-Identifier: Apache-2.0
#include "extract/extract.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <utility>

#include "base/status_macros.h"
#include "base/utf8.h"
#include "legal/identity.h"

namespace zhibi::extract {
namespace {

using entity::Entity;
using entity::Kind;
using entity::Match;
using entity::Pattern;

enum Slot {
  kClaimsHead,
  kClaimsEnd,
  kItem,
  kNarrativeClaim,
  kDefence,
  kHoldingsHead,
  kHoldingsEnd,
  kEthnicity,
  kPost,
  kLawFirm,
  kSlots
};

constexpr std::array<const char*, kSlots> kSources = {
    // Where a list of claims begins.
    R"((?:诉讼请求|上诉请求|反诉请求|仲裁请求|申请事项|请求事项|再审请求|请求(?:人民法院|法院|本院|贵院)?(?:依法)?(?:判令|裁决))\s*(?:如下|为|是|事项)?\s*(?:[：:]\s*|\n\s*))",
    R"(事实[与和及]\s*理由|事实、理由|\n\s*(?:被告|上诉人|裁判结果|证据|此致|具状人|经审理|本院)|(?<=[。；])\s*(?:被告[^，。]{0,16}(?:辩称|未|答辩|经)|本院|经审理|诉讼过程中|诉讼中|庭审[后中]|审理中))",
    R"((?:(?<=[\n。；;：:，,、])|\A)\s*(?:[（(][一二三四五六七八九十\d]{1,2}[)）]、?|[一二三四五六七八九十]{1,3}[、.．]|\d{1,2}(?:[、．)）]|\.(?!\d))|[①②③④⑤⑥⑦⑧⑨⑩])\s*)",
    R"((?:请求|要求|诉请|请|申请)(?:人民法院|法院|本院|贵院)?(?:依法)?(?:判令|判决|裁决|撤销|追究)|(?:请求|要求)\s?(?:各|两|二|三)?(?:附带民事诉讼)?(?:被告|章|法院判)[^，。]{0,16}?(?:赔偿|偿还|支付|给付|归还|承担|返还|连带)|诉至(?:本院|法院)，\K(?:要求|请求)|诉请(?=\p{Han})|请求再审|申请再审，请求)",
    R"(辩称|答辩称|答辩意见|辩解|未作答辩|没有答辩|未答辩)",
    R"((?:判决|裁定|调解|决定)如下[：:]?\s*)",
    R"(如不服本|本(?:判决|裁定|调解书)(?:为终审|自|一经|送达)|案件受理费|\n\s*审\s?判\s?[长员]|如果?未按本)",
    R"((?<=[，、,\s])(\p{Han}{1,5}族)(?=[，,。、]))",
    R"(\A[，,]\s?(?:该公司|该行|该局|系该公司|公司)?((?:\p{Han}{0,6})(?:董事长|总经理|执行董事|经理|行长|主任|局长|董事|厂长|负责人|院长|校长|总裁))(?=[。，,\n]|\z))",
    R"(\A(?:[（(][^）)\n]{1,20}[)）])?[，,]\s?(?:均?系|均为)?(\p{Han}[\p{Han}（）()]{2,30}(?:律师事务所|法律服务所|法律援助中心))((?:实习)?律师|法律工作者|法律服务工作者)?)",
};

const std::map<std::string, std::string, std::less<>>& Sides() {
  static const std::map<std::string, std::string, std::less<>> kSides = {
      {"原告", "plaintiffs"},
      {"原告人", "plaintiffs"},
      {"反诉被告", "plaintiffs"},
      {"原审原告", "plaintiffs"},
      {"一审原告", "plaintiffs"},
      {"上诉人", "plaintiffs"},
      {"二审上诉人", "plaintiffs"},
      {"再审申请人", "plaintiffs"},
      {"申请人", "plaintiffs"},
      {"申诉人", "plaintiffs"},
      {"申请执行人", "plaintiffs"},
      {"自诉人", "plaintiffs"},
      {"起诉人", "plaintiffs"},
      {"复议申请人", "plaintiffs"},
      {"异议人", "plaintiffs"},
      {"赔偿请求人", "plaintiffs"},
      {"附带民事诉讼原告人", "plaintiffs"},
      {"附带民事诉讼原告", "plaintiffs"},
      {"原审附带民事诉讼原告人", "plaintiffs"},
      {"债权人", "plaintiffs"},
      {"甲方", "plaintiffs"},
      {"出借人", "plaintiffs"},
      {"被告", "defendants"},
      {"被告人", "defendants"},
      {"反诉原告", "defendants"},
      {"原审被告", "defendants"},
      {"一审被告", "defendants"},
      {"原审被告人", "defendants"},
      {"被告单位", "defendants"},
      {"原审被告单位", "defendants"},
      {"被上诉人", "defendants"},
      {"二审被上诉人", "defendants"},
      {"被申请人", "defendants"},
      {"再审被申请人", "defendants"},
      {"被申诉人", "defendants"},
      {"被执行人", "defendants"},
      {"附带民事诉讼被告人", "defendants"},
      {"附带民事诉讼被告", "defendants"},
      {"原审附带民事诉讼被告人", "defendants"},
      {"债务人", "defendants"},
      {"罪犯", "defendants"},
      {"犯罪嫌疑人", "defendants"},
      {"被起诉人", "defendants"},
      {"乙方", "defendants"},
      {"答辩人", "defendants"},
      {"被答辩人", "plaintiffs"},
      {"购电人", "plaintiffs"},
      {"售电人", "defendants"},
      {"第三人", "third_parties"},
      {"原审第三人", "third_parties"},
      {"一审第三人", "third_parties"},
      {"案外人", "third_parties"},
      {"利害关系人", "third_parties"},
      {"被害人", "victims"},
  };
  return kSides;
}

bool IsRepresentative(std::string_view role) {
  for (const std::string_view word :
       {"代表人", "代理人", "辩护人", "负责人", "经营者", "投资人", "监护人", "执行事务合伙人"}) {
    if (role.ends_with(word)) return true;
  }
  return false;
}

Value MakeValue(std::string path, nlohmann::json value, const Entity& entity) {
  Value made{std::move(path), std::move(value), State::kRead, entity.begin, entity.end, ""};
  if (entity.Has(entity::kMasked)) {
    made.state = State::kDoubtful;
    made.note = "masked in the text";
  } else if (entity.Has(entity::kUnverified)) {
    made.state = State::kDoubtful;
    made.note = "the check digit or the calendar does not fit";
  } else if (entity.Has(entity::kApproximate)) {
    made.state = State::kDoubtful;
    made.note = "approximate in the text";
  } else if (entity.Has(entity::kNoUnit)) {
    made.state = State::kDoubtful;
    made.note = "without the word 元";
  }
  return made;
}

// One party's fields while the head of the document is read.
class PartyReader {
 public:
  PartyReader(std::string_view text, const std::vector<Pattern>& patterns, Party& party)
      : text_(text), patterns_(patterns), party_(party) {}

  bool Has(std::string_view path) const {
    return std::any_of(party_.fields.begin(), party_.fields.end(),
                       [&](const Value& value) { return value.path == path; });
  }
  void Add(Value value) {
    if (!Has(value.path)) party_.fields.push_back(std::move(value));
  }

  // Clause: from behind the name to the end of the sentence.
  void ReadClause(std::size_t begin, std::size_t end) {
    const std::string_view clause = text_.substr(begin, end - begin);
    for (const std::string_view sex : {"男", "女"}) {
      for (const std::string_view comma : {"，", "、", ","}) {
        const std::size_t at = clause.find(std::string(comma) + std::string(sex));
        if (at == clause.npos || Has("sex")) continue;
        const std::size_t from = begin + at + comma.size();
        Add({"sex", std::string(sex), State::kRead, from, from + sex.size(), ""});
      }
    }
    Match match;
    if (patterns_[kEthnicity].Search(text_.substr(0, end), begin, &match)) {
      Add({"ethnicity", std::string(match.Text(text_, 1)), State::kRead, match.groups[1].begin,
           match.groups[1].end, ""});
    }
  }

  void ReadEntity(const Entity& entity) {
    switch (entity.kind) {
      case Kind::kCitizenNumber:
        Add(MakeValue("id_number", entity.value, entity));
        ComputeFromNumber(entity);
        break;
      case Kind::kCreditCode:
        Add(MakeValue("credit_code", entity.value, entity));
        break;
      case Kind::kMobile:
      case Kind::kLandline:
        Add(MakeValue("phone", entity.value, entity));
        break;
      case Kind::kAddress:
        Add(MakeValue("address", std::string(text_.substr(entity.begin, entity.end - entity.begin)),
                      entity));
        break;
      case Kind::kDate: {
        const std::string_view after = text_.substr(entity.end);
        const std::string_view before = text_.substr(0, entity.begin);
        if (after.starts_with("出生") || after.starts_with("生") || before.ends_with("生于")) {
          Add(MakeValue("birth_date", entity.value, entity));
        }
        break;
      }
      default:
        break;
    }
  }

 private:
  void ComputeFromNumber(const Entity& entity) {
    const Result<legal::CitizenNumber> number = legal::ParseCitizenNumber(entity.value);
    if (!number.ok()) return;
    Value birth{"birth_date", legal::FormatIso(number->birth), State::kComputed, entity.begin,
                entity.end,   "from the citizen number"};
    Value sex{"sex",      number->female ? "女" : "男", State::kComputed, entity.begin,
              entity.end, "from the citizen number"};
    Add(std::move(birth));
    Add(std::move(sex));
  }

  std::string_view text_;
  const std::vector<Pattern>& patterns_;
  Party& party_;
};

std::size_t SentenceEnd(std::string_view text, std::size_t from) {
  return std::min({text.find("。", from), text.find('\n', from), text.size()});
}

std::string_view Trimmed(std::string_view text, std::size_t* begin) {
  for (;;) {
    bool cut = false;
    for (const std::string_view mark : {"；", "。", "，", ";", "\n", " ", "\r", "\t", "　"}) {
      if (text.ends_with(mark)) {
        text.remove_suffix(mark.size());
        cut = true;
      }
      if (text.starts_with(mark)) {
        text.remove_prefix(mark.size());
        *begin += mark.size();
        cut = true;
      }
    }
    if (!cut) return text;
  }
}

}  // namespace

std::string_view StateName(State state) {
  switch (state) {
    case State::kRead:
      return "read";
    case State::kComputed:
      return "computed";
    case State::kDoubtful:
      return "doubtful";
    case State::kMissing:
      return "missing";
  }
  return "missing";
}

Result<Extractor> Extractor::Create(const entity::Recogniser& recogniser) {
  std::vector<Pattern> patterns;
  for (const char* source : kSources) {
    ZB_ASSIGN_OR_RETURN(Pattern pattern, Pattern::Compile(source));
    patterns.push_back(std::move(pattern));
  }
  return Extractor(recogniser, std::move(patterns));
}

void Extractor::FindParties(std::string_view text, const std::vector<Entity>& entities,
                            Extraction& result) const {
  std::map<std::string, std::size_t> known;  // name -> index of the party
  std::set<std::string> people;
  const auto add_person = [&](const std::string& name) {
    if (people.insert(name).second) result.people.push_back(name);
  };
  std::size_t current = std::string::npos;
  std::size_t reach = 0;  // where the head of the current party ends
  for (const Entity& entity : entities) {
    const bool name = entity.kind == Kind::kPerson || entity.kind == Kind::kOrganisation;
    if (!name) {
      if (current != std::string::npos && entity.begin < reach) {
        PartyReader(text, patterns_, result.parties[current]).ReadEntity(entity);
      }
      continue;
    }
    auto side = Sides().find(entity.role);
    // 案外人张三 in a story is no party; one in the head is.
    if (side != Sides().end() && side->second == "third_parties" && entity.role.ends_with("人") &&
        !entity.role.ends_with("第三人") && !entity.Has(entity::kDeclared)) {
      side = Sides().end();
    }
    if (side != Sides().end()) {
      const auto [place, added] = known.emplace(entity.value, result.parties.size());
      if (added) {
        Party party;
        party.role = entity.role;
        party.side = side->second;
        party.organisation = entity.kind == Kind::kOrganisation;
        party.fields.push_back(MakeValue("name", entity.value, entity));
        result.parties.push_back(std::move(party));
        if (side->second != "victims") add_person(entity.value);
      }
      if (entity.Has(entity::kDeclared)) {
        current = place->second;
        reach = SentenceEnd(text, entity.end);
        // 住所地 of an organisation may stand in a sentence of its own.
        const std::string_view next = text.substr(std::min(text.size(), reach + 3));
        if (next.starts_with("住所") || next.starts_with("公民身份") ||
            next.starts_with("统一社会")) {
          reach = SentenceEnd(text, reach + 3);
        }
        PartyReader(text, patterns_, result.parties[current]).ReadClause(entity.end, reach);
      }
    } else if (IsRepresentative(entity.role)) {
      add_person(entity.value);
      if (!entity.Has(entity::kDeclared) || current == std::string::npos) continue;
      PartyReader reader(text, patterns_, result.parties[current]);
      reach = entity.end;
      const bool head =
          entity.role.ends_with("代表人") || entity.role == "负责人" || entity.role == "经营者";
      Match match;
      if (head) {
        reader.Add(MakeValue("representative", entity.value, entity));
        const std::string_view rest = text.substr(0, SentenceEnd(text, entity.end));
        if (patterns_[kPost].MatchAt(rest.substr(entity.end), 0, &match)) {
          const std::string_view post = match.Text(rest.substr(entity.end), 1);
          const std::size_t at = entity.end + match.groups[1].begin;
          reader.Add(
              {"representative_post", std::string(post), State::kRead, at, at + post.size(), ""});
        }
      } else if (entity.role == "法定代理人" || entity.role == "监护人") {
        reader.Add(MakeValue("statutory_agent.name", entity.value, entity));
      } else {
        std::size_t index = 0;
        while (reader.Has("agents[" + std::to_string(index) + "].name")) ++index;
        const std::string path = "agents[" + std::to_string(index) + "]";
        reader.Add(MakeValue(path + ".name", entity.value, entity));
        const std::string_view rest = text.substr(entity.end);
        if (patterns_[kLawFirm].MatchAt(rest, 0, &match)) {
          const std::size_t at = entity.end + match.groups[1].begin;
          reader.Add({path + ".firm", std::string(match.Text(rest, 1)), State::kRead, at,
                      entity.end + match.groups[1].end, ""});
        }
      }
    }
  }
}

void Extractor::AddItems(std::string_view text, std::size_t begin, std::size_t end,
                         const std::string& name, std::vector<Value>& values) const {
  std::vector<std::pair<std::size_t, std::size_t>> marks;  // of the numbers
  // 一、二审: a number that a number follows is none of the list.
  entity::ForEach(patterns_[kItem], text, begin, end,
                  [&](const Match& match) { marks.emplace_back(match.begin(), match.end()); });
  std::vector<std::pair<std::size_t, std::size_t>> items;
  if (marks.empty()) {
    items.emplace_back(begin, end);
  } else {
    if (marks.front().first > begin + 12) items.emplace_back(begin, marks.front().first);
    for (std::size_t i = 0; i < marks.size(); ++i) {
      items.emplace_back(marks[i].second, i + 1 < marks.size() ? marks[i + 1].first : end);
    }
  }
  for (const auto& [from, to] : items) {
    std::size_t start = from;
    const std::string_view item = Trimmed(text.substr(from, to - from), &start);
    if (base::CountCodePoints(item) < 4) continue;
    values.push_back({name + "[" + std::to_string(values.size()) + "]", std::string(item),
                      State::kRead, start, start + item.size(), ""});
  }
}

void Extractor::FindClaims(std::string_view text, Extraction& result) const {
  Match head;
  if (patterns_[kClaimsHead].Search(text, 0, &head)) {
    Match stop;
    std::size_t end = text.size();
    if (patterns_[kClaimsEnd].Search(text, head.end(), &stop)) end = stop.begin();
    // A list of items ends with its last sentence; without numbers it is one sentence or line.
    Match item;
    const bool numbered =
        patterns_[kItem].MatchAt(text, head.end(), &item) && item.begin() == head.end();
    if (!numbered) end = std::min(end, SentenceEnd(text, head.end()));
    AddItems(text, head.end(), end, "claims", result.claims);
    return;
  }
  // Told in a sentence: 请求判令被告...; only before the defence begins.
  Match defence;
  std::size_t end = text.size();
  if (patterns_[kDefence].Search(text, 0, &defence)) end = defence.begin();
  const std::string_view part = text.substr(0, end);
  Match match;
  for (std::size_t at = 0; patterns_[kNarrativeClaim].Search(part, at, &match);) {
    const std::size_t stop = SentenceEnd(part, match.end());
    std::size_t start = match.begin();
    const std::string_view sentence =
        Trimmed(part.substr(match.begin(), stop - match.begin()), &start);
    result.claims.push_back({"claims[" + std::to_string(result.claims.size()) + "]",
                             std::string(sentence), State::kDoubtful, start,
                             start + sentence.size(), "told in a sentence, not listed"});
    at = std::max(stop, match.end());
    if (at >= part.size()) break;
  }
}

void Extractor::FindHoldings(std::string_view text, Extraction& result) const {
  Match head;
  Match match;
  bool found = false;
  // The last one is the court's own; earlier ones are recited.
  for (std::size_t at = 0; patterns_[kHoldingsHead].Search(text, at, &match); at = match.end()) {
    head = match;
    found = true;
  }
  if (!found) return;
  Match stop;
  std::size_t end = text.size();
  if (patterns_[kHoldingsEnd].Search(text, head.end(), &stop)) end = stop.begin();
  AddItems(text, head.end(), end, "holdings", result.holdings);
}

void Extractor::FindSingles(std::string_view text, const std::vector<Entity>& entities,
                            Extraction& result) const {
  const auto add = [&](const std::string& path, const Entity& entity) {
    for (const Value& value : result.singles) {
      if (value.path == path) return;
    }
    result.singles.push_back(MakeValue(path, entity.value, entity));
  };
  const std::size_t addressee = text.rfind("此致");
  for (const Entity& entity : entities) {
    if (entity.kind == Kind::kCourt && addressee != text.npos && entity.begin > addressee) {
      add("court", entity);
    }
  }
  const Entity* last_date = nullptr;
  for (const Entity& entity : entities) {
    if (entity.kind == Kind::kCourt) add("court", entity);
    if (entity.kind == Kind::kCaseNumber) add("case_number", entity);
    if (entity.kind == Kind::kCause) add("cause", entity);
    if (entity.kind == Kind::kDate && !entity.Has(entity::kPartial)) last_date = &entity;
  }
  // A date is the document's where it stands alone in its line.
  if (last_date != nullptr) {
    const bool starts = last_date->begin == 0 || text[last_date->begin - 1] == '\n' ||
                        text[last_date->begin - 1] == ' ';
    const bool ends = last_date->end == text.size() || text[last_date->end] == '\n';
    if (starts && ends) add("date", *last_date);
  }
}

Result<Extraction> Extractor::Extract(std::string_view text, const legal::JsonSchema* schema,
                                      const std::vector<FieldRule>& rules) const {
  ZB_ASSIGN_OR_RETURN(const std::vector<Entity> entities, recogniser_.Find(text));
  Extraction result;
  FindParties(text, entities, result);
  FindClaims(text, result);
  FindHoldings(text, result);
  FindSingles(text, entities, result);
  for (const Entity& entity : entities) {
    if (entity.kind != Kind::kMoney || entity.Has(entity::kForeign)) continue;
    result.sums.push_back(
        MakeValue("sums[" + std::to_string(result.sums.size()) + "]", entity.number, entity));
  }
  if (schema != nullptr) MapToSchema(rules, text, entities, *schema, result);
  return result;
}

}  // namespace zhibi::extract
