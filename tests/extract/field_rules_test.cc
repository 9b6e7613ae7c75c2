// SPDX-License-Identifier: Apache-2.0
// Rules of document types: what they find is doubtful, what they must not find stays missing, and
// faults in the file name the field.
#include "extract/field_rules.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/file.h"
#include "base/json.h"
#include "entity/recogniser.h"
#include "extract/schema_fixture.h"
#include "legal/doctype.h"
#include "legal/schema_fields.h"

namespace zhibi::extract {
namespace {

const std::string kRoot = ZHIBI_SOURCE_DIR;

const entity::Recogniser& Entities() {
  static const entity::Recogniser recogniser = entity::Recogniser::Load(kRoot + "/data").value();
  return recogniser;
}

const Extractor& Shared() {
  static const Extractor extractor = Extractor::Create(Entities()).value();
  return extractor;
}

TEST(Rules, FieldsOfTheDocumentTypeAreDoubtful) {
  const auto rules = LoadRules(kRoot + "/data", "civil-complaint");
  ASSERT_TRUE(rules.ok()) << rules.status().message();
  const char* text =
      R"({"type": "object", "properties": {"loan": {"type": "object", "title": "借款",
    "properties": {"amount": {"type": "string", "title": "金额"}, "date": {"type": "string", "title": "日期"}}},
    "claims": {"type": "array", "title": "请求", "items": {"type": "object", "properties": {"kind": {
    "type": "string", "title": "种类", "enum": ["principal", "interest", "litigation_cost"]}}}}}})";
  const legal::JsonSchema schema =
      legal::JsonSchema::FromJson(base::ParseJson(text, "s").value(), "s").value();
  const Extraction extraction =
      Shared()
          .Extract(
              "诉讼请求：\n1．判令被告偿还借款本金5万元及利息；\n2．诉讼费由被告承担。\n"
              "事实与理由：2023年6月1日，原告向被告出借5万元。",
              &schema, *rules)
          .value();
  EXPECT_EQ(extraction.elements["loan"]["amount"], "50000元");
  EXPECT_EQ(extraction.elements["loan"]["date"], "2023-06-01");
  EXPECT_EQ(extraction.elements["claims"].size(), 3U);
  for (const Value& value : extraction.values) EXPECT_EQ(value.state, State::kDoubtful);
}

TEST(Rules, ExtractJsonIsChecked) {
  EXPECT_TRUE(LoadRules(kRoot + "/data", "no-such-type").value().empty());
}

// Writes one extract.json for a type of its own and loads it.
Result<std::vector<FieldRule>> Load(const std::string& json) {
  const std::string folder = testing::TempDir() + "field_rules/doctypes/x";
  std::filesystem::create_directories(folder);
  std::ofstream(folder + "/extract.json") << json;
  return LoadRules(testing::TempDir() + "field_rules", "x");
}

TEST(Rules, FaultsNameTheField) {
  const auto message = [](const std::string& json) { return Load(json).status().message(); };
  EXPECT_NE(message("{}").find("\"fields\""), std::string::npos);
  EXPECT_NE(message(R"({"fields": [{"path": "a"}]})").find("fields/0"), std::string::npos);
  EXPECT_NE(
      message(R"({"fields": [{"path": "a", "kind": "sum", "patterns": []}]})").find("got sum"),
      std::string::npos);
  EXPECT_NE(message(R"({"fields": [{"path": "a", "kind": "list", "patterns": []}]})").find("x[]"),
            std::string::npos);
  EXPECT_NE(message(R"({"fields": [{"path": "a[]", "kind": "list", "patterns": [],
                       "groups": {"b": "sum"}}]})")
                .find("groups/b"),
            std::string::npos);
  EXPECT_NE(message(R"~({"fields": [{"path": "a", "kind": "text", "patterns": ["("]}]})~")
                .find("fields/0"),
            std::string::npos);
}

TEST(Rules, ListsAndTexts) {
  const auto rules = Load(R"~({"fields": [
    {"path": "reason", "kind": "text", "patterns": ["因(.{2,10}?)向"]},
    {"path": "gone", "kind": "money", "patterns": ["\\d+元"]},
    {"path": "repaid[]", "kind": "list", "groups": {"date": "date", "sum": "money"},
     "patterns": ["(?<date>\\d{4}年\\d{1,2}月\\d{1,2}日)还(?<sum>[\\d万]+元)"]}]})~");
  ASSERT_TRUE(rules.ok()) << rules.status().message();
  const char* text = R"({"type": "object", "properties": {
    "reason": {"type": "string", "title": "原因"},
    "repaid": {"type": "array", "title": "还款", "items": {"type": "object", "properties": {
      "date": {"type": "string", "title": "日期"}, "sum": {"type": "string", "title": "金额"}}}}}})";
  const legal::JsonSchema schema =
      legal::JsonSchema::FromJson(base::ParseJson(text, "s").value(), "s").value();
  const Extraction extraction =
      Shared()
          .Extract("被告因经营周转向原告借款。2024年3月5日还2万元，2024年4月6日还500元。", &schema,
                   *rules)
          .value();
  EXPECT_EQ(extraction.elements["reason"], "经营周转");
  EXPECT_EQ(extraction.elements["repaid"][0]["date"], "2024-03-05");
  EXPECT_EQ(extraction.elements["repaid"][1]["sum"], "500元");
  // Only what the schema has.
  EXPECT_FALSE(extraction.elements.contains("gone"));
  for (const Value& value : extraction.values) EXPECT_EQ(value.state, State::kDoubtful);
}

TEST(Rules, GapsAndForeignMoneyGiveNothing) {
  const std::string text = "【待填：金额】2万美元2024年3月";
  const auto entities = Entities().Find(text).value();
  const entity::Match::Group all{0, text.size()};
  EXPECT_FALSE(ValueIn(FieldRule::Kind::kText, text, all, entities).has_value());
  EXPECT_FALSE(ValueIn(FieldRule::Kind::kMoney, text, all, entities).has_value());
  EXPECT_FALSE(ValueIn(FieldRule::Kind::kDate, text, all, entities).has_value());
}

// Every extract.json in the tree compiles and names fields that its type has.
TEST(Rules, ThoseOfTheTreeFitTheirTypes) {
  std::size_t files = 0;
  for (const std::string& id : legal::Doctype::List(kRoot + "/data")) {
    SCOPED_TRACE(id);
    const auto rules = LoadRules(kRoot + "/data", id);
    ASSERT_TRUE(rules.ok()) << rules.status().message();
    if (rules->empty()) continue;
    ++files;
    const legal::Doctype doctype = legal::Doctype::Load(kRoot + "/data", id).value();
    const auto fields = legal::ListFields(doctype.schema());
    const auto has = [&](const std::string& path) {
      std::string first = path;
      for (std::size_t at = first.find("[]"); at != std::string::npos; at = first.find("[]"))
        first.replace(at, 2, "[0]");
      return std::any_of(fields.begin(), fields.end(),
                         [&](const auto& field) { return field.path == first; });
    };
    for (const FieldRule& rule : *rules) {
      if (rule.groups.empty()) {
        EXPECT_TRUE(has(rule.path)) << rule.path;
      }
      for (const auto& [property, kind] : rule.groups)
        EXPECT_TRUE(has(rule.path + "." + property)) << rule.path << "." << property;
    }
  }
  EXPECT_GE(files, 1U);
}

}  // namespace
}  // namespace zhibi::extract
