// SPDX-License-Identifier: Apache-2.0
// Reading data/statutes/table.json. The form is in data/schemas/statute-table.schema.json; lists
// of articles are strings ("17-1 120-1"), shapes too, because a hundred thousand small JSON values
// took longer to read than all the rest.
#include <algorithm>
#include <charconv>
#include <filesystem>
#include <string>
#include <system_error>
#include <utility>

#include <nlohmann/json.hpp>

#include "base/json.h"
#include "base/status_macros.h"
#include "statute/table.h"

namespace zhibi::statute {
namespace {

using nlohmann::json;

constexpr int kMaxArticle = 5000;
constexpr int kMaxInserted = 200;
constexpr int kMaxItems = 500;
constexpr std::size_t kMaxParagraphs = 200;
constexpr std::size_t kMaxRows = 100'000;
constexpr std::size_t kMaxVersions = 200;
constexpr std::size_t kMaxNames = 100;
constexpr std::size_t kMaxNameBytes = 1200;
constexpr std::size_t kMaxTableBytes = std::size_t{64} << 20;

// Reads members of one object and says where it stood.
class Reader {
 public:
  Reader(const json& object, std::string where) : object_(object), where_(std::move(where)) {}

  Status CheckKeys(std::initializer_list<std::string_view> keys) const {
    if (!object_.is_object()) return InvalidArgumentError(where_ + ": expected an object");
    for (const auto& item : object_.items()) {
      if (std::find(keys.begin(), keys.end(), item.key()) == keys.end()) {
        return InvalidArgumentError(where_ + ": unknown key \"" + item.key() + "\"");
      }
    }
    return OkStatus();
  }

  Result<std::string> Text(const char* key) const {
    const json* value = Get(key);
    if (value == nullptr) return std::string();
    if (!value->is_string()) return Wrong(key, "text");
    const std::string& text = value->get_ref<const std::string&>();
    if (text.size() > kMaxNameBytes) return Wrong(key, "text of at most 1200 bytes");
    return text;
  }

  Result<std::vector<std::string>> Texts(const char* key) const {
    std::vector<std::string> texts;
    const json* value = Get(key);
    if (value == nullptr) return texts;
    if (!value->is_array() || value->size() > kMaxNames) {
      return Wrong(key, "a list of at most 100 texts");
    }
    for (const json& item : *value) {
      if (!item.is_string()) return Wrong(key, "a list of texts");
      texts.push_back(item.get<std::string>());
      if (texts.back().empty() || texts.back().size() > kMaxNameBytes) {
        return Wrong(key, "texts of 1 to 1200 bytes");
      }
    }
    return texts;
  }

  Result<bool> Flag(const char* key) const {
    const json* value = Get(key);
    if (value == nullptr) return false;
    if (!value->is_boolean()) return Wrong(key, "true or false");
    return value->get<bool>();
  }

  Result<int> Number(const char* key, int most) const {
    const json* value = Get(key);
    if (value == nullptr) return 0;
    if (!value->is_number_unsigned() || value->get<std::uint64_t>() > std::uint64_t(most)) {
      return Wrong(key, "a number from 0 to " + std::to_string(most));
    }
    return value->get<int>();
  }

  Result<std::optional<legal::Date>> Day(const char* key) const {
    const json* value = Get(key);
    if (value == nullptr) return std::optional<legal::Date>();
    if (!value->is_string()) return Wrong(key, "a day, YYYY-MM-DD");
    Result<legal::Date> date = legal::ParseDate(value->get_ref<const std::string&>());
    if (!date.ok()) return Wrong(key, "a day, YYYY-MM-DD");
    return std::optional<legal::Date>(*date);
  }

  const json* Get(const char* key) const {
    const auto at = object_.find(key);
    return at == object_.end() ? nullptr : &*at;
  }

  Status Wrong(const std::string& key, const std::string& expected) const {
    const auto at = object_.find(key);
    std::string got =
        at == object_.end() ? "nothing" : at->dump(-1, ' ', false, json::error_handler_t::replace);
    constexpr std::size_t kMost = 60;
    if (got.size() > kMost) got = std::string(at->type_name());
    return InvalidArgumentError(where_ + "." + key + ": expected " + expected + ", got " + got);
  }

 private:
  const json& object_;
  std::string where_;
};

// A cursor over "17-1 120-2".
class Scanner {
 public:
  explicit Scanner(std::string_view text) : text_(text) {}

  bool AtEnd() const { return text_.empty(); }
  bool Take(char c) {
    if (text_.empty() || text_.front() != c) return false;
    text_.remove_prefix(1);
    return true;
  }
  // 0 to `most`; false: something else stands there.
  bool Number(int most, int* value) {
    const auto [stop, error] = std::from_chars(text_.data(), text_.data() + text_.size(), *value);
    if (error != std::errc() || *value < 0 || *value > most) return false;
    text_.remove_prefix(static_cast<std::size_t>(stop - text_.data()));
    return true;
  }
  bool Article(ArticleNumber* article) {
    *article = {};
    if (!Number(kMaxArticle, &article->number) || article->number == 0) return false;
    return !Take('-') || (Number(kMaxInserted, &article->inserted) && article->inserted > 0);
  }

 private:
  std::string_view text_;
};

Result<std::vector<ArticleNumber>> ReadArticles(const Reader& reader, const char* key) {
  ZB_ASSIGN_OR_RETURN(const std::string text, reader.Text(key));
  std::vector<ArticleNumber> articles;
  Scanner scanner(text);
  while (!scanner.AtEnd()) {
    ArticleNumber article;
    if (!scanner.Article(&article) || (!scanner.AtEnd() && !scanner.Take(' ')) ||
        (!articles.empty() && !(articles.back() < article))) {
      return reader.Wrong(key, "rising articles such as \"17-1 120-1\"");
    }
    articles.push_back(article);
  }
  return articles;
}

// "0 0,3 0*4 120-1=2": an article a word, its paragraphs parted by commas, each with its number of
// items; without a number the article behind the one before; *n: that many articles alike.
Result<std::vector<ArticleShape>> ReadShapes(const Reader& reader) {
  std::vector<ArticleShape> shapes;
  const json* value = reader.Get("shapes");
  if (value == nullptr) return shapes;
  const Status wrong = reader.Wrong("shapes", "shapes such as \"0 0,3 0*4 120-1=2\"");
  if (!value->is_string()) return wrong;
  Scanner scanner(value->get_ref<const std::string&>());
  ArticleNumber at;
  std::vector<int> items;
  while (!scanner.AtEnd()) {
    int first = 0;
    ArticleNumber article{at.number + 1, 0};
    Scanner named = scanner;
    if (ArticleNumber number; named.Article(&number) && named.Take('=')) {
      article = number;
      scanner = named;
    }
    items.clear();
    do {
      if (!scanner.Number(kMaxItems, &first) || items.size() == kMaxParagraphs) return wrong;
      items.push_back(first);
    } while (scanner.Take(','));
    int times = 1;
    if (scanner.Take('*') && (!scanner.Number(kMaxArticle, &times) || times == 0)) return wrong;
    if (!scanner.AtEnd() && !scanner.Take(' ')) return wrong;
    if (!(at < article) || article.number + times - 1 > kMaxArticle ||
        (article.inserted > 0 && times > 1)) {
      return wrong;
    }
    for (int i = 0; i < times; ++i) {
      at = {article.number + i, article.inserted};
      shapes.push_back({at, items});
    }
  }
  return shapes;
}

Result<Version> ReadVersion(const json& object, const std::string& where) {
  const Reader reader(object, where);
  ZB_RETURN_IF_ERROR(
      reader.CheckKeys({"published", "from", "until", "ended", "surely_from", "surely_until",
                        "original", "articles", "inserted", "deleted", "shapes"}));
  Version version;
  ZB_ASSIGN_OR_RETURN(version.published, reader.Day("published"));
  ZB_ASSIGN_OR_RETURN(version.from, reader.Day("from"));
  ZB_ASSIGN_OR_RETURN(version.until, reader.Day("until"));
  ZB_ASSIGN_OR_RETURN(version.surely_from, reader.Day("surely_from"));
  ZB_ASSIGN_OR_RETURN(version.surely_until, reader.Day("surely_until"));
  ZB_ASSIGN_OR_RETURN(version.ended, reader.Flag("ended"));
  ZB_ASSIGN_OR_RETURN(version.original, reader.Flag("original"));
  ZB_ASSIGN_OR_RETURN(version.articles, reader.Number("articles", kMaxArticle));
  ZB_ASSIGN_OR_RETURN(version.inserted, ReadArticles(reader, "inserted"));
  ZB_ASSIGN_OR_RETURN(version.deleted, ReadArticles(reader, "deleted"));
  ZB_ASSIGN_OR_RETURN(version.shapes, ReadShapes(reader));
  if (version.until) version.ended = true;
  if (version.from && version.until && *version.until < *version.from) {
    return reader.Wrong("until", "a day not before \"from\"");
  }
  return version;
}

Status ReadVersions(const Reader& reader, const std::string& where, Statute* statute) {
  const json* versions = reader.Get("versions");
  if (versions == nullptr || !versions->is_array() || versions->empty() ||
      versions->size() > kMaxVersions) {
    return reader.Wrong("versions", "a list of 1 to 200 versions");
  }
  statute->versions.reserve(versions->size());
  for (const json& item : *versions) {
    const std::string place = where + ".versions[" + std::to_string(statute->versions.size()) + "]";
    ZB_ASSIGN_OR_RETURN(Version version, ReadVersion(item, place));
    if (!statute->versions.empty()) {
      const Version& before = statute->versions.back();
      if (before.from && version.from && *version.from < *before.from) {
        return InvalidArgumentError(place + ".from: expected versions oldest first, got " +
                                    legal::FormatIso(*version.from) + " behind " +
                                    legal::FormatIso(*before.from));
      }
    }
    statute->versions.push_back(std::move(version));
  }
  return OkStatus();
}

Status ReadRepeal(const Reader& reader, Statute* statute) {
  const json* repealed = reader.Get("repealed");
  if (repealed == nullptr) return OkStatus();
  if (repealed->is_boolean()) {
    statute->repealed = repealed->get<bool>();
    return OkStatus();
  }
  ZB_ASSIGN_OR_RETURN(statute->repealed_on, reader.Day("repealed"));
  statute->repealed = true;
  return OkStatus();
}

Result<Statute> ReadStatute(const json& object, const std::string& where) {
  const Reader reader(object, where);
  ZB_RETURN_IF_ERROR(reader.CheckKeys({"name", "kind", "aliases", "old_names", "adopted_by",
                                       "number", "adopted", "matter", "core", "complete", "as_of",
                                       "repealed", "replaced_by", "hint", "versions"}));
  Statute statute;
  ZB_ASSIGN_OR_RETURN(statute.name, reader.Text("name"));
  if (statute.name.empty()) return reader.Wrong("name", "a name");
  ZB_ASSIGN_OR_RETURN(const std::string kind, reader.Text("kind"));
  const std::optional<Kind> known = KindFromName(kind);
  if (!known) return reader.Wrong("kind", "a kind such as 法律");
  statute.kind = *known;
  ZB_ASSIGN_OR_RETURN(const std::string matter, reader.Text("matter"));
  if (matter == "程序") {
    statute.matter = Matter::kProcedural;
  } else if (matter == "实体") {
    statute.matter = Matter::kSubstantive;
  } else if (!matter.empty()) {
    return reader.Wrong("matter", "程序 or 实体");
  }
  ZB_ASSIGN_OR_RETURN(statute.aliases, reader.Texts("aliases"));
  ZB_ASSIGN_OR_RETURN(statute.old_names, reader.Texts("old_names"));
  ZB_ASSIGN_OR_RETURN(statute.adopted_by, reader.Text("adopted_by"));
  ZB_ASSIGN_OR_RETURN(statute.document_number, reader.Text("number"));
  ZB_ASSIGN_OR_RETURN(statute.adopted, reader.Day("adopted"));
  ZB_ASSIGN_OR_RETURN(statute.core, reader.Flag("core"));
  ZB_ASSIGN_OR_RETURN(statute.every_version_since_2010, reader.Flag("complete"));
  ZB_ASSIGN_OR_RETURN(statute.replaced_by, reader.Text("replaced_by"));
  ZB_ASSIGN_OR_RETURN(statute.successor_hint, reader.Text("hint"));
  ZB_ASSIGN_OR_RETURN(const std::optional<legal::Date> as_of, reader.Day("as_of"));
  if (!as_of) return reader.Wrong("as_of", "a day, YYYY-MM-DD");
  statute.as_of = *as_of;
  ZB_RETURN_IF_ERROR(ReadRepeal(reader, &statute));
  ZB_RETURN_IF_ERROR(ReadVersions(reader, where, &statute));
  return statute;
}

}  // namespace

Result<Table> Table::FromJson(const json& json, std::string_view source) {
  const std::string where(source);
  const auto list = json.is_object() ? json.find("statutes") : json.end();
  if (!json.is_object() || list == json.end() || !list->is_array() || list->size() > kMaxRows) {
    return InvalidArgumentError(where + ": expected an object with a list \"statutes\"");
  }
  const Reader head(json, where);
  ZB_ASSIGN_OR_RETURN(const int format, head.Number("format", kMaxArticle));
  if (format != 1) return head.Wrong("format", "1");
  Table table;
  ZB_ASSIGN_OR_RETURN(const std::optional<legal::Date> as_of, head.Day("as_of"));
  if (!as_of) return head.Wrong("as_of", "a day, YYYY-MM-DD");
  table.as_of_ = *as_of;
  table.rows_.reserve(list->size());
  for (const nlohmann::json& row : *list) {
    const std::string place = where + ": statutes[" + std::to_string(table.rows_.size()) + "]";
    ZB_ASSIGN_OR_RETURN(Statute statute, ReadStatute(row, place));
    table.rows_.push_back(std::move(statute));
  }
  ZB_RETURN_IF_ERROR(table.IndexNames(where));
  return table;
}

Result<Table> Table::Load(const std::string& data_dir, const std::string& local_dir) {
  const std::string path = data_dir + "/statutes/table.json";
  ZB_ASSIGN_OR_RETURN(const json shipped, base::ReadJsonFile(path, kMaxTableBytes));
  ZB_ASSIGN_OR_RETURN(Table table, FromJson(shipped, path));
  if (local_dir.empty()) return table;
  const std::string local_path = local_dir + "/table.json";
  std::error_code error;
  if (!std::filesystem::exists(local_path, error)) return table;
  ZB_ASSIGN_OR_RETURN(const json own, base::ReadJsonFile(local_path, kMaxTableBytes));
  ZB_ASSIGN_OR_RETURN(Table local, FromJson(own, local_path));
  ZB_RETURN_IF_ERROR(table.Merge(std::move(local), local_path));
  return table;
}

}  // namespace zhibi::statute
