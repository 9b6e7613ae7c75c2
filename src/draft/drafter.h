// SPDX-License-Identifier: Apache-2.0
// Drafter: runs a plan. Fixed clauses come from the skeleton, generated ones from the model, all in
// the order of the document and in one sequence, and everything is streamed as events the moment it
// is certain. Without a model a generated clause is the fallback of its type, or a marked gap
// 【待补：…】. The report carries the draft as a legal::Document. Thread rule: Run is
// called from one thread; events arrive on it.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "draft/generator.h"
#include "legal/doctype.h"
#include "zhibi/status.h"

namespace zhibi::draft {

enum class Origin : std::uint8_t {
  kForced,   // skeleton text
  kCopied,   // from the elements
  kDecoded,  // written by the model
  kGap,      // a marked gap where a model would have written
};

enum class EventKind : std::uint8_t {
  kClause,  // a clause begins; text is its title
  kDelta,   // document text
  kDone,
};

struct Event {
  EventKind kind = EventKind::kDelta;
  std::string clause;  // id
  std::string text;
  Origin origin = Origin::kForced;
};

// false cancels the draft.
using EventFn = std::function<bool(const Event&)>;

struct DrafterOptions {
  float temperature = 0;
  float top_p = 1;
  std::uint64_t seed = 0;
  // What times are counted from, e.g. the start of the program.
  std::chrono::steady_clock::time_point start = std::chrono::steady_clock::now();
};

struct Report {
  std::string prompt_form;  // empty without a model
  // Of the document's text. Without a model there is no tokenizer and all are 0.
  std::int64_t forced_tokens = 0;
  std::int64_t copied_tokens = 0;
  std::int64_t decoded_tokens = 0;
  std::int64_t prompt_tokens = 0;  // rows that were fed beside: prompt, clause marks
  std::int64_t characters = 0;
  double first_text_s = -1;
  double first_model_text_s = -1;  // -1: the model wrote nothing
  double total_s = 0;
  // Decoding alone, from the first to the last token of each clause by the generator's clock, and
  // the tokens of that time.
  double decode_s = 0;
  std::int64_t timed_tokens = 0;
  std::vector<std::string> notes;  // what the user must know, Chinese and English
  // The draft itself, for checks and export.
  legal::Document document;
};

// Gives the generator when the first generated clause is reached, so that fixed text streams while
// a model still loads.
using GeneratorFn = std::function<Result<SpanGenerator*>()>;

class Drafter {
 public:
  // `generator` may be empty: skeleton only. The plan and what the function gives outlive the
  // drafter.
  Drafter(const legal::DraftPlan& plan, GeneratorFn generator)
      : plan_(plan), make_generator_(std::move(generator)) {}

  // kCancelled: the receiver answered false. kResourceExhausted: the prompt does not fit the
  // context; says how many tokens are needed and there, and which fields are longest. Nothing is
  // ever cut.
  Result<Report> Run(const DrafterOptions& options, const EventFn& on_event);

 private:
  Status Emit(EventKind kind, const std::string& clause, const std::string& text, Origin origin);
  Status Fixed(const legal::PlannedClause& clause);
  Status Generated(const legal::PlannedClause& clause, const DrafterOptions& options);
  Status Gap(const legal::PlannedClause& clause);
  Status WithoutModel(const legal::PlannedClause& clause);
  Status Put(const std::string& clause, const legal::Segments& segments);
  void Keep(std::vector<legal::Block> blocks);
  // Takes the generator, chooses the prompt's form, makes and appends its head.
  Status Prepare();
  Status CheckContext(const legal::Segments& head) const;
  Status AppendPrompt(const legal::Segments& segments);
  void CountTokens();
  double Elapsed() const;

  const legal::DraftPlan& plan_;
  GeneratorFn make_generator_;
  SpanGenerator* generator_ = nullptr;
  const legal::PromptForm* form_ = nullptr;
  EventFn on_event_;
  std::chrono::steady_clock::time_point start_;
  Report report_;
};

}  // namespace zhibi::draft
