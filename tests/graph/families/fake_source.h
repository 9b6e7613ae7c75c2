// SPDX-License-Identifier: Apache-2.0
// A WeightSource that answers names with shapes and no bytes, configs that fit it, and what
// building a family says of them. For the tests of this folder.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/json.h"
#include "graph/family.h"
#include "graph/ops/attention.h"
#include "graph/weights.h"

namespace zhibi::test {

class FakeSource : public graph::WeightSource {
 public:
  // Takes names and shapes of another source.
  std::map<std::string, std::vector<std::int64_t>, std::less<>> shapes;

  Result<graph::StoredTensor> Find(std::string_view name) const override {
    const auto at = shapes.find(name);
    if (at == shapes.end()) {
      return NotFoundError("tensor " + std::string(name) + ": not found in fake");
    }
    return graph::StoredTensor{DType::kF32, at->second, {}, {}};
  }
  bool Contains(std::string_view name) const override { return shapes.contains(name); }
};

// The tensors that a LLaMA-shaped config implies: hidden 8, intermediate 12, 2 layers, 2 heads, 1
// KV head, vocab 16, head_dim 4.
inline FakeSource FakeDecoder() {
  FakeSource source;
  source.shapes = {{"model.embed_tokens.weight", {16, 8}},
                   {"model.norm.weight", {8}},
                   {"lm_head.weight", {16, 8}}};
  for (const char* layer : {"0", "1"}) {
    const std::string prefix = std::string("model.layers.") + layer + ".";
    source.shapes[prefix + "input_layernorm.weight"] = {8};
    source.shapes[prefix + "post_attention_layernorm.weight"] = {8};
    source.shapes[prefix + "self_attn.q_proj.weight"] = {8, 8};
    source.shapes[prefix + "self_attn.k_proj.weight"] = {4, 8};
    source.shapes[prefix + "self_attn.v_proj.weight"] = {4, 8};
    source.shapes[prefix + "self_attn.o_proj.weight"] = {8, 8};
    source.shapes[prefix + "mlp.gate_proj.weight"] = {12, 8};
    source.shapes[prefix + "mlp.up_proj.weight"] = {12, 8};
    source.shapes[prefix + "mlp.down_proj.weight"] = {8, 12};
  }
  return source;
}

// The config that FakeDecoder's tensors belong to; "extra" is put in front of the closing brace.
inline std::string FakeConfig(const std::string& extra = "") {
  return R"({"vocab_size":16,"hidden_size":8,"intermediate_size":12,"num_hidden_layers":2,)"
         R"("num_attention_heads":2,"num_key_value_heads":1,"head_dim":4,)"
         R"("max_position_embeddings":64)" +
         extra + "}";
}

inline Result<graph::FamilyGraphs> BuildFamily(const char* architecture, const std::string& config,
                                               const graph::WeightSource& source,
                                               const graph::StepLimits& limits = {}) {
  const auto family = graph::FindFamily(architecture);
  if (!family.ok()) return family.status();
  return (*family)->build(base::ParseJson(config, "config.json").value(), source, limits);
}

// The message of a build that fails; empty where it succeeds.
inline std::string Fault(const char* architecture, const std::string& config,
                         const graph::WeightSource& source = FakeDecoder()) {
  const auto graphs = BuildFamily(architecture, config, source);
  return graphs.ok() ? std::string() : graphs.status().message();
}

// Of all attention nodes of the first plan, in order.
inline std::vector<std::int32_t> Windows(const Result<graph::FamilyGraphs>& graphs) {
  std::vector<std::int32_t> windows;
  if (!graphs.ok()) {
    ADD_FAILURE() << graphs.status().ToString();
    return windows;
  }
  for (const graph::Node& node : graphs->plans.at(0).nodes) {
    if (node.op == "attention") windows.push_back(node.attrs.As<graph::AttentionAttrs>().window);
  }
  return windows;
}

// FakeDecoder with the biases of Qwen2.
inline FakeSource WithQwenBiases() {
  FakeSource source = FakeDecoder();
  for (const char* layer : {"0", "1"}) {
    const std::string prefix = std::string("model.layers.") + layer + ".self_attn.";
    source.shapes[prefix + "q_proj.bias"] = {8};
    source.shapes[prefix + "k_proj.bias"] = {4};
    source.shapes[prefix + "v_proj.bias"] = {4};
  }
  return source;
}

}  // namespace zhibi::test
