// SPDX-License-Identifier: Apache-2.0
// attention on the CPU: cuts the work into tiles and hands them to the kernel of the instruction
// set (attention_body.h). Causal and cross attention over a paged cache; packed operands and
// relative bias (encoders, T5) are the reference's.
//
// Two entries of one kernel, equal bit for bit: `_split` for few rows cuts long contexts also along
// the chunks of 256 positions and merges them in order, the other one keeps a row's chunks in one
// tile.
#include "graph/ops/attention.h"

#include <algorithm>
#include <array>
#include <string>

#include "backend/backend.h"
#include "backend/cpu/kernel_list.h"
#include "backend/cpu/kernels/attention_kernel.h"

namespace zhibi::cpu {
namespace {

using backend::KernelEntry;
using backend::LaunchArgs;
using backend::OpQuery;
using base::CpuLevel;

constexpr std::int64_t kMaxSplitRows = 8;
// Largest page that the workspace of a split is sized for; a launch with larger ones does not
// split.
constexpr std::int64_t kMaxSplitPageTokens = 64;

std::int64_t CeilDiv(std::int64_t a, std::int64_t b) { return (a + b - 1) / b; }

enum class Variant { kScalar, kAvx2, kAvx512, kAvx512BF16 };

const AttentionKernel& KernelOf(Variant variant) {
#if defined(__x86_64__)
  if (variant == Variant::kAvx512BF16) return AttentionAvx512BF16();
  if (variant == Variant::kAvx512) return AttentionAvx512();
  if (variant == Variant::kAvx2) return AttentionAvx2();
#endif
  static_cast<void>(variant);
  return AttentionScalar();
}

std::int64_t SplitChunks(std::int64_t table_cols, std::int64_t page_tokens) {
  return CeilDiv(table_cols * page_tokens, kKeyChunk);
}

AttentionCall CallOf(const LaunchArgs& args) {
  const auto& a = *static_cast<const graph::AttentionAttrs*>(args.attrs);
  const graph::CacheView& cache = args.caches[a.group];
  AttentionCall call;
  call.q = args.src[0].as<const float>();
  call.dst = args.dst[0].as<float>();
  call.positions = args.src[3].as<const std::int32_t>();
  call.row_seq = args.src[4].as<const std::int32_t>();
  call.seq_lens = args.src[6].as<const std::int32_t>();
  call.page_table = args.src[7].as<const std::int32_t>();
  call.rows = args.src[0].dims[0];
  call.seqs = args.src[7].dims[0];
  call.table_cols = args.src[7].dims[1];
  call.cache = cache.base + a.layer * cache.layer_bytes;
  call.page_bytes = cache.page_bytes;
  call.page_tokens = cache.page_tokens;
  call.type = cache.dtype == DType::kF32   ? KvType::kF32
              : cache.dtype == DType::kF16 ? KvType::kF16
                                           : KvType::kBF16;
  call.value_offset =
      std::int64_t{a.kv_heads} * cache.page_tokens * a.head_dim * DTypeBits(cache.dtype) / 8;
  call.cross = a.kind == graph::AttentionKind::kCross;
  call.heads = a.heads;
  call.kv_heads = a.kv_heads;
  call.head_dim = a.head_dim;
  call.value_dim = a.value_dim;
  call.window = a.window;
  call.scale = a.scale;
  call.softcap = a.softcap;
  return call;
}

// Queries of a tile: at most kMaxTileQueries, their padded outputs at most kMaxTileOutput floats.
std::int64_t TileQueries(std::int32_t value_dim) {
  constexpr std::int64_t kPad = 64;  // kOutVectors * 16 lanes, the widest
  return std::clamp<std::int64_t>(kMaxTileOutput / (CeilDiv(value_dim, kPad) * kPad), 1,
                                  kMaxTileQueries);
}

// Largest visible position + 1 of the step's rows, within the page table.
std::int64_t LargestContext(const AttentionCall& call) {
  std::int64_t largest = 0;
  for (std::int64_t row = 0; row < call.rows; ++row) {
    const std::int32_t seq = call.row_seq[row];
    if (seq < 0 || seq >= call.seqs) continue;
    const std::int64_t high = call.cross ? call.seq_lens[seq] : call.positions[row] + 1;
    largest = std::max(largest, high);
  }
  return std::min(largest, call.table_cols * call.page_tokens);
}

struct Job {
  const AttentionCall* call;
  const AttentionKernel* kernel;

  static void Tile(void* context, std::int64_t tile, int /*worker*/) {
    const auto& job = *static_cast<const Job*>(context);
    job.kernel->tile(*job.call, tile);
  }
  static void Merge(void* context, std::int64_t row, int /*worker*/) {
    const auto& job = *static_cast<const Job*>(context);
    job.kernel->merge(*job.call, row);
  }
};

void RunTiles(const LaunchArgs& args, std::int64_t tiles, backend::TileFunction function,
              Job* job) {
  if (tiles == 1) {
    function(job, 0, 0);
  } else {
    args.stream->RunTiles(tiles, function, job);
  }
}

void LaunchAttention(const LaunchArgs& args, Variant variant, bool may_split) {
  AttentionCall call = CallOf(args);
  if (call.rows == 0) return;
  const AttentionKernel& kernel = KernelOf(variant);
  Job job{&call, &kernel};
  const std::int64_t group = call.heads / call.kv_heads;
  const std::int64_t queries = TileQueries(call.value_dim);
  const std::int64_t heads = std::min(group, queries);
  call.tile_heads = static_cast<std::int32_t>(heads);
  call.head_tiles = static_cast<std::int32_t>(CeilDiv(group, heads));
  const std::int64_t head_tiles = std::int64_t{call.kv_heads} * call.head_tiles;
  const int workers = args.stream->workers();
  // Fewer rows a tile while workers would starve.
  const std::int64_t most = std::max<std::int64_t>(1, queries / heads);
  call.tile_rows = std::clamp<std::int64_t>(call.rows * head_tiles / (4 * workers), 1, most);
  const std::int64_t chunks = CeilDiv(LargestContext(call), kKeyChunk);
  const bool split = may_split && workers > 1 && chunks > 1 && call.rows <= kMaxSplitRows &&
                     call.page_tokens <= kMaxSplitPageTokens &&
                     call.rows * head_tiles < 4 * workers;
  if (!split) {
    RunTiles(args, CeilDiv(call.rows, call.tile_rows) * head_tiles, &Job::Tile, &job);
    return;
  }
  call.tile_rows = 1;
  call.split_chunks = chunks;
  call.partial = reinterpret_cast<float*>(args.workspace);
  RunTiles(args, call.rows * head_tiles * chunks, &Job::Tile, &job);
  for (std::int64_t row = 0; row < call.rows; ++row) Job::Merge(&job, row, 0);
}

template <Variant kVariant, bool kSplit>
void Launch(const LaunchArgs& args) {
  LaunchAttention(args, kVariant, kSplit);
}

// Whether the variant reads caches of the type; at one level exactly one does, so that entries
// agree bit for bit.
enum class CacheTypes { kAny, kBF16, kNotBF16 };

template <CacheTypes kTypes, bool kSplit>
std::string Supports(const OpQuery& query) {
  const auto a = query.attrs->As<graph::AttentionAttrs>();
  if (a.group < 0) return "packed keys and values are the reference's";
  if (a.bias_buckets > 0) return "relative bias is the reference's";
  if (a.head_dim > kMaxAttentionDim || a.value_dim > kMaxAttentionDim) {
    return "head size over " + std::to_string(kMaxAttentionDim);
  }
  if (query.cache_dtype != DType::kF32 && query.cache_dtype != DType::kF16 &&
      query.cache_dtype != DType::kBF16) {
    return "the cache is f32, f16 or bf16";
  }
  if (kTypes == CacheTypes::kBF16 && query.cache_dtype != DType::kBF16) return "for bf16 caches";
  if (kTypes == CacheTypes::kNotBF16 && query.cache_dtype == DType::kBF16) {
    return "bf16 caches have a kernel of their own";
  }
  if (kSplit && query.max_rows > kMaxSplitRows) {
    return "more than " + std::to_string(kMaxSplitRows) + " rows";
  }
  return {};
}

// Multiply-adds a nanosecond of one thread, as measured (prefill of 512 rows, head size 64).
constexpr double MacsPerNs(Variant variant) {
  switch (variant) {
    case Variant::kAvx512BF16:
      return 120;
    case Variant::kAvx512:
      return 60;
    case Variant::kAvx2:
      return 25;
    case Variant::kScalar:
      return 2;
  }
  return 1;
}

template <Variant kVariant, bool kSplit>
double EstimateUs(const OpQuery& query) {
  const graph::Cost cost = graph::kOp_attention.cost(*query.attrs, query.src, query.dst);
  return 1 + cost.flops / 2 / MacsPerNs(kVariant) / 1000 + (kSplit ? 0 : 0.1);
}

std::size_t SplitWorkspace(const OpQuery& query) {
  const auto a = query.attrs->As<graph::AttentionAttrs>();
  const std::int64_t rows = std::min(query.max_rows, kMaxSplitRows);
  const std::int64_t chunks = SplitChunks(query.src[7].dims[1], kMaxSplitPageTokens);
  const std::int64_t bytes = rows * a.heads * chunks * (2 + a.value_dim) * 4;
  return static_cast<std::size_t>(CeilDiv(bytes, 64) * 64);
}

template <Variant kVariant, CacheTypes kTypes, bool kSplit>
constexpr KernelEntry Entry(std::string_view name) {
  KernelEntry entry;
  entry.name = name;
  entry.op = "attention";
  entry.layout = "row_major";
  entry.row_invariant = true;
  entry.supports = &Supports<kTypes, kSplit>;
  entry.estimate_us = &EstimateUs<kVariant, kSplit>;
  entry.workspace_bytes = kSplit ? &SplitWorkspace : nullptr;
  entry.launch = &Launch<kVariant, kSplit>;
  return entry;
}

template <Variant kVariant, CacheTypes kTypes>
constexpr std::array<KernelEntry, 2> Pair(std::string_view split, std::string_view whole) {
  return {Entry<kVariant, kTypes, true>(split), Entry<kVariant, kTypes, false>(whole)};
}

constexpr auto kScalar =
    Pair<Variant::kScalar, CacheTypes::kAny>("attention_scalar_split", "attention_scalar");
#if defined(__x86_64__)
constexpr auto kAvx2 =
    Pair<Variant::kAvx2, CacheTypes::kAny>("attention_avx2_split", "attention_avx2");
constexpr auto kAvx512 =
    Pair<Variant::kAvx512, CacheTypes::kAny>("attention_avx512_split", "attention_avx512");
constexpr auto kAvx512NotBF16 = Pair<Variant::kAvx512, CacheTypes::kNotBF16>(
    "attention_avx512_float_split", "attention_avx512_float");
constexpr auto kAvx512BF16 = Pair<Variant::kAvx512BF16, CacheTypes::kBF16>(
    "attention_avx512bf16_split", "attention_avx512bf16");
#endif

void Append(const std::array<KernelEntry, 2>& entries, KernelList* list) {
  for (const KernelEntry& entry : entries) list->push_back(&entry);
}

}  // namespace

void AppendKernels_attention(const Isa& isa, KernelList* list) {
#if defined(__x86_64__)
  if (isa.level >= CpuLevel::kAvx512) {
    if (!isa.features.avx512_bf16) return Append(kAvx512, list);
    Append(kAvx512BF16, list);
    return Append(kAvx512NotBF16, list);
  }
  if (isa.level >= CpuLevel::kAvx2) return Append(kAvx2, list);
#endif
  static_cast<void>(isa);
  Append(kScalar, list);
}

}  // namespace zhibi::cpu
