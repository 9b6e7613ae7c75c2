// SPDX-License-Identifier: Apache-2.0
// What the instruction-set specific parts of attention share. Raw pointers and plain types only
// (design.md §7.12).
//
// Order of summation (design.md §7.11), the same for every number of rows, page size, split and
// thread count: keys come in blocks of 32 positions, whose borders are absolute multiples of 32.
// Within a chunk of 256 positions (absolute multiples again) blocks are taken in ascending order
// with an online softmax (Milakov and Gimelshein 2018, §3); chunks are merged in ascending order.
// A block that a query does not see leaves its state untouched, bit for bit.
#pragma once

#include <cstddef>
#include <cstdint>

namespace zhibi::cpu {

inline constexpr int kKeyBlock = 32;
inline constexpr int kKeyChunk = 256;
inline constexpr int kMaxAttentionDim = 256;
inline constexpr int kMaxTileQueries = 64;
// Floats of output that a tile accumulates; bounds what it keeps in the first-level cache.
inline constexpr int kMaxTileOutput = 4096;

enum class KvType : std::int32_t { kF32, kF16, kBF16 };

struct AttentionCall {
  const float* q = nullptr;  // [rows, heads * head_dim]
  float* dst = nullptr;      // [rows, heads * value_dim]
  const std::int32_t* positions = nullptr;
  const std::int32_t* row_seq = nullptr;
  const std::int32_t* seq_lens = nullptr;
  const std::int32_t* page_table = nullptr;  // [seqs, table_cols]
  std::int64_t rows = 0;
  std::int64_t seqs = 0;
  std::int64_t table_cols = 0;
  const std::byte* cache = nullptr;  // of the layer, in page 0
  std::int64_t page_bytes = 0;
  std::int64_t page_tokens = 0;
  std::int64_t value_offset = 0;  // bytes from the layer's keys to its values
  KvType type = KvType::kF32;
  bool cross = false;
  std::int32_t heads = 0;
  std::int32_t kv_heads = 0;
  std::int32_t head_dim = 0;
  std::int32_t value_dim = 0;
  std::int32_t window = 0;
  float scale = 1;
  float softcap = 0;

  // How the work is cut; changes no result.
  std::int64_t tile_rows = 1;     // rows of one tile
  std::int32_t tile_heads = 1;    // query heads of one tile, of the same KV head
  std::int32_t head_tiles = 1;    // tiles for all query heads of a KV head
  std::int64_t split_chunks = 0;  // > 0: a tile is one chunk of one row, results go to `partial`
  float* partial = nullptr;  // [rows, heads, split_chunks, 2 + value_dim]: largest, sum, output
};

struct AttentionKernel {
  // A tile of tile_rows rows for the query heads of one head tile: index (row tile * kv_heads + KV
  // head) * head_tiles + head tile; with split, * split_chunks + chunk.
  void (*tile)(const AttentionCall& call, std::int64_t tile) = nullptr;
  // Merges the chunks of one row.
  void (*merge)(const AttentionCall& call, std::int64_t row) = nullptr;
};

const AttentionKernel& AttentionScalar();
const AttentionKernel& AttentionAvx2();
const AttentionKernel& AttentionAvx512();
const AttentionKernel& AttentionAvx512BF16();  // of a bf16 cache alone

}  // namespace zhibi::cpu
