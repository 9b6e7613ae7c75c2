// SPDX-License-Identifier: Apache-2.0
// Packing of weights into the panels of linear_kernel.h; the same bytes for every instruction set.
// Thread rule: pure functions; different weights may be packed at once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "backend/cpu/kernels/linear_kernel.h"
#include "backend/kernel.h"
#include "quant/format.h"
#include "zhibi/status.h"

namespace zhibi::cpu {

// The format of weights that a kernel format stores.
quant::WeightFormat WeightFormatOf(LinearFormat format);
// "panel32_f32", "panel32_f16", "panel32_bf16", "panel32_i8", "panel32_i4g32".
std::string_view PanelLayoutName(LinearFormat format);

// Bytes of all panels of an [n, k] weight.
std::size_t PackedPanelBytes(LinearFormat format, std::int64_t n, std::int64_t k);

// Packs the whole weight [n, k]; a weight that is stored as int8 with row scales keeps its codes.
// dst: PackedPanelBytes. Errors: those of reading, with the weight's name.
Status PackPanels(LinearFormat format, std::int64_t n, std::int64_t k,
                  const backend::PackSource& source, std::span<std::byte> dst);

// Decodes row `row` of a packed weight [n, k] into k floats: exactly the stored numbers.
void UnpackPanelRow(LinearFormat format, std::int64_t k, const std::byte* packed, std::int64_t row,
                    std::span<float> dst);

}  // namespace zhibi::cpu
