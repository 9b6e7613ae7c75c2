// SPDX-License-Identifier: Apache-2.0
#include "statute/store.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>
#include <string>
#include <system_error>
#include <utility>

#include "base/status_macros.h"
#include "base/utf8.h"
#include "statute/name.h"
#include "statute/store_format.h"

namespace zhibi::statute {
namespace {

template <class T>
T Load(std::span<const std::byte> bytes, std::uint64_t offset) {
  T value;
  std::memcpy(&value, bytes.data() + offset, sizeof(value));
  return value;
}

std::optional<legal::Date> DayOf(std::int32_t days) {
  if (days == kNoDay) return std::nullopt;
  return legal::FromDays(days);
}

}  // namespace

std::string StoreKey(std::string_view name) {
  std::string key = NormaliseName(name);
  if (key.starts_with(kCountry) && key.size() > kCountry.size()) key.erase(0, kCountry.size());
  return key;
}

struct TextStore::Record {
  std::string_view key;
  std::string_view name;
  std::optional<legal::Date> date;
  std::optional<legal::Date> from;
  std::size_t first_article = 0;
  std::size_t num_articles = 0;
};

Result<TextStore> TextStore::Open(const std::string& dir) {
  TextStore store;
  Result<base::MappedFile> file = base::MappedFile::Open(PathIn(dir));
  if (!file.ok() && file.status().code() == StatusCode::kNotFound) return store;
  ZB_RETURN_IF_ERROR(file.status());
  const std::span<const std::byte> bytes = file->bytes();
  const std::string& path = file->path();
  if (bytes.size() < sizeof(StoreHeader)) return DataLossError(path + ": shorter than its header");
  const auto header = Load<StoreHeader>(bytes, 0);
  if (std::memcmp(header.magic, kStoreMagic, sizeof(header.magic)) != 0) {
    return DataLossError(path + ": not a store of texts");
  }
  if (header.format != kStoreFormat) {
    return DataLossError(path + ": format " + std::to_string(header.format) + ", expected " +
                         std::to_string(kStoreFormat) + "; import the texts again");
  }
  const std::uint64_t strings = StringsOffset(header);
  if (header.file_size != bytes.size() || strings > bytes.size()) {
    return DataLossError(path + ": expected " + std::to_string(header.file_size) +
                         " bytes, found " + std::to_string(bytes.size()));
  }
  const std::string_view index(reinterpret_cast<const char*>(bytes.data()) + sizeof(StoreHeader),
                               strings - sizeof(StoreHeader));
  if (IndexChecksum(index) != header.index_checksum) {
    return DataLossError(path + ": the index is damaged; import the texts again");
  }
  store.num_texts_ = header.num_texts;
  store.num_articles_ = header.num_articles;
  store.file_ = std::make_shared<const base::MappedFile>(std::move(*file));
  return store;
}

Result<std::string_view> TextStore::StringAt(std::uint64_t offset, std::uint64_t size) const {
  const std::span<const std::byte> bytes = file_->bytes();
  if (offset > bytes.size() || size > bytes.size() - offset) {
    return DataLossError(file_->path() + ": a text lies outside of the file");
  }
  return std::string_view(reinterpret_cast<const char*>(bytes.data()) + offset, size);
}

Result<TextStore::Record> TextStore::TextAt(std::size_t index) const {
  const auto raw = Load<StoreText>(file_->bytes(), TextOffset(index));
  Record record;
  ZB_ASSIGN_OR_RETURN(record.key, StringAt(raw.key_offset, raw.key_size));
  ZB_ASSIGN_OR_RETURN(record.name, StringAt(raw.name_offset, raw.name_size));
  record.date = DayOf(raw.date);
  record.from = DayOf(raw.from);
  record.first_article = raw.first_article;
  record.num_articles = raw.num_articles;
  if (record.first_article > num_articles_ ||
      record.num_articles > num_articles_ - record.first_article) {
    return DataLossError(file_->path() + ": articles of a text lie outside of the index");
  }
  return record;
}

Result<std::vector<StoredText>> TextStore::List() const {
  std::vector<StoredText> list;
  list.reserve(num_texts_);
  for (std::size_t i = 0; i < num_texts_; ++i) {
    ZB_ASSIGN_OR_RETURN(const Record record, TextAt(i));
    list.push_back({std::string(record.name), record.date, record.from, record.num_articles});
  }
  return list;
}

Result<std::pair<std::size_t, std::size_t>> TextStore::Named(std::string_view name) const {
  const std::string key = StoreKey(name);
  std::size_t low = 0;
  std::size_t high = num_texts_;
  while (low < high) {
    const std::size_t middle = low + (high - low) / 2;
    ZB_ASSIGN_OR_RETURN(const Record record, TextAt(middle));
    if (record.key < key) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  std::size_t end = low;
  for (; end < num_texts_; ++end) {
    ZB_ASSIGN_OR_RETURN(const Record record, TextAt(end));
    if (record.key != key) break;
  }
  return std::pair{low, end};
}

Result<std::optional<ArticleText>> TextStore::ArticleOf(const Record& record,
                                                        ArticleNumber article) const {
  std::size_t low = record.first_article;
  std::size_t high = record.first_article + record.num_articles;
  while (low < high) {
    const std::size_t middle = low + (high - low) / 2;
    const auto raw = Load<StoreArticle>(file_->bytes(), ArticleOffset(num_texts_, middle));
    const ArticleNumber here{raw.number, raw.inserted};
    if (here == article) {
      ZB_ASSIGN_OR_RETURN(const std::string_view text, StringAt(raw.offset, raw.size));
      if (!base::IsValidUtf8(text)) {
        return DataLossError(file_->path() + ": the text of " + FormatArticle(article) +
                             " is damaged; import it again");
      }
      return std::optional<ArticleText>(
          {std::string(record.name), std::string(text), record.date, false});
    }
    if (here < article) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return std::optional<ArticleText>();
}

Result<std::optional<ArticleText>> TextStore::Article(std::string_view name, ArticleNumber article,
                                                      const std::optional<legal::Date>& day) const {
  if (num_texts_ == 0) return std::optional<ArticleText>();
  ZB_ASSIGN_OR_RETURN(const auto range, Named(name));
  // Sorted by day: the last that is not younger than `day`.
  for (std::size_t i = range.second; i > range.first; --i) {
    ZB_ASSIGN_OR_RETURN(const Record record, TextAt(i - 1));
    const std::optional<legal::Date>& begun = record.from ? record.from : record.date;
    if (day && begun && *begun > *day) continue;
    return ArticleOf(record, article);
  }
  return std::optional<ArticleText>();
}

Result<std::optional<TextStore::Record>> TextStore::TextOf(const Statute& statute,
                                                           const Version& version) const {
  std::vector<std::string_view> names{statute.name};
  names.insert(names.end(), statute.old_names.begin(), statute.old_names.end());
  for (const std::string_view name : names) {
    ZB_ASSIGN_OR_RETURN(const auto range, Named(name));
    for (std::size_t i = range.second; i > range.first; --i) {
      ZB_ASSIGN_OR_RETURN(const Record record, TextAt(i - 1));
      const auto is = [](const std::optional<legal::Date>& a, const std::optional<legal::Date>& b) {
        return a && b && *a == *b;
      };
      const bool same = is(record.from, version.from) || is(record.date, version.from) ||
                        is(record.date, version.published);
      if (same) return std::optional<Record>(record);
    }
    // The only text there is, of the only version that the statute ever had.
    const bool only = statute.versions.size() == 1 && version.original &&
                      statute.every_version_since_2010 && range.second == range.first + 1;
    if (only) {
      ZB_ASSIGN_OR_RETURN(const Record record, TextAt(range.first));
      return std::optional<Record>(record);
    }
  }
  return std::optional<Record>();
}

Result<std::optional<ArticleText>> TextStore::Article(const Statute& statute, ArticleNumber article,
                                                      const std::optional<legal::Date>& day) const {
  if (num_texts_ == 0) return std::optional<ArticleText>();
  if (!day) return Article(statute.name, article, std::nullopt);
  const State state = StateOn(statute, *day);
  if (state.version == nullptr) return std::optional<ArticleText>();
  ZB_ASSIGN_OR_RETURN(const std::optional<Record> record, TextOf(statute, *state.version));
  if (!record) return std::optional<ArticleText>();
  ZB_ASSIGN_OR_RETURN(std::optional<ArticleText> found, ArticleOf(*record, article));
  if (found) found->of_the_day = true;
  return found;
}

Result<std::vector<StatuteText>> TextStore::ReadAll() const {
  std::vector<StatuteText> texts;
  texts.reserve(num_texts_);
  for (std::size_t i = 0; i < num_texts_; ++i) {
    ZB_ASSIGN_OR_RETURN(const Record record, TextAt(i));
    StatuteText text{std::string(record.name), record.date, record.from, {}};
    text.articles.reserve(record.num_articles);
    for (std::size_t j = 0; j < record.num_articles; ++j) {
      const auto raw =
          Load<StoreArticle>(file_->bytes(), ArticleOffset(num_texts_, record.first_article + j));
      ZB_ASSIGN_OR_RETURN(const std::string_view body, StringAt(raw.offset, raw.size));
      text.articles.push_back({{raw.number, raw.inserted}, std::string(body)});
    }
    texts.push_back(std::move(text));
  }
  return texts;
}

}  // namespace zhibi::statute
