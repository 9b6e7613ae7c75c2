// SPDX-License-Identifier: Apache-2.0
// attention for one instruction set: attention_body.h on the vectors of vec_scalar.h.
#include "backend/cpu/kernels/attention_body.h"
#include "backend/cpu/kernels/vec_scalar.h"

namespace zhibi::cpu {

const AttentionKernel& AttentionScalar() {
  static constexpr AttentionKernel kKernel{&RunAttentionTile<Vec, FloatProducts<Vec>>,
                                           &MergeAttentionRow<Vec, FloatProducts<Vec>>};
  return kKernel;
}

}  // namespace zhibi::cpu
