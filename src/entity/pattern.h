// SPDX-License-Identifier: Apache-2.0
// A compiled PCRE2 pattern over UTF-8, with limits on its work so that no text can make it run
// away. Patterns of this project's data and code only; compile once, search from any thread.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "base/utf8.h"
#include "zhibi/status.h"

namespace zhibi::entity {

// Byte offsets into the subject; group 0 is the whole match. Not taking part: begin == end == npos.
struct Match {
  static constexpr std::size_t kMaxGroups = 16;
  struct Group {
    std::size_t begin = std::string_view::npos;
    std::size_t end = std::string_view::npos;
    bool found() const { return begin != std::string_view::npos; }
  };
  std::array<Group, kMaxGroups> groups;

  std::size_t begin() const { return groups[0].begin; }
  std::size_t end() const { return groups[0].end; }
  bool has(std::size_t group) const { return groups[group].found(); }
  // Empty where the group did not take part.
  std::string_view Text(std::string_view subject, std::size_t group) const;
};

class Pattern {
 public:
  // \p{Han} is read as \p{sc:Han}: the characters themselves, not 。《》 and other marks that the
  // script extensions of PCRE2 10.40 and later count in. UTF mode; `multiline`: ^ and $ at line
  // borders. kInvalidArgument: names the pattern, the place and PCRE2's reason, or more than 15
  // groups.
  static Result<Pattern> Compile(std::string_view source, bool multiline = true);

  Pattern(Pattern&& other) noexcept;
  Pattern& operator=(Pattern&& other) noexcept;
  Pattern(const Pattern&) = delete;
  Pattern& operator=(const Pattern&) = delete;
  ~Pattern();

  // First match at or after `from` (a character border). `subject` must be valid UTF-8: it is not
  // checked again. false also where a limit on steps was hit.
  bool Search(std::string_view subject, std::size_t from, Match* match) const;
  // Does it match exactly at `at`?
  bool MatchAt(std::string_view subject, std::size_t at, Match* match) const;
  // Number of a named group, -1 if there is none.
  int GroupNumber(const std::string& name) const;

 private:
  struct Code;
  explicit Pattern(std::unique_ptr<Code> code);
  bool Run(std::string_view subject, std::size_t from, std::uint32_t options, Match* match) const;
  std::unique_ptr<Code> code_;
};

// Calls f(const Match&) for each match in [from, to), front to back. f may answer a byte offset to
// search on from, where it lies behind the match; or nothing.
template <typename F>
void ForEach(const Pattern& pattern, std::string_view text, std::size_t from, std::size_t to, F f) {
  const std::string_view subject = text.substr(0, to);
  Match match;
  for (std::size_t at = from; at <= subject.size() && pattern.Search(subject, at, &match);) {
    at = match.end() > match.begin() ? match.end() : match.end() + 1;
    if (at < subject.size()) at = base::BorderFrom(subject, at);
    if constexpr (std::is_void_v<decltype(f(static_cast<const Match&>(match)))>) {
      f(static_cast<const Match&>(match));
    } else {
      at = std::max(at, f(static_cast<const Match&>(match)));
    }
  }
}
template <typename F>
void ForEach(const Pattern& pattern, std::string_view text, F f) {
  ForEach(pattern, text, 0, text.size(), std::move(f));
}

}  // namespace zhibi::entity
