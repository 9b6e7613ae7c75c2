// SPDX-License-Identifier: Apache-2.0
// What a rule's program gets and how it reports. Report() looks up the rule's data and drops what
// lies outside of its scope, so that programs only say what they see. Thread rule: one thread a
// context; the tables are shared and read-only.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "entity/recogniser.h"
#include "legal/date.h"
#include "legal/document.h"
#include "legal/interest.h"
#include "rules/finding.h"
#include "rules/matcher.h"
#include "rules/rule_set.h"
#include "rules/structure_table.h"
#include "rules/view.h"
#include "statute/resolve.h"
#include "statute/store.h"
#include "statute/table.h"

namespace zhibi::rules {

// How far a text is meant to go: §4.2 of the redaction policy. kNone: not said, RED rules are off.
enum class Publish : std::uint8_t { kNone, kP0, kP1, kP2, kP3 };

struct CheckOptions {
  std::string doctype;              // empty: detected
  std::optional<legal::Date> date;  // the matter's day; none: the document's own
  std::optional<legal::Date> today;
  Publish publish = Publish::kNone;
  nlohmann::json elements;                    // of the case; null: none
  const legal::Document* document = nullptr;  // the same text with sources and tables, if known
};

// Everything that is loaded once.
struct Tables {
  std::string data_dir;
  RuleSet rules;
  legal::LprTable lpr;
  entity::Recogniser recogniser;
  StructureTable structures;
  statute::Table statutes = {};
  statute::NameFinder statute_names = {};
  statute::TextStore texts = {};  // that the user has installed
};

struct Details {
  std::string message = {};
  std::string evidence = {};  // empty: the words of the span
  std::string suggestion = {};
  std::optional<Level> level = std::nullopt;  // other than the rule's own
  std::optional<Basis> basis = std::nullopt;
};

class Context {
 public:
  Context(const View& view, const Tables& tables, const CheckOptions& options);

  const View& view;
  const Tables& tables;
  const CheckOptions& options;
  // The day the text is checked for: given, else its own. None: unknown.
  std::optional<legal::Date> date;
  // The text is not older than the last day it tells of.
  std::optional<legal::Date> floor;
  // Of the document type, with its conditions decided where elements are known; null: none.
  std::shared_ptr<const legal::Structure> structure;

  // `span`: bytes of view.text. Nothing happens where the rule is unknown or out of its scope.
  void Report(std::string_view id, Span span, Details details);
  bool Covers(std::string_view id) const;

  std::vector<Finding> findings;
};

// Day as 2024年3月5日.
std::string Said(const legal::Date& date);

void CheckStructure(Context& context);     // str.cc
void CheckCitations(Context& context);     // cit.cc
void CheckCases(Context& context);         // case.cc
void CheckEntities(Context& context);      // ent.cc, ent_names.cc
void CheckNames(Context& context);         // ent_names.cc
void CheckAmounts(Context& context);       // amt.cc
void CheckRates(Context& context);         // amt_rate.cc
void CheckDates(Context& context);         // dat.cc
void CheckRedaction(Context& context);     // red.cc
void CheckLayout(Context& context);        // lay.cc
void CheckAiLabels(Context& context);      // ai.cc
void CheckSpecialForms(Context& context);  // special.cc

}  // namespace zhibi::rules
