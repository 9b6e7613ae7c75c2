// SPDX-License-Identifier: Apache-2.0
// Any JSON as config.json: every family reads it and, where it fits the tiny tensors below, builds
// its plans. A graph that is built must be valid.
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "base/json.h"
#include "graph/family.h"
#include "graph/graph.h"
#include "graph/weights.h"

namespace {

using Shape = std::vector<std::int64_t>;

// Names and shapes without bytes: hidden 8, intermediate 12, 2 layers, 2 heads of 4, vocab 16.
class TinySource : public zhibi::graph::WeightSource {
 public:
  explicit TinySource(std::string_view family) {
    if (family == "bert") {
      Bert();
    } else if (family == "t5") {
      T5();
    } else {
      Decoder(family == "qwen2", family == "qwen3");
    }
  }
  zhibi::Result<zhibi::graph::StoredTensor> Find(std::string_view name) const override {
    const auto at = shapes_.find(name);
    if (at == shapes_.end()) return zhibi::NotFoundError("tensor " + std::string(name));
    return zhibi::graph::StoredTensor{zhibi::DType::kF32, at->second, {}, {}};
  }
  bool Contains(std::string_view name) const override { return shapes_.contains(name); }

 private:
  void Put(const std::string& name, Shape shape) { shapes_[name] = std::move(shape); }

  void Decoder(bool biases, bool norms) {
    Put("model.embed_tokens.weight", {16, 8});
    Put("model.norm.weight", {8});
    Put("lm_head.weight", {16, 8});
    for (const char* layer : {"0.", "1."}) {
      const std::string prefix = std::string("model.layers.") + layer;
      Put(prefix + "input_layernorm.weight", {8});
      Put(prefix + "post_attention_layernorm.weight", {8});
      for (const char* name : {"q", "k", "v"}) {
        const std::string proj = prefix + "self_attn." + name;
        const std::int64_t rows = name[0] == 'q' ? 8 : 4;
        Put(proj + "_proj.weight", {rows, 8});
        if (biases) Put(proj + "_proj.bias", {rows});
        if (norms && name[0] != 'v') Put(proj + "_norm.weight", {4});
      }
      Put(prefix + "self_attn.o_proj.weight", {8, 8});
      Put(prefix + "mlp.gate_proj.weight", {12, 8});
      Put(prefix + "mlp.up_proj.weight", {12, 8});
      Put(prefix + "mlp.down_proj.weight", {8, 12});
    }
  }

  void Dense(const std::string& name, std::int64_t rows, std::int64_t cols) {
    Put(name + ".weight", {rows, cols});
    Put(name + ".bias", {rows});
  }

  void Bert() {
    for (const char* name : {"word_embeddings", "token_type_embeddings", "position_embeddings"}) {
      Put(std::string("embeddings.") + name + ".weight", {16, 8});
    }
    Put("embeddings.LayerNorm.gamma", {8});
    Put("embeddings.LayerNorm.beta", {8});
    for (const char* layer : {"0.", "1."}) {
      const std::string prefix = std::string("encoder.layer.") + layer;
      for (const char* name : {"self.query", "self.key", "self.value", "output.dense"}) {
        Dense(prefix + "attention." + name, 8, 8);
      }
      for (const char* name : {"attention.output.LayerNorm", "output.LayerNorm"}) {
        Put(prefix + name + ".weight", {8});
        Put(prefix + name + ".bias", {8});
      }
      Dense(prefix + "intermediate.dense", 12, 8);
      Dense(prefix + "output.dense", 8, 12);
    }
    Dense("pooler.dense", 8, 8);
  }

  void T5() {
    Put("shared.weight", {16, 8});
    for (const char* stack : {"encoder.", "decoder."}) {
      Put(std::string(stack) + "final_layer_norm.weight", {8});
      Put(std::string(stack) + "block.0.layer.0.SelfAttention.relative_attention_bias.weight",
          {8, 2});
      for (const char* layer : {"0.", "1."}) {
        const std::string prefix = std::string(stack) + "block." + layer;
        for (const char* part : {"layer.0.", "layer.1.", "layer.2."}) {
          Put(prefix + part + "layer_norm.weight", {8});
          for (const char* name : {"wi", "wi_0", "wi_1"}) {
            Put(prefix + part + "DenseReluDense." + name + ".weight", {12, 8});
          }
          Put(prefix + part + "DenseReluDense.wo.weight", {8, 12});
          for (const char* name : {"q", "k", "v", "o"}) {
            Put(prefix + part + "SelfAttention." + name + ".weight", {8, 8});
            Put(prefix + part + "EncDecAttention." + name + ".weight", {8, 8});
          }
        }
      }
    }
  }

  std::map<std::string, Shape, std::less<>> shapes_;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto config = zhibi::base::ParseJson(text, "config.json");
  if (!config.ok()) return 0;
  for (const zhibi::graph::Family* family : zhibi::graph::AllFamilies()) {
    const TinySource source(family->name);
    const auto graphs = family->build(*config, source, {});
    if (!graphs.ok()) continue;
    for (const zhibi::graph::Graph& graph : graphs->plans) {
      if (!zhibi::graph::Validate(graph).ok()) __builtin_trap();
    }
  }
  return 0;
}
