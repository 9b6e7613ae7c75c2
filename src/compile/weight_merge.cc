// SPDX-License-Identifier: Apache-2.0
#include "compile/weight_merge.h"

#include <algorithm>
#include <utility>

namespace zhibi::compile {
namespace {

using graph::ValueId;
using graph::Weight;

std::optional<Weight> MergeWeights(const std::vector<const Weight*>& weights,
                                   const std::string& name, bool interleave) {
  const Weight& first = *weights[0];
  Weight merged;
  merged.name = name;
  merged.shape = first.shape;
  merged.shape[0] = 0;
  merged.role = first.role;
  merged.add = first.add;
  merged.interleave = interleave;
  for (const Weight* weight : weights) {
    const bool alike = weight->shape.size() == first.shape.size() && !weight->transpose &&
                       !weight->interleave && weight->constant.empty() &&
                       weight->add == first.add && weight->role == first.role &&
                       (first.shape.size() < 2 || weight->shape[1] == first.shape[1]);
    if (!alike) return std::nullopt;
    if (interleave && (weight->parts.size() != 1 || weight->shape[0] != first.shape[0])) {
      return std::nullopt;
    }
    merged.shape[0] += weight->shape[0];
    merged.parts.insert(merged.parts.end(), weight->parts.begin(), weight->parts.end());
  }
  return merged;
}

}  // namespace

std::optional<MergedOperands> MergeProjections(Rewriter& rewriter,
                                               const std::vector<ValueId>& matrices,
                                               const std::vector<ValueId>& biases,
                                               const std::string& name, bool interleave) {
  std::vector<const Weight*> weights;
  weights.reserve(matrices.size());
  for (const ValueId id : matrices) weights.push_back(rewriter.WeightOf(id));
  if (std::find(weights.begin(), weights.end(), nullptr) != weights.end()) return std::nullopt;
  std::optional<Weight> matrix = MergeWeights(weights, name + ".weight", interleave);
  if (!matrix) return std::nullopt;

  const auto absent = std::count(biases.begin(), biases.end(), ValueId::kNone);
  std::optional<Weight> bias;
  if (absent == 0) {
    std::vector<const Weight*> vectors;
    vectors.reserve(biases.size());
    for (const ValueId id : biases) vectors.push_back(rewriter.WeightOf(id));
    if (std::find(vectors.begin(), vectors.end(), nullptr) != vectors.end()) return std::nullopt;
    bias = MergeWeights(vectors, name + ".bias", interleave);
    if (!bias) return std::nullopt;
  } else if (static_cast<std::size_t>(absent) != biases.size()) {
    return std::nullopt;
  }
  MergedOperands operands;
  operands.matrix = rewriter.AddWeight(*std::move(matrix));
  if (bias) operands.bias = rewriter.AddWeight(*std::move(bias));
  return operands;
}

bool SameWeight(const Weight& a, const Weight& b) {
  const bool parts =
      std::equal(a.parts.begin(), a.parts.end(), b.parts.begin(), b.parts.end(),
                 [](const graph::WeightPart& x, const graph::WeightPart& y) {
                   return x.tensor == y.tensor && x.row_begin == y.row_begin && x.rows == y.rows;
                 });
  return parts && a.shape == b.shape && a.constant == b.constant && a.interleave == b.interleave &&
         a.transpose == b.transpose && a.add == b.add;
}

std::string MergedName(const std::string& part, const std::string& last) {
  const std::size_t dot = part.rfind('.');
  return dot == std::string::npos ? last : part.substr(0, dot + 1) + last;
}

}  // namespace zhibi::compile
