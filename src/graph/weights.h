// SPDX-License-Identifier: Apache-2.0
// Weights stay logical until the last pass (design.md §7.8): a name, a shape, the parts of a merge
// and the axis that sharding or experts would cut. The bytes come from a WeightSource (import
// implements it over mapped safetensors).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "quant/format.h"
#include "zhibi/status.h"
#include "zhibi/types.h"

namespace zhibi::graph {

// A tensor as a checkpoint stores it; views into memory that the source keeps alive.
struct StoredTensor {
  DType dtype = DType::kF32;  // kF32, kF16, kBF16, or kI8 with row_scales
  std::vector<std::int64_t> shape;
  std::span<const std::byte> bytes;   // row-major
  std::span<const float> row_scales;  // for kI8: one per row of axis 0, else empty
};

class WeightSource {
 public:
  virtual ~WeightSource() = default;
  // kNotFound names the tensor and the file(s) searched. Thread-safe.
  virtual Result<StoredTensor> Find(std::string_view name) const = 0;
  virtual bool Contains(std::string_view name) const = 0;
};

// A part of a (possibly merged) weight: the rows [row_begin, row_begin + rows) of one stored
// tensor.
struct WeightPart {
  std::string tensor;
  std::int64_t row_begin = 0;
  std::int64_t rows = 0;
};

enum class WeightRole : std::uint8_t { kMatrix, kEmbedding, kHead, kVector, kTable };

struct Weight {
  std::string name;  // "model.layers.3.mlp.gate_up_proj"
  std::vector<std::int64_t>
      shape;  // [rows, cols] or [n]; the concatenation of its parts along axis 0
  std::vector<WeightPart> parts;  // at least one, unless `constant` holds the values
  std::vector<float>
      constant;  // values made by the compiler (inverse frequencies, folded constants)
  // Rows of gate and up take turns (g0 u0 g1 u1 ...) where a merge interleaves two parts of equal
  // size.
  bool interleave = false;
  bool transpose = false;  // stored [cols, rows] (GPT-2 Conv1D)
  WeightRole role = WeightRole::kMatrix;
  quant::WeightFormat format;  // set by the precision pass
  float add = 0;               // added to each element when read (Gemma-like 1 + w); 0 for most
};

// Reads rows [row_begin, row_begin + rows) of a logical weight as float, row-major. Merges,
// interleaving, transposition and int8 sources are resolved here, so that no packer knows them.
// Messages name weight and tensor.
Status ReadWeightF32(const Weight& weight, const WeightSource& source, std::int64_t row_begin,
                     std::int64_t rows, std::span<float> dst);
// True when every part is stored as int8 with row scales and no transpose/add applies; then
// ReadWeightI8 gives the stored integers and scales unchanged.
bool IsStoredI8(const Weight& weight, const WeightSource& source);
Status ReadWeightI8(const Weight& weight, const WeightSource& source, std::int64_t row_begin,
                    std::int64_t rows, std::span<std::int8_t> dst, std::span<float> row_scales);

}  // namespace zhibi::graph
