// SPDX-License-Identifier: Apache-2.0
// Mistral's sliding window: absent, null, given, mixed. The maths is tested against goldens
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

TEST(MistralConfigTest, WindowAbsentNullAndGiven) {
  const auto windows = [](const std::string& extra) {
    return Windows(BuildFamily("MistralForCausalLM", FakeConfig(extra), FakeDecoder()));
  };
  EXPECT_THAT(windows(""), ElementsAre(4096, 4096));
  EXPECT_THAT(windows(R"(,"sliding_window":null)"), ElementsAre(0, 0));
  EXPECT_THAT(windows(R"(,"sliding_window":7)"), ElementsAre(7, 7));
  EXPECT_THAT(
      windows(R"(,"sliding_window":7,"layer_types":["sliding_attention","sliding_attention"])"),
      ElementsAre(7, 7));
  const auto graphs =
      BuildFamily("MistralForCausalLM", FakeConfig(R"(,"sliding_window":7)"), FakeDecoder());
  EXPECT_EQ(graphs->plans.at(0).caches.at(0).window, 7);
  EXPECT_THAT(Fault("MistralForCausalLM", FakeConfig(R"(,"sliding_window":0)")),
              HasSubstr("sliding_window: expected 1..16777216, got 0"));
  EXPECT_THAT(
      Fault("MistralForCausalLM",
            FakeConfig(
                R"(,"sliding_window":7,"layer_types":["full_attention","sliding_attention"])")),
      HasSubstr("layer_types"));
}

}  // namespace
}  // namespace zhibi::test
