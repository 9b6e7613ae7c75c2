// SPDX-License-Identifier: Apache-2.0
// Qwen3 (Yang et al. 2025), dense models: QK norm over every head, no biases unless the config asks
// for them.
#include <array>

#include <nlohmann/json.hpp>

#include "base/status_macros.h"
#include "graph/families/decoder_block.h"

namespace zhibi::graph {
namespace {

constexpr std::array<std::string_view, 1> kArchitectures = {"Qwen3ForCausalLM"};

Result<FamilyGraphs> Build(const nlohmann::json& config, const WeightSource& source,
                           const StepLimits& limits) {
  ConfigReader reader(config);
  DecoderShape shape =
      ReadDecoderShape(reader, {.family = "qwen3", .kv_heads = 32, .head_dim = 128});
  shape.qk_norm = true;
  shape.qkv_bias = reader.BoolOr("attention_bias", false);
  shape.o_bias = shape.qkv_bias;
  ReadQwenWindows(reader, shape);
  ZB_RETURN_IF_ERROR(reader.status());
  return BuildDecoder(shape, source, limits);
}

}  // namespace

extern const Family kFamily_qwen3;
const Family kFamily_qwen3 = {.name = "qwen3", .architectures = kArchitectures, .build = &Build};

}  // namespace zhibi::graph
