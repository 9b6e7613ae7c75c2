// SPDX-License-Identifier: Apache-2.0
// A sequence: tokens, the pages that hold their keys and values, and the turn that is running on
// it. A client makes one (Engine::NewSequence), submits turns one after another and reads token
// events; between turns the sequence keeps its pages, so that a draft goes on where it stopped. All
// memory is reserved when sequence and turn are made.
//
//   tokens_: [ written: in the cache ......... | pending: to be rows of the next steps ]
//
// Thread rules: members under "client" any one client thread; "engine" the engine thread; "shared"
// under mutex_.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "graph/step.h"
#include "runtime/page_pool.h"
#include "zhibi/status.h"

namespace zhibi::runtime {

struct SamplingOptions {
  float temperature = 0;  // 0: greedy
  std::int32_t top_k = 0;
  float top_p = 1;
  float min_p = 0;
  float repetition_penalty = 1;
  float presence_penalty = 0;
  float frequency_penalty = 0;
  std::uint64_t seed = 0;
  std::vector<std::pair<TokenId, float>> logit_bias;
  std::int32_t top_logprobs = -1;  // -1: no log probabilities; 0..20

  // kInvalidArgument names the field and its range.
  Status Validate(std::int64_t vocab) const;
  bool uses_history() const {
    return repetition_penalty != 1 || presence_penalty != 0 || frequency_penalty != 0;
  }
};

// What may be sampled next. Called on the engine thread; must not allocate; errors end the turn.
class TokenConstraint {
 public:
  virtual ~TokenConstraint() = default;
  // Sets bit i % 8 of byte i / 8 for every allowed id i; `bits` comes zeroed.
  virtual Status Mask(std::span<std::uint8_t> bits) = 0;
  virtual Status Advance(TokenId token) = 0;
  // Tokens that must follow now, at most forced.size(); they are taken as advanced. 0: sample.
  virtual std::size_t Forced(std::span<TokenId> forced) = 0;
};

enum class FinishReason : std::uint8_t { kNone, kStop, kLength, kCancelled, kError };

struct TokenEvent {
  TokenId id = -1;
  bool forced = false;
  std::int64_t time_ns = 0;  // steady clock, when the engine committed it
  float logprob = 0;         // of the raw distribution, when asked for
  std::int32_t num_top = 0;
  std::pair<TokenId, float> top[graph::step::kMaxTopLogprobs];
};

// Logits of a row, on the engine thread: position of the row's token, raw values. For `zhibi
// logits`.
using LogitsSink = std::function<void(std::int64_t position, std::span<const float> logits)>;

struct Turn {
  std::vector<TokenId> append;  // forced text: becomes rows, is not decoded
  std::int64_t max_tokens = 0;  // 0: only append
  SamplingOptions sampling;
  std::vector<TokenId> stop_ids;  // end the turn; the stop token itself is not kept in the sequence
  std::shared_ptr<TokenConstraint> constraint;
  LogitsSink logits_sink;  // called for every appended row and every decoded one
};

struct TurnResult {
  FinishReason reason = FinishReason::kNone;
  Status status;         // for kError
  TokenId stop_id = -1;  // for kStop
  std::int64_t generated = 0;
  std::int64_t reused = 0;  // appended tokens that the prefix cache held
};

class Sequence {
 public:
  // --- client ---
  // The next event, or nothing when the turn is over (then result() is set). Blocks.
  std::optional<TokenEvent> Next();
  // Blocks until the turn is over, dropping unread events.
  TurnResult Wait();
  TurnResult result() const;
  // Tokens in the sequence; valid between turns.
  std::int64_t size() const { return static_cast<std::int64_t>(tokens_.size()); }
  std::span<const TokenId> tokens() const { return tokens_; }
  std::int64_t capacity() const { return capacity_; }

 private:
  friend class Engine;
  friend class Scheduler;

  enum class State : std::uint8_t { kIdle, kWaiting, kRunning, kClosed };

  explicit Sequence(std::int64_t capacity) : capacity_(capacity) {}
  void Emit(const TokenEvent& event);
  void Finish(TurnResult result);

  const std::int64_t capacity_;

  // --- engine (client while idle) ---
  std::vector<TokenId> tokens_;
  std::vector<PageId> pages_;
  std::vector<std::uint64_t> page_hashes_;  // of full, registered or registrable pages
  Turn turn_;
  State state_ = State::kIdle;
  std::int64_t written_ = 0;     // tokens whose rows were launched
  std::int64_t committed_ = 0;   // tokens whose rows are done
  std::int64_t turn_start_ = 0;  // size of the sequence before its first decoded token of this turn
  std::int64_t prompt_end_ = 0;  // tokens before the first decoded token of the sequence
  std::int64_t reserved_pages_ = 0;  // pages that this turn may still take
  std::int64_t generated_ = 0;
  std::int64_t reused_ = 0;
  int inflight_ = 0;  // steps in flight that hold rows of this sequence
  std::int32_t sample_row_ =
      -1;                  // row of the newest launched step whose sample continues this sequence
  bool stopping_ = false;  // finished, waits for its rows in flight
  bool closing_ = false;   // pages go back when the turn is over
  TurnResult pending_result_;
  std::uint64_t draws_ = 0;

  // --- shared ---
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<TokenEvent> events_;  // ring, room for one turn
  std::size_t head_ = 0;
  std::size_t count_ = 0;
  bool turn_over_ = true;
  std::atomic<bool> cancelled_ = false;
  TurnResult result_;
};

}  // namespace zhibi::runtime
