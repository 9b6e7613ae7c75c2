// SPDX-License-Identifier: Apache-2.0
// Citations against the table: which statute a citation means (references and short names
// followed), its state on a day, the version that counts, and which cited articles, paragraphs and
// items are not there. Says what the table knows and how surely; what follows from it is for the
// rules. Used by the rules, by drafting and by the service. Thread rule: pure; results point into
// the table and the citations, which must outlive them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "legal/date.h"
#include "statute/citation.h"
#include "statute/table.h"

namespace zhibi::statute {

// Finds the names and short names of a table at the end of a text, for ParseCitations. Immutable.
class NameFinder {
 public:
  NameFinder() = default;  // knows no name
  explicit NameFinder(const Table& table);
  // Bytes of the longest name that ends `before`, blanks inside counted; 0: none.
  std::size_t EndingAt(std::string_view before) const;

 private:
  std::vector<std::u32string> reversed_;  // last character first, sorted
};

enum class PlaceProblem : std::uint8_t { kNoArticle, kDeleted, kNoParagraph, kNoItem, kReversed };

struct PlaceFinding {
  std::size_t place = 0;  // index of Citation::places
  PlaceProblem problem = PlaceProblem::kNoArticle;
  ArticleNumber article;
  int has = 0;                         // articles, paragraphs or items that there are
  bool certain = false;                // the table holds the text in force on the day
  const Version* elsewhere = nullptr;  // another version that has the article
};

struct Resolved {
  const Statute* statute = nullptr;  // null: not in the table, or refers to nothing
  bool full = false;                 // written with its full name
  bool old_name = false;
  bool by_definition = false;        // through （以下简称…） or a reference
  std::size_t named = kNone;         // the citation that names the statute
  State state;                       // on the day; unknown without one
  const Version* version = nullptr;  // named by a suffix, else in force on the day
  bool version_named = false;
  std::vector<PlaceFinding> problems;
};

// One for each citation. Without a day an article is missing only where no known version has it.
std::vector<Resolved> Resolve(const Citations& citations, const Table& table,
                              const std::optional<legal::Date>& day);

// Problems of the places of one citation of `statute`.
std::vector<PlaceFinding> CheckPlaces(const Citation& citation, const Statute& statute,
                                      const State& state, const Version* version);

}  // namespace zhibi::statute
