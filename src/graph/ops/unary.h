// SPDX-License-Identifier: Apache-2.0
// dst = activation(x), elementwise. src: x f32 [...]; dst: like x.
#pragma once

#include "graph/op.h"
#include "graph/ops/activation.h"

namespace zhibi::graph {

struct UnaryAttrs {
  Activation activation = Activation::kNone;
};
extern const OpDef kOp_unary;

}  // namespace zhibi::graph
