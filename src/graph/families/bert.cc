// SPDX-License-Identifier: Apache-2.0
// BERT (Devlin et al. 2019), the encoder: post-norm blocks, learned positions, segment embeddings.
// Plan "encode" is packed and bidirectional; outputs: hidden [tokens, hidden], and, where the
// checkpoint has a pooler, pooled [out_rows, hidden] (out_rows lists the first row of every
// sequence). Heads of masked-language-model checkpoints are not part of it.
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

constexpr std::array<std::string_view, 2> kArchitectures = {"BertModel", "BertForMaskedLM"};

struct BertShape {
  std::int64_t vocab = 0;
  std::int64_t hidden = 0;
  std::int64_t intermediate = 0;
  std::int64_t layers = 0;
  std::int64_t heads = 0;
  std::int64_t positions = 0;
  std::int64_t types = 0;
  float eps = 1e-12F;
  Activation activation = Activation::kGeluErf;
};

BertShape ReadShape(ConfigReader& reader) {
  BertShape shape;
  shape.vocab = reader.Int("vocab_size", 1, 1 << 24);
  shape.hidden = reader.Int("hidden_size", 1, 65536);
  shape.intermediate = reader.Int("intermediate_size", 1, 1 << 20);
  shape.layers = reader.Int("num_hidden_layers", 1, 1024);
  shape.heads = reader.Int("num_attention_heads", 1, 1024);
  shape.positions = reader.Int("max_position_embeddings", 1, 1 << 24);
  shape.types = reader.IntOr("type_vocab_size", 2, 1, 65536);
  shape.eps = static_cast<float>(reader.NumberOr("layer_norm_eps", 1e-12, 1e-30, 1));
  shape.activation = reader.ActivationOr("hidden_act", "gelu");
  if (shape.hidden % shape.heads != 0) {
    reader.FailKey("hidden_size",
                   "a multiple of num_attention_heads " + std::to_string(shape.heads));
  }
  if (reader.StringOr("position_embedding_type", "absolute") != "absolute") {
    reader.FailKey("position_embedding_type", "\"absolute\"", StatusCode::kUnimplemented);
  }
  for (const char* key : {"is_decoder", "add_cross_attention"}) reader.RefuseUnlessNeutral(key);
  CheckQuantization(reader);
  return shape;
}

class BertBuilder {
 public:
  BertBuilder(const BertShape& shape, const WeightSource& source, const StepLimits& limits)
      : shape_(shape), builder_("encode", limits), parameters_(builder_, source) {
    // BertModel saves its own tensors, models with a head save them under "bert.".
    if (parameters_.Has("bert.embeddings.word_embeddings.weight")) prefix_ = "bert.";
  }

  Result<FamilyGraphs> Build();

 private:
  ValueId Project(const std::string& name, ValueId x, std::int64_t rows, std::int64_t cols,
                  Activation activation = Activation::kNone) {
    const ValueId weight = parameters_.Matrix(name + ".weight", rows, cols);
    const ValueId bias = parameters_.Vector(name + ".bias", rows);
    return builder_.Linear(name, x, weight, bias, activation);
  }
  ValueId Norm(const std::string& name, ValueId x) {
    // Checkpoints converted from TensorFlow say gamma and beta.
    const bool old = parameters_.Has(name + ".gamma");
    const ValueId weight = parameters_.Vector(name + (old ? ".gamma" : ".weight"), shape_.hidden);
    const ValueId bias = parameters_.Vector(name + (old ? ".beta" : ".bias"), shape_.hidden);
    return builder_.LayerNorm(name, x, weight, bias, shape_.eps);
  }
  ValueId Embed();
  ValueId Block(const std::string& prefix, ValueId x);

  const BertShape& shape_;
  GraphBuilder builder_;
  Parameters parameters_;
  std::string prefix_;
};

ValueId BertBuilder::Embed() {
  const std::string prefix = prefix_ + "embeddings.";
  const auto table = [&](const char* name, std::int64_t rows, ValueId ids) {
    const ValueId weight =
        parameters_.Matrix(prefix + name + ".weight", rows, shape_.hidden, WeightRole::kEmbedding);
    return builder_.Embedding(prefix + name, ids, weight);
  };
  const ValueId words = table("word_embeddings", shape_.vocab, builder_.Step().ids);
  const ValueId types =
      table("token_type_embeddings", shape_.types, builder_.StepInput(step::kTokenTypes));
  const ValueId positions =
      table("position_embeddings", shape_.positions, builder_.Step().positions);
  const ValueId typed = builder_.Binary(prefix + "add_types", BinaryKind::kAdd, words, types);
  const ValueId sum = builder_.Binary(prefix + "add_positions", BinaryKind::kAdd, typed, positions);
  return Norm(prefix + "LayerNorm", sum);
}

ValueId BertBuilder::Block(const std::string& prefix, ValueId x) {
  const std::int64_t hidden = shape_.hidden;
  const ValueId q = Project(prefix + "attention.self.query", x, hidden, hidden);
  const ValueId k = Project(prefix + "attention.self.key", x, hidden, hidden);
  const ValueId v = Project(prefix + "attention.self.value", x, hidden, hidden);
  AttentionAttrs attrs;
  attrs.kind = AttentionKind::kBidirectional;
  attrs.heads = static_cast<std::int32_t>(shape_.heads);
  attrs.kv_heads = attrs.heads;
  attrs.head_dim = static_cast<std::int32_t>(hidden / shape_.heads);
  attrs.value_dim = attrs.head_dim;
  attrs.scale = 1.0F / std::sqrt(static_cast<float>(attrs.head_dim));
  const ValueId mixed = builder_.Attention(prefix + "attention.self", q, k, v, attrs);
  const ValueId out = Project(prefix + "attention.output.dense", mixed, hidden, hidden);
  const ValueId attended = builder_.Binary(prefix + "attention.residual", BinaryKind::kAdd, x, out);
  x = Norm(prefix + "attention.output.LayerNorm", attended);
  const ValueId wide =
      Project(prefix + "intermediate.dense", x, shape_.intermediate, hidden, shape_.activation);
  const ValueId narrow = Project(prefix + "output.dense", wide, hidden, shape_.intermediate);
  return Norm(prefix + "output.LayerNorm",
              builder_.Binary(prefix + "output.residual", BinaryKind::kAdd, x, narrow));
}

Result<FamilyGraphs> BertBuilder::Build() {
  ValueId x = Embed();
  for (std::int64_t layer = 0; layer < shape_.layers; ++layer) {
    x = Block(prefix_ + "encoder.layer." + std::to_string(layer) + ".", x);
    ZB_RETURN_IF_ERROR(parameters_.status());
  }
  builder_.Output(step::kHidden, x);
  const std::string pooler = prefix_ + "pooler.dense";
  if (parameters_.Has(pooler + ".weight")) {
    const ValueId first =
        builder_.GatherRows(prefix_ + "pooler.first", x, builder_.Step().out_rows);
    builder_.Output("pooled",
                    Project(pooler, first, shape_.hidden, shape_.hidden, Activation::kTanh));
  }
  ZB_RETURN_IF_ERROR(parameters_.status());
  FamilyGraphs graphs;
  ZB_ASSIGN_OR_RETURN(Graph graph, std::move(builder_).Finish());
  graphs.plans.push_back(std::move(graph));
  graphs.info.family = "bert";
  graphs.info.vocab = shape_.vocab;
  graphs.info.hidden = shape_.hidden;
  graphs.info.context = shape_.positions;
  graphs.info.parameters = parameters_.count();
  return graphs;
}

Result<FamilyGraphs> Build(const nlohmann::json& config, const WeightSource& source,
                           const StepLimits& limits) {
  ConfigReader reader(config);
  const BertShape shape = ReadShape(reader);
  ZB_RETURN_IF_ERROR(reader.status());
  StepLimits own = limits;
  own.max_context =
      limits.max_context > 0 ? std::min(limits.max_context, shape.positions) : shape.positions;
  return BertBuilder(shape, source, own).Build();
}

}  // namespace

extern const Family kFamily_bert;
const Family kFamily_bert = {.name = "bert", .architectures = kArchitectures, .build = &Build};

}  // namespace zhibi::graph
