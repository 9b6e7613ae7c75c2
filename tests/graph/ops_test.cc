// SPDX-License-Identifier: Apache-2.0
// References of the plain ops against values worked out by hand.
#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "graph/ops/add_rms_norm.h"
#include "graph/ops/batch_matmul.h"
#include "graph/ops/binary.h"
#include "graph/ops/embedding.h"
#include "graph/ops/gated.h"
#include "graph/ops/gather_rows.h"
#include "graph/ops/layer_norm.h"
#include "graph/ops/linear.h"
#include "graph/ops/rms_norm.h"
#include "graph/ops/rope.h"
#include "graph/ops/select_tokens.h"
#include "graph/ops/slice_columns.h"
#include "graph/ops/softmax.h"
#include "graph/ops/unary.h"
#include "graph/tensors.h"

namespace zhibi::graph {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST(Activate, KnownValues) {
  EXPECT_FLOAT_EQ(Activate(Activation::kNone, -2), -2);
  EXPECT_FLOAT_EQ(Activate(Activation::kRelu, -2), 0);
  EXPECT_FLOAT_EQ(Activate(Activation::kSilu, 1), 0.7310585786F);
  EXPECT_FLOAT_EQ(Activate(Activation::kGeluErf, 1), 0.8413447461F);
  EXPECT_NEAR(Activate(Activation::kGeluTanh, 1), 0.8411919906F, 1e-6F);
  EXPECT_FLOAT_EQ(Activate(Activation::kTanh, 0.5F), 0.4621171573F);
  EXPECT_FLOAT_EQ(Activate(Activation::kSigmoid, 0), 0.5F);
  EXPECT_FLOAT_EQ(Activate(Activation::kSilu, -200), 0);
}

TEST(Ops, Unary) {
  const auto y = RunReference(kOp_unary, Attrs::Of(UnaryAttrs{Activation::kRelu}),
                              {Tensor::F32({2, 2}, {-1, 2, 3, -4})});
  EXPECT_THAT(y[0].values<float>(), ElementsAre(0, 2, 3, 0));
}

TEST(Ops, BinaryBroadcastsVectorsAndSingleElements) {
  const Tensor a = Tensor::F32({2, 2}, {1, 2, 3, 4});
  const auto run = [&](BinaryKind kind, Tensor b) {
    return RunReference(kOp_binary, Attrs::Of(BinaryAttrs{kind}), {a, std::move(b)})[0]
        .values<float>();
  };
  EXPECT_THAT(run(BinaryKind::kAdd, Tensor::F32({2, 2}, {5, 6, 7, 8})), ElementsAre(6, 8, 10, 12));
  EXPECT_THAT(run(BinaryKind::kSub, Tensor::F32({2}, {1, 2})), ElementsAre(0, 0, 2, 2));
  EXPECT_THAT(run(BinaryKind::kMul, Tensor::F32({1}, {3})), ElementsAre(3, 6, 9, 12));
  EXPECT_THAT(run(BinaryKind::kDiv, Tensor::F32({2}, {2, 4})), ElementsAre(0.5F, 0.5F, 1.5F, 1));
}

TEST(Ops, GatedTakesTurnsOrTwoOperands) {
  const Attrs relu = Attrs::Of(GatedAttrs{Activation::kRelu});
  const auto interleaved =
      RunReference(kOp_gated, relu, {Tensor::F32({1, 4}, {2, 10, -3, 20}), Tensor()});
  EXPECT_THAT(interleaved[0].values<float>(), ElementsAre(20, 0));
  const auto two =
      RunReference(kOp_gated, relu, {Tensor::F32({1, 2}, {2, -3}), Tensor::F32({1, 2}, {10, 20})});
  EXPECT_THAT(two[0].values<float>(), ElementsAre(20, 0));
}

TEST(Ops, RowsAndColumns) {
  const Tensor x = Tensor::F32({3, 2}, {1, 2, 3, 4, 5, 6});
  EXPECT_THAT(RunReference(kOp_gather_rows, Attrs::Of(GatherRowsAttrs{}),
                           {x, Tensor::I32({3}, {2, 0, 7})})[0]
                  .values<float>(),
              ElementsAre(5, 6, 1, 2, 0, 0));
  EXPECT_THAT(
      RunReference(kOp_slice_columns, Attrs::Of(SliceColumnsAttrs{1, 1}), {x})[0].values<float>(),
      ElementsAre(2, 4, 6));
}

TEST(Ops, SelectTokens) {
  const auto ids = RunReference(kOp_select_tokens, Attrs::Of(SelectTokensAttrs{}),
                                {Tensor::I32({4}, {7, 8, 9, 10}), Tensor::I32({4}, {-1, 1, -1, 5}),
                                 Tensor::I32({2}, {100, 200})});
  EXPECT_THAT(ids[0].values<std::int32_t>(), ElementsAre(7, 200, 9, 10));
}

TEST(Ops, Softmax) {
  const auto y = RunReference(kOp_softmax, Attrs::Of(SoftmaxAttrs{2}),
                              {Tensor::F32({1, 3}, {0, std::log(2.0F) / 2, 1000})});
  ExpectNear(y[0], {0, 0, 1}, 0);
  const auto z = RunReference(kOp_softmax, Attrs::Of(SoftmaxAttrs{2}),
                              {Tensor::F32({1, 2}, {0, std::log(3.0F) / 2})});
  ExpectNear(z[0], {0.25F, 0.75F}, 1e-7F);
}

TEST(Ops, BatchMatmul) {
  const Tensor a = Tensor::F32({2, 1, 2}, {1, 2, 3, 4});
  const Tensor b = Tensor::F32({2, 2, 2}, {1, 2, 3, 4, 5, 6, 7, 8});
  EXPECT_THAT(
      RunReference(kOp_batch_matmul, Attrs::Of(BatchMatmulAttrs{0}), {a, b})[0].values<float>(),
      ElementsAre(7, 10, 43, 50));
  EXPECT_THAT(
      RunReference(kOp_batch_matmul, Attrs::Of(BatchMatmulAttrs{1}), {a, b})[0].values<float>(),
      ElementsAre(5, 11, 39, 53));
}

TEST(Ops, Norms) {
  // mean of squares 12.5, so 3 / 3.5355, 4 / 3.5355.
  const Tensor x = Tensor::F32({1, 2}, {3, 4});
  const Tensor w = Tensor::F32({2}, {1, 10});
  ExpectNear(RunReference(kOp_rms_norm, Attrs::Of(RmsNormAttrs{0, 0}), {x, w})[0],
             {0.8485281F, 11.313708F}, 1e-5F);
  // Each value by itself: +-1.
  ExpectNear(RunReference(kOp_rms_norm, Attrs::Of(RmsNormAttrs{0, 1}),
                          {Tensor::F32({1, 2}, {3, -4}), Tensor::F32({1}, {2})})[0],
             {2, -2}, 1e-6F);
  const auto sums = RunReference(kOp_add_rms_norm, Attrs::Of(AddRmsNormAttrs{0}),
                                 {Tensor::F32({1, 2}, {1, 1}), Tensor::F32({1, 2}, {2, 3}), w});
  ExpectNear(sums[0], {3, 4}, 0);
  ExpectNear(sums[1], {0.8485281F, 11.313708F}, 1e-5F);
  // mean 3.5, deviation 0.5.
  ExpectNear(RunReference(kOp_layer_norm, Attrs::Of(LayerNormAttrs{0}),
                          {x, w, Tensor::F32({2}, {0.5F, 0.5F})})[0],
             {-0.5F, 10.5F}, 1e-5F);
}

TEST(Ops, EmbeddingScalesAndZeroesUnknownIds) {
  const auto y = RunReference(kOp_embedding, Attrs::Of(EmbeddingAttrs{2}),
                              {Tensor::I32({3}, {1, -1, 2}), Tensor::F32({2, 2}, {1, 2, 3, 4})});
  EXPECT_THAT(y[0].values<float>(), ElementsAre(6, 8, 0, 0, 0, 0));
}

TEST(Ops, LinearEpilogues) {
  const Tensor x = Tensor::F32({1, 2}, {1, 2});
  const Tensor w = Tensor::F32({2, 2}, {1, 1, 2, -3});
  const Tensor bias = Tensor::F32({2}, {10, 1});
  const auto run = [&](LinearAttrs attrs, std::vector<Tensor> src) {
    return RunReference(kOp_linear, Attrs::Of(attrs), std::move(src))[0].values<float>();
  };
  EXPECT_THAT(run({}, {x, w}), ElementsAre(3, -4));
  EXPECT_THAT(run({Activation::kRelu, 0}, {x, w, bias}), ElementsAre(13, 0));
  EXPECT_THAT(run({}, {x, w, bias, Tensor::F32({1, 2}, {100, 100})}), ElementsAre(113, 97));
  // gate 13, up -3, residual 1.
  EXPECT_THAT(run({Activation::kRelu, 1}, {x, w, bias, Tensor::F32({1, 1}, {1})}),
              ElementsAre(-38));
}

TEST(Ops, RopeRotatesHalvesOrNeighbours) {
  RopeAttrs attrs{.head_dim = 5, .rotary_dim = 4, .interleaved = 0, .attention_factor = 1};
  const Tensor x = Tensor::F32({1, 5}, {1, 2, 3, 4, 5});
  const Tensor inv_freq = Tensor::F32({2}, {1, 0.5F});
  const float c0 = std::cos(2.0F);
  const float s0 = std::sin(2.0F);
  const float c1 = std::cos(1.0F);
  const float s1 = std::sin(1.0F);
  const auto run = [&] {
    return RunReference(kOp_rope, Attrs::Of(attrs), {x, Tensor::I32({1}, {2}), inv_freq});
  };
  ExpectNear(run()[0], {c0 - 3 * s0, 2 * c1 - 4 * s1, 3 * c0 + s0, 4 * c1 + 2 * s1, 5}, 1e-6F);
  attrs.interleaved = 1;
  attrs.attention_factor = 2;
  ExpectNear(
      run()[0],
      {2 * (c0 - 2 * s0), 2 * (2 * c0 + s0), 2 * (3 * c1 - 4 * s1), 2 * (4 * c1 + 3 * s1), 5},
      1e-5F);
}

TEST(Ops, ShapeRulesNameWhatIsWrong) {
  const auto error = [](const OpDef& op, const Attrs& attrs, std::vector<TensorDesc> src) {
    return op.infer(attrs, src).status().message();
  };
  const TensorDesc x{DType::kF32, {4, 6}};
  EXPECT_EQ(error(kOp_rms_norm, Attrs::Of(RmsNormAttrs{}), {x, {DType::kF32, {5}}}),
            "rms_norm: operand weight: expected shape [6], got [5]");
  EXPECT_EQ(error(kOp_rms_norm, Attrs::Of(RmsNormAttrs{1e-6F, 4}), {x, {DType::kF32, {4}}}),
            "rms_norm: operand x: expected 4 on axis -1, got [4, 6]");
  EXPECT_EQ(error(kOp_embedding, Attrs::Of(EmbeddingAttrs{}), {x, x}),
            "embedding: operand ids: expected i32, got f32");
  EXPECT_EQ(error(kOp_linear, Attrs::Of(LinearAttrs{}), {x}),
            "linear: operand weight: expected a tensor, got nothing");
  EXPECT_EQ(
      error(kOp_linear, Attrs::Of(LinearAttrs{Activation::kNone, 1}), {x, {DType::kF32, {3, 6}}}),
      "linear: operand weight: expected 2 on axis 0, got [3, 6]");
  EXPECT_EQ(error(kOp_unary, Attrs::Of(UnaryAttrs{static_cast<Activation>(99)}), {x}),
            "unary: attribute activation: expected 0..6, got 99");
  EXPECT_THAT(error(kOp_rope, Attrs::Of(RopeAttrs{.head_dim = 0}), {x, x, x}),
              HasSubstr("attribute head_dim: expected 1..1024, got 0"));
}

TEST(Ops, CostsCountFlopsAndBytes) {
  Tensor x = Tensor::Zeros(DType::kF32, {4, 8});
  Tensor w = Tensor::Zeros(DType::kF32, {16, 8});
  Tensor y = Tensor::Zeros(DType::kF32, {4, 16});
  const Attrs attrs = Attrs::Of(LinearAttrs{});
  const std::vector<TensorView> src = {x.view(), w.view()};
  const std::vector<TensorView> dst = {y.view()};
  const Cost cost = kOp_linear.cost(attrs, src, dst);
  EXPECT_EQ(cost.flops, 2 * 4 * 8 * 16);
  EXPECT_EQ(cost.bytes, 4 * (32 + 128 + 64));
}

}  // namespace
}  // namespace zhibi::graph
