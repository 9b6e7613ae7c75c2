// SPDX-License-Identifier: Apache-2.0
// `zhibi import` on a draft that LibreOffice edited (tests/export/fixtures): what it prints, the
// document that it writes, and what it refuses.
#include "cli/import_command.h"

#include <unistd.h>

#include <filesystem>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/file.h"
#include "base/json.h"
#include "cli/export_command.h"
#include "legal/document.h"

namespace zhibi::cli {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;
using ::testing::Not;

class ImportCommandTest : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::temp_directory_path() / ("zhibi 读回 " + std::to_string(::getpid()));
    std::filesystem::create_directories(folder_);
    options_.file = kFixtures + "edited.docx";
    options_.document = kFixtures + "draft.json";
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  std::string Output() const {
    testing::internal::CaptureStdout();
    const Status status = RunImport(options_);
    std::string out = testing::internal::GetCapturedStdout();
    EXPECT_TRUE(status.ok()) << status.ToString();
    return out;
  }

  const std::string kFixtures = std::string(ZHIBI_SOURCE_DIR) + "/tests/export/fixtures/";
  std::filesystem::path folder_;
  ImportOptions options_;
};

TEST_F(ImportCommandTest, SaysWhatBecameOfEachBlock) {
  const std::string out = Output();
  EXPECT_THAT(out, HasSubstr("移动\tclaims-5"));
  EXPECT_THAT(out, HasSubstr("删除\tclaims-6"));
  EXPECT_THAT(out, HasSubstr("拆分\tloan-facts-1"));
  EXPECT_THAT(out, HasSubstr("合并\tcause-1"));
  EXPECT_THAT(out, HasSubstr("新增\tnew-1"));
  EXPECT_THAT(out, HasSubstr("未入正文 footnote"));
  EXPECT_THAT(out, Not(HasSubstr("law-1\t")));  // untouched blocks are counted, not listed
  EXPECT_THAT(out, HasSubstr("未改 / untouched: "));
  EXPECT_THAT(out, Not(HasSubstr("\n\n")));  // a deleted paragraph's end is no line of the report
  EXPECT_THAT(out, HasSubstr("2026年3月2日。\n未入正文"));
}

TEST_F(ImportCommandTest, WritesTheDocumentWithTheEdits) {
  options_.out = (folder_ / "新.json").string();
  options_.json = true;
  const json changes = json::parse(Output());
  EXPECT_EQ(changes.at("tracked").size(), 3U);
  const json written = base::ReadJsonFile(options_.out, 1 << 20).value();
  const auto document = legal::DocumentFromJson(written);
  ASSERT_TRUE(document.ok()) << document.status().ToString();
  EXPECT_EQ(legal::ToJson(*document), written);
  const json before = base::ReadJsonFile(options_.document, 1 << 20).value();
  EXPECT_NE(written.at("blocks"), before.at("blocks"));
  // Exported and read back, the edited document is what it was.
  ExportOptions to_docx;
  to_docx.file = options_.out;
  to_docx.out = (folder_ / "新.docx").string();
  ASSERT_TRUE(RunExport(to_docx).ok());
  options_.file = to_docx.out;
  options_.document = options_.out;
  const json again = json::parse(Output());
  for (const json& block : again.at("blocks")) {
    EXPECT_EQ(block.at("fate"), "kept") << block.dump();
    EXPECT_EQ(block.at("text_changed"), false) << block.dump();
  }
}

TEST_F(ImportCommandTest, RefusesWhatIsNoDocxAndNoDraft) {
  const auto message = [&] {
    const Status status = RunImport(options_);
    EXPECT_FALSE(status.ok());
    return status.message();
  };
  const std::string file = (folder_ / "文.docx").string();
  ASSERT_TRUE(base::WriteFileAtomic(file, "no archive").ok());
  options_.out = (folder_ / "新.json").string();
  options_.file = file;
  EXPECT_THAT(message(), HasSubstr("文.docx"));
  options_.file = kFixtures + "edited.docx";
  options_.document = file;
  EXPECT_THAT(message(), HasSubstr("文.docx"));
  ASSERT_TRUE(base::WriteFileAtomic(file, "{}").ok());
  EXPECT_THAT(message(), HasSubstr("/format: is missing"));
  EXPECT_FALSE(std::filesystem::exists(options_.out));
}

}  // namespace
}  // namespace zhibi::cli
