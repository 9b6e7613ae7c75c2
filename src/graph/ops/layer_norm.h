// SPDX-License-Identifier: Apache-2.0
// LayerNorm over the last axis: y = (x - mean) / sqrt(var + eps) * weight + bias. Source: Ba et al.
// 2016. src: x f32 [..., n], weight [n], bias [n] or absent; dst: like x.
#pragma once

#include "graph/op.h"

namespace zhibi::graph {

struct LayerNormAttrs {
  float eps = 1e-5F;
};
extern const OpDef kOp_layer_norm;

}  // namespace zhibi::graph
