// SPDX-License-Identifier: Apache-2.0
// RMSNorm over groups of the last axis: y = x * rsqrt(mean(x^2) + eps) * weight. Source: Zhang and
// Sennrich 2019, §3. src: x f32 [..., n * width], weight [width]; dst: like x. width 0 means the
// whole last axis; a smaller width normalises each of the n groups by itself with the same weight
// (QK norm over head_dim).
#pragma once

#include "graph/op.h"

namespace zhibi::graph {

struct RmsNormAttrs {
  float eps = 1e-6F;
  std::int32_t width = 0;
};
extern const OpDef kOp_rms_norm;

}  // namespace zhibi::graph
