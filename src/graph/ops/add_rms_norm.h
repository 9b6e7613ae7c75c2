// SPDX-License-Identifier: Apache-2.0
// Residual and norm in one pass: sum = x + residual; y = RMSNorm(sum) * weight.
// src: x f32 [rows, n], residual f32 [rows, n], weight [n]; dst: sum f32 [rows, n], y f32 [rows,
// n]. sum may share memory with x or residual.
#pragma once

#include "graph/op.h"

namespace zhibi::graph {

struct AddRmsNormAttrs {
  float eps = 1e-6F;
};
extern const OpDef kOp_add_rms_norm;

}  // namespace zhibi::graph
