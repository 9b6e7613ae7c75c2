// SPDX-License-Identifier: Apache-2.0
// T5 v1.0 and v1.1: encoder states, decoder logits (whole and chunked, packed with others) and
// greedy continuations against transformers; broken relative biases must be told apart.
#include <algorithm>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "golden_fault.h"
#include "graph/ops/attention.h"
#include "graph/step.h"
#include "support/golden_model.h"
#include "support/graph_interpreter.h"

namespace zhibi::test {
namespace {

using testing::HasSubstr;

struct Errors {
  double hidden = 0;
  double logits = 0;
};

// Encodes all sources in one step, then decodes all targets in chunks.
Errors Compare(const GoldenModel& model, const graph::Graph& encode, const graph::Graph& step,
               std::size_t chunk) {
  CacheStore caches(32, 64);
  auto encoder = GraphInterpreter::Create(encode, *model.source, &caches);
  auto decoder = GraphInterpreter::Create(step, *model.source, &caches);
  EXPECT_TRUE(encoder.ok()) << encoder.status().ToString();
  EXPECT_TRUE(decoder.ok()) << decoder.status().ToString();
  if (!encoder.ok() || !decoder.ok()) return {-1, -1};
  StepDriver encode_driver(std::move(encoder).value(), &caches);
  StepDriver driver(std::move(decoder).value(), &caches);
  std::vector<StepDriver::Rows> sources;
  for (std::size_t s = 0; s < model.sequences.size(); ++s) {
    const GoldenSequence& sequence = model.sequences[s];
    sources.push_back({static_cast<std::int64_t>(s), sequence.source, {}, {}});
    driver.SetEncoderLength(static_cast<std::int64_t>(s),
                            static_cast<std::int64_t>(sequence.source.size()));
  }
  const auto encoded = encode_driver.Step(sources);
  EXPECT_TRUE(encoded.ok()) << encoded.status().ToString();
  if (!encoded.ok()) return {-1, -1};
  Errors worst;
  const std::int64_t width = model.hidden.shape.at(1);
  const float* hidden = encoded->at(std::string(graph::step::kHidden)).as<float>().data();
  std::int64_t row = 0;
  for (const GoldenSequence& sequence : model.sequences) {
    for (const std::int32_t p : sequence.source_positions) {
      worst.hidden =
          std::max(worst.hidden, RowError(hidden + p * width, model.hidden.row(row++), width));
    }
    hidden += static_cast<std::int64_t>(sequence.source.size()) * width;
  }
  const std::int64_t vocab = model.logits.shape.at(1);
  for (std::size_t begin = 0;; begin += chunk) {
    std::vector<StepDriver::Rows> rows;
    std::vector<std::int64_t> golden;
    std::int64_t first = 0;
    for (std::size_t s = 0; s < model.sequences.size(); ++s) {
      const GoldenSequence& sequence = model.sequences[s];
      const std::size_t end = std::min(begin + chunk, sequence.ids.size());
      StepDriver::Rows part{static_cast<std::int64_t>(s), {}, {}, {}};
      for (std::size_t i = begin; i < end; ++i) {
        const auto wanted = std::ranges::find(sequence.positions, static_cast<std::int32_t>(i));
        if (wanted != sequence.positions.end()) {
          part.wanted.push_back(static_cast<std::int32_t>(i - begin));
          golden.push_back(first + (wanted - sequence.positions.begin()));
        }
        part.ids.push_back(sequence.ids[i]);
      }
      first += static_cast<std::int64_t>(sequence.positions.size());
      if (!part.ids.empty()) rows.push_back(std::move(part));
    }
    if (rows.empty()) return worst;
    const auto outputs = driver.Step(rows);
    EXPECT_TRUE(outputs.ok()) << outputs.status().ToString();
    if (!outputs.ok()) return {-1, -1};
    const float* logits = outputs->at(std::string(graph::step::kLogits)).as<float>().data();
    for (const std::int64_t golden_row : golden) {
      worst.logits = std::max(worst.logits, RowError(logits, model.logits.row(golden_row), vocab));
      logits += vocab;
    }
  }
}

class T5GoldenTest : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    auto model = GoldenModel::Load(GetParam());
    ASSERT_TRUE(model.ok()) << model.status().ToString();
    model_ = std::move(model).value();
  }
  GoldenModel model_;
};

TEST_P(T5GoldenTest, EncoderStatesAndLogitsMatchHoweverTheyAreFed) {
  for (const std::size_t chunk : {std::size_t{1000}, std::size_t{64}, std::size_t{5}}) {
    const Errors errors = Compare(model_, model_.plan("encode"), model_.plan("step"), chunk);
    EXPECT_LT(errors.hidden, kGoldenTolerance) << chunk;
    EXPECT_LT(errors.logits, kGoldenTolerance) << chunk;
    EXPECT_GE(errors.logits, 0);
  }
}

TEST_P(T5GoldenTest, GreedyContinuationsMatchUpToTheFirstNearTie) {
  CacheStore caches(32, 64);
  auto encoder = GraphInterpreter::Create(model_.plan("encode"), *model_.source, &caches);
  auto decoder = GraphInterpreter::Create(model_.plan("step"), *model_.source, &caches);
  ASSERT_TRUE(encoder.ok() && decoder.ok());
  StepDriver encode_driver(std::move(encoder).value(), &caches);
  StepDriver driver(std::move(decoder).value(), &caches);
  for (std::size_t g = 0; g < model_.greedy.size(); ++g) {
    const GoldenGreedy& greedy = model_.greedy[g];
    const auto sequence = static_cast<std::int64_t>(g);
    const StepDriver::Rows source{sequence, greedy.source, {}, {}};
    ASSERT_TRUE(encode_driver.Step({&source, 1}).ok());
    driver.SetEncoderLength(sequence, static_cast<std::int64_t>(greedy.source.size()));
    std::int32_t id = greedy.prompt.at(0);
    for (std::size_t i = 0; i < greedy.tokens.size() && greedy.margins[i] >= kNearTie; ++i) {
      const StepDriver::Rows rows{sequence, {id}, {0}, {}};
      const auto outputs = driver.Step({&rows, 1});
      ASSERT_TRUE(outputs.ok()) << outputs.status().ToString();
      id = outputs->at(std::string(graph::step::kSamples)).as<std::int32_t>()[0];
      ASSERT_EQ(id, greedy.tokens[i]) << "prompt " << g << " token " << i;
    }
  }
}

TEST_P(T5GoldenTest, ABrokenBiasAndAScaledAttentionAreToldApart) {
  const auto break_attention = [](graph::Graph graph, auto change) {
    for (graph::Node& node : graph.nodes) {
      if (node.op != "attention") continue;
      auto attrs = node.attrs.As<graph::AttentionAttrs>();
      change(attrs);
      node.attrs = graph::Attrs::Of(attrs);
    }
    return graph;
  };
  const auto further = [](graph::AttentionAttrs& attrs) { attrs.bias_max_distance += 8; };
  const auto one_sided = [](graph::AttentionAttrs& attrs) { attrs.bias_bidirectional = 0; };
  const auto scaled = [](graph::AttentionAttrs& attrs) { attrs.scale = 0.25F; };
  const graph::Graph& encode = model_.plan("encode");
  const graph::Graph& step = model_.plan("step");
  constexpr double kBroken = 100 * kGoldenTolerance;
  EXPECT_GT(Compare(model_, break_attention(encode, further), step, 1000).hidden, kBroken);
  EXPECT_GT(Compare(model_, break_attention(encode, one_sided), step, 1000).hidden, kBroken);
  EXPECT_GT(Compare(model_, encode, break_attention(step, further), 1000).logits, kBroken);
  EXPECT_GT(Compare(model_, encode, break_attention(step, scaled), 1000).logits, kBroken);
}

INSTANTIATE_TEST_SUITE_P(All, T5GoldenTest, testing::Values("t5", "t5_v11"),
                         [](const auto& instance) { return std::string(instance.param); });

TEST(T5ConfigTest, UnknownVariantsAndWrongSizesAreNamed) {
  const auto fault = [](const char* key, const nlohmann::json& value) {
    return GoldenFault("t5", "T5ForConditionalGeneration", key, value);
  };
  EXPECT_EQ(fault("scale_decoder_outputs", false), "");
  EXPECT_THAT(fault("feed_forward_proj", "gated-relu"), HasSubstr("wi_0"));
  EXPECT_THAT(fault("feed_forward_proj", "mish"), HasSubstr("feed_forward_proj"));
  EXPECT_THAT(fault("feed_forward_proj", "gated-"), HasSubstr("feed_forward_proj"));
  EXPECT_THAT(fault("relative_attention_num_buckets", 33), HasSubstr("an even number"));
  EXPECT_THAT(fault("relative_attention_max_distance", 4), HasSubstr("an even number"));
  EXPECT_THAT(fault("num_decoder_layers", 4), HasSubstr("tensor decoder.block.3"));
  EXPECT_THAT(fault("d_kv", 0), HasSubstr("d_kv: expected 1..1024, got 0"));
  EXPECT_THAT(fault("decoder_start_token_id", -5), HasSubstr("decoder_start_token_id"));
}

TEST(T5ConfigTest, PlansShareTheCrossGroup) {
  const auto model = GoldenModel::Load("t5");
  ASSERT_TRUE(model.ok()) << model.status().ToString();
  EXPECT_EQ(model->plan("encode").caches.at(0).name, "cross");
  EXPECT_EQ(model->plan("step").caches.at(0).name, "cross");
  EXPECT_EQ(model->plan("step").caches.at(0).kind, graph::CacheKind::kCross);
  EXPECT_EQ(model->plan("step").caches.at(1).name, "kv");
  EXPECT_EQ(model->plan("step").caches.at(1).layers, 3);
  EXPECT_EQ(model->graphs.info.bos_id, 0);
}

}  // namespace
}  // namespace zhibi::test
