// SPDX-License-Identifier: Apache-2.0
// Making and writing a user's own rows.
#include <algorithm>
#include <filesystem>
#include <string>
#include <system_error>
#include <utility>

#include <nlohmann/json.hpp>

#include "base/file.h"
#include "base/json.h"
#include "base/paths.h"
#include "base/status_macros.h"
#include "statute/local.h"
#include "statute/name.h"

namespace zhibi::statute {
namespace {

using nlohmann::ordered_json;

constexpr std::size_t kMaxRowsBytes = std::size_t{64} << 20;

std::string Spelled(ArticleNumber article) {
  std::string text = std::to_string(article.number);
  if (article.inserted > 0) text += "-" + std::to_string(article.inserted);
  return text;
}

std::string Spelled(const std::vector<ArticleNumber>& articles) {
  std::string text;
  for (const ArticleNumber article : articles) {
    text += (text.empty() ? "" : " ") + Spelled(article);
  }
  return text;
}

// Articles alike that follow each other are one word; see table_json.cc.
std::string Spelled(const std::vector<ArticleShape>& shapes) {
  std::string text;
  ArticleNumber before;
  for (std::size_t i = 0; i < shapes.size();) {
    const ArticleNumber first = shapes[i].article;
    std::size_t end = i + 1;
    while (end < shapes.size() && first.inserted == 0 && shapes[end].items == shapes[i].items &&
           shapes[end].article == ArticleNumber{first.number + static_cast<int>(end - i), 0}) {
      ++end;
    }
    if (!text.empty()) text += ' ';
    if (first != ArticleNumber{before.number + 1, 0}) text += Spelled(first) + "=";
    for (std::size_t j = 0; j < shapes[i].items.size(); ++j) {
      text += (j == 0 ? "" : ",") + std::to_string(shapes[i].items[j]);
    }
    if (end - i > 1) text += "*" + std::to_string(end - i);
    before = shapes[end - 1].article;
    i = end;
  }
  return text;
}

void PutDay(ordered_json* to, const char* key, const std::optional<legal::Date>& day) {
  if (day) (*to)[key] = legal::FormatIso(*day);
}
void PutText(ordered_json* to, const char* key, const std::string& text) {
  if (!text.empty()) (*to)[key] = text;
}

ordered_json VersionToJson(const Version& version) {
  ordered_json out = ordered_json::object();
  PutDay(&out, "published", version.published);
  PutDay(&out, "from", version.from);
  PutDay(&out, "until", version.until);
  if (version.ended && !version.until) out["ended"] = true;
  PutDay(&out, "surely_from", version.surely_from);
  PutDay(&out, "surely_until", version.surely_until);
  if (version.original) out["original"] = true;
  if (version.articles > 0) out["articles"] = version.articles;
  PutText(&out, "inserted", Spelled(version.inserted));
  PutText(&out, "deleted", Spelled(version.deleted));
  PutText(&out, "shapes", Spelled(version.shapes));
  return out;
}

}  // namespace

std::string LocalDir() {
  const Result<std::string> dir = base::UserDir();
  return dir.ok() ? *dir + "/statutes" : std::string();
}

ordered_json RowToJson(const Statute& statute) {
  ordered_json out = ordered_json::object();
  out["name"] = statute.name;
  out["kind"] = KindName(statute.kind);
  if (!statute.aliases.empty()) out["aliases"] = statute.aliases;
  if (!statute.old_names.empty()) out["old_names"] = statute.old_names;
  PutText(&out, "adopted_by", statute.adopted_by);
  PutText(&out, "number", statute.document_number);
  PutDay(&out, "adopted", statute.adopted);
  if (statute.matter != Matter::kUnknown) {
    out["matter"] = statute.matter == Matter::kProcedural ? "程序" : "实体";
  }
  if (statute.core) out["core"] = true;
  if (statute.every_version_since_2010) out["complete"] = true;
  out["as_of"] = legal::FormatIso(statute.as_of);
  if (statute.repealed_on) {
    PutDay(&out, "repealed", statute.repealed_on);
  } else if (statute.repealed) {
    out["repealed"] = true;
  }
  PutText(&out, "replaced_by", statute.replaced_by);
  PutText(&out, "hint", statute.successor_hint);
  out["versions"] = ordered_json::array();
  for (const Version& version : statute.versions) out["versions"].push_back(VersionToJson(version));
  return out;
}

Statute RowOf(const StatuteText& text, const RowFacts& facts) {
  Statute row;
  row.name = text.name;
  row.kind = facts.kind;
  row.adopted_by = facts.adopted_by;
  row.document_number = facts.document_number;
  row.as_of = facts.as_of;
  row.local = true;
  Version version;
  version.published = facts.published ? facts.published : text.date;
  version.from = facts.from ? facts.from : text.from;
  for (const TextArticle& article : text.articles) {
    version.articles = std::max(version.articles, article.article.number);
    if (article.article.inserted > 0) version.inserted.push_back(article.article);
    if (IsStruckOut(article)) {
      version.deleted.push_back(article.article);
    } else if (std::optional<ArticleShape> shape = ShapeOf(article)) {
      version.shapes.push_back(std::move(*shape));
    }
  }
  row.versions.push_back(std::move(version));
  return row;
}

Status AddRows(const std::string& dir, std::vector<Statute> rows) {
  const std::string path = dir + "/table.json";
  std::vector<Statute> all;
  std::error_code error;
  if (std::filesystem::exists(path, error)) {
    ZB_ASSIGN_OR_RETURN(const nlohmann::json json, base::ReadJsonFile(path, kMaxRowsBytes));
    ZB_ASSIGN_OR_RETURN(const Table table, Table::FromJson(json, path));
    all = table.rows();
  }
  for (Statute& row : rows) {
    const std::string name = NormaliseName(row.name);
    const auto same = std::find_if(all.begin(), all.end(), [&name](const Statute& other) {
      return NormaliseName(other.name) == name;
    });
    if (same == all.end()) {
      all.push_back(std::move(row));
    } else {
      same->kind = row.kind;
      if (!row.adopted_by.empty()) same->adopted_by = row.adopted_by;
      if (!row.document_number.empty()) same->document_number = row.document_number;
      JoinVersions(*same, std::move(row));
    }
  }
  if (all.empty()) return OkStatus();
  legal::Date as_of = all.front().as_of;
  std::string out;
  for (const Statute& row : all) {
    as_of = std::min(as_of, row.as_of);
    out += (out.empty() ? "" : ",\n") + RowToJson(row).dump();
  }
  out =
      R"({"format":1,"as_of":")" + legal::FormatIso(as_of) + "\",\"statutes\":[\n" + out + "\n]}\n";
  // Read back before it replaces what was there: a row that could not be read would take the
  // user's other rows with it.
  ZB_ASSIGN_OR_RETURN(const nlohmann::json written, base::ParseJson(out, path));
  ZB_RETURN_IF_ERROR(Table::FromJson(written, path).status());
  std::filesystem::create_directories(dir, error);
  if (error) return UnavailableError(dir + ": cannot be made: " + error.message());
  return base::WriteFileAtomic(path, out);
}

}  // namespace zhibi::statute
