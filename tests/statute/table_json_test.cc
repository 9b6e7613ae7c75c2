// SPDX-License-Identifier: Apache-2.0
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/json.h"
#include "statute/table.h"

namespace zhibi::statute {
namespace {

struct Malformed {
  std::string text;
  const char* message;  // part of the error
};

// A table with `members` in its only statute.
std::string TableWith(const std::string& members) {
  return R"({"format":1,"as_of":"2026-01-01","statutes":[{"name":"甲法","kind":"法律",)" +
         std::string(R"("as_of":"2026-01-01")") + members + "}]}";
}

std::vector<Malformed> MalformedTables() {
  const auto version = [](const std::string& members) {
    return TableWith(",\"versions\":[{" + members + "}]");
  };
  return {
      {"[]", "statutes"},
      {R"({"format":1,"as_of":"2026-01-01","statutes":{}})", "statutes"},
      {R"({"format":2,"as_of":"2026-01-01","statutes":[]})", "format"},
      {R"({"format":1,"statutes":[]})", "as_of"},
      {R"({"format":1,"as_of":"2026-13-01","statutes":[]})", "as_of"},
      {R"({"format":1,"as_of":"2026-01-01","statutes":[7]})", "statutes[0]"},
      {TableWith(""), "statutes[0].versions"},
      {TableWith(",\"versions\":[]"), "statutes[0].versions"},
      {TableWith(",\"versions\":[1]"), "statutes[0].versions[0]"},
      {TableWith(",\"colour\":1,\"versions\":[{}]"), "unknown key \"colour\""},
      {TableWith(",\"matter\":\"别的\",\"versions\":[{}]"), "matter"},
      {TableWith(",\"aliases\":\"甲\",\"versions\":[{}]"), "aliases"},
      {TableWith(",\"aliases\":[\"\"],\"versions\":[{}]"), "aliases"},
      {TableWith(",\"repealed\":7,\"versions\":[{}]"), "repealed"},
      {TableWith(",\"core\":\"yes\",\"versions\":[{}]"), "core"},
      {version("\"articles\":-1"), "articles"},
      {version("\"articles\":5001"), "articles"},
      {version("\"articles\":1.5"), "articles"},
      {version("\"from\":\"gestern\""), "from"},
      {version("\"from\":\"2026-02-30\""), "from"},
      {version("\"from\":\"2026-02-02\",\"until\":\"2026-02-01\""), "until"},
      {version("\"inserted\":\"2-1 1-1\""), "inserted"},
      {version("\"inserted\":\"1-0\""), "inserted"},
      {version("\"inserted\":\"1-999\""), "inserted"},
      {version("\"inserted\":\"-1\""), "inserted"},
      {version("\"deleted\":\"x\""), "deleted"},
      {version("\"shapes\":\"0,\""), "shapes"},
      {version("\"shapes\":\"0*0\""), "shapes"},
      {version("\"shapes\":\"0*99999\""), "shapes"},
      {version("\"shapes\":\"0 0 1=0\""), "shapes"},
      {version("\"shapes\":\"4999=0*3\""), "shapes"},
      {version("\"shapes\":\"0;0\""), "shapes"},
      {version("\"shapes\":\"99999999999999\""), "shapes"},
      {version("\"shapes\":7"), "shapes"},
      {TableWith(R"(,"versions":[{"from":"2020-01-02"},{"from":"2020-01-01"}])"), "oldest first"},
      {R"({"format":1,"as_of":"2026-01-01","statutes":[
        {"name":"甲法","kind":"法律","as_of":"2026-01-01","versions":[{}]},
        {"name":"《甲法》","kind":"法律","as_of":"2026-01-01","versions":[{}]}]})",
       "two rows"},
      {R"({"format":1,"as_of":"2026-01-01","statutes":[
        {"name":"甲法","kind":"判例","as_of":"2026-01-01","versions":[{}]}]})",
       "kind"},
      {R"({"format":1,"as_of":"2026-01-01","statutes":[
        {"name":"","kind":"法律","as_of":"2026-01-01","versions":[{}]}]})",
       "name"},
  };
}

TEST(TableFile, RefusesWhatIsMalformed) {
  for (const Malformed& test : MalformedTables()) {
    const Result<nlohmann::json> json = base::ParseJson(test.text, "t.json");
    ASSERT_TRUE(json.ok()) << test.text;
    const Result<Table> table = Table::FromJson(*json, "t.json");
    ASSERT_FALSE(table.ok()) << test.text;
    EXPECT_NE(table.status().message().find(test.message), std::string::npos)
        << test.text << "\n"
        << table.status().message();
  }
}

TEST(TableFile, NamesAMissingFile) {
  const Result<Table> table = Table::Load("nowhere", "");
  ASSERT_FALSE(table.ok());
  EXPECT_NE(table.status().message().find("nowhere/statutes/table.json"), std::string::npos);
}

}  // namespace
}  // namespace zhibi::statute
