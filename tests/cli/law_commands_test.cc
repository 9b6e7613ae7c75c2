// SPDX-License-Identifier: Apache-2.0
// The commands extract and redact as a user runs them: files in, files out, refusals.
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <string>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/file.h"
#include "base/json.h"
#include "cli/extract_command.h"
#include "cli/read_text.h"
#include "cli/redact_command.h"

namespace zhibi::cli {
namespace {

class LawCommandsTest : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::temp_directory_path() /
              ("zhibi_law_commands_" + std::to_string(::getpid()));
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  std::string Path(const std::string& name) const { return (folder_ / name).string(); }
  std::string Write(const std::string& name, const std::string& text) const {
    EXPECT_TRUE(base::WriteFileAtomic(Path(name), text).ok());
    return Path(name);
  }
  static std::string Read(const std::string& path) { return base::ReadFile(path, 1 << 20).value(); }

  std::filesystem::path folder_;
};

constexpr const char* kText =
    "民事起诉状\n原告：张三丰，男，住江苏省昆山市玉山镇北门路12号。\n被告：李四，男。\n"
    "诉讼请求：\n1．判令被告偿还借款本金5万元；\n2．诉讼费由被告承担。\n事实与理由：略。\n";

TEST_F(LawCommandsTest, RedactAndRestore) {
  RedactOptions options;
  options.file = Write("in.txt", kText);
  options.level = "P2";
  options.out = Path("out.txt");
  options.map = Path("map.json");
  ASSERT_TRUE(RunRedact(options).ok());
  const std::string redacted = Read(options.out);
  EXPECT_EQ(redacted.find("张三丰"), std::string::npos);
  EXPECT_EQ(redacted.find("北门路"), std::string::npos);
  struct stat info{};
  ASSERT_EQ(::stat(options.map.c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777U, 0600U);

  RedactOptions back;
  back.file = options.out;
  back.restore = options.map;
  back.out = Path("back.txt");
  ASSERT_TRUE(RunRedact(back).ok());
  EXPECT_EQ(Read(back.out), kText);
  back.file = options.file;  // another text than the mapping's
  EXPECT_EQ(RunRedact(back).code(), StatusCode::kInvalidArgument);
}

TEST_F(LawCommandsTest, RedactRefusesBadInput) {
  RedactOptions options;
  options.file = Write("in.txt", kText);
  options.level = "P7";
  EXPECT_NE(RunRedact(options).message().find("P0, P1, P2 or P3"), std::string::npos);
  options.level = "P1";
  options.file = Write("in.docx", std::string("PK\x03\x04", 4));
  EXPECT_FALSE(RunRedact(options).ok());
  options.file = Path("none.txt");
  EXPECT_EQ(RunRedact(options).code(), StatusCode::kNotFound);
}

TEST_F(LawCommandsTest, ExtractWritesElements) {
  ExtractOptions options;
  options.file = Write("in.txt", kText);
  options.doctype = "civil-complaint";
  options.out = Path("elements.json");
  options.json = true;
  testing::internal::CaptureStdout();
  ASSERT_TRUE(RunExtract(options).ok());
  const std::string printed = testing::internal::GetCapturedStdout();
  const nlohmann::json answer = base::ParseJson(printed, "out").value();
  EXPECT_EQ(answer["people"], (nlohmann::json{"张三丰", "李四"}));
  EXPECT_EQ(answer["sums"][0]["value"], 5000000);
  const nlohmann::json elements = base::ParseJson(Read(options.out), "elements").value();
  EXPECT_EQ(elements["plaintiffs"][0]["name"], "张三丰");
}

TEST_F(LawCommandsTest, ExtractReadsATable) {
  ExtractOptions options;
  options.file = Write("in.csv", "字段,值\n\"plaintiffs[0].name\",张三\ncourt,昆山市人民法院\n");
  EXPECT_NE(RunExtract(options).message().find("--doctype"), std::string::npos);
  options.doctype = "civil-complaint";
  options.out = Path("elements.json");
  testing::internal::CaptureStdout();
  const Status status = RunExtract(options);
  testing::internal::GetCapturedStdout();
  ASSERT_TRUE(status.ok()) << status.message();
  EXPECT_EQ(base::ParseJson(Read(options.out), "elements").value()["court"], "昆山市人民法院");
}

TEST_F(LawCommandsTest, TextInOfficeEncodings) {
  // 原告 in GBK.
  EXPECT_EQ(ReadTextFile(Write("gbk.txt", "\xD4\xAD\xB8\xE6")).value(), "原告");
}

}  // namespace
}  // namespace zhibi::cli
