// SPDX-License-Identifier: Apache-2.0
// Attention over a paged cache, written once for all instruction sets; V is Vec of vec_*.h,
// Products the two products (FloatProducts, DotProducts).
//
// A tile is up to 64 queries (rows x query heads) that share one KV head. For each block of 32
// keys, keys and values are brought into the form of the products once for all queries: scores
// [queries, dim] x [dim, 32], outputs [queries, 32] x [32, value_dim]; neither needs a horizontal
// sum. Bound by the reading of the cache in decode, by multiply-adds in prefill (measured near
// their peak). exp is good to about 1 unit in the last place. Measured (EPYC, AVX-512, 2 threads,
// 2026-11-30): 512 rows of 14 heads of 64 over 2 KV heads 1.4 ms (bf16 cache; f32 2.0 ms), one row
// at depth 4096 68 us. A cold cache of many KV heads is read at 10 GB/s: a head's run in a page is
// 4 KB and stalls at its start. Lost: horizontal sums a key; prefetch one or four blocks ahead.
#pragma once

#include <cstdint>
#include <cstring>

#include "backend/cpu/kernels/attention_float_body.h"
#include "backend/cpu/kernels/attention_kernel.h"

namespace zhibi::cpu {

template <class V, class Products>
struct AttentionTile {
  using F = typename V::F;
  static constexpr int kW = V::kWidth;
  static constexpr int kScoreVectors = kKeyBlock / kW;
  static constexpr float kNone = -__builtin_inff();

  struct Query {
    std::int64_t low, high;  // visible positions [low, high)
    float largest, sum;      // of the chunk
    float total_largest, total_sum;
    bool seen;  // the chunk has a visible key
  };

  Products products;
  alignas(64) float scores[kMaxTileQueries * kKeyBlock];  // then weights
  alignas(64) float buffers[2][kMaxTileOutput];
  float* chunk = buffers[0];           // outputs of the chunk, [count][out_stride]
  float* total = buffers[1];           // outputs of the chunks before it
  float corrections[kMaxTileQueries];  // factors of the chunk's outputs for the current block
  Query queries[kMaxTileQueries];
  const std::byte* key_rows[kKeyBlock];
  const std::byte* value_rows[kKeyBlock];
  int count = 0;
  int out_stride = 0;       // value_dim rounded up to whole passes
  bool fresh = true;        // the chunk has no block yet: its outputs are garbage
  bool first_chunk = true;  // the total has no chunk yet: its outputs are garbage

  static int OutStride(int value_dim) {
    constexpr int kPass = Products::kOutVectors * kW;
    return (value_dim + kPass - 1) / kPass * kPass;
  }

  // Addresses of the block's keys and values; nullptr at and beyond `limit` and without a page.
  void Locate(const AttentionCall& call, const std::int32_t* pages, std::int64_t kv_head,
              std::int64_t first, std::int64_t limit) {
    const std::int64_t size = call.type == KvType::kF32 ? 4 : 2;
    for (int i = 0; i < kKeyBlock;) {
      const std::int64_t position = first + i;
      const std::int64_t index = position / call.page_tokens;
      std::int64_t slot = position % call.page_tokens;
      const bool there = position < limit && index < call.table_cols && pages[index] >= 0;
      if (!there) {
        key_rows[i] = nullptr;
        value_rows[i] = nullptr;
        ++i;
        continue;
      }
      const std::byte* page = call.cache + pages[index] * call.page_bytes;
      const std::int64_t head_row = kv_head * call.page_tokens;
      for (; slot < call.page_tokens && i < kKeyBlock && first + i < limit; ++slot, ++i) {
        key_rows[i] = page + (head_row + slot) * call.head_dim * size;
        value_rows[i] = page + call.value_offset + (head_row + slot) * call.value_dim * size;
      }
    }
  }

  template <int kQueries>
  void ScoreRest(int first, int n, int head_dim) {
    if (n == kQueries) {
      products.template ScoreTile<kQueries>(first, head_dim, scores);
    } else if constexpr (kQueries > 1) {
      ScoreRest<kQueries - 1>(first, n, head_dim);
    }
  }

  void Score(int head_dim) {
    int i = 0;
    for (; i + V::kScoreQueries <= count; i += V::kScoreQueries) {
      products.template ScoreTile<V::kScoreQueries>(i, head_dim, scores);
    }
    if (i < count) ScoreRest<V::kScoreQueries>(i, count - i, head_dim);
  }

  // Scores of a query become weights; one body for all callers, so that all round alike.
  [[gnu::noinline]] void Weigh(const AttentionCall& call, int index, std::int64_t first) {
    Query& query = queries[index];
    float* row = scores + index * kKeyBlock;
    const std::int64_t from = query.low - first;
    const std::int64_t to = query.high - first;
    const int begin = static_cast<int>(from < 0 ? 0 : from);
    const int end = static_cast<int>(to > kKeyBlock ? kKeyBlock : to);
    corrections[index] = 1;
    if (begin >= end) {
      std::memset(row, 0, kKeyBlock * sizeof(float));
      return;
    }
    F s[kScoreVectors];
    F largest = V::Set1(kNone);
    const bool whole = begin == 0 && end == kKeyBlock;
    for (int v = 0; v < kScoreVectors; ++v) {
      s[v] = V::Mul(V::Load(row + v * kW), V::Set1(call.scale));
      if (call.softcap > 0) {
        s[v] = V::Mul(V::Set1(call.softcap), V::Tanh(V::Div(s[v], V::Set1(call.softcap))));
      }
      if (!whole) s[v] = V::Keep(s[v], begin - v * kW, end - v * kW, kNone);
      largest = V::Max(largest, s[v]);
    }
    // Without a new largest score the correction is exp(0), which is exactly 1.
    const float block_largest = V::Largest(largest);
    if (!(block_largest <= query.largest)) {
      corrections[index] = V::Lane0(V::Exp(V::Set1(query.largest - block_largest)));
      query.largest = block_largest;
    }
    const F now = V::Set1(query.largest);
    F sum = V::Zero();
    for (int v = 0; v < kScoreVectors; ++v) {
      s[v] = V::Exp(V::Sub(s[v], now));
      if (!whole) s[v] = V::Keep(s[v], begin - v * kW, end - v * kW, 0);
      sum = V::Add(sum, s[v]);
    }
    Products::StoreWeights(row, s);
    query.sum =
        V::Lane0(V::Fma(V::Set1(query.sum), V::Set1(corrections[index]), V::Set1(V::Sum(sum))));
    query.seen = true;
  }

  template <int kQueries>
  void OutputSome(int first, int keys_used) {
    products.template OutputTile<kQueries>(first, keys_used, out_stride, scores, corrections, fresh,
                                           chunk);
  }

  template <int kQueries>
  void OutputRest(int first, int n, int keys_used) {
    if (n == kQueries) {
      OutputSome<kQueries>(first, keys_used);
    } else if constexpr (kQueries > 1) {
      OutputRest<kQueries - 1>(first, n, keys_used);
    }
  }

  void Output(int keys_used) {
    int i = 0;
    for (; i + V::kOutputQueries <= count; i += V::kOutputQueries) {
      OutputSome<V::kOutputQueries>(i, keys_used);
    }
    if (i < count) OutputRest<V::kOutputQueries>(i, count - i, keys_used);
  }

  // total and chunk are states (largest, sum, output [n]); total becomes the state of both.
  [[gnu::noinline]] static void Merge(float& total_largest, float& total_sum, float* total_out,
                                      float largest, float sum, const float* out, int n) {
    if (total_sum == 0) {  // nothing yet: the state is the chunk's
      total_largest = largest;
      total_sum = sum;
      for (int i = 0; i < n; ++i) total_out[i] = out[i];
      return;
    }
    const float now = largest > total_largest ? largest : total_largest;
    const float a = V::Lane0(V::Exp(V::Set1(total_largest - now)));
    const float b = V::Lane0(V::Exp(V::Set1(largest - now)));
    total_sum = V::Lane0(V::Fma(V::Set1(total_sum), V::Set1(a), V::Set1(sum * b)));
    total_largest = now;
    for (int i = 0; i < n; i += kW) {
      const int lanes = n - i < kW ? n - i : kW;
      const F scaled = V::Mul(V::LoadN(out + i, lanes), V::Set1(b));
      V::StoreN(total_out + i, V::Fma(V::LoadN(total_out + i, lanes), V::Set1(a), scaled), lanes);
    }
  }

  void StartChunk() {
    for (int i = 0; i < count; ++i) {
      queries[i].largest = kNone;
      queries[i].sum = 0;
      queries[i].seen = false;
    }
    fresh = true;
  }

  // Merges the chunk into the total; the first one becomes the total.
  void FinishChunk(int value_dim) {
    if (first_chunk) {
      float* swapped = total;
      total = chunk;
      chunk = swapped;
      for (int i = 0; i < count; ++i) {
        queries[i].total_largest = queries[i].largest;
        queries[i].total_sum = queries[i].sum;
      }
      first_chunk = false;
      return;
    }
    for (int i = 0; i < count; ++i) {
      Query& query = queries[i];
      if (!query.seen) continue;
      Merge(query.total_largest, query.total_sum, total + i * out_stride, query.largest, query.sum,
            chunk + i * out_stride, value_dim);
    }
  }

  // All blocks of positions [begin, end); begin is a multiple of the block.
  void RunBlocks(const AttentionCall& call, const std::int32_t* pages, std::int64_t kv_head,
                 std::int64_t begin, std::int64_t end) {
    for (std::int64_t first = begin; first < end; first += kKeyBlock) {
      const std::int64_t limit = end < first + kKeyBlock ? end : first + kKeyBlock;
      Locate(call, pages, kv_head, first, limit);
      products.Widen(call.type, key_rows, value_rows, call.head_dim, call.value_dim, out_stride);
      Score(call.head_dim);
      for (int i = 0; i < count; ++i) Weigh(call, i, first);
      Output(static_cast<int>(limit - first));
      fresh = false;
    }
  }

  // Queries of rows [row_begin, row_end), which belong to one sequence.
  void Collect(const AttentionCall& call, std::int64_t row_begin, std::int64_t row_end,
               std::int64_t head_begin, std::int64_t head_end) {
    count = 0;
    const std::int64_t capacity = call.table_cols * call.page_tokens;
    for (std::int64_t row = row_begin; row < row_end; ++row) {
      const std::int64_t position = call.positions[row];
      std::int64_t high = call.cross ? call.seq_lens[call.row_seq[row]] : position + 1;
      if (high > capacity) high = capacity;
      std::int64_t low = 0;
      if (!call.cross && call.window > 0 && position + 1 > call.window) {
        low = position + 1 - call.window;
      }
      for (std::int64_t head = head_begin; head < head_end; ++head, ++count) {
        Query& query = queries[count];
        products.SetQuery(count, call.q + (row * call.heads + head) * call.head_dim, call.head_dim);
        query.low = low;
        query.high = high;
        query.total_largest = kNone;
        query.total_sum = 0;
      }
    }
  }

  // Rows of one sequence against all their keys; the result goes to dst.
  void RunRows(const AttentionCall& call, std::int64_t row_begin, std::int64_t row_end,
               std::int64_t kv_head, std::int64_t head_begin, std::int64_t head_end) {
    Collect(call, row_begin, row_end, head_begin, head_end);
    std::int64_t low = queries[0].low;
    std::int64_t high = queries[0].high;
    for (int i = 1; i < count; ++i) {
      if (queries[i].low < low) low = queries[i].low;
      if (queries[i].high > high) high = queries[i].high;
    }
    const std::int32_t* pages = call.page_table + call.row_seq[row_begin] * call.table_cols;
    first_chunk = true;
    for (std::int64_t at = low / kKeyBlock * kKeyBlock; at < high;) {
      const std::int64_t next = (at / kKeyChunk + 1) * kKeyChunk;
      StartChunk();
      RunBlocks(call, pages, kv_head, at, next < high ? next : high);
      FinishChunk(call.value_dim);
      at = next;
    }
    int index = 0;
    for (std::int64_t row = row_begin; row < row_end; ++row) {
      for (std::int64_t head = head_begin; head < head_end; ++head, ++index) {
        Finish(queries[index].total_sum, total + index * out_stride, call.value_dim,
               call.dst + (row * call.heads + head) * call.value_dim);
      }
    }
  }

  [[gnu::noinline]] static void Finish(float sum, const float* out, int n, float* dst) {
    if (sum == 0) {  // no visible key
      std::memset(dst, 0, static_cast<std::size_t>(n) * sizeof(float));
      return;
    }
    const F divisor = V::Set1(sum);
    for (int i = 0; i < n; i += kW) {
      const int lanes = n - i < kW ? n - i : kW;
      V::StoreN(dst + i, V::Div(V::LoadN(out + i, lanes), divisor), lanes);
    }
  }

  void Run(const AttentionCall& call, std::int64_t index) {
    out_stride = OutStride(call.value_dim);
    if (out_stride != call.value_dim) products.Clear(out_stride);
    std::int64_t chunk_index = 0;
    if (call.split_chunks > 0) {
      chunk_index = index % call.split_chunks;
      index /= call.split_chunks;
    }
    const std::int64_t group = call.heads / call.kv_heads;
    const std::int64_t head_tile = index % call.head_tiles;
    const std::int64_t kv_head = index / call.head_tiles % call.kv_heads;
    const std::int64_t row_begin = index / call.head_tiles / call.kv_heads * call.tile_rows;
    const std::int64_t head_begin = kv_head * group + head_tile * call.tile_heads;
    std::int64_t head_end = head_begin + call.tile_heads;
    if (head_end > (kv_head + 1) * group) head_end = (kv_head + 1) * group;
    if (call.split_chunks > 0) {
      RunChunk(call, row_begin, kv_head, head_begin, head_end, chunk_index);
      return;
    }
    std::int64_t row_end = row_begin + call.tile_rows;
    if (row_end > call.rows) row_end = call.rows;
    for (std::int64_t row = row_begin; row < row_end;) {
      std::int64_t next = row + 1;
      while (next < row_end && call.row_seq[next] == call.row_seq[row]) ++next;
      const bool known = call.row_seq[row] >= 0 && call.row_seq[row] < call.seqs;
      if (known) {
        RunRows(call, row, next, kv_head, head_begin, head_end);
      } else {
        for (std::int64_t r = row; r < next; ++r) {
          std::memset(
              call.dst + (r * call.heads + head_begin) * call.value_dim, 0,
              static_cast<std::size_t>((head_end - head_begin) * call.value_dim) * sizeof(float));
        }
      }
      row = next;
    }
  }

  static float* Partial(const AttentionCall& call, std::int64_t row, std::int64_t head,
                        std::int64_t chunk_index) {
    return call.partial +
           ((row * call.heads + head) * call.split_chunks + chunk_index) * (2 + call.value_dim);
  }

  // One chunk of one row; an unseen chunk has the sum 0.
  void RunChunk(const AttentionCall& call, std::int64_t row, std::int64_t kv_head,
                std::int64_t head_begin, std::int64_t head_end, std::int64_t chunk_index) {
    const bool known = call.row_seq[row] >= 0 && call.row_seq[row] < call.seqs;
    count = 0;
    if (known) {
      Collect(call, row, row + 1, head_begin, head_end);
      std::int64_t begin = chunk_index * kKeyChunk;
      std::int64_t end = begin + kKeyChunk;
      if (queries[0].low > begin) begin = queries[0].low / kKeyBlock * kKeyBlock;
      if (queries[0].high < end) end = queries[0].high;
      StartChunk();
      const std::int32_t* pages = call.page_table + call.row_seq[row] * call.table_cols;
      if (begin < end) RunBlocks(call, pages, kv_head, begin, end);
    }
    for (std::int64_t head = head_begin; head < head_end; ++head) {
      float* partial = Partial(call, row, head, chunk_index);
      const auto i = static_cast<int>(head - head_begin);
      const bool seen = known && queries[i].seen;
      partial[0] = seen ? queries[i].largest : kNone;
      partial[1] = seen ? queries[i].sum : 0;
      if (seen) {
        std::memcpy(partial + 2, chunk + i * out_stride,
                    static_cast<std::size_t>(call.value_dim) * sizeof(float));
      }
    }
  }

  static void MergeRow(const AttentionCall& call, std::int64_t row) {
    alignas(64) float out[kMaxAttentionDim];
    for (std::int64_t head = 0; head < call.heads; ++head) {
      float largest = kNone;
      float sum = 0;
      std::memset(out, 0, sizeof(out));
      for (std::int64_t c = 0; c < call.split_chunks; ++c) {
        const float* partial = Partial(call, row, head, c);
        if (partial[1] == 0) continue;
        Merge(largest, sum, out, partial[0], partial[1], partial + 2, call.value_dim);
      }
      Finish(sum, out, call.value_dim, call.dst + (row * call.heads + head) * call.value_dim);
    }
  }
};

template <class V, class Products>
void RunAttentionTile(const AttentionCall& call, std::int64_t tile) {
  // On the stack: about 110 KB, of which small heads touch little.
  AttentionTile<V, Products> state;
  state.Run(call, tile);
}

template <class V, class Products>
void MergeAttentionRow(const AttentionCall& call, std::int64_t row) {
  AttentionTile<V, Products>::MergeRow(call, row);
}

}  // namespace zhibi::cpu
