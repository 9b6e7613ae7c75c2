// SPDX-License-Identifier: Apache-2.0
// Weights for graphs that have no checkpoint: every tensor that a graph names, filled with small
// random numbers that depend on the tensor's name only. Immutable; thread-safe.
#pragma once

#include <algorithm>
#include <functional>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "graph/graph.h"

namespace zhibi::test {

class RandomSource final : public graph::WeightSource {
 public:
  explicit RandomSource(const graph::Graph& graph) {
    for (const graph::Weight& weight : graph.weights) {
      for (const graph::WeightPart& part : weight.parts) Grow(weight, part);
    }
    for (auto& [name, tensor] : tensors_) {
      std::mt19937 random(static_cast<std::uint32_t>(std::hash<std::string>{}(name)));
      std::normal_distribution<float> normal(0, 0.5F);
      std::size_t count = 1;
      for (const std::int64_t n : tensor.shape) count *= static_cast<std::size_t>(n);
      tensor.values.resize(count);
      for (float& value : tensor.values) value = normal(random);
    }
  }

  Result<graph::StoredTensor> Find(std::string_view name) const override {
    const auto at = tensors_.find(name);
    if (at == tensors_.end()) return NotFoundError("tensor " + std::string(name));
    return graph::StoredTensor{
        DType::kF32, at->second.shape, std::as_bytes(std::span(at->second.values)), {}};
  }
  bool Contains(std::string_view name) const override { return tensors_.contains(name); }

 private:
  struct Tensor {
    std::vector<std::int64_t> shape;
    std::vector<float> values;
  };

  void Grow(const graph::Weight& weight, const graph::WeightPart& part) {
    Tensor& tensor = tensors_[part.tensor];
    if (tensor.shape.empty()) {
      tensor.shape = weight.shape;
      tensor.shape[0] = 0;
    }
    tensor.shape[0] = std::max(tensor.shape[0], part.row_begin + part.rows);
  }

  std::map<std::string, Tensor, std::less<>> tensors_;
};

}  // namespace zhibi::test
