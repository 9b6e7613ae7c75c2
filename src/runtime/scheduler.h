// SPDX-License-Identifier: Apache-2.0
// Scheduler: the engine thread and its state. Each part of a step is a file: admit.cc (queue,
// prefix match, pages), form_step.cc (rows and inputs), commit.cc (samples, finish, registration of
// pages); scheduler.cc holds thread, queue and creation. Loop (design.md §7.4): drain commands,
// admit, form and launch up to `depth` steps, wait for the oldest, commit it. Nothing here
// allocates after Create. Internal to runtime.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "runtime/engine.h"
#include "runtime/executor.h"
#include "runtime/page_pool.h"
#include "runtime/sequence.h"

namespace zhibi::runtime {

class Scheduler {
 public:
  static Result<std::unique_ptr<Scheduler>> Create(const LoadedEngine& engine,
                                                   const EngineOptions& options);
  ~Scheduler();

  Status Push(const std::shared_ptr<Sequence>& sequence);
  void Cancel(const std::shared_ptr<Sequence>& sequence);
  Status Truncate(const std::shared_ptr<Sequence>& sequence, std::int64_t length);
  void Close(const std::shared_ptr<Sequence>& sequence);

  EngineStats stats() const;
  std::int64_t page_tokens() const { return page_tokens_; }
  std::int64_t pages() const { return pool_->pages(); }
  std::int64_t context() const { return context_; }
  std::int64_t vocab() const { return vocab_; }
  std::int64_t max_history() const { return max_history_; }
  std::int64_t max_biases() const { return max_biases_; }

 private:
  enum class CommandKind : std::uint8_t { kTurn, kTruncate, kClose, kWake };
  struct Command {
    CommandKind kind = CommandKind::kWake;
    std::shared_ptr<Sequence> sequence;
    std::int64_t length = 0;
  };
  // Rows of one sequence in a step.
  struct StepEntry {
    std::shared_ptr<Sequence> sequence;
    std::int64_t first_position = 0;
    std::int64_t rows = 0;
    std::int64_t out_begin = 0;
    std::int64_t out_rows = 0;
    bool samples = false;  // the last out row's sample continues the sequence
  };
  struct Step {
    std::vector<StepEntry> entries;  // capacity max_seqs_
    std::size_t used = 0;
    std::int64_t rows = 0;
    std::int64_t out_rows = 0;
    std::int64_t history = 0;
    std::int64_t biases = 0;
    std::int64_t masks = 0;
    std::int64_t page_columns = 0;
    bool wants_logits = false;
    bool wants_logprobs = false;
  };
  // Indexes of the plan's inputs, outputs and symbols; -1: the plan has none.
  struct Names {
    int host_ids, token_source, positions, row_seq, seq_offsets, seq_lens, out_rows;
    int sampling, history_offsets, history, bias_offsets, bias_ids, bias_values, mask_index, masks;
    int logits, samples, sample_logprob, top_ids, top_logprobs;
    int sym_tokens, sym_seqs, sym_out_rows, sym_previous, sym_history, sym_biases, sym_masks;
    std::vector<int> page_tables;
    std::vector<int> sym_pages;
  };

  Scheduler() = default;
  Status Init(const LoadedEngine& engine, const EngineOptions& options);
  Status InitNames();
  Status InitMemory(const LoadedEngine& engine, const EngineOptions& options);

  void ThreadMain();
  void Drain();  // commands -> waiting_ and states
  void EndEverything();

  // admit.cc
  void Admit();
  bool TryAdmit(Sequence& sequence);
  void MatchPrefix(Sequence& sequence);
  void Reclaim(const Sequence& wanting, std::int64_t pages);
  void ForgetIdle(const Sequence& sequence);
  void PurgeIdle();
  std::int64_t PagesNeeded(const Sequence& sequence, std::int64_t tokens) const;
  void DropPages(Sequence& sequence, std::int64_t keep_tokens);
  void ApplyTruncate(Sequence& sequence, std::int64_t length);
  void ApplyClose(const std::shared_ptr<Sequence>& sequence);

  // form_step.cc
  bool FormStep(int slot);  // false: nothing to do
  bool AddEntry(int slot, const std::shared_ptr<Sequence>& sequence);
  std::int64_t OutRowsFor(const Sequence& sequence, std::int64_t rows) const;
  Status FillSampling(int slot, Sequence& sequence, std::int64_t row, bool sampled);
  Status LaunchStep(int slot);
  bool EnsurePages(Sequence& sequence, std::int64_t tokens);

  // commit.cc
  void Commit(int slot);
  void CommitEntry(int slot, StepEntry& entry);
  void CommitSample(int slot, StepEntry& entry, TokenId sample);
  void TakeForced(Sequence& sequence);
  void RegisterPages(Sequence& sequence);
  void Stop(Sequence& sequence, TurnResult result);
  void FailStep(int slot, const Status& status);
  void Retire();

  std::unique_ptr<CacheSet> caches_;
  std::unique_ptr<Executor> executor_;
  std::unique_ptr<PagePool> pool_;
  Names names_{};
  int depth_ = 1;
  bool prefix_cache_ = true;
  std::int64_t page_tokens_ = 0;
  std::int64_t context_ = 0;
  std::int64_t vocab_ = 0;
  std::int64_t mask_bytes_ = 0;
  std::int64_t max_rows_ = 0;
  std::int64_t max_seqs_ = 0;
  std::int64_t max_out_rows_ = 0;
  std::int64_t max_page_columns_ = 0;
  std::int64_t max_history_ = 0;
  std::int64_t max_biases_ = 0;
  std::int64_t max_masks_ = 0;

  // engine thread
  std::vector<std::shared_ptr<Sequence>> waiting_;  // oldest first; capacity max_queue
  std::vector<std::shared_ptr<Sequence>> running_;  // capacity max_seqs_
  std::vector<std::shared_ptr<Sequence>> idle_;     // between turns, with pages; oldest first
  std::vector<Step> steps_;                         // one a slot
  std::vector<std::int64_t> symbols_;
  std::vector<TokenId> forced_;
  std::int64_t reserved_pages_ = 0;  // promised to running turns, not yet taken
  std::int64_t launched_ = 0;
  std::int64_t committed_steps_ = 0;

  // shared
  mutable std::mutex mutex_;
  std::condition_variable wake_;
  std::condition_variable handled_;
  std::vector<Command> commands_;  // ring
  std::size_t head_ = 0;
  std::size_t count_ = 0;
  std::int64_t max_queue_ = 0;
  std::int64_t queued_ = 0;  // turns in commands_ or waiting_
  std::int64_t pushed_ = 0;
  std::int64_t drained_ = 0;
  bool stop_ = false;
  EngineStats stats_;

  std::thread thread_;
};

}  // namespace zhibi::runtime
