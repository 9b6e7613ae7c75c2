// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <filesystem>
#include <string>
#include <system_error>
#include <tuple>
#include <utility>
#include <vector>

#include "base/file.h"
#include "base/status_macros.h"
#include "statute/store.h"
#include "statute/store_format.h"

namespace zhibi::statute {
namespace {

constexpr std::size_t kMaxStoredTexts = 200'000;

struct Keyed {
  std::string key;
  StatuteText text;
};

std::int32_t DaysOf(const std::optional<legal::Date>& day) {
  return day ? static_cast<std::int32_t>(legal::ToDays(*day)) : kNoDay;
}

// The day that texts of one name are sorted by.
std::int32_t OrderDay(const StatuteText& text) { return DaysOf(text.from ? text.from : text.date); }

bool Replaces(const StatuteText& fresh, const StatuteText& old) {
  return fresh.date == old.date && (fresh.from == old.from || fresh.date.has_value());
}

template <class T>
void Put(std::string* out, const T& value) {
  out->append(reinterpret_cast<const char*>(&value), sizeof(value));
}

Result<std::string> Serialise(const std::vector<Keyed>& texts) {
  StoreHeader header{};
  std::copy(std::begin(kStoreMagic), std::end(kStoreMagic), header.magic);
  header.format = kStoreFormat;
  header.num_texts = static_cast<std::uint32_t>(texts.size());
  std::uint64_t size = 0;
  for (const Keyed& keyed : texts) {
    header.num_articles += static_cast<std::uint32_t>(keyed.text.articles.size());
    size += keyed.key.size() + keyed.text.name.size();
    for (const TextArticle& article : keyed.text.articles) size += article.text.size();
  }
  size += StringsOffset(header);
  if (size > kMaxStoreBytes) {
    return ResourceExhaustedError("texts of statutes: expected at most 2 GiB installed, got " +
                                  std::to_string(size) + " bytes");
  }
  std::string index;
  std::string articles;
  std::string strings;
  strings.reserve(static_cast<std::size_t>(size));
  const auto place = [&](std::string_view text) {
    const auto at = static_cast<std::uint32_t>(StringsOffset(header) + strings.size());
    strings += text;
    return std::pair{at, static_cast<std::uint32_t>(text.size())};
  };
  std::uint32_t first = 0;
  for (const Keyed& keyed : texts) {
    StoreText record{};
    std::tie(record.key_offset, record.key_size) = place(keyed.key);
    std::tie(record.name_offset, record.name_size) = place(keyed.text.name);
    record.first_article = first;
    record.num_articles = static_cast<std::uint32_t>(keyed.text.articles.size());
    record.date = DaysOf(keyed.text.date);
    record.from = DaysOf(keyed.text.from);
    Put(&index, record);
    first += record.num_articles;
    for (const TextArticle& article : keyed.text.articles) {
      StoreArticle entry{};
      entry.number = static_cast<std::uint16_t>(article.article.number);
      entry.inserted = static_cast<std::uint16_t>(article.article.inserted);
      std::tie(entry.offset, entry.size) = place(article.text);
      Put(&articles, entry);
    }
  }
  index += articles;
  header.index_checksum = IndexChecksum(index);
  header.file_size = sizeof(header) + index.size() + strings.size();
  std::string out;
  out.reserve(static_cast<std::size_t>(header.file_size));
  Put(&out, header);
  out += index;
  out += strings;
  return out;
}

Result<std::vector<StatuteText>> ReadInstalled(const std::string& dir) {
  ZB_ASSIGN_OR_RETURN(const TextStore store, TextStore::Open(dir));
  return store.ReadAll();
}

// A damaged store is moved aside, so that installing anew mends it and nothing is lost.
Result<std::vector<StatuteText>> ReadOld(const std::string& dir, StoreChange* change) {
  Result<std::vector<StatuteText>> old = ReadInstalled(dir);
  if (old.ok() || old.status().code() != StatusCode::kDataLoss) return old;
  const std::string path = TextStore::PathIn(dir);
  change->set_aside = path + ".damaged";
  std::error_code error;
  std::filesystem::rename(path, change->set_aside, error);
  if (error) return old;
  return std::vector<StatuteText>();
}

}  // namespace

Result<StoreChange> AddTexts(const std::string& dir, std::vector<StatuteText> texts) {
  StoreChange change;
  ZB_ASSIGN_OR_RETURN(std::vector<StatuteText> old, ReadOld(dir, &change));
  std::vector<Keyed> all;
  all.reserve(old.size() + texts.size());
  for (StatuteText& text : old) all.push_back({StoreKey(text.name), std::move(text)});
  std::stable_sort(all.begin(), all.end(),
                   [](const Keyed& a, const Keyed& b) { return a.key < b.key; });
  std::vector<Keyed> fresh;
  for (StatuteText& text : texts) {
    Keyed keyed{StoreKey(text.name), std::move(text)};
    const auto range =
        std::equal_range(all.begin(), all.end(), keyed,
                         [](const Keyed& a, const Keyed& b) { return a.key < b.key; });
    const auto same = std::find_if(range.first, range.second, [&keyed](const Keyed& other) {
      return Replaces(keyed.text, other.text);
    });
    if (same != range.second) {
      *same = std::move(keyed);
      ++change.replaced;
      continue;
    }
    const auto twice = std::find_if(fresh.begin(), fresh.end(), [&keyed](const Keyed& other) {
      return other.key == keyed.key && Replaces(keyed.text, other.text);
    });
    if (twice != fresh.end()) {
      *twice = std::move(keyed);
      ++change.replaced;
    } else {
      fresh.push_back(std::move(keyed));
      ++change.added;
    }
  }
  std::move(fresh.begin(), fresh.end(), std::back_inserter(all));
  if (all.size() > kMaxStoredTexts) {
    return ResourceExhaustedError(dir + ": expected at most 200000 installed texts");
  }
  std::stable_sort(all.begin(), all.end(), [](const Keyed& a, const Keyed& b) {
    return std::pair(std::string_view(a.key), OrderDay(a.text)) <
           std::pair(std::string_view(b.key), OrderDay(b.text));
  });
  ZB_ASSIGN_OR_RETURN(const std::string bytes, Serialise(all));
  std::error_code error;
  std::filesystem::create_directories(dir, error);
  if (error) return UnavailableError(dir + ": cannot be made: " + error.message());
  ZB_RETURN_IF_ERROR(base::WriteFileAtomic(TextStore::PathIn(dir), bytes));
  return change;
}

}  // namespace zhibi::statute
