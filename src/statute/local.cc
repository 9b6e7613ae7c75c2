// SPDX-License-Identifier: Apache-2.0
// A user's own rows beside the shipped ones: a statute of its own is a new row, a newer text of a
// shipped statute joins the versions there and ends the one before.
#include "statute/local.h"

#include <algorithm>
#include <string>
#include <utility>

namespace zhibi::statute {
namespace {

// Versions have a day by which they can be ordered.
std::optional<legal::Date> OrderDay(const Version& version) {
  return version.from ? version.from : version.published ? version.published : version.surely_from;
}

}  // namespace

void JoinVersions(Statute& shipped, Statute&& local) {
  for (Version& version : local.versions) {
    const auto same =
        std::find_if(shipped.versions.begin(), shipped.versions.end(), [&](const Version& other) {
          return (version.from && other.from == version.from) ||
                 (version.published && other.published == version.published);
        });
    if (same != shipped.versions.end()) {
      version.original = version.original || same->original;
      *same = std::move(version);
    } else {
      shipped.versions.push_back(std::move(version));
    }
  }
  std::stable_sort(shipped.versions.begin(), shipped.versions.end(),
                   [](const Version& a, const Version& b) { return OrderDay(a) < OrderDay(b); });
  for (std::size_t i = 0; i + 1 < shipped.versions.size(); ++i) {
    Version& version = shipped.versions[i];
    const Version& next = shipped.versions[i + 1];
    if (!version.ended || (next.from && (!version.until || *next.from < *version.until))) {
      version.ended = true;
      version.until = next.from;
      if (!next.from) version.surely_until = next.published;
    }
  }
  if (local.repealed) {
    shipped.repealed = true;
    shipped.repealed_on = local.repealed_on;
  } else {
    // The user's text is later than a repeal only where its day is.
    const std::optional<legal::Date>& from = shipped.versions.back().from;
    const bool revived =
        shipped.repealed && from && shipped.repealed_on && *from >= *shipped.repealed_on;
    if (revived) {
      shipped.repealed = false;
      shipped.repealed_on.reset();
    }
  }
  if (!local.replaced_by.empty()) shipped.replaced_by = std::move(local.replaced_by);
  for (const auto& [from, to] : {std::pair{&local.aliases, &shipped.aliases},
                                 std::pair{&local.old_names, &shipped.old_names}}) {
    for (std::string& name : *from) {
      if (std::find(to->begin(), to->end(), name) == to->end()) to->push_back(std::move(name));
    }
  }
  shipped.as_of = std::max(shipped.as_of, local.as_of);
}

Status Table::Merge(Table local, const std::string& source) {
  for (Statute& statute : local.rows_) {
    statute.local = true;
    const Match match = Find(statute.name);
    if (match.statute != nullptr && match.full) {
      Statute& row = rows_[static_cast<std::size_t>(match.statute - rows_.data())];
      JoinVersions(row, std::move(statute));
      row.local = true;
    } else {
      rows_.push_back(std::move(statute));
    }
  }
  return IndexNames(source);
}

}  // namespace zhibi::statute
