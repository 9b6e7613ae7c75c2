// SPDX-License-Identifier: Apache-2.0
// dst = a (op) b, elementwise; b has the shape of a, or is a vector over a's last axis, or has one
// element. src: a f32 [...], b f32; dst: like a.
#pragma once

#include "graph/op.h"

namespace zhibi::graph {

enum class BinaryKind : std::int32_t { kAdd, kSub, kMul, kDiv };
struct BinaryAttrs {
  BinaryKind kind = BinaryKind::kAdd;
};
extern const OpDef kOp_binary;

}  // namespace zhibi::graph
