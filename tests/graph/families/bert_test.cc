// SPDX-License-Identifier: Apache-2.0
// BERT's encode plan, packed, against the fp32 hidden states and pooled vectors of transformers.
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
  double pooled = 0;
};

// `groups`: indexes of sequences that share a step.
Errors Compare(const GoldenModel& model, const graph::Graph& graph,
               const std::vector<std::vector<std::size_t>>& groups) {
  CacheStore caches(32, 8);
  auto interpreter = GraphInterpreter::Create(graph, *model.source, &caches);
  EXPECT_TRUE(interpreter.ok()) << interpreter.status().ToString();
  if (!interpreter.ok()) return {-1, -1};
  StepDriver driver(std::move(interpreter).value(), &caches);
  const std::int64_t width = model.hidden.shape.at(1);
  std::vector<std::int64_t> first_row(1, 0);
  for (const GoldenSequence& sequence : model.sequences) {
    first_row.push_back(first_row.back() + static_cast<std::int64_t>(sequence.positions.size()));
  }
  Errors worst;
  for (const auto& group : groups) {
    std::vector<StepDriver::Rows> rows;
    for (const std::size_t s : group) {
      const GoldenSequence& sequence = model.sequences[s];
      rows.push_back({static_cast<std::int64_t>(s), sequence.ids, {0}, sequence.token_types});
    }
    const auto outputs = driver.Step(rows);
    EXPECT_TRUE(outputs.ok()) << outputs.status().ToString();
    if (!outputs.ok()) return {-1, -1};
    const float* hidden = outputs->at(std::string(graph::step::kHidden)).as<float>().data();
    const float* pooled = outputs->at("pooled").as<float>().data();
    for (const std::size_t s : group) {
      const GoldenSequence& sequence = model.sequences[s];
      for (std::size_t p = 0; p < sequence.positions.size(); ++p) {
        const float* exact = model.hidden.row(first_row[s] + static_cast<std::int64_t>(p));
        worst.hidden =
            std::max(worst.hidden, RowError(hidden + sequence.positions[p] * width, exact, width));
      }
      const float* exact = model.pooled.row(static_cast<std::int64_t>(s));
      worst.pooled = std::max(worst.pooled, RowError(pooled, exact, width));
      hidden += static_cast<std::int64_t>(sequence.ids.size()) * width;
      pooled += width;
    }
  }
  return worst;
}

TEST(BertGoldenTest, HiddenStatesAndPooledMatchAloneAndPacked) {
  const auto model = GoldenModel::Load("bert");
  ASSERT_TRUE(model.ok()) << model.status().ToString();
  ASSERT_EQ(model->sequences.size(), 4U);
  const std::vector<std::vector<std::size_t>> ways[] = {
      {{0}, {1}, {2}, {3}}, {{0, 1, 2, 3}}, {{3, 0}, {2, 1}}};
  for (const auto& groups : ways) {
    const Errors errors = Compare(*model, model->plan("encode"), groups);
    EXPECT_LT(errors.hidden, kGoldenTolerance);
    EXPECT_LT(errors.pooled, kGoldenTolerance);
    EXPECT_GE(errors.hidden, 0);
  }
}

TEST(BertGoldenTest, CausalAttentionIsToldApart) {
  const auto model = GoldenModel::Load("bert");
  ASSERT_TRUE(model.ok()) << model.status().ToString();
  graph::Graph broken = model->plan("encode");
  for (graph::Node& node : broken.nodes) {
    if (node.op != "attention") continue;
    auto attrs = node.attrs.As<graph::AttentionAttrs>();
    attrs.kind = graph::AttentionKind::kCausal;
    node.attrs = graph::Attrs::Of(attrs);
  }
  EXPECT_GT(Compare(*model, broken, {{0, 1, 2, 3}}).hidden, 100 * kGoldenTolerance);
}

TEST(BertConfigTest, UnknownVariantsAndWrongSizesAreNamed) {
  const auto fault = [](const char* key, const nlohmann::json& value) {
    return GoldenFault("bert", "BertModel", key, value);
  };
  EXPECT_EQ(fault("hidden_act", "gelu"), "");
  EXPECT_THAT(fault("position_embedding_type", "relative_key"), HasSubstr("\"absolute\""));
  EXPECT_THAT(fault("is_decoder", true), HasSubstr("is_decoder"));
  EXPECT_THAT(fault("num_attention_heads", 5), HasSubstr("a multiple of num_attention_heads 5"));
  EXPECT_THAT(fault("type_vocab_size", 3), HasSubstr("expected [3, 64]"));
  EXPECT_THAT(fault("num_hidden_layers", 3), HasSubstr("encoder.layer.2.attention.self.query"));
  EXPECT_THAT(fault("vocab_size", "many"), HasSubstr("vocab_size"));
}

}  // namespace
}  // namespace zhibi::test
