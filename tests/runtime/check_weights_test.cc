// SPDX-License-Identifier: Apache-2.0
#include "runtime/check_weights.h"

#include <vector>

#include <gtest/gtest.h>

#include "runtime/executor.h"
#include "support/tiny_engine.h"

namespace zhibi::runtime {
namespace {

std::vector<const backend::KernelEntry*> Bind(const backend::Device& device,
                                              const engine::Plan& plan) {
  std::vector<const backend::KernelEntry*> kernels;
  for (const engine::PlanKernel& kernel : plan.kernels) {
    for (const backend::KernelEntry* entry : device.kernels()) {
      if (entry->name == kernel.name) kernels.push_back(entry);
    }
  }
  return kernels;
}

TEST(CheckWeightsTest, AShortWeightIsNamedWithBytesExpectedAndGiven) {
  for (const char* backend : {"cpu", "reference"}) {
    const Result<test::TinyEngine> tiny = test::BuildTinyEngine("llama2", "int8", backend);
    ASSERT_TRUE(tiny.ok()) << tiny.status().ToString();
    const engine::Plan& plan = *tiny->file->FindPlan("step");
    const std::vector<const backend::KernelEntry*> kernels = Bind(*tiny->device, plan);
    ASSERT_EQ(kernels.size(), plan.kernels.size());
    std::vector<engine::PackedWeight> weights = tiny->file->weights();
    EXPECT_TRUE(CheckWeights(plan, weights, kernels).ok());
    for (std::size_t i = 0; i < weights.size(); ++i) {
      std::vector<engine::PackedWeight> shorter = weights;
      shorter[i].bytes -= 64;
      const Status status = CheckWeights(plan, shorter, kernels);
      EXPECT_EQ(status.code(), StatusCode::kDataLoss) << weights[i].name;
      EXPECT_NE(status.message().find(weights[i].name), std::string::npos) << status.message();
    }
  }
}

}  // namespace
}  // namespace zhibi::runtime
