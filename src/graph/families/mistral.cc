// SPDX-License-Identifier: Apache-2.0
// Mistral (Jiang et al. 2023): LLaMA with a sliding window in every layer. A key that is absent
// means a window of 4096, as its configuration class says; null means none.
#include <array>

#include <nlohmann/json.hpp>

#include "base/status_macros.h"
#include "graph/families/decoder_block.h"

namespace zhibi::graph {
namespace {

constexpr std::array<std::string_view, 1> kArchitectures = {"MistralForCausalLM"};

Result<FamilyGraphs> Build(const nlohmann::json& config, const WeightSource& source,
                           const StepLimits& limits) {
  ConfigReader reader(config);
  DecoderShape shape = ReadDecoderShape(reader, {.family = "mistral", .kv_heads = 8});
  std::int64_t window = reader.IsPresent("sliding_window") ? 0 : 4096;
  window = reader.IntOr("sliding_window", window, 1, 1 << 24);
  if (reader.Has("layer_types")) {
    const std::size_t count = shape.windows.size();
    for (const std::string& kind : reader.Strings("layer_types", count)) {
      if (kind == (window > 0 ? "sliding_attention" : "full_attention")) continue;
      reader.FailKey("layer_types", "the same kind of attention in all layers",
                     StatusCode::kUnimplemented);
    }
  }
  shape.windows.assign(shape.windows.size(), static_cast<std::int32_t>(window));
  ZB_RETURN_IF_ERROR(reader.status());
  return BuildDecoder(shape, source, limits);
}

}  // namespace

extern const Family kFamily_mistral;
const Family kFamily_mistral = {
    .name = "mistral", .architectures = kArchitectures, .build = &Build};

}  // namespace zhibi::graph
