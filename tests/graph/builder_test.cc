// SPDX-License-Identifier: Apache-2.0
#include "graph/builder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "graph/ops/sample.h"
#include "graph/step.h"

namespace zhibi::graph {
namespace {

using ::testing::HasSubstr;

// One decoder layer with paged KV, the way a family writes it.
Result<Graph> TinyDecoder() {
  StepLimits limits;
  limits.max_context = 100;
  limits.page_tokens = 16;
  GraphBuilder b("step", limits);
  CacheGroup group;
  group.name = "kv";
  group.layers = 1;
  group.elements_per_token = 2 * 1 * 8;
  const int kv = b.Cache(group);
  const auto step = b.Step();
  ValueId x =
      b.Embedding("embed", step.ids, b.Parameter("embed", {11, 16}, WeightRole::kEmbedding));
  const ValueId h = b.RmsNorm("norm", x, b.Parameter("norm", {16}, WeightRole::kVector), 1e-6F);
  const RopeAttrs rope{.head_dim = 8, .rotary_dim = 8, .interleaved = 0, .attention_factor = 1};
  const ValueId inv_freq = b.Constant("inv_freq", {4}, {1, 0.1F, 0.01F, 0.001F});
  const ValueId q = b.Rope("q_rope", b.Linear("q", h, b.Parameter("q", {16, 16})), inv_freq, rope);
  const ValueId k = b.Rope("k_rope", b.Linear("k", h, b.Parameter("k", {8, 16})), inv_freq, rope);
  const ValueId v = b.Linear("v", h, b.Parameter("v", {8, 16}));
  b.CacheWrite("write", k, v,
               {.group = kv, .layer = 0, .kv_heads = 1, .head_dim = 8, .value_dim = 8});
  AttentionAttrs a;
  a.group = kv;
  a.heads = 2;
  a.kv_heads = 1;
  a.head_dim = 8;
  a.value_dim = 8;
  a.scale = 0.35F;
  const ValueId o = b.Attention("attn", q, ValueId::kNone, ValueId::kNone, a);
  x = b.Binary("residual", BinaryKind::kAdd, x, b.Linear("o", o, b.Parameter("o", {16, 16})));
  b.LogitsAndSampler(x, b.Parameter("head", {11, 16}, WeightRole::kHead));
  return std::move(b).Finish();
}

TEST(GraphBuilder, MakesAValidStepGraph) {
  const auto graph = TinyDecoder();
  ASSERT_TRUE(graph.ok()) << graph.status().ToString();
  EXPECT_TRUE(Validate(*graph).ok());
  for (const auto name :
       {step::kHostIds, step::kTokenSource, step::kPreviousSamples, step::kPositions, step::kRowSeq,
        step::kSeqOffsets, step::kSeqLens, step::kOutRows, step::kSampling, step::kHistoryOffsets,
        step::kHistory, step::kBiasOffsets, step::kBiasIds, step::kBiasValues, step::kMaskIndex,
        step::kMasks}) {
    EXPECT_TRUE(graph->FindInput(name)) << name;
  }
  for (const auto name : {step::kHidden, step::kLogits, step::kSamples, step::kSampleLogprob,
                          step::kTopIds, step::kTopLogprobs}) {
    EXPECT_TRUE(graph->FindOutput(name)) << name;
  }
  EXPECT_EQ(graph->caches[0].bytes_per_token, 64);
  const auto pages = graph->FindInput("page_table.kv");
  ASSERT_TRUE(pages);
  EXPECT_EQ(graph->value(*pages).desc.dtype, DType::kI32);
  // 100 positions in pages of 16.
  for (const Symbol& symbol : graph->symbols) {
    if (symbol.name == "pages.kv") {
      EXPECT_EQ(symbol.max, 7);
    }
    if (symbol.name == "tokens") {
      EXPECT_EQ(symbol.max, 512);
    }
  }
}

TEST(GraphBuilder, TextShowsShapesAndAttributes) {
  const auto graph = TinyDecoder();
  ASSERT_TRUE(graph.ok());
  const std::string text = ToText(*graph);
  EXPECT_THAT(text, HasSubstr("graph step\n"));
  EXPECT_THAT(text, HasSubstr("q f32[tokens, 16] = linear(norm, q, -, -) activation=none gated=0"));
  EXPECT_THAT(text, HasSubstr("cache_write(k_rope, v, positions, row_seq, page_table.kv)"));
  EXPECT_THAT(text, HasSubstr("input masks u8[masks, 2]"));
  EXPECT_THAT(text, HasSubstr("output samples\n"));
}

TEST(GraphBuilder, SameSymbolTwice) {
  GraphBuilder b("dense");
  EXPECT_EQ(b.Symbol("batch", 1, 2, 8), b.Symbol("batch", 1, 2, 8));
  EXPECT_FALSE(b.Symbol("batch", 1, 2, 8) == b.Symbol("seq", 1, 2, 8));
}

Status ErrorOf(void (*make)(GraphBuilder&)) {
  GraphBuilder b("g");
  make(b);
  return std::move(b).Finish().status();
}

TEST(GraphBuilder, FirstErrorNamesNodeOperandExpectedAndGiven) {
  const Status status = ErrorOf([](GraphBuilder& b) {
    const ValueId x = b.Input("x", DType::kF32, {b.tokens(), 16});
    const ValueId bad = b.Linear("layer.3.up", x, b.Parameter("w", {8, 12}));
    b.Output("y", b.Unary("act", bad, Activation::kSilu));
  });
  EXPECT_EQ(status.code(), StatusCode::kInvalidArgument);
  EXPECT_EQ(
      status.message(),
      "graph g: node layer.3.up: linear: operand weight: expected shape [8, 16], got [8, 12]");
}

TEST(GraphBuilder, OtherErrors) {
  EXPECT_THAT(ErrorOf([](GraphBuilder& b) { b.Add("no_such_op", "n", Attrs{}, {}); }).message(),
              HasSubstr("node n: expected a known op, got no_such_op"));
  EXPECT_THAT(ErrorOf([](GraphBuilder& b) {
                b.Input("x", DType::kF32, {1});
                b.Input("x", DType::kF32, {1});
              }).message(),
              HasSubstr("input x: expected one of that name, got two"));
  EXPECT_THAT(ErrorOf([](GraphBuilder& b) { b.Symbol("s", 4, 2, 8); }).message(),
              HasSubstr("symbol s: expected 0 <= min <= opt <= max, got 4, 2, 8"));
  EXPECT_THAT(ErrorOf([](GraphBuilder& b) { b.Constant("c", {3}, {1, 2}); }).message(),
              HasSubstr("constant c: expected 3 values, got 2"));
  EXPECT_THAT(ErrorOf([](GraphBuilder& b) {
                Weight weight;
                weight.name = "qkv";
                weight.shape = {12, 4};
                weight.parts = {{"q", 0, 4}, {"k", 0, 4}};
                b.Parameter(weight);
              }).message(),
              HasSubstr("weight qkv: expected parts of 12 rows together, got 8"));
  EXPECT_THAT(ErrorOf([](GraphBuilder& b) { b.Output("y", ValueId::kNone); }).message(),
              HasSubstr("output y: expected a value, got none"));
  EXPECT_THAT(ErrorOf([](GraphBuilder& b) { b.Cache({}); }).message(),
              HasSubstr("cache group : expected a name"));
}

TEST(Validate, RefusesBrokenGraphs) {
  const auto good = TinyDecoder();
  ASSERT_TRUE(good.ok());
  const auto broken = [&](void (*change)(Graph&)) {
    Graph graph = *good;
    change(graph);
    return Validate(graph);
  };
  EXPECT_THAT(broken([](Graph& g) { g.nodes[1].op = "gone"; }).message(),
              HasSubstr("expected a known op"));
  EXPECT_THAT(broken([](Graph& g) { std::swap(g.nodes[0], g.nodes[1]); }).message(),
              HasSubstr("expected a definition before this use"));
  EXPECT_THAT(broken([](Graph& g) { g.nodes[1].src[0] = ValueId{9999}; }).message(),
              HasSubstr("expected operands 0.."));
  EXPECT_THAT(broken([](Graph& g) { g.nodes[2].dst = g.nodes[1].dst; }).message(),
              HasSubstr("defined twice"));
  EXPECT_THAT(broken([](Graph& g) { g.value(g.nodes[1].dst[0]).desc.shape.back() = 17; }).message(),
              HasSubstr("got f32 [tokens, 17]"));
  EXPECT_THAT(broken([](Graph& g) { g.nodes[1].attrs = Attrs{}; }).message(),
              HasSubstr("bytes of attributes, got 0"));
  EXPECT_THAT(broken([](Graph& g) { g.outputs.push_back(ValueId{-5}); }).message(),
              HasSubstr("outputs: expected a defined value"));
  EXPECT_THAT(broken([](Graph& g) { g.weights[0].shape = {1, 1}; }).message(),
              HasSubstr("expected the shape of its weight"));
}

TEST(OpTable, IsSortedAndComplete) {
  const auto ops = AllOps();
  ASSERT_GE(ops.size(), 18U);
  for (std::size_t i = 0; i < ops.size(); ++i) {
    if (i > 0) {
      EXPECT_LT(ops[i - 1]->name, ops[i]->name);
    }
    EXPECT_EQ(FindOp(ops[i]->name), ops[i]);
    EXPECT_GE(ops[i]->version, 1U);
    EXPECT_NE(ops[i]->infer, nullptr);
    EXPECT_NE(ops[i]->reference, nullptr);
    EXPECT_NE(ops[i]->cost, nullptr);
    EXPECT_NE(ops[i]->describe, nullptr);
    EXPECT_LE(ops[i]->attrs_bytes, Attrs::kMaxBytes);
  }
  EXPECT_EQ(FindOp("no_such_op"), nullptr);
}

// Hostile attributes and shapes get a Status from every rule.
TEST(OpTable, RulesNeverCrash) {
  std::uint64_t state = 1;
  const auto next = [&] { return state = state * 6364136223846793005U + 1442695040888963407U; };
  for (const OpDef* op : AllOps()) {
    for (int round = 0; round < 2000; ++round) {
      std::vector<std::byte> bytes(op->attrs_bytes);
      for (auto& byte : bytes)
        byte = static_cast<std::byte>(next() >> 40 & (next() >> 62 ? 0 : 255));
      std::vector<TensorDesc> src(next() >> 33 & 15);
      for (TensorDesc& desc : src) {
        desc.dtype = static_cast<DType>((next() >> 33) % 9);
        if (next() >> 63) desc.dtype = DType::kF32;
        desc.shape.resize((next() >> 33) % 4);
        for (Dim& dim : desc.shape) dim = static_cast<std::int64_t>((next() >> 33) % 4);
      }
      const auto attrs = Attrs::FromBytes(bytes);
      ASSERT_TRUE(attrs.ok());
      const auto result = op->infer(*attrs, src);
      if (!result.ok()) {
        EXPECT_THAT(result.status().message(), HasSubstr(std::string(op->name)));
      }
      EXPECT_GE(op->describe(*attrs).size(), 0U);
    }
  }
}

}  // namespace
}  // namespace zhibi::graph
