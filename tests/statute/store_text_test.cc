// SPDX-License-Identifier: Apache-2.0
#include "statute/store_text.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace zhibi::statute {
namespace {

constexpr std::string_view kPlain =
    "某市物业管理条例\n"
    "2022年3月1日某市人民代表大会常务委员会第二次会议通过\n"
    "第一章　总则\n"
    "第一条　为了规范物业管理，制定本条例。\n"
    "第二条 有下列情形之一的，由主管部门处理：\n"
    "（一）甲；\n"
    "（二）乙。\n"
    "前款规定的情形，第一条规定的目的优先。\n"
    "第二条之一 增补的一条。\n"
    "第二章　附则\n"
    "第三条（删去）\n"
    "第四条本条例自2022年5月1日起施行。\n"
    "附件：收费表\n"
    "第几项收费\n";

TEST(StoreText, ReadsPlainText) {
  const Result<TextFile> file = ReadTexts(kPlain, "t.txt");
  ASSERT_TRUE(file.ok()) << file.status().message();
  ASSERT_EQ(file->texts.size(), 1U);
  const StatuteText& text = file->texts[0];
  EXPECT_EQ(text.name, "某市物业管理条例");
  ASSERT_EQ(text.articles.size(), 5U);
  EXPECT_EQ(text.articles[0].text, "为了规范物业管理，制定本条例。");
  EXPECT_EQ(text.articles[1].text,
            "有下列情形之一的，由主管部门处理：\n（一）甲；\n（二）乙。\n"
            "前款规定的情形，第一条规定的目的优先。");
  EXPECT_EQ(text.articles[2].article, (ArticleNumber{2, 1}));
  EXPECT_TRUE(IsStruckOut(text.articles[3]));
  EXPECT_FALSE(IsStruckOut(text.articles[4]));
  EXPECT_EQ(text.articles[4].text, "本条例自2022年5月1日起施行。");
  EXPECT_EQ(ShapeOf(text.articles[1])->items, (std::vector<int>{2, 0}));
  EXPECT_TRUE(file->notes.empty());
}

TEST(StoreText, ReadsMarkdown) {
  const Result<TextFile> file = ReadTexts(
      "\xEF\xBB\xBF# 某法\r\n\r\n## 第一章 总则\r\n\r\n**第一条** 甲。\r\n\r\n> 乙。\r\n"
      "### 第二条　【名称】丙。\r\n",
      "t.md");
  ASSERT_TRUE(file.ok()) << file.status().message();
  const StatuteText& text = file->texts[0];
  EXPECT_EQ(text.name, "某法");
  ASSERT_EQ(text.articles.size(), 2U);
  EXPECT_EQ(text.articles[0].text, "甲。\n乙。");
  EXPECT_EQ(text.articles[1].text, "丙。");
}

TEST(StoreText, ReadsJsonLinesAndJoinsTheBooksOfACode) {
  const Result<TextFile> file = ReadTexts(
      R"({"kind":"statute","title":"某法典 附则","date":"2021-01-01","text":"某法典\n第三条 丙。"})"
      "\n\n"
      R"({"kind":"statute","title":"某法典 总则编","date":"2020-05-28","text":"第一条 甲。\n第二条 乙。"})"
      "\n"
      R"({"kind":"statute","title":"某批复","date":"","text":"一、甲。"})"
      "\n",
      "t.jsonl");
  ASSERT_TRUE(file.ok()) << file.status().message();
  ASSERT_EQ(file->texts.size(), 1U);
  EXPECT_EQ(file->texts[0].name, "某法典");
  ASSERT_EQ(file->texts[0].articles.size(), 3U);
  EXPECT_EQ(file->texts[0].articles[0].text, "甲。");
  EXPECT_EQ(file->texts[0].date, legal::ParseDate("2021-01-01").value());
  ASSERT_EQ(file->notes.size(), 1U);
  EXPECT_EQ(file->notes[0].line, 4U);
}

TEST(StoreText, SaysWhatItPassedOver) {
  const Result<TextFile> file = ReadTexts("某法\n第一条 甲。\n第三条 丙。\n第二条 乙。\n", "t");
  ASSERT_TRUE(file.ok());
  EXPECT_EQ(file->texts[0].articles.size(), 2U);
  ASSERT_EQ(file->notes.size(), 1U);
  EXPECT_EQ(file->notes[0].line, 3U);
}

TEST(StoreText, RefusesWhatIsMalformed) {
  struct Case {
    std::string bytes;
    const char* message;
  };
  const std::vector<Case> cases = {
      {"", "t"},
      {"   \n\n", "t"},
      {"某法\n没有条号。\n", "第一条"},
      {"某法\n第一条 \xFF\n", "t:2"},
      {"{\"title\":\"甲\"", "t:1"},
      {"{\"title\":7,\"text\":\"第一条 甲。\"}", "title"},
      {"{\"text\":\"第一条 甲。\"}", "title"},
      {"{\"title\":\"甲\",\"date\":\"昨天\",\"text\":\"第一条 甲。\"}", "date"},
      {"{\"title\":\"甲\",\"text\":[]}", "text"},
      {"{\"title\":\"甲\",\"text\":\"第一条 甲。\"}\n[1]", "t:2"},
      {"{\"title\":\"甲\",\"title\":\"乙\",\"text\":\"\"}", "title"},
      {std::string(2000, 'x') + "\n第一条 甲。", "name"},
      {"某法\n第一条 " + std::string(2'000'000, 'x'), "1 MiB"},
  };
  for (const Case& test : cases) {
    const Result<TextFile> file = ReadTexts(test.bytes, "t");
    ASSERT_FALSE(file.ok()) << test.bytes.substr(0, 60);
    EXPECT_NE(file.status().message().find(test.message), std::string::npos)
        << file.status().message();
  }
}

TEST(StoreText, ShapesOnlyWhatTheLinesShow) {
  const auto items = [](std::string text) {
    const std::optional<ArticleShape> shape = ShapeOf({{1, 0}, std::move(text)});
    return shape ? shape->items : std::vector<int>{-1};
  };
  EXPECT_EQ(items("甲。\n乙。"), (std::vector<int>{0, 0}));
  EXPECT_EQ(items("甲：（一）乙；（二）丙；（三）丁。\n戊。"), (std::vector<int>{3, 0}));
  EXPECT_EQ(items("甲：\n1.乙；\n2.丙。"), (std::vector<int>{2}));
  EXPECT_EQ(items("甲：\n（一）乙：\n1.丙；\n2.丁；\n3.戊；\n（二）己。"), (std::vector<int>{2}));
  EXPECT_EQ(items("被断开的\n一句。"), (std::vector<int>{-1}));
  EXPECT_EQ(items("（一）没有前言；"), (std::vector<int>{-1}));
  EXPECT_EQ(items(""), (std::vector<int>{-1}));
}

}  // namespace
}  // namespace zhibi::statute
