// SPDX-License-Identifier: Apache-2.0
#include "graph/op_cost.h"

namespace zhibi::graph {

double BytesOf(const TensorView& view) {
  if (view.rank == 0) return 0;
  return static_cast<double>(view.elements()) * DTypeBits(view.dtype) / 8.0;
}

Cost StreamingCost(double flops_per_element, std::span<const TensorView> src,
                   std::span<const TensorView> dst) {
  Cost cost;
  for (const TensorView& view : src) cost.bytes += BytesOf(view);
  for (const TensorView& view : dst) {
    cost.bytes += BytesOf(view);
    if (view.rank > 0) cost.flops += flops_per_element * static_cast<double>(view.elements());
  }
  return cost;
}

}  // namespace zhibi::graph
