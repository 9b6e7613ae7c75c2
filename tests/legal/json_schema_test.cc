// SPDX-License-Identifier: Apache-2.0
#include "legal/json_schema.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace zhibi::legal {
namespace {

using nlohmann::json;

std::vector<Violation> Check(const char* schema, const char* value) {
  const Result<JsonSchema> made = JsonSchema::FromJson(json::parse(schema), "s");
  EXPECT_TRUE(made.ok()) << made.status().ToString();
  if (!made.ok()) return {};
  return made->Validate(json::parse(value));
}

struct Keyword {
  const char* schema;
  const char* good;
  const char* bad;
  const char* rule;
};

TEST(JsonSchemaTest, EveryKeywordHoldsAndBreaks) {
  const Keyword cases[] = {
      {R"({"type": "string"})", R"("a")", "5", "type"},
      {R"({"type": ["string", "null"]})", "null", "5", "type"},
      {R"({"type": "integer"})", "5.0", "5.5", "type"},
      {R"({"type": "number"})", "5.5", R"("5")", "type"},
      {R"({"type": "boolean"})", "true", "0", "type"},
      {R"({"type": "array"})", "[]", "{}", "type"},
      {R"({"type": "object"})", "{}", "[]", "type"},
      {R"({"enum": ["a", 1]})", "1", R"("b")", "enum"},
      {R"({"const": {"a": 1}})", R"({"a": 1})", R"({"a": 2})", "const"},
      {R"({"required": ["a"]})", R"({"a": null})", "{}", "required"},
      {R"({"properties": {"a": {"type": "string"}}})", R"({"a": "x", "b": 5})", R"({"a": 5})",
       "type"},
      {R"({"properties": {"a": {}}, "additionalProperties": false})", R"({"a": 1})", R"({"b": 1})",
       "additionalProperties"},
      {R"({"items": {"type": "string"}})", R"(["a"])", "[1]", "type"},
      {R"({"minItems": 1})", "[1]", "[]", "minItems"},
      {R"({"maxItems": 1})", "[1]", "[1, 2]", "maxItems"},
      {R"({"uniqueItems": true})", "[1, 2]", "[1, 1]", "uniqueItems"},
      {R"({"minLength": 2})", R"("中文")", R"("中")", "minLength"},
      {R"({"maxLength": 2})", R"("中文")", R"("中文字")", "maxLength"},
      {R"({"pattern": "^[0-9]+$"})", R"("12")", R"("1a")", "pattern"},
      {R"({"minimum": 2})", "2", "1.9", "minimum"},
      {R"({"maximum": 2})", "2", "2.1", "maximum"},
      {R"({"exclusiveMinimum": 2})", "2.1", "2", "exclusiveMinimum"},
      {R"({"exclusiveMaximum": 2})", "1.9", "2", "exclusiveMaximum"},
      {R"({"anyOf": [{"type": "string"}, {"minimum": 5}]})", R"("a")", "1", "type"},
      {R"({"oneOf": [{"minimum": 1}, {"maximum": 5}]})", "0", "3", "oneOf"},
      {R"({"allOf": [{"minimum": 1}, {"maximum": 5}]})", "3", "6", "maximum"},
      {R"({"not": {"type": "string"}})", "1", R"("a")", "not"},
      {R"({"if": {"minimum": 5}, "then": {"maximum": 7}, "else": {"maximum": 2}})", "6", "8",
       "maximum"},
      {R"({"if": {"minimum": 5}, "then": {"maximum": 7}, "else": {"maximum": 2}})", "1", "3",
       "maximum"},
      {R"({"$ref": "#/$defs/a", "$defs": {"a": {"$ref": "#/$defs/b"}, "b": {"type": "string"}}})",
       R"("a")", "1", "type"},
  };
  for (const Keyword& test : cases) {
    SCOPED_TRACE(test.schema);
    EXPECT_TRUE(Check(test.schema, test.good).empty());
    const std::vector<Violation> violations = Check(test.schema, test.bad);
    ASSERT_FALSE(violations.empty());
    EXPECT_EQ(violations[0].rule, test.rule);
    EXPECT_FALSE(violations[0].message_zh.empty());
    EXPECT_FALSE(violations[0].message_en.empty());
  }
}

TEST(JsonSchemaTest, NamesFieldsInChineseAndByPathAllAtOnce) {
  const char* schema =
      R"({"title": "要素", "type": "object", "additionalProperties": false, "required": ["court"],
    "properties": {
      "court": {"title": "受诉法院"},
      "defendants": {"title": "被告", "items": {"type": "object", "required": ["name"],
        "properties": {"name": {"title": "姓名", "type": "string"}, "age": {"title": "年龄", "minimum": 0}}}}}})";
  const std::vector<Violation> violations =
      Check(schema, R"({"defendants": [{"name": 5, "age": -1}, {}], "defendant": 1})");
  std::vector<std::string> text;
  for (const Violation& violation : violations) text.push_back(violation.ToString());
  ASSERT_EQ(text.size(), 5U);
  EXPECT_EQ(text[0], "受诉法院（court）：必填，没有给出 / required, but missing");
  EXPECT_EQ(text[1],
            "defendant（defendant）：没有这个字段，是不是 defendants？ / unknown field, did you "
            "mean defendants?");
  EXPECT_EQ(text[2],
            "被告第1项 › 年龄（defendants[0].age）：不得小于 0，现为 -1 / at least 0, got -1");
  EXPECT_EQ(text[3],
            "被告第1项 › 姓名（defendants[0].name）：应为文字 / expected string, got number");
  EXPECT_EQ(text[4],
            "被告第2项 › 姓名（defendants[1].name）：必填，没有给出 / required, but missing");
}

TEST(JsonSchemaTest, RefusesSchemasThatItWouldNotHonour) {
  struct Bad {
    const char* schema;
    const char* message;
  };
  const Bad cases[] = {
      {R"({"requird": []})", "s#: unknown keyword \"requird\""},
      {R"({"properties": {"a": {"format": "date"}}})",
       "s#/properties/a: unknown keyword \"format\""},
      {R"({"properties": 5})", "s#/properties: a value of the wrong kind"},
      {R"({"type": "text"})", "s#/type: a value of the wrong kind"},
      {R"({"minItems": -1})", "s#/minItems: a value of the wrong kind"},
      {R"({"enum": []})", "s#/enum: expected a list of values"},
      {R"({"pattern": "("})", "s#/pattern: not a regular expression"},
      {R"({"$ref": "#/$defs/x"})", "s#/$ref: the reference #/$defs/x leads nowhere"},
      {R"({"$ref": "other.json"})", "s#/$ref: only references within the file (#/...) are known"},
      {R"({"$ref": "#/a~2"})", "s#/$ref: not a JSON pointer"},
      {R"({"$defs": {"a": {"$ref": "#/$defs/b"}, "b": {"$ref": "#/$defs/a"}}})",
       "s#/$defs/a/$ref: the reference #/$defs/b leads back to itself"},
      {R"([])", "s#: expected an object, got array"},
      {R"({"items": []})", "s#/items: a value of the wrong kind"},
      {R"({"additionalProperties": {}})", "s#/additionalProperties: a value of the wrong kind"},
  };
  for (const Bad& test : cases) {
    SCOPED_TRACE(test.schema);
    const Result<JsonSchema> made = JsonSchema::FromJson(json::parse(test.schema), "s");
    ASSERT_FALSE(made.ok());
    EXPECT_EQ(made.status().message(), test.message);
  }
}

TEST(JsonSchemaTest, RecursiveSchemasAndManyViolationsEnd) {
  const char* tree = R"({"$ref": "#/$defs/node", "$defs": {"node": {"type": "object",
    "properties": {"child": {"$ref": "#/$defs/node"}}}}})";
  json deep = json::object();
  for (int i = 0; i < 200; ++i) deep = {{"child", deep}};
  const Result<JsonSchema> schema = JsonSchema::FromJson(json::parse(tree), "s");
  ASSERT_TRUE(schema.ok());
  const std::vector<Violation> violations = schema->Validate(deep);
  ASSERT_EQ(violations.size(), 1U);
  EXPECT_EQ(violations[0].rule, "depth");
  json many = json::array();
  for (int i = 0; i < 5000; ++i) many.push_back(i);
  const Result<JsonSchema> strings =
      JsonSchema::FromJson(json::parse(R"({"items": {"type": "string"}})"), "s");
  ASSERT_TRUE(strings.ok());
  EXPECT_EQ(strings->Validate(many).size(), 100U);
}

}  // namespace
}  // namespace zhibi::legal
