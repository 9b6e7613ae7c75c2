// SPDX-License-Identifier: Apache-2.0
// rope, cache_write and qkv_rope_cache on the CPU (rope_body.h).
#include "backend/cpu/kernels/row_dispatch.h"
#include "graph/ops/qkv_rope_cache.h"

namespace zhibi::cpu {
namespace {

using backend::LaunchArgs;

static_assert(kMaxRopeDim >= graph::kMaxHeadDim);

constexpr double kNsPerElement = 0.3;

CacheTarget TargetOf(const graph::CacheWriteAttrs& a, const LaunchArgs& args, int page_table) {
  const graph::CacheView& view = args.caches[a.group];
  CacheTarget target;
  target.base = view.base + a.layer * view.layer_bytes;
  target.page_bytes = view.page_bytes;
  target.page_tokens = view.page_tokens;
  target.value_offset =
      std::int64_t{a.kv_heads} * view.page_tokens * a.head_dim * DTypeBits(view.dtype) / 8;
  target.type = ElementTypeOf(view.dtype);
  target.page_table = args.src[page_table].as<const std::int32_t>();
  target.seqs = args.src[page_table].dims[0];
  target.table_cols = args.src[page_table].dims[1];
  target.kv_heads = a.kv_heads;
  target.head_dim = a.head_dim;
  target.value_dim = a.value_dim;
  return target;
}

RopeCall CallOf(const graph::RopeAttrs& a, const LaunchArgs& args) {
  RopeCall call;
  call.x = args.src[0].as<const float>();
  call.x_stride = args.src[0].cols();
  call.positions = args.src[1].as<const std::int32_t>();
  call.inv_freq = args.src[2].as<const float>();
  call.head_dim = a.head_dim;
  call.rotary_dim = a.rotary_dim;
  call.interleaved = a.interleaved != 0;
  call.factor = a.attention_factor;
  return call;
}

void LaunchRope(const LaunchArgs& args, const RowKernels& kernels) {
  const auto& a = *static_cast<const graph::RopeAttrs*>(args.attrs);
  RopeCall call = CallOf(a, args);
  call.dst = args.dst[0].as<float>();
  call.heads = static_cast<std::int32_t>(call.x_stride / a.head_dim);
  RunRows(args, args.src[0].dims[0], kNsPerElement * static_cast<double>(call.x_stride), call,
          kernels.rope);
}

void LaunchCacheWrite(const LaunchArgs& args, const RowKernels& kernels) {
  RopeCall call;
  call.k = args.src[0].as<const float>();
  call.v = args.src[1].as<const float>();
  call.positions = args.src[2].as<const std::int32_t>();
  call.row_seq = args.src[3].as<const std::int32_t>();
  call.cache = TargetOf(*static_cast<const graph::CacheWriteAttrs*>(args.attrs), args, 4);
  RunRows(args, args.src[0].dims[0],
          kNsPerElement * static_cast<double>(args.src[0].cols() + args.src[1].cols()), call,
          kernels.cache_write);
}

void LaunchQkvRopeCache(const LaunchArgs& args, const RowKernels& kernels) {
  const auto& a = *static_cast<const graph::QkvRopeCacheAttrs*>(args.attrs);
  RopeCall call = CallOf(a.rope, args);
  call.dst = args.dst[0].as<float>();
  call.q_norm = args.src[3].as<const float>();
  call.k_norm = args.src[4].as<const float>();
  call.row_seq = args.src[5].as<const std::int32_t>();
  call.cache = TargetOf(a.cache, args, 6);
  call.heads = a.heads;
  call.eps = a.norm_eps;
  RunRows(args, args.src[0].dims[0], kNsPerElement * static_cast<double>(call.x_stride), call,
          kernels.qkv_rope_cache);
}

constexpr RowEntries kRope =
    EntriesOf<&LaunchRope>("rope", "rope_scalar", "rope_avx2", "rope_avx512", &Anything);
constexpr RowEntries kCacheWrite = EntriesOf<&LaunchCacheWrite>(
    "cache_write", "cache_write_scalar", "cache_write_avx2", "cache_write_avx512", &FloatCache);
constexpr RowEntries kQkvRopeCache =
    EntriesOf<&LaunchQkvRopeCache>("qkv_rope_cache", "qkv_rope_cache_scalar", "qkv_rope_cache_avx2",
                                   "qkv_rope_cache_avx512", &FloatCache);

}  // namespace

void AppendKernels_rope_cache(const Isa& isa, KernelList* list) {
  Append(kRope, isa, list);
  Append(kCacheWrite, isa, list);
  Append(kQkvRopeCache, isa, list);
}

}  // namespace zhibi::cpu
