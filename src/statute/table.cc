// SPDX-License-Identifier: Apache-2.0
#include "statute/table.h"

#include <algorithm>
#include <string>
#include <tuple>
#include <utility>

#include "base/utf8.h"
#include "statute/name.h"

namespace zhibi::statute {
namespace {

// Insertions, deletions and replacements that turn one into the other; more than `limit`: limit +
// 1.
std::size_t Distance(const std::u32string& a, const std::u32string& b, std::size_t limit) {
  const std::size_t longer = std::max(a.size(), b.size());
  const std::size_t shorter = std::min(a.size(), b.size());
  if (longer - shorter > limit) return limit + 1;
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j < row.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    std::size_t least = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({replaced, row[j] + 1, row[j - 1] + 1});
      least = std::min(least, row[j]);
    }
    if (least > limit) return limit + 1;
  }
  return row.back();
}

std::u32string CodePoints(std::string_view text) {
  std::u32string out;
  while (!text.empty()) {
    const base::Utf8Char c = base::DecodeUtf8(text);
    out += c.code_point;
    text.remove_prefix(c.length);
  }
  return out;
}

std::string_view WithoutCountry(std::string_view name) {
  return name.starts_with(kCountry) ? name.substr(kCountry.size()) : name;
}

bool SurelyInForce(const Version& version, const legal::Date& day) {
  const std::optional<legal::Date>& begin = version.from ? version.from : version.surely_from;
  if (!begin || day < *begin) return false;
  const std::optional<legal::Date>& end = version.until ? version.until : version.surely_until;
  return end ? day < *end : !version.ended;
}

// Was there surely no such statute yet?
bool NotYet(const Statute& statute, const legal::Date& day) {
  if (statute.adopted && day < *statute.adopted) return true;
  const Version& first = statute.versions.front();
  return first.original && first.from && day < *first.from;
}

bool HasBegun(const Statute& statute, const legal::Date& day) {
  return std::any_of(
      statute.versions.begin(), statute.versions.end(), [&day](const Version& version) {
        const std::optional<legal::Date>& begin = version.from ? version.from : version.surely_from;
        return begin && *begin <= day;
      });
}

}  // namespace

const std::vector<Statute>& Table::rows() const { return rows_; }

const legal::Date& Table::as_of() const { return as_of_; }

Status Table::IndexNames(const std::string& source) {
  // A full name goes before a short one of another row, and that before an old one.
  struct Entry {
    std::string name;
    int rank = 0;
    std::size_t row = 0;
  };
  std::vector<Entry> entries;
  const auto add = [&entries](std::string_view name, int rank, std::size_t row) {
    const std::string normal = NormaliseName(name);
    entries.push_back({normal, rank, row});
    const std::string_view bare = WithoutCountry(normal);
    if (bare.size() != normal.size()) entries.push_back({std::string(bare), rank + 1, row});
  };
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    add(rows_[i].name, 0, i);
    for (const std::string& alias : rows_[i].aliases) add(alias, 2, i);
    for (const std::string& old : rows_[i].old_names) add(old, 4, i);
  }
  std::sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) {
    return std::tie(a.name, a.rank, a.row) < std::tie(b.name, b.rank, b.row);
  });
  names_.clear();
  const Entry* before = nullptr;
  for (const Entry& entry : entries) {
    if (before != nullptr && before->name == entry.name) {
      if (before->rank == 0 && entry.rank == 0) {
        return InvalidArgumentError(source + ": two rows for 《" + rows_[entry.row].name + "》");
      }
      continue;
    }
    names_.emplace_back(entry.name, entry.row);
    before = &entry;
  }
  return OkStatus();
}

Table::Match Table::Find(std::string_view name) const {
  const std::string normal = NormaliseName(name);
  const auto find = [this](std::string_view key) -> const Statute* {
    const auto at = std::lower_bound(
        names_.begin(), names_.end(), key,
        [](const auto& entry, std::string_view wanted) { return entry.first < wanted; });
    return at != names_.end() && at->first == key ? &rows_[at->second] : nullptr;
  };
  Match match;
  match.statute = find(normal);
  // Only a name that lacks the country may leave it out: 中华人民共和国… in front of a name that
  // has none is no name of it, but surely means it.
  if (match.statute == nullptr) match.statute = find(WithoutCountry(normal));
  if (match.statute == nullptr) return match;
  match.full = EvenName(name) == EvenName(match.statute->name);
  if (!match.full) {
    const std::string_view bare = WithoutCountry(normal);
    match.old =
        std::any_of(match.statute->old_names.begin(), match.statute->old_names.end(),
                    [bare](const std::string& old) {
                      return WithoutCountry(NormaliseName(old)) == bare;
                    }) &&
        std::none_of(match.statute->aliases.begin(), match.statute->aliases.end(),
                     [bare](const std::string& alias) { return NormaliseName(alias) == bare; });
  }
  return match;
}

std::vector<const Statute*> Table::Nearest(std::string_view name, std::size_t limit) const {
  constexpr std::size_t kMaxName = 400;  // characters; longer is no name
  constexpr std::size_t kEdits = 6;
  const std::u32string wanted = CodePoints(WithoutCountry(NormaliseName(name)));
  if (wanted.empty() || wanted.size() > kMaxName || limit == 0) return {};
  // A third of the characters may differ: beyond that names have nothing to do with each other.
  const std::size_t most = std::min(kEdits, (wanted.size() + 2) / 3);
  std::vector<std::pair<std::size_t, std::size_t>> found;  // distance, row
  for (const auto& [key, row] : names_) {
    const std::size_t distance = Distance(wanted, CodePoints(WithoutCountry(key)), most);
    if (distance <= most) found.emplace_back(distance, row);
  }
  const auto less = [this](const auto& a, const auto& b) {
    const Statute& x = rows_[a.second];
    const Statute& y = rows_[b.second];
    return std::tuple(a.first, x.repealed, !x.core, a.second) <
           std::tuple(b.first, y.repealed, !y.core, b.second);
  };
  std::sort(found.begin(), found.end(), less);
  std::vector<const Statute*> nearest;
  for (const auto& [distance, row] : found) {
    const Statute* statute = &rows_[row];
    if (std::find(nearest.begin(), nearest.end(), statute) != nearest.end()) continue;
    nearest.push_back(statute);
    if (nearest.size() == limit) break;
  }
  return nearest;
}

std::vector<const Statute*> Table::Search(std::string_view words, std::size_t limit) const {
  std::vector<std::string> wanted;
  for (std::size_t at = 0; at < words.size();) {
    std::size_t end = words.find_first_of(" \t\n", at);
    if (end == std::string_view::npos) end = words.size();
    // The blank of Chinese typing parts words too.
    constexpr std::string_view kWideBlank = "\u3000";
    for (std::string_view piece = words.substr(at, end - at); !piece.empty();) {
      const std::size_t wide = std::min(piece.find(kWideBlank), piece.size());
      if (std::string word = NormaliseName(piece.substr(0, wide)); !word.empty()) {
        wanted.push_back(std::move(word));
      }
      piece.remove_prefix(std::min(piece.size(), wide + kWideBlank.size()));
    }
    at = end + 1;
  }
  if (wanted.empty()) return {};
  struct Hit {
    const Statute* statute = nullptr;
    std::size_t length = 0;
  };
  std::vector<Hit> hits;
  for (const Statute& statute : rows_) {
    std::string all = NormaliseName(statute.name);
    const std::size_t length = all.size();
    for (const std::vector<std::string>* names : {&statute.aliases, &statute.old_names}) {
      for (const std::string& name : *names) all += "\n" + NormaliseName(name);
    }
    all += "\n" + NormaliseName(statute.document_number);
    const bool has = std::all_of(wanted.begin(), wanted.end(), [&all](const std::string& word) {
      return all.find(word) != std::string::npos;
    });
    if (has) hits.push_back({&statute, length});
  }
  std::stable_sort(hits.begin(), hits.end(), [](const Hit& a, const Hit& b) {
    return std::tuple(a.statute->repealed, a.statute->kind, a.length) <
           std::tuple(b.statute->repealed, b.statute->kind, b.length);
  });
  std::vector<const Statute*> found;
  for (const Hit& hit : hits) {
    if (found.size() == limit) break;
    found.push_back(hit.statute);
  }
  return found;
}

State StateOn(const Statute& statute, const legal::Date& day) {
  State state;
  // Without a known day it is repealed from the snapshot on, and unknown before.
  if (statute.repealed && day >= statute.repealed_on.value_or(statute.as_of)) {
    state.force = Force::kRepealed;
    return state;
  }
  if (statute.versions.empty()) return state;
  if (NotYet(statute, day)) {
    state.force = Force::kNotYet;
    return state;
  }
  // Newest first: where sources overlap the later text counts.
  const auto found =
      std::find_if(statute.versions.rbegin(), statute.versions.rend(),
                   [&day](const Version& version) { return SurelyInForce(version, day); });
  if (found != statute.versions.rend()) {
    state.force = Force::kInForce;
    state.version = &*found;
    state.certain = found->articles > 0;
  } else if (HasBegun(statute, day) && (!statute.repealed || statute.repealed_on)) {
    state.force = Force::kInForce;
  }
  return state;
}

bool HasArticle(const Version& version, ArticleNumber article) {
  if (version.articles == 0) return true;
  if (std::binary_search(version.deleted.begin(), version.deleted.end(), article)) return false;
  if (article.inserted > 0) {
    return std::binary_search(version.inserted.begin(), version.inserted.end(), article);
  }
  return article.number >= 1 && article.number <= version.articles;
}

const ArticleShape* FindShape(const Version& version, ArticleNumber article) {
  const auto at = std::lower_bound(
      version.shapes.begin(), version.shapes.end(), article,
      [](const ArticleShape& shape, ArticleNumber wanted) { return shape.article < wanted; });
  return at != version.shapes.end() && at->article == article ? &*at : nullptr;
}

}  // namespace zhibi::statute
