// SPDX-License-Identifier: Apache-2.0
#include "rules/view.h"

#include <algorithm>
#include <utility>

#include "rules/matcher.h"

namespace zhibi::rules {
namespace {

bool IsBlank(char c) { return c == ' ' || c == '\t'; }

void FindLines(View& view) {
  const std::string& text = view.text;
  std::size_t at = 0;
  while (at <= text.size()) {
    std::size_t end = text.find('\n', at);
    if (end == std::string::npos) end = text.size();
    std::size_t first = at;
    std::size_t last = end;
    while (first < last && IsBlank(text[first])) ++first;
    while (last > first && IsBlank(text[last - 1])) --last;
    if (last > first) view.lines.push_back({first, last});
    at = end + 1;
  }
}

bool EndsSentence(std::string_view c) { return c == "。" || c == "；" || c == "！" || c == "？"; }

}  // namespace

std::string_view PartName(Part part) {
  switch (part) {
    case Part::kHeading:
      return "heading";
    case Part::kProcedure:
      return "procedure";
    case Part::kClaim:
      return "claim";
    case Part::kDefence:
      return "defence";
    case Part::kPrior:
      return "prior";
    case Part::kFinding:
      return "finding";
    case Part::kReasoning:
      return "reasoning";
    case Part::kBasis:
      return "basis";
    case Part::kHolding:
      return "holding";
    case Part::kTail:
      return "tail";
    case Part::kSignature:
      return "signature";
    case Part::kAppendix:
      return "appendix";
    case Part::kBody:
      return "body";
  }
  return "body";
}

std::string_view BranchName(Branch branch) {
  switch (branch) {
    case Branch::kCivil:
      return "civil";
    case Branch::kCriminal:
      return "criminal";
    case Branch::kAdministrative:
      return "administrative";
    case Branch::kOther:
      return "other";
    case Branch::kUnknown:
      return "unknown";
  }
  return "unknown";
}

std::string_view InstanceName(Instance instance) {
  switch (instance) {
    case Instance::kFirst:
      return "first";
    case Instance::kSecond:
      return "second";
    case Instance::kRetrial:
      return "retrial";
    case Instance::kReview:
      return "review";
    case Instance::kOther:
      return "other";
    case Instance::kUnknown:
      return "unknown";
  }
  return "unknown";
}

bool IsMasked(std::string_view text) {
  static const Pattern kMask = MustCompile("[某×＊*]|[Xx×]{2}|…|__|□");
  return Has(kMask, text);
}

Part View::PartAt(std::size_t at) const {
  const auto it =
      std::upper_bound(segments.begin(), segments.end(), at,
                       [](std::size_t where, const Segment& s) { return where < s.span.begin; });
  if (it == segments.begin()) return Part::kBody;
  return std::prev(it)->part;
}

Span View::SentenceAt(std::size_t at) const {
  std::size_t begin = at;
  while (begin > 0 && text[begin - 1] != '\n') {
    if (begin >= 3 && EndsSentence(std::string_view(text).substr(begin - 3, 3))) break;
    --begin;
  }
  std::size_t end = at;
  while (end < text.size() && text[end] != '\n') {
    if (end + 3 <= text.size() && EndsSentence(std::string_view(text).substr(end, 3))) break;
    ++end;
  }
  return {begin, end};
}

View MakeView(std::string even) {
  View view;
  view.text = std::move(even);
  FindLines(view);
  FindFigures(view);
  FindProfile(view);
  FindSegments(view);
  FindParties(view);
  return view;
}

}  // namespace zhibi::rules
