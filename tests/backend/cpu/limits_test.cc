// SPDX-License-Identifier: Apache-2.0
// Timings are not asserted on a shared machine; that they are there and of a plausible size is.
#include "backend/cpu/limits.h"

#include <gtest/gtest.h>

#include "backend/cpu/cpu_backend.h"
#include "backend/cpu/pool.h"

namespace zhibi::cpu {
namespace {

TEST(Limits, ShortMeasurementOfEveryLevel) {
  for (const char* level : {"scalar", "avx2", "avx512"}) {
    backend::DeviceOptions device_options;
    device_options.isa = level;
    const auto chosen = ChooseIsa(device_options);
    if (!chosen.ok()) continue;  // the machine lacks it; cpu_backend_test checks the message
    Pool pool({.threads = 2});
    LimitOptions options = ShortLimits();
    options.dram_bytes = std::int64_t{16} << 20;
    options.peak_ms = 0.2;
    const auto limits = MeasureLimits(pool, chosen->isa, options);
    ASSERT_TRUE(limits.ok());
    EXPECT_EQ(limits->threads, 2);
    EXPECT_EQ(limits->isa, level);
    for (const double value :
         {limits->dram_gb_per_s, limits->cache_gb_per_s, limits->f32_gflop_per_s}) {
      EXPECT_GT(value, 0.01) << level;
      EXPECT_LT(value, 100000) << level;
    }
    EXPECT_EQ(limits->int8_gop_per_s > 0, std::string(level) != "scalar");
    EXPECT_EQ(limits->bf16_gflop_per_s > 0, chosen->isa.features.avx512_bf16);
  }
}

TEST(Limits, ReadLimitKeepsItsBuffer) {
  Pool pool({.threads = 1});
  const auto chosen = ChooseIsa({}).value();
  auto limit = ReadLimit::Create(pool, chosen.isa, std::int64_t{4} << 20);
  ASSERT_TRUE(limit.ok());
  EXPECT_GT(limit->Measure(2), 0.01);
  EXPECT_GT(limit->Measure(2), 0.01);
}

}  // namespace
}  // namespace zhibi::cpu
