// SPDX-License-Identifier: Apache-2.0
#include "graph/families/config_reader.h"

#include <cmath>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/json.h"

namespace zhibi::graph {
namespace {

using nlohmann::json;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

json Parse(const std::string& text) { return base::ParseJson(text, "test").value(); }

TEST(ConfigReaderTest, ReadsTypedValues) {
  const json config = Parse(
      R"({"n":7,"x":0.5,"b":true,"s":"t","null":null,"ids":[3,1],"id":4,"l":["a","b"],"act":"gelu_new"})");
  ConfigReader reader(config);
  EXPECT_EQ(reader.Int("n", 0, 9), 7);
  EXPECT_EQ(reader.IntOr("none", 5, 0, 9), 5);
  EXPECT_EQ(reader.IntOr("null", 5, 0, 9), 5);
  EXPECT_EQ(reader.Number("x", 0, 1), 0.5);
  EXPECT_EQ(reader.Number("n", 0, 10), 7);
  EXPECT_EQ(reader.NumberOr("none", 2, 0, 1), 2);
  EXPECT_TRUE(reader.BoolOr("b", false));
  EXPECT_TRUE(reader.BoolOr("null", true));
  EXPECT_EQ(reader.StringOr("s", ""), "t");
  EXPECT_THAT(reader.TokenIds("ids", 5), ElementsAre(3, 1));
  EXPECT_THAT(reader.TokenIds("id", 5), ElementsAre(4));
  EXPECT_TRUE(reader.TokenIds("null", 5).empty());
  EXPECT_THAT(reader.Strings("l", 2), ElementsAre("a", "b"));
  EXPECT_EQ(reader.ActivationOr("act", "silu"), Activation::kGeluTanh);
  EXPECT_EQ(reader.ActivationOr("none", "silu"), Activation::kSilu);
  EXPECT_TRUE(reader.IsPresent("null"));
  EXPECT_FALSE(reader.Has("null"));
  EXPECT_TRUE(reader.status().ok()) << reader.status().ToString();
}

std::string Fault(const std::string& text, void (*read)(ConfigReader&)) {
  const json config = Parse(text);
  ConfigReader reader(config);
  read(reader);
  return reader.status().message();
}

TEST(ConfigReaderTest, FaultsNameKeyExpectedAndGiven) {
  const auto n = [](ConfigReader& r) { (void)r.Int("n", 1, 65536); };
  EXPECT_EQ(Fault(R"({"n":-3})", n), "config.json: n: expected 1..65536, got -3");
  EXPECT_EQ(Fault(R"({"n":18446744073709551615})", n),
            "config.json: n: expected 1..65536, got 18446744073709551615");
  EXPECT_EQ(Fault(R"({"n":2.5})", n), "config.json: n: expected 1..65536, got 2.5");
  EXPECT_EQ(Fault(R"({"n":"12"})", n), "config.json: n: expected 1..65536, got \"12\"");
  EXPECT_EQ(Fault("{}", n), "config.json: n: expected 1..65536, got nothing");
  const auto huge = [](ConfigReader& r) {
    EXPECT_EQ(r.Int("n", 0, std::numeric_limits<std::int64_t>::max()), 0);
  };
  EXPECT_THAT(Fault(R"({"n":18446744073709551615})", huge), HasSubstr("got 18446744073709551615"));
  const auto x = [](ConfigReader& r) { (void)r.Number("x", 0.5, 2); };
  EXPECT_THAT(Fault(R"({"x":3})", x), HasSubstr("a number in 0.5..2.0, got 3"));
  EXPECT_THAT(Fault(R"({"x":[1]})", x), HasSubstr("got [1]"));
  const auto others = [](ConfigReader& r) { (void)r.BoolOr("b", false); };
  EXPECT_THAT(Fault(R"({"b":1})", others), HasSubstr("true or false, got 1"));
  EXPECT_THAT(Fault(R"({"s":1})", [](ConfigReader& r) { (void)r.StringOr("s", ""); }),
              HasSubstr("a string, got 1"));
  const auto ids = [](ConfigReader& r) { (void)r.TokenIds("e", 10); };
  for (const char* bad : {"10", "-1", "[1,10]", "\"x\"", "[null]", "1.0", "4294967297"}) {
    EXPECT_THAT(Fault(std::string(R"({"e":)") + bad + "}", ids), HasSubstr("in 0..9")) << bad;
  }
  const auto strings = [](ConfigReader& r) { EXPECT_EQ(r.Strings("l", 2).size(), 2U); };
  for (const char* bad : {"[\"a\"]", "[\"a\",1]", "3"}) {
    EXPECT_THAT(Fault(std::string(R"({"l":)") + bad + "}", strings), HasSubstr("2 strings"));
  }
  EXPECT_THAT(Fault(R"({"a":"mish"})", [](ConfigReader& r) { (void)r.ActivationOr("a", "silu"); }),
              AllOf(HasSubstr("\"mish\""), HasSubstr("gelu_pytorch_tanh")));
  EXPECT_THAT(Fault("[1]", n), HasSubstr("expected an object, got [1]"));
}

TEST(ConfigReaderTest, LongValuesAreCutInMessages) {
  json config = {{"n", std::string(10000, 'x')}, {"m", json::array()}};
  for (int i = 0; i < 1000; ++i) config["m"].push_back(i);
  ConfigReader reader(config);
  (void)reader.Int("n", 0, 1);
  EXPECT_LT(reader.status().message().size(), 200U);
  ConfigReader other(config);
  (void)other.Int("m", 0, 1);
  EXPECT_THAT(other.status().message(), HasSubstr("a list of 1000"));
}

TEST(ConfigReaderTest, TheFirstErrorIsKeptAndChildrenReport) {
  const json config = Parse(R"({"o":{"n":9},"p":3})");
  ConfigReader reader(config);
  ConfigReader child = reader.Object("o");
  (void)child.Int("n", 0, 1);
  reader.Take(child);
  reader.Take(reader.Object("p"));
  EXPECT_EQ(reader.status().message(), "config.json: o: n: expected 0..1, got 9");
  EXPECT_TRUE(reader.Object("none").status().ok());
  EXPECT_FALSE(reader.Object("p").status().ok());
}

TEST(ConfigReaderTest, KeysThatChangeTheMathsAreRefused) {
  const json config = Parse(R"({"a":0,"b":false,"c":null,"d":1.0,"e":2,"f":"x","g":[]})");
  for (const char* fine : {"a", "b", "c", "d", "none"}) {
    ConfigReader reader(config);
    reader.RefuseUnlessNeutral(fine, 1);
    EXPECT_TRUE(reader.status().ok()) << fine;
  }
  for (const char* bad : {"e", "f", "g"}) {
    ConfigReader reader(config);
    reader.RefuseUnlessNeutral(bad, 1);
    EXPECT_EQ(reader.status().code(), StatusCode::kUnimplemented);
    EXPECT_THAT(reader.status().message(), HasSubstr(std::string("config.json: ") + bad));
  }
}

std::vector<float> Frequencies(const std::string& text, std::int64_t dim) {
  const json config = Parse(text);
  ConfigReader reader(config);
  const std::vector<float> freq = ReadInverseFrequencies(reader, dim);
  EXPECT_TRUE(reader.status().ok()) << reader.status().ToString();
  return freq;
}

TEST(RopeTest, DefaultLinearAndLlama3) {
  for (const char* text : {"{}", R"({"rope_theta":10000,"rope_scaling":null})",
                           R"({"rope_parameters":{"rope_theta":10000.0,"rope_type":"default"}})",
                           R"({"rope_theta":5,"rope_parameters":{"rope_theta":10000.0}})"}) {
    const auto freq = Frequencies(text, 8);
    ASSERT_EQ(freq.size(), 4U);
    for (int i = 0; i < 4; ++i)
      EXPECT_FLOAT_EQ(freq[static_cast<std::size_t>(i)],
                      static_cast<float>(std::pow(10000.0, -i / 4.0)));
  }
  for (const char* key : {"type", "rope_type"}) {
    const auto freq = Frequencies(
        std::string(R"({"rope_theta":100,"rope_scaling":{")") + key + R"(":"linear","factor":4}})",
        4);
    EXPECT_THAT(freq, ElementsAre(0.25F, testing::FloatEq(0.025F)));
  }
  // Waves of 6.3, 62.8, 628 and 6283 positions against an old length of 640 / 4 and 640 / 1.
  const auto freq = Frequencies(
      R"({"rope_theta":10000,"rope_scaling":{"rope_type":"llama3","factor":8,"low_freq_factor":1,)"
      R"("high_freq_factor":4,"original_max_position_embeddings":640}})",
      8);
  EXPECT_FLOAT_EQ(freq[0], 1.0F);
  EXPECT_FLOAT_EQ(freq[1], 0.1F);
  const double smooth = (640 * 0.01 / (2 * 3.14159265358979) - 1) / 3;
  EXPECT_NEAR(freq[2], 0.01 * ((1 - smooth) / 8 + smooth), 1e-8);
  EXPECT_FLOAT_EQ(freq[3], 0.001F / 8);
}

TEST(RopeTest, UnknownAndAbsurdScalingsAreNamed) {
  const std::pair<const char*, const char*> cases[] = {
      {R"({"rope_scaling":{"rope_type":"yarn","factor":4}})", "rope_scaling: rope_type: expected"},
      {R"({"rope_scaling":{"type":"dynamic","factor":4}})", "rope_scaling: type: expected"},
      {R"({"rope_scaling":{"type":"linear","rope_type":"llama3","factor":4}})",
       "same as rope_type"},
      {R"({"rope_scaling":{"type":"linear"}})", "factor: expected a number in 1"},
      {R"({"rope_scaling":{"type":"linear","factor":0.5}})", "factor"},
      {R"({"rope_scaling":{"type":"linear","factor":2,"attention_factor":1.5}})",
       "attention_factor"},
      {R"({"rope_scaling":"linear"})", "rope_scaling: expected an object"},
      {R"({"rope_theta":0})", "rope_theta"},
      {R"({"rope_theta":1e300})", "rope_theta"},
      {R"({"rope_parameters":{"rope_theta":0.1}})", "rope_parameters: rope_theta"},
      {R"({"rope_parameters":{"full_attention":{"rope_theta":1}}})", "full_attention"},
      {R"({"rope_parameters":{"rope_theta":10,"partial_rotary_factor":0.5}})", "partial_rotary"},
      {R"({"rope_scaling":{"type":"llama3","factor":8,"low_freq_factor":4,"high_freq_factor":4,)"
       R"("original_max_position_embeddings":64}})",
       "more than low_freq_factor"},
      {R"({"rope_scaling":{"type":"llama3","factor":8,"low_freq_factor":1,"high_freq_factor":4}})",
       "original_max_position_embeddings: expected 1..16777216, got nothing"},
  };
  for (const auto& [text, message] : cases) {
    const json config = Parse(text);
    ConfigReader reader(config);
    (void)ReadInverseFrequencies(reader, 8);
    EXPECT_THAT(reader.status().message(), HasSubstr(message)) << text;
  }
}

std::string Quantization(const std::string& text) {
  const json config = Parse(R"({"quantization_config":)" + text + "}");
  ConfigReader reader(config);
  CheckQuantization(reader);
  return reader.status().message();
}

TEST(QuantizationTest, Int8PerChannelIsTakenTheRestNamed) {
  EXPECT_EQ(Quantization("null"), "");
  const std::string good =
      R"({"quant_method":"compressed-tensors","format":"int-quantized","config_groups":{"g":{)"
      R"("weights":{"num_bits":8,"type":"int","strategy":"channel","symmetric":true},)";
  EXPECT_EQ(Quantization(good + R"("input_activations":null}}})"), "");
  EXPECT_EQ(Quantization(good + R"("input_activations":{"num_bits":8,"type":"int","dynamic":true,)"
                                R"("strategy":"token"}}}})"),
            "");
  const std::pair<std::string, const char*> cases[] = {
      {R"({"quant_method":"gptq","bits":4})", "quant_method: expected \"compressed-tensors\""},
      {"{}", "quant_method"},
      {"3", "quantization_config: expected an object"},
      {R"({"quant_method":"compressed-tensors","format":"pack-quantized"})", "format: expected"},
      {R"({"quant_method":"compressed-tensors","kv_cache_scheme":{"num_bits":8}})",
       "kv_cache_scheme"},
      {R"({"quant_method":"compressed-tensors","config_groups":{"g":{}}})",
       "config_groups: g: weights: expected a scheme"},
      {R"({"quant_method":"compressed-tensors","config_groups":{"g":3}})", "g: expected an object"},
      {good + R"("input_activations":{"num_bits":8,"type":"int","dynamic":false}}}})",
       "input_activations: dynamic"},
      {good + R"("output_activations":{"num_bits":8}}}})", "output_activations"},
  };
  for (const auto& [text, message] : cases) {
    EXPECT_THAT(Quantization(text), HasSubstr(message)) << text;
  }
  for (const char* bad :
       {R"("num_bits":4)", R"("type":"float")", R"("symmetric":false)", R"("strategy":"group")"}) {
    const std::string text =
        std::string(R"({"quant_method":"compressed-tensors","config_groups":{"g":{"weights":{)") +
        bad + "}}}}";
    EXPECT_THAT(Quantization(text), HasSubstr("config_groups: g: weights: ")) << bad;
  }
}

}  // namespace
}  // namespace zhibi::graph
