// SPDX-License-Identifier: Apache-2.0
// Citations against a small table of invented statutes: names, references and short names, versions
// on a day, articles, paragraphs and items that are not there, and how sure that is.
#include "statute/resolve.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace zhibi::statute {
namespace {

// Articles 1 to 10, then 1 to 12 with 第五条之一 and without 第七条; 第三条 has two paragraphs, the
// second of which has three items.
constexpr std::string_view kTable = R"json({"format":1,"as_of":"2025-01-01","statutes":[
{"name":"中华人民共和国试验法","kind":"基本法律","aliases":["试验法"],"as_of":"2025-01-01","adopted":"2010-01-01",
 "versions":[{"published":"2010-01-01","from":"2010-06-01","until":"2020-01-01","articles":10},
  {"published":"2019-06-01","from":"2020-01-01","articles":12,"inserted":"5-1","deleted":"7","shapes":"3=0,3"}]},
{"name":"最高人民法院关于适用〈中华人民共和国试验法〉的解释","kind":"司法解释","aliases":["试验法解释"],"as_of":"2025-01-01",
 "versions":[{"articles":40}]},
{"name":"中华人民共和国旧法","kind":"法律","aliases":["旧法"],"as_of":"2025-01-01","repealed":"2021-01-01",
 "versions":[{"until":"2021-01-01"}]}
]})json";

const Table& TheTable() {
  static const Table* const table = [] {
    Result<Table> read = Table::FromJson(nlohmann::json::parse(kTable), "test");
    if (!read.ok()) {
      ADD_FAILURE() << read.status().message();
      std::abort();
    }
    return new Table(std::move(*read));  // NOLINT(cppcoreguidelines-owning-memory): for all
  }();
  return *table;
}

struct Read {
  Citations citations;
  std::vector<Resolved> resolved;
};

Read ReadText(std::string_view text, std::optional<legal::Date> day = legal::Date{2022, 1, 1}) {
  const NameFinder finder(TheTable());
  Read read;
  read.citations =
      ParseCitations(text, [&](std::string_view before) { return finder.EndingAt(before); });
  read.resolved = Resolve(read.citations, TheTable(), day);
  return read;
}

// "6! 3/3? " : the problem's article, ! certain, ? not.
std::string Problems(std::string_view text,
                     std::optional<legal::Date> day = legal::Date{2022, 1, 1}) {
  static constexpr std::string_view kNames[] = {"no", "deleted", "paragraph", "item", "reversed"};
  std::string out;
  for (const Resolved& resolved : ReadText(text, day).resolved) {
    for (const PlaceFinding& finding : resolved.problems) {
      if (!out.empty()) out += " ";
      out += std::string(kNames[static_cast<std::size_t>(finding.problem)]) +
             std::to_string(finding.article.number) + "/" + std::to_string(finding.has) +
             (finding.certain ? "!" : "?");
    }
  }
  return out;
}

TEST(ResolveTest, FindsNamesInTheirSpellings) {
  const struct {
    const char* text;
    const char* name;
    bool full;
  } kExamples[] = {
      {"《中华人民共和国试验法》第一条", "中华人民共和国试验法", true},
      {"《试验法》第一条", "中华人民共和国试验法", false},
      {"试验法第一条", "中华人民共和国试验法", false},
      {"《最高人民法院关于适用《中华人民共和国试验法》的解释》第一条",
       "最高人民法院关于适用〈中华人民共和国试验法〉的解释", true},
      {"最高人民法院《关于适用﹤中华人民共和国试验法﹥的解释》第一条",
       "最高人民法院关于适用〈中华人民共和国试验法〉的解释", true},
      {"《关于适用〈中华人民共和国试验法〉的解释》第一条",
       "最高人民法院关于适用〈中华人民共和国试验法〉的解释", false},
      {"《关于适用〈试验法〉的解释》第一条", "最高人民法院关于适用〈中华人民共和国试验法〉的解释",
       false},
      {"试验法解释第一条", "最高人民法院关于适用〈中华人民共和国试验法〉的解释", false},
  };
  for (const auto& example : kExamples) {
    const Read read = ReadText(example.text);
    ASSERT_EQ(read.resolved.size(), 1U) << example.text;
    ASSERT_NE(read.resolved[0].statute, nullptr) << example.text;
    EXPECT_EQ(NormaliseName(read.resolved[0].statute->name), NormaliseName(example.name));
    EXPECT_EQ(read.resolved[0].full, example.full) << example.text;
  }
  EXPECT_EQ(ReadText("《没有的法》第一条").resolved.at(0).statute, nullptr);
}

TEST(ResolveTest, FollowsReferencesAndShortNames) {
  const Read read = ReadText(
      "《中华人民共和国试验法》第一条、《试验法解释》（以下简称解释一）第二条，该法第三条，该解释第"
      "四条，解释"
      "一第五条");
  ASSERT_EQ(read.resolved.size(), 5U);
  EXPECT_EQ(read.resolved[2].statute, read.resolved[0].statute);
  EXPECT_EQ(read.resolved[2].named, 0U);
  EXPECT_EQ(read.resolved[3].statute, read.resolved[1].statute);
  EXPECT_EQ(read.resolved[4].statute, read.resolved[1].statute);
  EXPECT_TRUE(read.resolved[4].by_definition);
  EXPECT_EQ(ReadText("《没有的法》，该解释第一条").resolved.at(1).statute, nullptr);
}

TEST(ResolveTest, ArticlesOfTheVersionInForce) {
  EXPECT_EQ(Problems("《试验法》第十条、第十二条"), "");
  EXPECT_EQ(Problems("《试验法》第十三条"), "no13/12!");
  EXPECT_EQ(Problems("《试验法》第五条之一"), "");
  EXPECT_EQ(Problems("《试验法》第五条之二"), "no5/12!");
  EXPECT_EQ(Problems("《试验法》第七条"), "deleted7/12!");
  EXPECT_EQ(Problems("《试验法》第十条至第十三条"), "no13/12!");
  EXPECT_EQ(Problems("《试验法》第十条至第八条"), "reversed8/0!");
}

TEST(ResolveTest, TheDayBeforeAndTheDayItself) {
  EXPECT_EQ(Problems("《试验法》第十一条", legal::Date{2019, 12, 31}), "no11/10!");
  EXPECT_EQ(Problems("《试验法》第十一条", legal::Date{2020, 1, 1}), "");
  EXPECT_EQ(Problems("《试验法》第七条", legal::Date{2019, 12, 31}), "");
  const Read read = ReadText("《试验法》第十一条", legal::Date{2019, 12, 31});
  ASSERT_EQ(read.resolved.at(0).problems.size(), 1U);
  const Version* other = read.resolved[0].problems[0].elsewhere;
  ASSERT_NE(other, nullptr);
  EXPECT_EQ(other->from, (legal::Date{2020, 1, 1}));
  // Since when it was in force is unknown, that it no longer is, is not.
  EXPECT_EQ(ReadText("《旧法》第一条", legal::Date{2020, 12, 31}).resolved.at(0).state.force,
            Force::kUnknown);
  EXPECT_EQ(ReadText("《旧法》第一条", legal::Date{2021, 1, 1}).resolved.at(0).state.force,
            Force::kRepealed);
}

TEST(ResolveTest, AVersionNamedByItsYear) {
  const Read read = ReadText("《试验法》（2010年）第十一条");
  ASSERT_EQ(read.resolved.size(), 1U);
  EXPECT_TRUE(read.resolved[0].version_named);
  EXPECT_EQ(Problems("《试验法》（2010年）第十一条"), "no11/10?");
  EXPECT_FALSE(ReadText("《试验法》（2015年）第一条").resolved.at(0).version_named);
}

TEST(ResolveTest, ParagraphsAndItems) {
  EXPECT_EQ(Problems("《试验法》第三条第二款第（三）项"), "");
  EXPECT_EQ(Problems("《试验法》第三条第三款"), "paragraph3/2!");
  EXPECT_EQ(Problems("《试验法》第三条第二款第（四）项"), "item3/3!");
  EXPECT_EQ(Problems("《试验法》第三条第一款第（一）项"), "item3/0!");
  EXPECT_EQ(Problems("《试验法》第三条第（三）项"), "");
  EXPECT_EQ(Problems("《试验法》第四条第九款"), "");  // its shape is unknown
}

TEST(ResolveTest, AnUnknownVersionHasNoArticleOfThatManyParagraphs) {
  EXPECT_EQ(Problems("《试验法》第三条第三款第（五）项", std::nullopt), "");
  EXPECT_EQ(Problems("《试验法》第三条第四款", std::nullopt), "paragraph3/2?");
  EXPECT_EQ(Problems("《试验法》第三条第二款第（六）项", std::nullopt), "item3/3?");
}

TEST(ResolveTest, WithoutADayOnlyWhatNoVersionHas) {
  EXPECT_EQ(Problems("《试验法》第七条", std::nullopt), "");
  EXPECT_EQ(Problems("《试验法》第十二条", std::nullopt), "");
  EXPECT_EQ(Problems("《试验法》第十三条", std::nullopt), "no13/12!");
  EXPECT_EQ(Problems("《旧法》第九百条", std::nullopt), "");  // its articles are unknown
  EXPECT_EQ(Problems("《试验法解释》第四十一条", std::nullopt), "no41/40?");
}

TEST(NameFinderTest, TakesTheLongestNameAndKnowsBlanks) {
  const NameFinder finder(TheTable());
  EXPECT_EQ(finder.EndingAt("依照中华人民共和国试验法"),
            std::string_view("中华人民共和国试验法").size());
  EXPECT_EQ(finder.EndingAt("依照试验法"), std::string_view("试验法").size());
  EXPECT_EQ(finder.EndingAt("依照试验\n法"), std::string_view("试验\n法").size());
  EXPECT_EQ(finder.EndingAt("依照实验法"), 0U);
  EXPECT_EQ(finder.EndingAt(""), 0U);
  EXPECT_EQ(finder.EndingAt("   "), 0U);
  EXPECT_EQ(NameFinder().EndingAt("试验法"), 0U);
}

}  // namespace
}  // namespace zhibi::statute
