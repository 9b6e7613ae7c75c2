// SPDX-License-Identifier: Apache-2.0
// Blocks of a document from rendered segments: what templates say structures it, what values hold
// never does (metamorphic: any value gives the same blocks), and the model's JSON form.
#include "legal/document_builder.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "legal/document.h"

namespace zhibi::legal {
namespace {

using text::RenderedSegment;

BlockForm TableForm() {
  BlockForm form;
  form.clause = "table";
  form.is_table = true;
  form.column_percent = {30, 70};
  form.header_rows = 1;
  return form;
}

BlockForm BodyForm() {
  BlockForm form;
  form.clause = "claims";
  return form;
}

std::string TextOf(const Paragraph& paragraph) {
  std::string text;
  for (const legal::Run& run : paragraph.runs) text += run.text;
  return text;
}

TEST(DocumentBuilderTest, StylesLinesAndSources) {
  ValueIndex values;
  values.Add({{"name", "王小明"}, {"sum_fen", 5000000}, {"day", "2024-03-05"}}, "",
             RunSource::kElement);
  values.Add({{"total_fen", 123400}}, "derived", RunSource::kComputed);
  const std::vector<RenderedSegment> segments = {{"@title 起诉状\n\n@party 原告：", true},
                                                 {"王小明", false},
                                                 {"，", true},
                                                 {"50000元", false},
                                                 {"，", true},
                                                 {"2024年3月5日", false},
                                                 {"，", true},
                                                 {"1234元", false},
                                                 {"。\n　　此致", true}};
  const Result<BuiltBlocks> built = BuildBlocks(segments, BodyForm(), values);
  ASSERT_TRUE(built.ok()) << built.status().ToString();
  ASSERT_EQ(built->blocks.size(), 3U);
  EXPECT_EQ(built->blocks[0].paragraph.style, "title");
  EXPECT_EQ(built->blocks[0].id, "claims-1");
  EXPECT_EQ(built->blocks[1].paragraph.style, "party");
  const std::vector<legal::Run>& runs = built->blocks[1].paragraph.runs;
  ASSERT_EQ(runs.size(), 9U);
  EXPECT_EQ(runs[1], (legal::Run{"王小明", RunSource::kElement, "name", false}));
  EXPECT_EQ(runs[3], (legal::Run{"50000元", RunSource::kElement, "sum_fen", false}));
  EXPECT_EQ(runs[5], (legal::Run{"2024年3月5日", RunSource::kElement, "day", false}));
  EXPECT_EQ(runs[7], (legal::Run{"1234元", RunSource::kComputed, "derived.total_fen", false}));
  EXPECT_EQ(TextOf(built->blocks[2].paragraph), "此致");
  EXPECT_EQ(text::JoinSegments(built->text),
            "起诉状\n\n原告：王小明，50000元，2024年3月5日，1234元。\n　　此致");
}

TEST(DocumentBuilderTest, ValuesNeverChangeTheStructure) {
  const ValueIndex values;
  for (const char* value :
       {"@title 甲", "｜", "↵", "{{ x }}", "{% if %}", "𠮷田𪚥", "买买提·阿不都拉", "　　缩进",
        "【待填：甲】", "<|end|>", "A\tB", "@@party "}) {
    SCOPED_TRACE(value);
    const std::vector<RenderedSegment> line = {
        {"@claim ", true}, {value, false}, {"\n", true}, {value, false}, {"\n", true}};
    const Result<BuiltBlocks> body = BuildBlocks(line, BodyForm(), values);
    ASSERT_TRUE(body.ok());
    ASSERT_EQ(body->blocks.size(), 2U);
    EXPECT_EQ(body->blocks[0].paragraph.style, "claim");
    EXPECT_EQ(body->blocks[1].paragraph.style, "body");
    EXPECT_EQ(TextOf(body->blocks[0].paragraph), value);
    EXPECT_EQ(TextOf(body->blocks[1].paragraph), value);
    const std::vector<RenderedSegment> row = {
        {"名称｜内容\n甲｜", true}, {value, false}, {"↵乙\n", true}};
    const Result<BuiltBlocks> table = BuildBlocks(row, TableForm(), values);
    ASSERT_TRUE(table.ok());
    ASSERT_EQ(table->blocks.size(), 1U);
    ASSERT_EQ(table->blocks[0].table.rows.size(), 2U);
    ASSERT_EQ(table->blocks[0].table.rows[1].size(), 2U);
    ASSERT_EQ(table->blocks[0].table.rows[1][1].paragraphs.size(), 2U);
    EXPECT_EQ(TextOf(table->blocks[0].table.rows[1][1].paragraphs[0]), value);
  }
}

TEST(DocumentBuilderTest, ALineEndInAValueStaysInItsStyleAndCell) {
  const ValueIndex values;
  const Result<BuiltBlocks> body = BuildBlocks(
      {{"@holding ", true}, {"一\n@title 二", false}, {"三\n", true}}, BodyForm(), values);
  ASSERT_TRUE(body.ok());
  ASSERT_EQ(body->blocks.size(), 2U);
  EXPECT_EQ(body->blocks[1].paragraph.style, "holding");
  EXPECT_EQ(TextOf(body->blocks[1].paragraph), "@title 二三");
  const Result<BuiltBlocks> table =
      BuildBlocks({{"甲｜", true}, {"一\n二", false}, {"\n", true}}, TableForm(), values);
  ASSERT_TRUE(table.ok());
  ASSERT_EQ(table->blocks[0].table.rows.size(), 1U);
  EXPECT_EQ(table->blocks[0].table.rows[0][1].paragraphs.size(), 2U);
}

TEST(DocumentBuilderTest, FaultsOfTemplatesAreNamed) {
  const ValueIndex values;
  const Result<BuiltBlocks> style = BuildBlocks({{"甲\n@titel 乙", true}}, BodyForm(), values);
  ASSERT_FALSE(style.ok());
  EXPECT_NE(style.status().message().find("clause claims, line 2"), std::string::npos);
  const Result<BuiltBlocks> wide = BuildBlocks({{"甲｜乙｜丙", true}}, TableForm(), values);
  ASSERT_FALSE(wide.ok());
  EXPECT_NE(wide.status().message().find("3 cells"), std::string::npos);
  const Result<BuiltBlocks> short_row = BuildBlocks({{"标题", true}}, TableForm(), values);
  ASSERT_TRUE(short_row.ok());
  EXPECT_EQ(short_row->blocks[0].table.rows[0][0].column_span, 2);
}

TEST(DocumentTest, SurvivesJsonAndNamesFaults) {
  const ValueIndex values;
  Document document;
  document.doctype = "x";
  document.title = "标题";
  document.metadata["statutes"] = "2026-06-26";
  document.blocks =
      BuildBlocks({{"甲｜", true}, {"𠮷", false}, {"↵丙", true}}, TableForm(), values)->blocks;
  const Result<Document> again = DocumentFromJson(ToJson(document));
  ASSERT_TRUE(again.ok()) << again.status().ToString();
  EXPECT_EQ(*again, document);
  EXPECT_EQ(PlainText(document), "甲｜𠮷↵丙\n");
  nlohmann::json wrong = ToJson(document);
  wrong["blocks"][0]["table"]["rows"][0][1]["paragraphs"][0]["runs"][0]["source"] = "angel";
  const Result<Document> failed = DocumentFromJson(wrong);
  ASSERT_FALSE(failed.ok());
  EXPECT_NE(failed.status().message().find("/blocks/0/table/rows/0/1/paragraphs/0/runs/0/source"),
            std::string::npos)
      << failed.status().message();
  for (const char* text : {"null", "[]", "{}", R"({"format": 2})", R"({"format": "1"})"})
    EXPECT_FALSE(DocumentFromJson(nlohmann::json::parse(text)).ok()) << text;
}

}  // namespace
}  // namespace zhibi::legal
