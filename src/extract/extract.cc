// SPDX-License-Identifier: Apache-2.0
#include "extract/extract.h"

#include <algorithm>
#include <utility>

#include "base/status_macros.h"
#include "extract/claims.h"
#include "extract/extract_parts.h"
#include "extract/form.h"
#include "extract/parties.h"
#include "legal/money.h"

namespace zhibi::extract {

using entity::Entity;
using entity::Kind;

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

std::size_t SentenceBegin(std::string_view text, std::size_t at) {
  std::size_t begin = 0;
  for (const std::string_view mark : {"。", "；", "\n"}) {
    const std::size_t found = at == 0 ? text.npos : text.rfind(mark, at - 1);
    if (found != text.npos && found + mark.size() <= at)
      begin = std::max(begin, found + mark.size());
  }
  while (begin < at && text[begin] == ' ') ++begin;
  return begin;
}

namespace {

bool StartsLine(std::string_view text, std::size_t at) {
  const std::string_view before = text.substr(0, at);
  return before.empty() || before.ends_with('\n') || before.ends_with(' ') ||
         before.ends_with("　") || before.ends_with("中华人民共和国");
}

bool EndsLine(std::string_view text, std::size_t at) {
  std::string_view after = text.substr(at);
  while (after.starts_with(' ') || after.starts_with('\r')) after.remove_prefix(1);
  return after.empty() || after.starts_with('\n');
}

// 110，0000元
bool ContinuesNumber(std::string_view text, std::size_t at) {
  std::string_view before = text.substr(0, at);
  if (at >= text.size() || text[at] < '0' || text[at] > '9') return false;
  const bool comma = before.ends_with("，") || before.ends_with(',');
  if (!comma) return false;
  before.remove_suffix(before.ends_with(',') ? 1 : 3);
  return !before.empty() && before.back() >= '0' && before.back() <= '9';
}

// 被告许某150000元, where 许某1 is a party: the first digit is the name's. Bytes of such digits.
std::size_t DigitsOfName(std::string_view text, std::size_t at,
                         const std::vector<std::string>& people) {
  const std::string_view before = text.substr(0, at);
  for (const std::string& name : people) {
    std::size_t stem = name.size();
    while (stem > 0 && name[stem - 1] >= '0' && name[stem - 1] <= '9') --stem;
    if (stem == 0 || stem == name.size()) continue;
    const std::string_view digits = std::string_view(name).substr(stem);
    if (before.ends_with(std::string_view(name).substr(0, stem)) &&
        text.substr(at).starts_with(digits)) {
      return digits.size();
    }
  }
  return 0;
}

// The sum without the digits of a name, when it still is one.
void CutName(std::string_view text, std::size_t digits, Value& sum) {
  const std::size_t begin = sum.begin + digits;
  const Result<std::int64_t> fen = legal::ParseMoney(text.substr(begin, sum.end - begin));
  if (!fen.ok()) return;
  sum.value = *fen;
  sum.begin = begin;
  sum.state = State::kDoubtful;
  sum.note = "the digit before belongs to the name";
}

}  // namespace

struct Extractor::Finders {
  PartyFinder parties;
  ClaimFinder claims;
};

Extractor::Extractor(const entity::Recogniser& recogniser, std::unique_ptr<Finders> finders)
    : recogniser_(recogniser), finders_(std::move(finders)) {}
Extractor::Extractor(Extractor&&) noexcept = default;
Extractor::~Extractor() = default;

Result<Extractor> Extractor::Create(const entity::Recogniser& recogniser) {
  ZB_ASSIGN_OR_RETURN(PartyFinder parties, PartyFinder::Create());
  ZB_ASSIGN_OR_RETURN(ClaimFinder claims, ClaimFinder::Create());
  return Extractor(recogniser, std::make_unique<Finders>(std::move(parties), std::move(claims)));
}

void Extractor::FindSingles(std::string_view text, const std::vector<Entity>& entities,
                            Extraction& result) const {
  const auto add = [&](const std::string& path, const Entity& entity) {
    for (const Value& value : result.singles) {
      if (value.path == path) return;
    }
    Value value = MakeValue(path, entity.value, entity);
    // A number or a court that stands in a sentence may be another case's.
    const bool alone = StartsLine(text, entity.begin) && EndsLine(text, entity.end);
    const std::string_view before = text.substr(0, entity.begin);
    const bool named = before.ends_with("：") || before.ends_with("｜") || before.ends_with("案号");
    if (path != "cause" && !alone && !named && value.state == State::kRead) {
      value.state = State::kDoubtful;
      value.note = "in a sentence: it may be another case's";
    }
    result.singles.push_back(std::move(value));
  };
  const std::size_t addressee = text.rfind("此致");
  for (const Entity& entity : entities) {
    if (entity.kind == Kind::kCourt && addressee != text.npos && entity.begin > addressee) {
      add("court", entity);
    }
  }
  const Entity* last_date = nullptr;
  for (const Entity& entity : entities) {
    // 向出借人住所地人民法院起诉 names no court.
    if (entity.kind == Kind::kCourt && entity.value.find("所地") == std::string::npos)
      add("court", entity);
    if (entity.kind == Kind::kCaseNumber) add("case_number", entity);
    if (entity.kind == Kind::kCause) add("cause", entity);
    if (entity.kind == Kind::kDate && !entity.Has(entity::kPartial)) last_date = &entity;
  }
  // A date is the document's where it stands alone in its line.
  if (last_date != nullptr) {
    if (StartsLine(text, last_date->begin) && EndsLine(text, last_date->end))
      add("date", *last_date);
  }
}

Result<Extraction> Extractor::Extract(std::string_view text, const legal::JsonSchema* schema,
                                      const std::vector<FieldRule>& rules) const {
  ZB_ASSIGN_OR_RETURN(const std::vector<Entity> entities, recogniser_.Find(text));
  Extraction result;
  std::vector<Value> rows;  // of a form
  if (IsForm(text)) {
    rows = ReadForm(text, schema, result);
  } else {
    finders_->parties.Find(text, entities, result);
    finders_->claims.Find(text, result);
  }
  FindSingles(text, entities, result);
  for (const Entity& entity : entities) {
    if (entity.kind != Kind::kMoney || entity.Has(entity::kForeign)) continue;
    Value sum =
        MakeValue("sums[" + std::to_string(result.sums.size()) + "]", entity.number, entity);
    const std::size_t digits = DigitsOfName(text, entity.begin, result.people);
    if (digits > 0) CutName(text, digits, sum);
    if (sum.state == State::kRead && ContinuesNumber(text, entity.begin)) {
      sum.state = State::kDoubtful;
      sum.note = "behind a digit and a comma: the number may be longer";
    }
    result.sums.push_back(std::move(sum));
  }
  if (schema != nullptr) MapToSchema(rules, text, entities, rows, *schema, result);
  return result;
}

}  // namespace zhibi::extract
