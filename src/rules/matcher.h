// SPDX-License-Identifier: Apache-2.0
// Small helpers around entity::Pattern for the patterns that stand in the code of the rules: they
// are constants, so a pattern that does not compile is our bug. Thread-safe.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

#include "entity/pattern.h"
#include "rules/finding.h"

namespace zhibi::rules {

using entity::Match;
using entity::Pattern;

// Compiles a pattern of the code; aborts when it is wrong.
Pattern MustCompile(std::string_view source);

template <typename F>
void ForEach(const Pattern& pattern, std::string_view text, Span range, F f) {
  entity::ForEach(pattern, text, range.begin, range.end, std::move(f));
}

inline bool Has(const Pattern& pattern, std::string_view text) {
  Match match;
  return pattern.Search(text, 0, &match);
}

inline bool Has(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

inline std::string_view Slice(std::string_view text, Span span) {
  return text.substr(span.begin, span.end - span.begin);
}

inline Span SpanOf(const Match& match, std::size_t group = 0) {
  return {match.groups[group].begin, match.groups[group].end};
}

}  // namespace zhibi::rules
