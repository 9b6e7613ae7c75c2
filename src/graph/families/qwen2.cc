// SPDX-License-Identifier: Apache-2.0
// Qwen2 and Qwen2.5 (Yang et al. 2024): LLaMA with biases on q, k and v, and a window in the upper
// layers where the config asks for it.
#include <array>

#include <nlohmann/json.hpp>

#include "base/status_macros.h"
#include "graph/families/decoder_block.h"

namespace zhibi::graph {
namespace {

constexpr std::array<std::string_view, 1> kArchitectures = {"Qwen2ForCausalLM"};

Result<FamilyGraphs> Build(const nlohmann::json& config, const WeightSource& source,
                           const StepLimits& limits) {
  ConfigReader reader(config);
  DecoderShape shape = ReadDecoderShape(reader, {.family = "qwen2", .kv_heads = 32});
  shape.qkv_bias = true;
  ReadQwenWindows(reader, shape);
  ZB_RETURN_IF_ERROR(reader.status());
  return BuildDecoder(shape, source, limits);
}

}  // namespace

extern const Family kFamily_qwen2;
const Family kFamily_qwen2 = {.name = "qwen2", .architectures = kArchitectures, .build = &Build};

}  // namespace zhibi::graph
