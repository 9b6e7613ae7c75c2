// SPDX-License-Identifier: Apache-2.0
// Engine: many sequences generated at once on one device (design.md §2.3). One thread owns the
// schedule; clients talk to it through a bounded queue. Every step packs rows of all running
// sequences: decode rows first, then prefill chunks up to the token budget; no padding. Contract:
// docs/contracts/runtime.md. Thread-safe, but a sequence has one client.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "runtime/executor.h"
#include "runtime/sequence.h"
#include "zhibi/status.h"

namespace zhibi::runtime {

struct EngineOptions {
  std::int64_t kv_bytes =
      0;  // cache memory; 0: a quarter of what is available, at most what the profile can use
  std::int64_t max_queue = 256;  // turns that may wait; one more is kResourceExhausted
  int depth = 0;                 // steps in flight; 0: 1 where the host runs the kernels, else 2
  bool prefix_cache = true;
  std::int64_t chunk_tokens = 0;  // rows of one step; 0: the engine's profile
};

struct EngineStats {
  std::int64_t steps = 0;
  std::int64_t rows = 0;
  std::int64_t prompt_tokens = 0;
  std::int64_t generated_tokens = 0;
  std::int64_t reused_tokens = 0;
  std::int64_t pages = 0;
  std::int64_t pages_in_use = 0;
  std::int64_t running = 0;
  std::int64_t waiting = 0;
};

class Scheduler;

class Engine {
 public:
  static Result<std::unique_ptr<Engine>> Create(std::shared_ptr<const engine::EngineFile> file,
                                                std::shared_ptr<backend::Device> device,
                                                const EngineOptions& options);
  // Cancels everything, waits for the step in flight and joins the thread. Sequences stay valid,
  // but idle.
  ~Engine();
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;

  // A sequence of at most `capacity` tokens (0: the context). kInvalidArgument when it could never
  // fit.
  Result<std::shared_ptr<Sequence>> NewSequence(std::int64_t capacity);
  // Starts a turn on an idle sequence. kInvalidArgument names what is wrong (ids, capacity with
  // tokens needed and there, sampling fields); kResourceExhausted when the queue is full. Allocates
  // nothing once the turn is prepared.
  Status Prepare(Sequence& sequence, Turn turn);
  Status Submit(const std::shared_ptr<Sequence>& sequence);
  // Prepare and Submit.
  Status Start(const std::shared_ptr<Sequence>& sequence, Turn turn);
  // Ends the running turn at the next commit; its tokens so far stay. No effect on an idle
  // sequence.
  void Cancel(const std::shared_ptr<Sequence>& sequence);
  // Shortens an idle sequence. kInvalidArgument unless 0 <= length <= size, kFailedPrecondition
  // while a turn runs.
  Status Truncate(const std::shared_ptr<Sequence>& sequence, std::int64_t length);
  // Gives the pages of a sequence back, now or when its turn has been cancelled.
  void Close(const std::shared_ptr<Sequence>& sequence);

  EngineStats stats() const;
  std::int64_t context_tokens() const;
  std::int64_t vocab() const;
  const engine::EngineInfo& info() const { return engine_->file().info(); }
  // Greatest number of tokens that one sequence can hold in the cache memory.
  std::int64_t capacity_limit() const;

 private:
  Engine() = default;
  std::unique_ptr<LoadedEngine> engine_;
  std::unique_ptr<Scheduler> scheduler_;
};

}  // namespace zhibi::runtime
