// SPDX-License-Identifier: Apache-2.0
#include "base/json.h"

#include <string>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace zhibi::base {
namespace {

TEST(JsonTest, ReadsNestedValues) {
  const Result<nlohmann::json> value =
      ParseJson(R"({"a": [1, -2, 2.5, "甲", null, true], "b": {"c": {}}})", "x");
  ASSERT_TRUE(value.ok()) << value.status().ToString();
  EXPECT_EQ(value->dump(), R"({"a":[1,-2,2.5,"甲",null,true],"b":{"c":{}}})");
}

TEST(JsonTest, SkipsByteOrderMark) { ASSERT_TRUE(ParseJson("\xEF\xBB\xBF[1]", "x").ok()); }

TEST(JsonTest, NamesDuplicateKeyWithPlace) {
  const Result<nlohmann::json> value = ParseJson("{\n  \"a\": 1,\n  \"a\": 2}", "config.json");
  ASSERT_FALSE(value.ok());
  EXPECT_EQ(value.status().message().rfind("config.json:3:", 0), 0U) << value.status().message();
  EXPECT_NE(value.status().message().find("duplicate key \"a\""), std::string::npos);
}

TEST(JsonTest, RefusesDeepNestingTrailingTextAndBadUtf8) {
  EXPECT_FALSE(ParseJson(std::string(100, '[') + std::string(100, ']'), "x").ok());
  EXPECT_FALSE(ParseJson("{} {}", "x").ok());
  EXPECT_FALSE(ParseJson("\"\xFF\"", "x").ok());
  EXPECT_FALSE(ParseJson("", "x").ok());
}

TEST(JsonTest, NamesLineOfSyntaxError) {
  const Result<nlohmann::json> value = ParseJson("{\n\"a\": 1,\n}", "x.json");
  ASSERT_FALSE(value.ok());
  EXPECT_EQ(value.status().message().rfind("x.json:3:1:", 0), 0U) << value.status().message();
}

}  // namespace
}  // namespace zhibi::base
