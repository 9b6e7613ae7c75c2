// SPDX-License-Identifier: Apache-2.0
#include "legal/statutes.h"

#include <algorithm>

#include <nlohmann/json.hpp>

#include "base/status_macros.h"
#include "legal/chinese_number.h"

namespace zhibi::legal {

Result<StatuteTable> StatuteTable::FromJson(const nlohmann::json& json, std::string_view source) {
  const std::string where(source);
  if (!json.is_object() || !json.contains("statutes") || !json["statutes"].is_array()) {
    return InvalidArgumentError(where + ": expected an object with a list \"statutes\"");
  }
  StatuteTable table;
  for (const nlohmann::json& row : json["statutes"]) {
    const std::string place = where + ": statutes[" + std::to_string(table.statutes_.size()) + "]";
    for (const char* key : {"id", "name", "effective", "as_of"}) {
      if (!row.is_object() || !row.contains(key) || !row[key].is_string()) {
        return InvalidArgumentError(place + "." + key + ": expected a string");
      }
    }
    for (const char* key : {"rank", "articles"}) {
      if (!row.contains(key) || !row[key].is_number_unsigned() ||
          row[key].get<std::uint64_t>() > 100'000) {
        return InvalidArgumentError(place + "." + key + ": expected a number");
      }
    }
    Statute statute;
    statute.id = row["id"].get<std::string>();
    statute.name = row["name"].get<std::string>();
    statute.rank = row["rank"].get<int>();
    statute.articles = row["articles"].get<int>();
    ZB_ASSIGN_OR_RETURN(statute.effective, ParseDate(row["effective"].get<std::string>()));
    ZB_ASSIGN_OR_RETURN(statute.as_of, ParseDate(row["as_of"].get<std::string>()));
    if (table.Find(statute.id) != nullptr)
      return InvalidArgumentError(place + ".id: repeats " + statute.id);
    table.statutes_.push_back(std::move(statute));
  }
  return table;
}

const Statute* StatuteTable::Find(std::string_view id) const {
  for (const Statute& statute : statutes_) {
    if (statute.id == id) return &statute;
  }
  return nullptr;
}

std::string FormatCitations(std::vector<Citation> citations) {
  std::sort(citations.begin(), citations.end(), [](const Citation& a, const Citation& b) {
    if (a.statute != b.statute) {
      return a.statute->rank != b.statute->rank ? a.statute->rank < b.statute->rank
                                                : a.statute->id < b.statute->id;
    }
    return a.article < b.article;
  });
  std::string out;
  const Statute* statute = nullptr;
  int article = 0;
  for (const Citation& citation : citations) {
    if (citation.statute == statute && citation.article == article) continue;
    if (citation.statute != statute) {
      // A name inside a name takes the single book marks.
      std::string name = citation.statute->name;
      for (const auto& [from, to] : {std::pair{"《", "〈"}, std::pair{"》", "〉"}}) {
        for (std::size_t at = name.find(from); at != std::string::npos; at = name.find(from))
          name.replace(at, 3, to);
      }
      out += std::string(out.empty() ? "" : "，") + "《" + name + "》";
    } else {
      out += "、";
    }
    out += "第" + ToChineseNumber(citation.article) + "条";
    statute = citation.statute;
    article = citation.article;
  }
  return out;
}

}  // namespace zhibi::legal
