// SPDX-License-Identifier: Apache-2.0
#include "statute/store_text.h"

#include <algorithm>
#include <map>
#include <string>
#include <utility>

#include <nlohmann/json.hpp>

#include "base/json.h"
#include "base/status_macros.h"
#include "base/utf8.h"
#include "legal/chinese_number.h"

namespace zhibi::statute {
namespace {

constexpr std::size_t kMaxLineBytes = std::size_t{1} << 20;
constexpr std::size_t kMaxJsonLineBytes = std::size_t{16} << 20;
constexpr std::size_t kMaxTexts = 50'000;
constexpr std::size_t kMaxNameBytes = 1200;
constexpr std::size_t kMaxArticles = 6000;
constexpr std::size_t kMaxNotes = 100;
constexpr int kMaxArticleNumber = 5000;
constexpr int kMaxInserted = 200;
constexpr std::string_view kWideBlank = "\u3000";

bool TakePrefix(std::string_view* text, std::string_view prefix) {
  if (!text->starts_with(prefix)) return false;
  text->remove_prefix(prefix.size());
  return true;
}

std::string_view Trimmed(std::string_view text) {
  for (;;) {
    const std::size_t before = text.size();
    while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
    TakePrefix(&text, kWideBlank);
    while (!text.empty() && (text.back() == ' ' || text.back() == '\t' || text.back() == '\r')) {
      text.remove_suffix(1);
    }
    if (text.ends_with(kWideBlank)) text.remove_suffix(kWideBlank.size());
    if (text.size() == before) return text;
  }
}

// The character at the front, a blank when there is none.
char32_t Front(std::string_view text) {
  return text.empty() ? U' ' : base::DecodeUtf8(text).code_point;
}

// A number in Chinese characters or digits at the front, 1 to `most`; 0: none, nothing is taken.
int TakeCount(std::string_view* text, int most) {
  constexpr std::u32string_view kDigits = U"零〇○一二三四五六七八九十百千两0123456789";
  std::size_t end = 0;
  constexpr std::size_t kMaxBytes = 40;
  while (end < text->size() && end < kMaxBytes) {
    const base::Utf8Char c = base::DecodeUtf8(text->substr(end));
    if (kDigits.find(c.code_point) == std::u32string_view::npos) break;
    end += c.length;
  }
  if (end == 0) return 0;
  const std::string_view digits = text->substr(0, end);
  std::int64_t value = 0;
  if (digits.find_first_not_of("0123456789") == std::string_view::npos) {
    for (const char c : digits.substr(0, 6)) value = value * 10 + (c - '0');
  } else {
    const Result<std::int64_t> read = legal::ParseChineseNumber(digits);
    if (!read.ok()) return 0;
    value = *read;
  }
  if (value < 1 || value > most) return 0;
  text->remove_prefix(end);
  return static_cast<int>(value);
}

// 第十二条之一 at the front of a line, as the beginning of an article and not of a sentence about
// one (第十二条规定的…). Some texts lack the blank behind it.
bool TakeArticle(std::string_view* line, ArticleNumber* article, bool* spaced) {
  std::string_view rest = *line;
  if (!TakePrefix(&rest, "第") && !TakePrefix(&rest, "笫")) return false;
  article->number = TakeCount(&rest, kMaxArticleNumber);
  article->inserted = 0;
  if (article->number == 0) return false;
  TakePrefix(&rest, " ");
  if (!TakePrefix(&rest, "条")) return false;
  if (std::string_view behind = rest; TakePrefix(&behind, "之")) {
    article->inserted = TakeCount(&behind, kMaxInserted);
    if (article->inserted == 0) return false;
    rest = behind;
  }
  TakePrefix(&rest, "**");
  constexpr std::u32string_view kGoesOn = U"第规的和、至所款之中以与及";
  const char32_t next = Front(rest);
  if (kGoesOn.find(next) != std::u32string_view::npos) return false;
  *spaced = next == U' ' || next == U'\u3000' || next == U'\t';
  rest = Trimmed(rest);
  // A heading that an editor added: 第十二条【立法目的】.
  const std::size_t end = rest.starts_with("【") ? rest.find("】") : std::string_view::npos;
  if (end != std::string_view::npos) rest.remove_prefix(end + std::string_view("】").size());
  *line = Trimmed(rest);
  return true;
}

// 第一编 总则, 第二章, 附则, 目录, 一、管辖.
bool IsHeading(std::string_view line) {
  std::string_view rest = line;
  if (TakePrefix(&rest, "第") && TakeCount(&rest, kMaxArticleNumber) > 0) {
    for (const std::string_view unit : {"编", "分编", "章", "节"}) {
      std::string_view behind = rest;
      if (!TakePrefix(&behind, unit)) continue;
      const char32_t next = Front(behind);
      if (next == U' ' || next == U'\u3000' || next == U'\t') return true;
    }
    return false;
  }
  for (const std::string_view word : {"附则", "附 则", "附\u3000则", "目录", "目 录", "序言"}) {
    if (line == word) return true;
  }
  constexpr std::size_t kMaxHeading = 96;
  rest = line;
  return line.size() <= kMaxHeading && TakeCount(&rest, kMaxArticleNumber) > 0 &&
         rest.starts_with("、") && rest.find("。") == std::string_view::npos &&
         rest.find("；") == std::string_view::npos && rest.find("：") == std::string_view::npos;
}

bool IsTail(std::string_view line) {
  for (const std::string_view word : {"附件", "附录", "附表", "附：", "注："}) {
    if (line.starts_with(word)) return true;
  }
  return line == "附";
}

// Without the marks of Markdown; `heading` says whether it was one of its headings.
std::string_view WithoutMarks(std::string_view line, bool* heading) {
  line = Trimmed(line);
  *heading = line.starts_with('#');
  while (!line.empty() && (line.front() == '#' || line.front() == '>')) line.remove_prefix(1);
  line = Trimmed(line);
  TakePrefix(&line, "**");
  if (line.ends_with("**")) line.remove_suffix(2);
  return Trimmed(line);
}

class TextReader {
 public:
  TextReader(std::string_view source, std::vector<TextNote>* notes)
      : source_(source), notes_(notes) {}

  // `first_line`: of the file. With an empty name the first line is the name.
  Result<StatuteText> Read(std::string_view text, std::size_t first_line, std::string name) {
    out_ = {};
    out_.name = std::move(name);
    tail_ = false;
    line_ = first_line;
    while (!text.empty()) {
      const std::size_t end = std::min(text.find('\n'), text.size());
      if (end > kMaxLineBytes) {
        return ResourceExhaustedError(Where() + ": expected lines of at most 1 MiB");
      }
      ZB_RETURN_IF_ERROR(Line(text.substr(0, end)));
      text.remove_prefix(std::min(end + 1, text.size()));
      ++line_;
    }
    return std::move(out_);
  }

 private:
  std::string Where() const { return source_ + ":" + std::to_string(line_); }

  void Note(std::string message) {
    if (notes_->size() < kMaxNotes) notes_->push_back({line_, std::move(message)});
  }

  Status Line(std::string_view raw) {
    bool heading = false;
    std::string_view line = WithoutMarks(raw, &heading);
    if (line.empty()) return OkStatus();
    ArticleNumber article;
    bool spaced = false;
    std::string_view body = line;
    if (TakeArticle(&body, &article, &spaced)) {
      if (Follows(article)) return Begin(article, body);
      if (spaced && !out_.articles.empty()) {
        Note("“" + FormatArticle(article) + "”不接在" +
             FormatArticle(out_.articles.back().article) +
             "之后，作正文读 (article out of order, read as text)");
      }
    }
    if (out_.articles.empty()) {
      if (!out_.name.empty()) return OkStatus();
      if (line.size() > kMaxNameBytes) {
        return InvalidArgumentError(Where() + ": expected the name of the statute in the first " +
                                    "line, got " + std::to_string(line.size()) + " bytes");
      }
      out_.name = std::string(line);
      return OkStatus();
    }
    if (heading || IsHeading(line)) return OkStatus();
    tail_ = tail_ || IsTail(line);
    if (tail_) return OkStatus();
    out_.articles.back().text += (out_.articles.back().text.empty() ? "" : "\n");
    out_.articles.back().text += line;
    return OkStatus();
  }

  bool Follows(ArticleNumber article) const {
    if (out_.articles.empty()) {
      // A part of a code numbers on.
      return article == ArticleNumber{1, 0} || out_.name.find(' ') != std::string::npos ||
             out_.name.find(kWideBlank) != std::string::npos;
    }
    const ArticleNumber last = out_.articles.back().article;
    return article == ArticleNumber{last.number + 1, 0} ||
           article == ArticleNumber{last.number, last.inserted + 1};
  }

  Status Begin(ArticleNumber article, std::string_view body) {
    if (out_.articles.size() == kMaxArticles) {
      return ResourceExhaustedError(Where() + ": expected at most 6000 articles");
    }
    tail_ = false;
    out_.articles.push_back({article, std::string(body)});
    return OkStatus();
  }

  std::string source_;
  std::vector<TextNote>* notes_;
  StatuteText out_;
  bool tail_ = false;
  std::size_t line_ = 1;
};

// 中华人民共和国民法典 合同编 is a part of 中华人民共和国民法典.
std::string WholeName(const std::string& name) {
  const std::size_t wide = name.rfind(kWideBlank);
  const std::size_t at = wide == std::string::npos ? name.rfind(' ') : wide;
  if (at == std::string::npos || at == 0) return name;
  const std::string_view part = Trimmed(std::string_view(name).substr(at));
  const bool is_part = part == "总则" || part == "附则" || part.ends_with("编");
  return is_part ? std::string(Trimmed(std::string_view(name).substr(0, at))) : name;
}

// Puts the parts of a code together.
void JoinParts(std::vector<StatuteText>* texts) {
  std::map<std::string, std::size_t> wholes;
  std::vector<StatuteText> joined;
  for (StatuteText& text : *texts) {
    const std::string whole = WholeName(text.name);
    if (whole == text.name) {
      joined.push_back(std::move(text));
      continue;
    }
    const auto [at, fresh] = wholes.try_emplace(whole, joined.size());
    text.name = whole;
    if (fresh) {
      joined.push_back(std::move(text));
      continue;
    }
    StatuteText& into = joined[at->second];
    into.date = std::max(into.date, text.date);
    std::move(text.articles.begin(), text.articles.end(), std::back_inserter(into.articles));
  }
  for (const auto& [name, at] : wholes) {
    std::vector<TextArticle>& articles = joined[at].articles;
    std::stable_sort(
        articles.begin(), articles.end(),
        [](const TextArticle& a, const TextArticle& b) { return a.article < b.article; });
    articles.erase(std::unique(articles.begin(), articles.end(),
                               [](const TextArticle& a, const TextArticle& b) {
                                 return a.article == b.article;
                               }),
                   articles.end());
  }
  *texts = std::move(joined);
}

Result<std::string> Member(const nlohmann::json& object, const char* key,
                           const std::string& where) {
  const auto at = object.find(key);
  if (at == object.end()) return std::string();
  if (!at->is_string()) {
    return InvalidArgumentError(where + "." + key + ": expected text, got " + at->type_name());
  }
  return at->get<std::string>();
}

Status ReadJsonLine(std::string_view line, std::size_t number, const std::string& source,
                    TextFile* out) {
  const std::string where = source + ":" + std::to_string(number);
  if (line.size() > kMaxJsonLineBytes) {
    return ResourceExhaustedError(where + ": expected lines of at most 16 MiB");
  }
  ZB_ASSIGN_OR_RETURN(const nlohmann::json json, base::ParseJson(line, where));
  if (!json.is_object()) return InvalidArgumentError(where + ": expected an object");
  ZB_ASSIGN_OR_RETURN(std::string title, Member(json, "title", where));
  ZB_ASSIGN_OR_RETURN(const std::string date, Member(json, "date", where));
  ZB_ASSIGN_OR_RETURN(const std::string text, Member(json, "text", where));
  if (title.empty() || title.size() > kMaxNameBytes) {
    return InvalidArgumentError(where + ".title: expected a name of 1 to 1200 bytes");
  }
  std::vector<TextNote> inside;
  ZB_ASSIGN_OR_RETURN(StatuteText read, TextReader(where, &inside).Read(text, 1, title));
  for (TextNote& note : inside) {
    if (out->notes.size() < kMaxNotes) {
      out->notes.push_back({number, "《" + title + "》：" + note.message});
    }
  }
  if (read.articles.empty()) {
    if (out->notes.size() < kMaxNotes) {
      out->notes.push_back(
          {number, "《" + title + "》没有条号，未装入 (no articles, passed over)"});
    }
    return OkStatus();
  }
  if (!date.empty()) {
    const Result<legal::Date> day = legal::ParseDate(date);
    if (!day.ok()) {
      return InvalidArgumentError(where + ".date: expected YYYY-MM-DD, got " + date);
    }
    read.date = *day;
  }
  out->texts.push_back(std::move(read));
  return OkStatus();
}

// 1. or （1） or 1、 at the front; 0: none.
int TakeDigitItem(std::string_view line) {
  const bool bracket = TakePrefix(&line, "（") || TakePrefix(&line, "(");
  if (line.empty() || line.front() < '0' || line.front() > '9') return 0;
  const int number = TakeCount(&line, 99);
  for (const std::string_view mark : {"）", ")", ".", "．", "、"}) {
    if (line.starts_with(mark)) return number;
  }
  return bracket ? number : 0;
}

// （三） at the front; 0: none.
int TakeItem(std::string_view line) {
  if (!TakePrefix(&line, "（") && !TakePrefix(&line, "(")) return 0;
  if (!line.empty() && line.front() >= '0' && line.front() <= '9') return 0;
  const int number = TakeCount(&line, 500);
  return line.starts_with("）") || line.starts_with(")") ? number : 0;
}

// Items within one line: （一）…；（二）…. 0: none.
int InlineItems(std::string_view line) {
  int last = 0;
  for (std::size_t at = line.find("（"); at != std::string_view::npos;
       at = line.find("（", at + 1)) {
    const int number = TakeItem(line.substr(at));
    if (number == last + 1) last = number;
  }
  return last > 1 ? last : 0;
}

bool EndsASentence(std::string_view line) {
  for (const std::string_view mark : {"。", "：", "；", "！", "”", "）", "》"}) {
    if (line.ends_with(mark)) return true;
  }
  return false;
}

}  // namespace

Result<TextFile> ReadTexts(std::string_view bytes, std::string_view source) {
  const std::string where(source);
  if (bytes.size() > kMaxTextFileBytes) {
    return ResourceExhaustedError(where + ": expected at most 256 MiB");
  }
  TakePrefix(&bytes, "\xEF\xBB\xBF");
  if (const std::size_t valid = base::ValidUtf8Prefix(bytes); valid < bytes.size()) {
    const auto line = 1 + std::count(bytes.begin(), bytes.begin() + static_cast<long>(valid), '\n');
    return InvalidArgumentError(where + ":" + std::to_string(line) + ": expected UTF-8");
  }
  TextFile out;
  const std::size_t begin = std::min(bytes.find_first_not_of(" \t\r\n"), bytes.size());
  if (!bytes.substr(begin).starts_with('{')) {
    ZB_ASSIGN_OR_RETURN(StatuteText text, TextReader(source, &out.notes).Read(bytes, 1, ""));
    if (text.name.empty()) return InvalidArgumentError(where + ": expected a text, got none");
    if (text.articles.empty()) {
      return InvalidArgumentError(
          where + ": expected lines that begin with 第一条, 第二条, ...; found none");
    }
    out.texts.push_back(std::move(text));
  } else {
    std::size_t number = 1;
    for (; !bytes.empty(); ++number) {
      const std::size_t end = std::min(bytes.find('\n'), bytes.size());
      const std::string_view line = Trimmed(bytes.substr(0, end));
      if (!line.empty()) ZB_RETURN_IF_ERROR(ReadJsonLine(line, number, where, &out));
      if (out.texts.size() > kMaxTexts) {
        return ResourceExhaustedError(where + ": expected at most 50000 texts");
      }
      bytes.remove_prefix(std::min(end + 1, bytes.size()));
    }
  }
  JoinParts(&out.texts);
  return out;
}

std::optional<ArticleNumber> ParseArticle(std::string_view text) {
  text = Trimmed(text);
  const bool marked = TakePrefix(&text, "第");
  ArticleNumber article;
  article.number = TakeCount(&text, kMaxArticleNumber);
  if (article.number == 0) return std::nullopt;
  const bool closed = TakePrefix(&text, "条");
  if (marked && !closed) return std::nullopt;
  if (TakePrefix(&text, "之") || TakePrefix(&text, "-")) {
    article.inserted = TakeCount(&text, kMaxInserted);
    if (article.inserted == 0) return std::nullopt;
  }
  if (!text.empty()) return std::nullopt;
  return article;
}

std::optional<ArticleShape> ShapeOf(const TextArticle& article) {
  ArticleShape shape{article.article, {}};
  bool numbered = false;  // the items of the last paragraph are （一）, not 1.
  for (std::string_view rest = article.text; !rest.empty();) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    const std::string_view line = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    if (line.empty()) continue;
    const int item = TakeItem(line);
    const int digit = item == 0 ? TakeDigitItem(line) : 0;
    if (item == 0 && digit == 0) {
      if (!EndsASentence(line)) return std::nullopt;
      shape.items.push_back(InlineItems(line));
      numbered = shape.items.back() > 0;
      continue;
    }
    if (shape.items.empty()) return std::nullopt;
    int& count = shape.items.back();
    if (item > 0 || !numbered) count = std::max(count, std::max(item, digit));
    numbered = numbered || item > 0;
  }
  if (shape.items.empty()) return std::nullopt;
  return shape;
}

bool IsStruckOut(const TextArticle& article) {
  std::string_view text = article.text;
  if (!TakePrefix(&text, "（")) TakePrefix(&text, "(");
  for (const std::string_view word : {"删去", "删除", "已删除", "废止"}) {
    std::string_view rest = text;
    if (!TakePrefix(&rest, word)) continue;
    return rest.empty() || rest == "）" || rest == ")" || rest == "。" || rest == "）。";
  }
  return false;
}

}  // namespace zhibi::statute
