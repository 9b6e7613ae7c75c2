// SPDX-License-Identifier: Apache-2.0
// The decoder that LLaMA, Mistral, Qwen2 and Qwen3 share: pre-norm blocks of grouped-query
// attention with RoPE and a gated MLP (Touvron et al. 2023). A family reads its config into
// DecoderShape and says what differs; the graph is built un-fused (fusion is the passes' work).
// Immutable values; thread-safe.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "graph/families/config_reader.h"
#include "graph/family.h"
#include "graph/ops/activation.h"
#include "graph/weights.h"
#include "zhibi/status.h"

namespace zhibi::graph {

struct DecoderShape {
  std::string family;
  std::int64_t vocab = 0;
  std::int64_t hidden = 0;
  std::int64_t intermediate = 0;
  std::int64_t layers = 0;
  std::int64_t heads = 0;
  std::int64_t kv_heads = 0;
  std::int64_t head_dim = 0;
  std::int64_t context = 0;
  float norm_eps = 1e-6F;
  Activation activation = Activation::kSilu;
  std::vector<float> inv_freq;        // [head_dim / 2]
  std::vector<std::int32_t> windows;  // one a layer; 0: none
  bool qkv_bias = false;
  bool o_bias = false;
  bool mlp_bias = false;
  bool qk_norm = false;  // RMSNorm of every head of q and k before RoPE (Qwen3)
  bool tied = false;     // the head is the embedding table
  std::vector<std::int32_t> eos_ids;
  std::int32_t bos_id = -1;
};

// What a family assumes where config.json is silent, as its configuration class does.
struct DecoderDefaults {
  std::string_view family;
  std::int64_t kv_heads = 0;  // 0: as many as heads
  std::int64_t head_dim = 0;  // 0: hidden / heads
};

// Keys that all of them have. Check reader.status() before using the result.
DecoderShape ReadDecoderShape(ConfigReader& reader, const DecoderDefaults& defaults);
// Windows of Qwen2 and Qwen3: use_sliding_window, sliding_window, max_window_layers, layer_types.
void ReadQwenWindows(ConfigReader& reader, DecoderShape& shape);

// Plan "step". Missing or misshapen tensors are errors that name the tensor.
Result<FamilyGraphs> BuildDecoder(const DecoderShape& shape, const WeightSource& source,
                                  const StepLimits& limits);

}  // namespace zhibi::graph
