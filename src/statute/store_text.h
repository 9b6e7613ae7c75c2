// SPDX-License-Identifier: Apache-2.0
// Reading a statute's text: plain text or Markdown with a line 第…条 for each article, or JSON
// lines (name in "title", "date", "text"). Foreign input: limits on all sizes, errors name file and
// line. Thread-safe.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "legal/date.h"
#include "statute/table.h"
#include "zhibi/status.h"

namespace zhibi::statute {

struct TextArticle {
  ArticleNumber article;
  std::string text;  // paragraphs and items parted by line feeds
};

struct StatuteText {
  std::string name;
  std::optional<legal::Date> date;
  std::optional<legal::Date> from;
  std::vector<TextArticle> articles;  // rising
};

struct TextNote {
  std::size_t line = 0;  // of the file, from 1
  std::string message;   // Chinese and English: what was passed over and why
};

struct TextFile {
  std::vector<StatuteText> texts;
  std::vector<TextNote> notes;
};

inline constexpr std::size_t kMaxTextFileBytes = std::size_t{256} << 20;

// `bytes`: JSON lines when the first character that is no blank is {, else one text whose first
// line is its name. UTF-8. kInvalidArgument: no articles, no name, JSON that is none.
// kResourceExhausted: over a limit.
Result<TextFile> ReadTexts(std::string_view bytes, std::string_view source);

// 第一百二十条之一, 第120条之一, 120, 120-1; none: something else.
std::optional<ArticleNumber> ParseArticle(std::string_view text);

// Paragraphs and items of an article's text, and whether it is struck out (删去): what a row of
// the table needs of a user's own statute.
std::optional<ArticleShape> ShapeOf(const TextArticle& article);
bool IsStruckOut(const TextArticle& article);

}  // namespace zhibi::statute
