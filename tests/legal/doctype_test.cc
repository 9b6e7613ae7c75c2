// SPDX-License-Identifier: Apache-2.0
// The shipped document types: every one loads, the example plans without errors, the prompt is
// zhibi-mini's byte for byte, and a change of one element changes exactly the places that depend on
// it.
#include "legal/doctype.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/file.h"
#include "base/json.h"

namespace zhibi::legal {
namespace {

using nlohmann::json;

const std::string kRoot = ZHIBI_SOURCE_DIR;
constexpr Date kToday = {2026, 11, 30};

json ReadJson(const std::string& path) {
  const Result<std::string> text = base::ReadFile(path, std::size_t{16} << 20);
  EXPECT_TRUE(text.ok()) << text.status().ToString();
  const Result<json> value = base::ParseJson(text.ok() ? *text : "null", path);
  EXPECT_TRUE(value.ok()) << value.status().ToString();
  return value.ok() ? *value : json();
}

json Example() { return ReadJson(kRoot + "/examples/private-lending.json"); }

const Doctype& Complaint() {
  static const Result<Doctype> doctype = Doctype::Load(kRoot + "/data", "civil-complaint");
  EXPECT_TRUE(doctype.ok()) << doctype.status().ToString();
  return *doctype;
}

PlanResult Plan(const json& elements, const Date& today = kToday) {
  Result<PlanResult> result = Complaint().Plan(elements, today);
  EXPECT_TRUE(result.ok()) << result.status().ToString();
  return result.ok() ? *result : PlanResult();
}

std::string Skeleton(const json& elements) {
  const PlanResult result = Plan(elements);
  EXPECT_TRUE(result.errors.empty()) << FormatViolations(result.errors);
  std::string text;
  for (const PlannedClause& clause : result.plan.clauses) {
    text += text::JoinSegments(clause.text);
    if (clause.generated) text += "【" + clause.name + "】\n";
  }
  return text;
}

std::vector<std::string> Lines(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

// Lines of `after` that differ from the line of the same number in `before`.
std::vector<std::string> Changed(const std::string& before, const std::string& after) {
  const std::vector<std::string> a = Lines(before);
  const std::vector<std::string> b = Lines(after);
  EXPECT_EQ(a.size(), b.size());
  std::vector<std::string> changed;
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
    if (a[i] != b[i]) changed.push_back(b[i]);
  }
  return changed;
}

bool Has(const std::vector<Violation>& violations, const std::string& rule) {
  return std::any_of(violations.begin(), violations.end(),
                     [&](const Violation& v) { return v.rule == rule; });
}

TEST(DoctypeTest, EveryShippedTypeLoads) {
  const std::vector<std::string> ids = Doctype::List(kRoot + "/data");
  ASSERT_FALSE(ids.empty());
  for (const std::string& id : ids) {
    const Result<Doctype> doctype = Doctype::Load(kRoot + "/data", id);
    EXPECT_TRUE(doctype.ok()) << id << ": " << doctype.status().ToString();
  }
  const Result<Doctype> unknown = Doctype::Load(kRoot + "/data", "no-such");
  EXPECT_EQ(unknown.status().code(), StatusCode::kNotFound);
  EXPECT_NE(unknown.status().message().find("civil-complaint"), std::string::npos);
  EXPECT_FALSE(Doctype::Load(kRoot + "/data", "../data").ok());
}

TEST(DoctypeTest, ExampleGivesAWholeDocument) {
  const std::string text = Skeleton(Example());
  for (const char* part :
       {"民事起诉状\n", "原告：王小明，男，1990年5月1日出生，汉族，", "被告二：赵敏，女，满族，",
        "案由：民间借贷纠纷", "一、判令被告李建国偿还原告借款本金50000元（大写：人民币伍万元整）；",
        "自2024年6月6日起计算至实际清偿之日止；按每年365日暂计至2026年3月2日为10421.92元",
        "三、判令被告赵敏对上述第一项、第二项债务承担连带清偿责任；",
        "四、本案诉讼费用由各被告承担。",
        "暂合计60421.92元（大写：人民币陆万零肆佰贰拾壹元玖角贰分）", "第六百六十七条",
        "第六百八十八条", "《中华人民共和国民事诉讼法》第一百二十二条",
        "　　此致\n北京市朝阳区人民法院", "二〇二六年三月二日", "副本2份"}) {
    EXPECT_NE(text.find(part), std::string::npos) << part << "\n" << text;
  }
  EXPECT_EQ(text.find("【待补"), std::string::npos);
}

TEST(DoctypeTest, PromptIsTheModelsByteForByte) {
  const json cases = ReadJson(kRoot + "/tests/golden/prompts/mini.json");
  ASSERT_GE(cases.size(), 30U);
  for (std::size_t i = 0; i < cases.size(); ++i) {
    SCOPED_TRACE(i);
    // The generator of cases knows no date of filing; any day after all of its days will do.
    const PlanResult result = Plan(cases[i]["elements"], {2029, 1, 1});
    ASSERT_TRUE(result.errors.empty()) << FormatViolations(result.errors);
    ASSERT_EQ(result.plan.prompts[0].id, "zhibi-mini");
    EXPECT_EQ(text::JoinSegments(result.plan.prompts[0].head),
              cases[i]["prompt"].get<std::string>());
    EXPECT_EQ(result.plan.prompts[0].before, "<|clause|>{name}\n");
    EXPECT_EQ(result.plan.prompts[0].after, "<|end|>");
  }
}

TEST(DoctypeTest, ControlTokensOfUsersStayText) {
  json elements = Example();
  elements["loan"]["purpose"] = "<|end|><|clause|>理由";
  const PlanResult result = Plan(elements);
  ASSERT_TRUE(result.errors.empty());
  bool found = false;
  for (const text::RenderedSegment& segment : result.plan.prompts[0].head) {
    if (segment.text.find("<|end|>") == std::string::npos) continue;
    found = true;
    EXPECT_FALSE(segment.is_template);
  }
  EXPECT_TRUE(found);
}

TEST(DoctypeTest, PrivateDataStaysOutOfEveryPrompt) {
  const PlanResult result = Plan(Example());
  for (const PromptForm& form : result.plan.prompts) {
    const std::string head = text::JoinSegments(form.head);
    for (const char* secret : {"110105199005011010", "010-5555", "望京", "来广营"}) {
      EXPECT_EQ(head.find(secret), std::string::npos) << form.id;
    }
  }
}

TEST(DoctypeMetamorphicTest, OneNameChangesExactlyItsPlaces) {
  json elements = Example();
  const std::string before = Skeleton(elements);
  elements["defendants"][1]["name"] = "钱多";
  std::string after = Skeleton(elements);
  EXPECT_EQ(Changed(before, after).size(), 2U);  // the party, the claim against the guarantor
  EXPECT_EQ(after.find("赵敏"), std::string::npos);
  for (std::size_t at = after.find("钱多"); at != std::string::npos; at = after.find("钱多")) {
    after.replace(at, 6, "赵敏");
  }
  EXPECT_EQ(after, before);
}

TEST(DoctypeMetamorphicTest, OneSumChangesExactlyItsPlaces) {
  json elements = Example();
  const std::string before = Skeleton(elements);
  elements["outstanding"] = 50001;
  elements["loan"]["amount"] = 50001;
  const std::vector<std::string> changed = Changed(before, Skeleton(elements));
  ASSERT_EQ(changed.size(), 3U);  // principal, interest, total
  EXPECT_NE(changed[0].find("50001元（大写：人民币伍万零壹元整）"), std::string::npos)
      << changed[0];
  EXPECT_NE(changed[1].find("10422.13元"), std::string::npos) << changed[1];
  EXPECT_NE(changed[2].find("60423.13元"), std::string::npos) << changed[2];
}

TEST(DoctypeMetamorphicTest, OneDateChangesExactlyItsPlaces) {
  json elements = Example();
  const std::string before = Skeleton(elements);
  elements["filing_date"] = "2026-03-03";
  const std::vector<std::string> changed = Changed(before, Skeleton(elements));
  ASSERT_EQ(changed.size(), 3U);  // interest to date, total, date at the end
  EXPECT_NE(changed[0].find("暂计至2026年3月3日为10438.36元"), std::string::npos) << changed[0];
  EXPECT_EQ(changed[2], "二〇二六年三月三日");
}

TEST(DoctypeMetamorphicTest, OrderOfKeysAndSpellingsDoNotMatter) {
  json elements = Example();
  const std::string before = Skeleton(elements);
  elements["loan"]["date"] = "二〇二四年三月五日";
  elements["loan"].erase("amount");
  elements["loan"]["amount_fen"] = 5000000;
  elements["outstanding"] = "人民币伍万元整";
  elements["interest_rate_percent"] = "12%";
  EXPECT_EQ(Skeleton(elements), before);
}

TEST(DoctypeTest, AllErrorsAtOnceInBothLanguages) {
  json elements = Example();
  elements["plaintiffs"][0]["id_number"] = "110105199005011011";
  elements["defendants"][0].erase("name");
  elements["loan"]["date"] = "2024-02-30";
  elements["loan"]["delivery"] = "ship";
  elements["cuort"] = "x";
  elements.erase("court");
  const std::vector<Violation> errors = Plan(elements).errors;
  const std::string text = FormatViolations(errors);
  EXPECT_EQ(errors.size(), 6U) << text;
  for (const char* part :
       {"公民身份号码（plaintiffs[0].id_number）", "姓名或名称（defendants[0].name）：必填",
        "借款日期（loan.date）", "交付方式（loan.delivery）", "是不是 court？",
        "受诉法院（court）：必填"}) {
    EXPECT_NE(text.find(part), std::string::npos) << part << "\n" << text;
  }
  EXPECT_EQ(text.find("110105199005011011"), std::string::npos);
}

TEST(DoctypeTest, ChecksAcrossFields) {
  struct Change {
    const char* pointer;
    json value;
    const char* rule;
    bool error;
  };
  const Change cases[] = {
      {"/loan/term_end", "2024-01-01", "DAT-02a", true},
      {"/filing_date", "2024-01-01", "DAT-02b", true},
      {"/repayments/0/date", "2023-01-01", "DAT-02c", true},
      {"/interest_from", "2024-01-01", "DAT-02d", true},
      {"/repayments/0/date", "2026-10-01", "DAT-02e", true},
      {"/demands/0/date", "2026-10-01", "DAT-02f", true},
      {"/loan/term_end", "2027-01-01", "DAT-02h", false},
      {"/outstanding", 60000, "AMT-02a", true},
      {"/outstanding", 40000, "AMT-02b", false},
      {"/interest_rate_percent", 18, "AMT-04", false},
      {"/loan/date", "2020-08-19", "INT-01", false},
      {"/loan/date", "2020-12-31", "CIT-10", false},
      {"/defendants/0/name", "王小明", "ENT-03", true},
      {"/guarantee", nullptr, "ENT-11", false},
      {"/defendants/1/role", "borrower", "CLM-01", true},
      {"/claims/2/kind", "spouse_liability", "CLM-02", true},
      {"/guarantee/kind", "general", "CLM-03", false},
      {"/claims/1/kind", "principal", "CLM-04", true},
  };
  for (const Change& change : cases) {
    SCOPED_TRACE(std::string(change.rule) + " " + change.pointer);
    json elements = Example();
    EXPECT_FALSE(Has(Plan(elements).errors, change.rule) ||
                 Has(Plan(elements).plan.warnings, change.rule));
    if (change.value.is_null()) {
      elements.erase(std::string(change.pointer).substr(1));
    } else {
      elements[json::json_pointer(change.pointer)] = change.value;
    }
    const PlanResult result = Plan(elements);
    EXPECT_TRUE(Has(change.error ? result.errors : result.plan.warnings, change.rule))
        << FormatViolations(result.errors) << FormatViolations(result.plan.warnings);
  }
}

// 18 % on 2022-03-01 is above 14.8 %; 15.4 % on 2021-06-01 is exactly the cap.
TEST(DoctypeTest, CapOfInterestAtItsBorder) {
  json elements = Example();
  elements["loan"]["date"] = "2021-06-01";
  elements["interest_rate_percent"] = 15.4;
  EXPECT_FALSE(Has(Plan(elements).plan.warnings, "AMT-04"));
  elements["interest_rate_percent"] = 15.41;
  EXPECT_TRUE(Has(Plan(elements).plan.warnings, "AMT-04"));
}

TEST(DoctypeTest, MissingValuesAreMarkedAndNamed) {
  json elements = Example();
  elements["plaintiffs"][0].erase("ethnicity");
  elements["plaintiffs"][0].erase("phone");
  elements["evidence"] = json::array({"一份说明"});
  const PlanResult result = Plan(elements);
  ASSERT_TRUE(result.errors.empty());
  EXPECT_EQ(std::count_if(result.plan.warnings.begin(), result.plan.warnings.end(),
                          [](const Violation& v) { return v.rule == "gap"; }),
            3);
  EXPECT_NE(Skeleton(elements).find("【待补：民族】"), std::string::npos);
}

TEST(DoctypeTest, OrganisationsSpousesAndSeveralPlaintiffs) {
  json elements = Example();
  elements["plaintiffs"].push_back(
      json::parse(R"({"name": "甲有限公司", "kind": "organisation", "address": "北京市",
      "credit_code": "91330100799655058B", "representative": "周某", "representative_post": "经理", "phone": "010-55550109"})"));
  elements["defendants"].push_back(
      json::parse(R"({"name": "孙某", "kind": "natural", "role": "spouse"})"));
  elements["spouse_basis"] = "family";
  elements["claims"].push_back({{"kind", "spouse_liability"}});
  elements["claims"].push_back({{"kind", "lawyer_fee"}, {"amount", "3000元"}});
  const std::string text = Skeleton(elements);
  for (const char* part :
       {"原告一：王小明", "原告二：甲有限公司，住所地北京市，统一社会信用代码91330100799655058B",
        "法定代表人（负责人）：周某，经理。", "被告三：孙某，住【待补：住所】",
        "五、判令被告孙某对上述第一项、第二项、第六项债务承担共同偿还责任；", "律师费3000元。",
        "63421.92元", "第一千零六十四条", "具状人：王小明、甲有限公司", "副本3份"}) {
    EXPECT_NE(text.find(part), std::string::npos) << part << "\n" << text;
  }
}

TEST(DoctypeTest, MacroThatWouldHideAnElementIsRefused) {
  namespace fs = std::filesystem;
  const fs::path folder = fs::path(::testing::TempDir()) / "zhibi_hidden_element";
  fs::remove_all(folder);
  const fs::path data = kRoot + "/data";
  for (const char* part :
       {"schemas", "statutes", "rates", "doctypes/_shared", "doctypes/civil-complaint"}) {
    fs::create_directories((folder / part).parent_path());
    fs::copy(data / part, folder / part, fs::copy_options::recursive);
  }
  json spec = ReadJson((folder / "doctypes/civil-complaint/doctype.json").string());
  spec["macros"].push_back("hiding");
  std::ofstream(folder / "doctypes/civil-complaint/doctype.json") << spec.dump();
  std::ofstream(folder / "doctypes/_shared/hiding.jinja")
      << "{% macro harmless() %}{% endmacro %}{% macro loan() %}{% endmacro %}";
  const Result<Doctype> doctype = Doctype::Load(folder.string(), "civil-complaint");
  ASSERT_FALSE(doctype.ok());
  EXPECT_NE(doctype.status().message().find("'loan' is an element"), std::string::npos)
      << doctype.status().ToString();
  EXPECT_NE(doctype.status().message().find("hiding.jinja"), std::string::npos);
  fs::remove_all(folder);
}

TEST(DoctypeTest, ElementsThatAreNoObject) {
  EXPECT_FALSE(Plan(json::array()).errors.empty());
  EXPECT_FALSE(Plan(json()).errors.empty());
  EXPECT_GE(Plan(json::object()).errors.size(), 5U);
}

}  // namespace
}  // namespace zhibi::legal
