// SPDX-License-Identifier: Apache-2.0
// The sampler as an op of the plan (design.md §7.3): penalties, bias, mask, temperature, top-k,
// top-p, min-p, a counter-based draw, log probabilities; parameters per row. Order of application
// and meaning: graph/step.h. src: logits f32 [out_rows, vocab], sampling u8 [out_rows,
// sizeof(SamplingRow)], history_offsets, history,
//      bias_offsets, bias_ids, bias_values, mask_index, masks (all i32 but bias_values f32 and
//      masks u8)
// dst: samples i32 [out_rows], sample_logprob f32 [out_rows], top_ids i32 [out_rows, 20],
// top_logprobs f32 [.., 20]. Log probabilities are of the raw logits (before penalties, mask and
// temperature), entries past top_logprobs are id -1. A mask without any allowed id samples -1 (the
// runtime fails that request). NaN logits sample -1 too.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "graph/op.h"
#include "graph/step.h"

namespace zhibi::graph {

struct SampleAttrs {
  std::int32_t reserved = 0;
};
extern const OpDef kOp_sample;

// The draw: uniform in [0, 1) from (seed, position) (Philox 4x32-10, Salmon et al. 2011), equal on
// every device.
float UniformDraw(std::uint64_t seed, std::uint64_t position);
std::array<std::uint32_t, 4> Philox4x32(std::array<std::uint32_t, 4> counter,
                                        std::array<std::uint32_t, 2> key);

// One row of the sampler. The kept ids (after top-k, then top-p of what is left, then min-p; ties
// at a border go to the lower id) are walked in ascending order of id by the draw.
struct SampleRowInput {
  const float* logits = nullptr;  // [vocab]
  std::int64_t vocab = 0;
  step::SamplingRow row;
  std::span<const std::int32_t> history;
  std::span<const std::int32_t> bias_ids;
  std::span<const float> bias_values;
  const std::uint8_t* mask = nullptr;  // bits, or nullptr: all allowed
};
struct SampleRowOutput {
  std::int32_t id = -1;
  float logprob = 0;
  std::int32_t* top_ids = nullptr;  // [step::kMaxTopLogprobs]
  float* top_logprobs = nullptr;    // [step::kMaxTopLogprobs]
};
// Operands of row `row` of the op's sources (any device whose memory the caller may read).
SampleRowInput SampleInput(std::span<const TensorView> src, std::int64_t row);
// Scratch that SampleRow needs.
constexpr std::size_t SampleScratchBytes(std::int64_t vocab) {
  return static_cast<std::size_t>(vocab) * (sizeof(float) + sizeof(std::int32_t));
}
// scratch: 4-byte aligned. Allocates nothing.
void SampleRow(const SampleRowInput& in, std::byte* scratch, SampleRowOutput& out);

// Penalties, bias and mask of a row: values [vocab] becomes the adjusted logits, counts [vocab] is
// working memory. Shared with kernels.
void AdjustLogits(const SampleRowInput& in, float* values, std::int32_t* counts);

}  // namespace zhibi::graph
