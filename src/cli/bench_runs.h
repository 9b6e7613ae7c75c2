// SPDX-License-Identifier: Apache-2.0
// The timed parts of `zhibi bench` on an engine: prefill, decode, several streams. One thread.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/plan.h"
#include "runtime/engine.h"
#include "zhibi/status.h"

namespace zhibi::cli {

// What one token costs (design.md §6): bytes of packed matrices with scales, head once, KV not;
// operations of the matrices but the head for each row, of the head for each wanted row.
struct TokenCost {
  double bytes = 0;
  double body_ops = 0;
  double head_ops = 0;
};
TokenCost CostOf(const engine::EngineFile& file);

struct Timed {
  double seconds = 0;
  std::int64_t tokens = 0;
  std::vector<double> gaps_ms;  // between tokens of a stream
  std::vector<double> ttft_ms;  // one a stream
};

// Prompts of random ids, different at each call.
class BenchRuns {
 public:
  BenchRuns(runtime::Engine& engine, std::uint64_t seed) : engine_(engine), state_(seed) {}

  // `tokens` rows after `depth` cached ones, with one row of logits.
  Result<Timed> Prefill(std::int64_t tokens, std::int64_t depth);
  // `tokens` decoded one by one after a prompt of `prompt` tokens; the first one is not timed.
  Result<Timed> Decode(std::int64_t prompt, std::int64_t tokens);
  // `streams` sequences submitted together; from the first submit to the last token.
  Result<Timed> Streams(std::int64_t streams, std::int64_t prompt, std::int64_t tokens);

 private:
  std::vector<runtime::TokenId> RandomIds(std::int64_t count);

  runtime::Engine& engine_;
  std::uint64_t state_;
};

}  // namespace zhibi::cli
