// SPDX-License-Identifier: Apache-2.0
// A golden model of tests/golden/models: the checkpoint as a user has it, its graphs, and the fp32
// reference that transformers made of it. Immutable once loaded; thread-safe.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "graph/family.h"
#include "graph/weights.h"
#include "support/npy.h"
#include "zhibi/status.h"

namespace zhibi::test {

// Largest difference from the reference, over the largest value of the row: the reference itself
// is exact to 2e-6 (cases.json, float64_error), sums in another order cost about as much.
inline constexpr double kGoldenTolerance = 1e-4;
// A greedy token is compared as long as its margin (best minus second logit over the range of the
// row) was at least this at every step so far.
inline constexpr double kNearTie = 1e-3;

struct GoldenSequence {
  std::vector<std::int32_t> ids;
  std::vector<std::int32_t> positions;  // rows of logits or hidden, in order
  std::vector<std::int32_t> source;     // T5
  std::vector<std::int32_t> source_positions;
  std::vector<std::int32_t> token_types;  // BERT
};

struct GoldenGreedy {
  std::vector<std::int32_t> source;
  std::vector<std::int32_t> prompt;
  std::vector<std::int32_t> tokens;
  std::vector<double> margins;
};

struct GoldenModel {
  std::string name;
  std::string folder;
  std::unique_ptr<graph::WeightSource> source;
  graph::FamilyGraphs graphs;
  std::vector<GoldenSequence> sequences;
  std::vector<GoldenGreedy> greedy;
  NpyArray<float> logits;  // empty where the model has none
  NpyArray<float> hidden;
  NpyArray<float> pooled;

  static Result<GoldenModel> Load(std::string_view name);
  const graph::Graph& plan(std::string_view plan_name) const;
};

std::string GoldenFolder(std::string_view name);

// max |given - exact| / max |exact|
double RowError(const float* given, const float* exact, std::int64_t size);

}  // namespace zhibi::test
