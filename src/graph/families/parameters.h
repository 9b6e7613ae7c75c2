// SPDX-License-Identifier: Apache-2.0
// Takes a family's tensors from a checkpoint: each must exist with the shape that the config
// implies, so that a wrong file is refused before anything is compiled. Counts parameters for
// ModelInfo. One thread at a time.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "graph/builder.h"
#include "graph/weights.h"
#include "zhibi/status.h"

namespace zhibi::graph {

class Parameters {
 public:
  Parameters(GraphBuilder& builder, const WeightSource& source)
      : builder_(builder), source_(source) {}

  // [rows, cols], or [n] for a vector. The first missing or misshapen tensor is kept as status():
  // "tensor NAME: expected [64, 32], got [32, 64]".
  ValueId Matrix(const std::string& tensor, std::int64_t rows, std::int64_t cols,
                 WeightRole role = WeightRole::kMatrix);
  ValueId Vector(const std::string& tensor, std::int64_t size);
  // A second use of a tensor under a name of its own (a tied head); not counted again.
  ValueId Alias(const std::string& name, const std::string& tensor, std::int64_t rows,
                std::int64_t cols, WeightRole role);
  // Fails when the checkpoint holds a tensor that the config says is not there.
  void ExpectAbsent(const std::string& tensor, std::string_view because);

  bool Has(const std::string& tensor) const { return source_.Contains(tensor); }
  std::int64_t count() const { return count_; }
  const Status& status() const { return status_; }

 private:
  bool Check(const std::string& tensor, const std::vector<std::int64_t>& shape);

  GraphBuilder& builder_;
  const WeightSource& source_;
  std::int64_t count_ = 0;
  Status status_;
};

}  // namespace zhibi::graph
