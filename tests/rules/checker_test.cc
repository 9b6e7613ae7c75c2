// SPDX-License-Identifier: Apache-2.0
// The samples that the rules were specified with (issue of the rule engine, sample numbers in the
// names), each with its rule, its place and a twin that must be clean; whole documents that must be
// clean; what the engine refuses.
#include "rules/checker.h"

#include <algorithm>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/file.h"
#include "base/json.h"
#include "base/utf8.h"
#include "legal/document.h"

namespace zhibi::rules {
namespace {

const Checker& TheChecker() {
  static const Checker* const checker = [] {
    Result<Checker> loaded = Checker::Load(ZHIBI_SOURCE_DIR "/data");
    if (!loaded.ok()) {
      ADD_FAILURE() << loaded.status().message();
      std::abort();
    }
    return new Checker(std::move(*loaded));  // NOLINT(cppcoreguidelines-owning-memory): for all
  }();
  return *checker;
}

Report CheckText(std::string_view text, Publish publish = Publish::kNone) {
  CheckOptions options;
  options.publish = publish;
  options.today = legal::Date{2026, 12, 1};
  Result<Report> report = TheChecker().Check(text, options);
  EXPECT_TRUE(report.ok()) << report.status().message();
  return report.ok() ? std::move(*report) : Report{};
}

std::string Listed(const Report& report, std::string_view text) {
  std::string out;
  for (const Finding& f : report.findings) {
    out += f.id + " 【" + std::string(text.substr(f.span.begin, f.span.end - f.span.begin)) +
           "】 " + f.message + "\n";
  }
  return out;
}

struct Sample {
  const char* name;
  const char* id;     // empty: nothing but infos may be found
  const char* place;  // the words that the finding's span covers or lies in
  const char* text;
  Publish publish = Publish::kNone;
};

void PrintTo(const Sample& sample, std::ostream* out) { *out << sample.name; }

const Sample kSamples[] = {
    {"S07_InventedNumber", "CASE-02", "（2022）沪01民终12345号",
     "本院参照（2022）沪01民终12345号民事判决。"},
    {"S07_WrongProvince", "CASE-01", "（2024）贵0102民初1号", "原审案号为（2024）贵0102民初1号。"},
    {"S08_CheckDigit", "ENT-04", "110105194912310021",
     "原告张三，男，公民身份号码110105194912310021。"},
    {"S08_Sex", "ENT-06", "11010519491231002X",
     "原告张三，男，1949年12月31日出生，公民身份号码11010519491231002X。"},
    {"S08_Clean", "", "", "原告张三，女，1949年12月31日出生，公民身份号码11010519491231002X。"},
    {"S09_CreditCode", "ENT-05", "91330100799655058C",
     "原告甲公司，统一社会信用代码91330100799655058C。"},
    {"S09_Clean", "", "", "原告甲公司，统一社会信用代码91330100799655058B。"},
    {"S10_Clean", "", "", "借款人民币107000.53元（大写：壹拾万零柒仟元伍角叁分）。"},
    {"S10_Capital", "AMT-01", "107000.53元（大写：壹拾柒万元伍角叁分",
     "借款人民币107000.53元（大写：壹拾柒万元伍角叁分）。"},
    {"S11_AboveTheCap", "AMT-04", "18%",
     "借款合同\n出借人：张三\n借款人：李四\n2022年3月1日，双方约定借款10万元，年利率18%"
     "。\n2022年3月"
     "1日"},
    {"S12_FullAuthority", "POA-01", "全权代理",
     "授权委托书\n委托人：张三\n受委托人：李四，某律师事务所律师\n委托权限：全权代理。期限至本案终"
     "结止"
     "。\n委托人：张三\n2026年3月1日"},
    {"S13_DivorceIsNotPublished", "RED-04", "离婚",
     "北京市朝阳区人民法院\n民事判决书\n（2024）京0105民初11号\n原告张某与被告李某离婚纠纷一案，现"
     "已审理"
     "终结。",
     Publish::kP2},
    {"S14_MaskedNumber", "RED-09", "（2024）京××民终××号",
     "北京市第一中级人民法院\n民事判决书\n（2024）京××民终××号\n上诉人张某。", Publish::kP2},
    {"S15_PaymentOrder", "PAY-01", "逾期利息",
     "支付令申请书\n申请人：张三\n请求事项：给付货款5万元及逾期利息。\n事实：双方未约定逾期利息。"},
    {"S16_SecurityBeforeAction", "PRS-01", "30%",
     "诉前财产保全申请书\n申请人：张三\n请求保全10万元。申请人提供保全数额30%的担保。"},
    {"S17_Clean", "", "", "诉讼标的额100000元，案件受理费2300元，由被告负担。"},
    {"S17_Fee", "FEE-01", "2500元", "诉讼标的额100000元，案件受理费2500元，由被告负担。"},
    {"S17_Half", "", "", "本案适用简易程序。诉讼标的额100000元，案件受理费减半收取1150元。"},
    {"S18_Enforceable", "ENF-01", "被告于判决生效后支付原告欠款",
     "某某人民法院\n民事判决书\n（2024）京0105民初11号\n原告张三，男。\n依照《中华人民共和国民法典"
     "》第六百"
     "七十五条规定，判决如下：\n被告于判决生效后支付原告欠款。\n审判员 王五\n二〇二四年三月一日"},
    {"S19_Clean", "", "",
     "加倍部分债务利息按日万分之一点七五计算，本金100000元，100天，计1750元。"},
    {"S19_DoubledInterest", "INT-01", "1950元",
     "加倍部分债务利息按日万分之一点七五计算，本金100000元，100天，计1950元。"},
};

class SampleTest : public testing::TestWithParam<Sample> {};

TEST_P(SampleTest, IsFoundAtItsPlace) {
  const Sample& sample = GetParam();
  const std::string_view text = sample.text;
  const Report report = CheckText(text, sample.publish);
  if (std::string_view(sample.id).empty()) {
    for (const Finding& finding : report.findings) {
      EXPECT_EQ(finding.level, Level::kInfo) << Listed(report, text);
    }
    return;
  }
  const std::size_t begin = text.find(sample.place);
  ASSERT_NE(begin, std::string_view::npos);
  const std::size_t end = begin + std::string_view(sample.place).size();
  const auto at_place = [&](const Finding& finding) {
    const bool inside = finding.span.begin >= begin && finding.span.end <= end;
    const bool around = finding.span.begin <= begin && finding.span.end >= end;
    return finding.id == sample.id && finding.span.end > finding.span.begin && (inside || around);
  };
  EXPECT_TRUE(std::any_of(report.findings.begin(), report.findings.end(), at_place))
      << Listed(report, text);
}

INSTANTIATE_TEST_SUITE_P(Samples, SampleTest, testing::ValuesIn(kSamples),
                         [](const auto& info) { return std::string(info.param.name); });

TEST(CheckerTest, SpansCountCodePointsAlsoBehindRareCharacters) {
  // 𠮷 is four bytes and one code point; full-width digits are evened for the rules only.
  const std::string text = "原告𠮷野，公民身份号码１１０１０５１９４９１２３１００２１。";
  const Report report = CheckText(text);
  ASSERT_FALSE(report.findings.empty());
  const Finding& finding = report.findings.front();
  EXPECT_EQ(finding.id, "ENT-04");
  EXPECT_EQ(finding.characters.begin, 11U);
  EXPECT_EQ(finding.characters.end, 29U);
  EXPECT_EQ(base::CountCodePoints(std::string_view(text).substr(0, finding.span.begin)), 11U);
}

TEST(CheckerTest, MaskedTextIsNotThere) {
  const std::string text =
      "北京市朝阳区人民法院\n民事判决书\n（2024）京0105民初11号\n原告：张某某，男，公民身份号码"
      "1101051949＊＊＊＊0021。\n被告：李某，女，住××市。\n";
  for (const Finding& finding : CheckText(text).findings) {
    EXPECT_NE(finding.level, Level::kError) << finding.id << " " << finding.message;
  }
}

TEST(CheckerTest, SiblingsAreNoVariantsOfOneName) {
  const std::string text =
      "民事起诉状\n原告：王建国，男。\n原告：王建军，男。\n被告：李四，女。\n诉讼请求：\n一、判令被"
      "告向王建国"
      "、王建军返还借款。\n事实与理由\n王建国与王建军系兄弟。\n此致\n北京市朝阳区人民法院\n具状人："
      "王建国、"
      "王建军\n2026年3月1日\n";
  for (const Finding& finding : CheckText(text).findings) {
    EXPECT_FALSE(finding.id.starts_with("ENT-")) << finding.id << " " << finding.message;
  }
}

TEST(CheckerTest, AVerbAfterARoleIsNoName) {
  const std::string head =
      "民事起诉状\n原告：王建国，男。\n被告：李四，女。\n诉讼请求：\n一、判令被告返还借款。\n事实与"
      "理由\n";
  const auto unknown = [&](const std::string& body) {
    std::size_t count = 0;
    for (const Finding& f : CheckText(head + body).findings) count += f.id == "ENT-01" ? 1 : 0;
    return count;
  };
  EXPECT_EQ(unknown("证据拟证明原告催收的经过。\n"), 0U);
  EXPECT_EQ(unknown("被告赵六向原告借款。\n"), 1U);
}

TEST(CheckerTest, ADocumentsOwnLabelIsALabel) {
  legal::Document document;
  document.title = "民事起诉状";
  legal::Block block;
  block.paragraph.runs.push_back({"原告与被告系朋友关系。", legal::RunSource::kModel, "", false});
  document.blocks.push_back(block);
  const auto unlabelled = [&] {
    CheckOptions options;
    options.document = &document;
    const Result<Report> report = TheChecker().Check(legal::PlainText(document), options);
    return report.ok() && std::any_of(report->findings.begin(), report->findings.end(),
                                      [](const Finding& f) { return f.id == "AI-02"; });
  };
  EXPECT_TRUE(unlabelled());
  document.ai_label = "（由人工智能辅助生成）";
  EXPECT_FALSE(unlabelled());
}

TEST(CheckerTest, Refuses) {
  EXPECT_EQ(TheChecker().Check("\xFF", {}).status().code(), StatusCode::kInvalidArgument);
  EXPECT_EQ(TheChecker().Check(std::string(Checker::kMaxBytes + 1, 'a'), {}).status().code(),
            StatusCode::kResourceExhausted);
  EXPECT_TRUE(TheChecker().Check("", {}).ok());
  EXPECT_FALSE(Checker::Load("/no/such/folder").ok());
}

TEST(RuleSetTest, DataIsCheckedAndNamed) {
  const auto load = [](const char* text) {
    return RuleSet::FromJson(nlohmann::json::parse(text), "rules.json").status();
  };
  EXPECT_FALSE(load("{}").ok());
  EXPECT_FALSE(load(R"({"version": "1", "rules": [{"id": "X-01"}]})").ok());
  const Status status =
      load(R"({"version": "1", "rules": [{"id": "X-01", "level": "loud", "zh": "a", "en": "b"}]})");
  ASSERT_FALSE(status.ok());
  EXPECT_NE(status.message().find("rules.json"), std::string::npos) << status.message();
}

TEST(RuleSetTest, EveryRuleStatesItselfInTwoLanguages) {
  for (const RuleInfo& rule : TheChecker().rules().rules()) {
    EXPECT_FALSE(rule.zh.empty()) << rule.id;
    EXPECT_FALSE(rule.en.empty()) << rule.id;
  }
  EXPECT_GT(TheChecker().rules().rules().size(), 40U);
}

}  // namespace
}  // namespace zhibi::rules
