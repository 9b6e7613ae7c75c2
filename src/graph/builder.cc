// SPDX-License-Identifier: Apache-2.0
#include "graph/builder.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "graph/ops/embedding.h"
#include "graph/ops/gated.h"
#include "graph/ops/gather_rows.h"
#include "graph/ops/layer_norm.h"
#include "graph/ops/rms_norm.h"
#include "graph/ops/sample.h"
#include "graph/ops/select_tokens.h"
#include "graph/ops/unary.h"
#include "graph/step.h"

namespace zhibi::graph {
namespace {

// Entries of the sampler's bias list that a row may bring: more than the 300 ids that OpenAI's
// logit_bias takes.
constexpr std::int64_t kMaxBiasesPerRow = 1024;
constexpr std::int64_t kDefaultContext = 4096;

const TensorDesc kNoDesc;

}  // namespace

GraphBuilder::GraphBuilder(std::string graph_name, const StepLimits& limits) : limits_(limits) {
  graph_.name = std::move(graph_name);
}

void GraphBuilder::Fail(Status status) {
  if (status_.ok()) status_ = std::move(status);
}

ValueId GraphBuilder::AddValue(Value value) {
  graph_.values.push_back(std::move(value));
  return static_cast<ValueId>(graph_.values.size() - 1);
}

TensorDesc GraphBuilder::DescOf(ValueId id) const {
  return id == ValueId::kNone ? kNoDesc : desc(id);
}

const TensorDesc& GraphBuilder::desc(ValueId id) const {
  const auto index = static_cast<std::size_t>(id);
  return id == ValueId::kNone || index >= graph_.values.size() ? kNoDesc
                                                               : graph_.values[index].desc;
}

Dim GraphBuilder::Symbol(std::string_view name, std::int64_t min, std::int64_t opt,
                         std::int64_t max) {
  for (std::size_t i = 0; i < graph_.symbols.size(); ++i) {
    if (graph_.symbols[i].name == name) return Dim::Symbol(static_cast<SymbolId>(i));
  }
  if (graph_.symbols.size() == kMaxSymbols) {
    Fail(InvalidArgumentError(
        fmt::format("symbol {}: expected at most {} symbols in a graph", name, kMaxSymbols)));
    return {};
  }
  if (min < 0 || opt < min || max < opt) {
    Fail(InvalidArgumentError(fmt::format(
        "symbol {}: expected 0 <= min <= opt <= max, got {}, {}, {}", name, min, opt, max)));
  }
  graph_.symbols.push_back({std::string(name), min, opt, max});
  return Dim::Symbol(static_cast<SymbolId>(graph_.symbols.size() - 1));
}

ValueId GraphBuilder::Input(std::string_view name, DType dtype, Shape shape) {
  if (graph_.FindInput(name)) {
    Fail(InvalidArgumentError(fmt::format("input {}: expected one of that name, got two", name)));
  }
  const ValueId id = AddValue({.name = std::string(name),
                               .desc = {dtype, std::move(shape)},
                               .kind = ValueKind::kInput,
                               .weight = WeightId::kNone});
  graph_.inputs.push_back(id);
  return id;
}

ValueId GraphBuilder::Parameter(Weight weight) {
  std::int64_t rows = 0;
  for (const WeightPart& part : weight.parts) rows += part.rows;
  if (weight.shape.empty() || weight.shape.size() > 2 ||
      std::any_of(weight.shape.begin(), weight.shape.end(), [](auto n) { return n <= 0; })) {
    Fail(InvalidArgumentError(fmt::format(
        "weight {}: expected a shape of rank 1 or 2 with positive sizes", weight.name)));
  } else if (weight.parts.empty() == weight.constant.empty()) {
    Fail(InvalidArgumentError(
        fmt::format("weight {}: expected either parts or constant values", weight.name)));
  } else if (!weight.parts.empty() && rows != weight.shape[0]) {
    Fail(InvalidArgumentError(fmt::format("weight {}: expected parts of {} rows together, got {}",
                                          weight.name, weight.shape[0], rows)));
  }
  Shape shape(weight.shape.begin(), weight.shape.end());
  std::string name = weight.name;
  graph_.weights.push_back(std::move(weight));
  return AddValue({.name = std::move(name),
                   .desc = {DType::kF32, std::move(shape)},
                   .kind = ValueKind::kWeight,
                   .weight = static_cast<WeightId>(graph_.weights.size() - 1)});
}

ValueId GraphBuilder::Parameter(std::string_view tensor, std::vector<std::int64_t> shape,
                                WeightRole role) {
  Weight weight;
  weight.name = std::string(tensor);
  weight.parts = {{std::string(tensor), 0, shape.empty() ? 0 : shape[0]}};
  weight.shape = std::move(shape);
  weight.role = role;
  return Parameter(std::move(weight));
}

ValueId GraphBuilder::Constant(std::string_view name, std::vector<std::int64_t> shape,
                               std::vector<float> values) {
  std::int64_t count = 1;
  for (const std::int64_t n : shape) count *= n;
  if (count != static_cast<std::int64_t>(values.size())) {
    Fail(InvalidArgumentError(
        fmt::format("constant {}: expected {} values, got {}", name, count, values.size())));
  }
  Weight weight;
  weight.name = std::string(name);
  weight.role = shape.size() == 1 ? WeightRole::kVector : WeightRole::kTable;
  weight.shape = std::move(shape);
  weight.constant = std::move(values);
  return Parameter(std::move(weight));
}

int GraphBuilder::Cache(CacheGroup group) {
  if (group.name.empty() || group.layers <= 0 || group.elements_per_token <= 0) {
    Fail(InvalidArgumentError(fmt::format(
        "cache group {}: expected a name, layers > 0 and elements_per_token > 0, got {} and {}",
        group.name, group.layers, group.elements_per_token)));
  }
  group.bytes_per_token = group.elements_per_token * DTypeBits(group.dtype) / 8;
  const std::int64_t context = limits_.max_context > 0 ? limits_.max_context : kDefaultContext;
  const std::int64_t page = std::max<std::int64_t>(limits_.page_tokens, 1);
  const std::int64_t pages = (context + page - 1) / page;
  const Dim columns = Symbol("pages." + group.name, 1, std::max<std::int64_t>(pages / 4, 1), pages);
  page_tables_.push_back(
      Input(std::string(step::kPageTablePrefix) + group.name, DType::kI32, {seqs(), columns}));
  graph_.caches.push_back(std::move(group));
  return static_cast<int>(graph_.caches.size() - 1);
}

ValueId GraphBuilder::PageTable(int group) const {
  const auto index = static_cast<std::size_t>(group);
  return group >= 0 && index < page_tables_.size() ? page_tables_[index] : ValueId::kNone;
}

std::vector<ValueId> GraphBuilder::Add(std::string_view op, std::string_view name,
                                       const Attrs& attrs, std::vector<ValueId> src) {
  const OpDef* def = FindOp(op);
  if (def == nullptr) {
    Fail(InvalidArgumentError(fmt::format("node {}: expected a known op, got {}", name, op)));
    return {ValueId::kNone, ValueId::kNone, ValueId::kNone, ValueId::kNone};
  }
  std::vector<TensorDesc> descs;
  descs.reserve(src.size());
  for (const ValueId id : src) descs.push_back(DescOf(id));
  // After the first error operands may be absent that were not meant to be: no second opinion.
  auto results = status_.ok() ? def->infer(attrs, descs) : Result<std::vector<TensorDesc>>(status_);
  if (!results.ok()) {
    Fail(std::move(results).status().WithContext(fmt::format("node {}", name)));
    return {ValueId::kNone, ValueId::kNone, ValueId::kNone, ValueId::kNone};
  }
  Node node{std::string(op), std::string(name), attrs, std::move(src), {}};
  for (std::size_t i = 0; i < results->size(); ++i) {
    std::string value_name(name);
    if (results->size() > 1) value_name += "." + std::to_string(i);
    node.dst.push_back(AddValue({.name = std::move(value_name),
                                 .desc = std::move((*results)[i]),
                                 .kind = ValueKind::kResult,
                                 .weight = WeightId::kNone}));
  }
  graph_.nodes.push_back(node);
  return node.dst;
}

ValueId GraphBuilder::Embedding(std::string_view name, ValueId ids, ValueId table, float scale) {
  return Add("embedding", name, Attrs::Of(EmbeddingAttrs{scale}), {ids, table})[0];
}

ValueId GraphBuilder::RmsNorm(std::string_view name, ValueId x, ValueId weight, float eps,
                              int width) {
  return Add("rms_norm", name, Attrs::Of(RmsNormAttrs{eps, width}), {x, weight})[0];
}

ValueId GraphBuilder::LayerNorm(std::string_view name, ValueId x, ValueId weight, ValueId bias,
                                float eps) {
  return Add("layer_norm", name, Attrs::Of(LayerNormAttrs{eps}), {x, weight, bias})[0];
}

ValueId GraphBuilder::Linear(std::string_view name, ValueId x, ValueId weight, ValueId bias,
                             Activation activation) {
  return Add("linear", name, Attrs::Of(LinearAttrs{activation, 0}),
             {x, weight, bias, ValueId::kNone})[0];
}

ValueId GraphBuilder::Unary(std::string_view name, ValueId x, Activation activation) {
  return Add("unary", name, Attrs::Of(UnaryAttrs{activation}), {x})[0];
}

ValueId GraphBuilder::Binary(std::string_view name, BinaryKind kind, ValueId a, ValueId b) {
  return Add("binary", name, Attrs::Of(BinaryAttrs{kind}), {a, b})[0];
}

ValueId GraphBuilder::Gated(std::string_view name, ValueId gate, ValueId up,
                            Activation activation) {
  return Add("gated", name, Attrs::Of(GatedAttrs{activation}), {gate, up})[0];
}

ValueId GraphBuilder::Rope(std::string_view name, ValueId x, ValueId inv_freq,
                           const RopeAttrs& attrs) {
  return Add("rope", name, Attrs::Of(attrs), {x, Step().positions, inv_freq})[0];
}

void GraphBuilder::CacheWrite(std::string_view name, ValueId k, ValueId v,
                              const CacheWriteAttrs& attrs) {
  const StepInputs& step = Step();
  Add("cache_write", name, Attrs::Of(attrs),
      {k, v, step.positions, step.row_seq, PageTable(attrs.group)});
}

ValueId GraphBuilder::Attention(std::string_view name, ValueId q, ValueId k, ValueId v,
                                const AttentionAttrs& attrs, ValueId bias) {
  const StepInputs step = Step();
  const ValueId lens =
      attrs.kind == AttentionKind::kCross ? StepInput(step::kEncoderLens) : step.seq_lens;
  return Add("attention", name, Attrs::Of(attrs),
             {q, k, v, step.positions, step.row_seq, step.seq_offsets, lens, PageTable(attrs.group),
              bias})[0];
}

ValueId GraphBuilder::GatherRows(std::string_view name, ValueId x, ValueId rows) {
  return Add("gather_rows", name, Attrs::Of(GatherRowsAttrs{}), {x, rows})[0];
}

Dim GraphBuilder::tokens() {
  return Symbol("tokens", 1, std::max<std::int64_t>(1, limits_.max_tokens / 4), limits_.max_tokens);
}

Dim GraphBuilder::seqs() {
  return Symbol("seqs", 1, std::max<std::int64_t>(1, limits_.max_seqs / 8), limits_.max_seqs);
}

const GraphBuilder::StepInputs& GraphBuilder::Step() {
  if (has_step_) return step_;
  has_step_ = true;
  const Dim rows = Symbol("out_rows", 1, std::max<std::int64_t>(1, limits_.max_out_rows / 8),
                          limits_.max_out_rows);
  const Dim previous =
      Symbol("previous_rows", 1, std::max<std::int64_t>(1, limits_.max_out_rows / 8),
             limits_.max_out_rows);
  const ValueId host_ids = Input(step::kHostIds, DType::kI32, {tokens()});
  const ValueId token_source = Input(step::kTokenSource, DType::kI32, {tokens()});
  const ValueId previous_samples = Input(step::kPreviousSamples, DType::kI32, {previous});
  step_.positions = Input(step::kPositions, DType::kI32, {tokens()});
  step_.row_seq = Input(step::kRowSeq, DType::kI32, {tokens()});
  step_.seq_offsets = Input(step::kSeqOffsets, DType::kI32, {seqs() + 1});
  step_.seq_lens = Input(step::kSeqLens, DType::kI32, {seqs()});
  step_.out_rows = Input(step::kOutRows, DType::kI32, {rows});
  step_.ids = Add("select_tokens", "ids", Attrs::Of(SelectTokensAttrs{}),
                  {host_ids, token_source, previous_samples})[0];
  return step_;
}

ValueId GraphBuilder::StepInput(std::string_view name) {
  if (const auto known = graph_.FindInput(name)) return *known;
  if (name == step::kEncoderLens) return Input(name, DType::kI32, {seqs()});
  if (name == step::kTokenTypes) return Input(name, DType::kI32, {tokens()});
  Step();
  const auto made = graph_.FindInput(name);
  if (!made) {
    Fail(InvalidArgumentError(
        fmt::format("step input {}: expected a name of graph/step.h that needs no sizes", name)));
  }
  return made.value_or(ValueId::kNone);
}

void GraphBuilder::LogitsAndSampler(ValueId hidden, ValueId head_weight, ValueId head_bias) {
  const ValueId rows = Step().out_rows;
  const ValueId picked = GatherRows("out_rows.hidden", hidden, rows);
  const ValueId logits = Linear("lm_head", picked, head_weight, head_bias);
  if (!status_.ok()) return;
  Output(step::kHidden, picked);
  Output(step::kLogits, logits);
  const Dim count = desc(logits).shape[0];
  const Dim vocab = desc(logits).shape[1];
  const std::int64_t most = std::max<std::int64_t>(limits_.max_out_rows, 1);
  const std::int64_t context = limits_.max_context > 0 ? limits_.max_context : kDefaultContext;
  const Dim history = Symbol("history", 0, context, most * context);
  const Dim biases = Symbol("biases", 0, 0, most * kMaxBiasesPerRow);
  const Dim masks = Symbol("masks", 0, 0, most);
  const ValueId sampling =
      Input(step::kSampling, DType::kU8, {count, Dim(sizeof(step::SamplingRow))});
  const ValueId history_offsets = Input(step::kHistoryOffsets, DType::kI32, {count + 1});
  const ValueId history_ids = Input(step::kHistory, DType::kI32, {history});
  const ValueId bias_offsets = Input(step::kBiasOffsets, DType::kI32, {count + 1});
  const ValueId bias_ids = Input(step::kBiasIds, DType::kI32, {biases});
  const ValueId bias_values = Input(step::kBiasValues, DType::kF32, {biases});
  const ValueId mask_index = Input(step::kMaskIndex, DType::kI32, {count});
  const ValueId mask_bits = Input(step::kMasks, DType::kU8, {masks, Dim::CeilDiv(vocab, 8)});
  const auto results = Add("sample", "sample", Attrs::Of(SampleAttrs{}),
                           {logits, sampling, history_offsets, history_ids, bias_offsets, bias_ids,
                            bias_values, mask_index, mask_bits});
  Output(step::kSamples, results[0]);
  Output(step::kSampleLogprob, results[1]);
  Output(step::kTopIds, results[2]);
  Output(step::kTopLogprobs, results[3]);
}

void GraphBuilder::Output(std::string_view name, ValueId value) {
  if (value == ValueId::kNone) {
    Fail(InvalidArgumentError(fmt::format("output {}: expected a value, got none", name)));
    return;
  }
  if (graph_.FindOutput(name)) {
    Fail(InvalidArgumentError(fmt::format("output {}: expected one of that name, got two", name)));
    return;
  }
  graph_.value(value).name = std::string(name);
  graph_.outputs.push_back(value);
}

Result<Graph> GraphBuilder::Finish() && {
  if (!status_.ok()) return std::move(status_).WithContext("graph " + graph_.name);
  const Status valid = Validate(graph_);
  if (!valid.ok()) return valid;
  return std::move(graph_);
}

}  // namespace zhibi::graph
