// SPDX-License-Identifier: Apache-2.0
#include "compile/pack.h"

#include <cmath>
#include <cstring>

#include <gtest/gtest.h>

#include "backend/backend.h"
#include "compile/passes.h"
#include "compile/random_source.h"
#include "graph/builder.h"

namespace zhibi::compile {
namespace {

// A source with one tensor of chosen values.
class OneTensor final : public graph::WeightSource {
 public:
  OneTensor(std::vector<std::int64_t> shape, std::vector<float> values)
      : shape_(std::move(shape)), values_(std::move(values)) {}
  Result<graph::StoredTensor> Find(std::string_view) const override {
    return graph::StoredTensor{DType::kF32, shape_, std::as_bytes(std::span(values_)), {}};
  }
  bool Contains(std::string_view) const override { return true; }

 private:
  std::vector<std::int64_t> shape_;
  std::vector<float> values_;
};

graph::Weight WeightOf(std::vector<std::int64_t> shape, quant::WeightFormat format) {
  graph::Weight weight;
  weight.name = "w";
  weight.parts = {{"w", 0, shape[0]}};
  weight.shape = std::move(shape);
  weight.format = format;
  return weight;
}

TEST(MeasureError, KnownValues) {
  // Absmax 127, so int8 has steps of 1: 0.25 becomes 0, and 100.5 becomes 100 (ties to even).
  const OneTensor source({1, 4}, {127, 0.25F, 100.5F, 3});
  const auto error = MeasureError(WeightOf({1, 4}, {DType::kI8, 0, false}), source);
  ASSERT_TRUE(error.ok()) << error.status().ToString();
  EXPECT_NEAR(error->max, 0.5 / 127, 1e-6);
  const double squares = 127.0 * 127 + 0.0625 + 100.5 * 100.5 + 9;
  EXPECT_NEAR(error->rms, std::sqrt((0.0625 + 0.25) / squares), 1e-6);
}

TEST(MeasureError, FloatIsExactAndHalvesAreNearlyExact) {
  const OneTensor source({2, 2}, {1, -0.333F, 1e-3F, 65000});
  EXPECT_EQ(MeasureError(WeightOf({2, 2}, {}), source)->max, 0);
  const auto half = MeasureError(WeightOf({2, 2}, {DType::kF16, 0, false}), source);
  EXPECT_GT(half->max, 0);
  EXPECT_LT(half->max, 1e-3);
  const auto brain = MeasureError(WeightOf({2, 2}, {DType::kBF16, 0, false}), source);
  EXPECT_GT(brain->rms, half->rms);
}

TEST(MeasureError, NumbersThatAreNotFiniteDoNotPoisonTheFigure) {
  const OneTensor source({1, 3}, {NAN, 2, INFINITY});
  const auto error = MeasureError(WeightOf({1, 3}, {DType::kF16, 0, false}), source);
  ASSERT_TRUE(error.ok());
  EXPECT_TRUE(std::isfinite(error->max) && std::isfinite(error->rms));
}

TEST(PackList, AWeightReadTwiceIsOneJobALayout) {
  graph::GraphBuilder builder("g", {.max_tokens = 8});
  const graph::ValueId x = builder.Input("x", DType::kF32, {builder.tokens(), 8});
  const graph::ValueId w = builder.Parameter("w", {8, 8});
  const graph::ValueId bias = builder.Parameter("b", {8}, graph::WeightRole::kVector);
  const graph::ValueId y = builder.Linear("first", x, w, bias);
  builder.Output("y", builder.Linear("second", y, w, bias));
  const Result<graph::Graph> graph = std::move(builder).Finish();
  ASSERT_TRUE(graph.ok()) << graph.status().ToString();
  const auto device = backend::OpenDevice("reference", {});
  ASSERT_TRUE(device.ok());
  const Result<Choice> choice = ChooseKernels(*graph, (*device)->kernels());
  ASSERT_TRUE(choice.ok()) << choice.status().ToString();
  PackList list;
  for (std::size_t n = 0; n < 2; ++n) {
    for (int operand = 1; operand <= 2; ++operand) {
      const auto index =
          list.Add(*graph, graph->nodes[n], operand, choice->nodes[n], choice->axes[0]);
      ASSERT_TRUE(index.ok());
      EXPECT_EQ(*index, operand - 1);
    }
  }
  EXPECT_EQ(list.jobs().size(), 2U);
  EXPECT_EQ(list.Describe(0).layout, "row_major");
  EXPECT_EQ(list.total_bytes(), 8 * 8 * 4 + 64);
}

}  // namespace
}  // namespace zhibi::compile
