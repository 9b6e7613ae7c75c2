// SPDX-License-Identifier: Apache-2.0
// dst[r,:] = x[rows[r],:]. src: x f32 [tokens, n], rows i32 [out_rows]; dst: f32 [out_rows, n].
#pragma once

#include "graph/op.h"

namespace zhibi::graph {

struct GatherRowsAttrs {
  std::int32_t reserved = 0;
};
extern const OpDef kOp_gather_rows;

}  // namespace zhibi::graph
