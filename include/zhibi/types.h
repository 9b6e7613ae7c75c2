// SPDX-License-Identifier: Apache-2.0
// Element types of tensors. The numbers are stored in engine files: append only.
#pragma once

#include <cstdint>
#include <string_view>

namespace zhibi {

enum class DType : std::uint8_t {
  kF32 = 0,
  kF16 = 1,
  kBF16 = 2,
  kI8 = 3,
  kU8 = 4,
  kI32 = 5,
  kI64 = 6,
  kBool = 7,  // one byte, 0 or 1
  kI4 = 8,    // two values a byte, low nibble first; only as weights
};

// Bits of one element: 32, 16, 16, 8, 8, 32, 64, 8, 4.
int DTypeBits(DType dtype);
// "f32", "f16", "bf16", "i8", "u8", "i32", "i64", "bool", "i4".
std::string_view DTypeName(DType dtype);

}  // namespace zhibi
