// SPDX-License-Identifier: Apache-2.0
#include "runtime/sequence.h"

#include <chrono>
#include <cmath>
#include <string>
#include <utility>

namespace zhibi::runtime {
namespace {

Status CheckRange(std::string_view field, double value, double low, double high) {
  if (value >= low && value <= high) return OkStatus();  // NaN fails both
  return InvalidArgumentError(std::string(field) + ": expected " + std::to_string(low) + " to " +
                              std::to_string(high) + ", got " + std::to_string(value));
}

}  // namespace

Status SamplingOptions::Validate(std::int64_t vocab) const {
  Status checks[] = {
      CheckRange("temperature", temperature, 0, 100),
      CheckRange("top_k", top_k, 0, 1e9),
      CheckRange("top_p", top_p, 0, 1),
      CheckRange("min_p", min_p, 0, 1),
      CheckRange("repetition_penalty", repetition_penalty, 0.01, 100),
      CheckRange("presence_penalty", presence_penalty, -100, 100),
      CheckRange("frequency_penalty", frequency_penalty, -100, 100),
      CheckRange("top_logprobs", top_logprobs, -1, graph::step::kMaxTopLogprobs),
  };
  for (Status& check : checks) {
    if (!check.ok()) return std::move(check);
  }
  for (const auto& [id, bias] : logit_bias) {
    if (id < 0 || id >= vocab) {
      return InvalidArgumentError("logit_bias: token id " + std::to_string(id) +
                                  " is not in the vocabulary of " + std::to_string(vocab));
    }
    if (std::isnan(bias))
      return InvalidArgumentError("logit_bias: NaN for id " + std::to_string(id));
  }
  return OkStatus();
}

std::optional<TokenEvent> Sequence::Next() {
  std::unique_lock<std::mutex> lock(mutex_);
  changed_.wait(lock, [this] { return count_ > 0 || turn_over_; });
  if (count_ == 0) return std::nullopt;
  TokenEvent event = events_[head_];
  head_ = (head_ + 1) % events_.size();
  --count_;
  return event;
}

TurnResult Sequence::Wait() {
  std::unique_lock<std::mutex> lock(mutex_);
  changed_.wait(lock, [this] { return turn_over_; });
  count_ = 0;
  return result_;
}

TurnResult Sequence::result() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  return result_;
}

void Sequence::Emit(const TokenEvent& event) {
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    TokenEvent& slot = events_[(head_ + count_) % events_.size()];
    slot = event;
    slot.time_ns = std::chrono::duration_cast<std::chrono::nanoseconds>(
                       std::chrono::steady_clock::now().time_since_epoch())
                       .count();
    ++count_;
  }
  changed_.notify_all();
}

void Sequence::Finish(TurnResult result) {
  // Notified under the lock: the client may destroy the sequence as soon as it sees the turn over.
  const std::lock_guard<std::mutex> lock(mutex_);
  result_ = std::move(result);
  turn_over_ = true;
  changed_.notify_all();
}

}  // namespace zhibi::runtime
