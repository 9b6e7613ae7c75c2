// SPDX-License-Identifier: Apache-2.0
#include "runtime/executor.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <utility>

#include "base/status_macros.h"
#include "graph/step.h"
#include "runtime/check_weights.h"

namespace zhibi::runtime {
namespace {

constexpr std::size_t kSkip = static_cast<std::size_t>(-1);

std::size_t Index(std::int64_t i) { return static_cast<std::size_t>(i); }

template <typename List>
int FindValue(const engine::Plan& plan, const List& values, std::string_view name) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (plan.values[Index(values[i])].name == name) return static_cast<int>(i);
  }
  return -1;
}

}  // namespace

Result<std::unique_ptr<Executor>> Executor::Create(const LoadedEngine& engine,
                                                   std::string_view plan, const CacheSet* caches,
                                                   int slots) {
  const engine::Plan* found = engine.file().FindPlan(plan);
  if (found == nullptr) {
    return NotFoundError(engine.file().path() + ": no plan \"" + std::string(plan) + "\"");
  }
  auto executor = std::make_unique<Executor>();
  executor->plan_ = found;
  ZB_RETURN_IF_ERROR(executor->Bind(engine, caches, slots)
                         .WithContext(engine.file().path() + ": plan " + found->name));
  return executor;
}

int Executor::FindInput(std::string_view name) const {
  return FindValue(*plan_, plan_->inputs, name);
}

int Executor::FindOutput(std::string_view name) const {
  return FindValue(*plan_, plan_->outputs, name);
}

int Executor::FindSymbol(std::string_view name) const {
  for (std::size_t i = 0; i < plan_->symbols.size(); ++i) {
    if (plan_->symbols[i].name == name) return static_cast<int>(i);
  }
  return -1;
}

Status Executor::Bind(const LoadedEngine& engine, const CacheSet* caches, int slots) {
  if (plan_->axes.empty()) return DataLossError("no axis of row buckets");
  if (plan_->symbols.size() > graph::kMaxSymbols) return DataLossError("too many symbols");
  previous_samples_input_ = FindInput(graph::step::kPreviousSamples);
  samples_output_ = FindOutput(graph::step::kSamples);
  if (caches == nullptr && !plan_->caches.empty()) {
    return InvalidArgumentError("the plan has cache groups, no cache memory was given");
  }
  ZB_ASSIGN_OR_RETURN(stream_, engine.device().CreateStream());
  ZB_RETURN_IF_ERROR(BindKernels(engine.device()));
  ZB_RETURN_IF_ERROR(CheckWeights(*plan_, engine.file().weights(), kernels_));
  ZB_RETURN_IF_ERROR(BindBuffers(engine, slots));
  ZB_RETURN_IF_ERROR(BindCalls(engine, caches));
  for (const engine::BucketAxis& axis : plan_->axes)
    axis_programs_.push_back(AddProgram(axis.rows));
  columns_.resize(plan_->axes.size());
  last_symbols_.assign(plan_->symbols.size(), -1);
  program_values_.resize(programs_.size());
  return OkStatus();
}

Status Executor::BindKernels(backend::Device& device) {
  std::map<std::string_view, const backend::KernelEntry*> by_name;
  for (const backend::KernelEntry* entry : device.kernels()) by_name.emplace(entry->name, entry);
  for (const engine::PlanKernel& kernel : plan_->kernels) {
    const auto found = by_name.find(kernel.name);
    if (found == by_name.end() || found->second->layout != kernel.layout) {
      return FailedPreconditionError("kernel \"" + kernel.name + "\" with layout \"" +
                                     kernel.layout + "\" is not in backend " +
                                     device.info().backend + " (" + device.info().isa +
                                     "): build the engine again with `zhibi build`");
    }
    kernels_.push_back(found->second);
  }
  return OkStatus();
}

Result<std::int64_t> Executor::MaxBytes(const engine::PlanValue& value) const {
  std::vector<std::int64_t> maxima;
  maxima.reserve(plan_->symbols.size());
  for (const graph::Symbol& symbol : plan_->symbols) maxima.push_back(symbol.max);
  std::int64_t elements = 1;
  for (const graph::Dim& dim : value.desc.shape) {
    ZB_ASSIGN_OR_RETURN(const std::int64_t size, dim.Evaluate(maxima));
    if (size < 0 || __builtin_mul_overflow(elements, size, &elements)) {
      return DataLossError("value " + value.name + ": size out of range");
    }
  }
  std::int64_t bits = 0;
  if (__builtin_mul_overflow(elements, std::int64_t{DTypeBits(value.desc.dtype)}, &bits)) {
    return DataLossError("value " + value.name + ": size out of range");
  }
  return (bits + 7) / 8;
}

Status Executor::BindBuffers(const LoadedEngine& engine, int slots) {
  backend::Device& device = engine.device();
  ZB_ASSIGN_OR_RETURN(arena_,
                      device.Allocate(Index(std::max<std::int64_t>(plan_->arena_bytes, 64))));
  direct_inputs_ = device.info().host_memory && slots == 1;
  slots_.resize(Index(slots));
  for (const std::int32_t input : plan_->inputs) {
    ZB_ASSIGN_OR_RETURN(const std::int64_t bytes, MaxBytes(plan_->values[Index(input)]));
    ZB_ASSIGN_OR_RETURN(std::unique_ptr<backend::DeviceBuffer> buffer,
                        device.Allocate(Index(std::max<std::int64_t>(bytes, 64))));
    if (!direct_inputs_) {
      for (Slot& slot : slots_)
        slot.inputs.push_back(std::make_unique<std::byte[]>(buffer->size()));
    }
    input_buffers_.push_back(std::move(buffer));
  }
  for (Slot& slot : slots_) {
    ZB_ASSIGN_OR_RETURN(slot.done, device.CreateEvent());
    slot.outputs.resize(plan_->outputs.size());
    slot.output_bytes.resize(plan_->outputs.size());
  }
  for (std::size_t i = 0; i < plan_->outputs.size(); ++i) {
    ZB_ASSIGN_OR_RETURN(const std::int64_t bytes,
                        MaxBytes(plan_->values[Index(plan_->outputs[i])]));
    // Address space only until a caller wants the output: large logits cost nothing unless they are
    // read.
    for (Slot& slot : slots_) slot.outputs[i].reserve(Index(bytes));
  }
  return OkStatus();
}

Status Executor::BindCalls(const LoadedEngine& engine, const CacheSet* caches) {
  const std::vector<engine::PackedWeight>& weights = engine.file().weights();
  std::vector<std::pair<std::size_t, std::size_t>> call_views;  // first source, first result
  auto add_view = [&](std::int32_t index) -> Status {
    const auto view_index = static_cast<std::uint32_t>(views_.size());
    graph::TensorView view;
    if (index < 0) {
      views_.push_back(view);
      return OkStatus();
    }
    const engine::PlanValue& value = plan_->values[Index(index)];
    view.dtype = value.desc.dtype;
    view.rank = static_cast<std::int32_t>(value.desc.shape.size());
    switch (value.place) {
      case engine::Place::kInput:
        view.data = input_buffers_[Index(value.offset)]->data();
        break;
      case engine::Place::kArena:
        view.data = arena_->data() + value.offset;
        break;
      case engine::Place::kWeight:
        // NOLINTNEXTLINE(cppcoreguidelines-pro-type-const-cast): kernels never write sources; one
        // view type serves both.
        view.data = const_cast<std::byte*>(engine.weights() + weights[Index(value.offset)].offset);
        break;
      case engine::Place::kAbsent:
        view.rank = 0;
        views_.push_back(view);
        return OkStatus();
    }
    for (std::size_t axis = 0; axis < value.desc.shape.size(); ++axis) {
      const graph::Dim& dim = value.desc.shape[axis];
      if (const auto constant = dim.constant(); constant.has_value()) {
        view.dims[axis] = *constant;
        continue;
      }
      patches_.push_back({view_index, static_cast<std::uint32_t>(axis), AddProgram(dim)});
    }
    views_.push_back(view);
    return OkStatus();
  };
  for (const engine::PlanOp& op : plan_->ops) {
    Call call;
    call.attrs = op.attrs;
    call.axis = Index(op.axis);
    call.args.num_src = static_cast<std::int32_t>(op.src.size());
    call.args.num_dst = static_cast<std::int32_t>(op.dst.size());
    call.args.workspace = arena_->data() + op.workspace_offset;
    call.args.caches = caches == nullptr ? nullptr : caches->views().data();
    call.args.stream = stream_.get();
    for (const std::int32_t kernel : op.kernels) call.entries.push_back(kernels_[Index(kernel)]);
    call_views.emplace_back(views_.size(), views_.size() + op.src.size());
    for (const std::int32_t index : op.src) ZB_RETURN_IF_ERROR(add_view(index));
    for (const std::int32_t index : op.dst) ZB_RETURN_IF_ERROR(add_view(index));
    calls_.push_back(std::move(call));
  }
  input_views_ = views_.size();
  for (const std::int32_t index : plan_->inputs) ZB_RETURN_IF_ERROR(add_view(index));
  output_views_ = views_.size();
  for (const std::int32_t index : plan_->outputs) ZB_RETURN_IF_ERROR(add_view(index));
  for (std::size_t i = 0; i < calls_.size(); ++i) {
    calls_[i].args.attrs = calls_[i].attrs.data();
    calls_[i].args.src = views_.data() + call_views[i].first;
    calls_[i].args.dst = views_.data() + call_views[i].second;
  }
  return OkStatus();
}

std::uint32_t Executor::AddProgram(const graph::Dim& dim) {
  std::vector<std::int64_t> program = dim.Program();
  const auto found = std::find(programs_.begin(), programs_.end(), program);
  if (found != programs_.end()) return static_cast<std::uint32_t>(found - programs_.begin());
  programs_.push_back(std::move(program));
  return static_cast<std::uint32_t>(programs_.size() - 1);
}

std::span<std::byte> Executor::HostInput(int slot, int input) {
  backend::DeviceBuffer& buffer = *input_buffers_[Index(input)];
  if (direct_inputs_) return {buffer.data(), buffer.size()};
  return {slots_[Index(slot)].inputs[Index(input)].get(), buffer.size()};
}

Status Executor::CheckSymbols(std::span<const std::int64_t> symbols) const {
  if (symbols.size() != plan_->symbols.size()) {
    return InternalError("expected " + std::to_string(plan_->symbols.size()) +
                         " symbol values, got " + std::to_string(symbols.size()));
  }
  for (std::size_t i = 0; i < symbols.size(); ++i) {
    const graph::Symbol& symbol = plan_->symbols[i];
    if (symbols[i] < 0 || symbols[i] > symbol.max) {
      return OutOfRangeError("symbol " + symbol.name + ": " + std::to_string(symbols[i]) +
                             " is outside the engine's profile (at most " +
                             std::to_string(symbol.max) + ")");
    }
  }
  return OkStatus();
}

void Executor::Resize(std::span<const std::int64_t> symbols) {
  if (std::equal(symbols.begin(), symbols.end(), last_symbols_.begin())) return;
  for (std::size_t i = 0; i < programs_.size(); ++i) {
    program_values_[i] = graph::EvaluateProgram(programs_[i], symbols);
  }
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    const std::int64_t rows = program_values_[axis_programs_[i]];
    columns_[i] = rows == 0 ? kSkip : Index(engine::BucketOf(plan_->axes[i], rows));
  }
  for (const Patch& patch : patches_) {
    views_[patch.view].dims[patch.axis] = program_values_[patch.program];
  }
  std::copy(symbols.begin(), symbols.end(), last_symbols_.begin());
}

std::size_t Executor::ViewBytes(const graph::TensorView& view) const {
  return (Index(view.elements()) * static_cast<std::size_t>(DTypeBits(view.dtype)) + 7) / 8;
}

Status Executor::Launch(int slot_index, std::span<const std::int64_t> symbols,
                        std::uint32_t wanted) {
  ZB_RETURN_IF_ERROR(CheckSymbols(symbols));
  Resize(symbols);
  Slot& slot = slots_[Index(slot_index)];
  if (!direct_inputs_) {
    for (std::size_t i = 0; i < input_buffers_.size(); ++i) {
      if (static_cast<int>(i) == previous_samples_input_) continue;
      const std::size_t bytes = ViewBytes(views_[input_views_ + i]);
      if (bytes == 0) continue;
      ZB_RETURN_IF_ERROR(
          stream_->CopyToDevice(input_buffers_[i]->data(), {slot.inputs[i].get(), bytes}));
    }
  }
  for (const Call& call : calls_) {
    // A step without wanted rows runs no head and no sampler.
    if (columns_[call.axis] == kSkip) continue;
    ZB_RETURN_IF_ERROR(stream_->Launch(*call.entries[columns_[call.axis]], call.args));
  }
  for (std::size_t i = 0; i < plan_->outputs.size(); ++i) {
    const graph::TensorView& view = views_[output_views_ + i];
    const std::size_t bytes = ViewBytes(view);
    slot.output_bytes[i] = bytes;
    const auto* data = static_cast<const std::byte*>(view.data);
    if (static_cast<int>(i) == samples_output_ && previous_samples_input_ >= 0 && bytes > 0) {
      backend::DeviceBuffer& previous = *input_buffers_[Index(previous_samples_input_)];
      ZB_RETURN_IF_ERROR(
          stream_->CopyOnDevice(previous.data(), data, std::min(bytes, previous.size())));
    }
    if ((wanted >> i & 1U) == 0) continue;
    slot.outputs[i].resize(bytes);
    ZB_RETURN_IF_ERROR(stream_->CopyToHost(slot.outputs[i], data));
  }
  return stream_->Record(*slot.done);
}

Status Executor::Wait(int slot) { return slots_[Index(slot)].done->Wait(); }

std::span<const std::byte> Executor::HostOutput(int slot, int output) const {
  const Slot& s = slots_[Index(slot)];
  return {s.outputs[Index(output)].data(), s.output_bytes[Index(output)]};
}

}  // namespace zhibi::runtime
