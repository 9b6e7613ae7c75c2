// SPDX-License-Identifier: Apache-2.0
#include "legal/statutes.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace zhibi::legal {
namespace {

constexpr const char* kTable = R"({"statutes": [
  {"id": "code", "name": "中华人民共和国民法典", "rank": 10, "articles": 1260, "effective": "2021-01-01", "as_of": "2026-06-26"},
  {"id": "proc", "name": "中华人民共和国民事诉讼法", "rank": 20, "articles": 306, "effective": "2024-01-01", "as_of": "2026-06-26"},
  {"id": "inter", "name": "关于适用《中华人民共和国民法典》的解释", "rank": 30, "articles": 71, "effective": "2021-01-01", "as_of": "2025-04-19"}]})";

TEST(StatutesTest, OrdersAndNamesCitations) {
  const Result<StatuteTable> table = StatuteTable::FromJson(nlohmann::json::parse(kTable), "t");
  ASSERT_TRUE(table.ok()) << table.status().ToString();
  const Statute* code = table->Find("code");
  const Statute* proc = table->Find("proc");
  const Statute* inter = table->Find("inter");
  ASSERT_TRUE(code != nullptr && proc != nullptr && inter != nullptr);
  EXPECT_EQ(FormatCitations(
                {{inter, 5}, {proc, 122}, {code, 676}, {code, 667}, {code, 676}, {code, 1064}}),
            "《中华人民共和国民法典》第六百六十七条、第六百七十六条、第一千零六十四条，《中华人民共"
            "和国民事诉讼法》第一百二十二条，"
            "《关于适用〈中华人民共和国民法典〉的解释》第五条");
  EXPECT_EQ(FormatCitations({}), "");
  EXPECT_EQ(table->Find("x"), nullptr);
}

TEST(StatutesTest, MalformedTables) {
  for (
      const char* text :
      {"[]", "{}", R"({"statutes": [5]})", R"({"statutes": [{"id": "a"}]})",
       R"({"statutes": [{"id": "a", "name": "b", "rank": 1, "articles": -5, "effective": "2021-01-01", "as_of": "2021-01-01"}]})",
       R"({"statutes": [{"id": "a", "name": "b", "rank": 1, "articles": 5, "effective": "never", "as_of": "2021-01-01"}]})"}) {
    EXPECT_FALSE(StatuteTable::FromJson(nlohmann::json::parse(text), "t").ok()) << text;
  }
}

}  // namespace
}  // namespace zhibi::legal
