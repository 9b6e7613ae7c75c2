// SPDX-License-Identifier: Apache-2.0
// View: a text as the rules see it. What kind of document it is, which part of it says what and in
// whose voice, who its parties are, and the sums, days and case numbers in it with their places.
// Everything is found by patterns; what is not recognised is "unknown" and the rules that need it
// stay silent. Masked values (某, ×, ＊) are marked and never compared. Thread rule: plain data.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "legal/date.h"
#include "rules/finding.h"

namespace zhibi::rules {

// Who speaks. kPrior: what an earlier instance found, held and decided, as this document recites
// it; nothing there is this document's own statement.
enum class Part : std::uint8_t {
  kHeading,    // court, title, case number, parties
  kProcedure,  // how the case came here
  kClaim,
  kDefence,
  kPrior,
  kFinding,
  kReasoning,
  kBasis,    // 依照《…》…规定 of the decision
  kHolding,  // after 判决如下
  kTail,     // costs, appeal notice
  kSignature,
  kAppendix,
  kBody,  // a document that has no such parts, e.g. a contract
};
std::string_view PartName(Part part);  // "claim", "holding", ...

struct Segment {
  Span span;
  Part part = Part::kBody;
};

enum class Form : std::uint8_t {
  kUnknown,
  kJudgment,
  kRuling,
  kDecision,
  kMediation,
  kIndictment,
  kComplaint,
  kAnswer,
  kAppeal,
  kArbitrationApplication,
  kPowerOfAttorney,
  kLawyersLetter,
  kPaymentOrder,
  kPreservation,
  kEnforcement,
  kDivorceAgreement,
  kContract,
};
enum class Branch : std::uint8_t { kUnknown, kCivil, kCriminal, kAdministrative, kOther };
enum class Instance : std::uint8_t { kUnknown, kFirst, kSecond, kRetrial, kReview, kOther };
std::string_view BranchName(Branch branch);
std::string_view InstanceName(Instance instance);

enum class Side : std::uint8_t { kFirst, kSecond, kThird, kState, kNone };

struct Party {
  std::string name;
  Span span;          // of the name where it is introduced
  Span line;          // of the paragraph that introduces it
  std::string role;   // 原告, 上诉人, ... as written, without what stands in brackets
  std::string roles;  // with the brackets: 上诉人（原审被告）
  Side side = Side::kNone;
  bool organisation = false;
  bool masked = false;
  bool agent = false;  // 代理人, 辩护人, 法定代表人: not a party
};

struct Sum {
  Span span;
  std::int64_t fen = 0;
  bool capital = false;      // 壹万元, 五万元
  bool approximate = false;  // 余, 多
  bool foreign = false;
};

struct Day {
  Span span;
  std::optional<legal::Date> date;  // none: the calendar has no such day
  bool chinese = false;             // 二〇二四年三月五日
  bool lunar = false;
};

struct CaseNumber {
  Span span;
  int year = 0;
  std::string court;   // 京0105; old form: everything between bracket and 字第
  std::string type;    // 民初; old form: empty
  std::string number;  // digits
  bool old_form = false;
  bool masked = false;
};

struct View {
  std::string text;  // of even width
  Form form = Form::kUnknown;
  Branch branch = Branch::kUnknown;
  Instance instance = Instance::kUnknown;
  std::string doctype = "unknown";  // id of a document type, or form and branch where none exists
  bool complete = false;            // has title and signature: not an excerpt
  bool small_claims = false;
  bool simple_procedure = false;
  bool incidental_civil = false;  // 附带民事
  std::string form_cause;         // of an element-style form (要素式): the cause under its title
  Span title;
  Span court_line;
  std::optional<CaseNumber> own_number;
  std::optional<Day> signature_day;
  std::optional<Span> holding;
  std::optional<Span> basis;
  std::vector<Span> lines;  // without leading and trailing blanks; empty ones left out
  std::vector<Segment> segments;
  std::vector<Party> parties;
  std::vector<Sum> sums;
  std::vector<Day> days;
  std::vector<CaseNumber> case_numbers;

  Part PartAt(std::size_t at) const;
  std::string_view At(Span span) const {
    return std::string_view(text).substr(span.begin, span.end - span.begin);
  }
  // The sentence around `at`: from the last 。；！？ or line border to the next.
  Span SentenceAt(std::size_t at) const;
  std::string_view Line(std::size_t index) const { return At(lines[index]); }
};

// `even`: of even width (width.h), valid UTF-8.
View MakeView(std::string even);

bool IsMasked(std::string_view text);

// Steps of MakeView, each in a file of its own.
void FindProfile(View& view);   // profile.cc: form, branch, instance, title
void FindSegments(View& view);  // segment.cc
void FindParties(View& view);   // parties.cc
void FindFigures(View& view);   // figures.cc: sums, days, case numbers

}  // namespace zhibi::rules
