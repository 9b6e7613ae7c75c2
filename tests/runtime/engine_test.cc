// SPDX-License-Identifier: Apache-2.0
// What the scheduler promises: the output of a sequence does not depend on company, chunks, prefix
// reuse, steps in flight or truncation; turns end for the reason given; errors name what is wrong
// and harm nobody else.
#include "runtime/engine.h"

#include <algorithm>
#include <chrono>
#include <set>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "support/tiny_engine.h"

namespace zhibi::runtime {
namespace {

using Ids = std::vector<TokenId>;

Ids Prompt(int seed, int length) {
  Ids ids;
  unsigned state = static_cast<unsigned>(seed) * 2654435761U + 1;
  for (int i = 0; i < length; ++i) {
    state = state * 1664525U + 1013904223U;
    ids.push_back(static_cast<TokenId>((state >> 16) % 250));
  }
  return ids;
}

const test::TinyEngine& Tiny() {
  static const Result<test::TinyEngine> tiny = test::BuildTinyEngine("qwen3", "int8", "cpu");
  return tiny.value();
}

std::unique_ptr<Engine> MakeEngine(const EngineOptions& options = {}) {
  Result<std::unique_ptr<Engine>> engine = Engine::Create(Tiny().file, Tiny().device, options);
  EXPECT_TRUE(engine.ok()) << engine.status().ToString();
  return std::move(engine).value();
}

Turn MakeTurn(Ids prompt, std::int64_t tokens, float temperature = 0, std::uint64_t seed = 1) {
  Turn turn;
  turn.append = std::move(prompt);
  turn.max_tokens = tokens;
  turn.sampling.temperature = temperature;
  turn.sampling.seed = seed;
  return turn;
}

std::shared_ptr<Sequence> Begin(Engine& engine, Turn turn) {
  Result<std::shared_ptr<Sequence>> sequence =
      engine.NewSequence(static_cast<std::int64_t>(turn.append.size()) + turn.max_tokens);
  EXPECT_TRUE(sequence.ok()) << sequence.status().ToString();
  const Status status = engine.Start(*sequence, std::move(turn));
  EXPECT_TRUE(status.ok()) << status.ToString();
  return std::move(sequence).value();
}

Ids Generate(Engine& engine, const Turn& turn) {
  const std::shared_ptr<Sequence> sequence = Begin(engine, turn);
  const TurnResult result = sequence->Wait();
  EXPECT_TRUE(result.status.ok()) << result.status.ToString();
  Ids out(sequence->tokens().begin() + static_cast<std::ptrdiff_t>(turn.append.size()),
          sequence->tokens().end());
  engine.Close(sequence);
  return out;
}

TEST(EngineTest, OutputIsTheSameAloneAndInCompany) {
  const std::unique_ptr<Engine> engine = MakeEngine();
  std::vector<Turn> turns;
  for (int i = 0; i < 12; ++i) {
    turns.push_back(MakeTurn(Prompt(i, 3 + i * 17), 20 + i, i % 3 == 0 ? 0.0F : 0.9F,
                             static_cast<std::uint64_t>(i)));
  }
  std::vector<Ids> alone;
  alone.reserve(turns.size());
  for (const Turn& turn : turns) alone.push_back(Generate(*engine, turn));
  std::vector<std::shared_ptr<Sequence>> together;
  together.reserve(turns.size());
  for (const Turn& turn : turns) together.push_back(Begin(*engine, turn));
  for (std::size_t i = 0; i < turns.size(); ++i) {
    ASSERT_TRUE(together[i]->Wait().status.ok());
    const Ids out(
        together[i]->tokens().begin() + static_cast<std::ptrdiff_t>(turns[i].append.size()),
        together[i]->tokens().end());
    EXPECT_EQ(out, alone[i]) << "turn " << i;
  }
  EXPECT_GT(std::set<Ids>(alone.begin(), alone.end()).size(), 10U);
}

TEST(EngineTest, OutputIsTheSameWithAnyChunkAndPrefixCache) {
  const Turn turn = MakeTurn(Prompt(5, 150), 24, 0.7F, 9);
  const Ids expected = Generate(*MakeEngine(), turn);
  for (const std::int64_t chunk : {1, 3, 17, 64}) {
    for (const bool prefix_cache : {false, true}) {
      EngineOptions options;
      options.chunk_tokens = chunk;
      options.prefix_cache = prefix_cache;
      const std::unique_ptr<Engine> engine = MakeEngine(options);
      EXPECT_EQ(Generate(*engine, turn), expected) << "chunk " << chunk;
      EXPECT_EQ(Generate(*engine, turn), expected) << "again, chunk " << chunk;
      EXPECT_EQ(engine->stats().reused_tokens > 0, prefix_cache);
    }
  }
}

TEST(EngineTest, PrefixCacheReusesWholePagesOnly) {
  const std::unique_ptr<Engine> engine = MakeEngine();
  const Turn turn = MakeTurn(Prompt(6, 100), 4);
  Generate(*engine, turn);
  const std::shared_ptr<Sequence> again = Begin(*engine, turn);
  EXPECT_EQ(again->Wait().reused, 96);
  Turn other = MakeTurn(Prompt(6, 100), 4);
  other.append[40] = (other.append[40] + 1) % 250;
  EXPECT_EQ(Begin(*engine, other)->Wait().reused, 32);
}

TEST(EngineTest, TwoStepsInFlightGiveTheSameTokens) {
  const Turn greedy = MakeTurn(Prompt(1, 40), 40);
  const Turn drawn = MakeTurn(Prompt(2, 70), 33, 1.0F, 3);
  EngineOptions options;
  options.depth = 1;
  const std::unique_ptr<Engine> one = MakeEngine(options);
  options.depth = 2;
  const std::unique_ptr<Engine> two = MakeEngine(options);
  EXPECT_EQ(Generate(*two, greedy), Generate(*one, greedy));
  EXPECT_EQ(Generate(*two, drawn), Generate(*one, drawn));
  // A row in flight behind a stop token is discarded: the sequence goes on as if it had never run.
  const Ids tokens = Generate(*one, greedy);
  const auto stop = std::find_if(tokens.begin() + 3, tokens.end(), [&](TokenId id) {
    return std::find(tokens.begin(), tokens.begin() + 3, id) == tokens.begin() + 3;
  });
  ASSERT_NE(stop, tokens.end());
  Turn stopped = greedy;
  stopped.stop_ids = {*stop};
  const std::shared_ptr<Sequence> sequence = Begin(*two, stopped);
  const TurnResult result = sequence->Wait();
  EXPECT_EQ(result.reason, FinishReason::kStop);
  EXPECT_EQ(result.stop_id, *stop);
  EXPECT_EQ(result.generated, stop - tokens.begin());
  EXPECT_TRUE(std::equal(tokens.begin(), stop, sequence->tokens().begin() + 40));
}

TEST(EngineTest, ASequenceGoesOnWhereItStoppedAndAfterTruncation) {
  const std::unique_ptr<Engine> engine = MakeEngine();
  Ids prompt = Prompt(3, 50);
  const Ids first = Generate(*engine, MakeTurn(prompt, 30));
  Ids longer = prompt;
  longer.insert(longer.end(), first.begin(), first.begin() + 10);
  const Ids extra = Prompt(4, 7);
  longer.insert(longer.end(), extra.begin(), extra.end());
  const Ids expected = Generate(*engine, MakeTurn(longer, 20));

  Result<std::shared_ptr<Sequence>> sequence = engine->NewSequence(150);
  ASSERT_TRUE(sequence.ok());
  ASSERT_TRUE(engine->Start(*sequence, MakeTurn(prompt, 30)).ok());
  ASSERT_TRUE((*sequence)->Wait().status.ok());
  ASSERT_EQ((*sequence)->size(), 80);
  ASSERT_TRUE(engine->Truncate(*sequence, 60).ok());
  ASSERT_TRUE(engine->Start(*sequence, MakeTurn(extra, 20)).ok());
  ASSERT_TRUE((*sequence)->Wait().status.ok());
  EXPECT_TRUE(std::equal(expected.begin(), expected.end(), (*sequence)->tokens().begin() + 67));
  EXPECT_EQ(engine->Truncate(*sequence, 1000).code(), StatusCode::kInvalidArgument);
}

TEST(EngineTest, CancelFreesPagesAtOnce) {
  EngineOptions options;
  options.prefix_cache = false;
  const std::unique_ptr<Engine> engine = MakeEngine(options);
  const std::shared_ptr<Sequence> sequence = Begin(*engine, MakeTurn(Prompt(1, 60), 400));
  ASSERT_TRUE(sequence->Next().has_value());
  const auto start = std::chrono::steady_clock::now();
  engine->Close(sequence);
  EXPECT_EQ(sequence->Wait().reason, FinishReason::kCancelled);
  // The next command is answered after the pages went back.
  const std::shared_ptr<Sequence> next = Begin(*engine, MakeTurn(Prompt(2, 3), 1));
  EXPECT_TRUE(next->Wait().status.ok());
  engine->Close(next);
  while (engine->stats().pages_in_use > 0) {
    ASSERT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(5));
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    const std::shared_ptr<Sequence> probe = Begin(*engine, MakeTurn({1}, 1));
    probe->Wait();
    engine->Close(probe);
  }
}

TEST(EngineTest, RefusesWhatCanNeverRunAndNamesIt) {
  const std::unique_ptr<Engine> engine = MakeEngine();
  Result<std::shared_ptr<Sequence>> sequence = engine->NewSequence(40);
  ASSERT_TRUE(sequence.ok());
  auto refused = [&](Turn turn, std::string_view text) {
    const Status status = engine->Start(*sequence, std::move(turn));
    EXPECT_EQ(status.code(), StatusCode::kInvalidArgument);
    EXPECT_NE(status.message().find(text), std::string::npos) << status.message();
  };
  refused(MakeTurn({1, 100000}, 1), "token 1: id 100000");
  refused(MakeTurn({-1}, 1), "token 0: id -1");
  refused(MakeTurn({1}, 40), "needs 41 tokens");
  refused(MakeTurn({}, 1), "empty sequence");
  Turn turn = MakeTurn({1}, 1);
  turn.sampling.top_p = 1.5F;
  refused(turn, "top_p");
  turn = MakeTurn({1}, 1);
  turn.sampling.logit_bias = {{-4, 1.0F}};
  refused(turn, "logit_bias");
  EXPECT_FALSE(engine->NewSequence(1 << 20).ok());
  // The sequence is none the worse for it.
  EXPECT_TRUE(engine->Start(*sequence, MakeTurn({1}, 3)).ok());
  EXPECT_EQ((*sequence)->Wait().generated, 3);
}

TEST(EngineTest, FullQueueIsRefusedAndTheRestRuns) {
  EngineOptions options;
  options.max_queue = 2;
  const std::unique_ptr<Engine> engine = MakeEngine(options);
  std::vector<std::shared_ptr<Sequence>> accepted;
  int refused = 0;
  for (int i = 0; i < 40; ++i) {
    Result<std::shared_ptr<Sequence>> sequence = engine->NewSequence(200);
    ASSERT_TRUE(sequence.ok());
    const Status status = engine->Start(*sequence, MakeTurn(Prompt(i, 20), 150));
    if (status.ok()) {
      accepted.push_back(*sequence);
    } else {
      EXPECT_EQ(status.code(), StatusCode::kResourceExhausted);
      ++refused;
    }
  }
  EXPECT_GT(refused, 0);
  for (const auto& sequence : accepted) EXPECT_EQ(sequence->Wait().generated, 150);
}

// Pages for two sequences only: the others wait, all finish, none fails.
TEST(EngineTest, TurnsWaitForPages) {
  std::int64_t page_bytes = 0;
  for (const graph::CacheGroup& group : Tiny().file->FindPlan("step")->caches) {
    page_bytes += CacheSet::PageBytes(group, 32);
  }
  EngineOptions options;
  options.kv_bytes = page_bytes * 7;
  const std::unique_ptr<Engine> engine = MakeEngine(options);
  std::vector<std::shared_ptr<Sequence>> sequences;
  for (int i = 0; i < 6; ++i) sequences.push_back(Begin(*engine, MakeTurn(Prompt(i, 40), 50)));
  for (const auto& sequence : sequences) {
    const TurnResult result = sequence->Wait();
    EXPECT_EQ(result.generated, 50) << result.status.ToString();
    engine->Close(sequence);
  }
}

TEST(EngineTest, LogprobsAreOfTheRawDistribution) {
  const std::unique_ptr<Engine> engine = MakeEngine();
  Turn turn = MakeTurn(Prompt(8, 12), 6);
  turn.sampling.top_logprobs = 5;
  const std::shared_ptr<Sequence> sequence = Begin(*engine, turn);
  int events = 0;
  while (const std::optional<TokenEvent> event = sequence->Next()) {
    ++events;
    ASSERT_EQ(event->num_top, 5);
    EXPECT_EQ(event->top[0].first, event->id);  // greedy: the best is the sample
    EXPECT_FLOAT_EQ(event->top[0].second, event->logprob);
    for (int i = 1; i < 5; ++i) EXPECT_LE(event->top[i].second, event->top[i - 1].second);
    EXPECT_LT(event->logprob, 0);
  }
  EXPECT_EQ(events, 6);
}

// Allows one token at a time, then forces a run: forced tokens cost no decoding step.
class ScriptedConstraint : public TokenConstraint {
 public:
  Status Mask(std::span<std::uint8_t> bits) override {
    ++masks;
    bits[static_cast<std::size_t>(allowed / 8)] |= static_cast<std::uint8_t>(1U << (allowed % 8));
    return OkStatus();
  }
  Status Advance(TokenId token) override {
    EXPECT_EQ(token, allowed);
    ++allowed;
    return OkStatus();
  }
  std::size_t Forced(std::span<TokenId> forced) override {
    if (allowed != 12) return 0;
    allowed = 20;
    const TokenId run[] = {100, 101, 102};
    const std::size_t count = std::min<std::size_t>(3, forced.size());
    std::copy(run, run + count, forced.begin());
    return count;
  }
  TokenId allowed = 10;
  int masks = 0;
};

TEST(EngineTest, ConstraintMasksAndForcesTokens) {
  const std::unique_ptr<Engine> engine = MakeEngine();
  const auto constraint = std::make_shared<ScriptedConstraint>();
  Turn turn = MakeTurn(Prompt(2, 9), 8, 1.0F);
  turn.constraint = constraint;
  const std::shared_ptr<Sequence> sequence = Begin(*engine, turn);
  Ids ids;
  std::vector<bool> forced;
  while (const std::optional<TokenEvent> event = sequence->Next()) {
    ids.push_back(event->id);
    forced.push_back(event->forced);
  }
  EXPECT_EQ(ids, (Ids{10, 11, 100, 101, 102, 20, 21, 22}));
  EXPECT_EQ(forced, (std::vector<bool>{false, false, true, true, true, false, false, false}));
  EXPECT_EQ(constraint->masks, 5);
}

class EmptyConstraint : public TokenConstraint {
 public:
  Status Mask(std::span<std::uint8_t> /*bits*/) override { return OkStatus(); }
  Status Advance(TokenId /*token*/) override { return OkStatus(); }
  std::size_t Forced(std::span<TokenId> /*forced*/) override { return 0; }
};

TEST(EngineTest, AConstraintThatAllowsNothingFailsItsTurnAlone) {
  const std::unique_ptr<Engine> engine = MakeEngine();
  Turn turn = MakeTurn(Prompt(2, 9), 8);
  const Ids expected = Generate(*engine, turn);
  const std::shared_ptr<Sequence> good = Begin(*engine, turn);
  turn.constraint = std::make_shared<EmptyConstraint>();
  const std::shared_ptr<Sequence> bad = Begin(*engine, turn);
  EXPECT_EQ(bad->Wait().reason, FinishReason::kError);
  EXPECT_NE(bad->result().status.message().find("allows no token"), std::string::npos);
  ASSERT_TRUE(good->Wait().status.ok());
  EXPECT_TRUE(std::equal(expected.begin(), expected.end(), good->tokens().begin() + 9));
}

TEST(EngineTest, BiasAndPenaltiesTakeEffect) {
  const std::unique_ptr<Engine> engine = MakeEngine();
  Turn turn = MakeTurn(Prompt(2, 9), 12);
  const Ids plain = Generate(*engine, turn);
  turn.sampling.logit_bias = {{plain[0], -1000.0F}};
  const Ids biased = Generate(*engine, turn);
  EXPECT_EQ(std::count(biased.begin(), biased.end(), plain[0]), 0);
  turn.sampling.logit_bias.clear();
  turn.sampling.presence_penalty = 100;
  const Ids distinct = Generate(*engine, turn);
  EXPECT_EQ(std::set<TokenId>(distinct.begin(), distinct.end()).size(), distinct.size());
}

TEST(EngineTest, DestructionEndsRunningTurns) {
  std::shared_ptr<Sequence> sequence;
  {
    const std::unique_ptr<Engine> engine = MakeEngine();
    sequence = Begin(*engine, MakeTurn(Prompt(1, 10), 400));
    ASSERT_TRUE(sequence->Next().has_value());
  }
  EXPECT_EQ(sequence->Wait().reason, FinishReason::kCancelled);
}

}  // namespace
}  // namespace zhibi::runtime
