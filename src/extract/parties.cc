// SPDX-License-Identifier: Apache-2.0
#include "extract/parties.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <string>

#include "base/status_macros.h"
#include "extract/extract_parts.h"
#include "extract/roles.h"
#include "legal/identity.h"

namespace zhibi::extract {
namespace {

using entity::Entity;
using entity::Kind;
using entity::Match;
using entity::Pattern;

enum Slot { kEthnicity, kPost, kLawFirm, kRoleLine, kPhone, kRelation, kAct, kActor, kSlots };

constexpr std::array<const char*, kSlots> kSources = {
    R"((?<=[，、,\s])(\p{Han}{1,5}族)(?=[，,。、]))",
    R"(\A[，,]\s?(?:该公司|该行|该局|系该公司|公司)?((?:\p{Han}{0,6})(?:董事长|总经理|执行董事|经理|行长|主任|局长|董事|厂长|负责人|院长|校长|总裁|[省市区县镇乡处科所站]长))(?=[。，,\n]|\z))",
    R"(\A(?:[（(][^）)\n]{1,20}[)）])?[，,]\s?(?:均?系|均为)?(\p{Han}[\p{Han}（）()]{2,30}(?:律师事务所|法律服务所|法律援助中心))((?:实习)?律师|法律工作者|法律服务工作者)?)",
    // A line that introduces somebody, up to the name: 被执行人二（一审被告）：. Groups: role,
    // note.
    R"(\A(\p{Han}{2,12}?)(?:[一二三四五六七八九十]{1,2}|\d{1,2})?(?:[（(]([^（）()]{1,40})[)）])?[：:]\s?\z)",
    R"(电话(?:号码)?[：:]?\s?([0-9+][0-9+()\- ]{5,22}[0-9]))",
    R"(\A[（(](?:系|即)?[^（）()，。]{0,30}?的?(\p{Han}{1,4})[)）])",
    // What shows the side of somebody without a role word. Groups: claims, defends, third.
    R"(\A(?:共同|均|分别|当庭|二人|三人)?(?:(向(?:本院|一审法院|原审法院|人民法院|法院)(?:提出|提起|起诉)|起诉(?:请求|称)|诉称|上诉(?:称|请求|提出)|申请再审称)|(辩称|答辩称|答辩意见|未作答辩|未答辩|未提交答辩|未到庭)|(述称|未作陈述)))",
    // A short name that no ending tells (远翔启鑫向本院提出诉讼请求), at the head of a sentence.
    R"((?:\A|(?<=[\n。]))\s?([\p{Han}A-Za-z0-9·×]{2,12}?)(?:向(?:本院|一审法院|法院|人民法院)(?:提出|提起)(?:诉讼|上诉|反诉)|(?=(?:辩称|答辩称|未作答辩|未到庭))))",
};

// Does the role stand right before the name, with no more than a number or a sign between?
bool IsBound(std::string_view text, const Entity& entity) {
  std::string_view before = text.substr(0, entity.begin);
  bool cut = true;
  while (cut) {
    cut = false;
    for (const std::string_view mark :
         {"：", ":", " ", "（", "(", "）", ")", "一", "二", "三", "四", "五", "六"}) {
      if (!before.ends_with(mark)) continue;
      before.remove_suffix(mark.size());
      cut = true;
    }
    while (!before.empty() && before.back() >= '0' && before.back() <= '9') {
      before.remove_suffix(1);
      cut = true;
    }
  }
  // 同案被告人王某 is tried elsewhere.
  return before.ends_with(entity.role) && !before.ends_with("同案" + entity.role);
}

bool IsTriedElsewhere(std::string_view text, const Entity& entity) {
  return text.substr(0, entity.begin).ends_with("同案" + entity.role);
}

// One party's fields while the head of the document is read.
class PartyReader {
 public:
  // prefix: "statutory_agent." for the person who stands for the party.
  PartyReader(std::string_view text, const std::vector<Pattern>& patterns, std::string prefix,
              Party& party)
      : text_(text), patterns_(patterns), prefix_(std::move(prefix)), party_(party) {}

  bool Has(std::string_view path) const {
    const std::string full = prefix_ + std::string(path);
    return std::any_of(party_.fields.begin(), party_.fields.end(),
                       [&](const Value& value) { return value.path == full; });
  }
  void Add(Value value) {
    if (Has(value.path)) return;
    value.path = prefix_ + value.path;
    party_.fields.push_back(std::move(value));
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
    // With the sign behind the clause, which the pattern looks for.
    if (patterns_[kEthnicity].Search(text_.substr(0, std::min(text_.size(), end + 3)), begin,
                                     &match)) {
      Add({"ethnicity", std::string(match.Text(text_, 1)), State::kRead, match.groups[1].begin,
           match.groups[1].end, ""});
    }
    // As written: a number of digits only would lose the area code's dash.
    if (patterns_[kPhone].Search(text_.substr(0, end), begin, &match)) {
      Add({"phone", std::string(match.Text(text_, 1)), State::kRead, match.groups[1].begin,
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
        Add(MakeValue("phone", std::string(text_.substr(entity.begin, entity.end - entity.begin)),
                      entity));
        break;
      case Kind::kAddress:
        AddAddress(entity);
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
  void AddAddress(Entity entity) {
    const std::string_view whole = text_.substr(entity.begin, entity.end - entity.begin);
    // 住甲市（户籍地乙县）: the note is none of the address.
    for (const std::string_view note : {"（户籍", "(户籍", "（现", "（暂", "（身份"})
      entity.end = std::min(entity.end, entity.begin + std::min(whole.find(note), whole.size()));
    if (entity.end == entity.begin) return;
    Add(MakeValue(IsDomicile(entity) ? "domicile" : "address",
                  std::string(text_.substr(entity.begin, entity.end - entity.begin)), entity));
  }

  // Where somebody is registered, which need not be where he lives.
  bool IsDomicile(const Entity& entity) const {
    std::string_view before = text_.substr(0, entity.begin);
    while (before.ends_with("：") || before.ends_with(":") || before.ends_with(" "))
      before.remove_suffix(before.ends_with("：") ? 3 : 1);
    for (const std::string_view word : {"户籍所在地", "户籍地", "户籍在", "注册地", "登记地"}) {
      if (before.ends_with(word)) return true;
    }
    return false;
  }

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
  std::string prefix_;
  Party& party_;
};

// Goes through the names of a text from its front and keeps the party whose head is being read.
class HeadReader {
 public:
  HeadReader(std::string_view text, const std::vector<Pattern>& patterns,
             const std::vector<Entity>& entities, Extraction& result)
      : text_(text), patterns_(patterns), result_(result) {
    for (const Entity& entity : entities) {
      if (entity.kind != Kind::kPerson && entity.kind != Kind::kOrganisation) continue;
      names_.emplace(entity.end, entity.begin);
      const auto side = Sides().find(entity.role);
      // 原告张三，男…: the head has a line for each; 原告张三、李四诉称 is no head.
      if (entity.Has(entity::kDeclared) && side != Sides().end() &&
          !text.substr(entity.end).starts_with("、")) {
        declared_.insert(side->second);
      }
    }
  }

  void Read(Entity entity) {
    if (entity.kind != Kind::kPerson && entity.kind != Kind::kOrganisation) {
      if (current_ != std::string::npos && entity.begin < reach_)
        PartyReader(text_, patterns_, prefix_, result_.parties[current_]).ReadEntity(entity);
      return;
    }
    // 陈某 in 陈某某 is another one.
    if (entity.value.ends_with("某") && text_.substr(entity.end).starts_with("某")) return;
    const bool witness = entity.role == "证人";
    if (witness) entity.role.clear();
    const std::string note = ReadRoleLine(entity);
    const auto side = Sides().find(entity.role);
    if (side != Sides().end()) {
      if (Counts(entity, side->second)) ReadParty(entity, side->second, note);
    } else if (IsRepresentative(entity.role)) {
      // A name behind 法定代表人 is one at its first place or where the role stands before it.
      if (entity.Has(entity::kDeclared) || people_.contains(entity.value) ||
          IsBound(text_, entity) || IsListed(entity)) {
        ReadRepresentative(entity);
      }
    }
  }

 private:
  // Somebody may have two roles (the head of a company that he is sued with): what counts is the
  // role that the line gives. Answers the note behind it (原审被告).
  std::string ReadRoleLine(Entity& entity) const {
    std::size_t line = entity.begin == 0 ? text_.npos : text_.rfind('\n', entity.begin - 1);
    line = line == text_.npos ? 0 : line + 1;
    std::string_view before = text_.substr(line, entity.begin - line);
    while (before.starts_with(" ") || before.starts_with("　"))
      before.remove_prefix(before.starts_with(" ") ? 1 : 3);
    Match match;
    if (!patterns_[kRoleLine].MatchAt(before, 0, &match)) return {};
    const std::string role(match.Text(before, 1));
    if (!Sides().contains(role) && !IsRepresentative(role)) return {};
    const std::string note(match.Text(before, 2));
    // 甲方（出借人）：the note says which side of the contract.
    const bool letter = role == "甲方" || role == "乙方" || role == "丙方";
    entity.role = letter && Sides().contains(note) ? note : role;
    entity.flags |= entity::kDeclared;
    return note;
  }

  bool Counts(const Entity& entity, const std::string& side) {
    if (entity.Has(entity::kDeclared) || known_.contains(entity.value)) return true;
    if (IsDeclaredRole(entity.role) || others_.contains(entity.value)) return false;
    if (IsTriedElsewhere(text_, entity)) {
      others_.insert(entity.value);
      return false;
    }
    // 案外人张三 in a story is no party; one in the head is.
    if (side == "third_parties" && entity.role.ends_with("人") &&
        !entity.role.ends_with("第三人")) {
      return false;
    }
    // 被告人甲与乙（另案处理）, where the head has introduced the parties: not every name that
    // follows one of them in the story.
    if (IsBound(text_, entity)) return true;
    const bool follower = !declared_.empty() && IsFollower(entity);
    if (follower) followers_.insert(entity.value);
    return !follower && !followers_.contains(entity.value);
  }

  // 辩护人张三、李四, but not 法定代表人李海燕与赵亚东系夫妻.
  bool IsListed(const Entity& entity) const {
    const std::string_view before = text_.substr(0, entity.begin);
    return before.ends_with("、") && names_.contains(before.size() - std::string_view("、").size());
  }

  // 甲、乙和丙: does an "and" stand on the way back to the first of the names?
  bool IsFollower(const Entity& entity) const {
    std::size_t begin = entity.begin;
    for (int i = 0; i < 40; ++i) {
      const std::string_view before = text_.substr(0, begin);
      if (before.ends_with("和") || before.ends_with("与") || before.ends_with("及")) return true;
      if (!before.ends_with("、")) return false;
      const auto name = names_.find(begin - std::string_view("、").size());
      if (name == names_.end()) return false;
      begin = name->second;
    }
    return false;
  }

  void AddPerson(const std::string& name) {
    if (people_.insert(name).second) result_.people.push_back(name);
  }

  void ReadParty(const Entity& entity, const std::string& side, const std::string& note) {
    const auto [place, added] = known_.emplace(entity.value, result_.parties.size());
    if (added) {
      Party party;
      party.role = entity.role;
      party.side = side;
      party.organisation = entity.kind == Kind::kOrganisation;
      party.fields.push_back(MakeValue("name", entity.value, entity));
      result_.parties.push_back(std::move(party));
      if (side != "victims" && entity.role != "证人") AddPerson(entity.value);
    }
    // The place that shows the role says more than the first one.
    Value& name = result_.parties[place->second].fields.front();
    if (!added && name.path == "name" && IsBound(text_, entity) && !shown_.contains(entity.value)) {
      name.begin = entity.begin;
      name.end = entity.end;
    }
    if (IsBound(text_, entity)) shown_.insert(entity.value);
    if (!entity.Has(entity::kDeclared)) return;
    // 被害人王某，… in a story is no head.
    current_ = side == "victims" ? std::string::npos : place->second;
    if (side == "victims") return;
    prefix_.clear();
    reach_ = SentenceEnd(text_, entity.end);
    // 住所地 of an organisation may stand in a sentence of its own.
    const std::string_view next = text_.substr(std::min(text_.size(), reach_ + 3));
    if (next.starts_with("住所") || next.starts_with("公民身份") || next.starts_with("统一社会"))
      reach_ = SentenceEnd(text_, reach_ + 3);
    PartyReader reader(text_, patterns_, "", result_.parties[current_]);
    ReadOriginalRole(entity, note, reader);
    reader.ReadClause(entity.end, reach_);
    Match match;
    const std::string_view rest = text_.substr(entity.end);
    if (entity.role == "受委托人" && patterns_[kLawFirm].MatchAt(rest, 0, &match)) {
      reader.Add({"firm", std::string(match.Text(rest, 1)), State::kRead,
                  entity.end + match.groups[1].begin, entity.end + match.groups[1].end, ""});
    }
  }

  void ReadOriginalRole(const Entity& entity, const std::string& note, PartyReader& reader) {
    const std::size_t at = text_.rfind(note, entity.begin);
    for (const std::string_view word : {"原审", "一审", "二审", "反诉", "本诉"}) {
      if (!note.starts_with(word) || at == text_.npos) continue;
      reader.Add({"original_role", note, State::kRead, at, at + note.size(), ""});
    }
  }

  void ReadRepresentative(const Entity& entity) {
    AddPerson(entity.value);
    if (!entity.Has(entity::kDeclared) || current_ == std::string::npos) return;
    reach_ = entity.end;
    prefix_.clear();
    if (entity.role == "法定代理人" || entity.role == "监护人") {
      prefix_ = "statutory_agent.";
      reach_ = SentenceEnd(text_, entity.end);
      PartyReader reader(text_, patterns_, prefix_, result_.parties[current_]);
      reader.Add(MakeValue("name", entity.value, entity));
      reader.ReadClause(entity.end, reach_);
      const std::string_view rest = text_.substr(entity.end);
      Match match;
      if (patterns_[kRelation].MatchAt(rest, 0, &match)) {
        reader.Add({"relation", std::string(match.Text(rest, 1)), State::kRead,
                    entity.end + match.groups[1].begin, entity.end + match.groups[1].end, ""});
      }
      return;
    }
    PartyReader reader(text_, patterns_, "", result_.parties[current_]);
    if (entity.role == "经营者") {
      reach_ = SentenceEnd(text_, entity.end);
      reader.Add(MakeValue("operator", entity.value, entity));
      reader.ReadClause(entity.end, reach_);
    } else if (entity.role.ends_with("代表人") || entity.role.ends_with("负责人")) {
      ReadHead(entity, reader);
    } else if (entity.role != "具状人" && entity.role != "证人") {
      ReadAgent(entity, reader);
    }
  }

  void ReadHead(const Entity& entity, PartyReader& reader) {
    reader.Add(MakeValue("representative", entity.value, entity));
    const std::string_view rest =
        text_.substr(0, SentenceEnd(text_, entity.end)).substr(entity.end);
    Match match;
    if (!patterns_[kPost].MatchAt(rest, 0, &match)) return;
    const std::size_t at = entity.end + match.groups[1].begin;
    const std::string post(match.Text(rest, 1));
    reader.Add({"representative_post", post, State::kRead, at, at + post.size(), ""});
  }

  void ReadAgent(const Entity& entity, PartyReader& reader) {
    std::size_t index = 0;
    while (reader.Has("agents[" + std::to_string(index) + "].name")) ++index;
    const std::string path = "agents[" + std::to_string(index) + "]";
    reader.Add(MakeValue(path + ".name", entity.value, entity));
    const std::string_view rest = text_.substr(entity.end);
    Match match;
    if (!patterns_[kLawFirm].MatchAt(rest, 0, &match)) return;
    reader.Add({path + ".firm", std::string(match.Text(rest, 1)), State::kRead,
                entity.end + match.groups[1].begin, entity.end + match.groups[1].end, ""});
  }

  std::string_view text_;
  const std::vector<Pattern>& patterns_;
  Extraction& result_;
  std::set<std::string> declared_;            // sides that the head has introduced
  std::map<std::size_t, std::size_t> names_;  // end to begin of every name
  std::map<std::string, std::size_t> known_;  // name -> index of the party
  std::set<std::string> people_;
  std::set<std::string> others_;     // of another trial
  std::set<std::string> shown_;      // whose place is one behind its role
  std::set<std::string> followers_;  // first met behind another name
  std::size_t current_ = std::string::npos;
  std::string prefix_;     // of the fields that are being read
  std::size_t reach_ = 0;  // where the head of the current party ends
};

}  // namespace

Result<PartyFinder> PartyFinder::Create() {
  std::vector<Pattern> patterns;
  for (const char* source : kSources) {
    ZB_ASSIGN_OR_RETURN(Pattern pattern, Pattern::Compile(source));
    patterns.push_back(std::move(pattern));
  }
  return PartyFinder(std::move(patterns));
}

void PartyFinder::Find(std::string_view text, const std::vector<Entity>& entities,
                       Extraction& result) const {
  HeadReader reader(text, patterns_, entities, result);
  for (const Entity& entity : entities) reader.Read(entity);
  FindByAct(text, entities, result);
}

void PartyFinder::FindByAct(std::string_view text, const std::vector<Entity>& entities,
                            Extraction& result) const {
  std::set<std::string> known(result.people.begin(), result.people.end());
  for (const Party& party : result.parties) {
    if (!party.fields.empty()) known.insert(party.fields.front().value.get<std::string>());
  }
  std::vector<const Entity*> names;
  for (const Entity& entity : entities) {
    if (entity.kind == Kind::kPerson || entity.kind == Kind::kOrganisation)
      names.push_back(&entity);
  }
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (SentenceBegin(text, names[i]->begin) != names[i]->begin) continue;
    // 张三、李四共同辩称
    std::size_t last = i;
    while (last + 1 < names.size()) {
      const std::size_t from = names[last]->end;
      const std::size_t to = names[last + 1]->begin;
      const std::string_view between = to > from ? text.substr(from, to - from) : "?";
      if (between != "、" && between != "和" && between != "与" && between != "及") break;
      ++last;
    }
    Match match;
    if (!patterns_[kAct].MatchAt(text.substr(names[last]->end), 0, &match)) continue;
    const char* side = match.has(1) ? "plaintiffs" : match.has(2) ? "defendants" : "third_parties";
    const std::string act(match.Text(text.substr(names[last]->end), 0));
    for (std::size_t k = i; k <= last; ++k) {
      if (!known.insert(names[k]->value).second) continue;
      Party party;
      party.side = side;
      party.organisation = names[k]->kind == Kind::kOrganisation;
      Value name = MakeValue("name", names[k]->value, *names[k]);
      name.state = State::kDoubtful;
      name.note = "no role word, only: " + act;
      party.fields.push_back(std::move(name));
      result.parties.push_back(std::move(party));
      result.people_by_act.push_back(names[k]->value);
    }
    i = last;
  }
  for (const Entity* name : names) {
    if (known.contains(name->value))
      known.insert(std::string(text.substr(name->begin, name->end - name->begin)));
  }
  FindActors(text, known, result);
}

// Names that the recogniser does not know: what stands at the head of a sentence before an act that
// only a party does, and is no role (原告向本院提出诉讼请求).
void PartyFinder::FindActors(std::string_view text, std::set<std::string>& known,
                             Extraction& result) const {
  entity::ForEach(patterns_[kActor], text, [&](const Match& match) {
    const std::string name(match.Text(text, 1));
    for (const auto& [role, side] : Sides()) {
      if (name.find(role) != name.npos) return;
    }
    if (IsRepresentative(name)) return;
    for (const std::string_view word :
         {"开发商", "保险公司", "物业公司", "用人单位", "承包人", "银行"}) {
      if (name == word) return;
    }
    for (const std::string_view word :
         {"其", "对",   "双方", "各方", "本人", "本院", "庭审", "审理", "法院", "公司经",
          "均", "共同", "综上", "此后", "为此", "故",   "并",   "后",   "现",   "及"}) {
      if (name.starts_with(word) || name.ends_with(word)) return;
    }
    // A part of a name that is known (锦绣公司), or an abbreviation of it.
    for (const std::string& other : known) {
      if (other.find(name) != other.npos || name.find(other) != name.npos) return;
    }
    known.insert(name);
    Party party;
    party.side = match.end() > match.groups[1].end ? "plaintiffs" : "defendants";
    const std::string act(text.substr(match.groups[1].end, match.end() > match.groups[1].end
                                                               ? match.end() - match.groups[1].end
                                                               : std::string_view("辩称").size()));
    party.fields.push_back({"name", name, State::kDoubtful, match.groups[1].begin,
                            match.groups[1].end, "no role word, only: " + act});
    result.parties.push_back(std::move(party));
    result.people_by_act.push_back(name);
  });
}

}  // namespace zhibi::extract
