// SPDX-License-Identifier: Apache-2.0
// Reads config.json for the families: typed, range-checked, the first error kept, so that a family
// reads as a list of keys. Config files are foreign: a wrong type, an absurd size or a key that
// would change the maths in a way zhibi does not know is an error that names the key, what was
// expected and what came; it is never ignored. One thread at a time.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "graph/ops/activation.h"
#include "zhibi/status.h"

namespace zhibi::graph {

class ConfigReader {
 public:
  // `where` opens every message: "config.json". The object outlives the reader.
  explicit ConfigReader(const nlohmann::json& object, std::string where = "config.json");

  // Present, whatever its value; and present and not null.
  bool IsPresent(std::string_view key) const;
  bool Has(std::string_view key) const;

  // A whole number in low..high. The `Or` forms answer `fallback` where the key is absent or null.
  std::int64_t Int(std::string_view key, std::int64_t low, std::int64_t high);
  std::int64_t IntOr(std::string_view key, std::int64_t fallback, std::int64_t low,
                     std::int64_t high);
  // A finite number in low..high, both included.
  double Number(std::string_view key, double low, double high);
  double NumberOr(std::string_view key, double fallback, double low, double high);
  bool BoolOr(std::string_view key, bool fallback);
  std::string StringOr(std::string_view key, std::string_view fallback);
  std::vector<std::string> Strings(std::string_view key, std::size_t count);
  // One token id or a list of them, each in 0..vocab-1; empty where absent or null.
  std::vector<std::int32_t> TokenIds(std::string_view key, std::int64_t vocab);
  // An activation by its name in transformers ("silu", "gelu_new", ...).
  Activation ActivationOr(std::string_view key, std::string_view fallback);

  // A reader of a nested object; an absent, null or non-object value reads as an empty object (the
  // last with an error). Errors of the child reach the parent through Take.
  ConfigReader Object(std::string_view key);
  void Take(const ConfigReader& child);

  // kUnimplemented unless the key is absent, null, false, 0 or (where given) equal to `neutral`.
  void RefuseUnlessNeutral(std::string_view key, double neutral = 0);
  void Fail(Status status);  // keeps the first
  // "config.json: key: expected X, got VALUE"
  void FailKey(std::string_view key, std::string_view expected,
               StatusCode code = StatusCode::kInvalidArgument);

  const Status& status() const { return status_; }
  const nlohmann::json& object() const { return *object_; }

 private:
  const nlohmann::json* Find(std::string_view key) const;

  const nlohmann::json* object_;
  std::string where_;
  Status status_;
};

// Accepts no quantization or int8 per output channel in the compressed-tensors layout; everything
// else is kUnimplemented and names the key.
void CheckQuantization(ConfigReader& reader);

// Inverse frequencies of RoPE, [rotary_dim / 2], from rope_parameters (transformers 5), or
// rope_scaling (key `rope_type` or the older `type`) and rope_theta. Types default, linear (Chen et
// al. 2023) and llama3 (the scaling that Llama 3.1 brought); others are kUnimplemented.
std::vector<float> ReadInverseFrequencies(ConfigReader& reader, std::int64_t rotary_dim);

}  // namespace zhibi::graph
