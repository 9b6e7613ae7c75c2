// SPDX-License-Identifier: Apache-2.0
#include "base/machine.h"

#include <cstdlib>
#include <string>

#include <gtest/gtest.h>

namespace zhibi::base {
namespace {

CpuFeatures Avx2Features() {
  CpuFeatures features;
  features.avx = features.avx2 = features.fma = features.f16c = true;
  return features;
}

TEST(MachineTest, LevelsNeedAllTheirFeatures) {
  EXPECT_EQ(BestCpuLevel({}), CpuLevel::kScalar);
  CpuFeatures features = Avx2Features();
  EXPECT_EQ(BestCpuLevel(features), CpuLevel::kAvx2);
  features.fma = false;
  EXPECT_EQ(BestCpuLevel(features), CpuLevel::kScalar);
  features = Avx2Features();
  features.avx512f = features.avx512bw = features.avx512cd = features.avx512dq = true;
  EXPECT_EQ(BestCpuLevel(features), CpuLevel::kAvx2);
  features.avx512vl = true;
  EXPECT_EQ(BestCpuLevel(features), CpuLevel::kAvx512);
}

TEST(MachineTest, OverrideLowersAndNeverRaises) {
  const Result<CpuInfo> scalar = DetectCpu("scalar");
  ASSERT_TRUE(scalar.ok()) << scalar.status().ToString();
  EXPECT_EQ(scalar->level, CpuLevel::kScalar);
  EXPECT_TRUE(scalar->forced);
  EXPECT_EQ(CpuFeatureNames(scalar->usable()), "");

  const Result<CpuInfo> free = DetectCpu(std::nullopt);
  ASSERT_TRUE(free.ok());
  EXPECT_EQ(free->level, free->best);
  EXPECT_FALSE(free->forced);
  EXPECT_EQ(CpuFeatureNames(free->usable()).find("avx512") != std::string::npos,
            free->level == CpuLevel::kAvx512);

  for (const CpuLevel level : {CpuLevel::kAvx2, CpuLevel::kAvx512}) {
    const Result<CpuInfo> forced = DetectCpu(std::string(CpuLevelName(level)));
    if (level <= free->best) {
      ASSERT_TRUE(forced.ok());
      EXPECT_EQ(forced->level, level);
    } else {
      ASSERT_FALSE(forced.ok());
      EXPECT_EQ(forced.status().code(), StatusCode::kFailedPrecondition);
      EXPECT_NE(forced.status().message().find("missing"), std::string::npos);
    }
  }
}

TEST(MachineTest, OverrideNamesWhatItAccepts) {
  for (const char* text : {"AVX2", "sse", "avx2 ", "0"}) {
    const Result<CpuInfo> info = DetectCpu(std::string(text));
    ASSERT_FALSE(info.ok()) << text;
    EXPECT_EQ(info.status().code(), StatusCode::kInvalidArgument);
    EXPECT_EQ(info.status().message(),
              "ZHIBI_CPU: expected scalar, avx2 or avx512, got \"" + std::string(text) + "\"");
  }
}

TEST(MachineTest, UsableHidesWiderSets) {
  CpuInfo info;
  info.features = Avx2Features();
  info.features.avx_vnni = info.features.avx512f = info.features.amx_tile = true;
  info.level = CpuLevel::kAvx2;
  EXPECT_EQ(CpuFeatureNames(info.usable()), "avx avx2 fma f16c avx_vnni");
  info.level = CpuLevel::kAvx512;
  EXPECT_EQ(CpuFeatureNames(info.usable()), "avx avx2 fma f16c avx_vnni avx512f amx_tile");
}

TEST(MachineTest, ThreadsRoundQuotaDown) {
  CpuLimits limits{.online = 8, .cores = 4, .quota = 0, .quota_source = {}};
  EXPECT_EQ(ThreadsFor(limits), 4);
  limits.quota = 1.5;
  EXPECT_EQ(ThreadsFor(limits), 1);
  limits.quota = 0.2;
  EXPECT_EQ(ThreadsFor(limits), 1);
  limits.quota = 3.99;
  EXPECT_EQ(ThreadsFor(limits), 3);
  limits.quota = 1e30;
  EXPECT_EQ(ThreadsFor(limits), 4);
}

TEST(MachineTest, UsableBytesIsTheLeast) {
  MemoryLimits limits;
  limits.total_bytes = 100;
  limits.available_bytes = 80;
  EXPECT_EQ(UsableBytes(limits), 80);
  limits.cgroup_limit_bytes = 50;
  limits.cgroup_free_bytes = 20;
  EXPECT_EQ(UsableBytes(limits), 20);
  limits.rlimit_bytes = 10;
  EXPECT_EQ(UsableBytes(limits), 10);
}

TEST(MachineTest, EffectiveThreadsReadsItsSwitch) {
  ASSERT_EQ(::unsetenv("ZHIBI_THREADS"), 0);
  const Result<int> plain = EffectiveThreads();
  ASSERT_TRUE(plain.ok());
  EXPECT_EQ(*plain, ThreadsFor(ReadCpuLimits()));
  ASSERT_EQ(::setenv("ZHIBI_THREADS", "7", 1), 0);
  EXPECT_EQ(EffectiveThreads().value(), 7);
  for (const char* bad : {"0", "-1", "1025", "two", "2 "}) {
    ASSERT_EQ(::setenv("ZHIBI_THREADS", bad, 1), 0);
    EXPECT_FALSE(EffectiveThreads().ok()) << bad;
  }
  ASSERT_EQ(::unsetenv("ZHIBI_THREADS"), 0);
}

TEST(MachineTest, ByteSizes) {
  EXPECT_EQ(ParseByteSize("1073741824").value(), 1073741824);
  EXPECT_EQ(ParseByteSize("2G").value(), std::int64_t{2} << 30);
  EXPECT_EQ(ParseByteSize("1.5GiB").value(), std::int64_t{3} << 29);
  EXPECT_EQ(ParseByteSize("512mB").value(), std::int64_t{512} << 20);
  EXPECT_EQ(ParseByteSize("64 ").ok(), false);
  for (const char* bad : {"", "G", "-1", "nan", "inf", "1X", "1GG", "99999999T", "1e5"}) {
    EXPECT_FALSE(ParseByteSize(bad).ok()) << bad;
  }
  EXPECT_EQ(FormatByteSize(0), "0 B");
  EXPECT_EQ(FormatByteSize(1023), "1023 B");
  EXPECT_EQ(FormatByteSize(std::int64_t{3} << 29), "1.5 GiB");
}

TEST(MachineTest, CurrentCpuIsStable) {
  ASSERT_TRUE(CurrentCpu().ok()) << CurrentCpu().status().ToString();
  EXPECT_EQ(&CurrentCpu(), &CurrentCpu());
}

}  // namespace
}  // namespace zhibi::base
