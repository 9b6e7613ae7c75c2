// SPDX-License-Identifier: Apache-2.0
// Case numbers, courts, causes of action, patterns.
#include <string>

#include <gtest/gtest.h>

#include "entity/case_number.h"
#include "entity/causes.h"
#include "entity/courts.h"
#include "entity/pattern.h"

namespace zhibi::entity {
namespace {

const std::string kData = std::string(ZHIBI_SOURCE_DIR) + "/data";

TEST(CaseNumbers, NewForm) {
  const CaseNumbers numbers = CaseNumbers::Load(kData).value();
  const CaseNumber number = numbers.Parse("（2024）京0105民初1234号之一，").value();
  EXPECT_EQ(number.year, 2024);
  EXPECT_EQ(number.court, "京0105");
  EXPECT_EQ(number.type, "民初");
  EXPECT_EQ(number.number, "1234");
  EXPECT_EQ(number.sub, "之一");
  EXPECT_EQ(number.level, CourtLevel::kBasic);
  ASSERT_NE(number.known_type, nullptr);
  EXPECT_EQ(number.known_type->next, "民终");
  EXPECT_EQ(numbers.Parse("（2020）最高法知民终1号")->level, CourtLevel::kSupreme);
  EXPECT_EQ(numbers.Parse("（2020）苏民终1号")->level, CourtLevel::kHigh);
  EXPECT_EQ(numbers.Parse("（2020）苏05民终1号")->level, CourtLevel::kIntermediate);
  EXPECT_TRUE(numbers.Parse("(2020)苏05民终1号")->half_width_brackets);
  EXPECT_TRUE(numbers.Parse("（2020）苏05民终×××号")->masked);
}

TEST(CaseNumbers, OldForm) {
  const CaseNumbers numbers = CaseNumbers::Load(kData).value();
  const CaseNumber number = numbers.Parse("（2012）江宁开民初字第646号").value();
  EXPECT_TRUE(number.old_form);
  EXPECT_EQ(number.court, "江宁开");
  EXPECT_EQ(number.type, "民初");
  EXPECT_EQ(numbers.Parse("（2014）濮中法刑二终字第00097号")->type, "刑二终");
  EXPECT_NE(numbers.Parse("（2014）濮中法刑二终字第00097号")->known_type, nullptr);
  EXPECT_FALSE(numbers.Parse("（2024）第三条").ok());
  EXPECT_EQ(numbers.LetterOf("贵州省"), "黔");
}

TEST(Courts, NamesAndCodes) {
  const Courts courts = Courts::Load(kData).value();
  EXPECT_GE(courts.size(), 270U);
  EXPECT_EQ(courts.CodeOf("云南省昆明市中级人民法院"), "云01");
  EXPECT_EQ(courts.CodeOf("昆明市中级人民法院"), "云01");
  EXPECT_EQ(courts.NameOf("最高法"), "最高人民法院");
  EXPECT_EQ(courts.NameOf("京9999"), "");
  EXPECT_EQ(LevelOfCourtName("江苏省高级人民法院"), CourtLevel::kHigh);
  EXPECT_EQ(LevelOfCourtName("青岛海事法院"), CourtLevel::kIntermediate);
  EXPECT_EQ(LevelOfCourtName("昆山市人民法院"), CourtLevel::kBasic);
  EXPECT_EQ(LevelOfCourtName("昆山市人民政府"), CourtLevel::kUnknown);
}

TEST(Causes, AllLevelsByFilingDate) {
  const Causes causes = Causes::Load(kData).value();
  EXPECT_GE(causes.size(), 1000U);
  ASSERT_NE(causes.Find("劳动争议"), nullptr);
  EXPECT_EQ(causes.Find("劳动争议")->level, 2);
  EXPECT_EQ(causes.Find("民间借贷纠纷")->level, 4);
  EXPECT_NE(causes.Find("生命权,身体权，健康权纠纷"), nullptr);
  const legal::Date before{2025, 12, 31};
  const legal::Date on{2026, 1, 1};
  EXPECT_EQ(causes.Check("民间借款纠纷", before), CauseCheck::kUnknown);
  EXPECT_EQ(causes.Check("民间借款纠纷", on), CauseCheck::kWrong);
  EXPECT_EQ(causes.Check("劳动争议", on), CauseCheck::kKnown);
  EXPECT_EQ(causes.Nearest("民间借款纠纷", 3).size(), 3U);
}

TEST(Pattern, ReportsWhatIsWrong) {
  const auto bad = Pattern::Compile("(abc");
  ASSERT_FALSE(bad.ok());
  EXPECT_NE(bad.status().message().find("byte 4"), std::string::npos);
  EXPECT_FALSE(Pattern::Compile("(a)(a)(a)(a)(a)(a)(a)(a)(a)(a)(a)(a)(a)(a)(a)(a)").ok());
}

TEST(Pattern, HanIsCharactersNotMarks) {
  const Pattern pattern = Pattern::Compile(R"(\p{Han}+)").value();
  Match match;
  const std::string text = "。《王𫖯》";
  ASSERT_TRUE(pattern.Search(text, 0, &match));
  EXPECT_EQ(match.Text(text, 0), "王𫖯");
  EXPECT_FALSE(pattern.MatchAt(text, 0, &match));
}

TEST(Pattern, RunawayStops) {
  const Pattern pattern = Pattern::Compile("(?:a*)*b").value();
  Match match;
  EXPECT_FALSE(pattern.Search(std::string(5000, 'a'), 0, &match));
}

}  // namespace
}  // namespace zhibi::entity
