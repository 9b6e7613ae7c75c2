// SPDX-License-Identifier: Apache-2.0
// Names, types and shapes of the inputs and outputs of a language-model step (design.md §7.2). One
// struct of device buffers feeds a step; runtime fills them by these names, families take them
// through GraphBuilder::StepInputs.
//
// symbols: tokens (rows of this step), seqs, out_rows, pages.<group> (columns of a page table),
// history, biases, masks
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace zhibi::graph::step {

// --- inputs; i32 unless said ---
inline constexpr std::string_view kHostIds =
    "host_ids";  // [tokens] id, used where token_source is -1
inline constexpr std::string_view kTokenSource =
    "token_source";  // [tokens] -1, or row r of the previous samples
inline constexpr std::string_view kPreviousSamples = "previous_samples";  // [previous_rows]
inline constexpr std::string_view kPositions =
    "positions";  // [tokens] absolute position in its sequence
inline constexpr std::string_view kRowSeq = "row_seq";  // [tokens] sequence (0..seqs-1) of each row
inline constexpr std::string_view kSeqOffsets =
    "seq_offsets";                                        // [seqs + 1] first row of each sequence
inline constexpr std::string_view kSeqLens = "seq_lens";  // [seqs] cached tokens after this step
inline constexpr std::string_view kPageTablePrefix =
    "page_table.";  // + group: [seqs, pages.<group>] page ids
inline constexpr std::string_view kOutRows =
    "out_rows";  // [out_rows] rows whose logits are wanted, any rows
inline constexpr std::string_view kEncoderLens =
    "encoder_lens";  // [seqs] source length, for cross attention
inline constexpr std::string_view kTokenTypes = "token_types";  // [tokens] segment ids (BERT)
// sampling, one entry an out_row
inline constexpr std::string_view kSampling = "sampling";  // u8 [out_rows, sizeof(SamplingRow)]
inline constexpr std::string_view kHistoryOffsets =
    "history_offsets";                                   // [out_rows + 1] into history
inline constexpr std::string_view kHistory = "history";  // [history] ids counted by the penalties
inline constexpr std::string_view kBiasOffsets = "bias_offsets";  // [out_rows + 1] into bias_*
inline constexpr std::string_view kBiasIds = "bias_ids";          // [biases]
inline constexpr std::string_view kBiasValues = "bias_values";    // f32 [biases]
inline constexpr std::string_view kMaskIndex = "mask_index";  // [out_rows] row of masks, -1: none
inline constexpr std::string_view kMasks =
    "masks";  // u8 [masks, mask_bytes]; bit i%8 of byte i/8 set: id i allowed

// --- outputs ---
inline constexpr std::string_view kLogits =
    "logits";  // f32 [out_rows, vocab], raw (before the sampler)
inline constexpr std::string_view kHidden =
    "hidden";  // f32 [out_rows, hidden] (encoders: [tokens, hidden])
inline constexpr std::string_view kSamples = "samples";  // i32 [out_rows]
inline constexpr std::string_view kSampleLogprob =
    "sample_logprob";                                   // f32 [out_rows], of the raw distribution
inline constexpr std::string_view kTopIds = "top_ids";  // i32 [out_rows, kMaxTopLogprobs]
inline constexpr std::string_view kTopLogprobs = "top_logprobs";  // f32 [out_rows, kMaxTopLogprobs]

inline constexpr int kMaxTopLogprobs = 20;

// Parameters of one sampled row; plain bytes on the device. Order of application: repetition (CTRL,
// Keskar 2019), presence and frequency penalties, bias, mask, temperature, top-k, top-p, min-p,
// draw.
struct SamplingRow {
  float temperature = 0;  // 0: greedy, ties to the lowest id
  float top_p = 1;
  float min_p = 0;
  float repetition_penalty = 1;
  float presence_penalty = 0;
  float frequency_penalty = 0;
  std::int32_t top_k = 0;         // 0: off
  std::int32_t top_logprobs = 0;  // 0..kMaxTopLogprobs; -1: none, not even the sampled token's
  std::uint64_t seed = 0;
  std::uint64_t position =
      0;  // the draw is a counter-based hash of (seed, position): same anywhere
  std::int32_t prompt_history = 0;  // leading entries of history that count for repetition only
  std::int32_t reserved = 0;
};
static_assert(sizeof(SamplingRow) == 56);

}  // namespace zhibi::graph::step
