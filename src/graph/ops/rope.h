// SPDX-License-Identifier: Apache-2.0
// Rotary position embedding (Su et al. 2021): rotates pairs of the first rotary_dim values of every
// head by angle = position * inv_freq[i] (float, as the reference implementations do), times
// attention_factor on cos and sin. src: x f32 [tokens, heads * head_dim], positions i32 [tokens],
// inv_freq weight [rotary_dim / 2]; dst: like x. Pairs: halves (i, i + rotary_dim/2), or neighbours
// (2i, 2i + 1) with `interleaved`.
#pragma once

#include "graph/op.h"
#include "graph/ops/cache_write.h"

namespace zhibi::graph {

struct RopeAttrs {
  std::int32_t head_dim = 0;
  std::int32_t rotary_dim = 0;
  std::int32_t interleaved = 0;
  float attention_factor = 1;
};
extern const OpDef kOp_rope;

void CheckRopeAttrs(const RopeAttrs& attrs, OperandRule& rule);
// One head: x and y [head_dim], y may be x.
void RotateHead(const RopeAttrs& attrs, const float* inv_freq, std::int32_t position,
                const float* x, float* y);

}  // namespace zhibi::graph
