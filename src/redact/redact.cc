// SPDX-License-Identifier: Apache-2.0
#include "redact/redact.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include <nlohmann/json.hpp>

#include "base/status_macros.h"
#include "legal/date.h"
#include "redact/masks.h"

namespace zhibi::redact {
namespace {

using entity::Entity;
using entity::Kind;

// Numbers that 规定 10 removes from every published text.
bool IsRemovedNumber(Kind kind, Level level) {
  switch (kind) {
    case Kind::kCreditCode:
      return level >= Level::kP2;
    case Kind::kCitizenNumber:
    case Kind::kMobile:
    case Kind::kLandline:
    case Kind::kBankCard:
    case Kind::kAccount:
    case Kind::kPassport:
    case Kind::kPermit:
    case Kind::kPlate:
    case Kind::kVin:
    case Kind::kPropertyCertificate:
    case Kind::kEmail:
    case Kind::kWechat:
    case Kind::kQq:
    case Kind::kIp:
    case Kind::kImei:
    case Kind::kAddress:
      return true;
    default:
      return false;
  }
}

// A number that is masked already, and an address that stops at the county, are as they should be.
bool IsSensitive(const Entity& entity, std::string_view written, Level level) {
  if (!IsRemovedNumber(entity.kind, level)) return false;
  // ××× stands for one that was removed; that of a published text (××乡××村) still has its words.
  if (entity.kind == Kind::kAddress) {
    while (written.starts_with("×")) written.remove_prefix(std::string_view("×").size());
    return written.size() > entity.value.size();
  }
  return !entity.Has(entity::kMasked);
}

bool IsFamilyMatter(std::string_view text) {
  // The title, the claims and the cause stand in the first part; 300 characters of it.
  const std::string_view head = text.substr(0, std::min<std::size_t>(text.size(), 900));
  for (const std::string_view word : {"离婚", "抚养", "赡养", "扶养", "收养", "继承", "婚姻",
                                      "同居关系", "监护权", "探望权", "婚约财产", "分家析产"}) {
    if (head.find(word) != head.npos) return true;
  }
  return false;
}

bool IsProtectedRole(const std::string& role) {
  for (const std::string_view word : {"被害人", "附带民事诉讼原告", "证人", "鉴定人", "监护人"}) {
    if (role.find(word) != std::string::npos) return true;
  }
  return false;
}

// Agents who act by profession are named in published texts.
bool IsLawyer(std::string_view text, const Entity& entity) {
  if (entity.role.find("代理人") == std::string::npos &&
      entity.role.find("辩护人") == std::string::npos) {
    return false;
  }
  std::string_view clause = text.substr(entity.end);
  clause = clause.substr(0, std::min(clause.find("。"), clause.find('\n')));
  return clause.find("律师") != clause.npos || clause.find("法律工作者") != clause.npos ||
         clause.find("法律服务所") != clause.npos;
}

class Redactor {
 public:
  Redactor(const entity::Recogniser& recogniser, std::string_view text, Level level)
      : recogniser_(recogniser), text_(text), level_(level), masks_(recogniser, text, level) {}

  Result<Redacted> Run(const std::vector<entity::KnownName>& known) {
    ZB_ASSIGN_OR_RETURN(const std::vector<Entity> entities, recogniser_.Find(text_, known));
    Redacted result;
    result.mapping.level = level_;
    if (level_ == Level::kP0) {
      for (const Entity& entity : entities) {
        result.sensitive += IsSensitive(entity, Written(entity), Level::kP1) ? 1 : 0;
      }
      result.text = std::string(text_);
      result.mapping.size = text_.size();
      return result;
    }
    ChooseNames(entities);
    Replace(entities, result);
    result.mapping.size = result.text.size();
    ZB_RETURN_IF_ERROR(Scan(result));
    AddNotes(result);
    return result;
  }

 private:
  std::string_view Written(const Entity& entity) const {
    return text_.substr(entity.begin, entity.end - entity.begin);
  }

  void ChooseNames(const std::vector<Entity>& entities) {
    const bool family = IsFamilyMatter(text_);
    std::set<std::string> lawyers;
    for (const Entity& entity : entities) {
      if (entity.kind == Kind::kPerson && entity.Has(entity::kDeclared) &&
          IsLawyer(text_, entity)) {
        lawyers.insert(entity.value);
      }
      if (entity.kind == Kind::kJudge) kept_.insert(entity.value);
    }
    if (level_ != Level::kP3) kept_.insert(lawyers.begin(), lawyers.end());
    const std::set<std::string> minors =
        level_ == Level::kP1 ? Minors(entities) : std::set<std::string>();
    for (const Entity& entity : entities) {
      if (entity.kind == Kind::kPerson && kept_.count(entity.value) == 0 &&
          !entity.Has(entity::kMasked)) {
        const bool hide = level_ >= Level::kP2 || family || IsProtectedRole(entity.role) ||
                          minors.count(entity.value) > 0 ||
                          (!minors.empty() && entity.role == "法定代理人");
        if (!hide) continue;
        hidden_.insert(entity.value);
        masks_.AddPerson(entity.value);
      } else if (entity.kind == Kind::kOrganisation && level_ >= Level::kP2 &&
                 !entity.Has(entity::kMasked) && !EnterpriseSuffix(entity.value).empty()) {
        hidden_.insert(entity.value);
        masks_.AddOrganisation(entity.value);
      }
    }
    masks_.Finish();
  }

  // Names whose clause gives a birth less than 18 years before the last full date of the text.
  std::set<std::string> Minors(const std::vector<Entity>& entities) const {
    legal::Date last;
    for (const Entity& entity : entities) {
      if (entity.kind != Kind::kDate || entity.Has(entity::kPartial)) continue;
      const Result<legal::Date> date = legal::ParseDate(entity.value);
      if (date.ok()) last = std::max(last, *date);
    }
    std::set<std::string> minors;
    for (const Entity& entity : entities) {
      if (entity.kind != Kind::kPerson || !entity.Has(entity::kDeclared)) continue;
      const std::size_t stop = std::min(text_.find('\n', entity.end), text_.find("。", entity.end));
      for (const Entity& date : entities) {
        if (date.kind != Kind::kDate || date.begin < entity.end || date.begin >= stop) continue;
        const std::string_view after = text_.substr(date.end, std::string_view("出生").size());
        const Result<legal::Date> birth = legal::ParseDate(date.value);
        if (birth.ok() && (after.starts_with("出生") || after.starts_with("生")) &&
            legal::AgeAt(*birth, last) < 18) {
          minors.insert(entity.value);
        }
      }
    }
    return minors;
  }

  std::string NewText(const Entity& entity) {
    const std::string_view written = Written(entity);
    if (entity.kind == Kind::kPerson && hidden_.count(entity.value) > 0) {
      return masks_.Person(entity.value);
    }
    if (entity.kind == Kind::kOrganisation && hidden_.count(entity.value) > 0) {
      return masks_.Organisation(entity.value, written);
    }
    // 钱多食品店: the name of somebody who is hidden, in one that stays.
    if (entity.kind == Kind::kOrganisation) return WithoutHidden(written);
    if (IsSensitive(entity, written, level_)) return masks_.Number(entity, written);
    if (level_ >= Level::kP2 && entity.kind == Kind::kDate && !entity.Has(entity::kPartial)) {
      const std::string_view after = text_.substr(entity.end);
      const std::string_view before = text_.substr(0, entity.begin);
      const std::size_t year = written.find("年");
      if (year != written.npos && (after.starts_with("出生") || after.starts_with("生，") ||
                                   before.ends_with("生于") || before.ends_with("出生于"))) {
        return std::string(written.substr(0, year + std::string_view("年").size()));
      }
    }
    return std::string(written);
  }

  std::string WithoutHidden(std::string_view written) const {
    std::string text(written);
    for (const std::string& name : hidden_) {
      // One character would be found in any word.
      if (name.size() < 6) continue;
      const std::string mask = masks_.Person(name);
      for (std::size_t at = text.find(name); mask != name && at != text.npos;
           at = text.find(name, at + mask.size())) {
        text.replace(at, name.size(), mask);
      }
    }
    return text;
  }

  void Replace(const std::vector<Entity>& entities, Redacted& result) {
    std::size_t at = 0;
    for (const Entity& entity : entities) {
      if (entity.begin < at) continue;
      std::string text = NewText(entity);
      if (text == Written(entity)) continue;
      result.text.append(text_.substr(at, entity.begin - at));
      result.mapping.replacements.push_back(
          {result.text.size(), text, std::string(Written(entity)), entity.kind});
      result.text += text;
      at = entity.end;
    }
    result.text.append(text_.substr(at));
    result.sensitive = result.mapping.replacements.size();
  }

  Status Scan(Redacted& result) const {
    ZB_ASSIGN_OR_RETURN(const std::vector<Entity> entities, recogniser_.Find(result.text));
    for (const Entity& entity : entities) {
      const std::string_view written =
          std::string_view(result.text).substr(entity.begin, entity.end - entity.begin);
      if (IsSensitive(entity, written, level_)) {
        result.residue.push_back({entity.begin, entity.end, entity.kind});
      }
    }
    // What was hidden once must stand nowhere: a value in a place that no recogniser looked at.
    std::map<std::string, Kind> originals;
    for (const Replacement& replacement : result.mapping.replacements) {
      if (replacement.kind == Kind::kDate || replacement.original.size() < 6) continue;
      originals.emplace(replacement.original, replacement.kind);
    }
    for (const auto& [original, kind] : originals) {
      for (std::size_t at = result.text.find(original); at != std::string::npos;
           at = result.text.find(original, at + original.size())) {
        result.residue.push_back({at, at + original.size(), kind});
      }
    }
    return OkStatus();
  }

  void AddNotes(Redacted& result) const {
    const std::vector<std::pair<std::string_view, std::string_view>> kWords = {
        {"艾滋", "健康状况"},           {"精神分裂", "健康状况"},
        {"残疾", "健康状况"},           {"怀孕", "健康状况"},
        {"流产", "健康状况"},           {"癌", "健康状况"},
        {"肿瘤", "健康状况"},           {"性病", "健康状况"},
        {"抑郁", "健康状况"},           {"技术侦查", "技术侦查措施"},
        {"商业秘密", "商业秘密"},       {"未成年", "未成年人"},
        {"小学", "未成年人就读的学校"}, {"幼儿园", "未成年人就读的学校"}};
    std::set<std::string_view> said;
    for (const auto& [word, about] : kWords) {
      if (text_.find(word) == text_.npos || !said.insert(about).second) continue;
      result.notes.push_back("文中有“" + std::string(word) + "”，可能涉及" + std::string(about) +
                             "，是否删除须由人判断");
    }
  }

  const entity::Recogniser& recogniser_;
  std::string_view text_;
  Level level_;
  Masks masks_;
  std::set<std::string> kept_;
  std::set<std::string> hidden_;
};

}  // namespace

Result<Level> ParseLevel(std::string_view text) {
  if (text.size() == 2 && (text[0] == 'P' || text[0] == 'p') && text[1] >= '0' && text[1] <= '3') {
    return static_cast<Level>(text[1] - '0');
  }
  return InvalidArgumentError("level \"" + std::string(text) + "\": expected P0, P1, P2 or P3");
}

Result<Redacted> Redact(const entity::Recogniser& recogniser, std::string_view text, Level level,
                        const std::vector<entity::KnownName>& known) {
  return Redactor(recogniser, text, level).Run(known);
}

Result<std::string> Restore(std::string_view redacted, const Mapping& mapping) {
  if (redacted.size() != mapping.size) {
    return InvalidArgumentError("the text has " + std::to_string(redacted.size()) +
                                " bytes, the mapping is of one with " +
                                std::to_string(mapping.size) + ": it was edited since");
  }
  std::string text;
  std::size_t at = 0;
  for (const Replacement& replacement : mapping.replacements) {
    if (replacement.begin < at || replacement.begin > redacted.size() ||
        redacted.substr(replacement.begin, replacement.text.size()) != replacement.text) {
      return InvalidArgumentError("byte " + std::to_string(replacement.begin) + ": expected \"" +
                                  replacement.text + "\" there, the text was edited since");
    }
    text.append(redacted.substr(at, replacement.begin - at));
    text += replacement.original;
    at = replacement.begin + replacement.text.size();
  }
  text.append(redacted.substr(at));
  return text;
}

}  // namespace zhibi::redact
