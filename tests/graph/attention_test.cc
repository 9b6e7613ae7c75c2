// SPDX-License-Identifier: Apache-2.0
// Attention, cache_write and qkv_rope_cache against values worked out by hand and against each
// other.
#include "graph/ops/attention.h"

#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "graph/ops/cache_write.h"
#include "graph/ops/qkv_rope_cache.h"
#include "graph/ops/rms_norm.h"
#include "graph/tensors.h"

namespace zhibi::graph {
namespace {

using ::testing::ElementsAre;

// A pool of pages of one group in host memory.
struct Pages {
  Pages(std::int32_t pages, std::int32_t page_tokens, std::int64_t elements_per_token,
        std::int64_t layers, DType dtype) {
    view.page_tokens = page_tokens;
    view.dtype = dtype;
    view.layer_bytes = page_tokens * elements_per_token * DTypeBits(dtype) / 8;
    view.page_bytes = view.layer_bytes * layers;
    bytes.resize(static_cast<std::size_t>(view.page_bytes * pages));
    view.base = bytes.data();
  }
  CacheView view;
  std::vector<std::byte> bytes;
};

AttentionAttrs OneHead(AttentionKind kind, int group) {
  AttentionAttrs a;
  a.kind = kind;
  a.group = group;
  a.heads = 1;
  a.kv_heads = 1;
  a.head_dim = 1;
  a.value_dim = 1;
  a.scale = 1;
  return a;
}

// Three tokens of one sequence, q = 1, keys 0, ln 2, ln 4, values 1, 2, 3: weights 1, 2, 4.
const float kLn2 = std::log(2.0F);

std::vector<float> Packed(const AttentionAttrs& a, Tensor bias = {}) {
  return RunReference(kOp_attention, Attrs::Of(a),
                      {Tensor::F32({3, 1}, {1, 1, 1}), Tensor::F32({3, 1}, {0, kLn2, 2 * kLn2}),
                       Tensor::F32({3, 1}, {1, 2, 3}), Tensor::I32({3}, {0, 1, 2}),
                       Tensor::I32({3}, {0, 0, 0}), Tensor::I32({2}, {0, 3}), Tensor::I32({1}, {3}),
                       Tensor(), std::move(bias)})[0]
      .values<float>();
}

void ExpectClose(const std::vector<float>& given, const std::vector<float>& expected) {
  ASSERT_EQ(given.size(), expected.size());
  for (std::size_t i = 0; i < given.size(); ++i) EXPECT_NEAR(given[i], expected[i], 1e-5F) << i;
}

TEST(Attention, CausalBidirectionalAndWindow) {
  ExpectClose(Packed(OneHead(AttentionKind::kCausal, -1)),
              {1, (1 + 2 * 2) / 3.0F, (1 + 4 + 12) / 7.0F});
  ExpectClose(Packed(OneHead(AttentionKind::kBidirectional, -1)),
              {17 / 7.0F, 17 / 7.0F, 17 / 7.0F});
  AttentionAttrs a = OneHead(AttentionKind::kCausal, -1);
  a.window = 2;
  ExpectClose(Packed(a), {1, 5 / 3.0F, (4 + 12) / 6.0F});
  a = OneHead(AttentionKind::kBidirectional, -1);
  a.window = 2;
  ExpectClose(Packed(a), {5 / 3.0F, 17 / 7.0F, 16 / 6.0F});
}

TEST(Attention, SoftcapAndBias) {
  AttentionAttrs a = OneHead(AttentionKind::kCausal, -1);
  a.softcap = 1;
  const float w = std::exp(std::tanh(kLn2));
  EXPECT_NEAR(Packed(a)[1], (1 + 2 * w) / (1 + w), 1e-6F);
  a = OneHead(AttentionKind::kCausal, -1);
  a.bias_buckets = 4;
  a.bias_max_distance = 8;
  // Distance 0 (bucket 0) gains ln 2, distance 1 (bucket 1) nothing.
  const auto y = Packed(a, Tensor::F32({4, 1}, {kLn2, 0, 0, 0}));
  EXPECT_NEAR(y[1], (1 + 4 * 2) / 5.0F, 1e-5F);
}

// Values of T5's own rule (Raffel et al. 2020) for 32 buckets and distance 128.
TEST(Attention, RelativeBuckets) {
  AttentionAttrs a;
  a.bias_buckets = 32;
  a.bias_max_distance = 128;
  a.bias_bidirectional = 1;
  EXPECT_EQ(RelativeBucket(0, a), 0);
  EXPECT_EQ(RelativeBucket(-7, a), 7);
  EXPECT_EQ(RelativeBucket(-8, a), 8);
  EXPECT_EQ(RelativeBucket(-12, a), 9);
  EXPECT_EQ(RelativeBucket(7, a), 23);
  EXPECT_EQ(RelativeBucket(1000, a), 31);
  EXPECT_EQ(RelativeBucket(-1000, a), 15);
  a.bias_bidirectional = 0;
  EXPECT_EQ(RelativeBucket(3, a), 0);
  EXPECT_EQ(RelativeBucket(-15, a), 15);
  EXPECT_EQ(RelativeBucket(-16, a), 16);
  EXPECT_EQ(RelativeBucket(-128, a), 31);
}

TEST(Attention, GroupedHeadsAndValueSize) {
  AttentionAttrs a = OneHead(AttentionKind::kCausal, -1);
  a.heads = 2;
  a.value_dim = 2;
  const auto y = RunReference(
      kOp_attention, Attrs::Of(a),
      {Tensor::F32({2, 2}, {1, 0, 1, 0}), Tensor::F32({2, 1}, {0, kLn2}),
       Tensor::F32({2, 2}, {1, 10, 2, 20}), Tensor::I32({2}, {0, 1}), Tensor::I32({2}, {0, 0}),
       Tensor::I32({2}, {0, 2}), Tensor::I32({1}, {2}), Tensor(), Tensor()});
  ExpectNear(y[0], {1, 10, 1, 10, 5 / 3.0F, 50 / 3.0F, 1.5F, 15}, 1e-5F);
}

// The same sequence once packed and once through pages of two positions in shuffled order.
TEST(Attention, PagesGiveTheSameAsPackedOperands) {
  Pages pages(4, 2, 2, 2, DType::kF32);
  const CacheWriteAttrs write{.group = 0, .layer = 1, .kv_heads = 1, .head_dim = 1, .value_dim = 1};
  const Tensor table = Tensor::I32({1, 2}, {3, 1});
  const Tensor positions = Tensor::I32({3}, {0, 1, 2});
  const Tensor row_seq = Tensor::I32({3}, {0, 0, 0});
  RunReference(kOp_cache_write, Attrs::Of(write),
               {Tensor::F32({3, 1}, {0, kLn2, 2 * kLn2}), Tensor::F32({3, 1}, {1, 2, 3}), positions,
                row_seq, table},
               {pages.view});
  AttentionAttrs a = OneHead(AttentionKind::kCausal, 0);
  a.layer = 1;
  const auto run = [&] {
    return RunReference(kOp_attention, Attrs::Of(a),
                        {Tensor::F32({3, 1}, {1, 1, 1}), Tensor(), Tensor(), positions, row_seq,
                         Tensor::I32({2}, {0, 3}), Tensor::I32({1}, {3}), table, Tensor()},
                        {pages.view})[0]
        .values<float>();
  };
  EXPECT_EQ(run(), Packed(OneHead(AttentionKind::kCausal, -1)));
  a.kind = AttentionKind::kCross;
  ExpectClose(run(), {17 / 7.0F, 17 / 7.0F, 17 / 7.0F});
}

TEST(CacheWrite, RoundsToTheDtypeAndKeepsTheLayout) {
  for (const DType dtype : {DType::kF16, DType::kBF16}) {
    Pages pages(2, 2, 2, 1, dtype);
    RunReference(kOp_cache_write, Attrs::Of(CacheWriteAttrs{0, 0, 1, 1, 1}),
                 {Tensor::F32({1, 1}, {1.00001F}), Tensor::F32({1, 1}, {-2}), Tensor::I32({1}, {1}),
                  Tensor::I32({1}, {0}), Tensor::I32({1, 1}, {1})},
                 {pages.view});
    const auto* words = reinterpret_cast<const std::uint16_t*>(pages.bytes.data());
    const bool half = dtype == DType::kF16;
    // Page 1: K of slots 0 and 1, then V of slots 0 and 1.
    EXPECT_THAT(std::vector<std::uint16_t>(words + 4, words + 8),
                ElementsAre(0, half ? 0x3C00 : 0x3F80, 0, half ? 0xC000 : 0xC000));
  }
}

TEST(CacheWrite, IgnoresPositionsWithoutAPage) {
  Pages pages(1, 2, 2, 1, DType::kF32);
  RunReference(
      kOp_cache_write, Attrs::Of(CacheWriteAttrs{0, 0, 1, 1, 1}),
      {Tensor::F32({3, 1}, {1, 2, 3}), Tensor::F32({3, 1}, {1, 2, 3}), Tensor::I32({3}, {5, 0, 0}),
       Tensor::I32({3}, {0, 1, 7}), Tensor::I32({2, 1}, {0, -1})},
      {pages.view});
  for (const std::byte byte : pages.bytes) EXPECT_EQ(byte, std::byte{0});
}

// The fusion equals norm, rope and write one after the other.
TEST(QkvRopeCache, EqualsItsParts) {
  const RopeAttrs rope{.head_dim = 4, .rotary_dim = 4, .interleaved = 0, .attention_factor = 1};
  const CacheWriteAttrs write{.group = 0, .layer = 0, .kv_heads = 1, .head_dim = 4, .value_dim = 4};
  std::vector<float> qkv(2 * 16);
  for (std::size_t i = 0; i < qkv.size(); ++i) qkv[i] = std::sin(static_cast<float>(i));
  const Tensor positions = Tensor::I32({2}, {3, 4});
  const Tensor row_seq = Tensor::I32({2}, {0, 0});
  const Tensor table = Tensor::I32({1, 2}, {1, 0});
  const Tensor inv_freq = Tensor::F32({2}, {1, 0.25F});
  const Tensor q_norm = Tensor::F32({4}, {1, 2, 3, 4});
  const Tensor k_norm = Tensor::F32({4}, {4, 3, 2, 1});
  Pages fused(2, 4, 8, 1, DType::kF32);
  const auto q =
      RunReference(kOp_qkv_rope_cache, Attrs::Of(QkvRopeCacheAttrs{write, rope, 2, 1e-6F}),
                   {Tensor::F32({2, 16}, qkv), positions, inv_freq, q_norm, k_norm, row_seq, table},
                   {fused.view});

  const auto columns = [&](std::size_t begin, std::size_t size) {
    std::vector<float> out;
    for (std::size_t r = 0; r < 2; ++r) {
      for (std::size_t i = 0; i < size; ++i) out.push_back(qkv[r * 16 + begin + i]);
    }
    return Tensor::F32({2, static_cast<std::int64_t>(size)}, out);
  };
  const auto head = [&](Tensor x, const Tensor& norm) {
    auto y = RunReference(kOp_rms_norm, Attrs::Of(RmsNormAttrs{1e-6F, 4}), {std::move(x), norm});
    return RunReference(kOp_rope, Attrs::Of(rope), {std::move(y[0]), positions, inv_freq})[0];
  };
  EXPECT_EQ(q[0].values<float>(), head(columns(0, 8), q_norm).values<float>());
  Pages parts(2, 4, 8, 1, DType::kF32);
  RunReference(kOp_cache_write, Attrs::Of(write),
               {head(columns(8, 4), k_norm), columns(12, 4), positions, row_seq, table},
               {parts.view});
  EXPECT_EQ(fused.bytes, parts.bytes);
}

TEST(Attention, RuleRefusesWhatDoesNotFitTogether) {
  const auto error = [](AttentionAttrs a, std::vector<TensorDesc> src) {
    return kOp_attention.infer(Attrs::Of(a), src).status().message();
  };
  const TensorDesc q{DType::kF32, {3, 1}};
  const TensorDesc i{DType::kI32, {3}};
  const TensorDesc none;
  const TensorDesc offsets{DType::kI32, {2}};
  const TensorDesc lens{DType::kI32, {1}};
  const TensorDesc pages{DType::kI32, {1, 2}};
  EXPECT_EQ(
      error(OneHead(AttentionKind::kCausal, 0), {q, q, q, i, i, offsets, lens, none}),
      "attention: attribute group: expected k and v as operands exactly when negative, got 0");
  EXPECT_EQ(error(OneHead(AttentionKind::kCross, -1), {q, q, q, i, i, offsets, lens, none}),
            "attention: attribute group: expected 0..7, got -1");
  AttentionAttrs a = OneHead(AttentionKind::kCausal, 0);
  EXPECT_EQ(error(a, {q, none, none, i, i, lens, lens, pages}),
            "attention: operand seq_offsets: expected shape [2], got [1]");
  a.heads = 3;
  a.kv_heads = 2;
  EXPECT_EQ(error(a, {q, none, none, i, i, offsets, lens, pages}),
            "attention: attribute heads % kv_heads: expected 0..0, got 1");
}

}  // namespace
}  // namespace zhibi::graph
