// SPDX-License-Identifier: Apache-2.0
// Forms: rows of parties, agents, titled groups, lists within a cell, boxes.
#include "extract/form.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/json.h"

namespace zhibi::extract {
namespace {

constexpr std::string_view kForm =
    "民事起诉状\n当事人信息｜内容\n"
    "原告1（自然人）｜姓名：王建国↵性别：☑男　☐女↵出生日期：1980年5月12日↵住所地（户籍所在地）：某"
    "市东城区8号\n"
    "原告2（法人、非法人组织）｜名称：恒远商贸有限公司↵法定代表人/负责人：吴建新↵职务：执行董事\n"
    "被告（自然人）｜姓名：李建业↵性别：☐男　☐女↵住所地：无\n"
    "委托诉讼代理人｜☑有　☐无↵姓名：赵明，单位：某某律师事务所，代理权限：☐一般授权　☑特别授权，"
    "特别授权的事项：和解；上诉（王建国的代理人）\n"
    "诉讼请求｜内容\n1. 本金｜☑是　☐否　☐未确认↵尚欠本金：100000元\n2. 利息｜☐是　☐否　☐未确认\n"
    "受诉法院｜某市东城区人民法院\n"
    "事实与理由｜内容\n6. "
    "借款提供时间｜各次交付：↵（1）日期：2024年3月1日，金额：120000元↵（2）金额：8万元\n";

legal::JsonSchema Schema() {
  const char* text = R"({"type": "object", "properties": {
    "court": {"type": "string", "title": "受诉法院"},
    "claims": {"type": "object", "title": "诉讼请求", "properties": {
      "principal": {"type": "object", "title": "本金", "properties": {
        "state": {"type": "string", "title": "本金：是、否或者未确认", "enum": ["yes", "no", "unknown"],
                  "description": "yes 是，no 否，unknown 未确认"},
        "amount": {"type": "string", "title": "尚欠本金", "x-kind": "money"}}},
      "interest": {"type": "object", "title": "利息", "properties": {
        "state": {"type": "string", "title": "利息：是、否或者未确认", "enum": ["yes", "no", "unknown"],
                  "description": "yes 是，no 否，unknown 未确认"}}}}},
    "facts": {"type": "object", "title": "事实与理由", "properties": {
      "delivery": {"type": "object", "title": "借款提供时间", "properties": {
        "deliveries": {"type": "array", "title": "各次交付", "items": {"type": "object", "properties": {
          "date": {"type": "string", "title": "日期", "x-kind": "date"},
          "sum": {"type": "string", "title": "金额", "x-kind": "money"}}}}}}}}}})";
  return legal::JsonSchema::FromJson(base::ParseJson(text, "schema").value(), "schema").value();
}

const Value* At(const std::vector<Value>& values, const std::string& path) {
  for (const Value& value : values) {
    if (value.path == path) return &value;
  }
  return nullptr;
}

TEST(Form, IsKnownByTheRowsOfItsParties) {
  EXPECT_TRUE(IsForm(kForm));
  EXPECT_FALSE(IsForm("原告：张三，男。\n序号｜证据\n1｜借条\n"));
}

TEST(Form, PartiesAndAgents) {
  Extraction result;
  ReadForm(kForm, nullptr, result);
  ASSERT_EQ(result.parties.size(), 3U);
  const Party& first = result.parties[0];
  EXPECT_EQ(first.side, "plaintiffs");
  EXPECT_EQ(At(first.fields, "sex")->value, "男");
  EXPECT_EQ(At(first.fields, "birth_date")->value, "1980-05-12");
  EXPECT_EQ(At(first.fields, "kind")->value, "natural");
  EXPECT_EQ(At(first.fields, "address")->state, State::kComputed);
  EXPECT_EQ(At(first.fields, "agents[0].firm")->value, "某某律师事务所");
  EXPECT_EQ(At(first.fields, "agents[0].authority")->value, "special");
  EXPECT_EQ(At(first.fields, "agents[0].powers[1]")->value, "上诉");
  EXPECT_EQ(At(result.parties[1].fields, "representative_post")->value, "执行董事");
  EXPECT_EQ(result.people,
            (std::vector<std::string>{"王建国", "恒远商贸有限公司", "李建业", "赵明"}));
  // No box ticked and 无: nothing.
  EXPECT_EQ(At(result.parties[2].fields, "sex"), nullptr);
  EXPECT_EQ(At(result.parties[2].fields, "address"), nullptr);
}

TEST(Form, StatutoryAgentsWithTheirFields) {
  Extraction result;
  ReadForm(
      "原告（自然人）｜姓名：孙小满↵法定代理人：李华（系孙小满的父亲），公民身份号码119901197001026"
      "116，"
      "住某市北城区育才路5号，联系电话13800000013\n",
      nullptr, result);
  ASSERT_EQ(result.parties.size(), 1U);
  const std::vector<Value>& fields = result.parties[0].fields;
  EXPECT_EQ(At(fields, "statutory_agent.name")->value, "李华");
  EXPECT_EQ(At(fields, "statutory_agent.relation")->value, "父亲");
  EXPECT_EQ(At(fields, "statutory_agent.id_number")->value, "119901197001026116");
  EXPECT_EQ(At(fields, "statutory_agent.address")->value, "某市北城区育才路5号");
  EXPECT_EQ(At(fields, "statutory_agent.phone")->value, "13800000013");
}

TEST(Form, RowsByTheTitlesOfTheSchema) {
  Extraction result;
  const legal::JsonSchema schema = Schema();
  const std::vector<Value> values = ReadForm(kForm, &schema, result);
  ASSERT_NE(At(values, "claims.principal.amount"), nullptr);
  EXPECT_EQ(At(values, "claims.principal.amount")->value, "100000元");
  EXPECT_EQ(At(values, "claims.principal.state")->value, "yes");
  EXPECT_EQ(At(values, "claims.interest.state"), nullptr);
  EXPECT_EQ(At(values, "court")->value, "某市东城区人民法院");
  EXPECT_EQ(At(values, "facts.delivery.deliveries[0].date")->value, "2024-03-01");
  EXPECT_EQ(At(values, "facts.delivery.deliveries[1].sum")->value, "80000元");
  EXPECT_EQ(At(values, "facts.delivery.deliveries[1].date"), nullptr);
}

TEST(Form, EveryValueStandsAtItsPlace) {
  Extraction result;
  const legal::JsonSchema schema = Schema();
  for (const Value& value : ReadForm(kForm, &schema, result)) {
    const std::string_view at = kForm.substr(value.begin, value.end - value.begin);
    EXPECT_FALSE(at.empty()) << value.path;
    EXPECT_EQ(at.find("｜"), std::string_view::npos) << value.path;
  }
}

}  // namespace
}  // namespace zhibi::extract
