// SPDX-License-Identifier: Apache-2.0
#include "export/docx_writer.h"

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "export/docx_reader.h"
#include "export/flow.h"
#include "export/layout.h"
#include "export/text_writer.h"
#include "export/zip_package.h"

namespace zhibi::exporting {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

legal::Document Sample(legal::RunSource source) {
  legal::Document document;
  document.ai_label = "（部分内容由人工智能辅助生成）";
  const auto add = [&](const std::string& id, const std::string& style, const std::string& text) {
    legal::Block block;
    block.id = id;
    block.paragraph.style = style;
    block.paragraph.runs = {{text, source, "", false}};
    document.blocks.push_back(block);
  };
  add("title-1", "title", "民事起诉状");
  add("facts-1", "body", "　　甲<&>乙𠮷·买买提");
  add("closing-1", "signature", "具状人：王建国");
  add("closing-2", "date", "2026年12月1日");
  return document;
}

Layout Court() {
  Result<Layout> layout = LoadLayout(std::string(ZHIBI_SOURCE_DIR) + "/data", "court");
  EXPECT_TRUE(layout.ok()) << layout.status().ToString();
  return *layout;
}

TEST(Layout, FullPageOfCourtsFitsTheTextArea) {
  const Layout court = Court();
  EXPECT_LE(22 * court.line_pt, court.text_height());
  EXPECT_GT(23 * court.line_pt, court.text_height());
  EXPECT_LE(28 * court.char_pt, court.text_width());
  EXPECT_GT(29 * court.char_pt, court.text_width());
  EXPECT_NEAR(court.text_width(), 156 * kPointsPerMm, 1e-6);
}

TEST(Layout, AllShippedLayoutsLoadAndOthersAreNamed) {
  const std::string data = std::string(ZHIBI_SOURCE_DIR) + "/data";
  for (const char* id : {"court", "official", "lawfirm", "form"}) {
    const Result<Layout> layout = LoadLayout(data, id);
    ASSERT_TRUE(layout.ok()) << layout.status().ToString();
    EXPECT_EQ(layout->id, id);
    EXPECT_EQ(layout->styles.size(), 14U);
  }
  const Result<Layout> none = LoadLayout(data, "../rates/lpr");
  ASSERT_FALSE(none.ok());
  EXPECT_THAT(none.status().message(), HasSubstr("court, form, lawfirm, official"));
}

TEST(DocxWriter, SameDocumentSameBytesAndTextComesBack) {
  const legal::Document document = Sample(legal::RunSource::kSkeleton);
  const Result<std::string> first = WriteDocx(document, Court());
  const Result<std::string> second = WriteDocx(document, Court());
  ASSERT_TRUE(first.ok());
  ASSERT_TRUE(second.ok());
  EXPECT_EQ(*first, *second);
  const Result<std::string> text = ReadDocxText(*first, "sample.docx");
  ASSERT_TRUE(text.ok()) << text.status().ToString();
  EXPECT_EQ(*text, "民事起诉状\n甲<&>乙𠮷·买买提\n具状人：王建国\n2026年12月1日\n");
}

TEST(DocxWriter, ModelTextIsLabelledInTextStyleAndProperties) {
  for (const bool model : {true, false}) {
    const legal::Document document =
        Sample(model ? legal::RunSource::kModel : legal::RunSource::kPerson);
    const Result<std::string> bytes = WriteDocx(document, Court());
    ASSERT_TRUE(bytes.ok());
    Result<ZipReader> zip = ZipReader::Open(*bytes, "sample.docx");
    ASSERT_TRUE(zip.ok());
    const Result<std::string> body = zip->Read("word/document.xml");
    const Result<std::string> custom = zip->Read("docProps/custom.xml");
    ASSERT_TRUE(body.ok());
    ASSERT_TRUE(custom.ok());
    const auto expect = [&](const std::string& text, const std::string& part) {
      if (model) {
        EXPECT_THAT(text, HasSubstr(part));
      } else {
        EXPECT_THAT(text, Not(HasSubstr(part)));
      }
    };
    expect(*body, "w:rStyle w:val=\"AiText\"");
    expect(*body, "人工智能辅助生成");
    expect(*custom, "name=\"AIGC\"");
    expect(WriteText(document), "人工智能辅助生成");
    expect(WriteMarkdown(document), "> （部分内容");
  }
}

TEST(Flow, ClosingStaysWithTheTextBeforeIt) {
  EXPECT_THAT(KeepWithNext(Sample(legal::RunSource::kSkeleton)),
              ::testing::ElementsAre(false, true, true, false));
}

TEST(Flow, BookmarksCarryIdsBothWays) {
  for (const char* id : {"claims-2", "element-form.a_b-1", "中"}) {
    EXPECT_EQ(BlockIdOfBookmark(BookmarkName(id)), id);
  }
  EXPECT_LE(BookmarkName(std::string(80, 'a')).size(), 40U);
  EXPECT_NE(BookmarkName(std::string(80, 'a')), BookmarkName(std::string(81, 'a')));
  EXPECT_EQ(BlockIdOfBookmark("_GoBack"), "");
  EXPECT_EQ(BlockIdOfBookmark("zb_a_4"), "");
}

TEST(DocxReader, TrackedDeletionsAreGoneAndRowsAreLines) {
  const Result<std::string> zip = WriteZip(
      {{"word/document.xml",
        "<w:document><w:body><w:p><w:ins><w:r><w:t>新</w:t></w:r></w:ins><w:del><w:r>"
        "<w:delText>旧</w:delText></w:r></w:del></w:p><w:tbl><w:tr><w:tc><w:p><w:r><w:t>一</w:t>"
        "</w:r></w:p><w:p><w:r><w:t>二</w:t></w:r></w:p></w:tc><w:tc><w:p><w:r><w:t>三</w:t></w:r>"
        "</w:p></w:tc></w:tr></w:tbl></w:body></w:document>"}});
  ASSERT_TRUE(zip.ok());
  const Result<std::string> text = ReadDocxText(*zip, "x");
  ASSERT_TRUE(text.ok());
  EXPECT_EQ(*text, "新\n一↵二｜三\n");
}

}  // namespace
}  // namespace zhibi::exporting
