// SPDX-License-Identifier: Apache-2.0
#include "legal/normalise.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace zhibi::legal {
namespace {

using nlohmann::json;

constexpr const char* kSchema = R"({"type": "object", "properties": {
  "day": {"title": "日期", "x-kind": "date"},
  "sum": {"title": "金额", "x-kind": "money", "x-into": "sum_fen"},
  "sum_fen": {"type": "integer"},
  "rate": {"title": "利率", "x-kind": "percent"},
  "list": {"default": []},
  "code": {"title": "代码", "x-kind": "credit_code"},
  "text": {"title": "文字"},
  "story": {"x-kind": "paragraph"},
  "people": {"title": "人", "items": {"$ref": "#/$defs/person"}}},
  "$defs": {"person": {"type": "object", "properties": {
    "id": {"title": "号码", "x-kind": "citizen_number", "x-fills": {"sex": "sex", "birth_date": "born"}},
    "sex": {"title": "性别"}, "born": {"title": "出生日期", "x-kind": "date"}}}}})";

json Normalised(const char* text, std::vector<std::string>& errors) {
  const Result<JsonSchema> schema = JsonSchema::FromJson(json::parse(kSchema), "s");
  EXPECT_TRUE(schema.ok()) << schema.status().ToString();
  json value = json::parse(text);
  std::vector<Violation> violations;
  if (schema.ok()) Normalise(*schema, value, violations);
  for (const Violation& violation : violations) errors.push_back(violation.ToString());
  return value;
}

TEST(NormaliseTest, BringsSpellingsIntoOneForm) {
  std::vector<std::string> errors;
  const json value =
      Normalised(R"({"day": "2024年3月5日", "sum": "5万元", "rate": "12.50%", "text": " 甲\n\t 乙 ",
                            "story": "一\n二", "code": "91330100799655058b"})",
                 errors);
  EXPECT_TRUE(errors.empty());
  EXPECT_EQ(value.dump(),
            json::parse(R"({"day": "2024-03-05", "sum_fen": 5000000, "rate": 12.5, "text": "甲 乙",
      "story": "一\n二", "code": "91330100799655058B", "list": []})")
                .dump());
}

TEST(NormaliseTest, NumbersAndRatesKeepTheirValue) {
  std::vector<std::string> errors;
  EXPECT_EQ(Normalised(R"({"sum": 50000})", errors)["sum_fen"], 5000000);
  EXPECT_EQ(Normalised(R"({"sum": 1234.56})", errors)["sum_fen"], 123456);
  EXPECT_EQ(Normalised(R"({"sum": 0.1})", errors)["sum_fen"], 10);
  EXPECT_EQ(Normalised(R"({"rate": 12.0})", errors)["rate"].dump(), "12");
  EXPECT_EQ(Normalised(R"({"rate": "3.45％"})", errors)["rate"].dump(), "3.45");
  EXPECT_EQ(Normalised(R"({"sum": 5, "sum_fen": 500})", errors)["sum_fen"], 500);
  EXPECT_TRUE(errors.empty());
}

TEST(NormaliseTest, FillsFromTheCitizenNumberAndComparesWithIt) {
  std::vector<std::string> errors;
  const json filled = Normalised(R"({"people": [{"id": "11010519491231002x"}]})", errors);
  EXPECT_TRUE(errors.empty());
  EXPECT_EQ(filled["people"][0].dump(),
            R"({"born":"1949-12-31","id":"11010519491231002X","sex":"女"})");
  Normalised(R"({"people": [{"id": "11010519491231002X", "sex": "男", "born": "1949年12月30日"}]})",
             errors);
  ASSERT_EQ(errors.size(), 2U);
  EXPECT_EQ(errors[0],
            "人第1项 › 性别（people[0].sex）：与公民身份号码不一致 / does not agree with the "
            "citizen number");
  EXPECT_NE(errors[1].find("people[0].born"), std::string::npos);
}

TEST(NormaliseTest, NamesEveryFieldThatItCannotRead) {
  std::vector<std::string> errors;
  Normalised(
      R"({"day": "2024-02-30", "sum": "三千五", "rate": "高", "code": "1", "people": [{"id": "110105194912310021"}]})",
      errors);
  ASSERT_EQ(errors.size(), 5U);
  EXPECT_NE(errors[0].find("代码（code）"), std::string::npos);
  EXPECT_NE(errors[1].find("日期（day）：“2024-02-30”在日历上不存在 / no such day"),
            std::string::npos)
      << errors[1];
  EXPECT_NE(errors[2].find("校验位"), std::string::npos);
  EXPECT_NE(errors[3].find("利率（rate）"), std::string::npos);
  EXPECT_NE(errors[4].find("金额（sum）"), std::string::npos);
}

TEST(NormaliseTest, TwoSumsThatDiffer) {
  std::vector<std::string> errors;
  Normalised(R"({"sum": "5元", "sum_fen": 501})", errors);
  ASSERT_EQ(errors.size(), 1U);
  EXPECT_NE(errors[0].find("不一致"), std::string::npos);
}

}  // namespace
}  // namespace zhibi::legal
