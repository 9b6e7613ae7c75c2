// SPDX-License-Identifier: Apache-2.0
// The kernels that work row by row (norms, RoPE and cache writes, embedding, elementwise), as their
// instruction-set specific parts see them. Raw pointers and plain types only (design.md §7.12).
// Every function handles rows [begin, end) (elements for the elementwise ones) and computes each by
// the same instructions whatever the range: results do not depend on how the work is cut. All are
// bound by memory.
#pragma once

#include <cstddef>
#include <cstdint>

#include "backend/cpu/kernels/linear_kernel.h"

namespace zhibi::cpu {

enum class ElementType : std::int32_t { kF32, kF16, kBF16, kI8, kI4 };
enum class BinaryOp : std::int32_t { kAdd, kSub, kMul, kDiv };

struct NormCall {
  const float* x = nullptr;         // [rows, width]
  const float* residual = nullptr;  // add_rms_norm
  const float* weight = nullptr;    // [width]
  const float* bias = nullptr;      // layer_norm; may be nullptr
  float* sum = nullptr;             // add_rms_norm: x + residual
  float* dst = nullptr;
  std::int64_t width = 0;
  float eps = 0;
};

struct PointCall {
  const float* a = nullptr;
  const float* b = nullptr;  // binary and two-operand gated
  float* dst = nullptr;
  std::int64_t period = 0;  // binary: b repeats after so many elements (1: one element)
  LinearActivation activation = LinearActivation::kNone;
  BinaryOp binary = BinaryOp::kAdd;
  std::int64_t width = 0;  // softmax
  float scale = 1;         // softmax
};

// Where rows of a paged cache go.
struct CacheTarget {
  std::byte* base = nullptr;  // of the layer, in page 0
  std::int64_t page_bytes = 0;
  std::int64_t page_tokens = 0;
  std::int64_t value_offset = 0;
  ElementType type = ElementType::kF32;
  const std::int32_t* page_table = nullptr;  // [seqs, table_cols]
  std::int64_t seqs = 0;
  std::int64_t table_cols = 0;
  std::int32_t kv_heads = 0;
  std::int32_t head_dim = 0;
  std::int32_t value_dim = 0;
};

inline constexpr int kMaxRopeDim = 1024;

struct RopeCall {
  const float* x = nullptr;  // [rows, x_stride]; qkv_rope_cache: q, k and v heads
  std::int64_t x_stride = 0;
  float* dst = nullptr;  // [rows, heads * head_dim]
  const std::int32_t* positions = nullptr;
  const std::int32_t* row_seq = nullptr;
  const float* inv_freq = nullptr;
  const float* q_norm = nullptr;  // [head_dim] or nullptr
  const float* k_norm = nullptr;
  const float* k = nullptr;  // cache_write: [rows, kv_heads * head_dim]
  const float* v = nullptr;  // cache_write: [rows, kv_heads * value_dim]
  CacheTarget cache;
  std::int32_t heads = 0;  // that go to dst
  std::int32_t head_dim = 0;
  std::int32_t rotary_dim = 0;
  bool interleaved = false;
  float factor = 1;
  float eps = 0;
};

struct EmbeddingCall {
  const std::int32_t* ids = nullptr;
  const std::byte* table = nullptr;  // backend/row_major.h
  std::int64_t row_bytes = 0;
  std::int64_t scales_offset = 0;
  std::int64_t scale_row_bytes = 0;
  std::int64_t vocab = 0;
  std::int64_t hidden = 0;
  ElementType type = ElementType::kF32;
  float scale = 1;
  float* dst = nullptr;
};

struct RowKernels {
  void (*rms_norm)(const NormCall&, std::int64_t begin, std::int64_t end);
  void (*add_rms_norm)(const NormCall&, std::int64_t begin, std::int64_t end);
  void (*layer_norm)(const NormCall&, std::int64_t begin, std::int64_t end);
  void (*unary)(const PointCall&, std::int64_t begin, std::int64_t end);
  void (*binary)(const PointCall&, std::int64_t begin, std::int64_t end);
  void (*gated)(const PointCall&, std::int64_t begin, std::int64_t end);
  void (*softmax)(const PointCall&, std::int64_t begin, std::int64_t end);
  void (*rope)(const RopeCall&, std::int64_t begin, std::int64_t end);
  void (*cache_write)(const RopeCall&, std::int64_t begin, std::int64_t end);
  void (*qkv_rope_cache)(const RopeCall&, std::int64_t begin, std::int64_t end);
  void (*embedding)(const EmbeddingCall&, std::int64_t begin, std::int64_t end);
};

const RowKernels& RowKernelsScalar();
const RowKernels& RowKernelsAvx2();
const RowKernels& RowKernelsAvx512();

}  // namespace zhibi::cpu
