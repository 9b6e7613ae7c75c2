// SPDX-License-Identifier: Apache-2.0
#include "runtime/check_weights.h"

#include <algorithm>
#include <memory>
#include <string>

#include "backend/row_major.h"
#include "base/status_macros.h"

namespace zhibi::runtime {
namespace {

std::size_t Index(std::int64_t i) { return static_cast<std::size_t>(i); }

// An op as a kernel is asked about it, with all symbols at their maxima.
class Query {
 public:
  static Result<std::unique_ptr<Query>> Create(const engine::Plan& plan, const engine::PlanOp& op,
                                               const std::vector<engine::PackedWeight>& weights,
                                               std::span<const std::int64_t> maxima) {
    auto query = std::make_unique<Query>();
    query->is_weight_ = std::make_unique<bool[]>(op.src.size());
    for (std::size_t i = 0; i < op.src.size(); ++i) {
      ZB_ASSIGN_OR_RETURN(graph::TensorView view, ViewOf(plan, op.src[i], maxima));
      query->src_.push_back(view);
      query->formats_.emplace_back();
      if (op.src[i] < 0) continue;
      const engine::PlanValue& value = plan.values[Index(op.src[i])];
      if (value.place != engine::Place::kWeight) continue;
      query->is_weight_[i] = true;
      query->formats_.back() = weights[Index(value.offset)].format;
    }
    for (const std::int32_t index : op.dst) {
      ZB_ASSIGN_OR_RETURN(graph::TensorView view, ViewOf(plan, index, maxima));
      query->dst_.push_back(view);
    }
    query->query_.op = op.op;
    query->query_.attrs = &op.attrs;
    query->query_.src = query->src_;
    query->query_.dst = query->dst_;
    query->query_.formats = query->formats_;
    query->query_.is_weight = {query->is_weight_.get(), op.src.size()};
    return query;
  }

  const backend::OpQuery& get() const { return query_; }

 private:
  static Result<graph::TensorView> ViewOf(const engine::Plan& plan, std::int32_t index,
                                          std::span<const std::int64_t> maxima) {
    graph::TensorView view;
    if (index < 0 || plan.values[Index(index)].place == engine::Place::kAbsent) return view;
    const graph::TensorDesc& desc = plan.values[Index(index)].desc;
    view.dtype = desc.dtype;
    view.rank = static_cast<std::int32_t>(desc.shape.size());
    for (std::size_t axis = 0; axis < desc.shape.size(); ++axis) {
      ZB_ASSIGN_OR_RETURN(view.dims[axis], desc.shape[axis].Evaluate(maxima));
    }
    return view;
  }

  std::vector<graph::TensorView> src_;
  std::vector<graph::TensorView> dst_;
  std::vector<quant::WeightFormat> formats_;
  std::unique_ptr<bool[]> is_weight_;
  backend::OpQuery query_;
};

}  // namespace

Status CheckWeights(const engine::Plan& plan, const std::vector<engine::PackedWeight>& weights,
                    std::span<const backend::KernelEntry* const> kernels) {
  std::vector<std::int64_t> maxima;
  for (const graph::Symbol& symbol : plan.symbols) maxima.push_back(symbol.max);
  for (const engine::PlanOp& op : plan.ops) {
    ZB_ASSIGN_OR_RETURN(const std::unique_ptr<Query> query,
                        Query::Create(plan, op, weights, maxima));
    for (std::size_t i = 0; i < op.src.size(); ++i) {
      if (!query->get().is_weight[i]) continue;
      const engine::PackedWeight& weight = weights[Index(plan.values[Index(op.src[i])].offset)];
      for (const std::int32_t kernel : op.kernels) {
        const backend::KernelEntry& entry = *kernels[Index(kernel)];
        const std::string where =
            "op " + op.name + ", kernel " + std::string(entry.name) + ", weight " + weight.name;
        if (entry.packed_bytes == nullptr) {
          if (const std::string reason = backend::RowMajorRefuses(weight.format); !reason.empty()) {
            return DataLossError(where + ": " + reason);
          }
        }
        const std::size_t expected =
            entry.packed_bytes != nullptr
                ? entry.packed_bytes(query->get(), static_cast<int>(i))
                : backend::RowMajorBytes(query->get(), static_cast<int>(i));
        if (expected > weight.bytes) {
          return DataLossError(where + ": expected " + std::to_string(expected) +
                               " bytes, the file holds " + std::to_string(weight.bytes));
        }
      }
    }
  }
  return OkStatus();
}

}  // namespace zhibi::runtime
