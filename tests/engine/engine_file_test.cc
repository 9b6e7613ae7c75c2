// SPDX-License-Identifier: Apache-2.0
#include "engine/engine_file.h"

#include <chrono>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <random>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/file.h"
#include "engine/format.h"
#include "engine/sample_engine.h"

namespace zhibi::engine {
namespace {

using ::testing::HasSubstr;

std::string TemporaryPath(const std::string& name) {
  return testing::TempDir() + "/zhibi_engine_test_" + name;
}

std::vector<std::byte> Bytes(const std::string& path) {
  Result<std::string> text = base::ReadFile(path, 1 << 20);
  EXPECT_TRUE(text.ok()) << text.status().ToString();
  const auto* data = reinterpret_cast<const std::byte*>(text->data());
  return {data, data + text->size()};
}

std::vector<std::byte> SampleBytes() {
  const std::string path = TemporaryPath("sample.engine");
  const Status status = sample::Write(path, {sample::StepPlan()});
  EXPECT_TRUE(status.ok()) << status.ToString();
  return Bytes(path);
}

TEST(EngineFile, GivesBackWhatWasWritten) {
  const std::string path = TemporaryPath("round_trip.engine");
  Plan second = sample::StepPlan();
  second.name = "encode";
  ASSERT_TRUE(sample::Write(path, {sample::StepPlan(), second}).ok());
  Result<std::shared_ptr<const EngineFile>> file = EngineFile::Open(path);
  ASSERT_TRUE(file.ok()) << file.status().ToString();
  const EngineFile& engine = **file;
  EXPECT_EQ(SerializePlans({sample::StepPlan(), second}), SerializePlans(engine.plans()));
  ASSERT_NE(engine.FindPlan("encode"), nullptr);
  EXPECT_EQ(engine.FindPlan("draft"), nullptr);
  EXPECT_EQ(engine.plans()[0].axes[1].rows, sample::StepPlan().axes[1].rows);
  EngineInfo info = sample::Info();
  info.format_version = kFormatVersion;
  info.zhibi_version = engine.info().zhibi_version;
  EXPECT_EQ(SerializeInfo(info), SerializeInfo(engine.info()));
  ASSERT_EQ(engine.weights().size(), 2U);
  EXPECT_EQ(engine.weights()[0].offset, 0U);
  EXPECT_EQ(engine.weights()[1].offset, 64U);
  EXPECT_EQ(engine.weights()[1].parts[1].tensor, "b.weight");
  EXPECT_TRUE(engine.weights()[1].interleave);
  EXPECT_EQ(engine.weights()[1].rms_error, 0.002);
  EXPECT_EQ(engine.weight_bytes()[64], std::byte{2});
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(engine.weight_bytes().data()) % 4096, 0U);
  EXPECT_EQ(engine.SectionBytes(kRoleTokenizer).size(), 6U);
  EXPECT_TRUE(engine.SectionBytes(kRoleReport).empty());
  EXPECT_TRUE(engine.VerifyWeights().ok());
}

TEST(EngineFile, TheSameCallsGiveTheSameBytes) { EXPECT_EQ(SampleBytes(), SampleBytes()); }

TEST(EngineFile, NothingIsLeftWithoutFinish) {
  const std::string path = TemporaryPath("unfinished.engine");
  std::filesystem::remove(path);
  {
    Result<std::unique_ptr<EngineWriter>> writer = EngineWriter::Create(path);
    ASSERT_TRUE(writer.ok());
    ASSERT_TRUE((*writer)->AddSection("x", "y").ok());
  }
  EXPECT_FALSE(std::filesystem::exists(path));
}

TEST(EngineFile, EveryTruncationIsRefused) {
  const std::vector<std::byte> bytes = SampleBytes();
  for (std::size_t size = 0; size < bytes.size(); size += size < 256 ? 1 : 7) {
    const auto file = EngineFile::Parse(std::span(bytes).first(size), "cut");
    ASSERT_FALSE(file.ok()) << size;
    EXPECT_EQ(file.status().code(), StatusCode::kDataLoss) << size;
  }
}

TEST(EngineFile, EveryFlippedByteIsFound) {
  std::vector<std::byte> bytes = SampleBytes();
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    if (i >= sizeof(Header) && i < kWeightsOffset) continue;  // padding
    bytes[i] ^= std::byte{0x40};
    const auto file = EngineFile::Parse(bytes, "flipped");
    const bool found = !file.ok() || !(*file)->VerifyWeights().ok();
    // Padding between sections is covered by no checksum and read by nobody.
    if (!found) {
      EXPECT_EQ(bytes[i], std::byte{0x40}) << "offset " << i;
    }
    bytes[i] ^= std::byte{0x40};
  }
}

TEST(EngineFile, DamagedWeightsAreFoundByVerifyOnly) {
  std::vector<std::byte> bytes = SampleBytes();
  bytes[kWeightsOffset] ^= std::byte{1};
  const auto file = EngineFile::Parse(bytes, "damaged");
  ASSERT_TRUE(file.ok());
  const Status status = (*file)->VerifyWeights();
  EXPECT_EQ(status.code(), StatusCode::kDataLoss);
  EXPECT_THAT(status.message(), HasSubstr("section weights at offset 4096"));
}

TEST(EngineFile, ANewerFormatNamesBothVersionsAndTheCommand) {
  std::vector<std::byte> bytes = SampleBytes();
  bytes[8] = std::byte{7};
  const auto file = EngineFile::Parse(bytes, "new.engine");
  ASSERT_FALSE(file.ok());
  EXPECT_EQ(file.status().code(), StatusCode::kFailedPrecondition);
  EXPECT_THAT(file.status().message(), HasSubstr("format 7"));
  EXPECT_THAT(file.status().message(), HasSubstr("reads format 1"));
  EXPECT_THAT(file.status().message(), HasSubstr("zhibi build --model"));
}

TEST(EngineFile, MutationsPastTheChecksumsNeverCrash) {
  const std::vector<std::byte> clean = SampleBytes();
  std::mt19937_64 random(7);
  int accepted = 0;
  for (int round = 0; round < 20000; ++round) {
    std::vector<std::byte> bytes = clean;
    const int edits = 1 + static_cast<int>(random() % 3);
    for (int i = 0; i < edits; ++i) {
      const std::size_t at =
          kWeightsOffset + 112 + random() % (bytes.size() - kWeightsOffset - 112);
      bytes[at] = static_cast<std::byte>(random());
    }
    sample::MendChecksums(bytes);
    accepted += EngineFile::Parse(bytes, "mutated").ok() ? 1 : 0;
  }
  EXPECT_GT(accepted, 0);      // names, errors and the like may change freely
  EXPECT_LT(accepted, 14000);  // most bytes matter
}

TEST(EngineFile, ANewerOpVersionNamesTheCommand) {
  Plan plan = sample::StepPlan();
  plan.ops[0].op_version = 99;
  const Status status = ValidatePlan(plan, sample::Weights());
  EXPECT_EQ(status.code(), StatusCode::kFailedPrecondition);
  EXPECT_THAT(status.message(), HasSubstr("rms_norm version 99"));
}

struct BadPlan {
  const char* name;
  void (*damage)(Plan&);
  const char* message;
};

class ValidatePlanTest : public testing::TestWithParam<BadPlan> {};

TEST_P(ValidatePlanTest, NamesWhatIsWrong) {
  Plan plan = sample::StepPlan();
  ASSERT_TRUE(ValidatePlan(plan, sample::Weights()).ok());
  GetParam().damage(plan);
  const Status status = ValidatePlan(plan, sample::Weights());
  ASSERT_FALSE(status.ok());
  EXPECT_THAT(status.message(), HasSubstr(GetParam().message));
}

constexpr BadPlan kBadPlans[] = {
    {"SymbolOrder", [](Plan& p) { p.symbols[0].opt = 100; }, "0 <= min <= opt <= max"},
    {"ArenaOffset", [](Plan& p) { p.values[5].offset = 4096; }, "value y"},
    {"ArenaAlignment", [](Plan& p) { p.values[5].offset = 2052; }, "64-byte aligned"},
    {"ArenaNegative", [](Plan& p) { p.values[5].offset = -64; }, "value y"},
    {"WeightIndex", [](Plan& p) { p.values[3].offset = 2; }, "index below 2"},
    {"WeightShape", [](Plan& p) { p.values[3].desc.shape[0] = 5; }, "shape of weight w"},
    {"InputPlace", [](Plan& p) { p.inputs[0] = 2; }, "wrong place"},
    {"InputIndex", [](Plan& p) { p.inputs[0] = 6; }, "not a value"},
    {"OutputPlace", [](Plan& p) { p.outputs[0] = 3; }, "wrong place"},
    {"Source", [](Plan& p) { p.ops[0].src[0] = 6; }, "source 6"},
    {"ResultIsInput", [](Plan& p) { p.ops[0].dst[0] = 0; }, "result 0"},
    {"Axis", [](Plan& p) { p.ops[0].axis = 2; }, "axis 2"},
    {"KernelCount", [](Plan& p) { p.ops[0].kernels.pop_back(); }, "3 kernels"},
    {"KernelIndex", [](Plan& p) { p.ops[0].kernels[0] = 3; }, "kernel 3"},
    {"Workspace", [](Plan& p) { p.ops[1].workspace_bytes = 4096; }, "workspace"},
    {"Buckets", [](Plan& p) { p.axes[0].buckets = {4, 4}; }, "ascending"},
    {"LastBucket", [](Plan& p) { p.axes[0].buckets = {1, 4, 32}; }, "the last bucket"},
    {"Attributes", [](Plan& p) { p.ops[0].attrs = graph::Attrs::Of(7); }, "bytes of attributes"},
    {"ShapeRule", [](Plan& p) { p.values[2].desc.shape[1] = 4; }, "model.norm"},
    {"Rank", [](Plan& p) { p.values[0].desc.shape.resize(9); }, "rank 0..8"},
    {"CacheBytes", [](Plan& p) { p.caches[0].bytes_per_token = 31; }, "cache group kv"},
    {"GrowsBelowMax",
     [](Plan& p) { p.values[0].desc.shape[0] = graph::Dim(80) - sample::Tokens(); },
     "larger below"},
    {"NegativeSize", [](Plan& p) { p.values[0].desc.shape[0] = sample::Tokens() - graph::Dim(65); },
     "negative"},
};

INSTANTIATE_TEST_SUITE_P(Damages, ValidatePlanTest, testing::ValuesIn(kBadPlans),
                         [](const auto& info) { return std::string(info.param.name); });

TEST(Fingerprint, NamesEachFieldWithBothSides) {
  const EngineInfo info = sample::Info();
  EXPECT_TRUE(CheckFingerprint(info, {"cpu", "avx2", {"avx_vnni", "f16c", "fma"}}).ok());
  const Status status = CheckFingerprint(info, {"cpu", "avx512", {"f16c"}});
  EXPECT_EQ(status.code(), StatusCode::kFailedPrecondition);
  EXPECT_THAT(status.message(), HasSubstr("isa: engine avx2, this machine avx512"));
  EXPECT_THAT(status.message(), HasSubstr("needs avx_vnni"));
  EXPECT_THAT(status.message(), HasSubstr("zhibi build --model models/tiny"));
  EXPECT_EQ(FingerprintText({"cpu", "avx2", {"a", "b"}}), "cpu/avx2/a,b");
}

TEST(BucketAxis, FindsTheColumn) {
  const BucketAxis axis{sample::Tokens(), {1, 4, 16, 64}};
  EXPECT_EQ(BucketOf(axis, 1), 0);
  EXPECT_EQ(BucketOf(axis, 2), 1);
  EXPECT_EQ(BucketOf(axis, 4), 1);
  EXPECT_EQ(BucketOf(axis, 64), 3);
  EXPECT_EQ(BucketOf(axis, 65), 3);
}

}  // namespace
}  // namespace zhibi::engine
