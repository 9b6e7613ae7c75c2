// SPDX-License-Identifier: Apache-2.0
#include "graph/families/decoder_block.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/status_macros.h"
#include "graph/builder.h"
#include "graph/families/parameters.h"

namespace zhibi::graph {
namespace {

// Keys of other models of this shape that change the maths; with the value that does not.
constexpr std::pair<std::string_view, double> kRefused[] = {{"num_local_experts", 0},
                                                            {"num_experts", 0},
                                                            {"n_routed_experts", 0},
                                                            {"kv_lora_rank", 0},
                                                            {"q_lora_rank", 0},
                                                            {"attn_logit_softcapping", 0},
                                                            {"final_logit_softcapping", 0},
                                                            {"query_pre_attn_scalar", 0},
                                                            {"attention_chunk_size", 0},
                                                            {"no_rope_layers", 0},
                                                            {"clip_qkv", 0},
                                                            {"alibi", 0},
                                                            {"add_cross_attention", 0},
                                                            {"rope_interleave", 0},
                                                            {"rope_interleaved", 0},
                                                            {"qk_layernorm", 0},
                                                            {"use_qk_norm", 0},
                                                            {"partial_rotary_factor", 1},
                                                            {"embedding_multiplier", 1},
                                                            {"residual_multiplier", 1},
                                                            {"attention_multiplier", 1},
                                                            {"logits_scaling", 1},
                                                            {"logit_scale", 1},
                                                            {"scale_emb", 1},
                                                            {"mup_scale", 1},
                                                            {"position_embedding_offset", 0}};

class DecoderBuilder {
 public:
  DecoderBuilder(const DecoderShape& shape, const WeightSource& source, const StepLimits& limits)
      : shape_(shape), builder_("step", limits), parameters_(builder_, source) {}

  Result<FamilyGraphs> Build();

 private:
  ValueId Project(const std::string& name, ValueId x, std::int64_t rows, std::int64_t cols,
                  bool bias);
  ValueId Rotate(const std::string& prefix, const char* which, ValueId x);
  ValueId Attend(const std::string& prefix, int layer, ValueId x);
  ValueId Mlp(const std::string& prefix, ValueId x);
  ValueId Block(int layer, ValueId x);

  const DecoderShape& shape_;
  GraphBuilder builder_;
  Parameters parameters_;
  ValueId inv_freq_ = ValueId::kNone;
  int group_ = -1;
};

ValueId DecoderBuilder::Project(const std::string& name, ValueId x, std::int64_t rows,
                                std::int64_t cols, bool bias) {
  const ValueId weight = parameters_.Matrix(name + ".weight", rows, cols);
  ValueId bias_value = ValueId::kNone;
  if (bias) {
    bias_value = parameters_.Vector(name + ".bias", rows);
  } else {
    parameters_.ExpectAbsent(name + ".bias", "config.json says that there is no bias");
  }
  return parameters_.status().ok() ? builder_.Linear(name, x, weight, bias_value) : x;
}

// QK norm, where the family has it, then RoPE.
ValueId DecoderBuilder::Rotate(const std::string& prefix, const char* which, ValueId x) {
  const std::string norm = prefix + which + "_norm";
  if (shape_.qk_norm) {
    const ValueId weight = parameters_.Vector(norm + ".weight", shape_.head_dim);
    if (!parameters_.status().ok()) return x;
    x = builder_.RmsNorm(norm, x, weight, shape_.norm_eps, static_cast<int>(shape_.head_dim));
  } else {
    parameters_.ExpectAbsent(norm + ".weight", "this family has no QK norm");
  }
  RopeAttrs rope;
  rope.head_dim = static_cast<std::int32_t>(shape_.head_dim);
  rope.rotary_dim = rope.head_dim;
  return builder_.Rope(prefix + which + "_rope", x, inv_freq_, rope);
}

ValueId DecoderBuilder::Attend(const std::string& prefix, int layer, ValueId x) {
  const std::int64_t q_width = shape_.heads * shape_.head_dim;
  const std::int64_t kv_width = shape_.kv_heads * shape_.head_dim;
  ValueId q = Project(prefix + "q_proj", x, q_width, shape_.hidden, shape_.qkv_bias);
  ValueId k = Project(prefix + "k_proj", x, kv_width, shape_.hidden, shape_.qkv_bias);
  const ValueId v = Project(prefix + "v_proj", x, kv_width, shape_.hidden, shape_.qkv_bias);
  if (!parameters_.status().ok()) return x;
  q = Rotate(prefix, "q", q);
  k = Rotate(prefix, "k", k);
  CacheWriteAttrs write;
  write.group = group_;
  write.layer = layer;
  write.kv_heads = static_cast<std::int32_t>(shape_.kv_heads);
  write.head_dim = static_cast<std::int32_t>(shape_.head_dim);
  write.value_dim = write.head_dim;
  builder_.CacheWrite(prefix + "cache_write", k, v, write);
  AttentionAttrs attention;
  attention.kind = AttentionKind::kCausal;
  attention.group = group_;
  attention.layer = layer;
  attention.heads = static_cast<std::int32_t>(shape_.heads);
  attention.kv_heads = write.kv_heads;
  attention.head_dim = write.head_dim;
  attention.value_dim = write.head_dim;
  attention.window = shape_.windows[static_cast<std::size_t>(layer)];
  attention.scale = 1.0F / std::sqrt(static_cast<float>(shape_.head_dim));
  const ValueId mixed =
      builder_.Attention(prefix + "attention", q, ValueId::kNone, ValueId::kNone, attention);
  return Project(prefix + "o_proj", mixed, shape_.hidden, q_width, shape_.o_bias);
}

ValueId DecoderBuilder::Mlp(const std::string& prefix, ValueId x) {
  const bool bias = shape_.mlp_bias;
  const ValueId gate = Project(prefix + "gate_proj", x, shape_.intermediate, shape_.hidden, bias);
  const ValueId up = Project(prefix + "up_proj", x, shape_.intermediate, shape_.hidden, bias);
  const ValueId gated = builder_.Gated(prefix + "gated", gate, up, shape_.activation);
  return Project(prefix + "down_proj", gated, shape_.hidden, shape_.intermediate, bias);
}

ValueId DecoderBuilder::Block(int layer, ValueId x) {
  const std::string prefix = "model.layers." + std::to_string(layer) + ".";
  const auto norm = [&](const std::string& name, ValueId value) {
    const ValueId weight = parameters_.Vector(prefix + name + ".weight", shape_.hidden);
    return builder_.RmsNorm(prefix + name, value, weight, shape_.norm_eps);
  };
  const ValueId attended = Attend(prefix + "self_attn.", layer, norm("input_layernorm", x));
  x = builder_.Binary(prefix + "attention_residual", BinaryKind::kAdd, x, attended);
  const ValueId mlp = Mlp(prefix + "mlp.", norm("post_attention_layernorm", x));
  return builder_.Binary(prefix + "mlp_residual", BinaryKind::kAdd, x, mlp);
}

Result<FamilyGraphs> DecoderBuilder::Build() {
  const std::string embedding = "model.embed_tokens.weight";
  const ValueId table =
      parameters_.Matrix(embedding, shape_.vocab, shape_.hidden, WeightRole::kEmbedding);
  const ValueId ids = builder_.Step().ids;
  CacheGroup group;
  group.name = "kv";
  group.layers = static_cast<std::int32_t>(shape_.layers);
  group.elements_per_token = 2 * shape_.kv_heads * shape_.head_dim;
  // Pages behind the window may be given back only where no layer sees them any more.
  const auto [least, most] = std::ranges::minmax(shape_.windows);
  group.window = least == 0 ? 0 : most;
  group_ = builder_.Cache(std::move(group));
  inv_freq_ = builder_.Constant("inv_freq", {shape_.head_dim / 2}, shape_.inv_freq);
  ValueId x = builder_.Embedding("model.embed_tokens", ids, table);
  for (int layer = 0; layer < shape_.layers; ++layer) {
    x = Block(layer, x);
    ZB_RETURN_IF_ERROR(parameters_.status());
  }
  const ValueId norm = parameters_.Vector("model.norm.weight", shape_.hidden);
  const ValueId head = shape_.tied ? parameters_.Alias("lm_head.weight", embedding, shape_.vocab,
                                                       shape_.hidden, WeightRole::kHead)
                                   : parameters_.Matrix("lm_head.weight", shape_.vocab,
                                                        shape_.hidden, WeightRole::kHead);
  parameters_.ExpectAbsent("lm_head.bias", "this family has no bias in the head");
  ZB_RETURN_IF_ERROR(parameters_.status());
  builder_.LogitsAndSampler(builder_.RmsNorm("model.norm", x, norm, shape_.norm_eps), head);
  FamilyGraphs graphs;
  ZB_ASSIGN_OR_RETURN(Graph graph, std::move(builder_).Finish());
  graphs.plans.push_back(std::move(graph));
  graphs.info.family = shape_.family;
  graphs.info.vocab = shape_.vocab;
  graphs.info.hidden = shape_.hidden;
  graphs.info.context = shape_.context;
  graphs.info.eos_ids = shape_.eos_ids;
  graphs.info.bos_id = shape_.bos_id;
  graphs.info.parameters = parameters_.count();
  return graphs;
}

}  // namespace

DecoderShape ReadDecoderShape(ConfigReader& reader, const DecoderDefaults& defaults) {
  DecoderShape shape;
  shape.family = defaults.family;
  shape.vocab = reader.Int("vocab_size", 1, 1 << 24);
  shape.hidden = reader.Int("hidden_size", 1, 65536);
  shape.intermediate = reader.Int("intermediate_size", 1, 1 << 20);
  shape.layers = reader.Int("num_hidden_layers", 1, 1024);
  shape.heads = reader.Int("num_attention_heads", 1, 1024);
  const std::int64_t kv_default = defaults.kv_heads > 0 ? defaults.kv_heads : shape.heads;
  shape.kv_heads = reader.IntOr("num_key_value_heads", kv_default, 1, 1024);
  if (shape.heads % shape.kv_heads != 0) {
    reader.FailKey("num_key_value_heads",
                   "a divisor of num_attention_heads " + std::to_string(shape.heads));
  }
  shape.head_dim = defaults.head_dim > 0 ? defaults.head_dim : shape.hidden / shape.heads;
  if (reader.Has("head_dim")) {
    shape.head_dim = reader.Int("head_dim", 2, 1024);
  } else if (defaults.head_dim == 0 && shape.hidden % shape.heads != 0) {
    reader.FailKey("hidden_size", "a multiple of num_attention_heads " +
                                      std::to_string(shape.heads) + " (there is no head_dim)");
  }
  if (shape.head_dim < 2 || shape.head_dim > 1024 || shape.head_dim % 2 != 0) {
    reader.FailKey(reader.Has("head_dim") ? "head_dim" : "hidden_size",
                   "an even head size in 2..1024");
  }
  shape.context = reader.Int("max_position_embeddings", 1, 1 << 24);
  shape.norm_eps = static_cast<float>(reader.NumberOr("rms_norm_eps", 1e-6, 1e-12, 1));
  shape.activation = reader.ActivationOr("hidden_act", "silu");
  shape.tied = reader.BoolOr("tie_word_embeddings", false);
  shape.windows.assign(static_cast<std::size_t>(shape.layers), 0);
  shape.eos_ids = reader.TokenIds("eos_token_id", shape.vocab);
  const std::vector<std::int32_t> bos = reader.TokenIds("bos_token_id", shape.vocab);
  if (!bos.empty()) shape.bos_id = bos.front();
  for (const auto& [key, neutral] : kRefused) reader.RefuseUnlessNeutral(key, neutral);
  CheckQuantization(reader);
  if (reader.status().ok()) shape.inv_freq = ReadInverseFrequencies(reader, shape.head_dim);
  return shape;
}

void ReadQwenWindows(ConfigReader& reader, DecoderShape& shape) {
  const bool use = reader.BoolOr("use_sliding_window", false);
  const std::int64_t window = reader.IntOr("sliding_window", 4096, 1, 1 << 24);
  const std::int64_t first = reader.IntOr("max_window_layers", 28, 0, 1 << 24);
  std::vector<std::string> kinds;
  if (reader.Has("layer_types")) {
    kinds = reader.Strings("layer_types", static_cast<std::size_t>(shape.layers));
  }
  for (std::int64_t layer = 0; layer < shape.layers; ++layer) {
    const auto at = static_cast<std::size_t>(layer);
    bool slides = use && layer >= first;
    if (!kinds.empty()) {
      slides = kinds[at] == "sliding_attention";
      if ((!slides && kinds[at] != "full_attention") || (slides && !use)) {
        reader.FailKey("layer_types",
                       use ? "full_attention or sliding_attention"
                           : "full_attention (use_sliding_window is not set)",
                       StatusCode::kUnimplemented);
        return;
      }
    }
    shape.windows[at] = slides ? static_cast<std::int32_t>(window) : 0;
  }
}

Result<FamilyGraphs> BuildDecoder(const DecoderShape& shape, const WeightSource& source,
                                  const StepLimits& limits) {
  StepLimits own = limits;
  own.max_context =
      limits.max_context > 0 ? std::min(limits.max_context, shape.context) : shape.context;
  return DecoderBuilder(shape, source, own).Build();
}

}  // namespace zhibi::graph
