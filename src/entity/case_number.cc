// SPDX-License-Identifier: Apache-2.0
#include "entity/case_number.h"

#include <utility>

#include "base/status_macros.h"
#include "entity/data_file.h"

namespace zhibi::entity {
namespace {

// Groups: 1 bracket, 2 year, then new form: 3 court, 4 special, 5 type, 6 number; old form: 7 court
// and type, 8 number; 9 之一. A masked number keeps its place (×××, ＊).
std::string CaseNumberPattern(const std::string& letters) {
  const std::string digits = R"((\d{1,8}(?:[-、至]\d{1,8})*|[×xX*＊_]{1,8}))";
  return R"(([（(〔\[])((?:19|20)\d\d|[×xX]{2,4})[)）〕\]][\s/]{0,2}(?:)"
         R"((最高法|[)" +
         letters + R"(](?:\d{4}|\d{2}|[×xX]{1,4})?)(知)?(\p{Han}{1,4}?))" + digits + "号" +
         R"(|(\p{Han}[\p{Han}（）()]{0,15}?)字第)" + digits + "号" +
         R"()(?:[之](?:[一二三四五六七八九十]{1,3}|\d{1,2}))?)";
}

bool Masked(std::string_view text) {
  for (const std::string_view mark : {"×", "＊", "*", "x", "X", "_"}) {
    if (text.find(mark) != std::string_view::npos) return true;
  }
  return false;
}

CourtLevel LevelOfCode(std::string_view court) {
  if (court == "最高法") return CourtLevel::kSupreme;
  std::size_t digits = 0;
  for (const char c : court) digits += c >= '0' && c <= '9' ? 1 : 0;
  if (digits == 4) return CourtLevel::kBasic;
  if (digits == 2) return CourtLevel::kIntermediate;
  return digits == 0 && court.size() == 3 ? CourtLevel::kHigh : CourtLevel::kUnknown;
}

}  // namespace

Result<CaseNumbers> CaseNumbers::Load(const std::string& data_dir) {
  ZB_ASSIGN_OR_RETURN(const nlohmann::json json, ReadTable(data_dir, "case-types.json"));
  ZB_ASSIGN_OR_RETURN(const auto rows, Rows(json, "types", 5, "data/entity/case-types.json"));
  std::map<std::string, CaseType, std::less<>> types;
  for (const std::vector<std::string>& row : rows) {
    types[row[0]] = CaseType{row[0], row[1], row[2], row[3], row[4]};
  }
  ZB_ASSIGN_OR_RETURN(const nlohmann::json courts, ReadTable(data_dir, "courts.json"));
  ZB_ASSIGN_OR_RETURN(const auto areas, Rows(courts, "areas", 2, "data/entity/courts.json"));
  std::map<std::string, std::string, std::less<>> letters;
  std::string all;
  for (const std::vector<std::string>& row : areas) {
    letters[row[1]] = row[0];
    all += row[0];
  }
  ZB_ASSIGN_OR_RETURN(Pattern pattern, Pattern::Compile(CaseNumberPattern(all)));
  return CaseNumbers(std::move(pattern), std::move(types), std::move(letters));
}

Result<CaseNumber> CaseNumbers::Parse(std::string_view text, std::size_t* length) const {
  Match match;
  if (!pattern_.MatchAt(text, 0, &match)) {
    return InvalidArgumentError(
        "no case number: expected （2024）京0105民初1号 or "
        "（2012）朝民初字第1号");
  }
  CaseNumber number;
  const std::string_view year = match.Text(text, 2);
  for (const char c : year) {
    if (c >= '0' && c <= '9') number.year = number.year * 10 + (c - '0');
  }
  number.half_width_brackets = match.Text(text, 1) == "(";
  number.old_form = match.has(7);
  if (number.old_form) {
    // The type of an old number is its last word: ...民初, ...刑一终, 商初.
    std::string_view head = match.Text(text, 7);
    number.number = std::string(match.Text(text, 8));
    std::size_t cut = head.size();
    for (const std::string_view branch : {"刑", "民", "行", "执", "商", "知", "破", "赔"}) {
      const std::size_t at = head.rfind(branch);
      if (at != std::string_view::npos && (cut == head.size() || at > cut)) cut = at;
    }
    number.court = std::string(head.substr(0, cut));
    number.type = std::string(head.substr(cut));
    number.masked = Masked(head) || Masked(number.number) || Masked(year);
    // 刑二终, 民一初: the digit names the division.
    std::string plain = number.type;
    for (const std::string_view division : {"一", "二", "三", "四", "五", "六"}) {
      const std::size_t at = plain.find(division);
      if (at != std::string::npos) plain.erase(at, division.size());
    }
    number.known_type = Type(plain);
  } else {
    number.court = std::string(match.Text(text, 3));
    number.special = std::string(match.Text(text, 4));
    number.type = std::string(match.Text(text, 5));
    number.number = std::string(match.Text(text, 6));
    number.masked = Masked(number.court) || Masked(number.number) || Masked(year);
    number.level = LevelOfCode(number.court);
    number.known_type = Type(number.special + number.type);
    if (number.known_type == nullptr) number.known_type = Type(number.type);
  }
  const std::string_view whole = match.Text(text, 0);
  const std::size_t end = whole.rfind("号");
  number.sub = std::string(whole.substr(end + std::string_view("号").size()));
  if (length != nullptr) *length = whole.size();
  return number;
}

const CaseType* CaseNumbers::Type(std::string_view code) const {
  const auto found = types_.find(code);
  return found == types_.end() ? nullptr : &found->second;
}

std::string CaseNumbers::LetterOf(std::string_view area) const {
  for (const auto& [name, letter] : letters_) {
    if (area == name || (!area.empty() && name.starts_with(area))) return letter;
  }
  return "";
}

}  // namespace zhibi::entity
