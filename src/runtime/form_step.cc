// SPDX-License-Identifier: Apache-2.0
// Forming a step: rows, page tables, wanted rows and sampling parameters into the slot's inputs.
// Sequences that decode come first (one row each), the rest of the row budget goes to prefill in
// order of arrival, so that a long prompt never stops others from decoding.
#include <algorithm>
#include <cstring>
#include <string>

#include "graph/step.h"
#include "runtime/scheduler.h"

namespace zhibi::runtime {
namespace {

std::size_t Index(std::int64_t i) { return static_cast<std::size_t>(i); }

}  // namespace

bool Scheduler::FormStep(int slot) {
  Step& current = steps_[Index(slot)];
  current.used = 0;
  current.rows = current.out_rows = current.history = current.biases = current.masks = 0;
  current.page_columns = 1;
  current.wants_logits = current.wants_logprobs = false;
  for (const std::shared_ptr<Sequence>& sequence : running_) {
    if (sequence->size() - sequence->written_ <= 1) AddEntry(slot, sequence);
  }
  for (const std::shared_ptr<Sequence>& sequence : running_) {
    if (sequence->size() - sequence->written_ > 1) AddEntry(slot, sequence);
  }
  if (current.rows == 0) return false;
  const Status status = LaunchStep(slot);
  ++launched_;
  if (!status.ok()) FailStep(slot, status);
  return true;
}

std::int64_t Scheduler::OutRowsFor(const Sequence& sequence, std::int64_t rows) const {
  if (sequence.turn_.logits_sink) return rows;
  const bool reaches_end = sequence.written_ + rows >= sequence.size();
  return reaches_end && sequence.generated_ < sequence.turn_.max_tokens ? 1 : 0;
}

bool Scheduler::EnsurePages(Sequence& sequence, std::int64_t tokens) {
  for (std::int64_t missing = PagesNeeded(sequence, tokens); missing > 0; --missing) {
    const PageId page = pool_->Allocate();
    if (page < 0) return false;
    sequence.pages_.push_back(page);
    --sequence.reserved_pages_;
    --reserved_pages_;
  }
  return true;
}

// True when the sequence has rows in the step.
bool Scheduler::AddEntry(int slot, const std::shared_ptr<Sequence>& shared) {
  Sequence& sequence = *shared;
  Step& current = steps_[Index(slot)];
  if (sequence.stopping_ || current.used >= current.entries.size()) return false;
  std::int64_t pending = sequence.size() - sequence.written_;
  // The newest token may still be on its way: its row takes the id on the device, unless something
  // on the host must see the token first.
  bool from_device = false;
  if (pending == 0 && sequence.sample_row_ >= 0) {
    const Turn& turn = sequence.turn_;
    if (turn.constraint != nullptr || turn.sampling.uses_history() || turn.logits_sink ||
        sequence.generated_ + 1 >= turn.max_tokens) {
      return false;
    }
    from_device = true;
    pending = 1;
  }
  if (sequence.inflight_ > 0 && !from_device &&
      (sequence.turn_.constraint != nullptr || sequence.sample_row_ >= 0)) {
    return false;
  }
  std::int64_t rows = std::min(pending, max_rows_ - current.rows);
  if (sequence.turn_.logits_sink) rows = std::min(rows, max_out_rows_ - current.out_rows);
  if (rows <= 0) return false;
  const std::int64_t out_rows = from_device ? 1 : OutRowsFor(sequence, rows);
  if (current.out_rows + out_rows > max_out_rows_) return false;
  const bool samples = out_rows > 0 &&
                       (from_device || sequence.written_ + rows >= sequence.size()) &&
                       sequence.generated_ + (from_device ? 1 : 0) < sequence.turn_.max_tokens;
  const Turn& turn = sequence.turn_;
  if (samples) {
    // What the step's buffers cannot hold any more waits for the next step.
    if (turn.sampling.uses_history() && current.history + sequence.size() > max_history_)
      return false;
    const auto biases = static_cast<std::int64_t>(turn.sampling.logit_bias.size());
    if (current.biases + biases > max_biases_) return false;
    if (turn.constraint != nullptr && current.masks >= max_masks_) return false;
  }
  if (!EnsurePages(sequence, sequence.written_ + rows)) {
    TurnResult result;
    result.reason = FinishReason::kError;
    result.status = InternalError("no page was left for an admitted turn");
    Stop(sequence, std::move(result));
    return false;
  }

  StepEntry& entry = current.entries[current.used];
  entry.sequence = shared;
  entry.first_position = sequence.written_;
  entry.rows = rows;
  entry.out_begin = current.out_rows;
  entry.out_rows = out_rows;
  entry.samples = samples;
  auto* host_ids = executor_->HostInputAs<std::int32_t>(slot, names_.host_ids);
  auto* source = executor_->HostInputAs<std::int32_t>(slot, names_.token_source);
  auto* positions = executor_->HostInputAs<std::int32_t>(slot, names_.positions);
  auto* row_seq = executor_->HostInputAs<std::int32_t>(slot, names_.row_seq);
  auto* wanted = executor_->HostInputAs<std::int32_t>(slot, names_.out_rows);
  for (std::int64_t i = 0; i < rows; ++i) {
    const std::int64_t row = current.rows + i;
    const std::int64_t position = sequence.written_ + i;
    host_ids[row] = from_device ? 0 : sequence.tokens_[Index(position)];
    source[row] = from_device ? sequence.sample_row_ : -1;
    positions[row] = static_cast<std::int32_t>(position);
    row_seq[row] = static_cast<std::int32_t>(current.used);
  }
  for (std::int64_t i = 0; i < out_rows; ++i) {
    wanted[current.out_rows + i] = static_cast<std::int32_t>(current.rows + rows - out_rows + i);
  }
  for (std::int64_t i = 0; i < out_rows; ++i) {
    const bool sampled = samples && i == out_rows - 1;
    const Status status = FillSampling(slot, sequence, current.out_rows + i, sampled);
    if (!status.ok()) {
      TurnResult result;
      result.reason = FinishReason::kError;
      result.status = status;
      Stop(sequence, std::move(result));
      entry.sequence.reset();
      return false;
    }
  }
  if (turn.logits_sink) current.wants_logits = true;
  if (samples && turn.sampling.top_logprobs >= 0) current.wants_logprobs = true;
  current.page_columns =
      std::max(current.page_columns, static_cast<std::int64_t>(sequence.pages_.size()));
  executor_->HostInputAs<std::int32_t>(slot, names_.seq_offsets)[current.used] =
      static_cast<std::int32_t>(current.rows);
  executor_->HostInputAs<std::int32_t>(slot, names_.seq_lens)[current.used] =
      static_cast<std::int32_t>(sequence.written_ + rows);
  sequence.written_ += rows;
  sequence.sample_row_ = samples ? static_cast<std::int32_t>(entry.out_begin + out_rows - 1) : -1;
  ++sequence.inflight_;
  current.rows += rows;
  current.out_rows += out_rows;
  ++current.used;
  return true;
}

// Parameters of an out row: of the sequence's next draw, or neutral ones for a row that is only
// read.
Status Scheduler::FillSampling(int slot, Sequence& sequence, std::int64_t row, bool sampled) {
  Step& current = steps_[Index(slot)];
  auto* rows = executor_->HostInputAs<graph::step::SamplingRow>(slot, names_.sampling);
  auto* history_offsets = executor_->HostInputAs<std::int32_t>(slot, names_.history_offsets);
  auto* bias_offsets = executor_->HostInputAs<std::int32_t>(slot, names_.bias_offsets);
  auto* mask_index = executor_->HostInputAs<std::int32_t>(slot, names_.mask_index);
  graph::step::SamplingRow parameters;
  parameters.top_logprobs = -1;
  history_offsets[row] = static_cast<std::int32_t>(current.history);
  bias_offsets[row] = static_cast<std::int32_t>(current.biases);
  mask_index[row] = -1;
  if (sampled) {
    const SamplingOptions& options = sequence.turn_.sampling;
    parameters.temperature = options.temperature;
    parameters.top_p = options.top_p;
    parameters.min_p = options.min_p;
    parameters.repetition_penalty = options.repetition_penalty;
    parameters.presence_penalty = options.presence_penalty;
    parameters.frequency_penalty = options.frequency_penalty;
    parameters.top_k = options.top_k;
    parameters.top_logprobs = options.top_logprobs;
    parameters.seed = options.seed;
    // The draw belongs to the position of the token that it makes, so that company and chunks do
    // not change it.
    parameters.position =
        static_cast<std::uint64_t>(sequence.written_ + current.entries[current.used].rows);
    if (options.uses_history()) {
      auto* history = executor_->HostInputAs<std::int32_t>(slot, names_.history);
      std::copy(sequence.tokens_.begin(), sequence.tokens_.end(), history + current.history);
      current.history += sequence.size();
      parameters.prompt_history =
          static_cast<std::int32_t>(std::min(sequence.prompt_end_, sequence.size()));
    }
    auto* bias_ids = executor_->HostInputAs<std::int32_t>(slot, names_.bias_ids);
    auto* bias_values = executor_->HostInputAs<float>(slot, names_.bias_values);
    for (const auto& [id, value] : options.logit_bias) {
      bias_ids[current.biases] = id;
      bias_values[current.biases] = value;
      ++current.biases;
    }
    if (sequence.turn_.constraint != nullptr) {
      std::uint8_t* mask =
          executor_->HostInputAs<std::uint8_t>(slot, names_.masks) + current.masks * mask_bytes_;
      std::memset(mask, 0, Index(mask_bytes_));
      const Status status = sequence.turn_.constraint->Mask({mask, Index(mask_bytes_)});
      if (!status.ok()) return status;
      mask_index[row] = static_cast<std::int32_t>(current.masks++);
    }
  }
  std::memcpy(rows + row, &parameters, sizeof(parameters));
  history_offsets[row + 1] = static_cast<std::int32_t>(current.history);
  bias_offsets[row + 1] = static_cast<std::int32_t>(current.biases);
  return OkStatus();
}

Status Scheduler::LaunchStep(int slot) {
  Step& current = steps_[Index(slot)];
  executor_->HostInputAs<std::int32_t>(slot, names_.seq_offsets)[current.used] =
      static_cast<std::int32_t>(current.rows);
  for (const int table_input : names_.page_tables) {
    auto* table = executor_->HostInputAs<std::int32_t>(slot, table_input);
    for (std::size_t s = 0; s < current.used; ++s) {
      const std::vector<PageId>& pages = current.entries[s].sequence->pages_;
      std::int32_t* row = table + static_cast<std::int64_t>(s) * current.page_columns;
      std::copy(pages.begin(), pages.end(), row);
      // A page that exists keeps a reader of an entry past the end inside the buffer.
      std::fill(row + pages.size(), row + current.page_columns, 0);
    }
  }
  if (current.out_rows == 0) {
    executor_->HostInputAs<std::int32_t>(slot, names_.history_offsets)[0] = 0;
    executor_->HostInputAs<std::int32_t>(slot, names_.bias_offsets)[0] = 0;
  }
  std::fill(symbols_.begin(), symbols_.end(), 1);
  auto set = [this](int symbol, std::int64_t value) {
    if (symbol >= 0) symbols_[Index(symbol)] = value;
  };
  set(names_.sym_tokens, current.rows);
  set(names_.sym_seqs, static_cast<std::int64_t>(current.used));
  set(names_.sym_out_rows, current.out_rows);
  set(names_.sym_history, current.history);
  set(names_.sym_biases, current.biases);
  set(names_.sym_masks, current.masks);
  if (names_.sym_previous >= 0) set(names_.sym_previous, executor_->SymbolMax(names_.sym_previous));
  for (const int symbol : names_.sym_pages) set(symbol, current.page_columns);
  auto bit = [](int output) { return std::uint32_t{1} << static_cast<unsigned>(output); };
  std::uint32_t wanted = 0;
  if (current.out_rows > 0) wanted |= bit(names_.samples);
  if (current.wants_logits) wanted |= bit(names_.logits);
  if (current.wants_logprobs) {
    wanted |= bit(names_.sample_logprob) | bit(names_.top_ids) | bit(names_.top_logprobs);
  }
  return executor_->Launch(slot, symbols_, wanted);
}

}  // namespace zhibi::runtime
