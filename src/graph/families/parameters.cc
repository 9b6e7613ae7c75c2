// SPDX-License-Identifier: Apache-2.0
#include "graph/families/parameters.h"

#include <utility>

namespace zhibi::graph {
namespace {

std::string ShapeOf(const std::vector<std::int64_t>& shape) {
  std::string text = "[";
  for (const std::int64_t size : shape) {
    if (text.size() > 1) text += ", ";
    text += std::to_string(size);
  }
  return text + "]";
}

}  // namespace

bool Parameters::Check(const std::string& tensor, const std::vector<std::int64_t>& shape) {
  if (!status_.ok()) return false;
  Result<StoredTensor> stored = source_.Find(tensor);
  if (!stored.ok()) {
    status_ = std::move(stored).status();
    if (status_.code() == StatusCode::kNotFound) {
      status_ = Status(status_.code(), status_.message() + "; expected " + ShapeOf(shape));
    }
    return false;
  }
  if (stored->shape != shape) {
    status_ = InvalidArgumentError("tensor " + tensor + ": expected " + ShapeOf(shape) +
                                   " as config.json says, got " + ShapeOf(stored->shape));
    return false;
  }
  return true;
}

ValueId Parameters::Matrix(const std::string& tensor, std::int64_t rows, std::int64_t cols,
                           WeightRole role) {
  if (!Check(tensor, {rows, cols})) return ValueId::kNone;
  count_ += rows * cols;
  return builder_.Parameter(tensor, {rows, cols}, role);
}

ValueId Parameters::Vector(const std::string& tensor, std::int64_t size) {
  if (!Check(tensor, {size})) return ValueId::kNone;
  return builder_.Parameter(tensor, {size}, WeightRole::kVector);
}

ValueId Parameters::Alias(const std::string& name, const std::string& tensor, std::int64_t rows,
                          std::int64_t cols, WeightRole role) {
  if (!Check(tensor, {rows, cols})) return ValueId::kNone;
  Weight weight;
  weight.name = name;
  weight.shape = {rows, cols};
  weight.parts = {{tensor, 0, rows}};
  weight.role = role;
  return builder_.Parameter(std::move(weight));
}

void Parameters::ExpectAbsent(const std::string& tensor, std::string_view because) {
  if (!status_.ok() || !source_.Contains(tensor)) return;
  status_ = InvalidArgumentError("tensor " + tensor + ": expected none (" + std::string(because) +
                                 "), but the checkpoint holds it");
}

}  // namespace zhibi::graph
