// SPDX-License-Identifier: Apache-2.0
// Executor: walks one plan of an engine on one device (style.md §4.3 hop 5). Binding resolves every
// name, weight, buffer and kernel once; a launch evaluates the distinct size expressions, picks the
// bucket's column and calls the entries in order: no allocation, no look-up of a string, no choice.
// Engine thread only.
//
// Slots let step n+1 be prepared while step n runs: each slot has host staging of its own; device
// buffers exist once, since the stream orders copies and kernels (design.md §7.4).
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "backend/backend.h"
#include "engine/engine_file.h"
#include "zhibi/status.h"

namespace zhibi::runtime {

// Cache memory of an engine, one buffer a group; shared by all plans that name the same groups.
class CacheSet {
 public:
  // pages_of_group[i]: pages of groups[i]. kResourceExhausted names the group and the bytes.
  static Result<std::unique_ptr<CacheSet>> Create(backend::Device& device,
                                                  std::span<const graph::CacheGroup> groups,
                                                  std::int64_t page_tokens,
                                                  std::span<const std::int64_t> pages_of_group);
  std::span<const graph::CacheView> views() const { return views_; }
  static std::int64_t PageBytes(const graph::CacheGroup& group, std::int64_t page_tokens);

 private:
  std::vector<std::unique_ptr<backend::DeviceBuffer>> buffers_;
  std::vector<graph::CacheView> views_;
};

// An engine file with its weights on a device. Immutable; keep it alive as long as its executors.
class LoadedEngine {
 public:
  // kFailedPrecondition when the engine was built for another device: both sides, and the command
  // that mends it.
  static Result<std::unique_ptr<LoadedEngine>> Create(
      std::shared_ptr<const engine::EngineFile> file, std::shared_ptr<backend::Device> device);
  const engine::EngineFile& file() const { return *file_; }
  backend::Device& device() const { return *device_; }
  const std::byte* weights() const { return weights_->data(); }

 private:
  std::shared_ptr<const engine::EngineFile> file_;
  std::shared_ptr<backend::Device> device_;
  std::unique_ptr<backend::DeviceBuffer> weights_;
};

class Executor {
 public:
  static Result<std::unique_ptr<Executor>> Create(const LoadedEngine& engine, std::string_view plan,
                                                  const CacheSet* caches, int slots);

  // Index of an input, output or symbol, or -1.
  int FindInput(std::string_view name) const;
  int FindOutput(std::string_view name) const;
  int FindSymbol(std::string_view name) const;
  const engine::Plan& plan() const { return *plan_; }
  std::int64_t SymbolMax(int symbol) const {
    return plan_->symbols[static_cast<std::size_t>(symbol)].max;
  }

  // Host memory of an input, with room for the symbols' maxima; rows are packed by the sizes of
  // this step.
  std::span<std::byte> HostInput(int slot, int input);
  template <typename T>
  T* HostInputAs(int slot, int input) {
    return reinterpret_cast<T*>(HostInput(slot, input).data());
  }

  // Starts a step on the slot's inputs. `symbols` has one value a plan symbol, within its profile.
  // Outputs whose bit is set in `wanted` are copied to the host; the output `samples`, if there is
  // one, is kept for previous_samples.
  Status Launch(int slot, std::span<const std::int64_t> symbols, std::uint32_t wanted);
  // Blocks until the slot's step is done.
  Status Wait(int slot);
  // Valid after Wait and until the slot's next launch; bytes of the sizes of that step.
  std::span<const std::byte> HostOutput(int slot, int output) const;

  std::int64_t arena_bytes() const { return plan_->arena_bytes; }

 private:
  struct Patch {
    std::uint32_t view;  // index into views_
    std::uint32_t axis;
    std::uint32_t program;  // index into programs_
  };
  struct Call {
    backend::LaunchArgs args;
    std::vector<const backend::KernelEntry*> entries;  // one a bucket of the op's axis
    std::size_t axis = 0;
    graph::Attrs attrs;
  };
  struct Slot {
    std::vector<std::unique_ptr<std::byte[]>>
        inputs;  // empty when the device buffer is host memory and slots == 1
    std::vector<std::vector<std::byte>> outputs;
    std::vector<std::size_t> output_bytes;
    std::unique_ptr<backend::Event> done;
  };

  Status Bind(const LoadedEngine& engine, const CacheSet* caches, int slots);
  Status BindKernels(backend::Device& device);
  Status BindBuffers(const LoadedEngine& engine, int slots);
  Status BindCalls(const LoadedEngine& engine, const CacheSet* caches);
  Result<std::int64_t> MaxBytes(const engine::PlanValue& value) const;
  std::uint32_t AddProgram(const graph::Dim& dim);
  void Resize(std::span<const std::int64_t> symbols);
  Status CheckSymbols(std::span<const std::int64_t> symbols) const;
  std::size_t ViewBytes(const graph::TensorView& view) const;

  const engine::Plan* plan_ = nullptr;
  int previous_samples_input_ = -1;
  int samples_output_ = -1;
  bool direct_inputs_ = false;  // HostInput is the device buffer itself
  std::unique_ptr<backend::Stream> stream_;
  std::unique_ptr<backend::DeviceBuffer> arena_;
  std::vector<std::unique_ptr<backend::DeviceBuffer>> input_buffers_;
  std::vector<const backend::KernelEntry*> kernels_;
  std::vector<graph::TensorView> views_;  // operands of all calls, then inputs, then outputs
  std::size_t input_views_ = 0;           // first input's view
  std::size_t output_views_ = 0;
  std::vector<std::vector<std::int64_t>> programs_;  // distinct
  std::vector<std::int64_t> program_values_;
  std::vector<Patch> patches_;
  std::vector<std::uint32_t> axis_programs_;  // one an axis of buckets
  std::vector<std::size_t> columns_;          // of this step, one an axis
  std::vector<Call> calls_;
  std::vector<std::int64_t> last_symbols_;
  std::vector<Slot> slots_;
};

}  // namespace zhibi::runtime
