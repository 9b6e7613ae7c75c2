// SPDX-License-Identifier: Apache-2.0
// Elements of a case from a text that somebody has (complaint, answer, judgment, contract). Every
// value says where in the text it was read and how sure that is; what is not in the text is
// missing, nothing is made up. Which values a document type wants comes from its schema and, where
// there is one, its extract.json (patterns a field). Thread rule: Extract is const and thread-safe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "entity/recogniser.h"
#include "legal/json_schema.h"
#include "zhibi/status.h"

namespace zhibi::extract {

enum class State : std::uint8_t {
  kRead,      // stands in the text
  kComputed,  // follows from something that does (sex from a citizen number)
  kDoubtful,  // stands there, but masked, approximate, without unit, or found by its context only
  kMissing,   // wanted by the document type and not found
};
std::string_view StateName(State state);  // "read", "computed", "doubtful", "missing"

struct Value {
  std::string path;  // "plaintiffs[0].name", in the elements
  nlohmann::json value;
  State state = State::kRead;
  std::size_t begin = 0;  // bytes of the text; both 0: no place
  std::size_t end = 0;
  std::string note;     // why it is doubtful, or what it was computed from
  std::string place{};  // in a table: "要素!C3", "row 3 column 2"
};

struct Party {
  std::string role;  // as written: 原告, 再审申请人; empty: known by its acts only
  std::string side;  // plaintiffs, defendants, third_parties, victims, other
  bool organisation = false;
  std::vector<Value> fields;  // name first; paths relative to the party
};

// The note of a claim that the defendant makes (反诉请求).
inline constexpr std::string_view kCounterclaim = "counterclaim";

struct Extraction {
  std::vector<Party> parties;
  std::vector<std::string> people;         // names of parties, their representatives and agents
  std::vector<std::string> people_by_act;  // parties without a role word (张三辩称), doubtful
  std::vector<Value> sums;                 // path "sums[i]", value: fen
  std::vector<Value> claims;               // path "claims[i]", value: text of one claim
  std::vector<Value> holdings;  // path "holdings[i]"; an outcome: for reading, never to generate
  std::vector<Value> singles;   // court, case_number, cause, date, ...
  // For the document type: values by paths of its schema, those that its validation accepts.
  nlohmann::json elements = nlohmann::json::object();
  std::vector<Value> values;  // of `elements`, and the missing ones
};

// What data/doctypes/<id>/extract.json says; empty without the file.
struct FieldRule {
  enum class Kind : std::uint8_t { kMoney, kDate, kPercent, kText };
  std::string path;
  Kind kind = Kind::kMoney;
  // The first value of the kind within a match; a text is group 1 or the whole match.
  std::vector<entity::Pattern> patterns;
  // Not empty: a rule of path "claims[].<property>"; a claim that a pattern matches gets an entry
  // with this value.
  std::string value;
  // Not empty: a rule of path "<list>[]"; every match is an entry, with the properties that the
  // pattern has named groups for.
  std::vector<std::pair<std::string, Kind>> groups{};
};
// kInvalidArgument names the file and field. A missing file gives no rules.
Result<std::vector<FieldRule>> LoadRules(const std::string& data_dir, const std::string& doctype);

class Extractor {
 public:
  // recogniser must outlive the extractor.
  static Result<Extractor> Create(const entity::Recogniser& recogniser);
  Extractor(Extractor&&) noexcept;
  ~Extractor();

  // schema: null for no document type (elements stay empty).
  Result<Extraction> Extract(std::string_view text, const legal::JsonSchema* schema,
                             const std::vector<FieldRule>& rules) const;

 private:
  struct Finders;
  Extractor(const entity::Recogniser& recogniser, std::unique_ptr<Finders> finders);
  void FindSingles(std::string_view text, const std::vector<entity::Entity>& entities,
                   Extraction& result) const;

  const entity::Recogniser& recogniser_;
  std::unique_ptr<Finders> finders_;
};

// Fills `result.elements` and `result.values` by the schema. `rows`: values that were read at their
// own fields already; they go first.
void MapToSchema(const std::vector<FieldRule>& rules, std::string_view text,
                 const std::vector<entity::Entity>& entities, const std::vector<Value>& rows,
                 const legal::JsonSchema& schema, Extraction& result);

// {"elements", "values": [{path, value, state, span: {start, end} in code points, note}], ...}
nlohmann::json ToJson(const Extraction& extraction, std::string_view text);

}  // namespace zhibi::extract
