// SPDX-License-Identifier: Apache-2.0
#include "graph/ops/attention.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "graph/cache_access.h"
#include "graph/op_cost.h"
#include "graph/operand_rule.h"
#include "graph/ops/cache_write.h"

namespace zhibi::graph {
namespace {

enum Operand { kQ, kK, kV, kPositions, kRowSeq, kSeqOffsets, kSeqLens, kPageTable, kBias };

void CheckAttributes(const AttentionAttrs& a, OperandRule& rule) {
  rule.AttributeIn("kind", static_cast<std::int64_t>(a.kind), 0,
                   static_cast<std::int64_t>(AttentionKind::kCross));
  rule.AttributeIn("group", a.group, a.kind == AttentionKind::kCross ? 0 : -1,
                   a.kind == AttentionKind::kBidirectional ? -1 : kMaxCacheGroups - 1);
  rule.AttributeIn("layer", a.layer, 0, kMaxCacheLayers - 1);
  rule.AttributeIn("heads", a.heads, 1, kMaxHeads);
  rule.AttributeIn("kv_heads", a.kv_heads, 1, a.heads);
  if (rule.ok()) rule.AttributeIn("heads % kv_heads", a.heads % a.kv_heads, 0, 0);
  rule.AttributeIn("head_dim", a.head_dim, 1, kMaxHeadDim);
  rule.AttributeIn("value_dim", a.value_dim, 1, kMaxHeadDim);
  rule.AttributeIn("window", a.window, 0, std::numeric_limits<std::int32_t>::max());
  rule.Attribute(std::isfinite(a.scale), "scale", "a finite number", a.scale);
  rule.Attribute(std::isfinite(a.softcap) && a.softcap >= 0, "softcap", ">= 0 and finite",
                 a.softcap);
  rule.AttributeIn("bias_buckets", a.bias_buckets, 0, 1 << 20);
  if (a.bias_buckets > 0) {
    // With fewer the logarithm of the bucket rule has no range.
    const std::int32_t exact = a.bias_buckets / (a.bias_bidirectional != 0 ? 4 : 2);
    rule.AttributeIn("bias_bidirectional", a.bias_bidirectional, 0, 1);
    rule.AttributeIn("bias_buckets", a.bias_buckets, a.bias_bidirectional != 0 ? 4 : 2, 1 << 20);
    rule.AttributeIn("bias_max_distance", a.bias_max_distance, exact + 1,
                     std::numeric_limits<std::int32_t>::max());
  }
}

Result<std::vector<TensorDesc>> Infer(const Attrs& attrs, std::span<const TensorDesc> src) {
  const auto a = attrs.As<AttentionAttrs>();
  OperandRule rule(
      "attention", src,
      {"q", "k", "v", "positions", "row_seq", "seq_offsets", "seq_lens", "page_table", "bias"}, 1);
  CheckAttributes(a, rule);
  if (!rule.ok()) return rule.status();
  const bool cached = a.group >= 0;
  rule.Attribute(rule.Has(kK) != cached && rule.Has(kV) != cached, "group",
                 "k and v as operands exactly when negative", a.group);
  rule.Attribute(rule.Has(kPageTable) == cached, "group",
                 "a page_table operand exactly when not negative", a.group);
  rule.Attribute(
      rule.Has(kPositions) && rule.Has(kRowSeq) && rule.Has(kSeqOffsets) && rule.Has(kSeqLens),
      "operands", "positions, row_seq, seq_offsets and seq_lens", static_cast<double>(src.size()));
  rule.Attribute(rule.Has(kBias) == (a.bias_buckets > 0), "bias_buckets",
                 "a bias operand exactly when > 0", a.bias_buckets);
  const Dim tokens = rule.dim(kQ, 0);
  const Dim seqs = rule.dim(kSeqLens, 0);
  rule.Tensor(kQ, DType::kF32, {tokens, Dim(a.heads) * a.head_dim});
  rule.Tensor(kK, DType::kF32, {tokens, Dim(a.kv_heads) * a.head_dim});
  rule.Tensor(kV, DType::kF32, {tokens, Dim(a.kv_heads) * a.value_dim});
  rule.Tensor(kPositions, DType::kI32, {tokens});
  rule.Tensor(kRowSeq, DType::kI32, {tokens});
  rule.Tensor(kSeqOffsets, DType::kI32, {seqs + 1});
  rule.Tensor(kSeqLens, DType::kI32, {seqs});
  rule.Tensor(kPageTable, DType::kI32, {seqs, rule.dim(kPageTable, 1)});
  rule.WeightShape(kBias, {a.bias_buckets, a.heads});
  if (!rule.ok()) return rule.status();
  return std::vector<TensorDesc>{{DType::kF32, {tokens, Dim(a.heads) * a.value_dim}}};
}

// The keys that one row may look at: `count` keys, of which Visible says which it sees.
class Keys {
 public:
  Keys(const ReferenceArgs& args, const AttentionAttrs& a, std::int64_t row)
      : args_(args), a_(a), position_(args.src[kPositions].as<std::int32_t>()[row]) {
    seq_ = args.src[kRowSeq].as<std::int32_t>()[row];
    if (seq_ < 0 || seq_ >= args.src[kSeqLens].elements()) return;
    if (a.group < 0) {
      const auto* offsets = args.src[kSeqOffsets].as<std::int32_t>();
      first_row_ = offsets[seq_];
      count_ = offsets[seq_ + 1] - first_row_;
      return;
    }
    const TensorView& table = args.src[kPageTable];
    pages_ = {table.as<std::int32_t>() + seq_ * table.cols(),
              static_cast<std::size_t>(table.cols())};
    count_ = a.kind == AttentionKind::kCross ? args.src[kSeqLens].as<std::int32_t>()[seq_]
                                             : position_ + 1;
    cache_ = {args.caches[static_cast<std::size_t>(a.group)], a.layer, a.kv_heads, a.head_dim,
              a.value_dim};
  }

  std::int64_t count() const { return count_; }

  std::int32_t PositionOf(std::int64_t key) const {
    if (a_.group >= 0) return static_cast<std::int32_t>(key);
    return args_.src[kPositions].as<std::int32_t>()[first_row_ + key];
  }

  bool Visible(std::int64_t key) const {
    const std::int32_t distance = position_ - PositionOf(key);
    if (a_.kind == AttentionKind::kCausal && distance < 0) return false;
    if (a_.kind != AttentionKind::kCross && a_.window > 0 && std::abs(distance) >= a_.window) {
      return false;
    }
    return a_.group < 0 || KeyAddress(cache_, pages_, key, 0) != nullptr;
  }

  float Score(const float* q, std::int64_t key, std::int64_t head) const {
    const std::int64_t kv_head = head / (a_.heads / a_.kv_heads);
    double sum = 0;
    if (a_.group >= 0) {
      const std::byte* k = KeyAddress(cache_, pages_, key, kv_head);
      for (std::int64_t i = 0; i < a_.head_dim; ++i) {
        sum += static_cast<double>(q[i]) * LoadElement(k, cache_.view.dtype, i);
      }
    } else {
      const float* k = args_.src[kK].as<float>() + (first_row_ + key) * args_.src[kK].cols() +
                       kv_head * a_.head_dim;
      for (std::int64_t i = 0; i < a_.head_dim; ++i) sum += static_cast<double>(q[i]) * k[i];
    }
    float score = static_cast<float>(sum) * a_.scale;
    if (a_.softcap > 0) score = a_.softcap * std::tanh(score / a_.softcap);
    if (a_.bias_buckets > 0) {
      const std::int64_t bucket = RelativeBucket(PositionOf(key) - position_, a_);
      score += args_.src[kBias].as<float>()[bucket * a_.heads + head];
    }
    return score;
  }

  float Value(std::int64_t key, std::int64_t head, std::int64_t i) const {
    const std::int64_t kv_head = head / (a_.heads / a_.kv_heads);
    if (a_.group >= 0) {
      return LoadElement(ValueAddress(cache_, pages_, key, kv_head), cache_.view.dtype, i);
    }
    return args_.src[kV]
        .as<float>()[(first_row_ + key) * args_.src[kV].cols() + kv_head * a_.value_dim + i];
  }

 private:
  const ReferenceArgs& args_;
  const AttentionAttrs& a_;
  std::int32_t position_ = 0;
  std::int32_t seq_ = 0;
  std::int64_t first_row_ = 0;
  std::int64_t count_ = 0;
  std::span<const std::int32_t> pages_;
  CacheLayer cache_;
};

// Scores are made twice, once for the maximum and once for the sum, so that nothing is allocated.
void Reference(const ReferenceArgs& args) {
  const auto a = args.attrs->As<AttentionAttrs>();
  for (std::int64_t t = 0; t < args.src[kQ].dims[0]; ++t) {
    const Keys keys(args, a, t);
    for (std::int64_t head = 0; head < a.heads; ++head) {
      const float* q = args.src[kQ].as<float>() + (t * a.heads + head) * a.head_dim;
      float* y = args.dst[0].as<float>() + (t * a.heads + head) * a.value_dim;
      std::fill_n(y, a.value_dim, 0.0F);
      float largest = -std::numeric_limits<float>::infinity();
      for (std::int64_t j = 0; j < keys.count(); ++j) {
        if (keys.Visible(j)) largest = std::max(largest, keys.Score(q, j, head));
      }
      double sum = 0;
      for (std::int64_t j = 0; j < keys.count(); ++j) {
        if (!keys.Visible(j)) continue;
        const float p = std::exp(keys.Score(q, j, head) - largest);
        sum += p;
        for (std::int64_t i = 0; i < a.value_dim; ++i) y[i] += p * keys.Value(j, head, i);
      }
      if (sum == 0) continue;  // no visible key: a zero row
      for (std::int64_t i = 0; i < a.value_dim; ++i) y[i] = static_cast<float>(y[i] / sum);
    }
  }
}

// Keys are known only when the step runs: a cached row is taken to see half of its page table at 32
// positions a page, a packed row its whole sequence.
Cost CostOf(const Attrs& attrs, std::span<const TensorView> src, std::span<const TensorView> dst) {
  const auto a = attrs.As<AttentionAttrs>();
  const auto tokens = static_cast<double>(src[kQ].dims[0]);
  const auto seqs = static_cast<double>(std::max<std::int64_t>(1, src[kSeqLens].dims[0]));
  double keys = tokens / seqs;
  Cost cost{.flops = 0, .bytes = BytesOf(src[kQ]) + BytesOf(dst[0])};
  const double per_key = static_cast<double>(a.kv_heads) * (a.head_dim + a.value_dim);
  if (a.group >= 0) {
    keys = 16.0 * static_cast<double>(src[kPageTable].cols());
    if (a.window > 0) keys = std::min(keys, static_cast<double>(a.window));
    cost.bytes += 2 * seqs * keys * per_key;
  } else {
    cost.bytes += BytesOf(src[kK]) + BytesOf(src[kV]);
  }
  cost.flops = 2 * tokens * keys * a.heads * (a.head_dim + a.value_dim);
  return cost;
}

std::string_view KindName(AttentionKind kind) {
  switch (kind) {
    case AttentionKind::kCausal:
      return "causal";
    case AttentionKind::kBidirectional:
      return "bidirectional";
    case AttentionKind::kCross:
      return "cross";
  }
  return "unknown";
}

std::string Describe(const Attrs& attrs) {
  const auto a = attrs.As<AttentionAttrs>();
  std::string text = fmt::format(
      "kind={} group={} layer={} heads={} kv_heads={} head_dim={} value_dim={} scale={}",
      KindName(a.kind), a.group, a.layer, a.heads, a.kv_heads, a.head_dim, a.value_dim, a.scale);
  if (a.window > 0) text += fmt::format(" window={}", a.window);
  if (a.softcap > 0) text += fmt::format(" softcap={}", a.softcap);
  if (a.bias_buckets > 0) {
    text += fmt::format(" bias_buckets={} bias_max_distance={} bias_bidirectional={}",
                        a.bias_buckets, a.bias_max_distance, a.bias_bidirectional);
  }
  return text;
}

}  // namespace

std::int32_t RelativeBucket(std::int32_t relative, const AttentionAttrs& attrs) {
  std::int32_t buckets = attrs.bias_buckets;
  std::int32_t bucket = 0;
  std::int32_t distance = -relative;
  if (attrs.bias_bidirectional != 0) {
    buckets /= 2;
    if (relative > 0) bucket = buckets;
    distance = std::abs(relative);
  }
  distance = std::max(distance, 0);
  const std::int32_t exact = buckets / 2;
  if (distance < exact) return bucket + distance;
  const float ratio = std::log(static_cast<float>(distance) / static_cast<float>(exact)) /
                      static_cast<float>(std::log(static_cast<double>(attrs.bias_max_distance) /
                                                  static_cast<double>(exact)));
  const auto far = exact + static_cast<std::int32_t>(ratio * static_cast<float>(buckets - exact));
  return bucket + std::min(far, buckets - 1);
}

const OpDef kOp_attention = {
    .name = "attention",
    .version = 1,
    .attrs_bytes = sizeof(AttentionAttrs),
    .has_effect = false,
    .infer = &Infer,
    .reference = &Reference,
    .cost = &CostOf,
    .describe = &Describe,
};

}  // namespace zhibi::graph
