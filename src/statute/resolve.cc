// SPDX-License-Identifier: Apache-2.0
#include "statute/resolve.h"

#include <algorithm>
#include <utility>

#include "base/utf8.h"
#include "statute/citation_cursor.h"
#include "statute/name.h"

namespace zhibi::statute {
namespace {

constexpr std::size_t kMaxNameLength = 90;  // characters of a name without marks

bool IsBlank(char32_t c) {
  return c == U' ' || c == U'\n' || c == U'\r' || c == U'\t' || c == 0x3000 || c == 0xA0;
}

std::u32string Reversed(std::string_view name) {
  std::u32string out;
  for (Cursor cursor(name, 0); cursor.Peek() != 0; cursor.Advance()) out += cursor.Peek();
  std::reverse(out.begin(), out.end());
  return out;
}

// 关于适用〈婚姻法〉若干问题的解释 means 〈中华人民共和国婚姻法〉.
std::string WithCountry(const std::string& name) {
  constexpr std::string_view kOpen = "〈";
  const std::size_t open = name.find(kOpen);
  if (open == std::string::npos ||
      name.compare(open + kOpen.size(), kCountry.size(), kCountry) == 0) {
    return {};
  }
  std::string whole = name;
  whole.insert(open + kOpen.size(), kCountry);
  return whole;
}

Table::Match FindName(const Table& table, const std::string& name) {
  Table::Match match = table.Find(name);
  if (match.statute != nullptr) return match;
  for (const std::string& base : {name, WithCountry(name)}) {
    if (base.empty()) continue;
    for (const std::string_view body :
         {"", "最高人民法院", "最高人民法院、最高人民检察院", "最高人民检察院"}) {
      if (!body.empty() && !base.starts_with("关于")) break;
      match = table.Find(std::string(body) + base);
      if (match.statute == nullptr) continue;
      match.full = false;
      return match;
    }
  }
  return {};
}

const Version* NamedVersion(const Statute& statute, int year) {
  for (const Version& version : statute.versions) {
    const bool published = version.published && version.published->year == year;
    const bool from = !version.published && version.from && version.from->year == year;
    if (published || from) return &version;
  }
  return nullptr;
}

bool IsDeleted(const Version& version, ArticleNumber article) {
  return std::binary_search(version.deleted.begin(), version.deleted.end(), article);
}

// Does `version` surely lack the article?
bool Lacks(const Version& version, ArticleNumber article) {
  return version.articles > 0 && !HasArticle(version, article);
}

const Version* OtherWith(const Statute& statute, const Version* version, ArticleNumber article) {
  for (const Version& other : statute.versions) {
    if (&other != version && other.articles > 0 && HasArticle(other, article)) return &other;
  }
  return nullptr;
}

// Does 该法, 该解释, 该条例 fit the statute?
bool FitsReference(std::string_view words, const Statute& statute) {
  if (words.ends_with("法") || words.ends_with("法律")) return statute.kind <= Kind::kLaw;
  if (words.ends_with("解释")) {
    return statute.kind == Kind::kJudicialInterpretation ||
           statute.kind == Kind::kLawInterpretation;
  }
  for (const std::string_view noun : {"条例", "办法", "规定"}) {
    if (words.ends_with(noun)) return statute.name.find(noun) != std::string::npos;
  }
  return true;
}

// What the citation refers to: for 该法 the nearest law in front, not the interpretation between.
std::size_t SourceOf(const Citations& citations, std::size_t index,
                     const std::vector<Resolved>& before) {
  constexpr std::size_t kLookBack = 32;
  const Citation& citation = citations.citations[index];
  if (citation.definition != kNone) return citations.definitions[citation.definition].citation;
  if (citation.refers_to == kNone || citation.refers_to >= index) return kNone;
  if (citation.form != NameForm::kReference) return citation.refers_to;
  for (std::size_t i = citation.refers_to + 1; i-- > 0;) {
    if (citation.refers_to - i > kLookBack) break;
    const Resolved& source = before[i];
    if (source.named == i && source.statute != nullptr &&
        FitsReference(citation.name, *source.statute)) {
      return i;
    }
  }
  return kNone;
}

class PlaceChecker {
 public:
  PlaceChecker(const Statute& statute, const State& state, const Version* version,
               std::vector<PlaceFinding>& out)
      : statute_(statute), version_(version), out_(out) {
    certain_ = state.certain && version == state.version;
  }

  void Check(const Place& place, std::size_t index) {
    index_ = index;
    if (place.last && *place.last <= place.article) {
      Add(PlaceProblem::kReversed, *place.last, 0, true);
      return;
    }
    if (!Article(place.article)) return;
    if (place.last && !Article(*place.last)) return;
    if (place.last) return;
    if (version_ != nullptr) {
      Parts(place);
    } else {
      PartsOfNone(place);
    }
  }

 private:
  void Add(PlaceProblem problem, ArticleNumber article, int has, bool certain,
           const Version* elsewhere = nullptr) {
    out_.push_back({index_, problem, article, has, certain, elsewhere});
  }

  bool Article(ArticleNumber article) {
    if (version_ != nullptr) {
      if (!Lacks(*version_, article)) return true;
      const bool deleted = IsDeleted(*version_, article);
      Add(deleted ? PlaceProblem::kDeleted : PlaceProblem::kNoArticle, article, version_->articles,
          certain_, OtherWith(statute_, version_, article));
      return false;
    }
    // No day: only what no version has.
    int most = 0;
    for (const Version& version : statute_.versions) {
      if (!Lacks(version, article)) return true;
      most = std::max(most, version.articles);
    }
    if (most == 0) return true;
    Add(PlaceProblem::kNoArticle, article, most, KnowsEveryVersion());
    return false;
  }

  // All texts there ever were, or those of the last years, are in the table.
  bool KnowsEveryVersion() const {
    const Version& first = statute_.versions.front();
    const bool from_the_start =
        first.original || (statute_.adopted && first.published == statute_.adopted);
    return from_the_start || statute_.every_version_since_2010;
  }

  void Parts(const Place& place) {
    if (place.paragraph == 0 && place.item == 0) return;
    const ArticleShape* shape = FindShape(*version_, place.article);
    if (shape == nullptr || shape->items.empty()) return;
    const int paragraphs = static_cast<int>(shape->items.size());
    if (place.paragraph > paragraphs) {
      Add(PlaceProblem::kNoParagraph, place.article, paragraphs, certain_);
      return;
    }
    if (place.item == 0) return;
    const int items = place.paragraph > 0
                          ? shape->items[static_cast<std::size_t>(place.paragraph) - 1]
                          : *std::max_element(shape->items.begin(), shape->items.end());
    if (place.item > items) Add(PlaceProblem::kNoItem, place.article, items, certain_);
  }

  // The version is not known, and articles move from one to the next: only what no article of any
  // known version comes near to.
  void PartsOfNone(const Place& place) {
    std::size_t paragraphs = 0;
    int items = 0;
    for (const Version& version : statute_.versions) {
      for (const ArticleShape& shape : version.shapes) {
        paragraphs = std::max(paragraphs, shape.items.size());
        for (const int count : shape.items) items = std::max(items, count);
      }
    }
    if (paragraphs == 0) return;
    const int most = static_cast<int>(paragraphs) + 1;
    if (place.paragraph > most) {
      Add(PlaceProblem::kNoParagraph, place.article, static_cast<int>(paragraphs), false);
    } else if (place.item > items + 2) {
      Add(PlaceProblem::kNoItem, place.article, items, false);
    }
  }

  const Statute& statute_;
  const Version* version_;
  std::vector<PlaceFinding>& out_;
  bool certain_ = false;
  std::size_t index_ = 0;
};

}  // namespace

NameFinder::NameFinder(const Table& table) {
  const auto add = [this](const std::string& name) {
    std::u32string reversed = Reversed(name);
    // One character is no name.
    if (reversed.size() > 1 && reversed.size() <= kMaxNameLength) {
      reversed_.push_back(std::move(reversed));
    }
  };
  for (const Statute& statute : table.rows()) {
    add(statute.name);
    if (statute.name.starts_with(kCountry)) add(statute.name.substr(kCountry.size()));
    for (const std::string& name : statute.aliases) add(name);
    for (const std::string& name : statute.old_names) add(name);
  }
  std::sort(reversed_.begin(), reversed_.end());
  reversed_.erase(std::unique(reversed_.begin(), reversed_.end()), reversed_.end());
}

std::size_t NameFinder::EndingAt(std::string_view before) const {
  // Narrows the names that end like `before` character by character.
  auto low = reversed_.begin();
  auto high = reversed_.end();
  std::size_t best = 0;
  std::size_t at = before.size();
  for (std::size_t depth = 0; depth < kMaxNameLength && at > 0; ++depth) {
    std::size_t begin = at;
    char32_t c = 0;
    do {
      begin = base::BorderUpTo(before, begin - 1);
      c = EvenCharacter(base::DecodeUtf8(before.substr(begin)).code_point);
    } while (begin > 0 && IsBlank(c));
    const auto below = [depth](const std::u32string& name, char32_t value) {
      return name.size() <= depth || name[depth] < value;
    };
    const auto above = [depth](char32_t value, const std::u32string& name) {
      return name.size() > depth && value < name[depth];
    };
    low = std::lower_bound(low, high, c, below);
    high = std::upper_bound(low, high, c, above);
    if (low == high) break;
    if (low->size() == depth + 1) best = before.size() - begin;
    at = begin;
  }
  return best;
}

std::vector<PlaceFinding> CheckPlaces(const Citation& citation, const Statute& statute,
                                      const State& state, const Version* version) {
  std::vector<PlaceFinding> out;
  PlaceChecker checker(statute, state, version, out);
  for (std::size_t i = 0; i < citation.places.size(); ++i) checker.Check(citation.places[i], i);
  return out;
}

std::vector<Resolved> Resolve(const Citations& citations, const Table& table,
                              const std::optional<legal::Date>& day) {
  std::vector<Resolved> out;
  out.reserve(citations.citations.size());
  for (std::size_t i = 0; i < citations.citations.size(); ++i) {
    const Citation& citation = citations.citations[i];
    Resolved resolved;
    resolved.named = i;
    const std::size_t source = SourceOf(citations, i, out);
    if (source != kNone && source < i) {
      resolved.statute = out[source].statute;
      resolved.named = out[source].named;
      resolved.version = out[source].version_named ? out[source].version : nullptr;
      resolved.version_named = out[source].version_named;
      resolved.by_definition = true;
    }
    // A short name of a row may also be defined for something else; what the text says counts.
    const bool named = citation.form != NameForm::kReference && !citation.name.empty();
    if (resolved.statute == nullptr && named) {
      const Table::Match match = FindName(table, citation.name);
      resolved.statute = match.statute;
      resolved.full = match.full;
      resolved.old_name = match.old;
    }
    if (resolved.statute != nullptr) {
      const Statute& statute = *resolved.statute;
      if (day) resolved.state = StateOn(statute, *day);
      if (citation.version_year > 0) {
        const Version* named = NamedVersion(statute, citation.version_year);
        resolved.version = named;
        resolved.version_named = named != nullptr;
      }
      if (resolved.version == nullptr) resolved.version = resolved.state.version;
      resolved.problems = CheckPlaces(citation, statute, resolved.state, resolved.version);
    }
    out.push_back(std::move(resolved));
  }
  return out;
}

}  // namespace zhibi::statute
