// SPDX-License-Identifier: Apache-2.0
#include "cli/statutes_command.h"

#include <algorithm>
#include <cstdio>
#include <optional>
#include <utility>

#include <nlohmann/json.hpp>

#include "base/file.h"
#include "base/json.h"
#include "base/status_macros.h"
#include "cli/read_text.h"
#include "cli/statutes_view.h"
#include "legal/data_dir.h"
#include "legal/date.h"
#include "statute/local.h"
#include "statute/store.h"
#include "statute/table.h"

namespace zhibi::cli {
namespace {

using nlohmann::ordered_json;
using statute::Statute;
using statute::StatuteText;
using statute::Table;
using statute::TextFile;
using statute::TextStore;

void Print(const std::string& line) { std::printf("%s\n", line.c_str()); }

Result<std::string> UserFolder(const StatutesOptions& options) {
  std::string dir = options.dir.empty() ? statute::LocalDir() : options.dir;
  if (dir.empty()) {
    return NotFoundError(
        "没有存放用户法规的目录，请用 --dir 指定 (no folder of the user's; give --dir)");
  }
  return dir;
}

Result<Table> LoadTable(const std::string& dir) {
  ZB_ASSIGN_OR_RETURN(const std::string data_dir, legal::FindDataDir());
  return Table::Load(data_dir, dir);
}

Result<std::optional<legal::Date>> DayOf(const std::string& text, const char* option) {
  if (text.empty()) return std::optional<legal::Date>();
  Result<legal::Date> day = legal::ParseDate(text);
  if (!day.ok()) {
    return InvalidArgumentError(std::string(option) + ": expected YYYY-MM-DD, got " + text);
  }
  return std::optional<legal::Date>(*day);
}

Result<TextFile> ReadTextFileOf(const std::string& path) {
  ZB_ASSIGN_OR_RETURN(std::string bytes, base::ReadFile(path, statute::kMaxTextFileBytes));
  ZB_ASSIGN_OR_RETURN(const std::string text, TextOfBytes(std::move(bytes), path));
  Result<TextFile> file = statute::ReadTexts(text, path);
  if (!file.ok()) return file;
  for (const statute::TextNote& note : file->notes) {
    std::fprintf(stderr, "%s:%zu: %s\n", path.c_str(), note.line, note.message.c_str());
  }
  return file;
}

// The options that say of one text what it does not say itself.
Status Describe(const StatutesOptions& options, std::vector<StatuteText>* texts) {
  ZB_ASSIGN_OR_RETURN(const auto published, DayOf(options.published, "--published"));
  ZB_ASSIGN_OR_RETURN(const auto from, DayOf(options.from, "--from"));
  const bool any = !options.name.empty() || published || from;
  if (!any) return OkStatus();
  if (texts->size() != 1) {
    return InvalidArgumentError("--name, --published, --from: 只能用于一部法规，文件里有 " +
                                std::to_string(texts->size()) + " 部 (for a single text)");
  }
  StatuteText& text = texts->front();
  if (!options.name.empty()) text.name = options.name;
  if (published) text.date = published;
  if (from) text.from = from;
  return OkStatus();
}

// 第一百二十条之一第二款, 第120条第2款第(三)项: the article, which is shown whole.
std::optional<statute::ArticleNumber> ArticleOf(const std::string& words) {
  constexpr std::string_view kOrdinal = "第";
  std::optional<statute::ArticleNumber> article = statute::ParseArticle(words);
  for (std::size_t at = words.find(kOrdinal, 1); !article && at != std::string::npos;
       at = words.find(kOrdinal, at + 1)) {
    article = statute::ParseArticle(std::string_view(words).substr(0, at));
  }
  return article;
}

std::size_t ArticlesOf(const std::vector<StatuteText>& texts) {
  std::size_t count = 0;
  for (const StatuteText& text : texts) count += text.articles.size();
  return count;
}

Result<statute::Kind> KindOf(const StatutesOptions& options, const Table& table,
                             const std::string& name) {
  if (!options.kind.empty()) {
    const std::optional<statute::Kind> kind = statute::KindFromName(options.kind);
    if (kind) return *kind;
    return InvalidArgumentError(
        "--kind: 应为 "
        "基本法律、法律、法律解释、行政法规、地方性法规、自治条例和单行条例、司法解释、"
        "规章、规范性文件 之一 (a kind), got " +
        options.kind);
  }
  const Table::Match match = table.Find(name);
  if (match.statute != nullptr && match.full) return match.statute->kind;
  return InvalidArgumentError("《" + name +
                              "》不在表中，请用 --kind 指明位阶，如 --kind 地方性法规 (not in the "
                              "table; give --kind)");
}

void SayMoved(const statute::StoreChange& change) {
  if (change.set_aside.empty()) return;
  std::fprintf(
      stderr,
      "原来的文本库已损坏，移至 %s，请重新装入其中的文本 (the store was damaged; install its "
      "texts again)\n",
      change.set_aside.c_str());
}

// Rows in the form of table.json.
Result<std::vector<Statute>> RowsOf(const std::string& path, const std::string& bytes) {
  ZB_ASSIGN_OR_RETURN(const nlohmann::json json, base::ParseJson(bytes, path));
  ZB_ASSIGN_OR_RETURN(const Table rows, Table::FromJson(json, path));
  return rows.rows();
}

bool IsTable(const std::string& path) { return path.ends_with(".json"); }

}  // namespace

Status RunStatutesImport(const StatutesOptions& options) {
  ZB_ASSIGN_OR_RETURN(const std::string dir, UserFolder(options));
  std::vector<StatuteText> texts;
  for (const std::string& path : options.files) {
    ZB_ASSIGN_OR_RETURN(TextFile file, ReadTextFileOf(path));
    std::move(file.texts.begin(), file.texts.end(), std::back_inserter(texts));
  }
  ZB_RETURN_IF_ERROR(Describe(options, &texts));
  ZB_ASSIGN_OR_RETURN(const Table table, LoadTable(dir));
  std::size_t unknown = 0;
  for (const StatuteText& text : texts) {
    if (table.Find(text.name).statute != nullptr) continue;
    ++unknown;
    constexpr std::size_t kShown = 5;
    if (unknown <= kShown) {
      std::fprintf(stderr, "《%s》不在法规表中，可用 statutes add 加入 (not in the table)\n",
                   text.name.c_str());
    }
  }
  const std::size_t articles = ArticlesOf(texts);
  ZB_ASSIGN_OR_RETURN(const statute::StoreChange change, statute::AddTexts(dir, std::move(texts)));
  SayMoved(change);
  if (options.json) {
    ordered_json out;
    out["added"] = change.added;
    out["replaced"] = change.replaced;
    out["articles"] = articles;
    out["not_in_table"] = unknown;
    out["dir"] = dir;
    Print(out.dump());
    return OkStatus();
  }
  Print("装入 " + std::to_string(change.added) + " 部，替换 " + std::to_string(change.replaced) +
        " 部，共 " + std::to_string(articles) + " 条；不在表中 " + std::to_string(unknown) +
        " 部。目录：" + dir);
  return OkStatus();
}

Status RunStatutesAdd(const StatutesOptions& options) {
  ZB_ASSIGN_OR_RETURN(const std::string dir, UserFolder(options));
  std::vector<Statute> rows;
  std::vector<StatuteText> texts;
  if (IsTable(options.file)) {
    ZB_ASSIGN_OR_RETURN(const std::string bytes,
                        base::ReadFile(options.file, statute::kMaxTextFileBytes));
    ZB_ASSIGN_OR_RETURN(rows, RowsOf(options.file, bytes));
  } else {
    ZB_ASSIGN_OR_RETURN(const Table table, LoadTable(dir));
    ZB_ASSIGN_OR_RETURN(TextFile file, ReadTextFileOf(options.file));
    texts = std::move(file.texts);
    ZB_RETURN_IF_ERROR(Describe(options, &texts));
    for (const StatuteText& text : texts) {
      const Table::Match known = table.Find(text.name);
      if (known.statute != nullptr && known.full && !text.date && !text.from) {
        return InvalidArgumentError(
            "《" + text.name +
            "》已在表中，请用 --published 或 --from 写明这一文本的日期 (already "
            "in the table: say which version with --published or --from)");
      }
      statute::RowFacts facts;
      ZB_ASSIGN_OR_RETURN(facts.kind, KindOf(options, table, text.name));
      facts.adopted_by = options.adopted_by;
      facts.document_number = options.number;
      facts.as_of = legal::TodayInChina();
      rows.push_back(statute::RowOf(text, facts));
    }
  }
  ordered_json out = ordered_json::array();
  std::string lines;
  for (const Statute& row : rows) {
    out.push_back(statute::RowToJson(row));
    const statute::Version& version = row.versions.back();
    lines += (lines.empty() ? "" : "\n") + std::string("加入（本地）《") + row.name + "》：" +
             std::string(KindName(row.kind)) + "，" +
             (version.articles > 0 ? std::to_string(version.articles) + " 条" : "条数不详") + "，" +
             (version.from ? legal::FormatBody(*version.from) + "起施行" : "施行日不详");
  }
  ZB_RETURN_IF_ERROR(statute::AddRows(dir, std::move(rows)));
  if (!texts.empty()) {
    ZB_ASSIGN_OR_RETURN(const statute::StoreChange change,
                        statute::AddTexts(dir, std::move(texts)));
    SayMoved(change);
  }
  Print(options.json ? out.dump() : lines);
  return OkStatus();
}

Status RunStatutesShow(const StatutesOptions& options) {
  ZB_ASSIGN_OR_RETURN(const std::string dir, UserFolder(options));
  ZB_ASSIGN_OR_RETURN(const Table table, LoadTable(dir));
  ZB_ASSIGN_OR_RETURN(const std::optional<legal::Date> day, DayOf(options.date, "--date"));
  const Table::Match match = table.Find(options.name);
  if (match.statute == nullptr) {
    std::string near;
    for (const Statute* statute : table.Nearest(options.name, 3)) {
      near += (near.empty() ? "；相近的有《" : "》《") + statute->name;
    }
    if (!near.empty()) near += "》 (nearest names)";
    return NotFoundError("《" + options.name + "》不在表中 (not in the table)" + near);
  }
  StatuteView view;
  view.statute = match.statute;
  view.old_name = match.old;
  view.today = legal::TodayInChina();
  view.day = day.value_or(view.today);
  view.state = StateOn(*match.statute, view.day);
  if (!options.article.empty()) {
    view.article = ArticleOf(options.article);
    if (!view.article) {
      return InvalidArgumentError("条号应如 第五百七十七条、577、133-1 (an article), got " +
                                  options.article);
    }
    ZB_ASSIGN_OR_RETURN(const TextStore store, TextStore::Open(dir));
    ZB_ASSIGN_OR_RETURN(view.text, store.Article(*match.statute, *view.article, view.day));
    if (!view.text) {
      ZB_ASSIGN_OR_RETURN(view.text, store.Article(match.statute->name, *view.article,
                                                   std::optional<legal::Date>(view.day)));
    }
    // Another day's text, which the view says, is more than none.
    if (!view.text) {
      ZB_ASSIGN_OR_RETURN(view.text,
                          store.Article(match.statute->name, *view.article, std::nullopt));
      if (view.text) view.text->of_the_day = false;
    }
  }
  Print(options.json ? ViewToJson(view).dump() : ViewAsText(view));
  return OkStatus();
}

Status RunStatutesSearch(const StatutesOptions& options) {
  ZB_ASSIGN_OR_RETURN(const std::string dir, UserFolder(options));
  ZB_ASSIGN_OR_RETURN(const Table table, LoadTable(dir));
  const legal::Date today = legal::TodayInChina();
  ordered_json out = ordered_json::array();
  for (const Statute* statute : table.Search(options.words, options.limit)) {
    const statute::State state = StateOn(*statute, today);
    if (options.json) {
      ordered_json row;
      row["name"] = statute->name;
      row["kind"] = KindName(statute->kind);
      row["state"] = ForceName(state.force);
      row["local"] = statute->local;
      row["as_of"] = legal::FormatIso(statute->as_of);
      out.push_back(std::move(row));
    } else {
      Print(statute->name + "\t" + std::string(KindName(statute->kind)) + "\t" +
            std::string(ForceName(state.force)) + (statute->local ? "\t本地" : ""));
    }
  }
  if (options.json) Print(out.dump());
  return OkStatus();
}

Status RunStatutesList(const StatutesOptions& options) {
  ZB_ASSIGN_OR_RETURN(const std::string dir, UserFolder(options));
  ZB_ASSIGN_OR_RETURN(const Table table, LoadTable(dir));
  ZB_ASSIGN_OR_RETURN(const TextStore store, TextStore::Open(dir));
  ZB_ASSIGN_OR_RETURN(const std::vector<statute::StoredText> texts, store.List());
  const auto local = static_cast<std::size_t>(std::count_if(
      table.rows().begin(), table.rows().end(), [](const Statute& row) { return row.local; }));
  if (options.json) {
    ordered_json out;
    out["rows"] = table.rows().size();
    out["local_rows"] = local;
    out["as_of"] = legal::FormatIso(table.as_of());
    out["dir"] = dir;
    out["texts"] = ordered_json::array();
    for (const statute::StoredText& text : texts) {
      ordered_json row;
      row["name"] = text.name;
      row["date"] = text.date ? ordered_json(legal::FormatIso(*text.date)) : ordered_json();
      row["from"] = text.from ? ordered_json(legal::FormatIso(*text.from)) : ordered_json();
      row["articles"] = text.articles;
      out["texts"].push_back(std::move(row));
    }
    Print(out.dump());
    return OkStatus();
  }
  Print("法规表 " + std::to_string(table.rows().size()) + " 部，其中本地 " + std::to_string(local) +
        " 部；已装文本 " + std::to_string(texts.size()) + " 部；目录：" + dir);
  for (const Statute& row : table.rows()) {
    if (row.local) Print("本地\t" + row.name + "\t" + std::string(KindName(row.kind)));
  }
  for (const statute::StoredText& text : texts) {
    Print("文本\t" + text.name + "\t" + (text.date ? legal::FormatIso(*text.date) : "日期不详") +
          "\t" + std::to_string(text.articles) + " 条");
  }
  const std::string stale = StaleWarning(table.as_of(), legal::TodayInChina());
  if (!stale.empty()) Print(stale);
  return OkStatus();
}

}  // namespace zhibi::cli
