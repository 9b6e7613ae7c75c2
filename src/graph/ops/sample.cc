// SPDX-License-Identifier: Apache-2.0
#include "graph/ops/sample.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "graph/op_cost.h"
#include "graph/operand_rule.h"

namespace zhibi::graph {
namespace {

enum Operand {
  kLogits,
  kSampling,
  kHistoryOffsets,
  kHistory,
  kBiasOffsets,
  kBiasIds,
  kBiasValues,
  kMaskIndex,
  kMasks,
};

constexpr float kInfinity = std::numeric_limits<float>::infinity();

Result<std::vector<TensorDesc>> Infer(const Attrs&, std::span<const TensorDesc> src) {
  OperandRule rule("sample", src,
                   {"logits", "sampling", "history_offsets", "history", "bias_offsets", "bias_ids",
                    "bias_values", "mask_index", "masks"},
                   9);
  rule.Type(kLogits, DType::kF32);
  rule.Rank(kLogits, 2);
  const Dim rows = rule.dim(kLogits, 0);
  const Dim vocab = rule.dim(kLogits, 1);
  rule.Tensor(kSampling, DType::kU8, {rows, Dim(sizeof(step::SamplingRow))});
  rule.Tensor(kHistoryOffsets, DType::kI32, {rows + 1});
  rule.Tensor(kHistory, DType::kI32, {rule.dim(kHistory, 0)});
  rule.Tensor(kBiasOffsets, DType::kI32, {rows + 1});
  rule.Tensor(kBiasIds, DType::kI32, {rule.dim(kBiasIds, 0)});
  rule.Tensor(kBiasValues, DType::kF32, {rule.dim(kBiasIds, 0)});
  rule.Tensor(kMaskIndex, DType::kI32, {rows});
  rule.Tensor(kMasks, DType::kU8, {rule.dim(kMasks, 0), Dim::CeilDiv(vocab, 8)});
  if (!rule.ok()) return rule.status();
  return std::vector<TensorDesc>{{DType::kI32, {rows}},
                                 {DType::kF32, {rows}},
                                 {DType::kI32, {rows, step::kMaxTopLogprobs}},
                                 {DType::kF32, {rows, step::kMaxTopLogprobs}}};
}

// The order of candidates: larger first, equal ones by id.
struct Better {
  const float* values;
  bool operator()(std::int32_t a, std::int32_t b) const {
    return values[a] > values[b] || (values[a] == values[b] && a < b);
  }
};

void RawLogprobs(const SampleRowInput& in, std::int32_t* order, SampleRowOutput& out) {
  float largest = -kInfinity;
  for (std::int64_t i = 0; i < in.vocab; ++i) largest = std::max(largest, in.logits[i]);
  double sum = 0;
  for (std::int64_t i = 0; i < in.vocab; ++i) sum += std::exp(in.logits[i] - largest);
  const auto log_sum = static_cast<float>(std::log(sum)) + largest;
  if (out.id >= 0) out.logprob = in.logits[out.id] - log_sum;
  const auto wanted = std::min<std::int64_t>(in.vocab, in.row.top_logprobs);
  for (std::int64_t i = 0; i < in.vocab; ++i) order[i] = static_cast<std::int32_t>(i);
  std::partial_sort(order, order + wanted, order + in.vocab, Better{in.logits});
  for (std::int64_t i = 0; i < wanted; ++i) {
    out.top_ids[i] = order[i];
    out.top_logprobs[i] = in.logits[order[i]] - log_sum;
  }
}

// Draws among the `kept` candidates (best first) whose weights lie in `values`.
std::int32_t Draw(const step::SamplingRow& row, const float* values, std::int32_t* order,
                  std::int64_t kept) {
  std::sort(order, order + kept);
  double total = 0;
  for (std::int64_t i = 0; i < kept; ++i) total += values[order[i]];
  const double target = total * UniformDraw(row.seed, row.position);
  double sum = 0;
  std::int32_t chosen = -1;
  for (std::int64_t i = 0; i < kept; ++i) {
    if (values[order[i]] <= 0) continue;
    chosen = order[i];
    sum += values[order[i]];
    if (sum > target) break;
  }
  return chosen;
}

// `values` holds the adjusted logits and ends as weights exp((x - largest) / temperature).
std::int32_t Choose(const step::SamplingRow& row, float* values, std::int32_t* order,
                    std::int64_t vocab) {
  std::int64_t best = -1;
  for (std::int64_t i = 0; i < vocab; ++i) {
    if (values[i] > -kInfinity && (best < 0 || values[i] > values[best])) best = i;
  }
  if (best < 0 || row.temperature <= 0 || values[best] == kInfinity) {
    return static_cast<std::int32_t>(best);
  }
  const float largest = values[best];
  std::int64_t kept = 0;
  for (std::int64_t i = 0; i < vocab; ++i) {
    if (values[i] > -kInfinity) order[kept++] = static_cast<std::int32_t>(i);
    values[i] = std::exp((values[i] - largest) / row.temperature);
  }
  std::sort(order, order + kept, Better{values});
  if (row.top_k > 0) kept = std::min<std::int64_t>(kept, row.top_k);
  if (row.top_p < 1) {
    double total = 0;
    for (std::int64_t i = 0; i < kept; ++i) total += values[order[i]];
    double sum = 0;
    std::int64_t count = 0;
    while (count < kept) {
      sum += values[order[count++]];
      if (sum >= row.top_p * total) break;
    }
    kept = count;
  }
  // Weights are relative to the largest, which is 1.
  while (kept > 1 && values[order[kept - 1]] < row.min_p) --kept;
  return Draw(row, values, order, kept);
}

void Reference(const ReferenceArgs& args) {
  std::vector<std::byte> scratch(SampleScratchBytes(args.src[kLogits].cols()));
  for (std::int64_t r = 0; r < args.src[kLogits].dims[0]; ++r) {
    SampleRowOutput out;
    out.top_ids = args.dst[2].as<std::int32_t>() + r * step::kMaxTopLogprobs;
    out.top_logprobs = args.dst[3].as<float>() + r * step::kMaxTopLogprobs;
    SampleRow(SampleInput(args.src, r), scratch.data(), out);
    args.dst[0].as<std::int32_t>()[r] = out.id;
    args.dst[1].as<float>()[r] = out.logprob;
  }
}

Cost CostOf(const Attrs&, std::span<const TensorView> src, std::span<const TensorView>) {
  const auto elements = static_cast<double>(src[kLogits].elements());
  return {.flops = 20 * elements, .bytes = 4 * elements};
}

std::string Describe(const Attrs&) { return {}; }

}  // namespace

SampleRowInput SampleInput(std::span<const TensorView> src, std::int64_t row) {
  const auto list = [&](Operand offsets, std::int64_t size) {
    const auto* o = src[offsets].as<std::int32_t>() + row;
    const std::int64_t begin = std::clamp<std::int64_t>(o[0], 0, size);
    return std::pair{begin, std::clamp<std::int64_t>(o[1], begin, size) - begin};
  };
  SampleRowInput in;
  in.vocab = src[kLogits].cols();
  in.logits = src[kLogits].as<float>() + row * in.vocab;
  std::memcpy(&in.row, src[kSampling].as<std::byte>() + row * src[kSampling].cols(),
              sizeof(in.row));
  const auto [history, history_size] = list(kHistoryOffsets, src[kHistory].elements());
  in.history = {src[kHistory].as<std::int32_t>() + history, static_cast<std::size_t>(history_size)};
  const auto [bias, bias_size] = list(kBiasOffsets, src[kBiasIds].elements());
  in.bias_ids = {src[kBiasIds].as<std::int32_t>() + bias, static_cast<std::size_t>(bias_size)};
  in.bias_values = {src[kBiasValues].as<float>() + bias, static_cast<std::size_t>(bias_size)};
  const std::int32_t mask = src[kMaskIndex].as<std::int32_t>()[row];
  if (mask >= 0 && mask < src[kMasks].dims[0]) {
    in.mask = src[kMasks].as<std::uint8_t>() + mask * src[kMasks].cols();
  }
  return in;
}

void AdjustLogits(const SampleRowInput& in, float* values, std::int32_t* counts) {
  constexpr std::int32_t kSeen = 1 << 30;
  std::copy_n(in.logits, in.vocab, values);
  const step::SamplingRow& row = in.row;
  const auto known = [&](std::int32_t id) { return id >= 0 && id < in.vocab; };
  // Counts are cleared and used only where the history points: cost grows with it, not the vocab.
  for (const std::int32_t id : in.history) {
    if (known(id)) counts[id] = 0;
  }
  for (std::size_t i = 0; i < in.history.size(); ++i) {
    const std::int32_t id = in.history[i];
    if (!known(id)) continue;
    if ((counts[id] & kSeen) == 0) {
      counts[id] |= kSeen;
      float& x = values[id];
      x = x > 0 ? x / row.repetition_penalty : x * row.repetition_penalty;
    }
    if (static_cast<std::int64_t>(i) >= row.prompt_history) ++counts[id];
  }
  for (const std::int32_t id : in.history) {
    if (!known(id)) continue;
    const std::int32_t count = counts[id] & ~kSeen;
    if (count > 0) {
      values[id] -= row.presence_penalty + row.frequency_penalty * static_cast<float>(count);
    }
    counts[id] = 0;
  }
  for (std::size_t i = 0; i < in.bias_ids.size(); ++i) {
    if (known(in.bias_ids[i])) values[in.bias_ids[i]] += in.bias_values[i];
  }
  if (in.mask == nullptr) return;
  for (std::int64_t i = 0; i < in.vocab; ++i) {
    if ((in.mask[i / 8] >> (i % 8) & 1) == 0) values[i] = -kInfinity;
  }
}

void SampleRow(const SampleRowInput& in, std::byte* scratch, SampleRowOutput& out) {
  auto* values = reinterpret_cast<float*>(scratch);
  auto* order = reinterpret_cast<std::int32_t*>(scratch) + in.vocab;
  out.id = -1;
  out.logprob = 0;
  std::fill_n(out.top_ids, step::kMaxTopLogprobs, -1);
  std::fill_n(out.top_logprobs, step::kMaxTopLogprobs, 0.0F);
  for (std::int64_t i = 0; i < in.vocab; ++i) {
    if (std::isnan(in.logits[i])) return;
  }
  AdjustLogits(in, values, order);
  out.id = Choose(in.row, values, order, in.vocab);
  if (in.row.top_logprobs >= 0) RawLogprobs(in, order, out);
}

std::array<std::uint32_t, 4> Philox4x32(std::array<std::uint32_t, 4> counter,
                                        std::array<std::uint32_t, 2> key) {
  constexpr std::uint64_t kMultiplier0 = 0xD2511F53U;
  constexpr std::uint64_t kMultiplier1 = 0xCD9E8D57U;
  constexpr std::uint32_t kWeyl0 = 0x9E3779B9U;
  constexpr std::uint32_t kWeyl1 = 0xBB67AE85U;
  for (int round = 0; round < 10; ++round) {
    const std::uint64_t product0 = kMultiplier0 * counter[0];
    const std::uint64_t product1 = kMultiplier1 * counter[2];
    counter = {static_cast<std::uint32_t>(product1 >> 32) ^ counter[1] ^ key[0],
               static_cast<std::uint32_t>(product1),
               static_cast<std::uint32_t>(product0 >> 32) ^ counter[3] ^ key[1],
               static_cast<std::uint32_t>(product0)};
    key = {key[0] + kWeyl0, key[1] + kWeyl1};
  }
  return counter;
}

float UniformDraw(std::uint64_t seed, std::uint64_t position) {
  const auto low = [](std::uint64_t x) { return static_cast<std::uint32_t>(x); };
  const auto high = [](std::uint64_t x) { return static_cast<std::uint32_t>(x >> 32); };
  const auto bits = Philox4x32({low(position), high(position), 0, 0}, {low(seed), high(seed)});
  return static_cast<float>(bits[0] >> 8) * 0x1p-24F;
}

const OpDef kOp_sample = {
    .name = "sample",
    .version = 1,
    .attrs_bytes = sizeof(SampleAttrs),
    .has_effect = false,
    .infer = &Infer,
    .reference = &Reference,
    .cost = &CostOf,
    .describe = &Describe,
};

}  // namespace zhibi::graph
