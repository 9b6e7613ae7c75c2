// SPDX-License-Identifier: Apache-2.0
#include "entity/names.h"

#include <algorithm>
#include <utility>

#include "base/status_macros.h"
#include "base/utf8.h"
#include "entity/data_file.h"

namespace zhibi::entity {
namespace {

// 张某, 张某某, 刘某1, 王×, 李XX: the mask of a published judgment, behind a family name.
constexpr const char* kMask = R"((?:某{1,3}|[×＊*]{1,4}|[xX]{1,3}|[ＸO]{1,2}))";

std::vector<std::size_t> Borders(std::string_view text, std::size_t limit) {
  std::vector<std::size_t> borders = {0};
  for (std::size_t at = 0; at < text.size() && borders.size() <= limit;) {
    at += base::DecodeUtf8(text.substr(at)).length;
    borders.push_back(at);
  }
  return borders;
}

bool IsHan(char32_t c) {
  return (c >= 0x4E00 && c <= 0x9FFF) || (c >= 0x3400 && c <= 0x4DBF) ||
         (c >= 0x20000 && c <= 0x3134F) || c == 0x3007;
}

std::size_t CountOf(std::string_view text, std::string_view word) {
  std::size_t count = 0;
  for (std::size_t at = text.find(word); at != std::string_view::npos && count < 1000;
       at = text.find(word, at + word.size())) {
    ++count;
  }
  return count;
}

// What follows the name of a party in the head of a document.
bool IntroducesParty(std::string_view rest) {
  while (rest.starts_with(' ')) rest.remove_prefix(1);
  for (const std::string_view word :
       {"，住所", "，住 ", "，统一社会", "，地址", "（以下", "(以下", "，法定代表人", "。\n",
        "。住所", "\n", "，经营场所", "，组织机构"}) {
    if (rest.starts_with(word)) return true;
  }
  return false;
}

Result<NameTables> LoadTables(const std::string& data_dir) {
  const std::string source = "data/entity/names.json";
  ZB_ASSIGN_OR_RETURN(const nlohmann::json json, ReadTable(data_dir, "names.json"));
  NameTables tables;
  const auto surnames = json.find("surnames");
  if (surnames == json.end() || !surnames->is_string()) {
    return InvalidArgumentError(source + ": \"surnames\": expected a text");
  }
  const auto& all = surnames->get_ref<const std::string&>();
  for (std::size_t at = 0; at < all.size();) {
    const std::size_t length = base::DecodeUtf8(std::string_view(all).substr(at)).length;
    tables.surnames.insert(all.substr(at, length));
    at += length;
  }
  ZB_ASSIGN_OR_RETURN(const auto compound, StringList(json, "compound_surnames", source));
  tables.compound_surnames.insert(compound.begin(), compound.end());
  ZB_ASSIGN_OR_RETURN(const auto not_names, StringList(json, "not_names", source));
  tables.not_names.insert(not_names.begin(), not_names.end());
  ZB_ASSIGN_OR_RETURN(const auto generic, StringList(json, "generic_organisations", source));
  tables.generic_organisations.insert(generic.begin(), generic.end());
  ZB_ASSIGN_OR_RETURN(tables.party_roles, StringList(json, "party_roles", source));
  ZB_ASSIGN_OR_RETURN(tables.contract_roles, StringList(json, "contract_roles", source));
  ZB_ASSIGN_OR_RETURN(tables.representative_roles,
                      StringList(json, "representative_roles", source));
  ZB_ASSIGN_OR_RETURN(tables.judge_roles, StringList(json, "judge_roles", source));
  ZB_ASSIGN_OR_RETURN(tables.followers, StringList(json, "followers", source));
  ZB_ASSIGN_OR_RETURN(tables.org_suffixes, StringList(json, "org_suffixes", source));
  ZB_ASSIGN_OR_RETURN(tables.org_boundaries, StringList(json, "org_boundaries", source));
  tables.org_boundaries.insert(tables.org_boundaries.end(), tables.party_roles.begin(),
                               tables.party_roles.end());
  ZB_ASSIGN_OR_RETURN(tables.provinces, StringList(json, "provinces", source));
  ZB_ASSIGN_OR_RETURN(tables.court_boundaries, StringList(json, "court_boundaries", source));
  return tables;
}

}  // namespace

Result<Names> Names::Create(const std::string& data_dir) {
  Names names;
  ZB_ASSIGN_OR_RETURN(names.tables_, LoadTables(data_dir));
  const NameTables& t = names.tables_;
  std::vector<std::string> roles = t.party_roles;
  roles.insert(roles.end(), t.contract_roles.begin(), t.contract_roles.end());
  std::vector<std::string> declared = roles;
  declared.insert(declared.end(), t.representative_roles.begin(), t.representative_roles.end());
  std::vector<std::string> mentioned = roles;
  for (const std::string& role : t.representative_roles) {
    if (role.ends_with("代理人") || role.ends_with("辩护人") || role.ends_with("代表人")) {
      mentioned.push_back(role);
    }
  }
  const std::string number = R"((?:[一二三四五六七八九十]{1,2}(?=[：:\s（(])|\d{1,2})?)";
  const std::string note = R"((?:[（(][^（）()\n]{1,40}[)）])?)";
  std::vector<std::string> sources(kSlots);
  // Groups: 1 role, 2 sign, 3 the name to the end of the clause.
  sources[kDeclaration] =
      R"((?:^|[\s。；;，,、（(｜↵）)]|(?<=[。；\n]))()" + Alternatives(declared) + ")" + number +
      note +
      R"(\s{0,3}([：:]?)\s{0,3}([\p{Han}A-Za-z0-9×＊*·•．（）()&\- ]{2,60}?)(?=\s*(?:[，,。；;、\n\r｜↵]|$)|[（(](?:以下|曾用|又名|别名|化名|女|男|系|一审|原|被告|反诉|特别|一般|执业|实习|兼|公民|身份|户籍)|\s(?:男|女|\p{Han}{1,6}(?:人|长|员|师|者)[：:])))";
  sources[kMention] = "(" + Alternatives(mentioned) +
                      R"()([一二三四五六七八九\d]?)(?:[（(]([^（）()\n]{1,20})[)）])?(?=\p{Han}))";
  sources[kJudgeLine] =
      "(?:^|[\\s、，,])(" + Alternatives(t.judge_roles) +
      R"()[：:\s\x{3000}]{0,8}((?:\p{Han}|·|×|＊|\*)(?:[ \x{3000}]{0,3}(?:\p{Han}|·|×|＊|\*)){1,5}?)(?=[\s\x{3000}]|$|[，,、。]))";
  sources[kOrganisationSuffix] = Alternatives(t.org_suffixes);
  sources[kAlias] =
      R"([（(](?:以下|下)?(?:均)?简?称(?:为)?[：:]?\s?[“"「]?([\p{Han}A-Za-z0-9·]{1,20})[”"」]?[)）])";
  sources[kCourtSuffix] =
      R"((?:最高|高级|中级|基层)?人民法院(?:知识产权法庭)?|(?:海事|互联网|金融|知识产权|铁路运输(?:中级|基层)?|林区(?:中级|基层)|军事|少年)法院)";
  sources[kPersonName] = std::string(R"(\A\p{Han}(?:\p{Han}{1,3}|)") + kMask +
                         R"([0-9一二三四五六甲乙丙丁戊己庚\p{Han}]?)\z)";
  sources[kMinorityName] = R"(\A\p{Han}{1,8}(?:[·•．]\p{Han}{1,8}){1,4})";
  sources[kIntroduced] =
      R"([（(](?:曾用名|又名|别名|化名|绰号|乳名)[：:]?\s?([\p{Han}·]{2,6})[)）])";
  // Where a letter, a warrant, a note of hand or a list of children names somebody without a role.
  sources[kNamed] =
      R"((?|^致[：:]\s?([\p{Han}·]{2,8}?)(?=$|、|，)|(?:接受|[，。\s]受)([\p{Han}·]{2,8}?)(?=、[^。\n]{2,40}?的委托|的委托)|、([\p{Han}·]{2,8}?)(?=的委托)|[今兹]借到([\p{Han}·]{2,8}?)(?=、|人民币|现金|\d)|行人([\p{Han}·]{2,8}?)(?=相撞|死亡|受伤|，)|(?<=[\s　.．、（）])([\p{Han}·]{2,8})(?=[（(]\d{4}年\d{1,2}月\d{1,2}日出?生)))";
  // A name at the head of a clause, before a verb that only people do.
  sources[kBareName] =
      R"((?:^|[。；，、\s（“”])(\p{Han}{2,4}?)(?=(?:辩称|诉称|称其|主张|认可|不认可|抗辩|上诉|答辩|出具|与|向|和|、|陈述|承认|表示|通过|应当|未|自认|系)))";
  for (const std::string& source : sources) {
    ZB_ASSIGN_OR_RETURN(Pattern pattern, Pattern::Compile(source));
    names.patterns_.push_back(std::move(pattern));
  }
  return names;
}

std::size_t Names::SurnameLength(std::string_view text) const {
  const std::vector<std::size_t> borders = Borders(text, 2);
  if (borders.size() > 2 && tables_.compound_surnames.count(text.substr(0, borders[2])) > 0) {
    return borders[2];
  }
  if (borders.size() > 1 && tables_.surnames.count(text.substr(0, borders[1])) > 0) {
    return borders[1];
  }
  return 0;
}

bool Names::LooksLikePerson(std::string_view name) const {
  Match match;
  if (patterns_[kMinorityName].MatchAt(name, 0, &match) && match.end() == name.size()) return true;
  if (!patterns_[kPersonName].MatchAt(name, 0, &match)) return false;
  const std::size_t surname = SurnameLength(name);
  if (surname == 0) return false;
  const std::size_t characters = base::CountCodePoints(name);
  const bool masked = name.find("某") != std::string_view::npos ||
                      name.find("×") != std::string_view::npos ||
                      name.find('X') != std::string_view::npos;
  const std::size_t most = surname > 4 ? 4U : 3U;
  // 刘某不服, 赵某某如: words behind a mask, which one character (谭某才) need not be.
  if (const std::size_t mask = name.find("某"); mask != std::string_view::npos) {
    const std::string_view tail = name.substr(mask + std::string_view("某").size());
    const std::size_t behind = base::CountCodePoints(tail);
    if (behind > 2 || (behind == 2 && tail.find("某") == std::string_view::npos &&
                       MaskedName(name, surname).size() < name.size())) {
      return false;
    }
    if (tail.starts_with("某") && MaskedName(name, surname).size() < name.size()) return false;
  }
  return characters >= 2 && characters <= (masked ? 4U : most) && !name.ends_with("称") &&
         !name.ends_with("述") && !StartsLikeWord(name);
}

bool Names::StartsLikeWord(std::string_view rest) const {
  const std::vector<std::size_t> borders = Borders(rest, 4);
  for (std::size_t length = 2; length < borders.size(); ++length) {
    if (tables_.not_names.count(rest.substr(0, borders[length])) > 0) return true;
  }
  return false;
}

std::size_t Names::FollowerLength(std::string_view rest) const {
  if (rest.empty() || rest[0] == '\n' || rest[0] == '\r') return 1;
  std::size_t length = 0;
  for (const std::string& word : tables_.followers) {
    if (word.size() > length && rest.starts_with(word)) length = word.size();
  }
  return length;
}

// 张三与被告某某公司 is no one name.
bool Names::NamesRole(std::string_view name) const {
  if (name.find("与") != std::string_view::npos) return true;
  return std::any_of(tables_.party_roles.begin(), tables_.party_roles.end(),
                     [&](const std::string& role) { return name.find(role) != name.npos; });
}

std::string_view Names::MaskedName(std::string_view rest, std::size_t surname) const {
  // A mask ends the name, with the sign that tells two of them apart.
  std::size_t end = surname;
  const auto starts = [&](std::string_view mark) { return rest.substr(end).starts_with(mark); };
  bool masked = false;
  for (int i = 0; i < 4; ++i) {
    for (const std::string_view mark : {"某", "×", "＊", "*", "X", "x"}) {
      if (starts(mark)) {
        end += mark.size();
        masked = true;
        break;
      }
    }
  }
  if (!masked) return {};
  const std::string_view tail = rest.substr(end);
  if (!tail.empty() && tail[0] >= '0' && tail[0] <= '9') return rest.substr(0, end + 1);
  for (const std::string_view sign : {"甲", "乙", "丙", "丁", "戊", "己", "已", "庚", "辛"}) {
    if (!tail.starts_with(sign)) continue;
    // 已 for 己 is a common slip, but 陈某已付款 is none.
    const std::string_view after = tail.substr(sign.size());
    const bool han = !after.empty() && IsHan(base::DecodeUtf8(after).code_point);
    if (sign == "已" && han && !after.starts_with("的")) continue;
    return rest.substr(0, end + sign.size());
  }
  // 罗某美: a third character that is no verb, and behind which a name can end, belongs to it; 某某
  // stands for the whole given name already.
  const bool whole = base::CountCodePoints(rest.substr(surname, end - surname)) > 1;
  if (!whole && !tail.empty() && !FollowsName(tail) && IsHan(base::DecodeUtf8(tail).code_point)) {
    const std::size_t length = base::DecodeUtf8(tail).length;
    if (FollowsName(tail.substr(length))) return rest.substr(0, end + length);
  }
  return rest.substr(0, end);
}

std::string_view Names::NameAt(std::string_view text, std::size_t at, Counts& counts) const {
  // The same few names come again and again; each is counted once.
  const auto count_of = [&](std::string_view word) {
    const auto found = counts.find(word);
    if (found != counts.end()) return found->second;
    return counts[std::string(word)] = CountOf(text, word);
  };
  const std::string_view rest = text.substr(at);
  Match match;
  if (patterns_[kMinorityName].MatchAt(rest.substr(0, std::min<std::size_t>(rest.size(), 96)), 0,
                                       &match)) {
    return rest.substr(0, match.end());
  }
  const std::size_t surname = SurnameLength(rest);
  if (surname == 0 || StartsLikeWord(rest)) return {};
  const std::vector<std::size_t> borders = Borders(rest, 5);
  const std::size_t first = surname > 4 ? 2 : 1;  // characters of the family name
  if (std::string_view masked = MaskedName(rest, surname); !masked.empty()) {
    // 谭某才 at every place is a name although 才 is a word.
    const std::string_view next = rest.substr(masked.size());
    if (!masked.ends_with("某") || next.empty() || !IsHan(base::DecodeUtf8(next).code_point))
      return masked;
    const std::string_view longer = rest.substr(0, masked.size() + base::DecodeUtf8(next).length);
    const std::size_t all = count_of(masked);
    return all >= 3 && count_of(longer) == all && !masked.ends_with("某某") ? longer : masked;
  }
  std::string_view best;
  std::size_t best_count = 0;
  std::size_t short_count = 0;
  for (std::size_t given = 1; given <= 2; ++given) {
    const std::size_t characters = first + given;
    if (characters >= borders.size()) break;
    const std::string_view name = rest.substr(0, borders[characters]);
    bool han = true;
    for (std::size_t i = 0; i < characters; ++i) {
      han = han && IsHan(base::DecodeUtf8(rest.substr(borders[i])).code_point);
    }
    if (!han) continue;
    if (given == 1) short_count = count_of(name);
    if (!FollowsName(rest.substr(borders[characters]))) continue;
    const std::size_t count = count_of(name);
    // The longer name wins where the shorter one never stands without the longer one's end.
    if (given == 2 && best.empty() && short_count > 2 && short_count > 3 * count) {
      return rest.substr(0, borders[first + 1]);  // 张琳 many times, 张琳就 once
    }
    // 赵六诉称: a verb of two characters behind the short name says more than one behind the long.
    if (given == 2 && !best.empty() && FollowerLength(rest.substr(best.size())) >= 6) break;
    if (best.empty() || count >= best_count) {
      best = name;
      best_count = count;
    }
  }
  return best;
}

void Names::Learn(std::string_view text, LearnedNames& learned) const {
  LearnDeclared(text, learned);
  LearnOrganisations(text, learned);
  LearnMentioned(text, learned);
  LearnAliases(text, learned);
}

void Names::LearnDeclared(std::string_view text, LearnedNames& learned) const {
  ForEach(patterns_[kDeclaration], text, [&](const Match& match) {
    // The next role may follow at once (原告：张三、李四): the search goes on behind the role.
    const std::size_t next = std::max(match.groups[1].end, match.groups[2].end);
    std::string_view name = match.Text(text, 3);
    while (name.ends_with(' ')) name.remove_suffix(1);
    const bool sign = !match.Text(text, 2).empty();
    const std::string role(match.Text(text, 1));
    Kind kind = Kind::kPerson;
    const bool organisation =
        std::any_of(tables_.org_suffixes.begin(), tables_.org_suffixes.end(),
                    [&](const std::string& suffix) { return name.ends_with(suffix); });
    const std::size_t characters = base::CountCodePoints(name);
    if (LooksLikePerson(name)) {
      kind = Kind::kPerson;
    } else if ((organisation && characters >= 4 &&
                ((sign && name.find("与") == std::string_view::npos) ||
                 (IntroducesParty(text.substr(match.end())) && !NamesRole(name)) ||
                 TrimOrganisation(name).size() == name.size())) ||
               // 被告：新味餐厅，经营场所…: whatever it is called
               (sign && characters >= 5 && IntroducesParty(text.substr(match.end())) &&
                !NamesRole(name) && !StartsLikeWord(name) &&
                name.find("签") == std::string_view::npos &&
                name.find("章") == std::string_view::npos)) {
      kind = Kind::kOrganisation;
    } else if (sign && !StartsLikeWord(name) && characters >= 2) {
      // A role with a colon says that a name follows, whatever the family name.
      Match person;
      const bool han = patterns_[kPersonName].MatchAt(name, 0, &person);
      const bool latin =
          name.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz .'-") ==
          std::string_view::npos;
      if (!(han && characters <= 4) && !(latin && characters >= 3)) return next;
    } else {
      return next;
    }
    LearnedName entry{kind, role, std::string(name), match.groups[3].begin};
    learned.emplace(std::string(name), std::move(entry));
    return next;
  });
  ForEach(patterns_[kJudgeLine], text, [&](const Match& match) {
    std::string name;
    for (const char c : match.Text(text, 2)) name += c;
    std::string plain;
    for (std::size_t at = 0; at < name.size();) {
      const base::Utf8Char c = base::DecodeUtf8(std::string_view(name).substr(at));
      if (c.code_point != ' ' && c.code_point != 0x3000) plain += name.substr(at, c.length);
      at += c.length;
    }
    const std::size_t characters = base::CountCodePoints(plain);
    if (characters >= 2 && characters <= 8 && LooksLikePerson(plain)) {
      learned.emplace(name, LearnedName{Kind::kJudge, std::string(match.Text(text, 1)), plain,
                                        match.groups[2].begin});
    }
    return match.groups[2].begin;
  });
}

// 被告汽配中心辩称: a short name of an organisation right behind a role, where a name can end
// behind it and no word that follows names lies in it (被告人驾车到医院).
std::string_view Names::OrganisationAt(std::string_view text, std::size_t at) const {
  const std::string_view rest = text.substr(at);
  const std::vector<std::size_t> borders = Borders(rest, 9);
  std::string_view best;
  for (std::size_t count = 1; count < borders.size(); ++count) {
    const std::size_t end = borders[count];
    const std::string_view name = rest.substr(0, end);
    if (!IsHan(base::DecodeUtf8(rest.substr(borders[count - 1])).code_point)) break;
    const bool suffix = std::any_of(tables_.org_suffixes.begin(), tables_.org_suffixes.end(),
                                    [&](const std::string& word) {
                                      return name.size() > word.size() + 3 && name.ends_with(word);
                                    });
    if (suffix && FollowsName(rest.substr(end)) && tables_.generic_organisations.count(name) == 0)
      best = name;
    if (count > 1 && FollowsName(rest.substr(borders[count - 1]))) break;
  }
  return StartsLikeWord(best) || FollowsName(best) ? std::string_view() : best;
}

// 原告张三、李四和王五公司诉称: the names of a list behind one role.
void Names::LearnList(std::string_view text, std::size_t at, const std::string& role,
                      Counts& counts, LearnedNames& learned) const {
  for (int i = 0; i < 40; ++i) {
    // An organisation that was found by its ending gets the role that stands before it.
    LearnedName* organisation = nullptr;
    std::size_t length = 0;
    for (auto& [name, entry] : learned) {
      if (entry.kind == Kind::kOrganisation && name.size() > length &&
          text.substr(at, name.size()) == name) {
        organisation = &entry;
        length = name.size();
      }
    }
    if (organisation != nullptr) {
      if (organisation->role.empty()) organisation->role = role;
    } else {
      Kind kind = Kind::kOrganisation;
      std::string_view name = OrganisationAt(text, at);
      if (name.empty()) {
        kind = Kind::kPerson;
        name = NameAt(text, at, counts);
      }
      if (name.empty()) return;
      learned.emplace(std::string(name), LearnedName{kind, role, std::string(name)});
      length = name.size();
    }
    at += length;
    bool more = false;
    for (const std::string_view joint : {"、", "和", "与", "及"}) {
      if (!text.substr(at).starts_with(joint)) continue;
      at += joint.size();
      more = true;
      break;
    }
    if (!more) return;
  }
}

void Names::LearnMentioned(std::string_view text, LearnedNames& learned) const {
  Counts counts;
  ForEach(patterns_[kMention], text, [&](const Match& match) {
    const std::string role(match.Text(text, 1));
    // 被告（张卫东、王兰萍）称
    if (match.has(3)) LearnList(text, match.groups[3].begin, role, counts, learned);
    LearnList(text, match.end(), role, counts, learned);
    return match.end();
  });
  ForEach(patterns_[kNamed], text, [&](const Match& match) {
    const std::string name(match.Text(text, 1));
    if (LooksLikePerson(name)) learned.emplace(name, LearnedName{Kind::kPerson, "", name});
    return match.groups[1].begin;
  });
  ForEach(patterns_[kIntroduced], text, [&](const Match& match) {
    const std::string name(match.Text(text, 1));
    learned.emplace(name, LearnedName{Kind::kPerson, "", name});
    return match.end();
  });
}

// Cuts what stands before the name: the last boundary word, or everything before a province.
std::string_view Names::TrimOrganisation(std::string_view name) const {
  std::size_t province = std::string_view::npos;
  for (const std::string& area : tables_.provinces) {
    const std::size_t at = name.rfind(area);
    // 某某股份有限公司黑龙江分公司: a branch's province.
    if (at != std::string_view::npos && name.substr(0, at).ends_with("公司")) continue;
    if (at != std::string_view::npos && (province == std::string_view::npos || at < province)) {
      province = at;
    }
  }
  std::size_t cut = 0;
  for (const std::string& word : tables_.org_boundaries) {
    if (name.size() < word.size() + 12) continue;
    for (std::size_t at = name.find(word); at != std::string_view::npos;
         at = name.find(word, at + word.size())) {
      const std::size_t end = at + word.size();
      // A boundary behind the province is a part of the name (北京和平…公司), and so is one that
      // leaves too little (和平公司).
      const bool role = std::find(tables_.party_roles.begin(), tables_.party_roles.end(), word) !=
                        tables_.party_roles.end();
      if (province != std::string_view::npos && at >= province && !role) break;
      if (name.size() - end < 12) break;
      cut = std::max(cut, end);
    }
  }
  if (province != std::string_view::npos && province > 0 && cut < province) cut = province;
  return name.substr(cut);
}

void Names::LearnOrganisations(std::string_view text, LearnedNames& learned) const {
  ForEach(patterns_[kOrganisationSuffix], text, [&](const Match& match) {
    // Left to the border of the clause, at most 40 characters.
    std::size_t begin = match.begin();
    for (int i = 0; i < 40 && begin > 0; ++i) {
      const std::size_t at = base::BorderUpTo(text, begin - 1);
      const char32_t c = base::DecodeUtf8(text.substr(at)).code_point;
      const bool part = IsHan(c) || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') ||
                        (c >= '0' && c <= '9') || c == U'（' || c == U'）' || c == '(' ||
                        c == ')' || c == U'·' || c == U'×' || c == '*';
      if (!part) break;
      begin = at;
    }
    std::string_view name = text.substr(begin, match.end() - begin);
    const bool known = std::any_of(learned.begin(), learned.end(), [&](const auto& entry) {
      return entry.second.kind == Kind::kOrganisation && name.ends_with(entry.first);
    });
    if (known) return match.end();
    name = TrimOrganisation(name);
    // A bracket that opens before the name does not belong to it.
    for (const auto& [open, close] : {std::pair{"（", "）"}, std::pair{"(", ")"}}) {
      const std::size_t closing = name.find(close);
      const std::size_t opening = name.find(open);
      if (closing != std::string_view::npos &&
          (opening == std::string_view::npos || opening > closing)) {
        name = name.substr(closing + std::string_view(close).size());
      }
      const std::size_t last = name.rfind(open);
      if (last != std::string_view::npos && name.find(close, last) == std::string_view::npos) {
        name = name.substr(last + std::string_view(open).size());
      }
    }
    const std::string_view suffix = match.Text(text, 0);
    const std::size_t characters = base::CountCodePoints(name);
    const bool strong = suffix.ends_with("公司") || suffix.ends_with("事务所") ||
                        suffix.ends_with("检察院") || suffix.ends_with("银行") ||
                        suffix.ends_with("委员会") || suffix.ends_with("支行") ||
                        suffix.ends_with("分行") || suffix.ends_with("局") ||
                        suffix.ends_with("办事处") || suffix.ends_with("人民政府");
    // （1）某某公司: what is left of the number of a list.
    while (!name.empty() && (static_cast<unsigned char>(name[0]) < 0x80U ||
                             name.starts_with("（") || name.starts_with("）"))) {
      const bool latin = name[0] >= 'A' && name[0] <= 'Z';
      if (latin) break;
      name.remove_prefix(base::DecodeUtf8(name).length);
    }
    if (tables_.generic_organisations.count(name) > 0) return match.end();
    const bool begins = std::any_of(
        tables_.org_boundaries.begin(), tables_.org_boundaries.end(), [&](const std::string& word) {
          return word.size() > 3 && name.size() < word.size() + 12 && name.starts_with(word);
        });
    if (begins) return match.end();
    for (const std::string_view own :
         {"我公司", "其公司", "本公司", "该公司", "贵公司", "我行", "我局"}) {
      if (name.ends_with(own)) return match.end();
    }
    if (!strong || name.size() <= suffix.size() + 3 || characters < 4) return match.end();
    if (name.find("的") != std::string_view::npos) return match.end();  // 雷惠的银行
    learned.emplace(std::string(name), LearnedName{Kind::kOrganisation, "", std::string(name)});
    return match.end();
  });
}

void Names::LearnAliases(std::string_view text, LearnedNames& learned) const {
  ForEach(patterns_[kAlias], text, [&](const Match& match) {
    // The name that ends right before the bracket, the longest of them.
    const std::string_view head = text.substr(0, match.begin());
    const LearnedName* owner = nullptr;
    std::size_t longest = 0;
    for (const auto& [name, entry] : learned) {
      if (name.size() > longest && head.ends_with(name)) {
        owner = &entry;
        longest = name.size();
      }
    }
    if (owner != nullptr) {
      LearnedName alias{owner->kind, owner->role, owner->full};
      const auto [place, added] = learned.emplace(std::string(match.Text(text, 1)), alias);
      // Found by its ending before, or behind a role: it now has a full name.
      if (!added && place->second.full == place->first) place->second = std::move(alias);
    }
    return match.end();
  });
}

}  // namespace zhibi::entity
