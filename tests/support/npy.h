// SPDX-License-Identifier: Apache-2.0
// Reads the .npy files of the goldens (numpy format 1.0, little endian, C order): float32 and
// int64. Thread-safe.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "zhibi/status.h"

namespace zhibi::test {

template <typename T>
struct NpyArray {
  std::vector<std::int64_t> shape;
  std::vector<T> values;
  // Row r of the last axis.
  const T* row(std::int64_t r) const { return values.data() + r * shape.back(); }
};

// kInvalidArgument for another type, order or length than asked for.
Result<NpyArray<float>> ReadNpyF32(const std::string& path);
Result<NpyArray<std::int64_t>> ReadNpyI64(const std::string& path);

}  // namespace zhibi::test
