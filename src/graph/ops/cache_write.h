// SPDX-License-Identifier: Apache-2.0
// Appends K and V rows to the pages of a cache group, at the rows' positions; elements are rounded
// to the group's dtype. src: k f32 [tokens, kv_heads * head_dim], v f32 [tokens, kv_heads *
// value_dim], positions i32 [tokens],
//      row_seq i32 [tokens], page_table i32 [seqs, pages]; dst: none (effect). Page layout:
//      graph/op.h, CacheView.
#pragma once

#include "graph/op.h"

namespace zhibi::graph {

struct CacheWriteAttrs {
  std::int32_t group = 0;
  std::int32_t layer = 0;
  std::int32_t kv_heads = 0;
  std::int32_t head_dim = 0;
  std::int32_t value_dim = 0;
};
extern const OpDef kOp_cache_write;

// What any op may ask for: a stored graph beyond these is refused by its shape rule.
inline constexpr std::int32_t kMaxCacheGroups = 8;
inline constexpr std::int32_t kMaxCacheLayers = 1024;
inline constexpr std::int32_t kMaxHeads = 1024;
inline constexpr std::int32_t kMaxHeadDim = 1024;

class OperandRule;
void CheckCacheWriteAttrs(const CacheWriteAttrs& attrs, OperandRule& rule);

// Writes K [head_dim] and V [value_dim] of one head; does nothing where the page table has no page
// for the position.
void WriteCacheHead(const CacheWriteAttrs& attrs, const CacheView& view,
                    const TensorView& page_table, std::int32_t seq, std::int32_t position,
                    std::int64_t kv_head, const float* k, const float* v);

}  // namespace zhibi::graph
