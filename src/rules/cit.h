// SPDX-License-Identifier: Apache-2.0
// What the rules on citations share: every citation with its statute, whose words it is, and the
// days that matter. Private to cit*.cc. Thread rule: one context, one thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "legal/date.h"
#include "rules/context.h"
#include "statute/citation.h"
#include "statute/resolve.h"

namespace zhibi::rules {

// kParty: what someone else says, or the court only recites; never more than a warning.
enum class Voice : std::uint8_t { kSilent, kParty, kOwn };

struct Cited {
  const statute::Citation* citation = nullptr;
  const statute::Resolved* resolved = nullptr;
  Voice voice = Voice::kSilent;
  bool basis = false;   // of this document's decision
  bool loose = false;   // perhaps the basis: an excerpt that begins with 依照
  bool former = false;  // 原《合同法》, 当时施行的《…》
};

// Days of the facts: of the elements where they are given, else those that the text tells.
struct FactDays {
  bool given = false;
  std::optional<legal::Date> first;
  std::optional<legal::Date> last;
};

struct Citing {
  statute::Citations citations;
  std::vector<statute::Resolved> resolved;
  std::vector<Cited> cited;  // one for each citation
  FactDays facts;
  bool court = false;  // a court's document: 法释〔2009〕14号 is for these
};

inline Span ToSpan(statute::TextSpan span) { return {span.begin, span.end}; }
std::string Quoted(const statute::Statute& statute);  // 《name》
// With the day up to which the table knows of changes.
Basis BasisOf(const statute::Statute& statute, std::string article = {});

void CheckCitedNames(Context& context, const Citing& citing);   // cit_name.cc: 01, 03, 12, 13
void CheckCitedForce(Context& context, const Citing& citing);   // cit_force.cc: 06 to 10
void CheckCitedBasis(Context& context, const Citing& citing);   // cit_basis.cc: 02, 04, 05, 15
void CheckCitedQuotes(Context& context, const Citing& citing);  // cit_quote.cc: 11, 14

}  // namespace zhibi::rules
