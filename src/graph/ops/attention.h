// SPDX-License-Identifier: Apache-2.0
// Attention over a cache group (decoder, cross) or over packed operands (encoder); one op for all
// (design.md §7.6). src: 0 q f32 [tokens, heads * head_dim]
//      1 k f32 [tokens, kv_heads * head_dim], 2 v f32 [tokens, kv_heads * value_dim]: only when
//      group < 0, else absent 3 positions i32 [tokens], 4 row_seq i32 [tokens], 5 seq_offsets i32
//      [seqs + 1], 6 seq_lens i32 [seqs]
//        (cached tokens of the sequence; encoder_lens for cross), 7 page_table i32 [seqs, pages]
//        (absent when group < 0)
//      8 bias weight [buckets, heads] or absent: T5 relative bias (Raffel et al. 2020, §2.1),
//      looked up by
//        key position - query position
// dst: f32 [tokens, heads * value_dim].
// A row at position p sees keys j of its own sequence with: kCausal j <= p and (window == 0 or p -
// j < window); kBidirectional every j of the packed sequence (window likewise on |p - j|); kCross
// every j < seq_lens. score = softcap(scale * q.k) + bias; softcap(s) = c * tanh(s / c) when c > 0.
// Softmax in float.
#pragma once

#include "graph/op.h"

namespace zhibi::graph {

enum class AttentionKind : std::int32_t { kCausal, kBidirectional, kCross };

struct AttentionAttrs {
  AttentionKind kind = AttentionKind::kCausal;
  std::int32_t group = -1;  // cache group, or -1: k and v are operands
  std::int32_t layer = 0;
  std::int32_t heads = 0;
  std::int32_t kv_heads = 0;
  std::int32_t head_dim = 0;
  std::int32_t value_dim = 0;
  std::int32_t window = 0;
  float scale = 1;
  float softcap = 0;
  std::int32_t bias_buckets = 0;  // 0: no bias operand
  std::int32_t bias_max_distance = 0;
  std::int32_t bias_bidirectional = 0;
};
extern const OpDef kOp_attention;

// T5 bucket of a relative position (key - query); shared by reference and kernels.
std::int32_t RelativeBucket(std::int32_t relative, const AttentionAttrs& attrs);

}  // namespace zhibi::graph
