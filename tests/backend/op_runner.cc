// SPDX-License-Identifier: Apache-2.0
#include "backend/op_runner.h"

#include <algorithm>
#include <chrono>
#include <memory>

#include "backend/row_major.h"
#include "base/status_macros.h"

namespace zhibi::backend {
namespace {

// All weights of problems are constants: nothing is stored.
class NoSource final : public graph::WeightSource {
 public:
  Result<graph::StoredTensor> Find(std::string_view name) const override {
    return NotFoundError("tensor " + std::string(name) + ": expected none to be asked for");
  }
  bool Contains(std::string_view) const override { return false; }
};

// Everything on the device, ready to launch.
class Bound {
 public:
  static Result<std::unique_ptr<Bound>> Make(Device& device, const KernelEntry& entry,
                                             const OpProblem& problem) {
    auto bound = std::make_unique<Bound>();
    ZB_ASSIGN_OR_RETURN(bound->stream_, device.CreateStream());
    const QueryOf query(problem);
    for (std::size_t i = 0; i < problem.src.size(); ++i) {
      ZB_RETURN_IF_ERROR(bound->AddSource(device, entry, query.query(), problem.src[i], i));
    }
    for (const graph::TensorView& view : problem.dst) {
      ZB_ASSIGN_OR_RETURN(
          std::byte * data,
          bound->Put(device, std::vector<std::byte>(BytesOf(view), std::byte{0xCD})));
      bound->dst_.push_back(view);
      bound->dst_.back().data = data;
    }
    for (const CacheBytes& cache : problem.caches) {
      ZB_ASSIGN_OR_RETURN(std::byte * data, bound->Put(device, cache.bytes));
      bound->caches_.push_back(cache.view);
      bound->caches_.back().base = data;
    }
    if (entry.workspace_bytes != nullptr) {
      const std::vector<std::byte> garbage(entry.workspace_bytes(query.query()), std::byte{0xFF});
      ZB_ASSIGN_OR_RETURN(bound->args_.workspace, bound->Put(device, garbage));
    }
    bound->args_.attrs = problem.attrs.data();
    bound->args_.src = bound->src_.data();
    bound->args_.num_src = static_cast<std::int32_t>(bound->src_.size());
    bound->args_.dst = bound->dst_.data();
    bound->args_.num_dst = static_cast<std::int32_t>(bound->dst_.size());
    bound->args_.caches = bound->caches_.data();
    return bound;
  }

  Status Launch(const KernelEntry& entry) {
    ZB_RETURN_IF_ERROR(stream_->Launch(entry, args_));
    return stream_->Synchronize();
  }

  Result<OpOutput> Read(const OpProblem& problem) {
    OpOutput out;
    for (const graph::TensorView& view : dst_) {
      out.dst.emplace_back(BytesOf(view));
      ZB_RETURN_IF_ERROR(stream_->CopyToHost(out.dst.back(), view.as<const std::byte>()));
    }
    for (std::size_t i = 0; i < caches_.size(); ++i) {
      out.caches.emplace_back(problem.caches[i].bytes.size());
      ZB_RETURN_IF_ERROR(stream_->CopyToHost(out.caches.back(), caches_[i].base));
    }
    ZB_RETURN_IF_ERROR(stream_->Synchronize());
    return out;
  }

 private:
  static std::size_t BytesOf(const graph::TensorView& view) {
    return static_cast<std::size_t>(view.elements() * DTypeBits(view.dtype) / 8);
  }

  Result<std::byte*> Put(Device& device, const std::vector<std::byte>& bytes) {
    ZB_ASSIGN_OR_RETURN(auto buffer, device.Allocate(std::max<std::size_t>(bytes.size(), 64)));
    ZB_RETURN_IF_ERROR(stream_->CopyToDevice(buffer->data(), bytes));
    ZB_RETURN_IF_ERROR(stream_->Synchronize());
    std::byte* data = buffer->data();
    buffers_.push_back(std::move(buffer));
    return data;
  }

  Status AddSource(Device& device, const KernelEntry& entry, const OpQuery& query,
                   const Operand& operand, std::size_t index) {
    src_.push_back(operand.view);
    if (operand.view.rank == 0) return OkStatus();
    std::vector<std::byte> bytes = operand.bytes;
    if (operand.is_weight) {
      const auto i = static_cast<int>(index);
      const auto packed_bytes = entry.packed_bytes == nullptr ? &RowMajorBytes : entry.packed_bytes;
      const auto pack = entry.pack == nullptr ? &PackRowMajor : entry.pack;
      bytes.assign(packed_bytes(query, i), std::byte{0});
      const NoSource none;
      ZB_RETURN_IF_ERROR(pack(query, i, {.weight = &operand.weight, .source = &none}, bytes));
    }
    ZB_ASSIGN_OR_RETURN(std::byte * data, Put(device, bytes));
    src_.back().data = data;
    return OkStatus();
  }

  // The stream goes before the buffers that its work uses.
  std::vector<std::unique_ptr<DeviceBuffer>> buffers_;
  std::unique_ptr<Stream> stream_;
  std::vector<graph::TensorView> src_;
  std::vector<graph::TensorView> dst_;
  std::vector<graph::CacheView> caches_;
  LaunchArgs args_;
};

}  // namespace

QueryOf::QueryOf(const OpProblem& problem) : is_weight_(new bool[problem.src.size() + 1]) {
  for (std::size_t i = 0; i < problem.src.size(); ++i) {
    src_.push_back(problem.src[i].view);
    formats_.push_back(problem.src[i].weight.format);
    is_weight_[i] = problem.src[i].is_weight;
  }
  query_.op = problem.op;
  query_.attrs = &problem.attrs;
  query_.src = src_;
  query_.dst = problem.dst;
  query_.formats = formats_;
  query_.is_weight = {is_weight_.get(), problem.src.size()};
  query_.min_rows = 1;
  query_.max_rows = problem.rows;
  query_.cache_dtype = problem.cache_dtype;
}

Result<OpOutput> RunEntry(Device& device, const KernelEntry& entry, const OpProblem& problem) {
  ZB_ASSIGN_OR_RETURN(auto bound, Bound::Make(device, entry, problem));
  ZB_RETURN_IF_ERROR(bound->Launch(entry));
  return bound->Read(problem);
}

Result<double> TimeEntry(Device& device, const KernelEntry& entry, const OpProblem& problem) {
  ZB_ASSIGN_OR_RETURN(auto bound, Bound::Make(device, entry, problem));
  std::vector<double> times;
  const auto begin = std::chrono::steady_clock::now();
  for (int i = 0; i < 400; ++i) {
    const auto start = std::chrono::steady_clock::now();
    ZB_RETURN_IF_ERROR(bound->Launch(entry));
    const auto stop = std::chrono::steady_clock::now();
    if (i > 1) times.push_back(std::chrono::duration<double, std::micro>(stop - start).count());
    if (i > 8 && stop - begin > std::chrono::milliseconds(250)) break;
  }
  std::nth_element(times.begin(), times.begin() + static_cast<std::ptrdiff_t>(times.size() / 2),
                   times.end());
  return times[times.size() / 2];
}

}  // namespace zhibi::backend
