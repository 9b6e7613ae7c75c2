// SPDX-License-Identifier: Apache-2.0
// Gated activation: dst[r,i] = activation(gate[r,i]) * up[r,i] (Shazeer 2020).
// src: x f32 [rows, 2n] with gate and up interleaved (g0 u0 g1 u1 ...) or gate f32 [rows, n] and up
// f32 [rows, n]; dst: f32 [rows, n].
#pragma once

#include "graph/op.h"
#include "graph/ops/activation.h"

namespace zhibi::graph {

struct GatedAttrs {
  Activation activation = Activation::kSilu;
};
extern const OpDef kOp_gated;

}  // namespace zhibi::graph
