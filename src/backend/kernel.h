// SPDX-License-Identifier: Apache-2.0
// A kernel entry: one way of running one op on one kind of device (design.md §7.7). At build time
// the compiler asks "can you, and how fast?", picks a weight layout first and then, per bucket of
// rows, an entry that reads that layout; at run time only Launch is called. Tables are static and
// immutable; functions are thread-safe.
//
// Order of summation (design.md §7.11): a row_invariant entry computes each output element with an
// order that depends on K and absolute positions only; all entries of an op that share a layout
// give the same bits for the same row.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "graph/op.h"
#include "graph/weights.h"
#include "quant/format.h"
#include "zhibi/status.h"

namespace zhibi::backend {

class Stream;

// Runs tiles on the device's threads; the CPU stream's own. tile indexes 0..tiles-1 are taken
// dynamically.
using TileFunction = void (*)(void* context, std::int64_t tile, int worker);

struct LaunchArgs {
  const void* attrs = nullptr;             // the op's attribute struct
  const graph::TensorView* src = nullptr;  // absent operands have data == nullptr and rank 0
  const graph::TensorView* dst = nullptr;
  std::int32_t num_src = 0;
  std::int32_t num_dst = 0;
  const graph::CacheView* caches = nullptr;  // indexed by cache group
  std::byte* workspace = nullptr;            // 64-byte aligned; WorkspaceBytes at least
  Stream* stream = nullptr;
};

// One node as the compiler asks about it. Sizes are evaluated at the bucket's largest number of
// rows.
struct OpQuery {
  std::string_view op;
  const graph::Attrs* attrs = nullptr;
  std::span<const graph::TensorView> src;  // data is nullptr; rank 0: absent operand
  std::span<const graph::TensorView> dst;
  std::span<const quant::WeightFormat> formats;  // one a source; meaningful for weights
  std::span<const bool> is_weight;               // one a source
  std::int64_t min_rows = 1;                     // the bucket
  std::int64_t max_rows = 1;
  DType cache_dtype = DType::kF32;  // of the cache group that the op names, if any
};

// A logical weight to pack: readers resolve merges, transposition and stored int8
// (graph/weights.h).
struct PackSource {
  const graph::Weight* weight = nullptr;
  const graph::WeightSource* source = nullptr;
};

struct KernelEntry {
  std::string_view
      name;  // "linear_i8_avx512vnni_gemv": kernel, type, instruction set, shape of use
  std::string_view op;
  std::string_view
      layout;  // layout of packed weight operands; "row_major" or a name of the backend's own
  bool row_invariant = true;
  // Empty string: yes. Otherwise the reason, for ZHIBI_LOG=dispatch and inspect.
  std::string (*supports)(const OpQuery&) = nullptr;
  // Microseconds, measured or modelled, at query sizes.
  double (*estimate_us)(const OpQuery&) = nullptr;
  // Bytes of operand `index` in `layout`, a multiple of 64; and the packing. nullptr: row_major in
  // the weight's format (backend/row_major.h): vectors and tables as f32, matrices as stored
  // elements, then scales.
  std::size_t (*packed_bytes)(const OpQuery&, int index) = nullptr;
  Status (*pack)(const OpQuery&, int index, const PackSource&, std::span<std::byte> dst) = nullptr;
  std::size_t (*workspace_bytes)(const OpQuery&) = nullptr;  // nullptr: 0
  void (*launch)(const LaunchArgs&) = nullptr;
};

}  // namespace zhibi::backend
