// SPDX-License-Identifier: Apache-2.0
// Admission: which waiting turns start now. A turn starts when a place in the batch is free and the
// pages that it can need at most are there, so that a running turn never lacks memory. Oldest
// first: a turn that does not fit yet keeps younger ones waiting behind it, so that nobody starves.
#include <algorithm>
#include <string>

#include "runtime/scheduler.h"

namespace zhibi::runtime {

std::int64_t Scheduler::PagesNeeded(const Sequence& sequence, std::int64_t tokens) const {
  const std::int64_t pages = (tokens + page_tokens_ - 1) / page_tokens_;
  return std::max<std::int64_t>(0, pages - static_cast<std::int64_t>(sequence.pages_.size()));
}

void Scheduler::Admit() {
  std::size_t started = 0;
  while (started < waiting_.size() && static_cast<std::int64_t>(running_.size()) < max_seqs_) {
    if (!TryAdmit(*waiting_[started])) break;
    // A turn that ended while it waited (cancelled, impossible) leaves the queue without running.
    if (waiting_[started]->state_ == Sequence::State::kRunning)
      running_.push_back(waiting_[started]);
    ++started;
  }
  if (started == 0) return;
  waiting_.erase(waiting_.begin(), waiting_.begin() + static_cast<std::ptrdiff_t>(started));
  const std::lock_guard<std::mutex> lock(mutex_);
  queued_ -= static_cast<std::int64_t>(started);
}

// True when the turn has left the queue: it runs, or it has ended.
bool Scheduler::TryAdmit(Sequence& sequence) {
  TurnResult result;
  if (sequence.cancelled_.load(std::memory_order_relaxed)) {
    result.reason = FinishReason::kCancelled;
    sequence.state_ = Sequence::State::kIdle;
    sequence.Finish(std::move(result));
    return true;
  }
  const std::int64_t final_tokens = sequence.size() +
                                    static_cast<std::int64_t>(sequence.turn_.append.size()) +
                                    sequence.turn_.max_tokens;
  const std::int64_t needed = PagesNeeded(sequence, final_tokens);
  Reclaim(sequence, needed + reserved_pages_);
  if (needed > pool_->available() - reserved_pages_) {
    if (!running_.empty()) return false;
    result.reason = FinishReason::kError;
    result.status = ResourceExhaustedError(
        "cache memory: the turn needs " + std::to_string(needed) + " more pages of " +
        std::to_string(page_tokens_) + " tokens, " + std::to_string(pool_->available()) + " of " +
        std::to_string(pool_->pages()) + " are free and nothing runs that would free more");
    sequence.state_ = Sequence::State::kIdle;
    sequence.Finish(std::move(result));
    return true;
  }
  const bool fresh = sequence.tokens_.empty();
  sequence.tokens_.insert(sequence.tokens_.end(), sequence.turn_.append.begin(),
                          sequence.turn_.append.end());
  sequence.turn_start_ = sequence.size();
  if (fresh) sequence.prompt_end_ = sequence.size();
  sequence.generated_ = 0;
  sequence.reused_ = 0;
  sequence.stopping_ = false;
  sequence.sample_row_ = -1;
  if (sequence.written_ == 0 && prefix_cache_) MatchPrefix(sequence);
  // Everything is in the cache already: the last row is computed again (to the same bits), since
  // its logits are wanted.
  if (sequence.written_ == sequence.size())
    sequence.written_ = sequence.committed_ = sequence.size() - 1;
  if (sequence.turn_.constraint != nullptr) TakeForced(sequence);
  sequence.reserved_pages_ = PagesNeeded(sequence, final_tokens);
  reserved_pages_ += sequence.reserved_pages_;
  sequence.state_ = Sequence::State::kRunning;
  ForgetIdle(sequence);
  const std::lock_guard<std::mutex> lock(mutex_);
  stats_.reused_tokens += sequence.reused_;
  return true;
}

// Takes pages back from idle sequences, the longest idle first, until `pages` are available. They
// keep their tokens: their next turn computes what it needs again, to the same bits.
void Scheduler::Reclaim(const Sequence& wanting, std::int64_t pages) {
  for (const std::shared_ptr<Sequence>& idle : idle_) {
    if (pool_->available() >= pages) break;
    if (idle.get() != &wanting) DropPages(*idle, 0);
  }
  PurgeIdle();
}

void Scheduler::ForgetIdle(const Sequence& sequence) {
  idle_.erase(std::remove_if(
                  idle_.begin(), idle_.end(),
                  [&](const std::shared_ptr<Sequence>& idle) { return idle.get() == &sequence; }),
              idle_.end());
}

// Idle sequences that hold no page or that no client holds any more need no place in the list.
void Scheduler::PurgeIdle() {
  for (const std::shared_ptr<Sequence>& idle : idle_) {
    if (idle.use_count() == 1) DropPages(*idle, 0);
  }
  idle_.erase(
      std::remove_if(idle_.begin(), idle_.end(),
                     [](const std::shared_ptr<Sequence>& idle) { return idle->pages_.empty(); }),
      idle_.end());
}

// Takes the registered pages of the longest common beginning. The last token is always computed:
// its logits are wanted.
void Scheduler::MatchPrefix(Sequence& sequence) {
  std::uint64_t parent = PagePool::Seed();
  const std::span<const TokenId> tokens(sequence.tokens_);
  for (std::int64_t begin = 0; begin + page_tokens_ < sequence.size(); begin += page_tokens_) {
    const std::span<const TokenId> page_tokens =
        tokens.subspan(static_cast<std::size_t>(begin), static_cast<std::size_t>(page_tokens_));
    const std::uint64_t hash = pool_->Hash(parent, page_tokens);
    const PageId page = pool_->Acquire(parent, hash, page_tokens);
    if (page < 0) break;
    sequence.pages_.push_back(page);
    sequence.page_hashes_.push_back(hash);
    sequence.written_ = begin + page_tokens_;
    parent = hash;
  }
  sequence.committed_ = sequence.written_;
  sequence.reused_ = sequence.written_;
}

// Keeps the pages of the first keep_tokens tokens, whole pages only.
void Scheduler::DropPages(Sequence& sequence, std::int64_t keep_tokens) {
  const auto keep = static_cast<std::size_t>(keep_tokens / page_tokens_);
  while (sequence.pages_.size() > keep) {
    pool_->Release(sequence.pages_.back());
    sequence.pages_.pop_back();
  }
  if (sequence.page_hashes_.size() > keep) sequence.page_hashes_.resize(keep);
  const std::int64_t held = static_cast<std::int64_t>(sequence.pages_.size()) * page_tokens_;
  sequence.written_ = std::min(sequence.written_, held);
  sequence.committed_ = std::min(sequence.committed_, held);
}

// Whole pages stay (they may be shared and registered: their bytes never change); the rest of a cut
// page is computed again in the next turn, to the same bits (design.md §7.11).
void Scheduler::ApplyTruncate(Sequence& sequence, std::int64_t length) {
  sequence.tokens_.resize(static_cast<std::size_t>(length));
  sequence.prompt_end_ = std::min(sequence.prompt_end_, length);
  if (sequence.written_ <= length) return;
  DropPages(sequence, length);
}

void Scheduler::ApplyClose(const std::shared_ptr<Sequence>& sequence) {
  if (sequence->state_ == Sequence::State::kIdle) {
    ForgetIdle(*sequence);
    DropPages(*sequence, 0);
  }
  // A turn that still waits or runs was cancelled by Close; Retire gives the pages back.
  if (sequence->state_ != Sequence::State::kIdle) sequence->closing_ = true;
}

}  // namespace zhibi::runtime
