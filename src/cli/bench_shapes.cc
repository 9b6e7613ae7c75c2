// SPDX-License-Identifier: Apache-2.0
#include "cli/bench_shapes.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <string>

#include <nlohmann/json.hpp>

namespace zhibi::cli {
namespace {

using nlohmann::json;

struct Shape {
  std::string_view name;
  const char* architecture;
  int hidden, layers, intermediate, heads, kv_heads, vocab;
};

// 0.5b: Qwen2.5-0.5B; 135m: SmolLM2-135M; 30m: a model of zhibi-mini's kind, 33.9 M parameters.
constexpr Shape kShapes[] = {
    {"30m", "LlamaForCausalLM", 512, 8, 1664, 8, 2, 16000},
    {"135m", "LlamaForCausalLM", 576, 30, 1536, 9, 3, 49152},
    {"0.5b", "Qwen2ForCausalLM", 896, 24, 4864, 14, 2, 151936},
};

std::uint64_t NextRandom(std::uint64_t& state) {
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return state;
}

class RandomSource : public graph::WeightSource {
 public:
  explicit RandomSource(const json& config) {
    const auto hidden = config.at("hidden_size").get<std::int64_t>();
    const auto intermediate = config.at("intermediate_size").get<std::int64_t>();
    const auto vocab = config.at("vocab_size").get<std::int64_t>();
    const auto kv = config.at("num_key_value_heads").get<std::int64_t>() * 64;
    const bool biases = config.at("architectures").at(0) == "Qwen2ForCausalLM";
    Add("model.embed_tokens.weight", {vocab, hidden});
    Add("model.norm.weight", {hidden});
    for (std::int64_t layer = 0; layer < config.at("num_hidden_layers").get<std::int64_t>();
         ++layer) {
      const std::string prefix = "model.layers." + std::to_string(layer) + ".";
      Add(prefix + "input_layernorm.weight", {hidden});
      Add(prefix + "post_attention_layernorm.weight", {hidden});
      Add(prefix + "self_attn.q_proj.weight", {hidden, hidden});
      Add(prefix + "self_attn.k_proj.weight", {kv, hidden});
      Add(prefix + "self_attn.v_proj.weight", {kv, hidden});
      Add(prefix + "self_attn.o_proj.weight", {hidden, hidden});
      Add(prefix + "mlp.gate_proj.weight", {intermediate, hidden});
      Add(prefix + "mlp.up_proj.weight", {intermediate, hidden});
      Add(prefix + "mlp.down_proj.weight", {hidden, intermediate});
      if (biases) {
        Add(prefix + "self_attn.q_proj.bias", {hidden});
        Add(prefix + "self_attn.k_proj.bias", {kv});
        Add(prefix + "self_attn.v_proj.bias", {kv});
      }
    }
    std::uint64_t state = 0x2545F4914F6CDD1DU;
    block_.resize(static_cast<std::size_t>(largest_) + kSpread);
    for (std::size_t i = 0; i + 8 <= block_.size(); i += 8) {
      const std::uint64_t bits = NextRandom(state);
      std::memcpy(block_.data() + i, &bits, 8);
    }
    // Rows of about unit gain keep activations finite through any depth.
    scales_.assign(static_cast<std::size_t>(std::max(vocab, intermediate) + hidden),
                   1.0F / (74.0F * 30.0F));
    ones_.assign(static_cast<std::size_t>(hidden + kv), 1.0F);
  }

  Result<graph::StoredTensor> Find(std::string_view name) const override {
    const auto found = shapes_.find(name);
    if (found == shapes_.end())
      return NotFoundError("random weights have no tensor " + std::string(name));
    graph::StoredTensor tensor;
    tensor.shape = found->second.shape;
    if (tensor.shape.size() == 1) {
      tensor.dtype = DType::kF32;
      tensor.bytes =
          std::as_bytes(std::span(ones_)).first(static_cast<std::size_t>(tensor.shape[0]) * 4);
      return tensor;
    }
    tensor.dtype = DType::kI8;
    const auto bytes = static_cast<std::size_t>(tensor.shape[0] * tensor.shape[1]);
    tensor.bytes = std::as_bytes(std::span(block_)).subspan(found->second.offset, bytes);
    tensor.row_scales = std::span(scales_).first(static_cast<std::size_t>(tensor.shape[0]));
    return tensor;
  }

  bool Contains(std::string_view name) const override {
    return shapes_.find(name) != shapes_.end();
  }

 private:
  static constexpr std::size_t kSpread = std::size_t{8} << 20;
  struct Place {
    std::vector<std::int64_t> shape;
    std::size_t offset;
  };

  void Add(const std::string& name, std::vector<std::int64_t> shape) {
    std::int64_t elements = 1;
    for (const std::int64_t size : shape) elements *= size;
    largest_ = elements > largest_ ? elements : largest_;
    shapes_[name] = {std::move(shape), shapes_.size() * std::size_t{4099} % kSpread};
  }

  std::map<std::string, Place, std::less<>> shapes_;
  std::int64_t largest_ = 0;
  std::vector<std::uint8_t> block_;
  std::vector<float> scales_;
  std::vector<float> ones_;
};

}  // namespace

std::vector<std::string_view> BenchShapes() {
  std::vector<std::string_view> names;
  for (const Shape& shape : kShapes) names.push_back(shape.name);
  return names;
}

Result<json> BenchShapeConfig(std::string_view name) {
  std::string known;
  for (const Shape& shape : kShapes) {
    known += (known.empty() ? "" : ", ") + std::string(shape.name);
    if (shape.name != name) continue;
    const json config{{"architectures", {shape.architecture}},
                      {"hidden_size", shape.hidden},
                      {"num_hidden_layers", shape.layers},
                      {"intermediate_size", shape.intermediate},
                      {"num_attention_heads", shape.heads},
                      {"num_key_value_heads", shape.kv_heads},
                      {"vocab_size", shape.vocab},
                      {"hidden_act", "silu"},
                      {"rms_norm_eps", 1e-6},
                      {"rope_theta", 1000000.0},
                      {"max_position_embeddings", 8192},
                      {"tie_word_embeddings", true},
                      {"eos_token_id", 2}};
    // As a file would be read: counts are unsigned there.
    return json::parse(config.dump());
  }
  return InvalidArgumentError("shape \"" + std::string(name) + "\": expected one of " + known);
}

std::unique_ptr<graph::WeightSource> RandomWeights(const json& config) {
  return std::make_unique<RandomSource>(config);
}

}  // namespace zhibi::cli
