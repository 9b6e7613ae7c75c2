// SPDX-License-Identifier: Apache-2.0
#include "cli/statutes_view.h"

#include <algorithm>

#include <nlohmann/json.hpp>

namespace zhibi::cli {
namespace {

using nlohmann::ordered_json;
using statute::ArticleNumber;
using statute::Force;
using statute::Statute;
using statute::Version;

constexpr std::int64_t kFreshDays = 180;

ordered_json DayOrNull(const std::optional<legal::Date>& day) {
  return day ? ordered_json(legal::FormatIso(*day)) : ordered_json();
}

std::string VersionLine(const Version& version) {
  std::string line;
  const auto add = [&line](const std::string& part) { line += (line.empty() ? "" : "，") + part; };
  if (version.published) add(legal::FormatBody(*version.published) + "通过或者公布");
  if (version.from) {
    add(legal::FormatBody(*version.from) + "起施行");
  } else if (version.surely_from) {
    add("施行日不详（" + legal::FormatBody(*version.surely_from) + "已在施行）");
  } else {
    add("施行日不详");
  }
  if (version.until) {
    add(legal::FormatBody(*version.until) + "起不再施行");
  } else if (version.ended) {
    add("已被取代，日期不详");
  }
  add(version.articles > 0 ? std::to_string(version.articles) + " 条" : "条数不详");
  if (!version.inserted.empty()) {
    add("另有增补条 " + std::to_string(version.inserted.size()) + " 个");
  }
  if (!version.deleted.empty()) add("删去 " + std::to_string(version.deleted.size()) + " 条");
  return line;
}

// "in", "not_in", "deleted" or "unknown": the article in the version of the day.
std::string_view PlaceOf(const StatuteView& view) {
  const Version* version = view.state.version;
  if (version == nullptr || version->articles == 0) return "unknown";
  if (std::binary_search(version->deleted.begin(), version->deleted.end(), *view.article)) {
    return "deleted";
  }
  return HasArticle(*version, *view.article) ? "in" : "not_in";
}

std::string ArticleLines(const StatuteView& view) {
  const std::string name = FormatArticle(*view.article);
  const std::string_view place = PlaceOf(view);
  std::string out = "\n" + name;
  if (place == "deleted") out += "（该版本中已删去）";
  if (place == "not_in") {
    out += "（该版本没有这一条，最大条号 " + std::to_string(view.state.version->articles) + "）";
  }
  if (!view.text) return out + (place == "not_in" || place == "deleted" ? "" : "：未装文本");
  out += view.text->of_the_day ? "" : "（已装的文本，不能确定是该日施行的版本";
  if (!view.text->of_the_day) {
    out += view.text->date ? "；文本日期 " + legal::FormatIso(*view.text->date) + "）" : "）";
  }
  return out + "\n" + view.text->text;
}

}  // namespace

std::string_view ForceName(Force force) {
  switch (force) {
    case Force::kInForce:
      return "现行";
    case Force::kNotYet:
      return "未生效";
    case Force::kRepealed:
      return "已废止";
    case Force::kUnknown:
      break;
  }
  return "状态不详";
}

std::string StaleWarning(const legal::Date& as_of, const legal::Date& today) {
  const std::int64_t days = legal::ToDays(today) - legal::ToDays(as_of);
  if (days <= kFreshDays) return {};
  return "注意：数据核对至" + legal::FormatBody(as_of) + "，已过 " + std::to_string(days) +
         " 日，此后的修改和废止不在其中 (the snapshot is over 180 days old)";
}

std::string ViewAsText(const StatuteView& view) {
  const Statute& statute = *view.statute;
  std::string out = "《" + statute.name + "》" + (statute.local ? "（本地）" : "") + "\n";
  if (view.old_name) out += "所查的是曾用名\n";
  out += "位阶：" + std::string(KindName(statute.kind));
  if (!statute.adopted_by.empty()) out += "，" + statute.adopted_by;
  if (!statute.document_number.empty()) out += "，" + statute.document_number;
  out += "\n" + legal::FormatBody(view.day) + "：" + std::string(ForceName(view.state.force));
  if (view.state.version != nullptr) {
    out += view.state.certain ? "，施行的文本：" : "，施行的文本（条数不详）：";
    out += VersionLine(*view.state.version);
  } else if (view.state.force == Force::kInForce) {
    out += "，当日施行的是哪一文本不详";
  }
  if (statute.repealed) {
    out += statute.repealed_on ? "\n废止：" + legal::FormatBody(*statute.repealed_on) + "起"
                               : "\n废止：日期不详";
    if (!statute.replaced_by.empty()) out += "，见《" + statute.replaced_by + "》";
    if (!statute.successor_hint.empty()) out += "，可参看《" + statute.successor_hint + "》";
  }
  out += "\n版本：";
  for (const Version& version : statute.versions) out += "\n  " + VersionLine(version);
  out += "\n核对日：" + legal::FormatIso(statute.as_of) +
         (statute.every_version_since_2010 ? "（2010年以来的文本齐全）" : "");
  if (const std::string stale = StaleWarning(statute.as_of, view.today); !stale.empty()) {
    out += "\n" + stale;
  }
  if (view.article) out += ArticleLines(view);
  return out;
}

ordered_json ViewToJson(const StatuteView& view) {
  const Statute& statute = *view.statute;
  ordered_json out;
  out["name"] = statute.name;
  out["kind"] = KindName(statute.kind);
  out["adopted_by"] = statute.adopted_by;
  out["document_number"] = statute.document_number;
  out["local"] = statute.local;
  out["asked_by_old_name"] = view.old_name;
  out["day"] = legal::FormatIso(view.day);
  out["state"] = ForceName(view.state.force);
  out["certain"] = view.state.certain;
  out["repealed_on"] = DayOrNull(statute.repealed_on);
  out["replaced_by"] = statute.replaced_by;
  out["hint"] = statute.successor_hint;
  out["as_of"] = legal::FormatIso(statute.as_of);
  out["stale"] = !StaleWarning(statute.as_of, view.today).empty();
  out["every_version_since_2010"] = statute.every_version_since_2010;
  out["versions"] = ordered_json::array();
  for (const Version& version : statute.versions) {
    ordered_json row;
    row["published"] = DayOrNull(version.published);
    row["from"] = DayOrNull(version.from);
    row["until"] = DayOrNull(version.until);
    row["ended"] = version.ended;
    row["articles"] = version.articles > 0 ? ordered_json(version.articles) : ordered_json();
    row["in_force"] = view.state.version == &version;
    out["versions"].push_back(std::move(row));
  }
  if (!view.article) return out;
  ordered_json article;
  article["number"] = FormatArticle(*view.article);
  article["place"] = PlaceOf(view);
  article["text"] = view.text ? ordered_json(view.text->text) : ordered_json();
  article["text_date"] = view.text ? DayOrNull(view.text->date) : ordered_json();
  article["text_of_the_day"] = view.text && view.text->of_the_day;
  out["article"] = std::move(article);
  return out;
}

}  // namespace zhibi::cli
