// SPDX-License-Identifier: Apache-2.0
// Parties: who counts as one, what the head says of each, and who is known by acts only.
#include "extract/parties.h"

#include <string>

#include <gtest/gtest.h>

#include "entity/recogniser.h"

namespace zhibi::extract {
namespace {

Extraction Read(std::string_view text) {
  static const entity::Recogniser recogniser =
      entity::Recogniser::Load(std::string(ZHIBI_SOURCE_DIR) + "/data").value();
  Extraction result;
  PartyFinder::Create().value().Find(text, recogniser.Find(text).value(), result);
  return result;
}

std::string FieldOf(const Party& party, const std::string& path) {
  for (const Value& value : party.fields) {
    if (value.path == path) return value.value.get<std::string>();
  }
  return "";
}

using Names = std::vector<std::string>;

TEST(Parties, TheHeadGivesEveryField) {
  const Extraction result = Read(
      "上诉人（原审被告）：吴立群，男，1986年3月12日出生，汉族，户籍所在地江苏省昆山市玉山镇1号，"
      "住江苏省南京市建邺区江东中路66号，联系电话13800002222。\n"
      "委托诉讼代理人：方圆，江苏钟山明镜律师事务所律师。\n"
      "被上诉人（原审原告）：南京恒创机电有限公司，住所地江苏省南京市鼓楼区汉中路108号。\n"
      "法定代表人：任毅，执行董事。\n");
  ASSERT_EQ(result.parties.size(), 2U);
  EXPECT_EQ(FieldOf(result.parties[0], "original_role"), "原审被告");
  EXPECT_EQ(FieldOf(result.parties[0], "birth_date"), "1986-03-12");
  EXPECT_EQ(FieldOf(result.parties[0], "domicile"), "江苏省昆山市玉山镇1号");
  EXPECT_EQ(FieldOf(result.parties[0], "address"), "江苏省南京市建邺区江东中路66号");
  EXPECT_EQ(FieldOf(result.parties[0], "agents[0].firm"), "江苏钟山明镜律师事务所");
  EXPECT_EQ(FieldOf(result.parties[1], "representative"), "任毅");
  EXPECT_EQ(FieldOf(result.parties[1], "representative_post"), "执行董事");
  EXPECT_EQ(result.parties[1].side, "defendants");
}

// 王楠 is named beside the accused in the story; the head does not have him.
TEST(Parties, NamesThatFollowInTheStoryAreNone) {
  const Extraction result = Read(
      "被告人于林海，男，1994年4月12日生，回族。\n被告人杨超，男，1991年10月8日生。\n"
      "经审理查明，被告人于林海、杨超和王楠、杨国明预谋抢劫。王楠、杨国明另案处理。");
  EXPECT_EQ(result.people, (Names{"于林海", "杨超"}));
}

TEST(Parties, ListsWithoutAHeadAreParties) {
  EXPECT_EQ(Read("原告张建军、李四海和王五一诉称，被告刘向东欠款不还。").people,
            (Names{"张建军", "李四海", "王五一", "刘向东"}));
}

TEST(Parties, WordsBehindAMaskAreNotPartOfTheName) {
  EXPECT_EQ(
      Read("被告人赵某某，男。\n被告人赵某某如实供述，被告人赵某某酒后滋事，被告人赵某某不服。")
          .people,
      (Names{"赵某某"}));
}

TEST(Parties, ShortOrganisationsBehindARole) {
  EXPECT_EQ(Read("被告汽配中心辩称，其不承担责任。").people, (Names{"汽配中心"}));
  EXPECT_TRUE(Read("被告驾车到医院治疗。").people.empty());
}

TEST(Parties, KnownByActsOnlyIsDoubtful) {
  const Extraction result = Read(
      "东建公司向本院提出诉讼请求：1.判令还款。\n华庭公司辩称，款已付清。\n华庭公司述称，无。");
  EXPECT_TRUE(result.people.empty());
  EXPECT_EQ(result.people_by_act, (Names{"东建公司", "华庭公司"}));
  ASSERT_EQ(result.parties.size(), 2U);
  EXPECT_EQ(result.parties[0].side, "plaintiffs");
  EXPECT_EQ(result.parties[1].side, "defendants");
  EXPECT_EQ(result.parties[1].fields[0].state, State::kDoubtful);
  EXPECT_NE(result.parties[1].fields[0].note.find("辩称"), std::string::npos);
}

TEST(Parties, ContractRolesCountWhereTheyAreDeclared) {
  const Extraction contract =
      Read("出借人：王建国，男。\n借款人：李建业，男。\n保证人：周正，男。\n");
  EXPECT_EQ(contract.parties.size(), 3U);
  EXPECT_EQ(contract.parties[2].role, "保证人");
  EXPECT_TRUE(Read("本院认为，借款人李建业未还款。").parties.empty());
}

}  // namespace
}  // namespace zhibi::extract
