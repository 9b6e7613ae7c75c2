// SPDX-License-Identifier: Apache-2.0
// Row look-up: dst[t,:] = table[ids[t],:] * scale. An id outside the table gives a zero row (the
// host checks ids). src: ids i32 [...], table weight [vocab, hidden]; dst: f32 [..., hidden].
#pragma once

#include "graph/op.h"

namespace zhibi::graph {

struct EmbeddingAttrs {
  float scale = 1;
};
extern const OpDef kOp_embedding;

}  // namespace zhibi::graph
