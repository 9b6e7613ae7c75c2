// SPDX-License-Identifier: Apache-2.0
// Whole engines against the references that transformers made: logits within tolerance, greedy
// continuations equal up to the first near tie, through compiler, engine file, executor and
// scheduler; chunks and pages are crossed.
#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "runtime/engine.h"
#include "support/tiny_engine.h"

namespace zhibi::runtime {
namespace {

struct GoldenCase {
  const char* model;
  const char* backend;
};

class GoldenEngineTest : public ::testing::TestWithParam<GoldenCase> {
 protected:
  void SetUp() override {
    Result<test::GoldenModel> golden = test::GoldenModel::Load(GetParam().model);
    ASSERT_TRUE(golden.ok()) << golden.status().ToString();
    golden_ = std::make_unique<test::GoldenModel>(std::move(golden).value());
    Result<test::TinyEngine> tiny =
        test::BuildTinyEngine(GetParam().model, "fp32", GetParam().backend);
    ASSERT_TRUE(tiny.ok()) << tiny.status().ToString();
    Result<std::unique_ptr<Engine>> engine = Engine::Create(tiny->file, tiny->device, {});
    ASSERT_TRUE(engine.ok()) << engine.status().ToString();
    engine_ = std::move(engine).value();
  }

  std::unique_ptr<test::GoldenModel> golden_;
  std::unique_ptr<Engine> engine_;
};

TEST_P(GoldenEngineTest, LogitsMatch) {
  std::int64_t reference_row = 0;
  const auto vocab = static_cast<std::size_t>(engine_->vocab());
  for (const test::GoldenSequence& golden : golden_->sequences) {
    std::map<std::int64_t, std::vector<float>> rows;
    Turn turn;
    turn.append = golden.ids;
    turn.logits_sink = [&rows](std::int64_t position, std::span<const float> logits) {
      rows[position].assign(logits.begin(), logits.end());
    };
    Result<std::shared_ptr<Sequence>> sequence =
        engine_->NewSequence(static_cast<std::int64_t>(golden.ids.size()));
    ASSERT_TRUE(sequence.ok()) << sequence.status().ToString();
    ASSERT_TRUE(engine_->Start(*sequence, std::move(turn)).ok());
    const TurnResult result = (*sequence)->Wait();
    ASSERT_TRUE(result.status.ok()) << result.status.ToString();
    ASSERT_EQ(rows.size(), golden.ids.size());
    for (const std::int32_t position : golden.positions) {
      const double error = test::RowError(rows[position].data(), golden_->logits.row(reference_row),
                                          static_cast<std::int64_t>(vocab));
      EXPECT_LT(error, test::kGoldenTolerance) << "position " << position;
      ++reference_row;
    }
    engine_->Close(*sequence);
  }
  EXPECT_GT(reference_row, 20);
}

TEST_P(GoldenEngineTest, GreedyContinuationsMatchUpToNearTies) {
  std::size_t compared = 0;
  for (const test::GoldenGreedy& golden : golden_->greedy) {
    Turn turn;
    turn.append = golden.prompt;
    turn.max_tokens = static_cast<std::int64_t>(golden.tokens.size());
    Result<std::shared_ptr<Sequence>> sequence = engine_->NewSequence(
        static_cast<std::int64_t>(golden.prompt.size() + golden.tokens.size()));
    ASSERT_TRUE(sequence.ok());
    ASSERT_TRUE(engine_->Start(*sequence, std::move(turn)).ok());
    ASSERT_TRUE((*sequence)->Wait().status.ok());
    const auto tokens = (*sequence)->tokens().subspan(golden.prompt.size());
    for (std::size_t i = 0; i < golden.tokens.size(); ++i) {
      if (golden.margins[i] < test::kNearTie) break;
      ASSERT_EQ(tokens[i], golden.tokens[i]) << "token " << i;
      ++compared;
    }
  }
  EXPECT_GT(compared, 8U);
}

std::vector<GoldenCase> Cases() {
  std::vector<GoldenCase> cases;
  for (const char* backend : {"reference", "cpu"}) {
    for (const char* model : {"llama2", "llama3", "llama_linear", "llama_bias", "mistral", "qwen2",
                              "qwen2_window", "qwen3", "qwen3_tied"}) {
      cases.push_back({model, backend});
    }
  }
  return cases;
}

INSTANTIATE_TEST_SUITE_P(Models, GoldenEngineTest, ::testing::ValuesIn(Cases()),
                         [](const auto& info) {
                           return std::string(info.param.model) + "_" + info.param.backend;
                         });

}  // namespace
}  // namespace zhibi::runtime
