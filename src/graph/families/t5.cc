// SPDX-License-Identifier: Apache-2.0
// T5 (Raffel et al. 2020), v1.0 (ReLU, tied, scaled logits) and v1.1 (gated GELU, own head): an
// encoder-decoder with relative position bias and no attention scale. Plan "encode" runs the
// encoder over packed sources, outputs hidden [tokens, d_model], and fills the cross cache (group
// 0) with the keys and values of every decoder layer; plan "step" is the decoder with groups cross
// (0) and kv (1), its cross attention bounded by encoder_lens.
#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include <nlohmann/json.hpp>

#include "base/status_macros.h"
#include "graph/builder.h"
#include "graph/families/config_reader.h"
#include "graph/families/parameters.h"
#include "graph/family.h"
#include "graph/step.h"

namespace zhibi::graph {
namespace {

constexpr std::array<std::string_view, 1> kArchitectures = {"T5ForConditionalGeneration"};
constexpr std::int64_t kDefaultContext = 512;

struct T5Shape {
  std::int64_t vocab = 0;
  std::int64_t model = 0;
  std::int64_t head_dim = 0;
  std::int64_t feed_forward = 0;
  std::int64_t encoder_layers = 0;
  std::int64_t decoder_layers = 0;
  std::int64_t heads = 0;
  std::int64_t buckets = 0;
  std::int64_t max_distance = 0;
  std::int64_t context = 0;
  float eps = 1e-6F;
  bool gated = false;
  bool scale_outputs = true;  // v1.0: logits of hidden / sqrt(d_model)
  Activation activation = Activation::kRelu;
  std::vector<std::int32_t> eos_ids;
  std::int32_t start_id = 0;
};

void ReadFeedForward(ConfigReader& reader, T5Shape& shape) {
  const std::string kind = reader.StringOr("feed_forward_proj", "relu");
  shape.gated = kind.starts_with("gated-");
  const std::string name = shape.gated ? kind.substr(6) : kind;
  constexpr std::pair<std::string_view, Activation> kKnown[] = {{"relu", Activation::kRelu},
                                                                {"gelu", Activation::kGeluErf},
                                                                {"gelu_new", Activation::kGeluTanh},
                                                                {"silu", Activation::kSilu}};
  const auto* known = std::ranges::find(kKnown, name, [](const auto& row) { return row.first; });
  if (known == std::end(kKnown)) {
    reader.FailKey("feed_forward_proj", "relu, gelu, gelu_new or silu, or gated- and one of them",
                   StatusCode::kUnimplemented);
    return;
  }
  // The published v1.1 checkpoints say "gated-gelu" and mean the tanh form.
  shape.activation = kind == "gated-gelu" ? Activation::kGeluTanh : known->second;
}

T5Shape ReadShape(ConfigReader& reader) {
  T5Shape shape;
  shape.vocab = reader.Int("vocab_size", 1, 1 << 24);
  shape.model = reader.Int("d_model", 1, 65536);
  shape.head_dim = reader.Int("d_kv", 1, 1024);
  shape.feed_forward = reader.Int("d_ff", 1, 1 << 20);
  shape.encoder_layers = reader.Int("num_layers", 1, 1024);
  shape.decoder_layers = reader.IntOr("num_decoder_layers", shape.encoder_layers, 1, 1024);
  shape.heads = reader.Int("num_heads", 1, 1024);
  shape.buckets = reader.IntOr("relative_attention_num_buckets", 32, 4, 4096);
  shape.max_distance = reader.IntOr("relative_attention_max_distance", 128, 1, 1 << 20);
  // A bucket needs room for the exact distances below half of the (encoder's half of the) buckets.
  if (shape.buckets % 2 != 0 || shape.max_distance <= shape.buckets / 2) {
    reader.FailKey("relative_attention_num_buckets",
                   "an even number below twice relative_attention_max_distance");
  }
  shape.context = reader.IntOr("n_positions", kDefaultContext, 1, 1 << 24);
  shape.eps = static_cast<float>(reader.NumberOr("layer_norm_epsilon", 1e-6, 1e-12, 1));
  ReadFeedForward(reader, shape);
  // transformers 5 saves the scaling under a name of its own; before, tied embeddings implied it.
  const bool tied = reader.BoolOr("tie_word_embeddings", true);
  shape.scale_outputs = reader.BoolOr("scale_decoder_outputs", tied);
  shape.eos_ids = reader.TokenIds("eos_token_id", shape.vocab);
  std::vector<std::int32_t> start = reader.TokenIds("decoder_start_token_id", shape.vocab);
  if (start.empty()) start = reader.TokenIds("pad_token_id", shape.vocab);
  if (!start.empty()) shape.start_id = start.front();
  CheckQuantization(reader);
  return shape;
}

// What both plans share: naming, norms, projections, attention attributes, feed-forward.
class T5Builder {
 public:
  T5Builder(std::string plan, const T5Shape& shape, const WeightSource& source,
            const StepLimits& limits)
      : shape_(shape),
        inner_(shape.heads * shape.head_dim),
        builder_(std::move(plan), limits),
        parameters_(builder_, source) {}

  Result<Graph> BuildEncode();
  Result<Graph> BuildStep();
  std::int64_t parameter_count() const { return parameters_.count(); }

 private:
  ValueId Norm(const std::string& name, ValueId x) {
    const ValueId weight = parameters_.Vector(name + ".weight", shape_.model);
    return builder_.RmsNorm(name, x, weight, shape_.eps);
  }
  ValueId Project(const std::string& name, ValueId x, std::int64_t rows, std::int64_t cols,
                  Activation activation = Activation::kNone) {
    const ValueId weight = parameters_.Matrix(name + ".weight", rows, cols);
    return builder_.Linear(name, x, weight, ValueId::kNone, activation);
  }
  ValueId Add(const std::string& name, ValueId a, ValueId b) {
    return builder_.Binary(name, BinaryKind::kAdd, a, b);
  }
  AttentionAttrs Attributes(AttentionKind kind, int group, int layer) const;
  CacheWriteAttrs WriteAttributes(int group, int layer) const;
  int Cache(const char* name, CacheKind kind);
  ValueId Embed(const std::string& own_table);
  ValueId RelativeBias(const std::string& stack);
  ValueId FeedForward(const std::string& prefix, ValueId x);
  ValueId EncoderBlock(int layer, ValueId bias, ValueId x);
  ValueId DecoderBlock(int layer, ValueId bias, ValueId x);

  const T5Shape& shape_;
  std::int64_t inner_;
  GraphBuilder builder_;
  Parameters parameters_;
  int cross_ = -1;
  int kv_ = -1;
};

AttentionAttrs T5Builder::Attributes(AttentionKind kind, int group, int layer) const {
  AttentionAttrs attrs;
  attrs.kind = kind;
  attrs.group = group;
  attrs.layer = layer;
  attrs.heads = static_cast<std::int32_t>(shape_.heads);
  attrs.kv_heads = attrs.heads;
  attrs.head_dim = static_cast<std::int32_t>(shape_.head_dim);
  attrs.value_dim = attrs.head_dim;
  attrs.scale = 1;
  if (kind != AttentionKind::kCross) {
    attrs.bias_buckets = static_cast<std::int32_t>(shape_.buckets);
    attrs.bias_max_distance = static_cast<std::int32_t>(shape_.max_distance);
    attrs.bias_bidirectional = kind == AttentionKind::kBidirectional ? 1 : 0;
  }
  return attrs;
}

CacheWriteAttrs T5Builder::WriteAttributes(int group, int layer) const {
  CacheWriteAttrs attrs;
  attrs.group = group;
  attrs.layer = layer;
  attrs.kv_heads = static_cast<std::int32_t>(shape_.heads);
  attrs.head_dim = static_cast<std::int32_t>(shape_.head_dim);
  attrs.value_dim = attrs.head_dim;
  return attrs;
}

int T5Builder::Cache(const char* name, CacheKind kind) {
  CacheGroup group;
  group.name = name;
  group.kind = kind;
  group.layers = static_cast<std::int32_t>(shape_.decoder_layers);
  group.elements_per_token = 2 * inner_;
  return builder_.Cache(std::move(group));
}

// `own_table` holds the table in checkpoints that have no shared one.
ValueId T5Builder::Embed(const std::string& own_table) {
  const bool shared = parameters_.Has("shared.weight") || !parameters_.Has(own_table);
  const ValueId table = parameters_.Matrix(shared ? "shared.weight" : own_table, shape_.vocab,
                                           shape_.model, WeightRole::kEmbedding);
  return builder_.Embedding("shared", builder_.Step().ids, table);
}

ValueId T5Builder::RelativeBias(const std::string& stack) {
  return parameters_.Matrix(stack + ".block.0.layer.0.SelfAttention.relative_attention_bias.weight",
                            shape_.buckets, shape_.heads, WeightRole::kTable);
}

ValueId T5Builder::FeedForward(const std::string& prefix, ValueId x) {
  const ValueId normed = Norm(prefix + "layer_norm", x);
  const std::string dense = prefix + "DenseReluDense.";
  ValueId wide = ValueId::kNone;
  if (shape_.gated) {
    const ValueId gate = Project(dense + "wi_0", normed, shape_.feed_forward, shape_.model);
    const ValueId up = Project(dense + "wi_1", normed, shape_.feed_forward, shape_.model);
    wide = builder_.Gated(dense + "gated", gate, up, shape_.activation);
  } else {
    wide = Project(dense + "wi", normed, shape_.feed_forward, shape_.model, shape_.activation);
  }
  const ValueId out = Project(dense + "wo", wide, shape_.model, shape_.feed_forward);
  return Add(prefix + "residual", x, out);
}

ValueId T5Builder::EncoderBlock(int layer, ValueId bias, ValueId x) {
  const std::string block = "encoder.block." + std::to_string(layer) + ".";
  const std::string attention = block + "layer.0.SelfAttention.";
  const ValueId normed = Norm(block + "layer.0.layer_norm", x);
  const ValueId q = Project(attention + "q", normed, inner_, shape_.model);
  const ValueId k = Project(attention + "k", normed, inner_, shape_.model);
  const ValueId v = Project(attention + "v", normed, inner_, shape_.model);
  const ValueId mixed = builder_.Attention(
      attention + "attention", q, k, v, Attributes(AttentionKind::kBidirectional, -1, layer), bias);
  x = Add(block + "layer.0.residual", x, Project(attention + "o", mixed, shape_.model, inner_));
  return FeedForward(block + "layer.1.", x);
}

Result<Graph> T5Builder::BuildEncode() {
  cross_ = Cache("cross", CacheKind::kCross);
  ValueId x = Embed("encoder.embed_tokens.weight");
  const ValueId bias = RelativeBias("encoder");
  for (int layer = 0; layer < shape_.encoder_layers; ++layer) {
    x = EncoderBlock(layer, bias, x);
    ZB_RETURN_IF_ERROR(parameters_.status());
  }
  const ValueId hidden = Norm("encoder.final_layer_norm", x);
  for (int layer = 0; layer < shape_.decoder_layers; ++layer) {
    const std::string cross =
        "decoder.block." + std::to_string(layer) + ".layer.1.EncDecAttention.";
    const ValueId k = Project(cross + "k", hidden, inner_, shape_.model);
    const ValueId v = Project(cross + "v", hidden, inner_, shape_.model);
    builder_.CacheWrite(cross + "cache_write", k, v, WriteAttributes(cross_, layer));
    ZB_RETURN_IF_ERROR(parameters_.status());
  }
  builder_.Output(step::kHidden, hidden);
  return std::move(builder_).Finish();
}

ValueId T5Builder::DecoderBlock(int layer, ValueId bias, ValueId x) {
  const std::string block = "decoder.block." + std::to_string(layer) + ".";
  const std::string self = block + "layer.0.SelfAttention.";
  const ValueId normed = Norm(block + "layer.0.layer_norm", x);
  const ValueId q = Project(self + "q", normed, inner_, shape_.model);
  const ValueId k = Project(self + "k", normed, inner_, shape_.model);
  const ValueId v = Project(self + "v", normed, inner_, shape_.model);
  builder_.CacheWrite(self + "cache_write", k, v, WriteAttributes(kv_, layer));
  const ValueId mixed = builder_.Attention(self + "attention", q, ValueId::kNone, ValueId::kNone,
                                           Attributes(AttentionKind::kCausal, kv_, layer), bias);
  x = Add(block + "layer.0.residual", x, Project(self + "o", mixed, shape_.model, inner_));
  const std::string cross = block + "layer.1.EncDecAttention.";
  const ValueId cross_q =
      Project(cross + "q", Norm(block + "layer.1.layer_norm", x), inner_, shape_.model);
  const ValueId seen =
      builder_.Attention(cross + "attention", cross_q, ValueId::kNone, ValueId::kNone,
                         Attributes(AttentionKind::kCross, cross_, layer));
  x = Add(block + "layer.1.residual", x, Project(cross + "o", seen, shape_.model, inner_));
  return FeedForward(block + "layer.2.", x);
}

Result<Graph> T5Builder::BuildStep() {
  cross_ = Cache("cross", CacheKind::kCross);
  kv_ = Cache("kv", CacheKind::kKv);
  const std::string own_table = "decoder.embed_tokens.weight";
  ValueId x = Embed(own_table);
  const ValueId bias = RelativeBias("decoder");
  for (int layer = 0; layer < shape_.decoder_layers; ++layer) {
    x = DecoderBlock(layer, bias, x);
    ZB_RETURN_IF_ERROR(parameters_.status());
  }
  x = Norm("decoder.final_layer_norm", x);
  if (shape_.scale_outputs) {
    const float scale = 1.0F / std::sqrt(static_cast<float>(shape_.model));
    x = builder_.Binary("output_scale", BinaryKind::kMul, x,
                        builder_.Constant("output_scale.value", {1}, {scale}));
  }
  const std::string shared = parameters_.Has("shared.weight") ? "shared.weight" : own_table;
  const ValueId head =
      parameters_.Has("lm_head.weight")
          ? parameters_.Matrix("lm_head.weight", shape_.vocab, shape_.model, WeightRole::kHead)
          : parameters_.Alias("lm_head.weight", shared, shape_.vocab, shape_.model,
                              WeightRole::kHead);
  ZB_RETURN_IF_ERROR(parameters_.status());
  builder_.LogitsAndSampler(x, head);
  return std::move(builder_).Finish();
}

Result<FamilyGraphs> Build(const nlohmann::json& config, const WeightSource& source,
                           const StepLimits& limits) {
  ConfigReader reader(config);
  const T5Shape shape = ReadShape(reader);
  ZB_RETURN_IF_ERROR(reader.status());
  StepLimits own = limits;
  if (own.max_context == 0) own.max_context = shape.context;
  FamilyGraphs graphs;
  T5Builder encode("encode", shape, source, own);
  ZB_ASSIGN_OR_RETURN(Graph encode_graph, encode.BuildEncode());
  graphs.plans.push_back(std::move(encode_graph));
  T5Builder step("step", shape, source, own);
  ZB_ASSIGN_OR_RETURN(Graph step_graph, step.BuildStep());
  graphs.plans.push_back(std::move(step_graph));
  graphs.info.family = "t5";
  graphs.info.vocab = shape.vocab;
  graphs.info.hidden = shape.model;
  graphs.info.context = shape.context;
  graphs.info.eos_ids = shape.eos_ids;
  graphs.info.bos_id = shape.start_id;
  // The table is in both plans and counts once.
  graphs.info.parameters =
      encode.parameter_count() + step.parameter_count() - shape.vocab * shape.model;
  return graphs;
}

}  // namespace

extern const Family kFamily_t5;
const Family kFamily_t5 = {.name = "t5", .architectures = kArchitectures, .build = &Build};

}  // namespace zhibi::graph
