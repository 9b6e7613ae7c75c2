// SPDX-License-Identifier: Apache-2.0
// Cases of ops from tests/cases/<op>.txt, and the operands that a case asks for. A line is a case:
// `key=value` pairs; `#` starts a comment. Keys are the op's attributes and sizes, and
//   rows    leading size of row operands (overridable, so that a case runs with any number of rows)
//   format  of the matrix: f32 f16 bf16 i8 i4          cache  dtype of the cache: f32 f16 bf16
//   tol     largest |given - expected| as a share of the largest |expected|; tol_i8 for kernels
//   that
//           quantise activations
// Values depend on (operand, index) alone: the first n rows are the same for any number of rows.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "backend/kernel.h"
#include "graph/graph.h"
#include "graph/op.h"
#include "zhibi/status.h"

namespace zhibi::backend {

class OpCase {
 public:
  OpCase(std::string op, std::string where, std::map<std::string, std::string> keys)
      : op_(std::move(op)), where_(std::move(where)), keys_(std::move(keys)) {}

  const std::string& op() const { return op_; }
  const std::string& where() const { return where_; }  // "linear.txt:3"
  std::int64_t Int(const std::string& key, std::int64_t fallback) const;
  double Number(const std::string& key, double fallback) const;
  std::string Text(const std::string& key, const std::string& fallback) const;
  bool Has(const std::string& key) const { return keys_.count(key) != 0; }
  OpCase With(const std::string& key, const std::string& value) const;

 private:
  std::string op_;
  std::string where_;
  std::map<std::string, std::string> keys_;
};

// kNotFound or kInvalidArgument names file and line.
Result<std::vector<OpCase>> LoadCases(const std::string& path, const std::string& op);

struct Operand {
  graph::TensorView view;  // data is nullptr here; rank 0: absent
  std::vector<std::byte> bytes;
  bool is_weight = false;
  graph::Weight weight;  // values in weight.constant
};

struct CacheBytes {
  graph::CacheView view;
  std::vector<std::byte> bytes;
};

// A case with everything that a launch needs.
struct OpProblem {
  std::string op;
  graph::Attrs attrs;
  std::vector<Operand> src;
  std::vector<graph::TensorView> dst;
  std::vector<CacheBytes> caches;
  DType cache_dtype = DType::kF32;
  std::int64_t rows = 1;
};

// kInvalidArgument: unknown op, or operands that the op's own shape rule refuses.
Result<OpProblem> MakeProblem(const OpCase& op_case);

}  // namespace zhibi::backend
