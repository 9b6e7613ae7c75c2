// SPDX-License-Identifier: Apache-2.0
// The passes over a row of logits that sampling is made of, as their instruction-set specific parts
// see them. Raw pointers and plain types only (design.md §7.12).
#pragma once

#include <cstdint>

namespace zhibi::cpu {

// Elements whose weights are summed in one go; the draw first finds the block, then the id.
inline constexpr std::int64_t kSampleBlock = 1024;

struct TopList {
  std::int32_t* ids = nullptr;
  float* values = nullptr;
  std::int64_t count = 0;  // filled so far
  std::int64_t size = 0;
};

struct SampleKernels {
  // -infinity for n = 0; *has_nan is set, not cleared.
  float (*largest)(const float* x, std::int64_t n, bool* has_nan);
  // Sum of exp(x - largest).
  double (*exp_sum)(const float* x, std::int64_t n, float largest);
  // -infinity where bit i % 8 of byte i / 8 is clear.
  void (*mask)(float* x, std::int64_t n, const std::uint8_t* bits);
  // x becomes exp((x - largest) / temperature), 0 for -infinity; sums of each block go to `blocks`.
  void (*weigh)(float* x, std::int64_t n, float largest, float temperature, double* blocks);
  // Ids with low <= x < high, ascending; returns how many.
  std::int64_t (*collect)(const float* x, std::int64_t n, float low, float high, std::int32_t* ids);
  // The largest elements, best first, equal ones by id; -infinity is never listed.
  void (*top)(const float* x, std::int64_t n, TopList* list);
};

const SampleKernels& SampleKernelsScalar();
const SampleKernels& SampleKernelsAvx2();
const SampleKernels& SampleKernelsAvx512();

}  // namespace zhibi::cpu
