// SPDX-License-Identifier: Apache-2.0
// Pieces of the ops' cost functions: bytes that must move at least. Thread-safe.
#pragma once

#include <span>

#include "graph/op.h"

namespace zhibi::graph {

// Bytes of a tensor; 0 for an absent one.
double BytesOf(const TensorView& view);
// Sources read once, results written once, `flops_per_element` for every element of the results.
Cost StreamingCost(double flops_per_element, std::span<const TensorView> src,
                   std::span<const TensorView> dst);

}  // namespace zhibi::graph
