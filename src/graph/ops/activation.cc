// SPDX-License-Identifier: Apache-2.0
#include "graph/ops/activation.h"

#include <cmath>
#include <numbers>

namespace zhibi::graph {

float Activate(Activation activation, float x) {
  switch (activation) {
    case Activation::kNone:
      return x;
    case Activation::kRelu:
      return x > 0 ? x : 0;
    case Activation::kSilu:
      return x / (1 + std::exp(-x));
    case Activation::kGeluErf:
      return 0.5F * x * (1 + std::erf(x * (std::numbers::sqrt2_v<float> / 2)));
    case Activation::kGeluTanh: {
      // sqrt(2 / pi)
      constexpr float kScale = 0.7978845608028654F;
      return 0.5F * x * (1 + std::tanh(kScale * (x + 0.044715F * x * x * x)));
    }
    case Activation::kTanh:
      return std::tanh(x);
    case Activation::kSigmoid:
      return 1 / (1 + std::exp(-x));
  }
  return x;
}

std::string_view ActivationName(Activation activation) {
  switch (activation) {
    case Activation::kNone:
      return "none";
    case Activation::kRelu:
      return "relu";
    case Activation::kSilu:
      return "silu";
    case Activation::kGeluErf:
      return "gelu_erf";
    case Activation::kGeluTanh:
      return "gelu_tanh";
    case Activation::kTanh:
      return "tanh";
    case Activation::kSigmoid:
      return "sigmoid";
  }
  return "unknown";
}

}  // namespace zhibi::graph
