// SPDX-License-Identifier: Apache-2.0
// The frame holds other shapes of computation than a decoder: a packed bidirectional encoder (BERT)
// and an encoder-decoder with a cross-attention cache (T5), compiled, stored, mapped and walked by
// the executor, against the references that transformers made.
#include <algorithm>
#include <cstring>
#include <map>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "graph/step.h"
#include "runtime/executor.h"
#include "support/tiny_engine.h"

namespace zhibi::runtime {
namespace {

namespace step = graph::step;
using Ints = std::vector<std::int32_t>;

struct PlanCase {
  const char* model;
  const char* backend;
};

// Sets inputs and symbols by name and runs one step; sizes of symbols follow from the rows.
class StepRunner {
 public:
  StepRunner(Executor& executor) : executor_(executor) {}

  void Set(std::string_view name, const Ints& values) {
    const int input = executor_.FindInput(name);
    if (input < 0) return;  // the plan has no use for it
    std::memcpy(executor_.HostInput(0, input).data(), values.data(),
                values.size() * sizeof(std::int32_t));
  }
  void Symbol(const std::string& name, std::int64_t value) { symbols_[name] = value; }

  // `rows` of one sequence that starts at `position`; its pages are all of the cache, in order.
  Status Run(const Ints& ids, std::int64_t position, std::int64_t encoder_length) {
    const auto count = static_cast<std::int32_t>(ids.size());
    Ints positions;
    for (std::int32_t i = 0; i < count; ++i)
      positions.push_back(static_cast<std::int32_t>(position) + i);
    Set(step::kHostIds, ids);
    Set(step::kTokenSource, Ints(ids.size(), -1));
    Set(step::kPositions, positions);
    Set(step::kRowSeq, Ints(ids.size(), 0));
    Set(step::kSeqOffsets, {0, count});
    Set(step::kSeqLens, {static_cast<std::int32_t>(position) + count});
    Set(step::kEncoderLens, {static_cast<std::int32_t>(encoder_length)});
    Set("page_table.kv", {0, 1, 2, 3, 4, 5, 6, 7});
    Set("page_table.cross", {7, 6, 5, 4, 3, 2, 1, 0});
    Set(step::kOutRows, {count - 1});
    if (const int sampling = executor_.FindInput(step::kSampling); sampling >= 0) {
      const step::SamplingRow row{};
      std::memcpy(executor_.HostInput(0, sampling).data(), &row, sizeof(row));
    }
    Set(step::kHistoryOffsets, {0, 0});
    Set(step::kBiasOffsets, {0, 0});
    Set(step::kMaskIndex, {-1});
    Symbol("tokens", count);
    Symbol("pages.kv", 8);
    Symbol("pages.cross", 8);
    std::vector<std::int64_t> values;
    for (const graph::Symbol& symbol : executor_.plan().symbols) {
      const auto known = symbols_.find(symbol.name);
      values.push_back(known != symbols_.end() ? known->second : (symbol.min == 0 ? 0 : 1));
    }
    const Status status = executor_.Launch(0, values, 0xFF);
    return status.ok() ? executor_.Wait(0) : status;
  }

  const float* Floats(std::string_view output) {
    return reinterpret_cast<const float*>(
        executor_.HostOutput(0, executor_.FindOutput(output)).data());
  }
  std::int32_t Sample() {
    std::int32_t id = 0;
    std::memcpy(&id, executor_.HostOutput(0, executor_.FindOutput(step::kSamples)).data(),
                sizeof(id));
    return id;
  }

 private:
  Executor& executor_;
  std::map<std::string, std::int64_t> symbols_;
};

graph::StepLimits Limits() {
  graph::StepLimits limits = test::TinyLimits();
  limits.max_tokens = 256;
  limits.max_context = 256;
  return limits;
}

class PlanTest : public ::testing::TestWithParam<PlanCase> {
 protected:
  void SetUp() override {
    Result<test::GoldenModel> golden = test::GoldenModel::Load(GetParam().model);
    ASSERT_TRUE(golden.ok()) << golden.status().ToString();
    golden_ = std::make_unique<test::GoldenModel>(std::move(golden).value());
    Result<test::TinyEngine> tiny =
        test::BuildTinyEngine(GetParam().model, "fp32", GetParam().backend, Limits());
    ASSERT_TRUE(tiny.ok()) << tiny.status().ToString();
    Result<std::unique_ptr<LoadedEngine>> engine = LoadedEngine::Create(tiny->file, tiny->device);
    ASSERT_TRUE(engine.ok()) << engine.status().ToString();
    engine_ = std::move(engine).value();
    const engine::Plan* plan = engine_->file().FindPlan("step");
    if (plan == nullptr) return;
    const std::vector<std::int64_t> pages(plan->caches.size(), 8);
    Result<std::unique_ptr<CacheSet>> caches =
        CacheSet::Create(*tiny->device, plan->caches, 32, pages);
    ASSERT_TRUE(caches.ok()) << caches.status().ToString();
    caches_ = std::move(caches).value();
  }

  std::unique_ptr<Executor> MakeExecutor(std::string_view plan) {
    Result<std::unique_ptr<Executor>> executor = Executor::Create(*engine_, plan, caches_.get(), 1);
    EXPECT_TRUE(executor.ok()) << executor.status().ToString();
    return executor.ok() ? std::move(executor).value() : nullptr;
  }

  std::unique_ptr<test::GoldenModel> golden_;
  std::unique_ptr<LoadedEngine> engine_;
  std::unique_ptr<CacheSet> caches_;
};

class BertPlanTest : public PlanTest {};

TEST_P(BertPlanTest, HiddenStatesMatch) {
  const std::unique_ptr<Executor> executor = MakeExecutor("encode");
  ASSERT_NE(executor, nullptr);
  std::int64_t row = 0;
  const std::int64_t width = golden_->hidden.shape.at(1);
  for (const test::GoldenSequence& sequence : golden_->sequences) {
    StepRunner runner(*executor);
    runner.Set(step::kTokenTypes, sequence.token_types);
    const Status status = runner.Run(sequence.ids, 0, 0);
    ASSERT_TRUE(status.ok()) << status.ToString();
    for (const std::int32_t position : sequence.positions) {
      EXPECT_LT(test::RowError(runner.Floats(step::kHidden) + position * width,
                               golden_->hidden.row(row++), width),
                test::kGoldenTolerance);
    }
  }
  EXPECT_EQ(row, golden_->hidden.shape.at(0));
}

INSTANTIATE_TEST_SUITE_P(Models, BertPlanTest,
                         ::testing::Values(PlanCase{"bert", "reference"}, PlanCase{"bert", "cpu"}),
                         [](const auto& info) { return std::string(info.param.backend); });

class T5PlanTest : public PlanTest {};

TEST_P(T5PlanTest, EncodedOnceThenDecodedGreedily) {
  const std::unique_ptr<Executor> encode = MakeExecutor("encode");
  const std::unique_ptr<Executor> decode = MakeExecutor("step");
  ASSERT_NE(encode, nullptr);
  ASSERT_NE(decode, nullptr);
  std::size_t compared = 0;
  for (const test::GoldenGreedy& golden : golden_->greedy) {
    const auto length = static_cast<std::int64_t>(golden.source.size());
    StepRunner encoder(*encode);
    Status status = encoder.Run(golden.source, 0, length);
    ASSERT_TRUE(status.ok()) << status.ToString();
    StepRunner decoder(*decode);
    std::int32_t id = golden.prompt.at(0);
    for (std::size_t i = 0; i < golden.tokens.size() && golden.margins[i] >= test::kNearTie; ++i) {
      status = decoder.Run({id}, static_cast<std::int64_t>(i), length);
      ASSERT_TRUE(status.ok()) << status.ToString();
      id = decoder.Sample();
      ASSERT_EQ(id, golden.tokens[i]) << "token " << i;
      ++compared;
    }
  }
  EXPECT_GT(compared, 8U);
}

INSTANTIATE_TEST_SUITE_P(Models, T5PlanTest,
                         ::testing::Values(PlanCase{"t5", "reference"},
                                           PlanCase{"t5_v11", "reference"}, PlanCase{"t5", "cpu"},
                                           PlanCase{"t5_v11", "cpu"}),
                         [](const auto& info) {
                           return std::string(info.param.model) + "_" + info.param.backend;
                         });

}  // namespace
}  // namespace zhibi::runtime
