// SPDX-License-Identifier: Apache-2.0
#include "zhibi/types.h"

namespace zhibi {

int DTypeBits(DType dtype) {
  switch (dtype) {
    case DType::kF32:
    case DType::kI32:
      return 32;
    case DType::kF16:
    case DType::kBF16:
      return 16;
    case DType::kI8:
    case DType::kU8:
    case DType::kBool:
      return 8;
    case DType::kI64:
      return 64;
    case DType::kI4:
      return 4;
  }
  return 0;
}

std::string_view DTypeName(DType dtype) {
  switch (dtype) {
    case DType::kF32:
      return "f32";
    case DType::kF16:
      return "f16";
    case DType::kBF16:
      return "bf16";
    case DType::kI8:
      return "i8";
    case DType::kU8:
      return "u8";
    case DType::kI32:
      return "i32";
    case DType::kI64:
      return "i64";
    case DType::kBool:
      return "bool";
    case DType::kI4:
      return "i4";
  }
  return "unknown";
}

}  // namespace zhibi
