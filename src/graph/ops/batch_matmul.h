// SPDX-License-Identifier: Apache-2.0
// dst[b] = a[b] * (transpose_b ? b[b]^T : b[b]) for dense graphs with a leading batch.
// src: a f32 [..., m, k], b f32 [..., k, n] (or [..., n, k]) with the same leading axes; dst: f32
// [..., m, n].
#pragma once

#include "graph/op.h"

namespace zhibi::graph {

struct BatchMatmulAttrs {
  std::int32_t transpose_b = 0;
};
extern const OpDef kOp_batch_matmul;

}  // namespace zhibi::graph
