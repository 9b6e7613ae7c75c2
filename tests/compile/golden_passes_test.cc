// SPDX-License-Identifier: Apache-2.0
// All passes on every golden model: the fused graphs must give what the plain ones give, step by
// step, with chunks, company and caches; and the decoders' launches must come down to eight a
// layer.
#include <algorithm>
#include <cmath>
#include <map>

#include <gtest/gtest.h>

#include "compile/golden_steps.h"
#include "compile/passes.h"
#include "support/golden_model.h"
#include "support/graph_interpreter.h"

namespace zhibi::compile {
namespace {

using test::GoldenModel;
using test::StepDriver;

std::vector<test::TensorMap> RunModel(const GoldenModel& model,
                                      const std::map<std::string, graph::Graph>& plans) {
  std::vector<test::TensorMap> outputs;
  test::CacheStore caches(16, 128);
  for (const char* name : {"encode", "step"}) {
    const auto plan = plans.find(name);
    if (plan == plans.end()) continue;
    auto interpreter = test::GraphInterpreter::Create(plan->second, *model.source, &caches);
    EXPECT_TRUE(interpreter.ok()) << interpreter.status().ToString();
    if (!interpreter.ok()) return {};
    StepDriver driver(std::move(interpreter).value(), &caches);
    for (std::size_t s = 0; s < model.sequences.size(); ++s) {
      driver.SetEncoderLength(static_cast<std::int64_t>(s),
                              static_cast<std::int64_t>(model.sequences[s].source.size()));
    }
    const bool encode = plan->first == "encode";
    for (std::size_t part = 0; part < (encode ? 1 : test::kDecoderSteps); ++part) {
      auto result = driver.Step(test::StepRows(model, part, encode));
      EXPECT_TRUE(result.ok()) << result.status().ToString();
      if (result.ok()) outputs.push_back(std::move(result).value());
    }
  }
  return outputs;
}

class GoldenPassesTest : public testing::TestWithParam<const char*> {};

TEST_P(GoldenPassesTest, FusedGraphsGiveTheSameResults) {
  Result<GoldenModel> model = GoldenModel::Load(GetParam());
  ASSERT_TRUE(model.ok()) << model.status().ToString();
  std::map<std::string, graph::Graph> plain;
  std::map<std::string, graph::Graph> fused;
  for (const graph::Graph& graph : model->graphs.plans) {
    plain[graph.name] = graph;
    graph::Graph copy = graph;
    const Status status = RunPasses(copy, {}, [&](const PassEffect& effect) {
      if (effect.launches_before != effect.launches_after) {
        std::printf("%s %s: %s %ld -> %ld\n", GetParam(), graph.name.c_str(), effect.name.c_str(),
                    static_cast<long>(effect.launches_before),
                    static_cast<long>(effect.launches_after));
      }
    });
    ASSERT_TRUE(status.ok()) << status.ToString();
    EXPECT_LT(copy.nodes.size(), graph.nodes.size());
    fused[graph.name] = std::move(copy);
  }
  const auto before = RunModel(*model, plain);
  const auto after = RunModel(*model, fused);
  ASSERT_EQ(before.size(), after.size());
  ASSERT_FALSE(before.empty());
  for (std::size_t i = 0; i < before.size(); ++i) {
    ASSERT_EQ(before[i].size(), after[i].size());
    for (const auto& [name, tensor] : before[i]) {
      if (tensor.dtype != DType::kF32) continue;
      const auto a = tensor.as<float>();
      const auto b = after[i].at(name).as<float>();
      ASSERT_EQ(a.size(), b.size()) << name;
      float largest = 0;
      for (const float x : a) largest = std::max(largest, std::isfinite(x) ? std::abs(x) : 0);
      for (std::size_t k = 0; k < a.size(); ++k) {
        if (!std::isfinite(a[k]) && !std::isfinite(b[k])) continue;
        ASSERT_NEAR(a[k], b[k], 2e-5 * (largest + 1e-3)) << name << " step " << i << " at " << k;
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Models, GoldenPassesTest,
                         testing::Values("llama2", "llama3", "llama_bias", "llama_int8", "mistral",
                                         "qwen2", "qwen3", "qwen3_tied", "bert", "t5", "t5_v11"));

TEST(GoldenPasses, ADecoderLayerIsEightLaunches) {
  for (const char* name : {"llama3", "qwen2", "qwen3"}) {
    Result<GoldenModel> model = GoldenModel::Load(name);
    ASSERT_TRUE(model.ok()) << model.status().ToString();
    graph::Graph graph = model->plan("step");
    ASSERT_TRUE(RunPasses(graph, {}, nullptr).ok());
    std::map<std::string, int> counts;
    for (const graph::Node& node : graph.nodes) ++counts[node.op];
    const int layers = graph.caches.at(0).layers;
    EXPECT_EQ(counts["attention"], layers) << ToText(graph);
    EXPECT_EQ(counts["qkv_rope_cache"], layers) << name;
    EXPECT_EQ(counts["rms_norm"], 2 * layers + 1) << name;
    EXPECT_EQ(counts["linear"], 4 * layers + 1) << name;
    // select_tokens, embedding, sample, and the two gathers of the last layer.
    EXPECT_EQ(graph.nodes.size(), static_cast<std::size_t>(8 * layers + 2 + 5)) << ToText(graph);
    EXPECT_EQ(counts["gather_rows"], 2) << name;
    // Merged weights remember their parts.
    for (const graph::Weight& weight : graph.weights) {
      if (weight.name.find("qkv_proj.weight") != std::string::npos) {
        EXPECT_EQ(weight.parts.size(), 3U) << weight.name;
      }
      if (weight.name.find("gate_up_proj.weight") != std::string::npos) {
        EXPECT_EQ(weight.parts.size(), 2U) << weight.name;
        EXPECT_TRUE(weight.interleave);
      }
    }
  }
}

}  // namespace
}  // namespace zhibi::compile
