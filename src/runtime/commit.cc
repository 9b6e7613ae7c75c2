// SPDX-License-Identifier: Apache-2.0
// Committing a step: samples become tokens and events, finished turns end, full pages are
// registered for reuse. A row that was in flight when its sequence finished is discarded here; its
// pages go back only then.
#include <algorithm>
#include <string>

#include "graph/step.h"
#include "runtime/scheduler.h"

namespace zhibi::runtime {
namespace {

std::size_t Index(std::int64_t i) { return static_cast<std::size_t>(i); }

}  // namespace

void Scheduler::Commit(int slot) {
  Step& current = steps_[Index(slot)];
  const Status status = executor_->Wait(slot);
  ++committed_steps_;
  if (!status.ok()) {
    FailStep(slot, status);
  }
  std::int64_t generated = 0;
  std::int64_t prompt = 0;
  for (std::size_t i = 0; i < current.used; ++i) {
    StepEntry& entry = current.entries[i];
    const std::int64_t before = entry.sequence->generated_;
    CommitEntry(slot, entry);
    generated += entry.sequence->generated_ - before;
    prompt += entry.samples ? entry.rows - 1 : entry.rows;
    entry.sequence.reset();
  }
  const std::lock_guard<std::mutex> lock(mutex_);
  ++stats_.steps;
  stats_.rows += current.rows;
  stats_.generated_tokens += generated;
  stats_.prompt_tokens += prompt;
  current.used = 0;
}

void Scheduler::CommitEntry(int slot, StepEntry& entry) {
  Sequence& sequence = *entry.sequence;
  if (--sequence.inflight_ == 0) sequence.sample_row_ = -1;
  if (sequence.stopping_) return;
  if (sequence.cancelled_.load(std::memory_order_relaxed)) {
    TurnResult result;
    result.reason = FinishReason::kCancelled;
    Stop(sequence, std::move(result));
    return;
  }
  sequence.committed_ = entry.first_position + entry.rows;
  if (sequence.turn_.logits_sink) {
    const auto* logits =
        reinterpret_cast<const float*>(executor_->HostOutput(slot, names_.logits).data());
    for (std::int64_t i = 0; i < entry.out_rows; ++i) {
      sequence.turn_.logits_sink(entry.first_position + entry.rows - entry.out_rows + i,
                                 {logits + (entry.out_begin + i) * vocab_, Index(vocab_)});
    }
  }
  if (prefix_cache_) RegisterPages(sequence);
  if (entry.samples) {
    const auto* samples =
        reinterpret_cast<const std::int32_t*>(executor_->HostOutput(slot, names_.samples).data());
    CommitSample(slot, entry, samples[entry.out_begin + entry.out_rows - 1]);
  } else if (sequence.committed_ >= sequence.size() &&
             sequence.generated_ >= sequence.turn_.max_tokens) {
    TurnResult result;
    result.reason = FinishReason::kLength;
    Stop(sequence, std::move(result));
  }
}

void Scheduler::CommitSample(int slot, StepEntry& entry, TokenId sample) {
  Sequence& sequence = *entry.sequence;
  const Turn& turn = sequence.turn_;
  TurnResult result;
  if (sample < 0) {
    result.reason = FinishReason::kError;
    result.status = turn.constraint != nullptr
                        ? InvalidArgumentError("the constraint allows no token at position " +
                                               std::to_string(sequence.size()))
                        : InternalError("the logits at position " +
                                        std::to_string(sequence.size()) + " are not finite");
    Stop(sequence, std::move(result));
    return;
  }
  if (std::find(turn.stop_ids.begin(), turn.stop_ids.end(), sample) != turn.stop_ids.end()) {
    result.reason = FinishReason::kStop;
    result.stop_id = sample;
    Stop(sequence, std::move(result));
    return;
  }
  TokenEvent event;
  event.id = sample;
  if (turn.sampling.top_logprobs >= 0) {
    const std::int64_t row = entry.out_begin + entry.out_rows - 1;
    event.logprob = reinterpret_cast<const float*>(
        executor_->HostOutput(slot, names_.sample_logprob).data())[row];
    const std::int64_t first = row * graph::step::kMaxTopLogprobs;
    const auto* ids =
        reinterpret_cast<const std::int32_t*>(executor_->HostOutput(slot, names_.top_ids).data()) +
        first;
    const auto* values =
        reinterpret_cast<const float*>(executor_->HostOutput(slot, names_.top_logprobs).data()) +
        first;
    event.num_top = turn.sampling.top_logprobs;
    for (int i = 0; i < event.num_top; ++i) event.top[i] = {ids[i], values[i]};
  }
  sequence.tokens_.push_back(sample);
  ++sequence.generated_;
  sequence.Emit(event);
  if (turn.constraint != nullptr) {
    const Status status = turn.constraint->Advance(sample);
    if (!status.ok()) {
      result.reason = FinishReason::kError;
      result.status = status;
      Stop(sequence, std::move(result));
      return;
    }
    TakeForced(sequence);
  }
  if (sequence.generated_ >= turn.max_tokens) {
    result.reason = FinishReason::kLength;
    Stop(sequence, std::move(result));
  }
}

// Text that the constraint forces costs rows, not decoding steps.
void Scheduler::TakeForced(Sequence& sequence) {
  const std::int64_t room = std::min<std::int64_t>(static_cast<std::int64_t>(forced_.size()),
                                                   sequence.turn_.max_tokens - sequence.generated_);
  if (room <= 0) return;
  const std::size_t count = sequence.turn_.constraint->Forced({forced_.data(), Index(room)});
  TokenEvent event;
  event.forced = true;
  for (std::size_t i = 0; i < count; ++i) {
    event.id = forced_[i];
    sequence.tokens_.push_back(event.id);
    ++sequence.generated_;
    sequence.Emit(event);
  }
}

void Scheduler::RegisterPages(Sequence& sequence) {
  const std::span<const TokenId> tokens(sequence.tokens_);
  auto full = static_cast<std::int64_t>(sequence.page_hashes_.size());
  while ((full + 1) * page_tokens_ <= std::min(sequence.committed_, sequence.size())) {
    const std::uint64_t parent =
        full == 0 ? PagePool::Seed() : sequence.page_hashes_[Index(full - 1)];
    const std::span<const TokenId> page_tokens =
        tokens.subspan(Index(full * page_tokens_), Index(page_tokens_));
    const std::uint64_t hash = pool_->Hash(parent, page_tokens);
    pool_->Register(sequence.pages_[Index(full)], parent, hash, page_tokens);
    sequence.page_hashes_.push_back(hash);
    ++full;
  }
}

// Ends the turn; the client hears of it in Retire, when no row of the sequence is in flight any
// more.
void Scheduler::Stop(Sequence& sequence, TurnResult result) {
  result.generated = sequence.generated_;
  result.reused = sequence.reused_;
  sequence.pending_result_ = std::move(result);
  sequence.stopping_ = true;
}

// A device error fails the turns that had rows in the step, never the process.
void Scheduler::FailStep(int slot, const Status& status) {
  Step& current = steps_[Index(slot)];
  for (std::size_t i = 0; i < current.used; ++i) {
    Sequence& sequence = *current.entries[i].sequence;
    if (sequence.stopping_) continue;
    TurnResult result;
    result.reason = FinishReason::kError;
    result.status = status;
    Stop(sequence, std::move(result));
  }
}

void Scheduler::Retire() {
  std::size_t kept = 0;
  for (std::size_t i = 0; i < running_.size(); ++i) {
    Sequence& sequence = *running_[i];
    // Nobody else holds the sequence: the client dropped it, which cancels its turn.
    const bool dropped = running_[i].use_count() == 1;
    if (!sequence.stopping_ && sequence.inflight_ == 0 &&
        (dropped || sequence.cancelled_.load(std::memory_order_relaxed))) {
      TurnResult result;
      result.reason = FinishReason::kCancelled;
      Stop(sequence, std::move(result));
    }
    if (!sequence.stopping_ || sequence.inflight_ > 0) {
      if (kept != i) running_[kept] = std::move(running_[i]);
      ++kept;
      continue;
    }
    // Rows past the last token were of discarded samples: their slots are written again by the next
    // turn.
    sequence.written_ = std::min(sequence.committed_, sequence.size());
    sequence.committed_ = sequence.written_;
    reserved_pages_ -= sequence.reserved_pages_;
    sequence.reserved_pages_ = 0;
    const bool failed = sequence.pending_result_.reason == FinishReason::kError;
    // After a failed step the cache may hold anything: the next turn computes the sequence anew.
    if (failed || sequence.closing_) DropPages(sequence, 0);
    sequence.state_ = Sequence::State::kIdle;
    const std::shared_ptr<Sequence> alive = std::move(running_[i]);
    if (!sequence.pages_.empty()) idle_.push_back(alive);
    alive->Finish(std::move(alive->pending_result_));
  }
  running_.resize(kept);
}

}  // namespace zhibi::runtime
