// SPDX-License-Identifier: Apache-2.0
// Whole files, read back by other programs: pdftotext for positions and text, LibreOffice for the
// DOCX of the same page.
#include "export/pdf/render.h"

#include <cmath>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/utf8.h"
#include "export/docx_writer.h"
#include "export/pdf/metadata.h"
#include "export/pdf/pdf_samples.h"

namespace zhibi::exporting {
namespace {

using ::testing::Each;
using ::testing::HasSubstr;
using ::testing::Not;

PdfFile Rendered(const legal::Document& document, const std::string& layout = "court") {
  Result<PdfFile> file = RenderPdf(document, LoadShipped(layout), {});
  EXPECT_TRUE(file.ok()) << file.status().ToString();
  return file.ok() ? std::move(*file) : PdfFile{};
}

// Lines of the text area, page numbers left out.
std::vector<ReadLine> TextLines(const std::string& pdf, std::size_t page) {
  std::vector<ReadLine> lines;
  for (ReadLine& line : ReadLines(pdf)) {
    const bool inside = line.y_max < (297 - 35) * kPointsPerMm + 2;
    if (line.page == page && inside) lines.push_back(std::move(line));
  }
  return lines;
}

// 22 lines of 28 characters at the pitches of the layout, whoever made the file.
void ExpectFullPage(const std::string& pdf, std::size_t page, double tolerance) {
  const std::vector<ReadLine> lines = TextLines(pdf, page);
  ASSERT_EQ(lines.size(), 22U);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    EXPECT_EQ(base::CountCodePoints(lines[i].text), 28U) << lines[i].text;
    EXPECT_NEAR(lines[i].x_min, 28 * kPointsPerMm, tolerance);
    EXPECT_NEAR(lines[i].x_max - lines[i].x_min, 28 * 15.75, tolerance);
    EXPECT_NEAR(lines[i].y_min - lines[0].y_min, 28.95 * static_cast<double>(i), tolerance);
  }
}

// Not by a matcher: a failure would print the file.
bool Holds(const PdfFile& file, const std::string& text) {
  return file.bytes.find(text) != std::string::npos;
}

legal::Document ThreeFullPages() { return Document({Text("body", Characters(22 * 28 * 3 - 2))}); }

TEST(Render, FullCourtPageAsPdftotextReadsIt) {
  if (!HasCommand("pdftotext")) GTEST_SKIP() << "pdftotext (poppler-utils) is not installed";
  const ScratchFolder folder;
  const std::string path = folder.Write("court.pdf", Rendered(ThreeFullPages()).bytes);
  ExpectFullPage(path, 1, 0.7);
  ExpectFullPage(path, 2, 0.7);
}

TEST(Render, FullCourtPageOfTheDocxAsLibreOfficeLaysItOut) {
  if (!HasCommand("pdftotext")) GTEST_SKIP() << "pdftotext (poppler-utils) is not installed";
  if (!HasCommand("soffice")) GTEST_SKIP() << "soffice (libreoffice-writer-nogui) is not installed";
  const ScratchFolder folder;
  const Result<std::string> docx = WriteDocx(ThreeFullPages(), LoadShipped("court"));
  ASSERT_TRUE(docx.ok()) << docx.status().ToString();
  const std::string path = folder.Write("court.docx", *docx);
  int status = 0;
  OutputOf("soffice -env:UserInstallation=file://" + folder.Path("profile") +
               " --headless --convert-to pdf --outdir '" + folder.Path("") + "' '" + path + "'",
           &status);
  ASSERT_EQ(status, 0);
  // The slack of the line, 1.2 pt, is spread over its gaps.
  ExpectFullPage(folder.Path("court.pdf"), 1, 1.7);
}

TEST(Render, SameDocumentSameBytesAndNoTraceOfTimeOrPerson) {
  const legal::Document document =
      Document({Text("title", "民事起诉状"), Text("body", "正文", legal::RunSource::kModel)});
  const PdfFile file = Rendered(document);
  EXPECT_TRUE(file.bytes == Rendered(document).bytes);
  EXPECT_FALSE(Holds(file, "CreationDate"));
  EXPECT_TRUE(Holds(file, "/Lang (zh-CN)"));
  EXPECT_TRUE(Holds(file, "<TC260:AIGC>{\"Label\":\"1\""));
  EXPECT_TRUE(Holds(file, "/AIGC <FEFF"));
  EXPECT_TRUE(Holds(file, "/Outlines"));
  const PdfFile plain = Rendered(Document({Text("body", "正文", legal::RunSource::kPerson)}));
  EXPECT_FALSE(Holds(plain, "AIGC>"));
  EXPECT_FALSE(Holds(plain, "/AIGC <"));
}

TEST(Render, TextComesBackWithRareCharacters) {
  if (!HasCommand("pdftotext")) GTEST_SKIP() << "pdftotext (poppler-utils) is not installed";
  const ScratchFolder folder;
  const std::string path = folder.Write(
      "names.pdf",
      Rendered(Document({Text("body", "原告𠮷野、买买提·艾力，ID 110105199005011010。"),
                         TableOf(2, "单元格“甲”——乙……")}))
          .bytes);
  int status = 0;
  const std::string text = OutputOf("pdftotext '" + path + "' -", &status);
  ASSERT_EQ(status, 0);
  EXPECT_THAT(text, HasSubstr("原告𠮷野、买买提·艾力，ID 110105199005011010。"));
  EXPECT_THAT(text, HasSubstr("单元格“甲”——乙……"));
  const std::string fonts = OutputOf("pdffonts '" + path + "'", &status);
  ASSERT_EQ(status, 0);
  // Every font is embedded, as a subset, with the way back to Unicode.
  std::size_t count = 0;
  for (std::size_t at = fonts.find("\n", fonts.find("---")); at + 1 < fonts.size();) {
    const std::string line = fonts.substr(at + 1, fonts.find('\n', at + 1) - at - 1);
    EXPECT_THAT(line, HasSubstr("yes yes yes"));
    at = fonts.find('\n', at + 1);
    ++count;
  }
  EXPECT_GE(count, 1U);
}

TEST(Render, MissingGlyphsAreReportedNotDropped) {
  // U+10FFFD is a private character that no font has.
  const PdfFile file = Rendered(Document({Text("body", "甲\xF4\x8F\xBF\xBD乙")}));
  ASSERT_FALSE(file.notes.empty());
  EXPECT_THAT(file.notes, ::testing::Contains(HasSubstr("U+10FFFD")));
  const PdfFile plain = Rendered(Document({Text("body", "甲乙")}));
  EXPECT_THAT(plain.notes, Each(Not(HasSubstr("U+"))));
}

TEST(Render, ReplacedFontsAreNamed) {
  Layout layout = LoadShipped("court");
  const std::string installed = layout.fonts["仿宋_GB2312"].back();
  for (auto& [name, chain] : layout.fonts) chain.insert(chain.begin(), "Zhibi No Such Font");
  const Result<PdfFile> file = RenderPdf(Document({Text("body", "正文")}), layout, {});
  ASSERT_TRUE(file.ok()) << file.status().ToString();
  EXPECT_THAT(file->notes, Each(Not(HasSubstr("No Such"))));
  for (auto& [name, chain] : layout.fonts) chain = {"Zhibi No Such Font"};
  const Result<PdfFile> none = RenderPdf(Document({Text("body", "正文")}), layout, {});
  ASSERT_FALSE(none.ok());
  EXPECT_EQ(none.status().code(), StatusCode::kFailedPrecondition);
  EXPECT_THAT(none.status().message(), HasSubstr("fonts-noto-cjk"));
}

TEST(Render, BadFontFoldersAreErrors) {
  const ScratchFolder folder;
  folder.Write("no-font.ttf", "this is no font");
  for (const std::string& path :
       {folder.Path("missing"), folder.Path("no-font.ttf"), folder.Path("")}) {
    const Result<PdfFile> file =
        RenderPdf(Document({Text("body", "正文")}), LoadShipped("court"), {.fonts_dir = path});
    ASSERT_FALSE(file.ok()) << path;
    EXPECT_EQ(file.status().code(), StatusCode::kInvalidArgument);
    EXPECT_THAT(file.status().message(), HasSubstr(path));
  }
}

TEST(Render, HostileDocumentsGiveAFileOrAnError) {
  EXPECT_EQ(Rendered(Document({})).pages, 1U);
  EXPECT_EQ(Rendered(Document({Text("no-such-style", "")})).pages, 1U);
  legal::Block odd;
  odd.is_table = true;
  odd.table.column_percent = {0, -5, 1000};
  odd.table.header_rows = 99;
  odd.table.rows.resize(3);
  odd.table.rows[1].resize(9);
  odd.table.rows[1][0].column_span = -7;
  EXPECT_EQ(Rendered(Document({odd})).pages, 1U);
  legal::Block narrow = TableOf(1, Characters(500));
  narrow.table.column_percent = {100000, 1};
  EXPECT_GE(Rendered(Document({narrow})).pages, 2U);
  const std::string controls = "甲\x01\x7F\xFF\xFE\xE2\x80\xAE乙\xED\xA0\x80";
  EXPECT_EQ(Rendered(Document({Text("body", controls)})).pages, 1U);
  const PdfFile signatures =
      Rendered(Document(std::vector<legal::Block>(60, Text("signature", "审判员　张三"))));
  EXPECT_EQ(signatures.pages, 3U);
  const Result<PdfFile> huge =
      RenderPdf(Document({Text("body", std::string(9U << 20U, 'a'))}), LoadShipped("court"), {});
  ASSERT_FALSE(huge.ok());
  EXPECT_EQ(huge.status().code(), StatusCode::kResourceExhausted);
}

TEST(Render, LongDocumentsStayLinear) {
  const PdfFile paragraphs =
      Rendered(Document(std::vector<legal::Block>(10000, Text("body", Characters(40)))));
  EXPECT_EQ(paragraphs.pages, (10000U * 2 + 21) / 22);
  const PdfFile one = Rendered(Document({Text("body", Characters(100000))}));
  EXPECT_EQ(one.pages, (100002U + 28 * 22 - 1) / (28 * 22));
  const PdfFile digits = Rendered(Document({Text("body", std::string(100000, '7'))}));
  EXPECT_GT(digits.pages, 50U);
}

TEST(Metadata, WhatIsNoPdfOfCairoIsAnError) {
  for (const std::string& pdf :
       {std::string(), std::string("%PDF-1.4\n"), std::string("startxref\n99999\n%%EOF"),
        std::string("xref\n0 9\ntrailer\n<< /Size 9 /Root 1 0 R /Info 2 0 "
                    "R >>\nstartxref\n0\n%%EOF")}) {
    EXPECT_EQ(WithMetadata(pdf, {}).status().code(), StatusCode::kInternal) << pdf;
  }
}

}  // namespace
}  // namespace zhibi::exporting
