// SPDX-License-Identifier: Apache-2.0
#include "graph/families/config_reader.h"

#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <utility>

#include <nlohmann/json.hpp>

namespace zhibi::graph {
namespace {

using nlohmann::json;

const json& EmptyObject() {
  static const json kEmpty = json::object();
  return kEmpty;
}

// What a message shows of a foreign value.
std::string Shown(const json& value) {
  constexpr std::size_t kLongest = 80;
  if (value.is_structured() && value.size() > 16) {
    return std::string(value.is_array() ? "a list" : "an object") + " of " +
           std::to_string(value.size());
  }
  std::string text = value.dump(-1, ' ', true, json::error_handler_t::replace);
  if (text.size() > kLongest) text = text.substr(0, kLongest) + "...";
  return text;
}

std::string Range(double low, double high) {
  json bounds = {low, high};
  return "a number in " + bounds[0].dump() + ".." + bounds[1].dump();
}

struct ActivationRow {
  std::string_view name;
  Activation activation;
};
constexpr std::array<ActivationRow, 10> kActivations = {
    {{"silu", Activation::kSilu},
     {"swish", Activation::kSilu},
     {"relu", Activation::kRelu},
     {"gelu", Activation::kGeluErf},
     {"gelu_new", Activation::kGeluTanh},
     {"gelu_fast", Activation::kGeluTanh},
     {"gelu_pytorch_tanh", Activation::kGeluTanh},
     {"tanh", Activation::kTanh},
     {"sigmoid", Activation::kSigmoid},
     {"linear", Activation::kNone}}};

}  // namespace

ConfigReader::ConfigReader(const nlohmann::json& object, std::string where)
    : object_(&object), where_(std::move(where)) {
  if (!object.is_object()) {
    Fail(InvalidArgumentError(where_ + ": expected an object, got " + Shown(object)));
    object_ = &EmptyObject();
  }
}

const nlohmann::json* ConfigReader::Find(std::string_view key) const {
  const auto at = object_->find(key);
  return at == object_->end() || at->is_null() ? nullptr : &*at;
}

bool ConfigReader::IsPresent(std::string_view key) const { return object_->contains(key); }

bool ConfigReader::Has(std::string_view key) const { return Find(key) != nullptr; }

void ConfigReader::Fail(Status status) {
  if (status_.ok()) status_ = std::move(status);
}

void ConfigReader::FailKey(std::string_view key, std::string_view expected, StatusCode code) {
  const json* value = Find(key);
  Fail(Status(code, where_ + ": " + std::string(key) + ": expected " + std::string(expected) +
                        ", got " + (value != nullptr ? Shown(*value) : "nothing")));
}

std::int64_t ConfigReader::Int(std::string_view key, std::int64_t low, std::int64_t high) {
  const json* value = Find(key);
  if (value != nullptr && value->is_number_integer()) {
    // Unsigned values above the signed range come out negative only when read as signed.
    const bool huge =
        value->is_number_unsigned() &&
        value->get<std::uint64_t>() > std::uint64_t{std::numeric_limits<std::int64_t>::max()};
    const std::int64_t number = huge ? high : value->get<std::int64_t>();
    if (!huge && number >= low && number <= high) return number;
  }
  FailKey(key, std::to_string(low) + ".." + std::to_string(high));
  return low;
}

std::int64_t ConfigReader::IntOr(std::string_view key, std::int64_t fallback, std::int64_t low,
                                 std::int64_t high) {
  return Has(key) ? Int(key, low, high) : fallback;
}

double ConfigReader::Number(std::string_view key, double low, double high) {
  const json* value = Find(key);
  if (value != nullptr && value->is_number()) {
    const auto number = value->get<double>();
    if (number >= low && number <= high) return number;
  }
  FailKey(key, Range(low, high));
  return low;
}

double ConfigReader::NumberOr(std::string_view key, double fallback, double low, double high) {
  return Has(key) ? Number(key, low, high) : fallback;
}

bool ConfigReader::BoolOr(std::string_view key, bool fallback) {
  const json* value = Find(key);
  if (value == nullptr) return fallback;
  if (value->is_boolean()) return value->get<bool>();
  FailKey(key, "true or false");
  return fallback;
}

std::string ConfigReader::StringOr(std::string_view key, std::string_view fallback) {
  const json* value = Find(key);
  if (value == nullptr) return std::string(fallback);
  if (value->is_string()) return value->get<std::string>();
  FailKey(key, "a string");
  return std::string(fallback);
}

std::vector<std::string> ConfigReader::Strings(std::string_view key, std::size_t count) {
  std::vector<std::string> strings;
  const json* value = Find(key);
  if (value != nullptr && value->is_array() && value->size() == count) {
    for (const json& entry : *value) {
      if (entry.is_string()) strings.push_back(entry.get<std::string>());
    }
  }
  if (strings.size() != count) FailKey(key, "a list of " + std::to_string(count) + " strings");
  strings.resize(count);
  return strings;
}

std::vector<std::int32_t> ConfigReader::TokenIds(std::string_view key, std::int64_t vocab) {
  std::vector<std::int32_t> ids;
  const json* value = Find(key);
  if (value == nullptr) return ids;
  const json list = value->is_array() ? *value : json::array({*value});
  for (const json& entry : list) {
    const bool fits = entry.is_number_unsigned() &&
                      entry.get<std::uint64_t>() < static_cast<std::uint64_t>(vocab);
    if (!fits) {
      FailKey(key, "a token id or a list of them in 0.." + std::to_string(vocab - 1));
      return {};
    }
    ids.push_back(entry.get<std::int32_t>());
  }
  return ids;
}

Activation ConfigReader::ActivationOr(std::string_view key, std::string_view fallback) {
  const std::string name = StringOr(key, fallback);
  std::string known;
  for (const ActivationRow& row : kActivations) {
    if (row.name == name) return row.activation;
    known += (known.empty() ? "" : ", ") + std::string(row.name);
  }
  FailKey(key, "one of " + known, StatusCode::kUnimplemented);
  return Activation::kNone;
}

ConfigReader ConfigReader::Object(std::string_view key) {
  const json* value = Find(key);
  return ConfigReader(value != nullptr ? *value : EmptyObject(), where_ + ": " + std::string(key));
}

void ConfigReader::Take(const ConfigReader& child) { Fail(child.status()); }

void ConfigReader::RefuseUnlessNeutral(std::string_view key, double neutral) {
  const json* value = Find(key);
  if (value == nullptr) return;
  if (value->is_boolean() && !value->get<bool>()) return;
  if (value->is_number() && (value->get<double>() == 0 || value->get<double>() == neutral)) return;
  FailKey(key, "no such key: zhibi does not know this variant of the family",
          StatusCode::kUnimplemented);
}

namespace {

// One scheme ("weights", "input_activations") of a compressed-tensors group.
void CheckScheme(ConfigReader& group, std::string_view key, bool is_weight) {
  if (!group.Has(key)) {
    if (is_weight) group.FailKey(key, "a scheme");
    return;
  }
  ConfigReader scheme = group.Object(key);
  constexpr StatusCode kCode = StatusCode::kUnimplemented;
  if (scheme.IntOr("num_bits", 8, 1, 64) != 8) scheme.FailKey("num_bits", "8", kCode);
  if (scheme.StringOr("type", "int") != "int") scheme.FailKey("type", "\"int\"", kCode);
  if (!scheme.BoolOr("symmetric", true)) scheme.FailKey("symmetric", "true", kCode);
  if (is_weight) {
    if (scheme.StringOr("strategy", "channel") != "channel") {
      scheme.FailKey("strategy", "\"channel\"", kCode);
    }
  } else if (!scheme.BoolOr("dynamic", false)) {
    scheme.FailKey("dynamic", "true (activations are quantised as they come)", kCode);
  }
  group.Take(scheme);
}

void CheckCompressedTensors(ConfigReader& quantization) {
  constexpr StatusCode kCode = StatusCode::kUnimplemented;
  const std::string format = quantization.StringOr("format", "int-quantized");
  if (format != "int-quantized" && format != "naive-quantized") {
    quantization.FailKey("format", "\"int-quantized\" or \"naive-quantized\"", kCode);
  }
  quantization.RefuseUnlessNeutral("kv_cache_scheme");
  ConfigReader groups = quantization.Object("config_groups");
  for (const auto& item : groups.object().items()) {
    ConfigReader group = groups.Object(item.key());
    CheckScheme(group, "weights", true);
    CheckScheme(group, "input_activations", false);
    group.RefuseUnlessNeutral("output_activations");
    groups.Take(group);
  }
  quantization.Take(groups);
}

struct RopeScaling {
  std::string type = "default";
  double factor = 1;
  double low = 1;
  double high = 4;
  double old_length = 8192;
};

RopeScaling ReadScaling(ConfigReader& rope) {
  RopeScaling scaling;
  scaling.type = rope.StringOr("rope_type", rope.StringOr("type", "default"));
  if (rope.Has("rope_type") && rope.StringOr("type", scaling.type) != scaling.type) {
    rope.FailKey("type", "the same as rope_type");
  }
  if (scaling.type == "default") return scaling;
  if (scaling.type != "linear" && scaling.type != "llama3") {
    rope.FailKey(rope.Has("rope_type") ? "rope_type" : "type",
                 "\"default\", \"linear\" or \"llama3\"", StatusCode::kUnimplemented);
    return scaling;
  }
  scaling.factor = rope.Number("factor", 1, 1e6);
  rope.RefuseUnlessNeutral("attention_factor", 1);
  if (scaling.type == "llama3") {
    scaling.low = rope.Number("low_freq_factor", 1e-6, 1e6);
    scaling.high = rope.Number("high_freq_factor", 1e-6, 1e6);
    scaling.old_length =
        static_cast<double>(rope.Int("original_max_position_embeddings", 1, 1 << 24));
    if (scaling.high <= scaling.low) {
      rope.FailKey("high_freq_factor", "more than low_freq_factor");
    }
  }
  return scaling;
}

double Scale(double freq, const RopeScaling& scaling) {
  if (scaling.type == "linear") return freq / scaling.factor;
  if (scaling.type != "llama3") return freq;
  // Long waves are stretched, short ones kept, the band between blended.
  const double wave = 2 * std::numbers::pi / freq;
  if (wave < scaling.old_length / scaling.high) return freq;
  if (wave > scaling.old_length / scaling.low) return freq / scaling.factor;
  const double smooth = (scaling.old_length / wave - scaling.low) / (scaling.high - scaling.low);
  return (1 - smooth) * freq / scaling.factor + smooth * freq;
}

}  // namespace

void CheckQuantization(ConfigReader& reader) {
  for (const char* key : {"quantization_config", "compression_config"}) {
    if (!reader.Has(key)) continue;
    ConfigReader quantization = reader.Object(key);
    if (quantization.StringOr("quant_method", "") != "compressed-tensors") {
      quantization.FailKey("quant_method", "\"compressed-tensors\"", StatusCode::kUnimplemented);
    } else {
      CheckCompressedTensors(quantization);
    }
    reader.Take(quantization);
  }
}

std::vector<float> ReadInverseFrequencies(ConfigReader& reader, std::int64_t rotary_dim) {
  constexpr double kLargestTheta = 1e15;
  const char* key = reader.Has("rope_parameters") ? "rope_parameters" : "rope_scaling";
  ConfigReader rope = reader.Object(key);
  for (const auto& item : rope.object().items()) {
    if (!item.value().is_object()) continue;
    rope.FailKey(item.key(), "no nested object: RoPE parameters per kind of layer are not known",
                 StatusCode::kUnimplemented);
  }
  const RopeScaling scaling = ReadScaling(rope);
  rope.RefuseUnlessNeutral("partial_rotary_factor", 1);
  const double theta = rope.Has("rope_theta")
                           ? rope.Number("rope_theta", 1, kLargestTheta)
                           : reader.NumberOr("rope_theta", 10000, 1, kLargestTheta);
  reader.Take(rope);
  // Powers in float, as the reference implementations compute them.
  std::vector<float> inverse(static_cast<std::size_t>(rotary_dim / 2));
  for (std::size_t i = 0; i < inverse.size(); ++i) {
    const float exponent = static_cast<float>(2 * i) / static_cast<float>(rotary_dim);
    const auto power = static_cast<float>(std::pow(theta, static_cast<double>(exponent)));
    inverse[i] = static_cast<float>(Scale(static_cast<double>(1.0F / power), scaling));
  }
  return inverse;
}

}  // namespace zhibi::graph
