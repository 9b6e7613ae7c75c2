// SPDX-License-Identifier: Apache-2.0
#include "support/graph_interpreter.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "base/check.h"
#include "base/status_macros.h"
#include "graph/op.h"
#include "graph/step.h"

namespace zhibi::test {
namespace {

using graph::Graph;
using graph::ValueId;

constexpr std::byte kPoison{0xFF};  // four of them are a NaN; two as bf16 or f16 too

std::size_t BytesOf(DType dtype, std::span<const std::int64_t> shape) {
  std::int64_t elements = 1;
  for (const std::int64_t size : shape) elements *= size;
  return static_cast<std::size_t>(elements * DTypeBits(dtype) / 8);
}

graph::TensorView ViewOf(const HostTensor& tensor) {
  graph::TensorView view;
  view.data = const_cast<std::byte*>(tensor.bytes.data());  // sources are not written
  view.dtype = tensor.dtype;
  view.rank = static_cast<std::int32_t>(tensor.shape.size());
  std::ranges::copy(tensor.shape, view.dims.begin());
  return view;
}

Result<std::vector<std::int64_t>> Evaluate(const graph::Shape& shape,
                                           std::span<const std::int64_t> symbols) {
  std::vector<std::int64_t> sizes;
  for (const graph::Dim& dim : shape) {
    ZB_ASSIGN_OR_RETURN(const std::int64_t size, dim.Evaluate(symbols));
    sizes.push_back(size);
  }
  return sizes;
}

// Greedy sampling without penalties, biases, masks or log probabilities.
void PutSamplerInputs(const Graph& graph, std::int64_t outs, TensorMap& inputs) {
  namespace step = zhibi::graph::step;
  const auto put = [&](std::string_view name, HostTensor tensor) {
    inputs.emplace(std::string(name), std::move(tensor));
  };
  const auto i32 = [](std::int64_t size, const std::vector<std::int32_t>& values) {
    return HostTensor::I32({size}, values);
  };
  step::SamplingRow greedy;
  greedy.top_logprobs = -1;
  const std::vector<step::SamplingRow> sampling(static_cast<std::size_t>(outs), greedy);
  put(step::kSampling, HostTensor::Of(DType::kU8, {outs, sizeof(greedy)}, sampling));
  const std::vector<std::int32_t> none(static_cast<std::size_t>(outs) + 1, 0);
  put(step::kHistoryOffsets, i32(outs + 1, none));
  put(step::kHistory, i32(0, {}));
  put(step::kBiasOffsets, i32(outs + 1, none));
  put(step::kBiasIds, i32(0, {}));
  put(step::kBiasValues, HostTensor::F32({0}, {}));
  put(step::kMaskIndex, i32(outs, std::vector<std::int32_t>(static_cast<std::size_t>(outs), -1)));
  const auto masks = graph.FindInput(step::kMasks);
  if (masks) {
    const auto& shape = graph.value(*masks).desc.shape;
    put(step::kMasks, HostTensor{DType::kU8, {0, shape.at(1).constant().value_or(0)}, {}});
  }
}

}  // namespace

CacheStore::Pages& CacheStore::PagesOf(const graph::CacheGroup& group) {
  const auto [at, is_new] = groups_.try_emplace(group.name);
  Pages& pages = at->second;
  if (!is_new) return pages;
  pages.view.page_tokens = page_tokens_;
  pages.view.dtype = group.dtype;
  pages.view.layer_bytes = group.elements_per_token * page_tokens_ * DTypeBits(group.dtype) / 8;
  pages.view.page_bytes = pages.view.layer_bytes * group.layers;
  pages.bytes.assign(static_cast<std::size_t>(pages.view.page_bytes * pages_per_group_), kPoison);
  pages.view.base = pages.bytes.data();
  // A stride that shares no factor with the count visits every page once, in no natural order.
  std::int32_t stride = 7;
  while (pages_per_group_ % stride == 0) ++stride;
  for (std::int32_t i = 0; i < pages_per_group_; ++i) {
    pages.free.push_back(static_cast<std::int32_t>((i * stride + 3) % pages_per_group_));
  }
  return pages;
}

graph::CacheView CacheStore::View(const graph::CacheGroup& group) { return PagesOf(group).view; }

HostTensor CacheStore::PageTable(const graph::CacheGroup& group,
                                 std::span<const std::int64_t> sequences,
                                 std::span<const std::int64_t> tokens) {
  Pages& pages = PagesOf(group);
  std::size_t columns = 1;
  for (std::size_t i = 0; i < sequences.size(); ++i) {
    std::vector<std::int32_t>& own = pages.of_sequence[sequences[i]];
    while (static_cast<std::int64_t>(own.size()) * page_tokens_ < tokens[i]) {
      ZB_CHECK(!pages.free.empty());
      own.push_back(pages.free.back());
      pages.free.pop_back();
    }
    columns = std::max(columns, own.size());
  }
  std::vector<std::int32_t> table(sequences.size() * columns, -1);
  for (std::size_t i = 0; i < sequences.size(); ++i) {
    const std::vector<std::int32_t>& own = pages.of_sequence[sequences[i]];
    std::ranges::copy(own, table.begin() + static_cast<std::ptrdiff_t>(i * columns));
  }
  return HostTensor::I32(
      {static_cast<std::int64_t>(sequences.size()), static_cast<std::int64_t>(columns)}, table);
}

Result<GraphInterpreter> GraphInterpreter::Create(const Graph& graph,
                                                  const graph::WeightSource& source,
                                                  CacheStore* caches) {
  GraphInterpreter interpreter;
  interpreter.graph_ = &graph;
  interpreter.caches_ = caches;
  for (std::size_t i = 0; i < graph.values.size(); ++i) {
    const graph::Value& value = graph.values[i];
    if (value.kind != graph::ValueKind::kWeight) continue;
    const graph::Weight& weight = graph.weight(value.weight);
    HostTensor tensor{DType::kF32, weight.shape, {}};
    tensor.bytes.resize(BytesOf(DType::kF32, weight.shape));
    const std::span<float> values(reinterpret_cast<float*>(tensor.bytes.data()),
                                  tensor.bytes.size() / sizeof(float));
    ZB_RETURN_IF_ERROR(graph::ReadWeightF32(weight, source, 0, weight.shape.at(0), values));
    interpreter.weights_.emplace(static_cast<std::int32_t>(i), std::move(tensor));
  }
  return interpreter;
}

Status GraphInterpreter::BindSymbols(const TensorMap& inputs,
                                     std::vector<std::int64_t>& symbols) const {
  for (const ValueId id : graph_->inputs) {
    const graph::Value& value = graph_->value(id);
    const auto given = inputs.find(value.name);
    if (given == inputs.end()) return NotFoundError("input " + value.name + ": not given");
    if (given->second.shape.size() != value.desc.shape.size()) {
      return InvalidArgumentError("input " + value.name + ": expected rank " +
                                  std::to_string(value.desc.shape.size()));
    }
    for (std::size_t axis = 0; axis < value.desc.shape.size(); ++axis) {
      for (std::size_t s = 0; s < symbols.size(); ++s) {
        if (value.desc.shape[axis] == graph::Dim::Symbol(static_cast<graph::SymbolId>(s))) {
          symbols[s] = given->second.shape[axis];
        }
      }
    }
  }
  for (const ValueId id : graph_->inputs) {
    const graph::Value& value = graph_->value(id);
    const HostTensor& given = inputs.find(value.name)->second;
    ZB_ASSIGN_OR_RETURN(const auto sizes, Evaluate(value.desc.shape, symbols));
    if (sizes != given.shape || given.dtype != value.desc.dtype ||
        given.bytes.size() != BytesOf(given.dtype, given.shape)) {
      return InvalidArgumentError("input " + value.name + ": shape, type or bytes do not fit");
    }
  }
  return OkStatus();
}

Result<TensorMap> GraphInterpreter::Run(const TensorMap& inputs) {
  std::vector<std::int64_t> symbols(graph_->symbols.size(), 0);
  ZB_RETURN_IF_ERROR(BindSymbols(inputs, symbols));
  std::vector<graph::CacheView> views;
  for (const graph::CacheGroup& group : graph_->caches) views.push_back(caches_->View(group));
  std::map<std::int32_t, HostTensor> results;
  const auto find = [&](ValueId id) -> const HostTensor& {
    const auto index = static_cast<std::int32_t>(id);
    const graph::Value& value = graph_->value(id);
    if (value.kind == graph::ValueKind::kInput) return inputs.find(value.name)->second;
    return value.kind == graph::ValueKind::kWeight ? weights_.at(index) : results.at(index);
  };
  for (const graph::Node& node : graph_->nodes) {
    const graph::OpDef* op = graph::FindOp(node.op);
    if (op == nullptr) return NotFoundError("op " + node.op);
    std::vector<graph::TensorView> src;
    for (const ValueId id : node.src) {
      src.push_back(id == ValueId::kNone ? graph::TensorView{} : ViewOf(find(id)));
    }
    std::vector<graph::TensorView> dst;
    for (const ValueId id : node.dst) {
      const graph::TensorDesc& desc = graph_->value(id).desc;
      HostTensor result{desc.dtype, {}, {}};
      ZB_ASSIGN_OR_RETURN(result.shape, Evaluate(desc.shape, symbols));
      result.bytes.assign(BytesOf(desc.dtype, result.shape), kPoison);
      const auto at = results.insert_or_assign(static_cast<std::int32_t>(id), std::move(result));
      dst.push_back(ViewOf(at.first->second));
    }
    op->reference({.attrs = &node.attrs, .src = src, .dst = dst, .caches = views});
  }
  TensorMap outputs;
  for (const ValueId id : graph_->outputs) outputs.emplace(graph_->value(id).name, find(id));
  return outputs;
}

TensorMap StepDriver::Inputs(std::span<const Rows> rows) {
  namespace step = graph::step;
  std::vector<std::int32_t> ids, types, positions, row_seq, offsets{0}, lens, source_lens, out_rows;
  std::vector<std::int64_t> sequences, written, sources;
  const bool encodes = interpreter_.graph().name == "encode";
  for (const Rows& part : rows) {
    const std::int64_t start = encodes ? 0 : length(part.sequence);
    const auto index = static_cast<std::int32_t>(sequences.size());
    for (const std::int32_t wanted : part.wanted) out_rows.push_back(offsets.back() + wanted);
    for (std::size_t i = 0; i < part.ids.size(); ++i) {
      ids.push_back(part.ids[i]);
      types.push_back(part.token_types.empty() ? 0 : part.token_types[i]);
      positions.push_back(static_cast<std::int32_t>(start + static_cast<std::int64_t>(i)));
      row_seq.push_back(index);
    }
    offsets.push_back(static_cast<std::int32_t>(ids.size()));
    sequences.push_back(part.sequence);
    written.push_back(start + static_cast<std::int64_t>(part.ids.size()));
    lens.push_back(static_cast<std::int32_t>(written.back()));
    sources.push_back(encodes ? written.back() : encoder_lengths_[part.sequence]);
    source_lens.push_back(static_cast<std::int32_t>(sources.back()));
    lengths_[part.sequence] = written.back();
  }
  const auto tokens = static_cast<std::int64_t>(ids.size());
  const auto seqs = static_cast<std::int64_t>(sequences.size());
  const auto outs = static_cast<std::int64_t>(out_rows.size());
  const auto i32 = [](std::int64_t size, const std::vector<std::int32_t>& values) {
    return HostTensor::I32({size}, values);
  };
  // Every third id comes "from the previous step's sample", as decode rows do.
  std::vector<std::int32_t> host_ids = ids, source(ids.size(), -1), previous(1, 0);
  for (std::size_t i = 0; i < ids.size(); i += 3) {
    source[i] = static_cast<std::int32_t>(previous.size());
    previous.push_back(ids[i]);
    host_ids[i] = -1;
  }
  TensorMap inputs;
  const auto put = [&](std::string_view name, HostTensor tensor) {
    inputs.emplace(std::string(name), std::move(tensor));
  };
  put(step::kHostIds, i32(tokens, host_ids));
  put(step::kTokenSource, i32(tokens, source));
  put(step::kPreviousSamples, i32(static_cast<std::int64_t>(previous.size()), previous));
  put(step::kPositions, i32(tokens, positions));
  put(step::kRowSeq, i32(tokens, row_seq));
  put(step::kSeqOffsets, i32(seqs + 1, offsets));
  put(step::kSeqLens, i32(seqs, lens));
  put(step::kOutRows, i32(outs, out_rows));
  put(step::kEncoderLens, i32(seqs, source_lens));
  put(step::kTokenTypes, i32(tokens, types));
  PutSamplerInputs(interpreter_.graph(), outs, inputs);
  for (const graph::CacheGroup& group : interpreter_.graph().caches) {
    const bool cross = group.kind == graph::CacheKind::kCross;
    put(std::string(step::kPageTablePrefix) + group.name,
        caches_->PageTable(group, sequences, cross ? sources : written));
  }
  return inputs;
}

Result<TensorMap> StepDriver::Step(std::span<const Rows> rows) {
  TensorMap inputs = Inputs(rows);
  if (edit_inputs_) edit_inputs_(inputs);
  return interpreter_.Run(inputs);
}

}  // namespace zhibi::test
