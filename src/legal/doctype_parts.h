// SPDX-License-Identifier: Apache-2.0
// What a loaded document type consists of; shared by loading (doctype.cc) and planning
// (doctype_plan.cc).
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "legal/benchmark.h"
#include "legal/doctype.h"
#include "legal/holiday.h"

namespace zhibi::legal {

struct Derived {
  std::string name;
  text::JinjaTemplate value;  // renders JSON
};

struct Check {
  std::string id;
  bool is_error = false;
  std::string path;
  text::JinjaTemplate when;  // renders "1" or nothing
  text::JinjaTemplate zh;
  std::string en;
};

struct CitationRule {
  Citation citation;
  text::JinjaTemplate when;
};

struct PromptTemplate {
  PromptForm form;  // without its head
  text::JinjaTemplate head;
};

struct Clause {
  PlannedClause planned;  // without its text
  std::optional<text::JinjaTemplate> when;
  std::optional<text::JinjaTemplate> fixed;
  std::optional<text::JinjaTemplate> fallback;
  std::string before;
};

// One step of the way from a case to the elements: an expression, or an object or a list of such.
struct CaseMapping {
  struct Member;

  std::optional<text::JinjaTemplate> value;  // renders JSON
  std::vector<Member> members;
  std::shared_ptr<const CaseMapping> item;  // of "$item", once for each element of `value`
};

struct CaseMapping::Member {
  std::string name;
  CaseMapping mapping;
};

struct Doctype::Parts {
  JsonSchema schema;
  StatuteTable statutes;
  LprTable lpr;
  BenchmarkTable benchmark;
  HolidayTable holidays;
  std::string id = {};
  std::string title = {};
  std::string title_en = {};
  std::string version = {};
  std::string layout = {};
  std::string instance = {};
  std::string branch = {};
  std::string folder = {};
  std::string ai_label = {};
  text::HostFilters filters = {};
  std::vector<text::JinjaTemplate> macros = {};
  std::vector<Derived> derived = {};
  std::vector<Check> checks = {};
  std::vector<CitationRule> citations = {};
  std::vector<PromptTemplate> prompts = {};
  std::vector<Clause> clauses = {};
  std::vector<CaseMapping> from_case = {};  // one or none
  Structure structure = {};
  // Beside structure.sections.
  std::vector<std::optional<text::JinjaTemplate>> section_conditions = {};
  bool any_human_only = false;
};

// A template of an expression, which prints JSON; a value that is not there prints null.
Result<text::JinjaTemplate> JsonExpression(const std::string& expression, const std::string& name);

}  // namespace zhibi::legal
