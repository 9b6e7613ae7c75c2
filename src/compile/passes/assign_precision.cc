// SPDX-License-Identifier: Apache-2.0
// Sets the format of every weight and the element type of every cache group. Matrices follow the
// asked precision, embedding and head EdgeFormat, vectors and tables stay float: they are a
// thousandth of the bytes and norms and biases reach every result.
#include <map>

#include <fmt/format.h>

#include "compile/passes.h"

namespace zhibi::compile {
namespace {

quant::WeightFormat FormatOf(const graph::Weight& weight, Precision precision) {
  switch (weight.role) {
    case graph::WeightRole::kVector:
    case graph::WeightRole::kTable:
      return {};
    case graph::WeightRole::kEmbedding:
    case graph::WeightRole::kHead:
      return EdgeFormat(precision);
    case graph::WeightRole::kMatrix:
      break;
  }
  if (weight.shape.size() != 2 || !weight.constant.empty()) return {};
  const quant::WeightFormat format = MatrixFormat(precision);
  // A row that ends inside a group would need kernels for the rest; such odd widths are small.
  if (format.group > 0 && weight.shape[1] % format.group != 0) return EdgeFormat(precision);
  return format;
}

}  // namespace

Result<PassResult> AssignPrecision(graph::Graph& graph, const PassContext& context) {
  PassResult result;
  std::map<std::string, int> counts;
  for (graph::Weight& weight : graph.weights) {
    weight.format = FormatOf(weight, context.precision);
    ++counts[std::string(DTypeName(weight.format.dtype))];
    ++result.changes;
  }
  for (const auto& [name, count] : counts) {
    result.detail += fmt::format("{}{} weights {}", result.detail.empty() ? "" : ", ", count, name);
  }
  for (graph::CacheGroup& cache : graph.caches) {
    cache.dtype = CacheDType(context.precision);
    cache.bytes_per_token = cache.elements_per_token * DTypeBits(cache.dtype) / 8;
    result.detail += fmt::format(", cache {} {}", cache.name, DTypeName(cache.dtype));
    ++result.changes;
  }
  return result;
}

}  // namespace zhibi::compile
