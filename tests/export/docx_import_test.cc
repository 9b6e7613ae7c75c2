// SPDX-License-Identifier: Apache-2.0
// Identity of blocks after real edits: fixtures/edited.docx was made by LibreOffice 7.4 from
// fixtures/draft.json (bold, split, cut and paste, delete, merge, replace, a new paragraph, a
// footnote, tracked changes; fixtures/edits.xba, office_live.py), edited-through-doc.docx by the
// same edits saved as .doc and converted back. Further shapes by hand.
#include "export/docx_import.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/file.h"
#include "base/json.h"
#include "export/docx_writer.h"
#include "export/flow.h"
#include "export/layout.h"
#include "support/zip_bytes.h"

namespace zhibi::exporting {
namespace {

using legal::RunSource;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

const std::string kFixtures = std::string(ZHIBI_SOURCE_DIR) + "/tests/export/fixtures/";

legal::Document Draft() {
  const nlohmann::json json = base::ReadJsonFile(kFixtures + "draft.json", 1 << 20).value();
  return legal::DocumentFromJson(json).value();
}

ImportedDocument Import(const std::string& file, const legal::Document& draft, bool accept = true) {
  const std::string bytes = base::ReadFile(kFixtures + file, 1 << 20).value();
  Result<ImportedDocument> imported = ImportDocx(bytes, file, &draft, accept);
  EXPECT_TRUE(imported.ok()) << imported.status().message();
  return std::move(imported).value();
}

const BlockChange& Change(const ImportedDocument& imported, const std::string& id) {
  static const BlockChange none;
  for (const BlockChange& change : imported.changes) {
    if (change.id == id) return change;
  }
  ADD_FAILURE() << "no change of " << id;
  return none;
}

const legal::Block& BlockOf(const legal::Document& document, const std::string& id) {
  static const legal::Block none;
  for (const legal::Block& block : document.blocks) {
    if (block.id == id) return block;
  }
  ADD_FAILURE() << "no block " << id;
  return none;
}

void ExpectEdits(const ImportedDocument& imported, const legal::Document& draft) {
  std::map<std::string, Fate> fates;
  for (const BlockChange& change : imported.changes) {
    EXPECT_FALSE(change.found_by_text) << change.id;
    if (change.fate != Fate::kKept) fates[change.id] = change.fate;
  }
  EXPECT_EQ(fates, (std::map<std::string, Fate>{{"cause-1", Fate::kMerged},
                                                {"claims-5", Fate::kMoved},
                                                {"claims-6", Fate::kDeleted},
                                                {"evidence-3", Fate::kDeleted},
                                                {"loan-facts-1", Fate::kSplit},
                                                {"loan-facts-1+2", Fate::kSplit},
                                                {"new-1", Fate::kNew}}));
  EXPECT_THAT(Change(imported, "cause-1").related, ElementsAre("claims-1"));
  EXPECT_THAT(Change(imported, "loan-facts-1").related, ElementsAre("loan-facts-1+2"));
  EXPECT_TRUE(Change(imported, "parties-1").format_changed);
  EXPECT_FALSE(Change(imported, "parties-1").text_changed);
  EXPECT_TRUE(Change(imported, "parties-2").text_changed);
  EXPECT_FALSE(Change(imported, "claims-5").text_changed);
  // The moved block stands before the first claim, and an untouched one is what it was.
  const legal::Document& document = imported.document;
  std::vector<std::string> order;
  order.reserve(document.blocks.size());
  for (const legal::Block& block : document.blocks) order.push_back(block.id);
  EXPECT_LT(std::find(order.begin(), order.end(), "claims-5"),
            std::find(order.begin(), order.end(), "claims-2"));
  EXPECT_EQ(BlockOf(document, "reasons-1").paragraph.style, "body");
  EXPECT_EQ(BlockOf(document, "law-1"), BlockOf(draft, "law-1"));
  // Only the bold words are bold; elements keep their path.
  std::string bold;
  for (const legal::Run& run : BlockOf(document, "parties-1").paragraph.runs) {
    if (run.bold) bold += run.text;
    if (run.path == "plaintiffs[0].name") {
      EXPECT_EQ(run.text, "王小明");
    }
  }
  EXPECT_EQ(bold, "汉族");
  ASSERT_EQ(imported.left_out.size(), 1U);
  EXPECT_EQ(imported.left_out[0].kind, "footnote");
  EXPECT_EQ(imported.left_out[0].text, "脚注内容");
}

TEST(DocxImport, EditsInLibreOffice) {
  const legal::Document draft = Draft();
  for (const char* file : {"edited.docx", "edited-through-doc.docx"}) {
    SCOPED_TRACE(file);
    const ImportedDocument imported = Import(file, draft);
    ExpectEdits(imported, draft);
    EXPECT_THAT(TextOf(BlockOf(imported.document, "parties-3").paragraph),
                HasSubstr("示例里8号楼"));
    ASSERT_EQ(imported.tracked.size(), 3U);
    EXPECT_EQ(imported.tracked[0].kind, "deletion");
    EXPECT_EQ(imported.tracked[0].text, "示例里9号楼");
    EXPECT_EQ(imported.tracked[1].text, "示例里8号楼");
    EXPECT_THAT(imported.tracked[2].text, HasSubstr("上述金钱请求暂合计"));
    EXPECT_FALSE(imported.tracked[0].author.empty());
  }
}

TEST(DocxImport, RefusedChangesLeaveTheOldText) {
  const legal::Document draft = Draft();
  const ImportedDocument imported = Import("edited.docx", draft, false);
  EXPECT_THAT(TextOf(BlockOf(imported.document, "parties-3").paragraph), HasSubstr("示例里9号楼"));
  EXPECT_EQ(BlockOf(imported.document, "claims-6"), BlockOf(draft, "claims-6"));
}

TEST(DocxImport, WhatWasTypedIsAPersonsAndTheRestKeepsItsSource) {
  const legal::Document draft = Draft();
  const ImportedDocument imported = Import("edited.docx", draft);
  std::string typed;
  for (const legal::Run& run : BlockOf(imported.document, "parties-2").paragraph.runs) {
    if (run.source == RunSource::kPerson) typed += run.text;
  }
  EXPECT_EQ(typed, "20");
  for (const legal::Run& run : BlockOf(imported.document, "new-1").paragraph.runs)
    EXPECT_EQ(run.source, RunSource::kPerson);
  // A document again, in every way that a draft is one.
  EXPECT_EQ(legal::DocumentFromJson(legal::ToJson(imported.document)).value(), imported.document);
  EXPECT_EQ(imported.document.doctype, draft.doctype);
}

TEST(DocxImport, UntouchedFileIsTheSameDocument) {
  legal::Document draft = Draft();
  legal::Block table;
  table.id = "table-1";
  table.clause = "table";
  table.is_table = true;
  table.table.column_percent = {30, 70};
  table.table.header_rows = 1;
  for (const char* row : {"项目", "金额"}) {
    std::vector<legal::TableCell> cells(2);
    for (legal::TableCell& cell : cells)
      cell.paragraphs = {{"", "cell", {{row, RunSource::kElement, "a.b", false}}}};
    table.table.rows.push_back(cells);
  }
  draft.blocks.insert(draft.blocks.begin() + 5, table);
  draft.blocks[3].paragraph.runs.push_back({"模型写的", RunSource::kModel, "", false});
  const Layout layout = LoadLayout(std::string(ZHIBI_SOURCE_DIR) + "/data", "court").value();
  const std::string bytes = WriteDocx(draft, layout).value();
  const ImportedDocument imported = ImportDocx(bytes, "x.docx", &draft).value();
  for (const BlockChange& change : imported.changes) {
    EXPECT_EQ(change.fate, Fate::kKept) << change.id;
    EXPECT_FALSE(change.text_changed || change.format_changed) << change.id;
  }
  EXPECT_EQ(imported.document, draft);
  // Without the draft: the same ids in the same order, and what a model wrote is still told.
  const ImportedDocument alone = ImportDocx(bytes, "x.docx", nullptr).value();
  ASSERT_EQ(alone.document.blocks.size(), draft.blocks.size());
  for (std::size_t i = 0; i < draft.blocks.size(); ++i)
    EXPECT_EQ(alone.document.blocks[i].id, draft.blocks[i].id);
  EXPECT_EQ(alone.document.blocks[3].paragraph.runs.back().source, RunSource::kModel);
  EXPECT_EQ(alone.document.doctype, draft.doctype);
  EXPECT_EQ(alone.document.blocks[5].table.column_percent, (std::vector<int>{30, 70}));
  EXPECT_EQ(alone.document.blocks[5].table.header_rows, 1);
}

legal::Document Three() {
  legal::Document document;
  for (const char* id : {"a", "b", "c"}) {
    legal::Block block;
    block.id = id;
    block.clause = id;
    block.paragraph.id = id;
    block.paragraph.runs = {
        {std::string("第") + id + "段的文字，足够长以便认出来。", RunSource::kSkeleton, "", false}};
    document.blocks.push_back(block);
  }
  return document;
}

ImportedDocument OfBody(const std::string& body, const legal::Document& draft, bool accept = true) {
  const std::string bytes = testing_support::ZipBytes(
      {{"word/document.xml", "<w:document><w:body>" + body + "</w:body></w:document>"}});
  return ImportDocx(bytes, "x.docx", &draft, accept).value();
}

std::string P(const std::string& text, const std::string& properties = "") {
  return "<w:p>" + properties + "<w:r><w:t>" + text + "</w:t></w:r></w:p>";
}

TEST(DocxImport, LostBookmarksAreFoundByText) {
  const legal::Document draft = Three();
  const ImportedDocument imported = OfBody(
      P("第c段的文字，足够长以便认出来。") + P("第a段的文字，足够长可以认出来！") + P("别的话"),
      draft);
  EXPECT_EQ(Change(imported, "c").fate, Fate::kMoved);  // one of two that changed places
  EXPECT_TRUE(Change(imported, "c").found_by_text);
  EXPECT_EQ(Change(imported, "a").fate, Fate::kKept);
  EXPECT_TRUE(Change(imported, "a").text_changed);
  EXPECT_EQ(Change(imported, "b").fate, Fate::kDeleted);
  EXPECT_EQ(Change(imported, "new-1").fate, Fate::kNew);
}

TEST(DocxImport, ParagraphMarksOfTrackedChanges) {
  const legal::Document draft = Three();
  const std::string body =
      "<w:p><w:pPr><w:rPr><w:ins w:author='甲' w:date='d'/></w:rPr></w:pPr>"
      "<w:bookmarkStart w:id='1' w:name='zb_a'/><w:r><w:t>第a段的文字，</w:t></w:r></w:p>"
      "<w:p><w:r><w:t>足够长以便认出来。</w:t></w:r><w:bookmarkEnd w:id='1'/></w:p>";
  EXPECT_EQ(Change(OfBody(body, draft, true), "a").fate, Fate::kSplit);
  const ImportedDocument refused = OfBody(body, draft, false);
  EXPECT_EQ(Change(refused, "a").fate, Fate::kKept);
  EXPECT_EQ(refused.document.blocks[0], draft.blocks[0]);
  EXPECT_EQ(refused.tracked.at(0).author, "甲");
}

TEST(DocxImport, CommentsBoxesAndForeignThings) {
  const legal::Document draft = Three();
  const std::string bytes = testing_support::ZipBytes(
      {{"word/document.xml",
        "<w:document><w:body><w:sdt><w:sdtContent><w:p><w:bookmarkStart w:id='1' w:name='zb_a'/>"
        "<w:hyperlink><w:r><w:t>第a段的文字，足够长以便认出来。</w:t></w:r></w:hyperlink>"
        "<w:bookmarkEnd w:id='1'/><w:bookmarkStart w:id='2' w:name='_GoBack'/>"
        "<w:bookmarkEnd w:id='2'/><w:bookmarkEnd w:id='77'/>"
        "<w:r><w:drawing/></w:r><w:r><w:pict><w:txbxContent><w:p><w:r><w:t>框内</w:t></w:r></w:p>"
        "</w:txbxContent></w:pict></w:r><w:r><w:rPr><w:rPrChange w:author='乙'/></w:rPr>"
        "<w:tab/><w:noBreakHyphen/><w:br/></w:r></w:p></w:sdtContent></w:sdt>"
        "<w:p><w:bookmarkStart w:id='3' w:name='zb_zzz'/><w:r><w:t>外来</w:t></w:r></w:p>"
        "</w:body></w:document>"},
       {"word/_rels/document.xml.rels",
        "<Relationships><Relationship Id='r' Type='http://x/comments' Target='comments.xml'/>"
        "</Relationships>"},
       {"word/comments.xml",
        "<w:comments><w:comment w:author='丙'><w:p><w:r><w:t>批注</w:t></w:r></w:p></w:comment>"
        "</w:comments>"}});
  const ImportedDocument imported = ImportDocx(bytes, "x.docx", &draft).value();
  EXPECT_EQ(Change(imported, "a").fate, Fate::kKept);
  EXPECT_EQ(Change(imported, "new-1").fate, Fate::kNew);  // a bookmark of another document
  std::vector<std::string> left;
  left.reserve(imported.left_out.size());
  for (const LeftOut& one : imported.left_out) left.push_back(one.kind + one.author + one.text);
  EXPECT_THAT(left, ElementsAre("comment丙批注", "picture", "textbox框内"));
  EXPECT_EQ(imported.tracked.at(0).kind, "format");
  const nlohmann::json json = ChangesToJson(imported);
  EXPECT_EQ(json["blocks"][0]["fate"], "kept");
  EXPECT_EQ(json["left_out"].size(), 3U);
}

TEST(DocxImport, ColumnsOfAnyGridAddUpToAHundred) {
  const auto columns = [](const std::string& grid) {
    const ImportedDocument imported =
        OfBody("<w:tbl><w:tblGrid>" + grid + "</w:tblGrid><w:tr><w:tc>" + P("甲") +
                   "</w:tc></w:tr></w:tbl>",
               Three());
    // The blocks of the draft are gone, so the table is the only one.
    return imported.document.blocks.at(0).table.column_percent;
  };
  const std::string wide = "<w:gridCol w:w='9000'/>";
  EXPECT_EQ(columns("<w:gridCol w:w='2700'/><w:gridCol w:w='6300'/>"), (std::vector<int>{30, 70}));
  EXPECT_EQ(columns(wide + "<w:gridCol w:w='x'/>"), (std::vector<int>{99, 1}));
  EXPECT_EQ(columns("<w:gridCol w:w='0'/>" + wide), (std::vector<int>{1, 99}));
  EXPECT_EQ(columns("<w:gridCol/><w:gridCol/><w:gridCol/>"), (std::vector<int>{33, 33, 34}));
  std::string many;
  for (int i = 0; i < 80; ++i) many += wide;
  const std::vector<int> percent = columns(many);
  EXPECT_EQ(percent.size(), 63U);
  EXPECT_EQ(std::accumulate(percent.begin(), percent.end(), 0), 100);
  EXPECT_GE(*std::min_element(percent.begin(), percent.end()), 1);
}

TEST(DocxImport, DamageIsAStatus) {
  const legal::Document draft = Three();
  EXPECT_FALSE(ImportDocx("PK", "x", &draft).ok());
  EXPECT_THAT(
      ImportDocx(testing_support::ZipBytes({{"word/document.xml", "<html/>"}}), "x", nullptr)
          .status()
          .message(),
      HasSubstr("没有正文"));
  EXPECT_THAT(ImportDocx(testing_support::ZipBytes({{"a", ""}}), "x", nullptr).status().message(),
              HasSubstr("不是 DOCX"));
}

}  // namespace
}  // namespace zhibi::exporting
