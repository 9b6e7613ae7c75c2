// SPDX-License-Identifier: Apache-2.0
#include "import/checkpoint.h"

#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "import/safetensors_bytes.h"

namespace zhibi::test {
namespace {

using import::Checkpoint;
using import::SafetensorsFile;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

// A file with one int8 tensor "t" [n] of the given bytes.
std::string OneTensor(const std::string& name, const std::string& bytes) {
  const std::string size = std::to_string(bytes.size());
  return SafetensorsBytes("{\"" + name + "\":{\"dtype\":\"U8\",\"shape\":[" + size +
                              "],\"data_offsets\":[0," + size + "]}}",
                          bytes);
}

std::string F16Tensor(const std::string& name) {
  return SafetensorsBytes(
      "{\"" + name + "\":{\"dtype\":\"F16\",\"shape\":[1],\"data_offsets\":[0,2]}}", "\x01\x3c");
}

// "w" I8 [2, 3] with scales as given: dtype, shape, bytes.
Result<std::unique_ptr<Checkpoint>> Int8(const std::string& dtype, const std::string& shape,
                                         const std::string& scale, const std::string& more = "",
                                         const std::string& more_bytes = "") {
  const std::string end = std::to_string(6 + scale.size());
  // The bytes outlive the test program's use of them.
  static std::vector<std::unique_ptr<std::string>> kept;
  kept.push_back(std::make_unique<std::string>(SafetensorsBytes(
      R"({"w":{"dtype":"I8","shape":[2,3],"data_offsets":[0,6]},"w_scale":{"dtype":")" + dtype +
          R"(","shape":)" + shape + R"(,"data_offsets":[6,)" + end + "]}" + more + "}",
      std::string("\x01\x02\x03\xff\xfe\xfd", 6) + scale + more_bytes)));
  auto file = SafetensorsFile::Parse(std::as_bytes(std::span(*kept.back())), "q.safetensors");
  if (!file.ok()) return file.status();
  std::vector<SafetensorsFile> files;
  files.push_back(std::move(file).value());
  return Checkpoint::FromFiles(std::move(files), "q.safetensors");
}

const std::string kTwoFloats("\0\0\0?\0\0\x80?", 8);  // 0.5, 1

TEST(CheckpointTest, Int8ScalesAreWidenedFromEveryFloatTypeAndShape) {
  const std::pair<std::string, std::string> kinds[] = {{"F32", kTwoFloats},
                                                       {"F16", std::string("\0\x38\0\x3c", 4)},
                                                       {"BF16", std::string("\0\x3f\x80\x3f", 4)}};
  for (const auto& [dtype, bytes] : kinds) {
    for (const char* shape : {"[2]", "[2,1]"}) {
      const auto checkpoint = Int8(dtype, shape, bytes);
      ASSERT_TRUE(checkpoint.ok()) << checkpoint.status().ToString();
      const auto tensor = (*checkpoint)->Find("w");
      ASSERT_TRUE(tensor.ok()) << tensor.status().ToString();
      EXPECT_EQ(tensor->dtype, DType::kI8);
      EXPECT_THAT(tensor->row_scales, ElementsAre(0.5F, 1.0F)) << dtype << shape;
    }
  }
}

TEST(CheckpointTest, UnfitScalesAreNamedWhenTheTensorIsUsed) {
  const std::string three(12, '\0');
  const std::string nan("\0\0\xc0\x7f\0\0\0\0", 8);
  const std::string negative("\0\0\x80\xbf\0\0\0\0", 8);
  const std::tuple<std::string, std::string, std::string, const char*> cases[] = {
      {"F32", "[3]", three, "expected one scale a row, [2, 1] or [2], got [3]"},
      {"F32", "[1,2]", kTwoFloats, "got [1, 2]"},
      {"I8", "[2]", "ab", "expected F32, F16 or BF16, got I8"},
      {"F64", "[2]", std::string(16, '\0'), "got F64"},
      {"F32", "[2]", nan, "at row 0"},
      {"F32", "[2]", negative, "expected finite scales of at least 0, got -1"},
  };
  for (const auto& [dtype, shape, bytes, message] : cases) {
    const auto checkpoint = Int8(dtype, shape, bytes);
    ASSERT_TRUE(checkpoint.ok()) << "an unused tensor is no error";
    EXPECT_THAT((*checkpoint)->Find("w").status().message(),
                AllOf(HasSubstr("q.safetensors"), HasSubstr("w_scale"), HasSubstr(message)));
  }
}

TEST(CheckpointTest, ZeroPointsMustBeZero) {
  const char* more = R"(,"w_zero_point":{"dtype":"I8","shape":[2],"data_offsets":[14,16]})";
  EXPECT_TRUE((*Int8("F32", "[2]", kTwoFloats, more, std::string(2, '\0')))->Find("w").ok());
  EXPECT_THAT((*Int8("F32", "[2]", kTwoFloats, more, "ab"))->Find("w").status().message(),
              HasSubstr("expected symmetric int8"));
}

TEST(CheckpointTest, Int8WithoutScalesAndOtherRanksAreRefused) {
  const TemporaryFolder folder;
  folder.Write("model.safetensors",
               SafetensorsBytes(R"({"w":{"dtype":"I8","shape":[2],"data_offsets":[0,2]},)"
                                R"("c":{"dtype":"I8","shape":[1,1,2],"data_offsets":[2,4]}})",
                                "abcd"));
  const auto checkpoint = Checkpoint::Open(folder.path());
  ASSERT_TRUE(checkpoint.ok());
  EXPECT_THAT((*checkpoint)->Find("w").status().message(),
              HasSubstr("expected a tensor w_scale of shape [2, 1]"));
  EXPECT_THAT((*checkpoint)->Find("c").status().message(), HasSubstr("rank 1 or 2, got [1, 1, 2]"));
}

TEST(CheckpointTest, TypesThatAreNotReadAreNamed) {
  const TemporaryFolder folder;
  folder.Write("model.safetensors", OneTensor("x", "abc"));
  const auto checkpoint = Checkpoint::Open(folder.path());
  ASSERT_TRUE(checkpoint.ok()) << checkpoint.status().ToString();
  EXPECT_THAT((*checkpoint)->Find("x").status().message(),
              HasSubstr("tensor x: expected F32, F16, BF16 or I8, got U8"));
  EXPECT_EQ((*checkpoint)->Find("x").status().code(), StatusCode::kUnimplemented);
  EXPECT_EQ((*checkpoint)->Find("y").status().code(), StatusCode::kNotFound);
  EXPECT_THAT((*checkpoint)->Find("y").status().message(), HasSubstr(folder.path()));
  EXPECT_TRUE((*checkpoint)->Contains("x"));
  EXPECT_THAT((*checkpoint)->names(), ElementsAre("x"));
}

TEST(CheckpointTest, OneFileOfAnyNameAndNoFile) {
  const TemporaryFolder folder;
  EXPECT_THAT(Checkpoint::Open(folder.path()).status().message(),
              AllOf(HasSubstr("found none"), HasSubstr("model.safetensors")));
  folder.Write("weights.safetensors", F16Tensor("x"));
  EXPECT_TRUE(Checkpoint::Open(folder.path()).ok());
  EXPECT_TRUE(Checkpoint::Open(folder.File("weights.safetensors")).ok());
  folder.Write("more.safetensors", F16Tensor("y"));
  EXPECT_THAT(Checkpoint::Open(folder.path()).status().message(),
              AllOf(HasSubstr("more.safetensors, weights.safetensors"), HasSubstr("index.json")));
  EXPECT_EQ(Checkpoint::Open(folder.File("none")).status().code(), StatusCode::kNotFound);
}

class ShardTest : public testing::Test {
 protected:
  void SetUp() override {
    folder_.Write("a.safetensors", F16Tensor("x"));
    folder_.Write("b.safetensors", F16Tensor("y"));
  }
  Status Open(const std::string& index) {
    folder_.Write("model.safetensors.index.json", index);
    auto checkpoint = Checkpoint::Open(folder_.path());
    return checkpoint.ok() ? OkStatus() : std::move(checkpoint).status();
  }
  TemporaryFolder folder_;
};

TEST_F(ShardTest, TensorsOfAllShards) {
  ASSERT_TRUE(
      Open(R"({"metadata":{},"weight_map":{"x":"a.safetensors","y":"b.safetensors"}})").ok());
  const auto checkpoint = Checkpoint::Open(folder_.path());
  EXPECT_THAT((*checkpoint)->names(), ElementsAre("x", "y"));
  EXPECT_EQ((*checkpoint)->files().size(), 2U);
}

TEST_F(ShardTest, FaultsOfTheIndexAreNamed) {
  EXPECT_THAT(Open(R"({"weight_map":{"x":"a.safetensors","z":"c.safetensors"}})").message(),
              AllOf(HasSubstr("shard c.safetensors"), HasSubstr("index.json")));
  EXPECT_THAT(Open(R"({"weight_map":{"x":"b.safetensors","y":"a.safetensors"}})").message(),
              HasSubstr("tensor x: expected in b.safetensors, found in a.safetensors"));
  EXPECT_THAT(Open(R"({"weight_map":{"q":"a.safetensors"}})").message(),
              HasSubstr("tensor q: expected in a.safetensors, found in no file"));
  for (const char* name : {"../a.safetensors", "/etc/passwd", "", ".", "..", "s/a.safetensors"}) {
    EXPECT_THAT(Open(std::string(R"({"weight_map":{"x":")") + name + "\"}}").message(),
                HasSubstr("expected the name of a file beside the index"))
        << name;
  }
  EXPECT_THAT(Open(R"({"weight_map":{"x":3}})").message(), HasSubstr("weight_map: x"));
  EXPECT_THAT(Open(R"({"weight_map":{}})").message(), HasSubstr("is empty"));
  EXPECT_THAT(Open(R"({"weight_map":[]})").message(), HasSubstr("expected an object"));
  EXPECT_THAT(Open("[]").message(), HasSubstr("weight_map"));
  EXPECT_THAT(Open("{").message(), HasSubstr("index.json:1:"));
  EXPECT_THAT(Open(R"({"weight_map":{"x":"a.safetensors","x":"b.safetensors"}})").message(),
              HasSubstr("duplicate key \"x\""));
}

TEST_F(ShardTest, ATensorInTwoFilesIsRefused) {
  folder_.Write("b.safetensors", F16Tensor("x"));
  EXPECT_THAT(Open(R"({"weight_map":{"x":"a.safetensors","y":"b.safetensors"}})").message(),
              AllOf(HasSubstr("tensor x: in two files"), HasSubstr("b.safetensors")));
}

}  // namespace
}  // namespace zhibi::test
