// SPDX-License-Identifier: Apache-2.0
// What the engine promises whatever the rules are: spans, masked text, names, labels, what it
// refuses. The samples that the rules were specified with are in samples_test.cc, whole documents
// in clean_test.cc.
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
#include "rules/the_checker.h"

namespace zhibi::rules {
namespace {

Report CheckText(std::string_view text, Publish publish = Publish::kNone) {
  CheckOptions options;
  options.publish = publish;
  options.today = legal::Date{2026, 12, 1};
  Result<Report> report = TheChecker().Check(text, options);
  EXPECT_TRUE(report.ok()) << report.status().message();
  return report.ok() ? std::move(*report) : Report{};
}

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
