// SPDX-License-Identifier: Apache-2.0
// Qwen3 needs its QK norms; head_dim has a default of its own. The maths is tested against goldens
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

TEST(Qwen3ConfigTest, QkNormIsNeededAndHeadDimDefaultsTo128) {
  FakeSource source = FakeDecoder();
  EXPECT_THAT(Fault("Qwen3ForCausalLM", FakeConfig(), source),
              HasSubstr("tensor model.layers.0.self_attn.q_norm.weight: not found"));
  for (const char* name :
       {"0.self_attn.q_norm", "0.self_attn.k_norm", "1.self_attn.q_norm", "1.self_attn.k_norm"}) {
    source.shapes[std::string("model.layers.") + name + ".weight"] = {4};
  }
  EXPECT_TRUE(BuildFamily("Qwen3ForCausalLM", FakeConfig(), source).ok());
  auto config = base::ParseJson(FakeConfig(), "config.json").value();
  config.erase("head_dim");
  EXPECT_THAT(Fault("Qwen3ForCausalLM", config.dump(), source), HasSubstr("expected [256, 8]"));
}

}  // namespace
}  // namespace zhibi::test
