// SPDX-License-Identifier: Apache-2.0
// ENT-03 to ENT-08: roles that exclude each other, check digits of citizen numbers (GB 11643) and
// credit codes (GB 32100), sex and birth against the number, names of courts, and the cause of
// action.
#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "base/utf8.h"
#include "entity/causes.h"
#include "legal/identity.h"
#include "rules/context.h"

namespace zhibi::rules {
namespace {

// A number that begins with a province and carries a year of birth that somebody can have is meant
// to be a citizen number; other runs of 18 digits are accounts and the like.
bool MeantAsCitizenNumber(std::string_view digits) {
  static const Pattern kForm = MustCompile(
      "^(?:1[1-5]|2[1-3]|3[1-7]|4[1-6]|5[0-4]|6[1-5]|71|8[1-3])\\d{4}(?:18[5-9]|19\\d|20[0-4])\\d");
  return Has(kForm, digits);
}

void CheckAgainstNumber(Context& context, const legal::CitizenNumber& number, Span span) {
  const View& view = context.view;
  Span line{0, view.text.size()};
  for (const Span candidate : view.lines) {
    if (candidate.Contains(span.begin)) line = candidate;
  }
  // Only what is said of the same person: from the last full stop or 名字 before the number on.
  const std::size_t stop = view.text.rfind("。", span.begin);
  const std::size_t begin = stop != std::string::npos && stop > line.begin ? stop + 3 : line.begin;
  const std::size_t next = view.text.find("。", span.end);
  const std::size_t end = std::min(line.end, next == std::string::npos ? line.end : next);
  const std::string_view about = view.At({begin, end});
  static const Pattern kSex = MustCompile("[，,、 （(；;：](男|女)[，,、 ）)；;。]");
  static const Pattern kBirth = MustCompile("(\\d{4})年(\\d{1,2})月(\\d{1,2})日(?:出生|生|，)");
  Match match;
  if (kSex.Search(about, 0, &match)) {
    const bool female = match.Text(about, 1) == "女";
    if (female != number.female) {
      context.Report(
          "ENT-06", span,
          {.message = std::string("公民身份号码的顺序码表示") + (number.female ? "女" : "男") +
                      "性，文中写“" + std::string(match.Text(about, 1)) + "”",
           .suggestion = "核对性别和号码"});
    }
  }
  int births = 0;
  ForEach(kBirth, about, {0, about.size()}, [&](const Match&) { ++births; });
  if (births == 1 && kBirth.Search(about, 0, &match)) {
    const std::string said(about.substr(match.begin(), match.groups[3].end - match.begin()));
    const Result<legal::Date> birth = legal::ParseDate(said + "日");
    if (birth.ok() && (about.find("生", match.begin()) < match.end() + 9) &&
        *birth != number.birth) {
      context.Report("ENT-06", span,
                     {.message = "公民身份号码中的出生日期是" + Said(number.birth) + "，文中写“" +
                                 said + "日”",
                      .suggestion = "核对出生日期和号码"});
    }
  }
}

void CheckCitizenNumbers(Context& context) {
  static const Pattern kNumber = MustCompile("(?<![0-9A-Za-z.])\\d{17}[\\dXx](?![0-9A-Za-z])");
  static const Pattern kShort = MustCompile(
      "(?:身份证|身份号码|身份证号)[^\\d，。；\\n]{0,12}(\\d{10,14}|\\d{16,17}|\\d{19,22})(?!["
      "\\dXx*×]"
      ")");
  const std::string& text = context.view.text;
  ForEach(kNumber, text, {0, text.size()}, [&](const Match& m) {
    const std::string_view digits = m.Text(text, 0);
    const Result<legal::CitizenNumber> number = legal::ParseCitizenNumber(digits);
    if (number.ok()) {
      CheckAgainstNumber(context, *number, SpanOf(m));
      return;
    }
    const std::size_t from = m.begin() >= 45 ? m.begin() - 45 : 0;
    const std::string_view before = std::string_view(text).substr(from, m.begin() - from);
    if (Has(before, "账") || Has(before, "帐") || Has(before, "卡号") || Has(before, "代码"))
      return;
    const bool meant = MeantAsCitizenNumber(digits);
    if (!meant && !Has(before, "身份")) return;
    context.Report("ENT-04", SpanOf(m),
                   {.message = "公民身份号码不正确：" + number.status().message(),
                    .suggestion = "与居民身份证核对",
                    .level = meant ? Level::kError : Level::kWarning});
  });
  ForEach(kShort, text, {0, text.size()}, [&](const Match& m) {
    context.Report("ENT-04", SpanOf(m, 1),
                   {.message = "公民身份号码应为18位",
                    .suggestion = "与居民身份证核对",
                    .level = Level::kWarning});
  });
}

void CheckCreditCodes(Context& context) {
  static const Pattern kCode = MustCompile("(?<![0-9A-Za-z])[0-9A-Z]{18}(?![0-9A-Za-z])");
  static const Pattern kWrongLength = MustCompile(
      "统一社会信用代码[^0-9A-Za-z，。；\\n]{0,6}([0-9A-Z]{8,17}|[0-9A-Z]{19,22})(?![0-9A-Za-z*×]"
      ")");
  const std::string& text = context.view.text;
  ForEach(kCode, text, {0, text.size()}, [&](const Match& m) {
    const std::string_view code = m.Text(text, 0);
    const std::size_t from = m.begin() >= 48 ? m.begin() - 48 : 0;
    const std::string_view before = std::string_view(text).substr(from, m.begin() - from);
    const bool named = Has(before, "信用代码");
    if (!named && !code.starts_with("91") && !code.starts_with("92")) return;
    if (!named && legal::ParseCitizenNumber(code).ok()) return;
    if (!named && code.find_first_of("ABCDEFGHIJKLMNOPQRSTUVWXYZ") == std::string_view::npos)
      return;
    const Result<std::string> parsed = legal::ParseCreditCode(code);
    if (parsed.ok()) return;
    context.Report("ENT-05", SpanOf(m),
                   {.message = "统一社会信用代码不正确：" + parsed.status().message(),
                    .suggestion = "与营业执照核对"});
  });
  ForEach(kWrongLength, text, {0, text.size()}, [&](const Match& m) {
    context.Report("ENT-05", SpanOf(m, 1),
                   {.message = "统一社会信用代码应为18位", .suggestion = "与营业执照核对"});
  });
}

// What the head says of an earlier instance: （原审被告）, （一审原告、二审上诉人）.
Side OriginalSide(const std::string& roles) {
  static const Pattern kOriginal = MustCompile("(?:原审|一审)[^，、；）\\n]{0,6}?(原告|被告)");
  Match match;
  if (!kOriginal.Search(roles, 0, &match)) return Side::kNone;
  return match.Text(roles, 1) == "原告" ? Side::kFirst : Side::kSecond;
}

// Where both sides appeal the head may name a party twice, but never as plaintiff and as defendant
// of the first instance.
bool MayRepeat(const View& view, const Party& earlier, const Party& later) {
  if (view.incidental_civil) return true;
  if (view.instance == Instance::kFirst) return false;
  const Side before = OriginalSide(earlier.roles);
  const Side after = OriginalSide(later.roles);
  if (before == Side::kNone || before != after) return false;
  // Then a party of the other side stands there twice too.
  for (const Party& a : view.parties) {
    for (const Party& b : view.parties) {
      if (&a != &b && a.name == b.name && a.side != b.side && a.name != earlier.name && !a.agent &&
          !b.agent) {
        return true;
      }
    }
  }
  return false;
}

struct Opposite {
  std::string_view role;   // in the head
  std::string_view wrong;  // before the same name later
  bool first_instance;
};
constexpr Opposite kOpposites[] = {
    {"原告", "被告", true},
    {"被告", "原告", true},
    {"上诉人", "被上诉人", false},
    {"被上诉人", "上诉人", false},
    {"再审申请人", "被申请人", false},
    {"被申请人", "再审申请人", false},
};

// 被上诉人甲公司重庆分公司: another party's name begins like this one.
bool IsLongerName(const View& view, std::size_t at, const Party& party) {
  return std::any_of(view.parties.begin(), view.parties.end(), [&](const Party& other) {
    return other.name.size() > party.name.size() &&
           view.text.compare(at, other.name.size(), other.name) == 0;
  });
}

// Later mentions with the role of the other side. Roles of the first instance are its own; in later
// instances they are recited (原审被告张三), so there only the roles of that instance count.
void CheckLaterRoles(Context& context, const Party& party, const Opposite& opposite) {
  const View& view = context.view;
  const std::string wrong = std::string(opposite.wrong) + party.name;
  for (std::size_t at = view.text.find(wrong); at != std::string::npos;
       at = view.text.find(wrong, at + 1)) {
    const std::string_view before =
        std::string_view(view.text).substr(at >= 6 ? at - 6 : 0, at >= 6 ? 6 : at);
    if (before == "反诉" || before == "原审" || before == "一审" || before == "二审") continue;
    if (before.ends_with("被") || before.ends_with("原")) continue;
    const Part part = view.PartAt(at);
    if (part == Part::kHeading && at < party.line.end) continue;
    if (part == Part::kPrior || IsLongerName(view, at + opposite.wrong.size(), party)) continue;
    context.Report("ENT-03", {at, at + wrong.size()},
                   {.message = "“" + party.name + "”在首部是" + party.role + "，此处写作“" +
                               std::string(opposite.wrong) + "”",
                    .suggestion = party.role + party.name});
  }
}

// The same name on both sides in a document without a counterclaim.
void CheckRoles(Context& context) {
  const View& view = context.view;
  if (view.form == Form::kContract || view.form == Form::kDivorceAgreement) return;
  const bool counterclaim = Has(view.text, "反诉");
  std::map<std::string, const Party*> first;
  std::set<std::string> repeated;
  for (const Party& party : view.parties) {
    if (party.agent || party.masked || party.side == Side::kNone || party.side == Side::kState)
      continue;
    const auto [it, added] = first.emplace(party.name, &party);
    if (added) continue;
    repeated.insert(party.name);
    const Party& earlier = *it->second;
    if (earlier.side == party.side || counterclaim || MayRepeat(view, earlier, party)) continue;
    context.Report("ENT-03", party.span,
                   {.message = "“" + party.name + "”既是" + earlier.role + "，又是" + party.role,
                    .evidence = earlier.role + party.name + "；" + party.role + party.name,
                    .suggestion = "核对诉讼地位；同名的两人应当写明区别"});
  }
  if (counterclaim) return;
  for (const auto& [name, party] : first) {
    if (repeated.contains(name)) continue;
    for (const Opposite& opposite : kOpposites) {
      const bool instance = opposite.first_instance == (view.instance == Instance::kFirst);
      // 被上诉人王霞抢走 is passive there: criminal appeals know no 被上诉人.
      if (!opposite.first_instance && view.branch == Branch::kCriminal) continue;
      if (instance && party->role == opposite.role) CheckLaterRoles(context, *party, opposite);
    }
  }
}

std::string WithoutNation(std::string_view court) {
  if (court.starts_with("中华人民共和国")) court.remove_prefix(21);
  return std::string(court);
}

// The court of the title or the addressee, written with one character wrong, missing or too many.
void CheckCourtNames(Context& context) {
  static const Pattern kCourt = MustCompile(
      "(?:[\\p{Han}]{2,18}?(?:省|市|区|县|州|旗|盟))+(?:第[一二三四五])?(?:高级|中级)?(?:人民|民人|"
      "入民)法院");
  const View& view = context.view;
  if (view.court_line.end == 0) return;
  const std::string own = WithoutNation(view.At(view.court_line));
  if (IsMasked(own) || !own.ends_with("人民法院") || own.size() < 24) return;
  const std::vector<std::string_view> want = base::Characters(own);
  std::set<std::string> seen;
  for (std::size_t at = view.text.find("法院", view.court_line.end); at != std::string::npos;
       at = view.text.find("法院", at + 6)) {
    // Windows of the same length, one shorter and one longer that end here.
    const std::size_t end = at + 6;
    const std::size_t begin =
        base::BorderFrom(view.text, end >= own.size() + 6 ? end - own.size() - 6 : 0);
    const std::vector<std::string_view> have = base::Characters(view.At({begin, end}));
    if (have.size() < want.size() || view.text.compare(end - own.size(), own.size(), own) == 0)
      continue;
    // Same length, exactly one character differs.
    int differ = 0;
    std::size_t where = 0;
    for (std::size_t i = 0; i < want.size(); ++i) {
      if (have[have.size() - want.size() + i] != want[i]) {
        ++differ;
        where = i;
      }
    }
    if (differ != 1 || where == 0) continue;
    // 高级 and 中级, 第一 and 第二, districts of one city are other courts.
    static const std::string_view kOther[] = {"高", "中", "一", "二", "三", "四", "五",
                                              "东", "西", "南", "北", "区", "县", "市"};
    const std::string_view wrong = have[have.size() - want.size() + where];
    bool other = false;
    for (const std::string_view word : kOther) other = other || wrong == word;
    const std::size_t length = own.size();
    const std::string name(view.At({end - length, end}));
    if (other || name.size() != length || IsMasked(name)) continue;
    context.Report(
        "ENT-07", {end - length, end},
        {.message = "法院名称“" + name + "”与标题中的“" + own + "”差一个字", .suggestion = own});
  }
}

// The cause of the table, longer than `known`, that differs from the end of `said` in one
// character.
std::string NearCause(const entity::Causes& causes, std::string_view said,
                      const entity::Cause* known) {
  const std::vector<std::string_view> have = base::Characters(said);
  const std::size_t least = known == nullptr ? 0 : known->name.size();
  for (std::size_t from = 0; from + 4 <= have.size(); ++from) {
    const std::string_view tail =
        said.substr(static_cast<std::size_t>(have[from].data() - said.data()));
    if (tail.size() <= least) break;
    for (const std::string& near : causes.Nearest(tail, 3)) {
      if (near.size() != tail.size()) continue;
      const std::vector<std::string_view> want = base::Characters(near);
      std::size_t differ = 0;
      for (std::size_t i = 0; i < want.size(); ++i) differ += want[i] != have[from + i] ? 1 : 0;
      if (differ == 1 && (want.size() >= 6 || want.front() == have[from])) return near;
    }
  }
  return "";
}

void CheckCause(Context& context) {
  static const Pattern kCase = MustCompile(
      "(?:^案由[：: "
      "]*|(?:因|诉|与)[^。，；\\n]{0,80}?)([\\p{Han}、，（）]{2,24}?(?:纠纷|争议))(?:一案|$)");
  const View& view = context.view;
  if (view.branch == Branch::kCriminal || view.branch == Branch::kAdministrative) return;
  legal::Date filed = context.date.value_or(legal::Date{});
  if (!context.date) return;
  if (view.own_number && view.own_number->year > 1980) filed = {view.own_number->year, 1, 1};
  Match match;
  static const Pattern kTail = MustCompile("([\\p{Han}、]{2,24}(?:纠纷|争议))一案");
  static const Pattern kLabel = MustCompile("^案由[：: ]*([\\p{Han}、（）]{2,30}?)(?:$|[。；，])");
  if (kLabel.Search(view.text, 0, &match)) {
    const std::string_view cause = match.Text(view.text, 1);
    if (context.tables.recogniser.causes().Check(cause, filed) == entity::CauseCheck::kWrong) {
      const std::vector<std::string> near = context.tables.recogniser.causes().Nearest(cause, 3);
      std::string hint;
      for (const std::string& name : near) hint += (hint.empty() ? "" : "、") + name;
      context.Report("ENT-08", SpanOf(match, 1),
                     {.message = "案由“" + std::string(cause) + "”不在民事案件案由规定（2025）中",
                      .suggestion = "相近的案由：" + hint});
    }
    return;
  }
  if (!kTail.Search(view.text, 0, &match)) return;
  const std::size_t end = match.groups[1].end;
  const entity::Causes& causes = context.tables.recogniser.causes();
  const entity::Cause* known = causes.EndingAt(view.text, end);
  // 借款和同纠纷 or 施卖合同纠纷: a longer cause of the table with one character changed.
  const std::string_view said = match.Text(view.text, 1);
  if (const std::string near = NearCause(causes, said, known); !near.empty()) {
    const std::size_t begin = end - near.size();
    context.Report(
        "ENT-08", {begin, end},
        {.message = "案由“" + std::string(view.At({begin, end})) + "”与“" + near + "”只差一个字",
         .suggestion = near});
    return;
  }
  if (known != nullptr) return;
  const std::string_view cause = match.Text(view.text, 1);
  if (context.tables.recogniser.causes().Check(cause, filed) != entity::CauseCheck::kWrong) return;
  context.Report("ENT-08", SpanOf(match, 1),
                 {.message = "“" + std::string(cause) + "”不以民事案件案由规定（2025）中的案由结尾",
                  .suggestion = "核对案由"});
}

}  // namespace

void CheckEntities(Context& context) {
  CheckCitizenNumbers(context);
  CheckCreditCodes(context);
  CheckRoles(context);
  CheckCourtNames(context);
  CheckCause(context);
}

}  // namespace zhibi::rules
