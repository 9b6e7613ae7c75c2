// SPDX-License-Identifier: Apache-2.0
// What llama makes of config.json and of tensors: profile, tied head, absurd values, missing,
// misshapen and unexpected tensors; and the table of families. The maths is tested against goldens
// (decoder_block_test.cc).
#include <limits>
#include <set>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/json.h"
#include "fake_source.h"
#include "graph/family.h"

namespace zhibi::test {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

TEST(FamilyTableTest, NamesAndArchitecturesAreUnique) {
  std::set<std::string_view> names;
  std::set<std::string_view> architectures;
  for (const graph::Family* family : graph::AllFamilies()) {
    EXPECT_TRUE(names.insert(family->name).second) << family->name;
    for (const auto name : family->architectures) EXPECT_TRUE(architectures.insert(name).second);
  }
  EXPECT_EQ(names,
            (std::set<std::string_view>{"bert", "llama", "mistral", "qwen2", "qwen3", "t5"}));
}

TEST(LlamaConfigTest, InfoAndProfile) {
  graph::StepLimits limits;
  limits.max_tokens = 100;
  const auto graphs =
      BuildFamily("LlamaForCausalLM", FakeConfig(R"(,"eos_token_id":[2,3],"bos_token_id":1)"),
                  FakeDecoder(), limits);
  ASSERT_TRUE(graphs.ok()) << graphs.status().ToString();
  EXPECT_EQ(graphs->info.family, "llama");
  EXPECT_EQ(graphs->info.context, 64);
  EXPECT_THAT(graphs->info.eos_ids, ElementsAre(2, 3));
  EXPECT_EQ(graphs->info.bos_id, 1);
  EXPECT_EQ(graphs->info.parameters, 2 * 16 * 8 + 2 * (2 * 8 * 8 + 2 * 4 * 8 + 3 * 12 * 8));
  const graph::Graph& step = graphs->plans.at(0);
  EXPECT_EQ(step.caches.at(0).elements_per_token, 8);
  for (const graph::Symbol& symbol : step.symbols) {
    if (symbol.name == "tokens") {
      EXPECT_EQ(symbol.max, 100);
    }
    if (symbol.name == "pages.kv") {
      EXPECT_EQ(symbol.max, 2);
    }
  }
}

TEST(LlamaConfigTest, ATiedHeadIsTheTableCountedOnce) {
  FakeSource source = FakeDecoder();
  source.shapes.erase("lm_head.weight");
  EXPECT_THAT(Fault("LlamaForCausalLM", FakeConfig(), source),
              AllOf(HasSubstr("tensor lm_head.weight: not found"), HasSubstr("expected [16, 8]")));
  const auto graphs =
      BuildFamily("LlamaForCausalLM", FakeConfig(R"(,"tie_word_embeddings":true)"), source);
  ASSERT_TRUE(graphs.ok()) << graphs.status().ToString();
  EXPECT_EQ(graphs->info.parameters, 16 * 8 + 2 * (2 * 8 * 8 + 2 * 4 * 8 + 3 * 12 * 8));
}

TEST(LlamaConfigTest, EveryMissingOrMisshapenTensorIsNamed) {
  const FakeSource whole = FakeDecoder();
  for (const auto& [name, shape] : whole.shapes) {
    FakeSource source = whole;
    source.shapes.erase(name);
    EXPECT_THAT(Fault("LlamaForCausalLM", FakeConfig(), source),
                AllOf(HasSubstr("tensor " + name), HasSubstr("expected [")));
    source = whole;
    source.shapes[name].back() += 1;
    EXPECT_THAT(Fault("LlamaForCausalLM", FakeConfig(), source),
                AllOf(HasSubstr("tensor " + name), HasSubstr("got [")));
    source.shapes[name] = {1, 1, 1};
    EXPECT_THAT(Fault("LlamaForCausalLM", FakeConfig(), source), HasSubstr("got [1, 1, 1]"));
  }
}

TEST(LlamaConfigTest, TensorsThatTheConfigDeniesAreRefused) {
  FakeSource source = WithQwenBiases();
  EXPECT_THAT(Fault("LlamaForCausalLM", FakeConfig(), source),
              HasSubstr("tensor model.layers.0.self_attn.q_proj.bias: expected none"));
  source = FakeDecoder();
  source.shapes["model.layers.1.self_attn.k_norm.weight"] = {4};
  EXPECT_THAT(Fault("LlamaForCausalLM", FakeConfig(), source), HasSubstr("no QK norm"));
}

TEST(LlamaConfigTest, AbsurdValuesAreNamed) {
  const std::pair<std::string, const char*> cases[] = {
      {R"({"vocab_size":0})", "vocab_size: expected 1..16777216, got 0"},
      {R"({"vocab_size":16,"hidden_size":-3})", "hidden_size: expected 1..65536, got -3"},
      {FakeConfig(R"(,"rms_norm_eps":0)"), "rms_norm_eps"},
      {FakeConfig(R"(,"rms_norm_eps":"tiny")"), "rms_norm_eps"},
      {FakeConfig(R"(,"hidden_act":"mish")"), "hidden_act"},
      {FakeConfig(R"(,"eos_token_id":16)"), "eos_token_id"},
      {FakeConfig(R"(,"attention_bias":"no")"), "attention_bias"},
      {FakeConfig(R"(,"num_local_experts":8)"), "num_local_experts"},
      {FakeConfig(R"(,"final_logit_softcapping":30.0)"), "final_logit_softcapping"},
      {FakeConfig(R"(,"logits_scaling":8.0)"), "logits_scaling"},
      {FakeConfig(R"(,"partial_rotary_factor":0.5)"), "partial_rotary_factor"},
      {FakeConfig(R"(,"quantization_config":{"quant_method":"awq"})"), "quant_method"},
      {"[]", "expected an object"},
  };
  for (const auto& [config, message] : cases) {
    EXPECT_THAT(Fault("LlamaForCausalLM", config),
                AllOf(HasSubstr("config.json"), HasSubstr(message)));
  }
  auto config = base::ParseJson(FakeConfig(), "config.json").value();
  const auto with = [&](const char* key, const nlohmann::json& value) {
    auto changed = config;
    changed[key] = value;
    return Fault("LlamaForCausalLM", changed.dump());
  };
  EXPECT_THAT(with("num_hidden_layers", 1000000), HasSubstr("num_hidden_layers: expected 1..1024"));
  EXPECT_THAT(with("num_attention_heads", 3), HasSubstr("q_proj"));
  EXPECT_THAT(with("num_key_value_heads", 3), HasSubstr("a divisor of num_attention_heads 2"));
  EXPECT_THAT(with("head_dim", 3), HasSubstr("head_dim: expected an even head size"));
  EXPECT_THAT(with("head_dim", 1 << 20), HasSubstr("head_dim: expected 2..1024"));
  EXPECT_THAT(with("hidden_size", std::numeric_limits<std::int64_t>::max()),
              HasSubstr("hidden_size"));
  config.erase("head_dim");
  EXPECT_TRUE(BuildFamily("LlamaForCausalLM", config.dump(), FakeDecoder()).ok());
  EXPECT_THAT(with("hidden_size", 9), HasSubstr("a multiple of num_attention_heads 2"));
  EXPECT_THAT(with("hidden_size", 2), HasSubstr("even head size"));
}

}  // namespace
}  // namespace zhibi::test
