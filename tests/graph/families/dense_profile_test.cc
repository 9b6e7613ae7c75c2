// SPDX-License-Identifier: Apache-2.0
// A dense graph with symbolic [batch, seq] and a min/opt/max profile, as ONNX models bring them:
// embedding, linear, attention by batch_matmul and softmax, linear; against loops written by hand.
#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "fake_source.h"
#include "graph/builder.h"
#include "graph/ops/batch_matmul.h"
#include "graph/ops/softmax.h"
#include "support/graph_interpreter.h"

namespace zhibi::test {
namespace {

constexpr std::int64_t kVocab = 11;
constexpr std::int64_t kHidden = 6;
constexpr std::int64_t kOut = 4;

std::vector<float> Random(std::size_t count, unsigned seed) {
  std::mt19937 generator(seed);
  std::uniform_real_distribution<float> draw(-1, 1);
  std::vector<float> values(count);
  for (float& value : values) value = draw(generator);
  return values;
}

struct Weights {
  std::vector<float> table = Random(kVocab * kHidden, 1);
  std::vector<float> query = Random(kHidden * kHidden, 2);
  std::vector<float> key = Random(kHidden * kHidden, 3);
  std::vector<float> out = Random(kOut * kHidden, 4);
  std::vector<float> bias = Random(kOut, 5);
};

Result<graph::Graph> DenseGraph(const Weights& w) {
  graph::GraphBuilder b("dense");
  const graph::Dim batch = b.Symbol("batch", 1, 2, 8);
  const graph::Dim seq = b.Symbol("seq", 1, 16, 64);
  const auto ids = b.Input("ids", DType::kI32, {batch, seq});
  const auto x = b.Embedding("embed", ids, b.Constant("table", {kVocab, kHidden}, w.table));
  const auto q = b.Linear("query", x, b.Constant("wq", {kHidden, kHidden}, w.query));
  const auto k = b.Linear("key", x, b.Constant("wk", {kHidden, kHidden}, w.key));
  const auto scores = b.Add("batch_matmul", "scores",
                            graph::Attrs::Of(graph::BatchMatmulAttrs{.transpose_b = 1}), {q, k})[0];
  const auto weights = b.Add("softmax", "weights",
                             graph::Attrs::Of(graph::SoftmaxAttrs{.scale = 0.5F}), {scores})[0];
  const auto mixed =
      b.Add("batch_matmul", "mixed", graph::Attrs::Of(graph::BatchMatmulAttrs{}), {weights, x})[0];
  const auto y = b.Linear("out", mixed, b.Constant("wo", {kOut, kHidden}, w.out),
                          b.Constant("bo", {kOut}, w.bias));
  b.Output("y", y);
  return std::move(b).Finish();
}

std::vector<double> Row(const std::vector<float>& matrix, std::int64_t rows,
                        const std::vector<double>& x) {
  std::vector<double> y(static_cast<std::size_t>(rows), 0);
  for (std::size_t r = 0; r < y.size(); ++r) {
    for (std::size_t c = 0; c < x.size(); ++c) {
      y[r] += static_cast<double>(matrix[r * x.size() + c]) * x[c];
    }
  }
  return y;
}

std::vector<double> ByHand(const Weights& w, const std::vector<std::int32_t>& ids,
                           std::size_t batch, std::size_t seq) {
  std::vector<double> result;
  for (std::size_t b = 0; b < batch; ++b) {
    std::vector<std::vector<double>> x, q, k;
    for (std::size_t t = 0; t < seq; ++t) {
      const auto* row = w.table.data() + static_cast<std::size_t>(ids[b * seq + t]) * kHidden;
      x.emplace_back(row, row + kHidden);
      q.push_back(Row(w.query, kHidden, x.back()));
      k.push_back(Row(w.key, kHidden, x.back()));
    }
    for (std::size_t t = 0; t < seq; ++t) {
      std::vector<double> p(seq, 0);
      double sum = 0;
      for (std::size_t j = 0; j < seq; ++j) {
        double score = 0;
        for (std::size_t i = 0; i < kHidden; ++i) score += q[t][i] * k[j][i];
        p[j] = std::exp(score * 0.5);
        sum += p[j];
      }
      std::vector<double> mixed(kHidden, 0);
      for (std::size_t j = 0; j < seq; ++j) {
        for (std::size_t i = 0; i < kHidden; ++i) mixed[i] += p[j] / sum * x[j][i];
      }
      const std::vector<double> y = Row(w.out, kOut, mixed);
      for (std::size_t o = 0; o < kOut; ++o) {
        result.push_back(y[o] + static_cast<double>(w.bias[o]));
      }
    }
  }
  return result;
}

TEST(DenseProfileTest, SymbolsKeepTheirProfileAndShapesFollowThem) {
  const auto graph = DenseGraph(Weights());
  ASSERT_TRUE(graph.ok()) << graph.status().ToString();
  ASSERT_EQ(graph->symbols.size(), 2U);
  EXPECT_EQ(graph->symbols[0].name, "batch");
  EXPECT_EQ(graph->symbols[1].min, 1);
  EXPECT_EQ(graph->symbols[1].opt, 16);
  EXPECT_EQ(graph->symbols[1].max, 64);
  const graph::TensorDesc& y = graph->value(graph->outputs.at(0)).desc;
  const std::vector<std::int64_t> sizes = {3, 5};
  ASSERT_EQ(y.shape.size(), 3U);
  EXPECT_EQ(y.shape[0].Evaluate(sizes).value(), 3);
  EXPECT_EQ(y.shape[1].Evaluate(sizes).value(), 5);
  EXPECT_EQ(y.shape[2].constant(), kOut);
  EXPECT_TRUE(graph::Validate(*graph).ok());
}

TEST(DenseProfileTest, ResultsMatchLoopsWrittenByHandAcrossTheProfile) {
  const Weights weights;
  const auto graph = DenseGraph(weights);
  ASSERT_TRUE(graph.ok()) << graph.status().ToString();
  const FakeSource none;
  auto interpreter = GraphInterpreter::Create(*graph, none, nullptr);
  ASSERT_TRUE(interpreter.ok()) << interpreter.status().ToString();
  for (const auto& [batch, seq] :
       {std::pair<std::size_t, std::size_t>{1, 1}, {2, 16}, {8, 64}, {3, 5}}) {
    std::vector<std::int32_t> ids(batch * seq);
    for (std::size_t i = 0; i < ids.size(); ++i) ids[i] = static_cast<std::int32_t>(i * 7 % kVocab);
    const auto outputs = interpreter->Run(
        {{"ids", HostTensor::I32({static_cast<std::int64_t>(batch), static_cast<std::int64_t>(seq)},
                                 ids)}});
    ASSERT_TRUE(outputs.ok()) << outputs.status().ToString();
    const auto given = outputs->at("y").as<float>();
    const std::vector<double> exact = ByHand(weights, ids, batch, seq);
    ASSERT_EQ(given.size(), exact.size());
    for (std::size_t i = 0; i < exact.size(); ++i) {
      // Sums of at most 64 products of values below 1 in float.
      ASSERT_NEAR(given[i], exact[i], 2e-6) << "element " << i << " of " << batch << "x" << seq;
    }
  }
}

}  // namespace
}  // namespace zhibi::test
