// SPDX-License-Identifier: Apache-2.0
// dst[r,:] = x[r, begin : begin + size]. src: x f32 [rows, n]; dst: f32 [rows, size].
#pragma once

#include "graph/op.h"

namespace zhibi::graph {

struct SliceColumnsAttrs {
  std::int64_t begin = 0;
  std::int64_t size = 0;
};
extern const OpDef kOp_slice_columns;

}  // namespace zhibi::graph
