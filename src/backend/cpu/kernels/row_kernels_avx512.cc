// SPDX-License-Identifier: Apache-2.0
// The row-by-row kernels for one instruction set: their bodies on the vectors of vec_avx512.h.
#include "backend/cpu/kernels/embedding_body.h"
#include "backend/cpu/kernels/norm_body.h"
#include "backend/cpu/kernels/point_body.h"
#include "backend/cpu/kernels/rope_body.h"
#include "backend/cpu/kernels/vec_avx512.h"

namespace zhibi::cpu {

const RowKernels& RowKernelsAvx512() {
  static constexpr RowKernels kKernels{
      .rms_norm = &Norms<Vec>::Rms,
      .add_rms_norm = &Norms<Vec>::AddRms,
      .layer_norm = &Norms<Vec>::Layer,
      .unary = &Points<Vec>::Unary,
      .binary = &Points<Vec>::Binary,
      .gated = &Points<Vec>::Gated,
      .softmax = &Points<Vec>::Softmax,
      .rope = &Ropes<Vec>::Rope,
      .cache_write = &Ropes<Vec>::CacheWrite,
      .qkv_rope_cache = &Ropes<Vec>::QkvRopeCache,
      .embedding = &Embeddings<Vec>::Run,
  };
  return kKernels;
}

}  // namespace zhibi::cpu
