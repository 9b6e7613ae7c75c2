// SPDX-License-Identifier: Apache-2.0
// Fusion of QK norm, RoPE and cache_write on a merged projection; the pass rope_cache makes it.
// src: qkv f32 [tokens, (heads + 2 * kv_heads) * head_dim] (all q, then k, then v), positions,
// inv_freq weight,
//      q_norm weight [head_dim] or absent, k_norm weight or absent, row_seq, page_table;
// dst: q f32 [tokens, heads * head_dim], normed and rotated. Effect: k (normed, rotated) and v are
// in the cache.
#pragma once

#include "graph/op.h"
#include "graph/ops/cache_write.h"
#include "graph/ops/rope.h"

namespace zhibi::graph {

struct QkvRopeCacheAttrs {
  CacheWriteAttrs cache;  // head_dim == value_dim here
  RopeAttrs rope;
  std::int32_t heads = 0;
  float norm_eps = 1e-6F;
};
extern const OpDef kOp_qkv_rope_cache;

}  // namespace zhibi::graph
