// SPDX-License-Identifier: Apache-2.0
#include "runtime/scheduler.h"

#include <algorithm>
#include <string>
#include <utility>

#include "base/machine.h"
#include "base/status_macros.h"
#include "graph/step.h"

namespace zhibi::runtime {

namespace step = graph::step;

Result<std::unique_ptr<Scheduler>> Scheduler::Create(const LoadedEngine& engine,
                                                     const EngineOptions& options) {
  std::unique_ptr<Scheduler> scheduler(
      new Scheduler());  // NOLINT(cppcoreguidelines-owning-memory): private constructor
  ZB_RETURN_IF_ERROR(scheduler->Init(engine, options));
  return scheduler;
}

Status Scheduler::Init(const LoadedEngine& engine, const EngineOptions& options) {
  const engine::Plan* plan = engine.file().FindPlan("step");
  if (plan == nullptr) {
    return FailedPreconditionError(engine.file().path() +
                                   ": has no plan \"step\": an encoder cannot generate text");
  }
  for (const graph::CacheGroup& group : plan->caches) {
    if (group.kind != graph::CacheKind::kKv) {
      return UnimplementedError(
          engine.file().path() + ": cache group " + group.name +
          " is not of kind kv: encoder-decoder models run through the executor only");
    }
  }
  const engine::EngineInfo& info = engine.file().info();
  depth_ = options.depth > 0 ? options.depth : (engine.device().info().host_memory ? 1 : 2);
  prefix_cache_ = options.prefix_cache;
  page_tokens_ = info.limits.page_tokens;
  vocab_ = info.model.vocab;
  mask_bytes_ = (vocab_ + 7) / 8;
  max_queue_ = options.max_queue;
  ZB_RETURN_IF_ERROR(InitMemory(engine, options));
  ZB_ASSIGN_OR_RETURN(executor_, Executor::Create(engine, "step", caches_.get(), depth_));
  ZB_RETURN_IF_ERROR(InitNames());
  max_rows_ = executor_->SymbolMax(names_.sym_tokens);
  if (options.chunk_tokens > 0) max_rows_ = std::min(max_rows_, options.chunk_tokens);
  max_seqs_ = std::min(executor_->SymbolMax(names_.sym_seqs), max_rows_);
  max_out_rows_ = executor_->SymbolMax(names_.sym_out_rows);
  max_history_ = executor_->SymbolMax(names_.sym_history);
  max_biases_ = executor_->SymbolMax(names_.sym_biases);
  max_masks_ = executor_->SymbolMax(names_.sym_masks);
  max_page_columns_ = (context_ + page_tokens_ - 1) / page_tokens_;
  for (const int symbol : names_.sym_pages) {
    max_page_columns_ = std::min(max_page_columns_, executor_->SymbolMax(symbol));
  }
  context_ = std::min(context_, max_page_columns_ * page_tokens_);
  waiting_.reserve(static_cast<std::size_t>(max_queue_) + 1);
  running_.reserve(static_cast<std::size_t>(max_seqs_));
  idle_.reserve(static_cast<std::size_t>(pool_->pages() + max_seqs_));
  commands_.resize(static_cast<std::size_t>(max_queue_) * 4 + 64);
  steps_.resize(static_cast<std::size_t>(depth_));
  for (Step& s : steps_) s.entries.resize(static_cast<std::size_t>(max_seqs_));
  symbols_.assign(executor_->plan().symbols.size(), 0);
  forced_.resize(static_cast<std::size_t>(max_rows_));
  thread_ = std::thread([this] { ThreadMain(); });
  return OkStatus();
}

Status Scheduler::InitMemory(const LoadedEngine& engine, const EngineOptions& options) {
  const engine::Plan& plan = *engine.file().FindPlan("step");
  const engine::EngineInfo& info = engine.file().info();
  context_ = info.limits.max_context > 0 ? info.limits.max_context : info.model.context;
  std::int64_t page_bytes = 0;
  for (const graph::CacheGroup& group : plan.caches)
    page_bytes += CacheSet::PageBytes(group, page_tokens_);
  const std::int64_t sequence_pages = (context_ + page_tokens_ - 1) / page_tokens_;
  const std::int64_t useful = sequence_pages * info.limits.max_seqs;
  std::int64_t budget = options.kv_bytes;
  if (budget <= 0) budget = base::MemoryLimitBytes() / 4;
  const std::int64_t pages = page_bytes == 0 ? useful : std::min(useful, budget / page_bytes);
  if (pages < 1) {
    return ResourceExhaustedError("cache memory: " + std::to_string(budget) +
                                  " bytes hold no page of " + std::to_string(page_bytes) +
                                  " bytes");
  }
  const std::vector<std::int64_t> counts(plan.caches.size(), pages);
  ZB_ASSIGN_OR_RETURN(caches_,
                      CacheSet::Create(engine.device(), plan.caches, page_tokens_, counts));
  pool_ = std::make_unique<PagePool>(pages, page_tokens_);
  stats_.pages = pages;
  return OkStatus();
}

Status Scheduler::InitNames() {
  std::string missing;
  auto input = [&](std::string_view name) {
    const int index = executor_->FindInput(name);
    if (index < 0) missing += " input " + std::string(name);
    return index;
  };
  auto output = [&](std::string_view name) {
    const int index = executor_->FindOutput(name);
    if (index < 0) missing += " output " + std::string(name);
    return index;
  };
  auto symbol = [&](std::string_view name) {
    const int index = executor_->FindSymbol(name);
    if (index < 0) missing += " symbol " + std::string(name);
    return index;
  };
  Names& n = names_;
  n.host_ids = input(step::kHostIds);
  n.token_source = input(step::kTokenSource);
  n.positions = input(step::kPositions);
  n.row_seq = input(step::kRowSeq);
  n.seq_offsets = input(step::kSeqOffsets);
  n.seq_lens = input(step::kSeqLens);
  n.out_rows = input(step::kOutRows);
  n.sampling = input(step::kSampling);
  n.history_offsets = input(step::kHistoryOffsets);
  n.history = input(step::kHistory);
  n.bias_offsets = input(step::kBiasOffsets);
  n.bias_ids = input(step::kBiasIds);
  n.bias_values = input(step::kBiasValues);
  n.mask_index = input(step::kMaskIndex);
  n.masks = input(step::kMasks);
  n.logits = output(step::kLogits);
  n.samples = output(step::kSamples);
  n.sample_logprob = output(step::kSampleLogprob);
  n.top_ids = output(step::kTopIds);
  n.top_logprobs = output(step::kTopLogprobs);
  n.sym_tokens = symbol("tokens");
  n.sym_seqs = symbol("seqs");
  n.sym_out_rows = symbol("out_rows");
  n.sym_previous = executor_->FindSymbol("previous_rows");
  n.sym_history = symbol("history");
  n.sym_biases = symbol("biases");
  n.sym_masks = symbol("masks");
  for (const graph::CacheGroup& group : executor_->plan().caches) {
    n.page_tables.push_back(input(std::string(step::kPageTablePrefix) + group.name));
    n.sym_pages.push_back(symbol("pages." + group.name));
  }
  if (missing.empty()) return OkStatus();
  return DataLossError("the plan \"step\" lacks:" + missing);
}

Scheduler::~Scheduler() {
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    stop_ = true;
  }
  wake_.notify_all();
  if (thread_.joinable()) thread_.join();
}

Status Scheduler::Push(const std::shared_ptr<Sequence>& sequence) {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (stop_) return UnavailableError("the engine is stopping");
  if (queued_ >= max_queue_ || count_ >= commands_.size()) {
    return ResourceExhaustedError("the queue is full: " + std::to_string(queued_) +
                                  " turns wait, at most " + std::to_string(max_queue_) + " may");
  }
  Command& command = commands_[(head_ + count_++) % commands_.size()];
  command.kind = CommandKind::kTurn;
  command.sequence = sequence;
  ++queued_;
  ++pushed_;
  wake_.notify_all();
  return OkStatus();
}

void Scheduler::Cancel(const std::shared_ptr<Sequence>& sequence) {
  sequence->cancelled_.store(true, std::memory_order_relaxed);
  const std::lock_guard<std::mutex> lock(mutex_);
  wake_.notify_all();
}

Status Scheduler::Truncate(const std::shared_ptr<Sequence>& sequence, std::int64_t length) {
  std::unique_lock<std::mutex> lock(mutex_);
  if (stop_) return UnavailableError("the engine is stopping");
  handled_.wait(lock, [this] { return stop_ || count_ < commands_.size(); });
  if (stop_) return UnavailableError("the engine is stopping");
  Command& command = commands_[(head_ + count_++) % commands_.size()];
  command.kind = CommandKind::kTruncate;
  command.sequence = sequence;
  command.length = length;
  const std::int64_t ticket = ++pushed_;
  wake_.notify_all();
  handled_.wait(lock, [this, ticket] { return stop_ || drained_ >= ticket; });
  return OkStatus();
}

void Scheduler::Close(const std::shared_ptr<Sequence>& sequence) {
  Cancel(sequence);
  std::unique_lock<std::mutex> lock(mutex_);
  handled_.wait(lock, [this] { return stop_ || count_ < commands_.size(); });
  if (stop_) return;
  Command& command = commands_[(head_ + count_++) % commands_.size()];
  command.kind = CommandKind::kClose;
  command.sequence = sequence;
  ++pushed_;
  wake_.notify_all();
}

EngineStats Scheduler::stats() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  return stats_;
}

void Scheduler::Drain() {
  const std::lock_guard<std::mutex> lock(mutex_);
  while (count_ > 0) {
    Command& command = commands_[head_];
    switch (command.kind) {
      case CommandKind::kTurn:
        command.sequence->state_ = Sequence::State::kWaiting;
        waiting_.push_back(std::move(command.sequence));
        break;
      case CommandKind::kTruncate:
        ApplyTruncate(*command.sequence, command.length);
        break;
      case CommandKind::kClose:
        ApplyClose(command.sequence);
        break;
      case CommandKind::kWake:
        break;
    }
    command.sequence.reset();
    head_ = (head_ + 1) % commands_.size();
    --count_;
    ++drained_;
  }
  stats_.pages_in_use = pool_->in_use();
  stats_.running = static_cast<std::int64_t>(running_.size());
  stats_.waiting = static_cast<std::int64_t>(waiting_.size());
  handled_.notify_all();
}

void Scheduler::ThreadMain() {
  while (true) {
    {
      std::unique_lock<std::mutex> lock(mutex_);
      const bool idle = running_.empty() && waiting_.empty() && launched_ == committed_steps_;
      if (idle) wake_.wait(lock, [this] { return stop_ || count_ > 0; });
      if (stop_) break;
    }
    Drain();
    Admit();
    while (launched_ - committed_steps_ < depth_) {
      if (!FormStep(static_cast<int>(launched_ % depth_))) break;
    }
    if (launched_ > committed_steps_) {
      Commit(static_cast<int>(committed_steps_ % depth_));
    }
    Retire();
  }
  EndEverything();
}

void Scheduler::EndEverything() {
  while (launched_ > committed_steps_) Commit(static_cast<int>(committed_steps_ % depth_));
  Drain();
  TurnResult result;
  result.reason = FinishReason::kCancelled;
  result.status = CancelledError("the engine was stopped");
  for (auto* list : {&waiting_, &running_}) {
    for (const std::shared_ptr<Sequence>& sequence : *list) {
      DropPages(*sequence, 0);
      sequence->state_ = Sequence::State::kClosed;
      sequence->Finish(result);
    }
    list->clear();
  }
  for (const std::shared_ptr<Sequence>& sequence : idle_) {
    DropPages(*sequence, 0);
    sequence->state_ = Sequence::State::kClosed;
  }
  idle_.clear();
  const std::lock_guard<std::mutex> lock(mutex_);
  handled_.notify_all();
}

}  // namespace zhibi::runtime
