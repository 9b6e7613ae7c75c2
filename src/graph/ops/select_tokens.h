// SPDX-License-Identifier: Apache-2.0
// Token ids of a step: dst[i] = token_source[i] < 0 ? host_ids[i] :
// previous_samples[token_source[i]]. src: host_ids i32 [tokens], token_source i32 [tokens],
// previous_samples i32 [previous_rows]; dst: i32 [tokens].
#pragma once

#include "graph/op.h"

namespace zhibi::graph {

struct SelectTokensAttrs {
  std::int32_t reserved = 0;
};
extern const OpDef kOp_select_tokens;

}  // namespace zhibi::graph
