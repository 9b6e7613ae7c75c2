// SPDX-License-Identifier: Apache-2.0
// Activations by name; used alone (op unary) and as epilogue of linear. Not an op.
#pragma once

#include <cstdint>
#include <string_view>

namespace zhibi::graph {

enum class Activation : std::int32_t { kNone, kRelu, kSilu, kGeluErf, kGeluTanh, kTanh, kSigmoid };
inline constexpr std::int64_t kLastActivation = static_cast<std::int64_t>(Activation::kSigmoid);

float Activate(Activation activation, float x);
std::string_view ActivationName(Activation activation);

}  // namespace zhibi::graph
