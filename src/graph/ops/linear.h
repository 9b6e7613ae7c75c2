// SPDX-License-Identifier: Apache-2.0
// dst = epilogue(x * W^T): the matrix product of every projection.
// src: x f32 [..., K], W weight [N, K] (any quant::WeightFormat), bias [N] or absent, residual f32
// [..., N] or absent. dst: f32 [..., N]; with `gated` f32 [..., N/2], W holding gate and up rows in
// turns. Epilogue: v = acc (+ bias); gated ? activation(v[2i]) * v[2i+1] : activation(v); (+
// residual). Integer kernels quantise x per row to int8 (absmax / 127, round half to even)
// themselves.
#pragma once

#include "graph/op.h"
#include "graph/ops/activation.h"

namespace zhibi::graph {

struct LinearAttrs {
  Activation activation = Activation::kNone;
  std::int32_t gated = 0;  // 0 or 1
};
extern const OpDef kOp_linear;

// One row of W (k floats) against all rows of x: the reference without a float copy of the whole
// weight. Rows in ascending order; residual must not share memory with dst when `gated`.
void LinearReferenceRow(const ReferenceArgs& args, std::int64_t row, const float* weight);

}  // namespace zhibi::graph
