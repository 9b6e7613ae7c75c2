// SPDX-License-Identifier: Apache-2.0
#include "entity/recogniser.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/status_macros.h"
#include "base/utf8.h"
#include "entity/figures.h"
#include "entity/folded.h"
#include "entity/names.h"
#include "entity/numbers.h"

namespace zhibi::entity {

struct Recogniser::Parts {
  Causes causes;
  Courts courts;
  CaseNumbers case_numbers;
  Figures figures;
  Names names;
  Numbers numbers;
};

std::string_view KindName(Kind kind) {
  constexpr std::array<std::string_view, 28> kNames = {"citizen_number",
                                                       "credit_code",
                                                       "mobile",
                                                       "landline",
                                                       "bank_card",
                                                       "account",
                                                       "passport",
                                                       "permit",
                                                       "plate",
                                                       "vin",
                                                       "property_certificate",
                                                       "email",
                                                       "wechat",
                                                       "qq",
                                                       "ip",
                                                       "imei",
                                                       "address",
                                                       "person",
                                                       "organisation",
                                                       "court",
                                                       "cause",
                                                       "money",
                                                       "date",
                                                       "percent",
                                                       "case_number",
                                                       "article",
                                                       "statute",
                                                       "contract_number"};
  const auto index = static_cast<std::size_t>(kind);
  return index < kNames.size() ? kNames[index] : std::string_view("judge");
}

bool IsProtected(Kind kind) {
  switch (kind) {
    case Kind::kCaseNumber:
    case Kind::kArticle:
    case Kind::kStatute:
    case Kind::kContractNumber:
    case Kind::kJudge:
    case Kind::kCourt:
    case Kind::kCause:
    case Kind::kMoney:
    case Kind::kPercent:
    case Kind::kDate:
      return true;
    default:
      return false;
  }
}

Result<Recogniser> Recogniser::Load(const std::string& data_dir) {
  ZB_ASSIGN_OR_RETURN(Causes causes, Causes::Load(data_dir));
  ZB_ASSIGN_OR_RETURN(Courts courts, Courts::Load(data_dir));
  ZB_ASSIGN_OR_RETURN(CaseNumbers case_numbers, CaseNumbers::Load(data_dir));
  ZB_ASSIGN_OR_RETURN(Figures figures, Figures::Create());
  ZB_ASSIGN_OR_RETURN(Names names, Names::Create(data_dir));
  ZB_ASSIGN_OR_RETURN(Numbers numbers, Numbers::Create(names.tables().provinces));
  return Recogniser(
      std::make_unique<Parts>(Parts{std::move(causes), std::move(courts), std::move(case_numbers),
                                    std::move(figures), std::move(names), std::move(numbers)}));
}

Recogniser::Recogniser(std::unique_ptr<Parts> parts) : parts_(std::move(parts)) {}
Recogniser::Recogniser(Recogniser&& other) noexcept = default;
Recogniser& Recogniser::operator=(Recogniser&& other) noexcept = default;
Recogniser::~Recogniser() = default;

Result<std::vector<Entity>> Recogniser::Find(std::string_view text,
                                             const std::vector<KnownName>& known) const {
  if (text.size() > kMaxBytes) {
    return ResourceExhaustedError("text: " + std::to_string(text.size()) + " bytes, at most " +
                                  std::to_string(kMaxBytes) + " are read");
  }
  if (const std::size_t valid = base::ValidUtf8Prefix(text); valid != text.size()) {
    return InvalidArgumentError("text: byte " + std::to_string(valid) + " is not UTF-8");
  }
  const Folded folded(text);
  const std::string_view plain = folded.text();
  Spans spans;
  parts_->figures.FindReferences(plain, parts_->case_numbers, spans);
  LearnedNames learned;
  for (const KnownName& name : known) {
    if (name.name.empty()) continue;
    const std::string key(Folded(name.name).text());
    learned[key] = LearnedName{name.kind, name.role, name.name};
  }
  parts_->names.Learn(plain, learned);
  parts_->numbers.Find(plain, spans);
  parts_->figures.FindFigures(plain, spans);
  parts_->names.Find(plain, learned, parts_->causes, spans);
  std::vector<Entity> entities = std::move(spans.list());
  for (Entity& entity : entities) {
    entity.begin = folded.Origin(entity.begin);
    entity.end = folded.Origin(entity.end);
  }
  std::sort(entities.begin(), entities.end(), [](const Entity& a, const Entity& b) {
    if (a.begin != b.begin) return a.begin < b.begin;
    return a.end != b.end ? a.end > b.end : a.kind < b.kind;
  });
  return entities;
}

const Courts& Recogniser::courts() const { return parts_->courts; }
const Causes& Recogniser::causes() const { return parts_->causes; }
const CaseNumbers& Recogniser::case_numbers() const { return parts_->case_numbers; }
std::size_t Recogniser::SurnameLength(std::string_view text) const {
  return parts_->names.SurnameLength(text);
}
bool Recogniser::LooksLikePerson(std::string_view name) const {
  return parts_->names.LooksLikePerson(name);
}

}  // namespace zhibi::entity
