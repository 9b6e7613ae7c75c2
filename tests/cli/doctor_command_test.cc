// SPDX-License-Identifier: Apache-2.0
#include "cli/doctor_command.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace zhibi::cli {
namespace {

namespace fs = std::filesystem;

bool Mentions(const std::vector<DoctorProblem>& problems, const std::string& text) {
  return std::any_of(problems.begin(), problems.end(), [&](const DoctorProblem& problem) {
    return problem.what.find(text) != std::string::npos && !problem.mend.empty();
  });
}

// A shared folder with one document type and a model file of 5 bytes.
class DoctorTest : public ::testing::Test {
 public:
  ~DoctorTest() override {
    ::unsetenv("ZHIBI_SHARE_DIR");
    ::unsetenv("ZHIBI_CACHE_DIR");
    std::error_code error;
    fs::remove_all(root_, error);
  }

 protected:
  DoctorTest() {
    std::string name = (fs::temp_directory_path() / "zhibi_doctor_XXXXXX").string();
    if (::mkdtemp(name.data()) != nullptr) root_ = name;
    fs::create_directories(root_ / "share/data/doctypes/civil-complaint");
    fs::create_directories(root_ / "share/data/doctypes/_shared");
    fs::create_directories(root_ / "share/models/zhibi-mini");
    std::ofstream(root_ / "share/models/zhibi-mini/model.safetensors") << "12345";
    ::setenv("ZHIBI_SHARE_DIR", (root_ / "share").c_str(), 1);
    ::setenv("ZHIBI_CACHE_DIR", (root_ / "cache").c_str(), 1);
  }

  fs::path root_;
};

TEST_F(DoctorTest, TellsWhatIsThere) {
  nlohmann::json facts;
  const std::vector<DoctorProblem> problems = Examine(facts);
  EXPECT_FALSE(Mentions(problems, "document type"));
  EXPECT_EQ(facts["files"]["doctypes"], nlohmann::json({"civil-complaint"}));
  EXPECT_EQ(facts["files"]["model"]["file"], "model.safetensors");
  EXPECT_EQ(facts["files"]["model"]["bytes"], 5);
  EXPECT_EQ(facts["cache"]["folder"], (root_ / "cache").string());
  EXPECT_EQ(facts["cache"]["writable"], true);
  EXPECT_GE(facts["threads"].get<int>(), 1);
  EXPECT_GT(facts["memory"]["usable_bytes"].get<std::int64_t>(), 0);
  EXPECT_LE(facts["memory"]["usable_bytes"], facts["memory"]["total_bytes"]);
  EXPECT_EQ(facts["switches"]["ZHIBI_SHARE_DIR"], (root_ / "share").string());
  for (const char* key : {"vendor", "model", "features", "best", "level", "forced"}) {
    EXPECT_TRUE(facts["cpu"].contains(key)) << key;
  }
}

TEST_F(DoctorTest, NamesWhatIsWrongAndWhatToDo) {
  fs::remove_all(root_ / "share/data/doctypes/civil-complaint");
  fs::remove(root_ / "share/models/zhibi-mini/model.safetensors");
  ::setenv("ZHIBI_THREADS", "many", 1);
  ::setenv("ZHIBI_CPUS", "scalar", 1);
  nlohmann::json facts;
  const std::vector<DoctorProblem> problems = Examine(facts);
  ::unsetenv("ZHIBI_THREADS");
  ::unsetenv("ZHIBI_CPUS");
  EXPECT_TRUE(Mentions(problems, "no document type in"));
  EXPECT_TRUE(Mentions(problems, "no .safetensors file in"));
  EXPECT_TRUE(Mentions(problems, "ZHIBI_THREADS: expected a number from 1 to 1024, got \"many\""));
  EXPECT_TRUE(Mentions(problems, "ZHIBI_CPUS is set, but no such switch exists"));
}

TEST_F(DoctorTest, MissingShareFolderIsOneProblem) {
  ::setenv("ZHIBI_SHARE_DIR", (root_ / "none").c_str(), 1);
  nlohmann::json facts;
  EXPECT_TRUE(Mentions(Examine(facts), (root_ / "none").string()));
  EXPECT_TRUE(facts["files"]["share"].is_null());
}

TEST_F(DoctorTest, PrintsOneJsonObjectWithProblems) {
  ::setenv("ZHIBI_CPUS", "scalar", 1);
  ::testing::internal::CaptureStdout();
  const int code = RunDoctor({.json = true});
  const std::string text = ::testing::internal::GetCapturedStdout();
  ::testing::internal::CaptureStdout();
  RunDoctor({.json = false});
  const std::string plain = ::testing::internal::GetCapturedStdout();
  ::unsetenv("ZHIBI_CPUS");
  EXPECT_EQ(code, 1);
  const nlohmann::json facts = nlohmann::json::parse(text, nullptr, false);
  ASSERT_TRUE(facts.is_object()) << text;
  ASSERT_FALSE(facts["problems"].empty());
  EXPECT_TRUE(facts["problems"][0].contains("mend"));
  EXPECT_NE(plain.find("ZHIBI_CPUS is set"), std::string::npos);
  EXPECT_NE(plain.find("doctypes   1 ("), std::string::npos);
  EXPECT_NE(plain.find("ZHIBI_LOG"), std::string::npos);
}

}  // namespace
}  // namespace zhibi::cli
