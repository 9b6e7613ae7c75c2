// SPDX-License-Identifier: Apache-2.0
#include "runtime/engine.h"

#include <algorithm>
#include <string>
#include <utility>

#include "base/status_macros.h"
#include "runtime/scheduler.h"

namespace zhibi::runtime {

Result<std::unique_ptr<Engine>> Engine::Create(std::shared_ptr<const engine::EngineFile> file,
                                               std::shared_ptr<backend::Device> device,
                                               const EngineOptions& options) {
  if (options.max_queue < 1 || options.max_queue > 65536) {
    return InvalidArgumentError("max_queue: expected 1 to 65536, got " +
                                std::to_string(options.max_queue));
  }
  if (options.depth < 0 || options.depth > 2) {
    return InvalidArgumentError("depth: expected 0 to 2, got " + std::to_string(options.depth));
  }
  std::unique_ptr<Engine> engine(
      new Engine());  // NOLINT(cppcoreguidelines-owning-memory): private constructor
  ZB_ASSIGN_OR_RETURN(engine->engine_, LoadedEngine::Create(std::move(file), std::move(device)));
  ZB_ASSIGN_OR_RETURN(engine->scheduler_, Scheduler::Create(*engine->engine_, options));
  return engine;
}

Engine::~Engine() = default;

std::int64_t Engine::context_tokens() const { return scheduler_->context(); }
std::int64_t Engine::vocab() const { return scheduler_->vocab(); }
std::int64_t Engine::capacity_limit() const {
  return std::min(scheduler_->context(), scheduler_->pages() * scheduler_->page_tokens());
}
EngineStats Engine::stats() const { return scheduler_->stats(); }

Result<std::shared_ptr<Sequence>> Engine::NewSequence(std::int64_t capacity) {
  if (capacity == 0) capacity = capacity_limit();
  if (capacity < 1 || capacity > capacity_limit()) {
    return InvalidArgumentError(
        "sequence of " + std::to_string(capacity) + " tokens: the engine holds 1 to " +
        std::to_string(capacity_limit()) + " (context " + std::to_string(context_tokens()) + ")");
  }
  std::shared_ptr<Sequence> sequence(
      new Sequence(capacity));  // NOLINT(cppcoreguidelines-owning-memory): private constructor
  const auto pages = static_cast<std::size_t>(capacity / scheduler_->page_tokens() + 1);
  sequence->tokens_.reserve(static_cast<std::size_t>(capacity));
  sequence->pages_.reserve(pages);
  sequence->page_hashes_.reserve(pages);
  return sequence;
}

Status Engine::Prepare(Sequence& sequence, Turn turn) {
  {
    const std::lock_guard<std::mutex> lock(sequence.mutex_);
    if (!sequence.turn_over_) return FailedPreconditionError("the sequence still runs a turn");
  }
  ZB_RETURN_IF_ERROR(turn.sampling.Validate(vocab()));
  for (std::size_t i = 0; i < turn.append.size(); ++i) {
    if (turn.append[i] < 0 || turn.append[i] >= vocab()) {
      return InvalidArgumentError("token " + std::to_string(i) + ": id " +
                                  std::to_string(turn.append[i]) + " is not in the vocabulary of " +
                                  std::to_string(vocab()));
    }
  }
  if (turn.max_tokens < 0) {
    return InvalidArgumentError("max_tokens: expected at least 0, got " +
                                std::to_string(turn.max_tokens));
  }
  const std::int64_t needed =
      sequence.size() + static_cast<std::int64_t>(turn.append.size()) + turn.max_tokens;
  if (needed > sequence.capacity()) {
    return InvalidArgumentError(
        "the turn needs " + std::to_string(needed) + " tokens (" + std::to_string(sequence.size()) +
        " there, " + std::to_string(turn.append.size()) + " appended, " +
        std::to_string(turn.max_tokens) + " to decode), the sequence holds " +
        std::to_string(sequence.capacity()));
  }
  if (needed - turn.max_tokens == 0) {
    return InvalidArgumentError(
        "an empty sequence has nothing to continue: append at least one token");
  }
  if (turn.sampling.uses_history() && needed > scheduler_->max_history()) {
    return InvalidArgumentError("penalties look at " + std::to_string(needed) +
                                " tokens, the engine's profile allows " +
                                std::to_string(scheduler_->max_history()));
  }
  if (static_cast<std::int64_t>(turn.sampling.logit_bias.size()) > scheduler_->max_biases()) {
    return InvalidArgumentError("logit_bias: " + std::to_string(turn.sampling.logit_bias.size()) +
                                " entries, the engine's profile allows " +
                                std::to_string(scheduler_->max_biases()));
  }
  const std::lock_guard<std::mutex> lock(sequence.mutex_);
  const auto room = static_cast<std::size_t>(turn.max_tokens) + 1;
  if (sequence.events_.size() < room) sequence.events_.resize(room);
  sequence.turn_ = std::move(turn);
  sequence.head_ = 0;
  sequence.count_ = 0;
  sequence.result_ = TurnResult();
  sequence.cancelled_.store(false, std::memory_order_relaxed);
  return OkStatus();
}

Status Engine::Submit(const std::shared_ptr<Sequence>& sequence) {
  {
    const std::lock_guard<std::mutex> lock(sequence->mutex_);
    if (!sequence->turn_over_) return FailedPreconditionError("the sequence still runs a turn");
    sequence->turn_over_ = false;
  }
  Status status = scheduler_->Push(sequence);
  if (!status.ok()) {
    const std::lock_guard<std::mutex> lock(sequence->mutex_);
    sequence->turn_over_ = true;
  }
  return status;
}

Status Engine::Start(const std::shared_ptr<Sequence>& sequence, Turn turn) {
  ZB_RETURN_IF_ERROR(Prepare(*sequence, std::move(turn)));
  return Submit(sequence);
}

void Engine::Cancel(const std::shared_ptr<Sequence>& sequence) { scheduler_->Cancel(sequence); }

Status Engine::Truncate(const std::shared_ptr<Sequence>& sequence, std::int64_t length) {
  {
    const std::lock_guard<std::mutex> lock(sequence->mutex_);
    if (!sequence->turn_over_) return FailedPreconditionError("the sequence still runs a turn");
  }
  if (length < 0 || length > sequence->size()) {
    return InvalidArgumentError("truncate to " + std::to_string(length) +
                                " tokens: the sequence has " + std::to_string(sequence->size()));
  }
  return scheduler_->Truncate(sequence, length);
}

void Engine::Close(const std::shared_ptr<Sequence>& sequence) { scheduler_->Close(sequence); }

}  // namespace zhibi::runtime
