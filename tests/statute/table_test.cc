// SPDX-License-Identifier: Apache-2.0
#include "statute/table.h"

#include <stdexcept>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "base/paths.h"

namespace zhibi::statute {
namespace {

legal::Date Day(std::string_view text) { return legal::ParseDate(text).value(); }

struct VersionCase {
  const char* name;
  const char* day;
  int articles;
};

const Table& Shipped() {
  static const Table table = Table::Load(base::SharePath("data").value(), "").value();
  return table;
}

const Statute& Named(std::string_view name) {
  const Table::Match match = Shipped().Find(name);
  if (match.statute == nullptr) throw std::runtime_error("not in the table: " + std::string(name));
  return *match.statute;
}

State On(std::string_view name, std::string_view day) { return StateOn(Named(name), Day(day)); }

TEST(Table, FindsTheCivilCodeHoweverItIsWritten) {
  for (const char* name : {"中华人民共和国民法典", "《民法典》", "民 法典",
                           "〈中华人民共和国民法典〉", "中华人民共和国\n民法典", "﹤民法典﹥"}) {
    const Table::Match match = Shipped().Find(name);
    ASSERT_NE(match.statute, nullptr) << name;
    EXPECT_EQ(match.statute->name, "中华人民共和国民法典");
  }
  EXPECT_TRUE(Shipped().Find("《中华人民共和国民法典》").full);
  EXPECT_FALSE(Shipped().Find("《民法典》").full);
  EXPECT_EQ(Shipped().Find("中华人民共和国民法典大全").statute, nullptr);
  EXPECT_EQ(Shipped().Find("").statute, nullptr);
}

TEST(Table, EvensIssuingBodiesBracketsAndNestedNames) {
  const std::string full = "最高人民法院关于审理劳动争议案件适用法律问题的解释（一）";
  for (const char* name : {"《最高人民法院关于审理劳动争议案件适用法律问题的解释(一)》",
                           "最高院关于审理劳动争议案件适用法律问题的解释（一）",
                           "最高法院关于审理劳动争议案件适用法律问题的解释（一）"}) {
    const Table::Match match = Shipped().Find(name);
    ASSERT_NE(match.statute, nullptr) << name;
    EXPECT_EQ(match.statute->name, full);
  }
  EXPECT_FALSE(Shipped().Find("最高院关于审理劳动争议案件适用法律问题的解释（一）").full);
  EXPECT_TRUE(Shipped().Find("最高人民法院关于审理劳动争议案件适用法律问题的解释(一)").full);
  const std::string nested = "最高人民法院关于适用〈中华人民共和国民事诉讼法〉的解释";
  ASSERT_NE(Shipped().Find(nested).statute, nullptr);
  EXPECT_TRUE(Shipped().Find(nested).full);
}

TEST(Table, KnowsOldNames) {
  const Table::Match match =
      Shipped().Find("最高人民法院关于审理物业服务纠纷案件具体应用法律若干问题的解释");
  ASSERT_NE(match.statute, nullptr);
  EXPECT_TRUE(match.old);
  EXPECT_EQ(match.statute->name, "最高人民法院关于审理物业服务纠纷案件适用法律若干问题的解释");
}

TEST(Table, OffersNearNamesForMisspeltOnes) {
  const auto first = [](std::string_view name) {
    const std::vector<const Statute*> near = Shipped().Nearest(name, 3);
    return near.empty() ? std::string() : near.front()->name;
  };
  EXPECT_EQ(first("中华人民共和国消费者保护法"), "中华人民共和国消费者权益保护法");
  EXPECT_EQ(first("中华人民共和国劳动合同法实施细则"), "中华人民共和国劳动合同法实施条例");
  EXPECT_EQ(first("道路交通安全法实施细则"), "中华人民共和国道路交通安全法实施条例");
  EXPECT_TRUE(Shipped().Nearest("与任何法规都毫无相似之处的一个名称而且很长", 3).empty());
  EXPECT_TRUE(Shipped().Nearest("", 3).empty());
  EXPECT_TRUE(Shipped().Nearest("民法典", 0).empty());
  EXPECT_TRUE(Shipped().Nearest(std::string(100'000, 'x'), 3).empty());
}

TEST(Table, SearchesForAllWords) {
  const std::vector<const Statute*> found = Shipped().Search("民间借贷　规定", 10);
  ASSERT_FALSE(found.empty());
  EXPECT_EQ(found.front()->name, "最高人民法院关于审理民间借贷案件适用法律若干问题的规定");
  EXPECT_TRUE(Shipped().Search("民间借贷 太空旅行", 10).empty());
  EXPECT_TRUE(Shipped().Search("  ", 10).empty());
  EXPECT_EQ(Shipped().Search("最高人民法院", 7).size(), 7U);
}

// The day before a change and the day of it.
TEST(Table, ChangesOnTheDay) {
  EXPECT_EQ(On("民法典", "2020-12-31").force, Force::kNotYet);
  EXPECT_EQ(On("民法典", "2021-01-01").force, Force::kInForce);
  EXPECT_TRUE(On("民法典", "2021-01-01").certain);
  EXPECT_EQ(On("合同法", "2020-12-31").force, Force::kUnknown);
  EXPECT_EQ(On("合同法", "2021-01-01").force, Force::kRepealed);
  EXPECT_EQ(On("环境保护法", "2026-08-14").force, Force::kInForce);
  EXPECT_EQ(On("环境保护法", "2026-08-14").version->articles, 70);
  EXPECT_EQ(On("环境保护法", "2026-08-15").force, Force::kRepealed);
  EXPECT_EQ(On("生态环境法典", "2026-08-14").force, Force::kNotYet);
  EXPECT_EQ(On("生态环境法典", "2026-08-15").version->articles, 1242);
}

TEST(Table, PicksTheVersionOfTheDay) {
  const std::vector<VersionCase> cases = {
      {"商标法", "2026-12-31", 73},          {"商标法", "2027-01-01", 87},
      {"民事诉讼法", "2023-12-31", 291},     {"民事诉讼法", "2024-01-01", 306},
      {"仲裁法", "2026-02-28", 80},          {"仲裁法", "2026-03-01", 96},
      {"治安管理处罚法", "2025-12-31", 119}, {"治安管理处罚法", "2026-01-01", 144},
      {"海商法", "2026-04-30", 278},         {"海商法", "2026-05-01", 310},
      {"公司法", "2024-07-01", 266},
  };
  for (const VersionCase& test : cases) {
    const State state = On(test.name, test.day);
    ASSERT_NE(state.version, nullptr) << test.name << " " << test.day;
    EXPECT_EQ(state.version->articles, test.articles) << test.name << " " << test.day;
    EXPECT_TRUE(state.certain) << test.name << " " << test.day;
  }
}

TEST(Table, NeverGuesses) {
  // The day on which the text of 2018 came into force is in no source: not known in 2019, and
  // known only from when a source lists it.
  EXPECT_EQ(On("劳动法", "2019-06-01").version, nullptr);
  EXPECT_FALSE(On("劳动法", "2019-06-01").certain);
  EXPECT_TRUE(On("劳动法", "2026-06-01").certain);
  // Two texts of which one is not known: the one in between is not taken for the first.
  EXPECT_EQ(On("婚姻登记条例", "2025-01-19").version->articles, 22);
  EXPECT_EQ(On("婚姻登记条例", "2025-02-01").version, nullptr);
  EXPECT_EQ(On("婚姻登记条例", "2025-05-10").version->articles, 28);
  // An emptied row: a later text is in force, its articles are unknown.
  const State listed = On("最高人民法院关于公布失信被执行人名单信息的若干规定", "2024-01-01");
  EXPECT_EQ(listed.version, nullptr);
  EXPECT_FALSE(listed.certain);
  // The last article of a regulation that was revised later names the day of the first text.
  for (const Version& version : Named("工伤保险条例").versions) {
    EXPECT_FALSE(version.from.has_value());
  }
}

TEST(Table, KnowsArticles) {
  const Version& criminal = *On("刑法", "2025-01-01").version;
  EXPECT_TRUE(HasArticle(criminal, {133, 1}));
  EXPECT_TRUE(HasArticle(criminal, {452, 0}));
  EXPECT_FALSE(HasArticle(criminal, {453, 0}));
  EXPECT_FALSE(HasArticle(criminal, {133, 9}));
  EXPECT_FALSE(HasArticle(criminal, {199, 0}));  // 删去
  EXPECT_FALSE(HasArticle(criminal, {0, 0}));
  EXPECT_EQ(criminal.inserted.size(), 53U);
  EXPECT_TRUE(HasArticle(Named("合同法").versions.front(), {9999, 0}));  // unknown
}

TEST(Table, KnowsParagraphsAndItems) {
  const Version& code = *On("民法典", "2025-01-01").version;
  const ArticleShape* remedies = FindShape(code, {179, 0});
  ASSERT_NE(remedies, nullptr);
  EXPECT_EQ(remedies->items, (std::vector<int>{11, 0, 0}));
  const ArticleShape* divorce = FindShape(code, {1079, 0});
  ASSERT_NE(divorce, nullptr);
  EXPECT_EQ(divorce->items, (std::vector<int>{0, 0, 5, 0, 0}));
  EXPECT_EQ(FindShape(code, {1261, 0}), nullptr);
  const Version& criminal = *On("刑法", "2025-01-01").version;
  ASSERT_NE(FindShape(criminal, {120, 6}), nullptr);
  ASSERT_NE(FindShape(criminal, {133, 1}), nullptr);
  EXPECT_EQ(FindShape(criminal, {133, 1})->items, (std::vector<int>{4, 0, 0}));
}

TEST(Table, KindsAndMattersOfWhatCourtsCite) {
  EXPECT_EQ(Named("民法典").kind, Kind::kBasicLaw);
  EXPECT_EQ(Named("民事诉讼法").kind, Kind::kBasicLaw);
  EXPECT_EQ(Named("民事诉讼法").matter, Matter::kProcedural);
  EXPECT_EQ(Named("公司法").kind, Kind::kLaw);
  EXPECT_EQ(Named("公司法").adopted_by, "全国人民代表大会常务委员会");
  EXPECT_EQ(Named("诉讼费用交纳办法").kind, Kind::kRegulation);
  EXPECT_EQ(Named("企业职工带薪年休假实施办法").kind, Kind::kRule);
  EXPECT_EQ(Named("民间借贷司法解释").kind, Kind::kJudicialInterpretation);
  EXPECT_EQ(Named("宪法").kind, Kind::kConstitution);
}

TEST(Table, ShippedRowsAreSound) {
  EXPECT_GE(Shipped().rows().size(), 1428U);
  std::size_t core = 0;
  for (const Statute& statute : Shipped().rows()) {
    core += statute.core ? 1 : 0;
    EXPECT_GE(statute.as_of, Shipped().as_of());
    EXPECT_FALSE(statute.local);
    ASSERT_FALSE(statute.versions.empty()) << statute.name;
    EXPECT_TRUE(Shipped().Find(statute.name).full) << statute.name;
    for (const Version& version : statute.versions) {
      // Articles that the text shows with their parts are articles that it has.
      for (const ArticleShape& shape : version.shapes) {
        EXPECT_TRUE(HasArticle(version, shape.article)) << statute.name;
        EXPECT_FALSE(shape.items.empty()) << statute.name;
      }
      const bool closed = version.from && version.until;
      EXPECT_TRUE(!closed || *version.from < *version.until) << statute.name;
    }
    if (statute.every_version_since_2010 && !statute.repealed) {
      const State today = StateOn(statute, statute.as_of);
      EXPECT_TRUE(today.certain || today.force == Force::kNotYet) << statute.name;
    }
  }
  EXPECT_GE(core, 299U);
}

}  // namespace
}  // namespace zhibi::statute
