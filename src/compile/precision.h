// SPDX-License-Identifier: Apache-2.0
// Precisions that a build can be asked for, and what each means for matrices, the embedding and
// head, and the cache. Values.
#pragma once

#include <cstdint>
#include <string_view>

#include "quant/format.h"
#include "zhibi/status.h"

namespace zhibi::compile {

enum class Precision : std::uint8_t { kF32, kF16, kBF16, kI8, kI4 };

// "fp32", "fp16", "bf16", "int8", "int4".
std::string_view PrecisionName(Precision precision);
// kInvalidArgument lists the accepted words.
Result<Precision> ParsePrecision(std::string_view text);

// Format of the matrices of the layers.
quant::WeightFormat MatrixFormat(Precision precision);
// Format of embedding and head. int4 keeps them at int8: they decide every token, are a small part
// of the bytes, and 4 bits cost them the most accuracy.
quant::WeightFormat EdgeFormat(Precision precision);
// Elements of the KV cache. fp32 keeps float. bf16 follows the weights. All others take f16: eight
// times finer than bf16 in the same bytes, and keys and values of every supported family stay
// orders of magnitude below its largest number (Qwen2.5, with its outliers in K, below 1e3).
DType CacheDType(Precision precision);

}  // namespace zhibi::compile
