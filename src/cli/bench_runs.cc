// SPDX-License-Identifier: Apache-2.0
#include "cli/bench_runs.h"

#include <algorithm>
#include <chrono>
#include <memory>
#include <thread>

#include "base/status_macros.h"

namespace zhibi::cli {
namespace {

using Clock = std::chrono::steady_clock;

double Seconds(Clock::time_point from, Clock::time_point to) {
  return std::chrono::duration<double>(to - from).count();
}

std::int64_t NowNs() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(Clock::now().time_since_epoch())
      .count();
}

// Reads a stream to its end. Times are those of the engine's commits, so that a reader that the
// system wakes late does not change them.
void Follow(runtime::Sequence& sequence, std::int64_t start_ns, Timed& timed) {
  std::int64_t last = start_ns;
  bool first = true;
  while (const std::optional<runtime::TokenEvent> event = sequence.Next()) {
    (first ? timed.ttft_ms : timed.gaps_ms)
        .push_back(static_cast<double>(event->time_ns - last) / 1e6);
    first = false;
    last = event->time_ns;
    ++timed.tokens;
  }
  timed.seconds = static_cast<double>(last - start_ns) / 1e9;
}

}  // namespace

TokenCost CostOf(const engine::EngineFile& file) {
  TokenCost cost;
  const engine::Plan* plan = file.FindPlan("step");
  if (plan == nullptr) return cost;
  // An op runs for wanted rows only when its axis follows out_rows.
  std::vector<std::int64_t> symbols;
  symbols.reserve(plan->symbols.size());
  for (const graph::Symbol& symbol : plan->symbols)
    symbols.push_back(symbol.name == "out_rows" ? 7 : 1);
  for (const engine::PlanOp& op : plan->ops) {
    if (op.op != "linear") continue;
    const engine::PlanValue& value = plan->values[static_cast<std::size_t>(op.src[1])];
    if (value.place != engine::Place::kWeight) continue;
    const engine::PackedWeight& weight = file.weights()[static_cast<std::size_t>(value.offset)];
    const double ops =
        2.0 * static_cast<double>(weight.shape[0]) * static_cast<double>(weight.shape[1]);
    const Result<std::int64_t> rows =
        plan->axes[static_cast<std::size_t>(op.axis)].rows.Evaluate(symbols);
    (rows.ok() && *rows == 7 ? cost.head_ops : cost.body_ops) += ops;
    cost.bytes += static_cast<double>(weight.bytes);
  }
  return cost;
}

std::vector<runtime::TokenId> BenchRuns::RandomIds(std::int64_t count) {
  std::vector<runtime::TokenId> ids;
  ids.reserve(static_cast<std::size_t>(count));
  for (std::int64_t i = 0; i < count; ++i) {
    state_ = state_ * 6364136223846793005U + 1442695040888963407U;
    ids.push_back(static_cast<runtime::TokenId>((state_ >> 33) %
                                                static_cast<std::uint64_t>(engine_.vocab())));
  }
  return ids;
}

Result<Timed> BenchRuns::Prefill(std::int64_t tokens, std::int64_t depth) {
  ZB_ASSIGN_OR_RETURN(const std::shared_ptr<runtime::Sequence> sequence,
                      engine_.NewSequence(depth + tokens + 1));
  if (depth > 0) {
    runtime::Turn warm;
    warm.append = RandomIds(depth);
    ZB_RETURN_IF_ERROR(engine_.Start(sequence, std::move(warm)));
    ZB_RETURN_IF_ERROR(sequence->Wait().status);
  }
  runtime::Turn turn;
  turn.append = RandomIds(tokens);
  turn.max_tokens = 1;
  ZB_RETURN_IF_ERROR(engine_.Prepare(*sequence, std::move(turn)));
  const Clock::time_point start = Clock::now();
  ZB_RETURN_IF_ERROR(engine_.Submit(sequence));
  ZB_RETURN_IF_ERROR(sequence->Wait().status);
  Timed timed;
  timed.seconds = Seconds(start, Clock::now());
  timed.tokens = tokens;
  engine_.Close(sequence);
  return timed;
}

Result<Timed> BenchRuns::Decode(std::int64_t prompt, std::int64_t tokens) {
  ZB_ASSIGN_OR_RETURN(const std::shared_ptr<runtime::Sequence> sequence,
                      engine_.NewSequence(prompt + tokens + 1));
  runtime::Turn turn;
  turn.append = RandomIds(prompt);
  turn.max_tokens = tokens + 1;
  ZB_RETURN_IF_ERROR(engine_.Start(sequence, std::move(turn)));
  Timed timed;
  if (const std::optional<runtime::TokenEvent> first = sequence->Next())
    Follow(*sequence, first->time_ns, timed);
  // The first gap is a gap here: the clock started at the token before it.
  timed.gaps_ms.insert(timed.gaps_ms.end(), timed.ttft_ms.begin(), timed.ttft_ms.end());
  timed.ttft_ms.clear();
  const runtime::TurnResult result = sequence->Wait();
  engine_.Close(sequence);
  ZB_RETURN_IF_ERROR(result.status);
  return timed;
}

Result<Timed> BenchRuns::Streams(std::int64_t streams, std::int64_t prompt, std::int64_t tokens) {
  std::vector<std::shared_ptr<runtime::Sequence>> sequences;
  for (std::int64_t i = 0; i < streams; ++i) {
    ZB_ASSIGN_OR_RETURN(std::shared_ptr<runtime::Sequence> sequence,
                        engine_.NewSequence(prompt + tokens));
    runtime::Turn turn;
    turn.append = RandomIds(prompt);
    turn.max_tokens = tokens;
    ZB_RETURN_IF_ERROR(engine_.Prepare(*sequence, std::move(turn)));
    sequences.push_back(std::move(sequence));
  }
  std::vector<Timed> parts(sequences.size());
  std::vector<std::thread> readers;
  readers.reserve(sequences.size());
  const std::int64_t start = NowNs();
  Status status;
  for (const auto& sequence : sequences) {
    Status submitted = engine_.Submit(sequence);
    if (status.ok()) status = std::move(submitted);
  }
  for (std::size_t i = 0; i < sequences.size(); ++i) {
    readers.emplace_back([&, i] { Follow(*sequences[i], start, parts[i]); });
  }
  for (std::thread& reader : readers) reader.join();
  Timed timed;
  for (std::size_t i = 0; i < sequences.size(); ++i) {
    timed.seconds = std::max(timed.seconds, parts[i].seconds);
    if (status.ok()) status = sequences[i]->result().status;
    engine_.Close(sequences[i]);
    timed.tokens += parts[i].tokens;
    timed.gaps_ms.insert(timed.gaps_ms.end(), parts[i].gaps_ms.begin(), parts[i].gaps_ms.end());
    timed.ttft_ms.insert(timed.ttft_ms.end(), parts[i].ttft_ms.begin(), parts[i].ttft_ms.end());
  }
  ZB_RETURN_IF_ERROR(status);
  return timed;
}

}  // namespace zhibi::cli
