// SPDX-License-Identifier: Apache-2.0
// The statutes that skeletons cite, with the highest article number and the day the current text
// came into force, so that a document type can't cite an article that does not exist. Order and
// form of citations follow 法释〔2009〕14号: full name, statutes before interpretations,
// substantive before procedural. Thread rule: immutable.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "legal/date.h"
#include "zhibi/status.h"

namespace zhibi::legal {

struct Statute {
  std::string id;
  std::string name;
  int rank = 0;  // lower is cited first
  int articles = 0;
  Date effective;
  Date as_of;
};

struct Citation {
  const Statute* statute = nullptr;
  int article = 0;
};

class StatuteTable {
 public:
  // {"statutes": [{"id", "name", "rank", "articles", "effective", "as_of"}]}
  static Result<StatuteTable> FromJson(const nlohmann::json& json, std::string_view source);
  const Statute* Find(std::string_view id) const;

 private:
  std::vector<Statute> statutes_;
};

// 《中华人民共和国民法典》第六百六十七条、第六百七十五条，《…》第一百二十二条; repeats are dropped.
std::string FormatCitations(std::vector<Citation> citations);

}  // namespace zhibi::legal
