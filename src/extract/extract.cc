// SPDX-License-Identifier: Apache-2.0
#include "extract/extract.h"

#include <algorithm>
#include <utility>

#include "base/status_macros.h"
#include "extract/claims.h"
#include "extract/extract_parts.h"
#include "extract/form.h"
#include "extract/parties.h"

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
    if (entity.kind == Kind::kCourt) add("court", entity);
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
    result.sums.push_back(
        MakeValue("sums[" + std::to_string(result.sums.size()) + "]", entity.number, entity));
  }
  if (schema != nullptr) MapToSchema(rules, text, entities, rows, *schema, result);
  return result;
}

}  // namespace zhibi::extract
