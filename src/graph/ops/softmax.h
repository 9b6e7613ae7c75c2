// SPDX-License-Identifier: Apache-2.0
// Softmax over the last axis, in float. src: x f32 [...]; dst: like x. For dense graphs.
#pragma once

#include "graph/op.h"

namespace zhibi::graph {

struct SoftmaxAttrs {
  float scale = 1;  // applied to x first
};
extern const OpDef kOp_softmax;

}  // namespace zhibi::graph
