// SPDX-License-Identifier: Apache-2.0
// The sampler's reference: the draw against Random123's known answers, each stage by hand.
#include "graph/ops/sample.h"

#include <cmath>
#include <map>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "graph/tensors.h"

namespace zhibi::graph {
namespace {

using ::testing::ElementsAre;

// Known answers of philox4x32-10 (Salmon et al. 2011, file kat_vectors).
TEST(Philox, KnownAnswers) {
  EXPECT_THAT(Philox4x32({0, 0, 0, 0}, {0, 0}),
              ElementsAre(0x6627e8d5U, 0xe169c58dU, 0xbc57ac4cU, 0x9b00dbd8U));
  constexpr std::uint32_t kOnes = 0xffffffffU;
  EXPECT_THAT(Philox4x32({kOnes, kOnes, kOnes, kOnes}, {kOnes, kOnes}),
              ElementsAre(0x408f276dU, 0x41c83b0eU, 0xa20bc7c6U, 0x6d5451fdU));
  EXPECT_THAT(
      Philox4x32({0x243f6a88U, 0x85a308d3U, 0x13198a2eU, 0x03707344U}, {0xa4093822U, 0x299f31d0U}),
      ElementsAre(0xd16cfe09U, 0x94fdccebU, 0x5001e420U, 0x24126ea1U));
}

TEST(Philox, DrawIsUniformAndDependsOnSeedAndPosition) {
  double sum = 0;
  for (std::uint64_t i = 0; i < 10000; ++i) {
    const float u = UniformDraw(42, i);
    ASSERT_GE(u, 0);
    ASSERT_LT(u, 1);
    sum += u;
  }
  EXPECT_NEAR(sum / 10000, 0.5, 0.01);
  EXPECT_NE(UniformDraw(1, 7), UniformDraw(2, 7));
  EXPECT_NE(UniformDraw(1, 7), UniformDraw(1, 8));
  EXPECT_NE(UniformDraw(1ULL << 40, 7), UniformDraw(0, 7));
}

struct Case {
  std::vector<float> logits;
  step::SamplingRow row = {};
  std::vector<std::int32_t> history = {};
  std::vector<std::int32_t> bias_ids = {};
  std::vector<float> bias_values = {};
  std::vector<std::uint8_t> mask = {};

  SampleRowOutput Run() {
    const auto vocab = static_cast<std::int64_t>(logits.size());
    SampleRowInput in;
    in.logits = logits.data();
    in.vocab = vocab;
    in.row = row;
    in.history = history;
    in.bias_ids = bias_ids;
    in.bias_values = bias_values;
    in.mask = mask.empty() ? nullptr : mask.data();
    std::vector<std::uint32_t> scratch(SampleScratchBytes(vocab) / 4, 0xCDCDCDCDU);
    SampleRowOutput out;
    out.top_ids = top_ids.data();
    out.top_logprobs = top_logprobs.data();
    SampleRow(in, reinterpret_cast<std::byte*>(scratch.data()), out);
    return out;
  }
  // How often each id comes in n draws.
  std::map<std::int32_t, int> Count(int n) {
    std::map<std::int32_t, int> counts;
    for (int i = 0; i < n; ++i) {
      row.position = static_cast<std::uint64_t>(i);
      ++counts[Run().id];
    }
    return counts;
  }

  std::vector<std::int32_t> top_ids = std::vector<std::int32_t>(step::kMaxTopLogprobs);
  std::vector<float> top_logprobs = std::vector<float>(step::kMaxTopLogprobs);
};

TEST(Sample, GreedyTakesTheLowestOfEqualIds) {
  Case c{.logits = {1, 3, 3, 2}};
  EXPECT_EQ(c.Run().id, 1);
}

TEST(Sample, LogprobsAreOfTheRawLogits) {
  Case c{.logits = {0, std::log(2.0F), std::log(5.0F)}};
  c.row.top_logprobs = 2;
  c.bias_ids = {0};
  c.bias_values = {100};
  const SampleRowOutput out = c.Run();
  EXPECT_EQ(out.id, 0);
  EXPECT_NEAR(out.logprob, std::log(1 / 8.0F), 1e-6F);
  EXPECT_EQ(c.top_ids[0], 2);
  EXPECT_EQ(c.top_ids[1], 1);
  EXPECT_EQ(c.top_ids[2], -1);
  EXPECT_NEAR(c.top_logprobs[0], std::log(5 / 8.0F), 1e-6F);
  EXPECT_NEAR(c.top_logprobs[1], std::log(2 / 8.0F), 1e-6F);
}

TEST(Sample, Penalties) {
  // Repetition divides positive and multiplies negative logits, once an id.
  Case c{.logits = {4, 3, -1, -1.5F}};
  c.row.repetition_penalty = 2;
  c.history = {0, 0, 2};
  EXPECT_EQ(c.Run().id, 1);
  // 4 - 0.5 - 2 * 0.6 = 2.3 < 3 counts output only.
  c = {.logits = {4, 3, -1}};
  c.row.presence_penalty = 0.5F;
  c.row.frequency_penalty = 0.6F;
  c.history = {0, 0};
  EXPECT_EQ(c.Run().id, 1);
  c.row.prompt_history = 1;  // one output occurrence: 4 - 0.5 - 0.6 = 2.9
  EXPECT_EQ(c.Run().id, 1);
  c.row.prompt_history = 2;
  EXPECT_EQ(c.Run().id, 0);
  c.history = {99, -3};  // ids outside the vocabulary count for nothing
  EXPECT_EQ(c.Run().id, 0);
}

TEST(Sample, MaskAndBrokenRows) {
  Case c{.logits = std::vector<float>(10, 0)};
  c.logits[9] = 5;
  c.logits[3] = 1;
  c.mask = {0b00001110, 0};
  EXPECT_EQ(c.Run().id, 3);
  c.mask = {0, 0b10};
  EXPECT_EQ(c.Run().id, 9);
  c.mask = {0, 0};
  EXPECT_EQ(c.Run().id, -1);
  c.mask.clear();
  c.logits[5] = std::nanf("");
  EXPECT_EQ(c.Run().id, -1);
  c.logits.assign(10, -std::numeric_limits<float>::infinity());
  EXPECT_EQ(c.Run().id, -1);
  c.logits[4] = std::numeric_limits<float>::infinity();
  c.row.temperature = 1;
  EXPECT_EQ(c.Run().id, 4);
}

TEST(Sample, DrawsFollowTheDistribution) {
  Case c{.logits = {0, std::log(2.0F), std::log(5.0F)}};
  c.row.temperature = 1;
  auto counts = c.Count(8000);
  EXPECT_NEAR(counts[0], 1000, 120);
  EXPECT_NEAR(counts[1], 2000, 160);
  EXPECT_NEAR(counts[2], 5000, 200);
  c.row.temperature = 0.5F;  // weights 1, 4, 25
  counts = c.Count(3000);
  EXPECT_NEAR(counts[0], 100, 40);
  EXPECT_NEAR(counts[1], 400, 80);
}

TEST(Sample, TopKThenTopPThenMinP) {
  // Weights 1, 2, 5, 2 (ids 1 and 3 equal).
  Case c{.logits = {0, std::log(2.0F), std::log(5.0F), std::log(2.0F)}};
  c.row.temperature = 1;
  c.row.top_k = 2;  // ids 2 and 1
  auto counts = c.Count(700);
  EXPECT_EQ(counts.size(), 2U);
  EXPECT_NEAR(counts[1], 200, 60);
  c.row.top_k = 0;
  c.row.top_p = 0.5F;  // 5 of 10 reach it
  EXPECT_EQ(c.Count(100).size(), 1U);
  c.row.top_p = 0.51F;
  EXPECT_EQ(c.Count(200).size(), 2U);
  c.row.top_p = 0;
  EXPECT_EQ(c.Count(50).size(), 1U);
  c.row.top_p = 1;
  c.row.min_p = 0.3F;  // 1 / 5 falls out
  counts = c.Count(500);
  EXPECT_EQ(counts.size(), 3U);
  EXPECT_EQ(counts.count(0), 0U);
  // top_p is of what top-k left: 5 of 7 is over 0.7.
  c.row.min_p = 0;
  c.row.top_k = 2;
  c.row.top_p = 0.7F;
  EXPECT_EQ(c.Count(100).size(), 1U);
}

TEST(Sample, TheOpReadsEachRowsOwnParameters) {
  step::SamplingRow rows[2];
  rows[0].top_logprobs = 1;
  rows[1].top_logprobs = -1;
  std::vector<std::uint8_t> sampling(sizeof(rows));
  std::memcpy(sampling.data(), rows, sizeof(rows));
  const auto out =
      RunReference(kOp_sample, Attrs::Of(SampleAttrs{}),
                   {Tensor::F32({2, 3}, {1, 2, 3, 1, 2, 3}), Tensor(DType::kU8, {2, 56}, sampling),
                    Tensor::I32({3}, {0, 0, 0}), Tensor::I32({1}, {0}), Tensor::I32({3}, {0, 0, 1}),
                    Tensor::I32({1}, {0}), Tensor::F32({1}, {50}), Tensor::I32({2}, {0, -1}),
                    Tensor(DType::kU8, {1, 1}, std::vector<std::uint8_t>{0b011})});
  EXPECT_THAT(out[0].values<std::int32_t>(), ElementsAre(1, 0));
  EXPECT_EQ(out[2].values<std::int32_t>()[0], 2);
  EXPECT_EQ(out[2].values<std::int32_t>()[20], -1);
  EXPECT_EQ(out[1].values<float>()[1], 0);
}

}  // namespace
}  // namespace zhibi::graph
