// SPDX-License-Identifier: Apache-2.0
#include "compile/precision.h"

#include <string>

namespace zhibi::compile {
namespace {

constexpr Precision kAll[] = {Precision::kF32, Precision::kF16, Precision::kBF16, Precision::kI8,
                              Precision::kI4};

}  // namespace

std::string_view PrecisionName(Precision precision) {
  switch (precision) {
    case Precision::kF32:
      return "fp32";
    case Precision::kF16:
      return "fp16";
    case Precision::kBF16:
      return "bf16";
    case Precision::kI8:
      return "int8";
    case Precision::kI4:
      return "int4";
  }
  return "fp32";
}

Result<Precision> ParsePrecision(std::string_view text) {
  for (const Precision precision : kAll) {
    if (text == PrecisionName(precision)) return precision;
  }
  return InvalidArgumentError("precision: expected fp32, fp16, bf16, int8 or int4, got \"" +
                              std::string(text) + "\"");
}

quant::WeightFormat MatrixFormat(Precision precision) {
  switch (precision) {
    case Precision::kF32:
      return {};
    case Precision::kF16:
      return {.dtype = DType::kF16, .group = 0, .zero_points = false};
    case Precision::kBF16:
      return {.dtype = DType::kBF16, .group = 0, .zero_points = false};
    case Precision::kI8:
      return {.dtype = DType::kI8, .group = 0, .zero_points = false};
    case Precision::kI4:
      return {.dtype = DType::kI4, .group = 32, .zero_points = false};
  }
  return {};
}

quant::WeightFormat EdgeFormat(Precision precision) {
  return MatrixFormat(precision == Precision::kI4 ? Precision::kI8 : precision);
}

DType CacheDType(Precision precision) {
  switch (precision) {
    case Precision::kF32:
      return DType::kF32;
    case Precision::kBF16:
      return DType::kBF16;
    case Precision::kF16:
    case Precision::kI8:
    case Precision::kI4:
      return DType::kF16;
  }
  return DType::kF32;
}

}  // namespace zhibi::compile
