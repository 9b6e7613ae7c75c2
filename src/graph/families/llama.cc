// SPDX-License-Identifier: Apache-2.0
// LLaMA 2 and 3 (Touvron et al. 2023; Grattafiori et al. 2024) and the many models published under
// the same architecture name: optional biases, tied head, head_dim unlike hidden / heads, RoPE
// scaling.
#include <array>

#include <nlohmann/json.hpp>

#include "base/status_macros.h"
#include "graph/families/decoder_block.h"

namespace zhibi::graph {
namespace {

constexpr std::array<std::string_view, 1> kArchitectures = {"LlamaForCausalLM"};

Result<FamilyGraphs> Build(const nlohmann::json& config, const WeightSource& source,
                           const StepLimits& limits) {
  ConfigReader reader(config);
  DecoderShape shape = ReadDecoderShape(reader, {.family = "llama"});
  shape.qkv_bias = reader.BoolOr("attention_bias", false);
  shape.o_bias = shape.qkv_bias;
  shape.mlp_bias = reader.BoolOr("mlp_bias", false);
  ZB_RETURN_IF_ERROR(reader.status());
  return BuildDecoder(shape, source, limits);
}

}  // namespace

extern const Family kFamily_llama;
const Family kFamily_llama = {.name = "llama", .architectures = kArchitectures, .build = &Build};

}  // namespace zhibi::graph
