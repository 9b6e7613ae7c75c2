// SPDX-License-Identifier: Apache-2.0
// Levels of redaction on written examples and on the tracked documents with planted values; what is
// protected, what is left, and the way back. The large seeded set is tools/redact_seed.py.
#include "redact/redact.h"

#include <filesystem>
#include <string>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/file.h"

namespace zhibi::redact {
namespace {

const std::string kRoot = ZHIBI_SOURCE_DIR;

const entity::Recogniser& Shared() {
  static const entity::Recogniser recogniser = entity::Recogniser::Load(kRoot + "/data").value();
  return recogniser;
}

std::string At(std::string_view text, Level level) {
  return Redact(Shared(), text, level).value().text;
}

bool Has(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

constexpr std::string_view kJudgment =
    "江苏省昆山市人民法院\n民事判决书\n（2024）苏0583民初1234号\n"
    "原告：刘建国，男，1980年1月2日出生，汉族，住江苏省昆山市玉山镇北门路12号3幢401室，"
    "公民身份号码11010519491231002X，电话13812345678。\n"
    "委托诉讼代理人：王律平，江苏天平律师事务所律师。\n"
    "被告：刘建军，男，1985年3月4日出生，住江苏省昆山市。\n"
    "被告：苏州和平建设有限公司，住所地江苏省苏州市姑苏区人民路8号，"
    "统一社会信用代码91330100799655058B。\n法定代表人：李四平，董事长。\n"
    "原告刘建国与被告刘建军、苏州和平建设有限公司（以下简称和平公司）民间借贷纠纷一案。"
    "被告刘建军向原告刘建国借款50000元，转入6222021234567890128账户，车辆苏E12345。和平公司担保。\n"
    "依照《中华人民共和国民法典》第六百七十五条，判决如下：\n"
    "审判员 陈公正\n二〇二四年三月一日\n书记员 周书记\n";

TEST(Redact, P0ChangesNothingAndCounts) {
  const Redacted redacted = Redact(Shared(), kJudgment, Level::kP0).value();
  EXPECT_EQ(redacted.text, kJudgment);
  EXPECT_GE(redacted.sensitive, 6U);
}

TEST(Redact, P1RemovesNumbersAndKeepsParties) {
  const std::string text = At(kJudgment, Level::kP1);
  for (const std::string_view gone : {"11010519491231002X", "13812345678", "6222021234567890128",
                                      "苏E12345", "玉山镇北门路", "人民路8号"}) {
    EXPECT_FALSE(Has(text, gone)) << gone;
  }
  for (const std::string_view kept :
       {"刘建国", "江苏省昆山市，", "91330100799655058B", "苏州和平建设有限公司", "苏E×××××"}) {
    EXPECT_TRUE(Has(text, kept)) << kept << "\n" << text;
  }
}

TEST(Redact, P1MasksThePeopleOfArticleEight) {
  const std::string family =
      At("原告：张小红，女。被告：李大明，男。请求离婚。证人王五证明。", Level::kP1);
  EXPECT_FALSE(Has(family, "张小红") || Has(family, "李大明"));
  const std::string victim = At("被告人赵大胆殴打被害人钱小弱。被害人钱小弱受伤。", Level::kP1);
  EXPECT_TRUE(Has(victim, "赵大胆"));
  EXPECT_FALSE(Has(victim, "钱小弱"));
  const std::string minor =
      At("原告：孙小宝，男，2015年5月6日出生，汉族。\n法定代理人：孙大宝，男。\n"
         "被告：周成年，男，1970年1月1日出生。\n二〇二四年三月一日\n",
         Level::kP1);
  EXPECT_FALSE(Has(minor, "孙小宝") || Has(minor, "孙大宝")) << minor;
  EXPECT_TRUE(Has(minor, "周成年"));
}

TEST(Redact, P2MasksConsistentlyAndDistinguishably) {
  const std::string text = At(kJudgment, Level::kP2);
  EXPECT_TRUE(Has(text, "原告：刘某1，男，1980年出生")) << text;
  EXPECT_TRUE(Has(text, "被告刘某2向原告刘某1借款50000元")) << text;
  EXPECT_TRUE(Has(text, "某某有限公司")) << text;
  EXPECT_TRUE(Has(text, "某某公司担保")) << text;
  EXPECT_FALSE(Has(text, "91330100799655058B"));
  // Protected: case number, court, judges, law firm and lawyer, article, sum, cause.
  for (const std::string_view kept :
       {"（2024）苏0583民初1234号", "江苏省昆山市人民法院", "陈公正", "周书记", "王律平",
        "江苏天平律师事务所", "第六百七十五条", "50000元", "民间借贷纠纷", "二〇二四年三月一日"}) {
    EXPECT_TRUE(Has(text, kept)) << kept << "\n" << text;
  }
}

TEST(Redact, NewMasksAvoidThoseOfTheText) {
  const std::string text = At("原告：张小红，女。被告：张某，男。张某作证。", Level::kP2);
  EXPECT_TRUE(Has(text, "原告：张某1，")) << text;
  // A sum behind a name: 刘某1 and 17万元 must not become 刘某117万元.
  const std::string sum =
      At("原告：刘建国，男。被告：刘建军，男。判令刘建军给付刘建国17万元。", Level::kP2);
  EXPECT_TRUE(Has(sum, "刘某甲17万元")) << sum;
}

TEST(Redact, P3ReplacesEverythingConsistently) {
  const std::string text = At(kJudgment, Level::kP3);
  for (const std::string_view gone :
       {"刘建国", "刘建军", "王律平", "李四平", "和平", "昆山市玉山"}) {
    EXPECT_FALSE(Has(text, gone)) << gone;
  }
  EXPECT_TRUE(Has(text, "【身份证号1】"));
  EXPECT_TRUE(Has(text, "陈公正"));
}

TEST(Redact, KnownNamesOfElements) {
  const nlohmann::json elements = {{"plaintiffs", {{{"name", "阿依古丽"}}}}};
  const std::string text =
      Redact(Shared(), "后来阿依古丽还了钱", Level::kP2, NamesOfElements(elements)).value().text;
  EXPECT_FALSE(Has(text, "阿依古丽"));
}

// Found by redacting drafted forms: a name behind a label, an address behind a bracket, a shop that
// is called after its owner, a signature line.
TEST(Redact, RowsOfAForm) {
  const std::string text =
      "民事起诉状\n原告1（自然人）｜姓名：王建国↵性别：☑男　☐女↵住所地（户籍所在地）：昆山市玉山镇"
      "和平路8号\n"
      "被告2（个体工商户）｜字号：昆山市钱多食品店↵经营者：钱多↵经营场所：昆山市玉山镇环城路9号\n"
      "具状人：王建国（签名或者盖章）\n二〇二六年三月二日\n";
  for (const Level level : {Level::kP2, Level::kP3}) {
    const Redacted redacted = Redact(Shared(), text, level).value();
    EXPECT_TRUE(redacted.residue.empty());
    for (const char* hidden : {"王建国", "钱多", "和平路", "环城路"})
      EXPECT_EQ(redacted.text.find(hidden), std::string::npos) << redacted.text;
    EXPECT_EQ(Restore(redacted.text, redacted.mapping).value(), text);
  }
}

TEST(Redact, NamesWithoutARoleAndNumbersWithoutAForm) {
  const std::string text =
      "北京某某律师事务所\n律师函\n致：周正\n本所接受孙小满的委托，联系电话051200001111。\n"
      "今借到王建国人民币50000元。1. "
      "王小雨（2014年8月8日出生）由女方抚养，重型货车与行人吴刚相撞。\n"
      "证件类型：护照↵证件号码：C01X00T47↵联系电话：+852 20000000\n电话费3000元。\n";
  const Redacted redacted = Redact(Shared(), text, Level::kP2).value();
  for (const char* hidden :
       {"周正", "孙小满", "051200001111", "王建国", "王小雨", "吴刚", "C01X00T47", "20000000"})
    EXPECT_EQ(redacted.text.find(hidden), std::string::npos) << hidden << "\n" << redacted.text;
  EXPECT_NE(redacted.text.find("电话费3000元"), std::string::npos);
  EXPECT_EQ(Restore(redacted.text, redacted.mapping).value(), text);
}

TEST(Redact, EveryLevelCanBeUndone) {
  for (const Level level : {Level::kP0, Level::kP1, Level::kP2, Level::kP3}) {
    const Redacted redacted = Redact(Shared(), kJudgment, level).value();
    EXPECT_TRUE(redacted.residue.empty());
    const nlohmann::json json = ToJson(redacted.mapping);
    const Mapping mapping = MappingFromJson(json, "map").value();
    EXPECT_EQ(Restore(redacted.text, mapping).value(), kJudgment);
  }
}

TEST(Redact, EditedTextIsRefused) {
  const Redacted redacted = Redact(Shared(), kJudgment, Level::kP2).value();
  std::string edited = redacted.text;
  edited.replace(edited.find("刘某1"), std::string_view("刘某1").size(), "刘某9");
  EXPECT_EQ(Restore(edited, redacted.mapping).status().code(), StatusCode::kInvalidArgument);
  EXPECT_FALSE(Restore(redacted.text + "。", redacted.mapping).ok());
}

TEST(Redact, BadMappingsNameTheField) {
  EXPECT_FALSE(MappingFromJson(nlohmann::json::array(), "m").ok());
  nlohmann::json json = ToJson(Redact(Shared(), kJudgment, Level::kP2).value().mapping);
  json["replacements"][0]["begin"] = -1;
  const auto bad = MappingFromJson(json, "m");
  ASSERT_FALSE(bad.ok());
  EXPECT_NE(bad.status().message().find("replacements/0"), std::string::npos);
  EXPECT_FALSE(ParseLevel("P4").ok());
}

// Values that stand in a document of the corpus, at every level: none is left.
TEST(Redact, PlantedValuesInRealDocuments) {
  const std::string planted =
      "公民身份号码11010519491231002X。手机号138 1234 "
      "5678，电话0512-57301234。账号：320501987654321000。"
      "银行卡号6222021234567890128，驾驶苏E12345号轿车，微信号：wxid_12345a。邮箱a1@example.com。"
      "住江苏省昆山市玉山镇中山路12号3栋402室。护照号码E12345678。";
  std::size_t documents = 0;
  for (const auto& file : std::filesystem::directory_iterator(kRoot + "/tests/extract/documents")) {
    std::string text = base::ReadFile(file.path().string(), 1 << 20).value();
    const std::size_t stop = text.find("。", text.size() / 2);
    ASSERT_NE(stop, std::string::npos);
    text.insert(stop + std::string_view("。").size(), planted);
    for (const Level level : {Level::kP1, Level::kP2, Level::kP3}) {
      const Redacted redacted = Redact(Shared(), text, level).value();
      EXPECT_TRUE(redacted.residue.empty()) << file.path();
      for (const std::string_view value :
           {"11010519491231002X", "138 1234 5678", "57301234", "320501987654321000", "62220212",
            "苏E12345", "wxid_12345a", "a1@example.com", "中山路12号", "E12345678"}) {
        EXPECT_FALSE(Has(redacted.text, value)) << file.path() << " " << value;
      }
      EXPECT_EQ(Restore(redacted.text, redacted.mapping).value(), text);
    }
    ++documents;
  }
  EXPECT_GE(documents, 10U);
}

}  // namespace
}  // namespace zhibi::redact
