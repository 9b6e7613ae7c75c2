// SPDX-License-Identifier: Apache-2.0
// The self-attention of a decoder as families write it: three projections of the same rows, QK norm
// (or none), RoPE, cache write, attention. Recognised twice: over linears (pass merge_qkv) and,
// after that, over slices of the merged product (pass fuse_rope_cache). One thread at a time.
#pragma once

#include <optional>
#include <string_view>

#include "compile/rewrite.h"
#include "graph/ops/attention.h"
#include "graph/ops/rms_norm.h"
#include "graph/ops/rope.h"

namespace zhibi::compile {

// base -> [rms_norm over head_dim] -> rope; indexes of nodes, -1 where there is none.
struct RopeChain {
  int base = -1;
  int norm = -1;
  int rope = -1;
};

struct QkvPattern {
  graph::AttentionAttrs attention;
  RopeChain q;
  RopeChain k;
  int v = -1;  // base of v
  int cache_write = -1;
  graph::RopeAttrs rope;
  float norm_eps = 0;
};

// The pattern whose attention is node `attention`, when it is complete, nothing in it is read from
// outside, and q and k are normed and rotated in the same way. `base` is the op that feeds the
// chains.
std::optional<QkvPattern> MatchQkv(Rewriter& rewriter, int attention, std::string_view base);

}  // namespace zhibi::compile
