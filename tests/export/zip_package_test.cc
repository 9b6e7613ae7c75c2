// SPDX-License-Identifier: Apache-2.0
// Hostile archives and parts: every one ends in a status that says what is wrong, in bounded
// memory.
#include "export/zip_package.h"

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "export/docx_body.h"
#include "export/docx_reader.h"
#include "export/office_xml.h"
#include "export/xlsx_reader.h"
#include "support/zip_bytes.h"

namespace zhibi::exporting {
namespace {

using ::testing::HasSubstr;
using testing_support::RawEntry;
using testing_support::ZipBytes;

const std::string kBody =
    "<w:document><w:body><w:p><w:r><w:t>甲</w:t></w:r></w:p></w:body></w:document>";

Status StatusOf(const std::vector<RawEntry>& entries, std::size_t declared = 0) {
  return ReadDocxText(ZipBytes(entries, declared), "x.docx").status();
}

TEST(ZipPackage, WellMadeArchiveIsRead) {
  EXPECT_EQ(ReadDocxText(ZipBytes({{"word/document.xml", kBody}}), "x.docx").value(), "甲\n");
}

TEST(ZipPackage, NamesThatLieAreRefused) {
  for (const char* name :
       {"/etc/passwd", "\\share\\a", "C:\\a.xml", "../a.xml", "word/../../a.xml", "a/.."}) {
    const Status status = StatusOf({{"word/document.xml", kBody}, {name, "x"}});
    EXPECT_EQ(status.code(), StatusCode::kInvalidArgument) << name;
    EXPECT_THAT(status.message(), HasSubstr("x.docx: ")) << name;
  }
  EXPECT_THAT(StatusOf({{"word/document.xml", kBody}, {"word/document.xml", "<a/>"}}).message(),
              HasSubstr("word/document.xml: 同名重复"));
}

TEST(ZipPackage, WrongChecksumAndWrongSizesAreDataLoss) {
  EXPECT_EQ(StatusOf({{"word/document.xml", kBody, 1}}).code(), StatusCode::kDataLoss);
  EXPECT_FALSE(StatusOf({{"word/document.xml", kBody, 0, 7}}).ok());
}

TEST(ZipPackage, TooManyEntriesAreRefusedBeforeTheyAreRead) {
  std::vector<RawEntry> many;
  for (int i = 0; i < 60000; ++i) many.push_back({"p" + std::to_string(i), ""});
  many.push_back({"word/document.xml", kBody});
  EXPECT_THAT(StatusOf(many).message(), HasSubstr("60001 entries, at most 4096"));
  // 100 000 in a directory whose end record holds 16 bits.
  for (int i = 60000; i < 100000; ++i) many.push_back({"p" + std::to_string(i), ""});
  EXPECT_FALSE(StatusOf(many, 100001 % 65536).ok());
  // More declared than there are.
  EXPECT_EQ(StatusOf({{"word/document.xml", kBody}}, 5000).code(), StatusCode::kResourceExhausted);
}

TEST(ZipPackage, BombsStopAtRatioPartAndTotal) {
  const std::string zeros(std::size_t{70} << 20, ' ');
  const Result<std::string> large = WriteZip({{"word/document.xml", zeros}});
  EXPECT_THAT(ReadDocxText(*large, "x").status().message(), HasSubstr("bytes inflated, at most"));
  const Result<std::string> dense =
      WriteZip({{"word/document.xml", zeros.substr(0, std::size_t{8} << 20)}});
  EXPECT_THAT(ReadDocxText(*dense, "x").status().message(), HasSubstr("at most 200 times"));
  ZipLimits limits;
  limits.max_total_bytes = 10;
  const std::string two = ZipBytes({{"a", "123456"}, {"b", "123456"}});
  ZipReader zip = ZipReader::Open(two, "x", limits).value();
  EXPECT_TRUE(zip.Read("a").ok());
  EXPECT_EQ(zip.Read("b").status().code(), StatusCode::kResourceExhausted);
  EXPECT_EQ(zip.Read("c").status().code(), StatusCode::kNotFound);
  limits.max_archive_bytes = 16;
  EXPECT_EQ(ZipReader::Open(two, "x", limits).status().code(), StatusCode::kResourceExhausted);
}

TEST(ZipPackage, EveryTruncationIsAStatus) {
  const std::string whole = ZipBytes({{"word/document.xml", kBody}});
  for (std::size_t length = 0; length < whole.size(); ++length)
    EXPECT_FALSE(ReadDocxText(whole.substr(0, length), "x").ok()) << length;
}

TEST(OfficeXml, EntitiesDepthAndMassAreRefused) {
  EXPECT_THAT(StatusOf({{"word/document.xml",
                         "<!DOCTYPE d [<!ENTITY e SYSTEM \"file:///etc/passwd\">]><d>&e;</d>"}})
                  .message(),
              HasSubstr("DOCTYPE"));
  std::string deep;
  for (int i = 0; i < 100000; ++i) deep += "<a>";
  for (int i = 0; i < 100000; ++i) deep += "</a>";
  EXPECT_THAT(StatusOf({{"word/document.xml", deep}}).message(), HasSubstr("nested deeper"));
  std::string wide = "<a>";
  for (std::size_t i = 0; i < kMaxXmlMarks + 1; ++i) wide += "<b/>";
  EXPECT_THAT(StatusOf({{"word/document.xml", wide + "</a>"}}).message(), HasSubstr("marks"));
  EXPECT_EQ(StatusOf({{"word/document.xml", "<a><b></a>"}}).code(), StatusCode::kDataLoss);
  // Nothing is loaded from outside of the package.
  const std::string outside =
      "<Relationships><Relationship Id=\"r1\" Type=\"http://x/officeDocument\" "
      "Target=\"../../etc/passwd\"/></Relationships>";
  EXPECT_EQ(
      ReadDocxText(ZipBytes({{"_rels/.rels", outside}, {"word/document.xml", kBody}}), "x").value(),
      "甲\n");
}

TEST(OfficeXml, MainPartIsWhereThePackageSays) {
  const std::string relations =
      "<Relationships><Relationship Id=\"r1\" Type=\"http://x/officeDocument\" "
      "Target=\"/word/./other/../main2.xml\"/></Relationships>";
  EXPECT_EQ(
      ReadDocxText(ZipBytes({{"_rels/.rels", relations}, {"word/main2.xml", kBody}}), "x").value(),
      "甲\n");
}

TEST(OfficeXml, OldOrEncryptedFilesAreNamed) {
  const std::string old = std::string("\xD0\xCF\x11\xE0", 4) + std::string(600, '\0');
  EXPECT_THAT(ReadDocxText(old, "x.doc").status().message(), HasSubstr("旧版"));
  EXPECT_THAT(ReadXlsx(old, "x.xls").status().message(), HasSubstr("旧版"));
  EXPECT_THAT(ReadDocxBody(old, "x.doc", true).status().message(), HasSubstr("旧版"));
}

}  // namespace
}  // namespace zhibi::exporting
