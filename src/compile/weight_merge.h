// SPDX-License-Identifier: Apache-2.0
// Merging the weights of projections that read the same rows (passes merge_qkv, merge_gate_up). A
// merge concatenates parts and never touches bytes: the packer reads them from the checkpoint in
// the merged order. One thread at a time.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "compile/rewrite.h"

namespace zhibi::compile {

struct MergedOperands {
  graph::ValueId matrix = graph::ValueId::kNone;
  graph::ValueId bias = graph::ValueId::kNone;
};

// Nothing when the weights cannot be merged: different widths, transposed storage, an added
// constant that differs, a bias on some only. `interleave` needs two of equal size, one part each.
// Biases have one entry a matrix, kNone for absent.
std::optional<MergedOperands> MergeProjections(Rewriter& rewriter,
                                               const std::vector<graph::ValueId>& matrices,
                                               const std::vector<graph::ValueId>& biases,
                                               const std::string& name, bool interleave);

// The same numbers: equal parts, constants and treatment (names and formats may differ).
bool SameWeight(const graph::Weight& a, const graph::Weight& b);

// "model.layers.3.self_attn.q_proj", "qkv_proj" -> "model.layers.3.self_attn.qkv_proj".
std::string MergedName(const std::string& part, const std::string& last);

}  // namespace zhibi::compile
