// SPDX-License-Identifier: Apache-2.0
// Texts of statutes that a user has installed: the product ships facts only (table.h). One file,
// mapped: records of fixed width in front (names sorted, articles sorted), texts behind, so that an
// article is found by two binary searches without reading the rest. Nothing of it is trusted: every
// offset is checked where it is used. Written whole beside the old file and renamed over it.
// Thread rule: TextStore is immutable and thread-safe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/file.h"
#include "legal/date.h"
#include "statute/store_text.h"
#include "statute/table.h"
#include "zhibi/status.h"

namespace zhibi::statute {

struct ArticleText {
  std::string statute;              // name of the installed text
  std::string text;                 // without 第…条; paragraphs and items parted by line feeds
  std::optional<legal::Date> date;  // of the installed text; none: unknown
  bool of_the_day = false;          // surely the text of the version in force on the day asked for
};

// What is installed, for lists.
struct StoredText {
  std::string name;
  std::optional<legal::Date> date;  // adopted or published
  std::optional<legal::Date> from;  // first day in force, where the user said so
  std::size_t articles = 0;
};

class TextStore {
 public:
  // dir/texts.zbs. A folder or file that is not there is an empty store. kDataLoss: the file is
  // damaged or of another format; names it and what is wrong.
  static Result<TextStore> Open(const std::string& dir);
  static std::string PathIn(const std::string& dir) { return dir + "/texts.zbs"; }

  std::size_t size() const { return num_texts_; }
  Result<std::vector<StoredText>> List() const;

  // By name in any spelling (NormaliseName). With a day the newest text that is not younger than
  // it, else the newest; none: not installed, or without this article. of_the_day stays false.
  Result<std::optional<ArticleText>> Article(std::string_view name, ArticleNumber article,
                                             const std::optional<legal::Date>& day) const;
  // The article of the version in force on the day (without one: today's newest text). None where
  // the text of that version is not installed: another version's words prove nothing.
  Result<std::optional<ArticleText>> Article(const Statute& statute, ArticleNumber article,
                                             const std::optional<legal::Date>& day) const;

  // All of it, for writing a store with more.
  Result<std::vector<StatuteText>> ReadAll() const;

 private:
  struct Record;

  Result<Record> TextAt(std::size_t index) const;
  Result<std::string_view> StringAt(std::uint64_t offset, std::uint64_t size) const;
  // Records [first, last) of the name.
  Result<std::pair<std::size_t, std::size_t>> Named(std::string_view name) const;
  Result<std::optional<ArticleText>> ArticleOf(const Record& record, ArticleNumber article) const;
  Result<std::optional<Record>> TextOf(const Statute& statute, const Version& version) const;

  std::shared_ptr<const base::MappedFile> file_;  // shared by copies of the store, which are cheap
  std::size_t num_texts_ = 0;
  std::size_t num_articles_ = 0;
};

// Adds texts to those in dir (created if need be). A text of the same name and date, or without a
// date one of the same name without a date, is replaced.
struct StoreChange {
  std::size_t added = 0;
  std::size_t replaced = 0;
  std::string set_aside;  // where a store that could not be read was moved; empty: none was
};
Result<StoreChange> AddTexts(const std::string& dir, std::vector<StatuteText> texts);

// A quotation against the words of an article, after width, blanks, quotation marks and the
// punctuation at its ends are evened. …… stands for words left out.
enum class QuoteResult : std::uint8_t { kEqual, kDiffers, kNotFound };
struct QuoteComparison {
  QuoteResult result = QuoteResult::kNotFound;
  std::size_t at = 0;  // byte of the quotation from which it differs
  std::string stands;  // what the article says there, some ten characters
};
QuoteComparison CompareQuote(std::string_view quote, std::string_view article_text);

}  // namespace zhibi::statute
