// SPDX-License-Identifier: Apache-2.0
// All decoder families against the fp32 logits and greedy continuations of transformers, whole,
// chunked, paged and packed; and graphs broken on purpose, which must be told apart.
#include "graph/families/decoder_block.h"

#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "decoder_runs.h"
#include "graph/ops/attention.h"
#include "graph/ops/rms_norm.h"
#include "graph/step.h"

namespace zhibi::test {

double WorstLogitsError(const GoldenModel& model, const graph::Graph& graph,
                        const Feeding& feeding) {
  CacheStore caches(feeding.page_tokens, 64 * 32 / feeding.page_tokens);
  auto interpreter = GraphInterpreter::Create(graph, *model.source, &caches);
  if (!interpreter.ok()) {
    ADD_FAILURE() << interpreter.status().ToString();
    return -1;
  }
  StepDriver driver(std::move(interpreter).value(), &caches);
  driver.EditInputs(feeding.edit);
  std::vector<std::int64_t> first_row(1, 0);  // of each sequence in the golden array
  for (const GoldenSequence& sequence : model.sequences) {
    first_row.push_back(first_row.back() + static_cast<std::int64_t>(sequence.positions.size()));
  }
  const std::int64_t vocab = model.logits.shape.at(1);
  double worst = 0;
  std::vector<std::size_t> at(model.sequences.size(), 0);
  for (std::size_t s = 0; s < at.size(); ++s) {
    const std::size_t size = model.sequences[s].ids.size();
    if (size > feeding.longest) at[s] = size;
  }
  std::size_t current = 0;  // where they run one after the other
  for (;;) {
    std::vector<StepDriver::Rows> rows;
    std::vector<std::int64_t> golden_rows;
    for (std::size_t s = 0; s < at.size(); ++s) {
      const GoldenSequence& sequence = model.sequences[s];
      if (at[s] == sequence.ids.size() || (!feeding.together && s != current)) continue;
      const std::size_t end =
          std::min(sequence.ids.size(), at[s] + static_cast<std::size_t>(feeding.chunk));
      StepDriver::Rows part;
      part.sequence = static_cast<std::int64_t>(s);
      for (std::size_t i = at[s]; i < end; ++i) {
        const auto wanted = std::ranges::find(sequence.positions, static_cast<std::int32_t>(i));
        if (wanted != sequence.positions.end()) {
          part.wanted.push_back(static_cast<std::int32_t>(i - at[s]));
          golden_rows.push_back(first_row[s] + (wanted - sequence.positions.begin()));
        }
        part.ids.push_back(sequence.ids[i]);
      }
      at[s] = end;
      if (end == sequence.ids.size()) ++current;
      rows.push_back(std::move(part));
    }
    if (rows.empty()) return worst;
    const auto outputs = driver.Step(rows);
    if (!outputs.ok()) {
      ADD_FAILURE() << outputs.status().ToString();
      return -1;
    }
    const auto logits = outputs->at(std::string(graph::step::kLogits)).as<float>();
    for (std::size_t r = 0; r < golden_rows.size(); ++r) {
      const float* given = logits.data() + r * static_cast<std::size_t>(vocab);
      worst = std::max(worst, RowError(given, model.logits.row(golden_rows[r]), vocab));
    }
  }
}

namespace {

using graph::Graph;

GoldenModel Load(const std::string& name) {
  auto model = GoldenModel::Load(name);
  EXPECT_TRUE(model.ok()) << model.status().ToString();
  return model.ok() ? std::move(model).value() : GoldenModel{};
}

class DecoderGoldenTest : public testing::TestWithParam<const char*> {};

TEST_P(DecoderGoldenTest, LogitsMatchHoweverTheyAreFed) {
  const GoldenModel model = Load(GetParam());
  ASSERT_FALSE(model.sequences.empty());
  const Graph& graph = model.plan("step");
  const Feeding feedings[] = {
      {.chunk = 7, .page_tokens = 8, .edit = {}},
#ifndef ZHIBI_SANITIZED  // tenfold slower there, and the same code
      {.together = false, .edit = {}},
      {.edit = {}},
      {.chunk = 64, .edit = {}},
#endif
  };
  for (const Feeding& feeding : feedings) {
    const double error = WorstLogitsError(model, graph, feeding);
    EXPECT_LT(error, kGoldenTolerance) << model.name << " chunk " << feeding.chunk;
    EXPECT_GE(error, 0);
    RecordProperty("error_chunk_" + std::to_string(feeding.chunk), std::to_string(error));
  }
}

TEST_P(DecoderGoldenTest, GreedyContinuationsMatchUpToTheFirstNearTie) {
  const GoldenModel model = Load(GetParam());
  ASSERT_FALSE(model.greedy.empty());
  CacheStore caches(32, 64);
  auto interpreter = GraphInterpreter::Create(model.plan("step"), *model.source, &caches);
  ASSERT_TRUE(interpreter.ok()) << interpreter.status().ToString();
  StepDriver driver(std::move(interpreter).value(), &caches);
  std::size_t compared = 0;
  for (std::size_t g = 0; g < model.greedy.size(); ++g) {
    const GoldenGreedy& greedy = model.greedy[g];
    std::vector<std::int32_t> ids = greedy.prompt;
    for (std::size_t i = 0; i < greedy.tokens.size() && greedy.margins[i] >= kNearTie; ++i) {
      const auto last = static_cast<std::int32_t>(ids.size()) - 1;
      const StepDriver::Rows rows{static_cast<std::int64_t>(g), ids, {last}, {}};
      const auto outputs = driver.Step({&rows, 1});
      ASSERT_TRUE(outputs.ok()) << outputs.status().ToString();
      const std::int32_t token =
          outputs->at(std::string(graph::step::kSamples)).as<std::int32_t>()[0];
      ASSERT_EQ(token, greedy.tokens[i]) << model.name << " prompt " << g << " token " << i;
      ids = {token};
      ++compared;
    }
  }
  EXPECT_GE(compared, 24U) << "near ties leave too little to compare";
}

INSTANTIATE_TEST_SUITE_P(All, DecoderGoldenTest,
                         testing::Values("llama2", "llama3", "llama_linear", "llama_bias",
                                         "llama_int8", "mistral", "qwen2", "qwen2_window", "qwen3",
                                         "qwen3_tied"),
                         [](const auto& instance) { return std::string(instance.param); });

// Errors of broken graphs are far beyond the tolerance, not just past it.
constexpr double kBroken = 100 * kGoldenTolerance;
// Enough to run past every window and the original RoPE length.
constexpr std::size_t kLongest = 80;

class MutationTest : public testing::TestWithParam<const char*> {};

// The second rotation frequency in the place of the first, and so on.
TEST_P(MutationTest, RopeFrequencyOffByOne) {
  const GoldenModel model = Load(GetParam());
  Graph broken = model.plan("step");
  const auto weight = std::ranges::find(broken.weights, "inv_freq", &graph::Weight::name);
  ASSERT_NE(weight, broken.weights.end());
  std::ranges::rotate(weight->constant, weight->constant.begin() + 1);
  EXPECT_GT(WorstLogitsError(model, broken, {.longest = kLongest, .edit = {}}), kBroken);
}

// Queries rotated one position further than keys.
TEST_P(MutationTest, RopePositionOffByOne) {
  const GoldenModel model = Load(GetParam());
  Graph broken = model.plan("step");
  const auto positions = broken.FindInput(graph::step::kPositions);
  ASSERT_TRUE(positions.has_value());
  graph::Value moved = broken.value(*positions);
  moved.name = "moved_positions";
  broken.values.push_back(moved);
  const auto moved_id = static_cast<graph::ValueId>(broken.values.size() - 1);
  broken.inputs.push_back(moved_id);
  int changed = 0;
  for (graph::Node& node : broken.nodes) {
    if (node.op != "rope" || !node.name.ends_with("q_rope")) continue;
    node.src.at(1) = moved_id;
    ++changed;
  }
  ASSERT_GT(changed, 0);
  const auto edit = [](TensorMap& inputs) {
    HostTensor tensor = inputs.at(std::string(graph::step::kPositions));
    auto* values = reinterpret_cast<std::int32_t*>(tensor.bytes.data());
    for (std::size_t i = 0; i < tensor.bytes.size() / 4; ++i) ++values[i];
    inputs.emplace("moved_positions", std::move(tensor));
  };
  EXPECT_GT(WorstLogitsError(model, broken, {.longest = kLongest, .edit = edit}), kBroken);
}

INSTANTIATE_TEST_SUITE_P(All, MutationTest,
                         testing::Values("llama2", "llama3", "llama_linear", "mistral", "qwen2",
                                         "qwen3"),
                         [](const auto& instance) { return std::string(instance.param); });

class WindowMutationTest : public testing::TestWithParam<const char*> {};

TEST_P(WindowMutationTest, WindowPlusOneAndMinusOne) {
  const GoldenModel model = Load(GetParam());
  for (const int by : {1, -1}) {
    Graph broken = model.plan("step");
    int changed = 0;
    for (graph::Node& node : broken.nodes) {
      if (node.op != "attention") continue;
      auto attrs = node.attrs.As<graph::AttentionAttrs>();
      if (attrs.window == 0) continue;
      attrs.window += by;
      node.attrs = graph::Attrs::Of(attrs);
      ++changed;
    }
    ASSERT_GT(changed, 0);
    EXPECT_GT(WorstLogitsError(model, broken, {.longest = kLongest, .edit = {}}), kBroken) << by;
  }
}

INSTANTIATE_TEST_SUITE_P(All, WindowMutationTest, testing::Values("mistral", "qwen2_window"),
                         [](const auto& instance) { return std::string(instance.param); });

TEST(QkNormMutationTest, NoQkNorm) {
  for (const char* name : {"qwen3", "qwen3_tied"}) {
    const GoldenModel model = Load(name);
    Graph broken = model.plan("step");
    int removed = 0;
    for (std::size_t i = 0; i < broken.nodes.size(); ++i) {
      const graph::Node node = broken.nodes[i];
      if (node.op != "rms_norm" || node.attrs.As<graph::RmsNormAttrs>().width == 0) continue;
      for (graph::Node& user : broken.nodes) {
        std::ranges::replace(user.src, node.dst.at(0), node.src.at(0));
      }
      ++removed;
    }
    ASSERT_EQ(removed, 4);  // q and k of two layers
    EXPECT_GT(WorstLogitsError(model, broken, {.longest = kLongest, .edit = {}}), kBroken) << name;
  }
}

}  // namespace
}  // namespace zhibi::test
