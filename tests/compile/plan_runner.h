// SPDX-License-Identifier: Apache-2.0
// Runs the plans of an engine file as simply as can be, on any device, through copies only: the
// test's own executor, so that a compiler bug and a runtime bug cannot cancel out. The arena and
// the caches start as NaN. One thread at a time.
#pragma once

#include <algorithm>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "backend/backend.h"
#include "base/status_macros.h"
#include "engine/engine_file.h"
#include "support/graph_interpreter.h"

namespace zhibi::test {

class PlanRunner {
 public:
  static Result<std::unique_ptr<PlanRunner>> Create(std::shared_ptr<const engine::EngineFile> file,
                                                    backend::Device& device, int page_tokens,
                                                    int pages) {
    std::unique_ptr<PlanRunner> runner(new PlanRunner(std::move(file), device));
    runner->page_tokens_ = page_tokens;
    runner->pages_ = pages;
    ZB_ASSIGN_OR_RETURN(runner->stream_, device.CreateStream());
    ZB_ASSIGN_OR_RETURN(runner->weights_, device.Wrap(runner->file_->weight_bytes()));
    return runner;
  }

  Result<TensorMap> Run(const std::string& plan_name, const TensorMap& inputs) {
    const engine::Plan* plan = file_->FindPlan(plan_name);
    if (plan == nullptr) return NotFoundError("plan " + plan_name);
    std::vector<std::int64_t> symbols;
    for (const graph::Symbol& symbol : plan->symbols) symbols.push_back(symbol.min);
    for (const std::int32_t index : plan->inputs) Bind(Value(*plan, index), inputs, symbols);
    for (std::size_t i = 0; i < symbols.size(); ++i) {
      if (symbols[i] > plan->symbols[i].max) return OutOfRangeError(plan->symbols[i].name);
    }
    std::vector<std::unique_ptr<backend::DeviceBuffer>> buffers;
    ZB_ASSIGN_OR_RETURN(auto arena, Poisoned(static_cast<std::size_t>(plan->arena_bytes)));
    for (const std::int32_t index : plan->inputs) {
      const HostTensor& tensor = inputs.at(Value(*plan, index).name);
      ZB_ASSIGN_OR_RETURN(auto buffer,
                          device_.Allocate(std::max<std::size_t>(tensor.bytes.size(), 64)));
      ZB_RETURN_IF_ERROR(stream_->CopyToDevice(buffer->data(), tensor.bytes));
      buffers.push_back(std::move(buffer));
    }
    std::vector<graph::CacheView> caches;
    for (const graph::CacheGroup& group : plan->caches) {
      ZB_ASSIGN_OR_RETURN(const graph::CacheView view, CacheOf(group));
      caches.push_back(view);
    }
    caches.resize(8);
    const auto view_of = [&](std::int32_t index) {
      const engine::PlanValue& value = Value(*plan, index);
      graph::TensorView view;
      if (value.place == engine::Place::kAbsent) return view;
      view.dtype = value.desc.dtype;
      view.rank = static_cast<std::int32_t>(value.desc.shape.size());
      for (std::size_t d = 0; d < value.desc.shape.size(); ++d) {
        view.dims[d] = value.desc.shape[d].Evaluate(symbols).value();
      }
      const auto offset = static_cast<std::size_t>(value.offset);
      if (value.place == engine::Place::kInput) view.data = buffers[offset]->data();
      if (value.place == engine::Place::kArena) view.data = arena->data() + offset;
      if (value.place == engine::Place::kWeight) {
        view.data = weights_->data() + file_->weights()[offset].offset;
      }
      return view;
    };
    for (const engine::PlanOp& op : plan->ops) {
      const engine::BucketAxis& axis = plan->axes[static_cast<std::size_t>(op.axis)];
      const std::int64_t rows = axis.rows.Evaluate(symbols).value();
      if (rows == 0) continue;
      const auto column = static_cast<std::size_t>(BucketOf(axis, rows));
      const auto kernel = static_cast<std::size_t>(op.kernels[column]);
      const backend::KernelEntry* entry = Find(plan->kernels[kernel].name);
      if (entry == nullptr) return NotFoundError("kernel " + plan->kernels[kernel].name);
      std::vector<graph::TensorView> src;
      std::vector<graph::TensorView> dst;
      for (const std::int32_t index : op.src) src.push_back(view_of(index));
      for (const std::int32_t index : op.dst) dst.push_back(view_of(index));
      backend::LaunchArgs args;
      args.attrs = op.attrs.data();
      args.src = src.data();
      args.dst = dst.data();
      args.num_src = static_cast<std::int32_t>(src.size());
      args.num_dst = static_cast<std::int32_t>(dst.size());
      args.caches = caches.data();
      args.workspace = arena->data() + op.workspace_offset;
      args.stream = stream_.get();
      ZB_RETURN_IF_ERROR(stream_->Launch(*entry, args));
    }
    TensorMap outputs;
    for (const std::int32_t index : plan->outputs) {
      const graph::TensorView view = view_of(index);
      HostTensor& tensor = outputs[Value(*plan, index).name];
      tensor.dtype = view.dtype;
      tensor.shape.assign(view.dims.begin(), view.dims.begin() + view.rank);
      tensor.bytes.resize(static_cast<std::size_t>(view.elements()) *
                          static_cast<std::size_t>(DTypeBits(view.dtype)) / 8);
      ZB_RETURN_IF_ERROR(
          stream_->CopyToHost(tensor.bytes, static_cast<const std::byte*>(view.data)));
    }
    ZB_RETURN_IF_ERROR(stream_->Synchronize());
    return outputs;
  }

 private:
  PlanRunner(std::shared_ptr<const engine::EngineFile> file, backend::Device& device)
      : file_(std::move(file)), device_(device) {}

  static const engine::PlanValue& Value(const engine::Plan& plan, std::int32_t index) {
    return plan.values[static_cast<std::size_t>(index)];
  }

  static void Bind(const engine::PlanValue& value, const TensorMap& inputs,
                   std::vector<std::int64_t>& symbols) {
    const HostTensor& tensor = inputs.at(value.name);
    for (std::size_t d = 0; d < value.desc.shape.size(); ++d) {
      for (std::size_t s = 0; s < symbols.size(); ++s) {
        if (value.desc.shape[d] == graph::Dim::Symbol(static_cast<graph::SymbolId>(s))) {
          symbols[s] = tensor.shape[d];
        }
      }
    }
  }

  const backend::KernelEntry* Find(const std::string& name) const {
    for (const backend::KernelEntry* entry : device_.kernels()) {
      if (entry->name == name) return entry;
    }
    return nullptr;
  }

  Result<std::unique_ptr<backend::DeviceBuffer>> Poisoned(std::size_t bytes) {
    ZB_ASSIGN_OR_RETURN(auto buffer, device_.Allocate(std::max<std::size_t>(bytes, 64)));
    poison_.emplace_back(bytes, std::byte{0xFF});
    ZB_RETURN_IF_ERROR(stream_->CopyToDevice(buffer->data(), poison_.back()));
    ZB_RETURN_IF_ERROR(stream_->Synchronize());
    poison_.clear();
    return buffer;
  }

  // Plans share groups by name.
  Result<graph::CacheView> CacheOf(const graph::CacheGroup& group) {
    graph::CacheView view;
    view.layer_bytes = group.bytes_per_token * page_tokens_;
    view.page_bytes = view.layer_bytes * group.layers;
    view.page_tokens = page_tokens_;
    view.dtype = group.dtype;
    auto& buffer = caches_[group.name];
    if (buffer == nullptr) {
      ZB_ASSIGN_OR_RETURN(buffer, Poisoned(static_cast<std::size_t>(view.page_bytes * pages_)));
    }
    view.base = buffer->data();
    return view;
  }

  std::shared_ptr<const engine::EngineFile> file_;
  backend::Device& device_;
  int page_tokens_ = 0;
  int pages_ = 0;
  std::unique_ptr<backend::DeviceBuffer> weights_;
  std::map<std::string, std::unique_ptr<backend::DeviceBuffer>> caches_;
  std::vector<std::vector<std::byte>> poison_;
  std::unique_ptr<backend::Stream> stream_;  // destroyed first
};

}  // namespace zhibi::test
