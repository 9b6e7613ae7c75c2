// SPDX-License-Identifier: Apache-2.0
// Document types: everything that the program knows about a kind of document, read from
// data/doctypes/<id>/ (docs/how-to/add-document-type.md).
//   doctype.json          clauses in order, derived values, checks, citations, prompts, structure,
//                         how a case maps to the elements
//   elements.schema.json  what the user fills in (JSON Schema subset, json_schema.h, annotations of
//                         normalise.h)
//   skeleton/*.jinja      text of the fixed clauses; prompt files beside doctype.json
//   cases/*.json          examples with what is expected of them (doctype_cases.h)
// From elements to a plan: validate, normalise, derive, check, choose citations, render. Every
// violation is reported at once. Adding a document type touches no code. Thread rule: immutable
// after loading; Plan may run in many threads.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "legal/date.h"
#include "legal/document.h"
#include "legal/document_builder.h"
#include "legal/interest.h"
#include "legal/json_schema.h"
#include "legal/statutes.h"
#include "text/jinja.h"
#include "zhibi/status.h"

namespace zhibi::legal {

using Segments =
    std::vector<text::RenderedSegment>;  // is_template: skeleton; otherwise taken from the elements

struct PromptForm {
  std::string id;
  // Control tokens that the model must know; the first form whose tokens are all there is taken.
  std::vector<std::string> needs;
  bool chat = false;  // the head is one user message of the model's chat template
  Segments head;
  std::string before;  // opens a clause; {name} stands for its name
  std::string after;   // closes it, forced after the model's text
  std::vector<std::string> stop;
};

struct PlannedClause {
  std::string id;
  std::string title;
  bool generated = false;
  // Fixed: the whole text, line end included. Generated: what stands before the model's text in the
  // document.
  Segments text;
  std::string name;  // in the prompt
  int max_tokens = 0;
  std::string gap;  // what is missing, for 【待补：…】
  // Generated, without a model: the whole text that stands there instead. Empty: a marked gap.
  Segments fallback;
  BlockForm form;
  std::vector<Block> blocks;           // of the fixed text
  std::vector<Block> fallback_blocks;  // of the fallback
};

// What a document of the type consists of, for checks of its structure. Patterns are PCRE2 and are
// matched line by line.
struct SectionRule {
  std::string id;
  std::string title;
  std::string pattern;
  bool required = false;      // always
  std::string required_when;  // a condition over the elements; empty: none
  int level = 1;
};
struct ForbiddenRule {
  std::string id;
  std::string pattern;
  std::string zh;
  std::string basis;
};
struct Structure {
  std::vector<SectionRule> sections;
  std::vector<ForbiddenRule> forbidden;
};

// A required field that was not given and is printed as 【待填：title】.
struct MissingField {
  std::string path;
  std::string field;  // titles of the way: "被告第1项 › 住所"
  std::string title;  // of the field itself
};

struct DraftPlan {
  std::string doctype;
  std::string title;
  std::string version;
  // What a reader must see at the end of a draft that a model took part in (标识办法 4); may be
  // empty.
  std::string ai_label;
  std::string layout;
  std::vector<PlannedClause> clauses;
  std::vector<PromptForm> prompts;
  std::vector<Violation> warnings;
  std::vector<MissingField> missing;
  // Of these elements: `required` holds for conditions that do.
  Structure structure;
  std::vector<std::string> sources;  // statutes used, with dates
  // Text fields of the elements by length, longest first: what to shorten when the prompt is too
  // long.
  std::vector<std::pair<std::string, std::size_t>> longest_fields;
};

// Either a plan, or what is wrong with the elements.
struct PlanResult {
  std::vector<Violation> errors;
  DraftPlan plan;  // empty when there are errors
};

// Which ways conditions went while plans were made; for coverage of a type by its cases.
struct PlanLog {
  text::BranchLog branches;
  std::map<std::string, text::BranchLog::Count> clauses;  // `when` by id of the clause
  std::map<std::string, text::BranchLog::Count> checks;   // by id of the check
};

struct PlanOptions {
  // Required fields that are not there are printed as 【待填：title】 and listed.
  bool allow_missing = false;
  PlanLog* log = nullptr;
};

// A place where a template decides.
struct TemplateBranch {
  std::string file;
  text::JinjaTemplate::Branch branch;
};

class Doctype {
 public:
  // kNotFound: no such type (the message lists those that exist); kInvalidArgument: a file of the
  // type is malformed, named with its place.
  static Result<Doctype> Load(const std::string& data_dir, std::string_view id);
  // A type whose folder lies anywhere; shared files are taken from `data_dir`.
  static Result<Doctype> LoadFolder(const std::string& data_dir, const std::string& folder);
  // Ids of the types in the folder, sorted.
  static std::vector<std::string> List(const std::string& data_dir);

  const std::string& id() const;
  const std::string& title() const;
  const std::string& title_en() const;
  const std::string& version() const;
  const std::string& layout() const;    // "court", "official", "lawfirm", "form"
  const std::string& instance() const;  // free word for rules, e.g. "first"; may be empty
  const std::string& branch() const;    // "civil", "criminal", ...; may be empty
  const std::string& folder() const;
  const JsonSchema& schema() const;
  const Structure& structure() const;
  bool has_from_case() const;
  // Conditions of the type's own templates, of the shared macros that it uses, and the ids of
  // clauses that have a `when`.
  std::vector<TemplateBranch> Branches() const;
  std::vector<TemplateBranch> SharedBranches() const;
  std::vector<std::string> ConditionalClauses() const;

  // Status only for faults of the type's own templates; faults of the elements are in the result.
  Result<PlanResult> Plan(nlohmann::json elements, const Date& today,
                          const PlanOptions& options = {}) const;

  // Elements of the type from a case that CaseSchema has read. What the case does not hold is left
  // out. kFailedPrecondition: the type says nothing about cases.
  Result<nlohmann::json> ElementsFromCase(const nlohmann::json& case_data, const Date& today) const;

  struct Parts;  // doctype_parts.h; private to src/legal

 private:
  explicit Doctype(std::shared_ptr<const Parts> parts) : parts_(std::move(parts)) {}
  std::shared_ptr<const Parts> parts_;  // shared by copies
};

// 【待补：…】 for a generated clause that nobody wrote.
std::string GapText(const PlannedClause& clause);
// The document of a plan before its first block: title, layout, label, version.
Document EmptyDocument(const DraftPlan& plan);

// The document of a plan that no model takes part in.
Document DocumentWithoutModel(const DraftPlan& plan);

// One numbered line a violation, for terminals.
std::string FormatViolations(const std::vector<Violation>& violations);

}  // namespace zhibi::legal
