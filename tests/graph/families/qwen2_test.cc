// SPDX-License-Identifier: Apache-2.0
// Windows of Qwen2's upper layers, and its biases. The maths is tested against goldens
// (decoder_block_test.cc).
#include <limits>
#include <set>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/json.h"
#include "fake_source.h"
#include "graph/family.h"

namespace zhibi::test {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

TEST(Qwen2ConfigTest, WindowsOfUpperLayersAndBiases) {
  const FakeSource source = WithQwenBiases();
  const auto build = [&](const std::string& extra) {
    return BuildFamily("Qwen2ForCausalLM", FakeConfig(extra), source);
  };
  EXPECT_THAT(Windows(build("")), ElementsAre(0, 0));
  EXPECT_THAT(Windows(build(R"(,"sliding_window":9)")), ElementsAre(0, 0));
  const std::string use = R"(,"use_sliding_window":true,"sliding_window":9)";
  EXPECT_THAT(Windows(build(use)), ElementsAre(0, 0)) << "layers below 28 do not slide";
  EXPECT_THAT(Windows(build(use + R"(,"max_window_layers":1)")), ElementsAre(0, 9));
  EXPECT_THAT(Windows(build(use + R"(,"max_window_layers":0)")), ElementsAre(9, 9));
  EXPECT_THAT(Windows(build(use + R"(,"layer_types":["sliding_attention","full_attention"])")),
              ElementsAre(9, 0));
  EXPECT_EQ(build(use + R"(,"max_window_layers":1)")->plans.at(0).caches.at(0).window, 0);
  EXPECT_EQ(build(use + R"(,"max_window_layers":0)")->plans.at(0).caches.at(0).window, 9);
  for (const char* bad :
       {R"(,"layer_types":["sliding_attention","full_attention"])", R"(,"layer_types":["x","y"])",
        R"(,"layer_types":["full_attention"])", R"(,"use_sliding_window":1)"}) {
    EXPECT_FALSE(build(bad).ok()) << bad;
  }
  EXPECT_THAT(Fault("Qwen2ForCausalLM", FakeConfig()),
              HasSubstr("tensor model.layers.0.self_attn.q_proj.bias: not found"));
}

}  // namespace
}  // namespace zhibi::test
