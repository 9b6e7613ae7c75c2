// SPDX-License-Identifier: Apache-2.0
// Storage formats of weights. A format says what numbers a packed weight holds, never how a kernel
// lays them out (that is the layout of a kernel entry, backend/kernel.h). Stored in engine files:
// append only.
#pragma once

#include <cstdint>

#include "zhibi/types.h"

namespace zhibi::quant {

struct WeightFormat {
  DType dtype = DType::kF32;  // kF32, kF16, kBF16, kI8, kI4
  // Columns that share one scale: 0 is one scale per output row. Only for kI8 and kI4.
  std::int32_t group = 0;
  bool zero_points = false;  // symmetric unless set

  friend bool operator==(const WeightFormat&, const WeightFormat&) = default;
};

}  // namespace zhibi::quant
