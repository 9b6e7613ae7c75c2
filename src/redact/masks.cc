// SPDX-License-Identifier: Apache-2.0
#include "redact/masks.h"

#include <algorithm>
#include <array>
#include <optional>

#include "base/utf8.h"

namespace zhibi::redact {
namespace {

using entity::Kind;

constexpr std::array<std::string_view, 10> kStems = {"甲", "乙", "丙", "丁", "戊",
                                                     "己", "庚", "辛", "壬", "癸"};
constexpr std::array<std::string_view, 12> kFamilies = {"赵", "钱", "孙", "李", "周", "吴",
                                                        "郑", "王", "冯", "陈", "褚", "卫"};

std::string_view FirstCharacter(std::string_view text) {
  return text.empty() ? text : text.substr(0, base::DecodeUtf8(text).length);
}

std::string_view PlaceholderOf(Kind kind) {
  switch (kind) {
    case Kind::kCitizenNumber:
      return "身份证号";
    case Kind::kCreditCode:
      return "信用代码";
    case Kind::kMobile:
    case Kind::kLandline:
      return "电话";
    case Kind::kBankCard:
    case Kind::kAccount:
      return "账号";
    case Kind::kPlate:
      return "车牌";
    case Kind::kAddress:
      return "地址";
    case Kind::kEmail:
    case Kind::kWechat:
    case Kind::kQq:
    case Kind::kIp:
    case Kind::kImei:
      return "网络账号";
    default:
      return "证件号";
  }
}

}  // namespace

std::string EnterpriseSuffix(std::string_view name) {
  for (const std::string_view suffix :
       {"股份有限公司", "有限责任公司", "有限公司", "集团公司", "总公司", "分公司", "支公司",
        "公司",         "银行",         "支行",     "分行",     "合作社", "信用社", "合伙企业",
        "经营部",       "商行",         "超市",     "门市部",   "酒店",   "饭店",   "厂"}) {
    if (name.ends_with(suffix) && name.size() > suffix.size()) return std::string(suffix);
  }
  return "";
}

std::string Masks::Family(const std::string& name) const {
  if (name.find("·") != std::string::npos || name.find("•") != std::string::npos) {
    return std::string(FirstCharacter(name));  // 规定 9: the first character of minority names
  }
  const std::size_t length = recogniser_.SurnameLength(name);
  return length > 0 && length < name.size() ? name.substr(0, length)
                                            : std::string(FirstCharacter(name));
}

void Masks::AddPerson(const std::string& name) {
  if (std::find(persons_.begin(), persons_.end(), name) == persons_.end()) persons_.push_back(name);
}

void Masks::AddOrganisation(const std::string& name) {
  if (std::find(organisations_.begin(), organisations_.end(), name) == organisations_.end()) {
    organisations_.push_back(name);
  }
}

bool Masks::BeforeDigit(const std::string& family) const {
  for (const std::string& name : persons_) {
    if (Family(name) != family) continue;
    for (std::size_t at = text_.find(name); at != text_.npos; at = text_.find(name, at + 1)) {
      const std::size_t end = at + name.size();
      if (end < text_.size() && text_[end] >= '0' && text_[end] <= '9') return true;
    }
  }
  return false;
}

void Masks::Finish() {
  const auto free = [&](const std::string& mask) { return text_.find(mask) == text_.npos; };
  std::map<std::string, std::size_t> families;
  for (const std::string& name : persons_) ++families[Family(name)];
  std::map<std::string, std::size_t> next;
  std::size_t made_up = 0;
  for (const std::string& name : persons_) {
    std::string& mask = person_masks_[name];
    if (level_ == Level::kP3) {
      do {
        const std::size_t stem = made_up / kFamilies.size();
        mask = std::string(kFamilies[made_up % kFamilies.size()]) +
               std::string(kStems[stem % kStems.size()]) +
               (stem >= kStems.size() ? std::to_string(stem / kStems.size()) : "");
        ++made_up;
      } while (!free(mask));
      continue;
    }
    const std::string family = Family(name);
    // 张某 alone is clear only where nobody else is called so, in the text or by us.
    if (families[family] == 1 && free(family + "某")) {
      mask = family + "某";
      continue;
    }
    // 付给刘某117万元 would be two readings: where a sum follows a name, the family gets 甲, 乙,
    // ...
    const bool stems = BeforeDigit(family);
    do {
      const std::size_t index = next[family]++;
      mask =
          family + "某" +
          (stems && index < kStems.size() ? std::string(kStems[index]) : std::to_string(index + 1));
    } while (!free(mask));
  }
  std::size_t count = 0;
  for (const std::string& name : organisations_) {
    std::string mark = "某某";
    if (level_ == Level::kP3) {
      mark = std::string(kStems[count % kStems.size()]) + std::string(kStems[count / 10 % 10]) +
             (count >= 100 ? std::to_string(count / 100) : "");
    } else if (organisations_.size() > 1) {
      mark += std::to_string(count + 1);
    }
    ++count;
    organisation_marks_[name] = mark;
  }
}

std::string Masks::Person(const std::string& name) const {
  const auto found = person_masks_.find(name);
  return found == person_masks_.end() ? name : found->second;
}

std::string Masks::Organisation(const std::string& name, std::string_view written) const {
  const auto found = organisation_marks_.find(name);
  if (found == organisation_marks_.end()) return std::string(written);
  // A trade name alone (阿里) becomes 某某1公司: a digit at the end would run into what follows.
  const std::string suffix = EnterpriseSuffix(written);
  return found->second + (suffix.empty() ? "公司" : suffix);
}

std::string Masks::Number(const entity::Entity& entity, std::string_view written) {
  if (level_ == Level::kP3) {
    std::size_t& number = numbers_[{
        entity.kind, entity.value.empty() || entity.kind == Kind::kAddress ? std::string(written)
                                                                           : entity.value}];
    if (number == 0) number = ++counts_[entity.kind];
    return "【" + std::string(PlaceholderOf(entity.kind)) + std::to_string(number) + "】";
  }
  if (entity.kind == Kind::kAddress) return entity.value.empty() ? "×××" : entity.value;
  // 湘A×××××: the province and the letter tell nothing about a person.
  if (entity.kind == Kind::kPlate && written.size() > 4) {
    return std::string(written.substr(0, 4)) + "×××××";
  }
  return "×××";
}

}  // namespace zhibi::redact
