// SPDX-License-Identifier: Apache-2.0
// The runtime on a device whose memory the host cannot touch and whose work is late
// (backend/fenced), two steps in flight: tokens must be those of the reference backend, bit for
// bit, with admissions, stops, penalties and cancels in between. A missing copy, event or wait
// would read poison.
#include <vector>

#include <gtest/gtest.h>

#include "runtime/engine.h"
#include "support/tiny_engine.h"

namespace zhibi::runtime {
namespace {

std::unique_ptr<Engine> Open(const std::string& backend, int depth, std::uint64_t seed) {
  backend::DeviceOptions device;
  device.seed = seed;
  const Result<test::TinyEngine> tiny =
      test::BuildTinyEngine("qwen3", "fp32", backend, test::TinyLimits(), device);
  EXPECT_TRUE(tiny.ok()) << tiny.status().ToString();
  if (!tiny.ok()) return nullptr;
  EngineOptions options;
  options.depth = depth;
  Result<std::unique_ptr<Engine>> engine = Engine::Create(tiny->file, tiny->device, options);
  EXPECT_TRUE(engine.ok()) << engine.status().ToString();
  return engine.ok() ? std::move(engine).value() : nullptr;
}

std::vector<std::vector<TokenId>> RunMix(Engine& engine) {
  std::vector<std::shared_ptr<Sequence>> sequences;
  for (int i = 0; i < 7; ++i) {
    Turn turn;
    for (int t = 0; t < 4 + i * 13; ++t)
      turn.append.push_back(static_cast<TokenId>((t * 31 + i * 17) % 250));
    turn.max_tokens = 10 + 3 * i;
    turn.sampling.temperature = i % 2 == 0 ? 0.0F : 0.8F;
    turn.sampling.seed = static_cast<std::uint64_t>(i);
    if (i == 3) turn.sampling.presence_penalty = 0.5F;
    if (i == 4) turn.sampling.top_logprobs = 2;
    Result<std::shared_ptr<Sequence>> sequence = engine.NewSequence(200);
    EXPECT_TRUE(sequence.ok());
    EXPECT_TRUE(engine.Start(*sequence, std::move(turn)).ok());
    sequences.push_back(std::move(sequence).value());
  }
  std::vector<std::vector<TokenId>> out;
  for (const auto& sequence : sequences) {
    const TurnResult result = sequence->Wait();
    EXPECT_TRUE(result.status.ok()) << result.status.ToString();
    out.emplace_back(sequence->tokens().begin(), sequence->tokens().end());
    engine.Close(sequence);
  }
  return out;
}

TEST(FencedEngineTest, LateDeviceGivesTheTokensOfTheReference) {
  const std::unique_ptr<Engine> reference = Open("reference", 1, 1);
  ASSERT_NE(reference, nullptr);
  const std::vector<std::vector<TokenId>> expected = RunMix(*reference);
  for (const std::uint64_t seed : {1U, 2U, 3U}) {
    const std::unique_ptr<Engine> fenced = Open(ZHIBI_FENCED_MODULE, 2, seed);
    ASSERT_NE(fenced, nullptr);
    EXPECT_EQ(RunMix(*fenced), expected) << "seed " << seed;
  }
}

TEST(FencedEngineTest, CancelWithStepsInFlight) {
  const std::unique_ptr<Engine> fenced = Open(ZHIBI_FENCED_MODULE, 2, 9);
  ASSERT_NE(fenced, nullptr);
  Result<std::shared_ptr<Sequence>> sequence = fenced->NewSequence(300);
  ASSERT_TRUE(sequence.ok());
  Turn turn;
  turn.append = {1, 2, 3};
  turn.max_tokens = 290;
  ASSERT_TRUE(fenced->Start(*sequence, std::move(turn)).ok());
  ASSERT_TRUE((*sequence)->Next().has_value());
  fenced->Cancel(*sequence);
  EXPECT_EQ((*sequence)->Wait().reason, FinishReason::kCancelled);
  EXPECT_LT((*sequence)->size(), 290);
}

}  // namespace
}  // namespace zhibi::runtime
