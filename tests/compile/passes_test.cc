// SPDX-License-Identifier: Apache-2.0
// Each pass on a graph that shows it: ops before and after, and equal results under the reference
// interpreter.
#include "compile/passes.h"

#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "compile/random_source.h"
#include "graph/builder.h"
#include "graph/ops/slice_columns.h"
#include "support/graph_interpreter.h"

namespace zhibi::compile {
namespace {

using graph::GraphBuilder;
using graph::ValueId;
using ::testing::ElementsAre;
using ::testing::ElementsAreArray;

constexpr std::int64_t kTokens = 5;
constexpr std::int64_t kWidth = 8;

ValueId Rows(GraphBuilder& builder) {
  return builder.Input("x", DType::kF32, {builder.tokens(), kWidth});
}

std::vector<std::string> Ops(const graph::Graph& graph) {
  std::vector<std::string> ops;
  for (const graph::Node& node : graph.nodes) ops.push_back(node.op);
  return ops;
}

test::TensorMap Interpret(const graph::Graph& graph) {
  const test::RandomSource source(graph);
  test::CacheStore caches(4, 8);
  auto interpreter = test::GraphInterpreter::Create(graph, source, &caches);
  EXPECT_TRUE(interpreter.ok()) << interpreter.status().ToString();
  test::TensorMap inputs;
  std::vector<float> x(kTokens * kWidth);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = std::sin(static_cast<float>(i) * 0.7F);
  inputs["x"] = test::HostTensor::F32({kTokens, kWidth}, x);
  if (graph.FindInput("out_rows")) inputs["out_rows"] = test::HostTensor::I32({2}, {4, 1});
  auto outputs = interpreter->Run(inputs);
  EXPECT_TRUE(outputs.ok()) << outputs.status().ToString();
  return outputs.ok() ? *outputs : test::TensorMap{};
}

struct Case {
  const char* name;
  const char* pass;
  void (*build)(GraphBuilder&);
  std::vector<std::string> before;
  std::vector<std::string> after;
};

class PassTest : public testing::TestWithParam<Case> {};

TEST_P(PassTest, ChangesTheOpsAndKeepsTheResults) {
  GraphBuilder builder("test", {.max_tokens = 8, .max_seqs = 2, .max_out_rows = 4});
  GetParam().build(builder);
  Result<graph::Graph> graph = std::move(builder).Finish();
  ASSERT_TRUE(graph.ok()) << graph.status().ToString();
  EXPECT_THAT(Ops(*graph), ElementsAreArray(GetParam().before));
  const test::TensorMap before = Interpret(*graph);
  const Pass* pass = FindPass(GetParam().pass);
  ASSERT_NE(pass, nullptr);
  const Result<PassResult> result = pass->run(*graph, {});
  ASSERT_TRUE(result.ok()) << result.status().ToString();
  const Status valid = Validate(*graph);
  ASSERT_TRUE(valid.ok()) << valid.ToString();
  EXPECT_THAT(Ops(*graph), ElementsAreArray(GetParam().after)) << ToText(*graph);
  EXPECT_EQ(result->changes > 0, GetParam().before != GetParam().after);
  const test::TensorMap after = Interpret(*graph);
  ASSERT_EQ(before.size(), after.size());
  for (const auto& [name, tensor] : before) {
    const auto a = tensor.as<float>();
    const auto b = after.at(name).as<float>();
    ASSERT_EQ(a.size(), b.size()) << name;
    for (std::size_t i = 0; i < a.size(); ++i) {
      ASSERT_NEAR(a[i], b[i], 1e-5 * (1 + std::abs(a[i]))) << name << " element " << i;
    }
  }
}

// Small words for the graphs below.
ValueId Matrix(GraphBuilder& b, const char* name, std::int64_t rows, std::int64_t cols = kWidth) {
  return b.Parameter(name, {rows, cols});
}
ValueId Vector(GraphBuilder& b, const char* name, std::int64_t size = kWidth) {
  return b.Parameter(name, {size}, graph::WeightRole::kVector);
}
ValueId Slice(GraphBuilder& b, const char* name, ValueId x, std::int64_t begin, std::int64_t size) {
  return b.Add("slice_columns", name, graph::Attrs::Of(graph::SliceColumnsAttrs{begin, size}),
               {x})[0];
}
ValueId OutRows(GraphBuilder& b) {
  return b.Input("out_rows", DType::kI32, {b.Symbol("out_rows", 1, 1, 4)});
}

const Case kCases[] = {
    {"DropsIdentities",
     "remove_identity",
     [](GraphBuilder& b) {
       ValueId x = Rows(b);
       x = b.Unary("none", x, graph::Activation::kNone);
       x = Slice(b, "all", x, 0, kWidth);
       x = b.Binary("zero", graph::BinaryKind::kAdd, x,
                    b.Constant("zeros", {kWidth}, std::vector<float>(kWidth, 0)));
       x = b.Binary("one", graph::BinaryKind::kMul, x, b.Constant("ones", {1}, {1}));
       b.Output("y", b.Unary("act", x, graph::Activation::kSilu));
     },
     {"unary", "slice_columns", "binary", "binary", "unary"},
     {"unary"}},
    {"KeepsNearIdentities",
     "remove_identity",
     [](GraphBuilder& b) {
       ValueId x = Slice(b, "part", Rows(b), 0, kWidth - 1);
       x = b.Binary("half", graph::BinaryKind::kMul, x, b.Constant("half", {1}, {0.5F}));
       b.Output("y", b.Unary("none", x, graph::Activation::kNone));  // an output needs its place
     },
     {"slice_columns", "binary", "unary"},
     {"slice_columns", "binary", "unary"}},
    {"FoldsConstants",
     "fold_constants",
     [](GraphBuilder& b) {
       const ValueId c = b.Constant("c", {kWidth}, {1, 2, 3, 4, 5, 6, 7, 8});
       const ValueId d = b.Binary("d", graph::BinaryKind::kMul, c, c);
       const ValueId e = b.Unary("e", d, graph::Activation::kTanh);
       b.Output("y", b.Binary("y", graph::BinaryKind::kAdd, Rows(b), e));
     },
     {"binary", "unary", "binary"},
     {"binary"}},
    {"MergesEqualOps",
     "merge_common",
     [](GraphBuilder& b) {
       const ValueId x = Rows(b);
       const ValueId p = b.Unary("p", x, graph::Activation::kSilu);
       const ValueId q = b.Unary("q", x, graph::Activation::kSilu);
       const ValueId r = b.Unary("r", x, graph::Activation::kTanh);
       const ValueId m = b.Linear("m", p, Matrix(b, "w", 4));
       const ValueId n = b.Linear("n", q, Matrix(b, "w", 4));  // the same tensor, named twice
       b.Output("y", b.Binary("y", graph::BinaryKind::kAdd, m, n));
       b.Output("z", r);
     },
     {"unary", "unary", "unary", "linear", "linear", "binary"},
     {"unary", "unary", "linear", "binary"}},
    {"RemovesDead",
     "remove_dead",
     [](GraphBuilder& b) {
       const ValueId x = Rows(b);
       b.Unary("unread2", b.Unary("unread1", x, graph::Activation::kSilu),
               graph::Activation::kRelu);
       b.Output("y", b.Unary("y", x, graph::Activation::kTanh));
     },
     {"unary", "unary", "unary"},
     {"unary"}},
    {"FusesBiasAndActivation",
     "fuse_epilogue",
     [](GraphBuilder& b) {
       ValueId x = b.Linear("l", Rows(b), Matrix(b, "w", 6));
       x = b.Binary("bias", graph::BinaryKind::kAdd, x, Vector(b, "bias", 6));
       b.Output("y", b.Unary("act", x, graph::Activation::kGeluTanh));
     },
     {"linear", "binary", "unary"},
     {"linear"}},
    {"KeepsAnActivationWithTwoReaders",
     "fuse_epilogue",
     [](GraphBuilder& b) {
       const ValueId x = b.Linear("l", Rows(b), Matrix(b, "w", 6));
       b.Output("y", b.Unary("act", x, graph::Activation::kGeluTanh));
       b.Output("z", b.Unary("act2", x, graph::Activation::kTanh));
     },
     {"linear", "unary", "unary"},
     {"linear", "unary", "unary"}},
    {"MergesGateAndUp",
     "merge_gate_up",
     [](GraphBuilder& b) {
       const ValueId x = Rows(b);
       const ValueId gate = b.Linear("mlp.gate_proj", x, Matrix(b, "g", 6), Vector(b, "gb", 6));
       const ValueId up = b.Linear("mlp.up_proj", x, Matrix(b, "u", 6), Vector(b, "ub", 6));
       b.Output("y", b.Gated("mlp.act", gate, up, graph::Activation::kSilu));
     },
     {"linear", "linear", "gated"},
     {"linear"}},
    {"KeepsGateAndUpOfDifferentRows",
     "merge_gate_up",
     [](GraphBuilder& b) {
       const ValueId x = Rows(b);
       const ValueId gate = b.Linear("gate", x, Matrix(b, "g", 6));
       const ValueId up =
           b.Linear("up", b.Unary("t", x, graph::Activation::kTanh), Matrix(b, "u", 6));
       b.Output("y", b.Gated("act", gate, up, graph::Activation::kSilu));
     },
     {"linear", "unary", "linear", "gated"},
     {"linear", "unary", "linear", "gated"}},
    {"FusesTheResidual",
     "fuse_residual",
     [](GraphBuilder& b) {
       const ValueId x = Rows(b);
       const ValueId y = b.Linear("o", x, Matrix(b, "o", kWidth));
       const ValueId sum = b.Binary("sum", graph::BinaryKind::kAdd, x, y);
       const ValueId n = b.RmsNorm("norm", sum, Vector(b, "n"), 1e-5F);
       const ValueId z = b.Linear("down", n, Matrix(b, "d", kWidth));
       b.Output("y", b.Binary("sum2", graph::BinaryKind::kAdd, z, sum));
     },
     {"linear", "binary", "rms_norm", "linear", "binary"},
     {"linear", "rms_norm", "linear"}},
    {"JoinsAddAndNorm",
     "fuse_add_norm",
     [](GraphBuilder& b) {
       const ValueId x = Rows(b);
       const ValueId sum =
           b.Binary("sum", graph::BinaryKind::kAdd, x, b.Unary("t", x, graph::Activation::kTanh));
       b.Output("y", b.RmsNorm("norm", sum, Vector(b, "n"), 1e-5F));
       b.Output("z", b.Unary("u", sum, graph::Activation::kSilu));
     },
     {"unary", "binary", "rms_norm", "unary"},
     {"unary", "add_rms_norm", "unary"}},
    {"PrunesRows",
     "prune_rows",
     [](GraphBuilder& b) {
       const ValueId x = Rows(b);
       const ValueId a = b.Unary("before", x, graph::Activation::kTanh);
       const ValueId o = b.Linear("o", a, Matrix(b, "o", kWidth));
       const ValueId sum = b.Binary("sum", graph::BinaryKind::kAdd, x, o);
       const ValueId n = b.RmsNorm("norm", sum, Vector(b, "n"), 1e-5F);
       const ValueId d = b.Linear("down", n, Matrix(b, "d", kWidth));
       const ValueId y = b.Binary("sum2", graph::BinaryKind::kAdd, d, sum);
       b.Output("hidden", b.GatherRows("rows", y, OutRows(b)));
     },
     {"unary", "linear", "binary", "rms_norm", "linear", "binary", "gather_rows"},
     {"gather_rows", "unary", "linear", "binary", "rms_norm", "linear", "binary"}},
};

INSTANTIATE_TEST_SUITE_P(Passes, PassTest, testing::ValuesIn(kCases),
                         [](const auto& info) { return std::string(info.param.name); });

TEST(AssignPrecision, FormatsFollowTheRole) {
  GraphBuilder builder("test", {.max_tokens = 8});
  const ValueId x = Rows(builder);
  const ValueId y = builder.Linear("l", x, Matrix(builder, "w", 32));
  const ValueId odd =
      builder.Linear("odd", y, builder.Parameter("odd", {8, 32}), Vector(builder, "bias", 8));
  const ValueId head =
      builder.Linear("head", y, builder.Parameter("head", {8, 32}, graph::WeightRole::kHead));
  builder.Output("y", odd);
  builder.Output("z", head);
  Result<graph::Graph> graph = std::move(builder).Finish();
  ASSERT_TRUE(graph.ok()) << graph.status().ToString();
  ASSERT_TRUE(AssignPrecision(*graph, {.precision = Precision::kI4}).ok());
  std::map<std::string, DType> dtypes;
  for (const graph::Weight& weight : graph->weights) dtypes[weight.name] = weight.format.dtype;
  EXPECT_EQ(dtypes["w"], DType::kI8);    // 8 columns: no whole group
  EXPECT_EQ(dtypes["odd"], DType::kI4);  // 32 columns
  EXPECT_EQ(dtypes["bias"], DType::kF32);
  EXPECT_EQ(dtypes["head"], DType::kI8);
}

TEST(Precision, WordsRoundTrip) {
  for (const char* word : {"fp32", "fp16", "bf16", "int8", "int4"}) {
    const Result<Precision> precision = ParsePrecision(word);
    ASSERT_TRUE(precision.ok());
    EXPECT_EQ(PrecisionName(*precision), word);
  }
  EXPECT_EQ(ParsePrecision("fp8").status().code(), StatusCode::kInvalidArgument);
}

}  // namespace
}  // namespace zhibi::compile
