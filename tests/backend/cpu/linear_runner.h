// SPDX-License-Identifier: Apache-2.0
// Runs linear entries of the CPU device on host data: packs the weight as the compiler would, then
// launches. For tests and bench/backend.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "backend/backend.h"
#include "backend/cpu/kernels/linear_pack.h"
#include "graph/ops/linear.h"
#include "graph/weights.h"

namespace zhibi::cpu {

// Tensors in memory under their names.
class MemorySource final : public graph::WeightSource {
 public:
  explicit MemorySource(graph::StoredTensor tensor) : tensor_(std::move(tensor)) {}
  Result<graph::StoredTensor> Find(std::string_view /*name*/) const override { return tensor_; }
  bool Contains(std::string_view /*name*/) const override { return true; }

 private:
  graph::StoredTensor tensor_;
};

struct LinearProblem {
  LinearFormat format = LinearFormat::kF32;
  std::int64_t n = 0;
  std::int64_t k = 0;
  std::vector<float> w;  // [n, k]
  // Given: the weight is stored as int8.
  std::vector<std::int8_t> codes;
  std::vector<float> code_scales;
  std::vector<float> bias;      // [n] or empty
  std::vector<float> residual;  // like the result, or empty
  graph::LinearAttrs attrs;

  std::int64_t result_cols() const { return attrs.gated != 0 ? n / 2 : n; }
};

inline graph::TensorView View(const void* data, std::int64_t rows, std::int64_t cols) {
  graph::TensorView view;
  view.data = const_cast<void*>(data);
  view.rank = 2;
  view.dims = {rows, cols};
  return view;
}

// A packed weight bound to the entries that read it.
class LinearRunner {
 public:
  LinearRunner(backend::Device& device, const LinearProblem& problem)
      : device_(device), problem_(problem) {
    for (const backend::KernelEntry* entry : device.kernels()) {
      if (entry->op == "linear" && entry->layout == PanelLayoutName(problem.format)) {
        entries_.push_back(entry);
      }
    }
    stream_ = device.CreateStream().value();
  }

  std::span<const backend::KernelEntry* const> entries() const { return entries_; }

  // The query of a bucket of up to `rows` rows.
  backend::OpQuery Query(std::int64_t rows) {
    src_ = {View(nullptr, rows, problem_.k), View(nullptr, problem_.n, problem_.k), {}, {}};
    if (!problem_.bias.empty()) {
      src_[2].rank = 1;
      src_[2].dims[0] = problem_.n;
    }
    if (!problem_.residual.empty()) src_[3] = View(nullptr, rows, problem_.result_cols());
    dst_ = {View(nullptr, rows, problem_.result_cols())};
    formats_ = {quant::WeightFormat{}, WeightFormatOf(problem_.format), quant::WeightFormat{},
                quant::WeightFormat{}};
    attrs_ = graph::Attrs::Of(problem_.attrs);
    backend::OpQuery query;
    query.op = "linear";
    query.attrs = &attrs_;
    query.src = src_;
    query.dst = dst_;
    query.formats = formats_;
    query.is_weight = std::span<const bool>(kIsWeight, 4);
    query.max_rows = rows;
    return query;
  }

  Status Pack() {
    const backend::OpQuery query = Query(1);
    const backend::KernelEntry& entry = *entries_.front();
    auto buffer = device_.Allocate(entry.packed_bytes(query, 1));
    if (!buffer.ok()) return buffer.status();
    packed_ = std::move(*buffer);
    graph::Weight weight;
    weight.name = "w";
    weight.shape = {problem_.n, problem_.k};
    weight.format = WeightFormatOf(problem_.format);
    weight.parts = {{.tensor = "w", .row_begin = 0, .rows = problem_.n}};
    graph::StoredTensor stored;
    stored.shape = weight.shape;
    if (problem_.codes.empty()) {
      stored.bytes = std::as_bytes(std::span(problem_.w));
    } else {
      stored.dtype = DType::kI8;
      stored.bytes = std::as_bytes(std::span(problem_.codes));
      stored.row_scales = problem_.code_scales;
    }
    const MemorySource source(stored);
    return entry.pack(query, 1, {.weight = &weight, .source = &source},
                      {packed_->data(), packed_->size()});
  }

  // x: [rows, k]; dst: [rows, result_cols]. dst may be the residual's memory.
  void Launch(const backend::KernelEntry& entry, std::int64_t rows, const float* x, float* dst,
              const float* residual = nullptr) {
    const std::size_t needed = entry.workspace_bytes(Query(rows));
    if (workspace_ == nullptr || workspace_->size() < needed) {
      workspace_ = device_.Allocate(needed + 64).value();
    }
    graph::TensorView src[4] = {
        View(x, rows, problem_.k), View(packed_->data(), problem_.n, problem_.k), {}, {}};
    if (!problem_.bias.empty()) {
      src[2].rank = 1;
      src[2].dims[0] = problem_.n;
      src[2].data = const_cast<float*>(problem_.bias.data());
    }
    if (residual != nullptr) src[3] = View(residual, rows, problem_.result_cols());
    const graph::TensorView out = View(dst, rows, problem_.result_cols());
    backend::LaunchArgs args;
    args.attrs = attrs_.data();
    args.src = src;
    args.num_src = 4;
    args.dst = &out;
    args.num_dst = 1;
    args.workspace = workspace_->data();
    (void)stream_->Launch(entry, args);
  }

  const std::byte* packed() const { return packed_->data(); }
  std::size_t packed_bytes() const { return packed_->size(); }

 private:
  static constexpr bool kIsWeight[4] = {false, true, true, false};

  backend::Device& device_;
  const LinearProblem& problem_;
  std::vector<const backend::KernelEntry*> entries_;
  std::unique_ptr<backend::Stream> stream_;
  std::unique_ptr<backend::DeviceBuffer> packed_;
  std::unique_ptr<backend::DeviceBuffer> workspace_;
  std::vector<graph::TensorView> src_;
  std::vector<graph::TensorView> dst_;
  std::vector<quant::WeightFormat> formats_;
  graph::Attrs attrs_;
};

}  // namespace zhibi::cpu
