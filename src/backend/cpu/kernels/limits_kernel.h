// SPDX-License-Identifier: Apache-2.0
// The loops that limits.cc times, one set an instruction set. Raw pointers and plain types only
// (design.md §7.12). Each returns a value that depends on all its work.
#pragma once

#include <cstddef>
#include <cstdint>

namespace zhibi::cpu {

inline constexpr int kReadPatterns = 3;

struct LimitKernels {
  // Reads `bytes` (a multiple of 4096) with four streams. Patterns: 0 the four quarters side by
  // side, 1 the same with software prefetch, 2 one sequence, four lines a step.
  std::uint64_t (*read)(const std::byte* data, std::int64_t bytes, int pattern);
  // Runs `rounds` rounds of independent multiply-adds. nullptr: this level has none.
  float (*f32)(std::int64_t rounds);
  std::int64_t f32_ops;  // operations of a round; a multiply-add is two
  float (*bf16)(std::int64_t rounds);
  std::int64_t bf16_ops;
  std::int32_t (*int8)(std::int64_t rounds);
  std::int64_t int8_ops;
};

extern const LimitKernels kLimitsScalar;
extern const LimitKernels kLimitsAvx2;
extern const LimitKernels kLimitsAvx512;

}  // namespace zhibi::cpu
