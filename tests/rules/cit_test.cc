// SPDX-License-Identifier: Apache-2.0
// Rules on citations: the samples they were specified with (1 to 6 and 20) at their places, each
// with a twin that must be clean, the day before and the day itself, and who speaks.
#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "legal/date.h"
#include "rules/checker.h"
#include "rules/the_checker.h"

namespace zhibi::rules {
namespace {

struct Parts {
  std::string kind = "民事";
  std::string facts = "2024年5月1日，双方签订合同。";
  std::string reasons = "原告的请求有事实依据。";
  std::string basis = "依照《中华人民共和国民法典》第六百七十五条规定";
  std::string day = "二〇二六年三月一日";
};

std::string Document(const Parts& parts) {
  const bool criminal = parts.kind.starts_with("刑事");
  std::string text = "北京市朝阳区人民法院\n" + parts.kind + "判决书\n";
  text +=
      criminal
          ? "（2026）京0105刑初11号\n公诉机关北京市朝阳区人民检察院。\n被告人李四，男。\n"
            "北京市朝阳区人民检察院指控被告人李四犯交通肇事罪一案，本院依法公开开庭审理，现已审理"
            "终结。\n"
      : parts.kind == "行政"
          ? "（2026）京0105行初11号\n原告张三，男。\n被告北京市朝阳区某某局。\n"
            "原告张三不服行政处罚一案，本院依法公开开庭审理，现已审理终结。\n"
          : "（2026）京0105民初11号\n原告张三，男。\n被告李四，男。\n"
            "本院立案后，依法公开开庭审理了原告张三与被告李四合同纠纷一案，现已审理终结。\n";
  text += "经审理查明，" + parts.facts + "\n本院认为，" + parts.reasons + parts.basis +
          "，判决如下：\n一、驳回原告张三的诉讼请求。\n如不服本判决，可以在判决书送达之日起十五日内"
          "，向本院递交上诉状。\n审判员 王五\n" +
          parts.day + "\n书记员 赵六\n";
  return text;
}

Report CheckText(std::string_view text, const std::string& date = {},
                 nlohmann::json elements = {}) {
  CheckOptions options;
  options.today = legal::Date{2026, 12, 1};
  options.elements = std::move(elements);
  if (!date.empty()) options.date = *legal::ParseDate(date);
  Result<Report> report = TheChecker().Check(text, options);
  EXPECT_TRUE(report.ok()) << report.status().message();
  return report.ok() ? std::move(*report) : Report{};
}

// "CIT-08 error 《中华人民共和国合同法》", a line each, by place; infos left out.
std::vector<std::string> Cited(std::string_view text, const std::string& date = {},
                               nlohmann::json elements = {}, bool infos = false) {
  std::vector<std::string> out;
  for (const Finding& f : CheckText(text, date, std::move(elements)).findings) {
    if (!f.id.starts_with("CIT-") || (f.level == Level::kInfo && !infos)) continue;
    out.push_back(f.id + " " + std::string(LevelName(f.level)) + " " +
                  std::string(text.substr(f.span.begin, f.span.end - f.span.begin)));
  }
  return out;
}

using Lines = std::vector<std::string>;

TEST(CitationRules, Sample01RepealedLaw) {
  Parts parts;
  parts.basis = "依照《中华人民共和国合同法》第六十条规定";
  EXPECT_EQ(Cited(Document(parts)), Lines{"CIT-08 error 《中华人民共和国合同法》"});
  parts.facts = "2019年5月1日，双方签订合同。";
  EXPECT_EQ(Cited(Document(parts)), Lines{"CIT-08 warning 《中华人民共和国合同法》"});
  parts.day = "二〇二〇年十二月三十一日";
  EXPECT_EQ(Cited(Document(parts)), Lines{});
  parts.day = "二〇二一年一月一日";
  EXPECT_EQ(Cited(Document(parts)), Lines{"CIT-08 warning 《中华人民共和国合同法》"});
  parts.facts = "2021年1月1日，双方签订合同。";
  EXPECT_EQ(Cited(Document(parts)), Lines{"CIT-08 error 《中华人民共和国合同法》"});
  parts.day = "二〇一五年三月一日";
  parts.facts = "2014年5月1日，双方签订合同。";
  EXPECT_EQ(Cited(Document(parts)), Lines{});
}

TEST(CitationRules, Sample01ElementsDecide) {
  Parts parts;
  parts.facts = "双方于2010年2月1日结婚。";
  parts.basis = "依照《中华人民共和国合同法》第六十条规定";
  EXPECT_EQ(Cited(Document(parts), "", {{"facts", {{"loan_date", "2024-05-01"}}}}),
            Lines{"CIT-08 error 《中华人民共和国合同法》"});
  EXPECT_EQ(Cited(Document(parts), "", {{"facts", {{"loan_date", "2019-05-01"}}}}),
            Lines{"CIT-08 warning 《中华人民共和国合同法》"});
  EXPECT_EQ(Cited(Document(parts), "",
                  {{"plaintiff", {{"birth_date", "1980-05-01"}}}, {"loan_date", "2024-05-01"}}),
            Lines{"CIT-08 error 《中华人民共和国合同法》"});
}

TEST(CitationRules, Sample02NoSuchArticle) {
  const std::string text = "根据《中华人民共和国民法典》第一千四百三十八条，被告应当还款。";
  EXPECT_EQ(Cited(text), Lines{"CIT-06 error 第一千四百三十八条"});
  EXPECT_EQ(Cited(text, "2024-03-01"), Lines{"CIT-06 error 第一千四百三十八条"});
  EXPECT_EQ(Cited("根据《中华人民共和国民法典》第一千二百六十条，被告应当还款。"), Lines{});
  EXPECT_EQ(Cited("根据《中华人民共和国民法典》第一千二百六十一条，被告应当还款。"),
            Lines{"CIT-06 error 第一千二百六十一条"});
  EXPECT_EQ(Cited("根据《中华人民共和国民法典》第1258条至第1262条，被告应当还款。"),
            Lines{"CIT-06 error 第1258条至第1262条"});
}

TEST(CitationRules, Sample03RepealInTheYearOfTheJudgment) {
  Parts parts;
  parts.facts = "2026年8月20日，被告排放污水。";
  parts.basis = "依照《中华人民共和国环境保护法》第六条规定";
  parts.day = "二〇二六年九月一日";
  EXPECT_EQ(Cited(Document(parts)), Lines{"CIT-08 error 《中华人民共和国环境保护法》"});
  parts.facts = "2026年7月20日，被告排放污水。";
  parts.day = "二〇二六年八月一日";
  EXPECT_EQ(Cited(Document(parts)), Lines{});
  parts.day = "二〇二六年八月十四日";
  EXPECT_EQ(Cited(Document(parts)), Lines{});
  parts.day = "二〇二六年八月十五日";
  EXPECT_EQ(Cited(Document(parts)), Lines{"CIT-08 warning 《中华人民共和国环境保护法》"});
}

TEST(CitationRules, Sample04ArticleOfALawToCome) {
  Parts parts;
  parts.basis = "依照《中华人民共和国商标法》第八十条规定";
  parts.day = "二〇二六年十二月三十一日";
  EXPECT_EQ(Cited(Document(parts)), Lines{"CIT-06 error 第八十条"});
  parts.day = "二〇二七年一月一日";
  EXPECT_EQ(Cited(Document(parts)), Lines{});
  parts.basis = "依照《中华人民共和国商标法》第八十八条规定";
  EXPECT_EQ(Cited(Document(parts)), Lines{"CIT-06 error 第八十八条"});
}

TEST(CitationRules, Sample05LevelByBranch) {
  Parts parts;
  parts.kind = "刑事";
  parts.basis =
      "依照《中华人民共和国刑法》第一百三十三条、《中华人民共和国道路交通安全法实施条例》第六十二条"
      "规定";
  EXPECT_EQ(Cited(Document(parts)), Lines{"CIT-05 error 《中华人民共和国道路交通安全法实施条例》"});
  parts.kind = "刑事附带民事";
  EXPECT_EQ(Cited(Document(parts)), Lines{});
  parts.kind = "行政";
  parts.basis = "依照《中华人民共和国道路交通安全法实施条例》第六十二条规定";
  EXPECT_EQ(Cited(Document(parts)), Lines{});
}

TEST(CitationRules, Sample06Order) {
  const std::string interpretation =
      "《最高人民法院关于适用〈中华人民共和国民法典〉婚姻家庭编的解释（一）》第二条";
  Parts parts;
  parts.basis = "依照" + interpretation + "、《中华人民共和国民法典》第六百七十五条规定";
  EXPECT_EQ(Cited(Document(parts)),
            Lines{"CIT-04 warning " + interpretation + "、《中华人民共和国民法典》第六百七十五条"});
  parts.basis = "依照《中华人民共和国民法典》第六百七十五条、" + interpretation + "规定";
  EXPECT_EQ(Cited(Document(parts)), Lines{});
  parts.basis =
      "依照《中华人民共和国民事诉讼法》第六十七条、《中华人民共和国民法典》第六百七十五条规定";
  EXPECT_EQ(
      Cited(Document(parts)),
      Lines{"CIT-04 warning 《中华人民共和国民事诉讼法》第六十七条、《中华人民共和国民法典》第六百"
            "七十五条"});
  EXPECT_EQ(Cited("依照" + interpretation + "、《中华人民共和国民法典》第六百七十五条"),
            Lines{"CIT-04 warning " + interpretation + "、《中华人民共和国民法典》第六百七十五条"});
}

TEST(CitationRules, Sample20InterpretationLeftOut) {
  const std::string applied =
      "《最高人民法院关于适用〈中华人民共和国行政诉讼法〉的解释》第六十九条";
  Parts parts;
  parts.kind = "行政";
  parts.reasons = "根据" + applied + "，原告的起诉不符合条件。";
  parts.basis = "依照《中华人民共和国行政诉讼法》第六十九条规定";
  EXPECT_EQ(Cited(Document(parts)), Lines{"CIT-15 warning " + applied});
  parts.basis = "依照《中华人民共和国行政诉讼法》第六十九条、" + applied + "规定";
  EXPECT_EQ(Cited(Document(parts)), Lines{});
}

TEST(CitationRules, NamesInTheBasis) {
  Parts parts;
  parts.basis = "依照《民法典》第六百七十五条规定";
  EXPECT_EQ(Cited(Document(parts)), Lines{"CIT-01 warning 《民法典》"});
  parts.basis = "依照中华人民共和国民法典第六百七十五条规定";
  EXPECT_EQ(Cited(Document(parts)), Lines{"CIT-01 warning 中华人民共和国民法典"});
  parts.basis = "依照《中华人民共和国民法典》第六百七十五规定";
  EXPECT_EQ(Cited(Document(parts)), Lines{"CIT-02 warning 第六百七十五"});
  parts.basis = "依照《中华人民共和国民法典》六百七十五条规定";
  EXPECT_EQ(Cited(Document(parts)), Lines{"CIT-02 warning 六百七十五条"});
  parts.basis = "依照《中华人民共和国民法典》的规定";
  EXPECT_EQ(Cited(Document(parts)), Lines{"CIT-02 warning 《中华人民共和国民法典》"});
  parts.basis = "依照《中华人民共和国民法典》第三编的规定";
  EXPECT_EQ(Cited(Document(parts)), Lines{});
  parts.basis = "依照《中华人民共和国民法典》第六百七十五条前段的规定";
  EXPECT_EQ(Cited(Document(parts)), Lines{"CIT-11 warning 第六百七十五条前段"});
}

TEST(CitationRules, ABareNameBehindAFullOne) {
  EXPECT_EQ(
      Cited("本院认为，不符合《中华人民共和国民事诉讼法》第二百条的情形，依照中华人民共和国民事诉讼"
            "法第二百零四条，裁定如下："),
      Lines{"CIT-01 warning 中华人民共和国民事诉讼法"});
}

TEST(CitationRules, ParagraphsAndItems) {
  Parts parts;
  parts.basis = "依照《中华人民共和国民法典》第六百七十五条第二款规定";
  EXPECT_EQ(Cited(Document(parts)), Lines{"CIT-07 warning 第六百七十五条第二款"});
  parts.basis = "依照《中华人民共和国民法典》第一千零七十九条第三款第（六）项规定";
  EXPECT_EQ(Cited(Document(parts)), Lines{"CIT-07 warning 第一千零七十九条第三款第（六）项"});
  parts.basis = "依照《中华人民共和国民法典》第一千零七十九条第三款第（五）项规定";
  EXPECT_EQ(Cited(Document(parts)), Lines{});
}

TEST(CitationRules, NameThatIsNotInTheTable) {
  Parts parts;
  parts.basis = "依照《中华人民共和国劳动合同法实施细则》第二条规定";
  const std::string text = Document(parts);
  EXPECT_EQ(Cited(text), Lines{"CIT-03 warning 《中华人民共和国劳动合同法实施细则》"});
  for (const Finding& finding : CheckText(text).findings) {
    if (finding.id != "CIT-03") continue;
    EXPECT_NE(finding.suggestion.find("《中华人民共和国劳动合同法实施条例》"), std::string::npos)
        << finding.suggestion;
  }
  parts.basis = "依照《中华人民共和国民法点》第六百七十五条规定";
  EXPECT_EQ(Cited(Document(parts)), Lines{"CIT-03 warning 《中华人民共和国民法点》"});
  // Contracts and local regulations are no statutes of the table.
  parts.basis = "依照《借款合同》第二条、《某某公司管理规定》第三条规定";
  EXPECT_EQ(Cited(Document(parts)), Lines{});
  parts.basis = "依照《北京市物业管理条例》第二条规定";
  EXPECT_EQ(Cited(Document(parts), "", {}, true), Lines{"CIT-13 info 《北京市物业管理条例》"});
}

TEST(CitationRules, SingleMarksAroundAName) {
  Parts parts;
  for (const auto& [opens, closes] :
       {std::pair{"〈", "〉"}, std::pair{"<", ">"}, std::pair{"＜", "＞"}, std::pair{"‹", "›"}}) {
    parts.basis =
        std::string("依照") + opens + "中华人民共和国民法典" + closes + "第一千三百条规定";
    EXPECT_THAT(Cited(Document(parts)), testing::Contains("CIT-06 error 第一千三百条")) << opens;
    parts.basis =
        std::string("依照") + opens + "中华人民共和国民法典" + closes + "第六百七十五条规定";
    EXPECT_THAT(Cited(Document(parts)),
                testing::Not(testing::Contains(testing::HasSubstr("CIT-06"))));
  }
}

TEST(CitationRules, ShortNames) {
  Parts parts;
  parts.reasons = "根据《民诉法解释》第九十条，原告应当举证。";
  EXPECT_EQ(Cited(Document(parts)), Lines{"CIT-12 warning 《民诉法解释》"});
  parts.reasons =
      "根据《最高人民法院关于适用〈中华人民共和国民事诉讼法〉的解释》（以下简称《民诉法解释》）第九"
      "十条"
      "，原告应当举证。根据《民诉法解释》第九十一条，也是如此。";
  EXPECT_EQ(Cited(Document(parts)), Lines{});
}

TEST(CitationRules, ReferencesMeanTheLawInFront) {
  Parts parts;
  parts.reasons =
      "根据《中华人民共和国民法典》第六百七十五条，以及该法第一千三百条，被告应当还款。";
  EXPECT_EQ(Cited(Document(parts)), Lines{"CIT-06 warning 第一千三百条"});
  parts.reasons =
      "根据《中华人民共和国民法典》第六百七十五条，以及该法第五百零九条，被告应当还款。";
  EXPECT_EQ(Cited(Document(parts)), Lines{});
}

TEST(CitationRules, NotYetInForce) {
  Parts parts;
  parts.facts = "2019年5月1日，双方签订合同。";
  parts.day = "二〇二〇年十二月三十一日";
  EXPECT_EQ(Cited(Document(parts)), Lines{"CIT-09 error 《中华人民共和国民法典》"});
  parts.day = "二〇二一年一月一日";
  EXPECT_EQ(Cited(Document(parts)), Lines{});
}

TEST(CitationRules, VersionOfAnotherDay) {
  Parts parts;
  parts.basis = "依照《中华人民共和国公司法》（2018年修正）第二十条规定";
  EXPECT_EQ(Cited(Document(parts)).size(), 0U);  // the facts of May 2024 are older than July 2024
  parts.facts = "2025年5月1日，双方签订合同。";
  EXPECT_EQ(Cited(Document(parts)), Lines{"CIT-10 warning 《中华人民共和国公司法》"});
  parts.basis = "依照《中华人民共和国公司法》（2023年修订）第二十条规定";
  EXPECT_EQ(Cited(Document(parts)), Lines{});
  parts.basis = "依照《中华人民共和国民法典》第六百七十五条规定";
  EXPECT_EQ(Cited(Document(parts), "", {{"loan_date", "2019-05-01"}}),
            Lines{"CIT-10 warning 《中华人民共和国民法典》"});
  EXPECT_EQ(Cited(Document(parts), "", {{"loan_date", "2021-01-01"}}), Lines{});
}

TEST(CitationRules, WhatOthersSayIsNoError) {
  Parts parts;
  parts.facts = "2024年5月1日，双方签订合同。";
  std::string text = Document(parts);
  const std::string claim =
      "原告张三诉称，根据《中华人民共和国合同法》第六十条，被告应当还款。\n经审理查明";
  text.replace(text.find("经审理查明"), std::string_view("经审理查明").size(), claim);
  EXPECT_EQ(Cited(text), Lines{"CIT-08 warning 《中华人民共和国合同法》"});
  parts.reasons = "被告主张应当适用《中华人民共和国合同法》第六十条，理由不能成立。";
  EXPECT_EQ(Cited(Document(parts)), Lines{"CIT-08 warning 《中华人民共和国合同法》"});
  // What the appendix quotes is not this document's statement.
  EXPECT_EQ(Cited(Document({}) + "附：《中华人民共和国合同法》第六十条\n"), Lines{});
}

TEST(CitationRules, AnEllipsisIsAPartialQuotation) {
  Parts parts;
  parts.reasons = "《中华人民共和国民法典》第六百七十五条规定：“借款人应当……返还借款。”";
  EXPECT_EQ(Cited(Document(parts)), Lines{"CIT-11 warning 借款人应当……返还借款。"});
}

TEST(CitationRules, TheReportSaysTheSnapshot) {
  const Report report = CheckText(Document({}));
  EXPECT_EQ(report.statutes_as_of.size(), 10U);
  CheckOptions late;
  late.today = legal::Date{2035, 1, 1};
  const Result<Report> stale = TheChecker().Check(Document({}), late);
  ASSERT_TRUE(stale.ok());
  EXPECT_TRUE(std::any_of(stale->notes.begin(), stale->notes.end(), [](const std::string& note) {
    return note.find("法规表") != std::string::npos;
  }));
}

}  // namespace
}  // namespace zhibi::rules
