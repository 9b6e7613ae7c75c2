// SPDX-License-Identifier: Apache-2.0
// attention for one instruction set: attention_body.h on the vectors of vec_avx512.h.
#include "backend/cpu/kernels/attention_body.h"
#include "backend/cpu/kernels/attention_dot_avx512.h"
#include "backend/cpu/kernels/vec_avx512.h"

namespace zhibi::cpu {

const AttentionKernel& AttentionAvx512() {
  static constexpr AttentionKernel kKernel{&RunAttentionTile<Vec, FloatProducts<Vec>>,
                                           &MergeAttentionRow<Vec, FloatProducts<Vec>>};
  return kKernel;
}

const AttentionKernel& AttentionAvx512BF16() {
  static constexpr AttentionKernel kKernel{&RunAttentionTile<Vec, DotProducts>,
                                           &MergeAttentionRow<Vec, DotProducts>};
  return kKernel;
}

}  // namespace zhibi::cpu
