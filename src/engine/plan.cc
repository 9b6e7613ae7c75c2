// SPDX-License-Identifier: Apache-2.0
// What ValidatePlan promises is what lets the executor index without looking. Sizes are checked at
// the symbols' maxima and with each symbol at its minimum: sizes of real graphs grow with their
// symbols.
#include "engine/plan.h"

#include <algorithm>
#include <functional>
#include <optional>

#include "base/status_macros.h"

namespace zhibi::engine {
namespace {

constexpr std::int64_t kAlignment = 64;
constexpr std::int64_t kMaxBytes = std::int64_t{1} << 44;
constexpr std::size_t kMaxOperands = 32;

Status Bad(const Plan& plan, const std::string& where, const std::string& message) {
  return DataLossError("plan " + plan.name + ": " + where + ": " + message);
}

std::string Text(std::int64_t value) { return std::to_string(value); }

// One point of the symbols' box.
using Point = std::vector<std::int64_t>;

std::vector<Point> Corners(const Plan& plan) {
  Point maxima;
  for (const graph::Symbol& symbol : plan.symbols) maxima.push_back(symbol.max);
  std::vector<Point> corners = {maxima};
  for (std::size_t i = 0; i < plan.symbols.size(); ++i) {
    if (plan.symbols[i].min == plan.symbols[i].max) continue;
    corners.push_back(maxima);
    corners.back()[i] = plan.symbols[i].min;
  }
  return corners;
}

Status CheckSymbols(const Plan& plan) {
  if (plan.symbols.size() > static_cast<std::size_t>(graph::kMaxSymbols)) {
    return Bad(plan, "symbols",
               "expected at most " + Text(graph::kMaxSymbols) + ", got " +
                   std::to_string(plan.symbols.size()));
  }
  for (const graph::Symbol& symbol : plan.symbols) {
    if (symbol.min < 0 || symbol.opt < symbol.min || symbol.max < symbol.opt ||
        symbol.max > (std::int64_t{1} << 40)) {
      return Bad(plan, "symbol " + symbol.name,
                 "expected 0 <= min <= opt <= max <= 2^40, got " + Text(symbol.min) + " " +
                     Text(symbol.opt) + " " + Text(symbol.max));
    }
  }
  return OkStatus();
}

// Bytes of a value at one point. Constant dimensions, which are most, cost no evaluation.
Result<std::int64_t> BytesAt(const graph::TensorDesc& desc, const Point& point) {
  std::int64_t elements = 1;
  for (const graph::Dim& dim : desc.shape) {
    std::int64_t size = 0;
    if (const std::optional<std::int64_t> constant = dim.constant()) {
      size = *constant;
    } else {
      ZB_ASSIGN_OR_RETURN(size, dim.Evaluate(point));
    }
    if (size < 0) return OutOfRangeError("a dimension is negative: " + Text(size));
    if (__builtin_mul_overflow(elements, size, &elements) || elements > kMaxBytes) {
      return OutOfRangeError("more than 2^44 elements");
    }
  }
  return (elements * DTypeBits(desc.dtype) + 7) / 8;
}

bool IsConstant(const graph::TensorDesc& desc) {
  return std::all_of(desc.shape.begin(), desc.shape.end(),
                     [](const graph::Dim& dim) { return dim.constant().has_value(); });
}

// Bytes at the maxima, which no other corner exceeds.
Result<std::int64_t> PlannedBytes(const graph::TensorDesc& desc,
                                  const std::vector<Point>& corners) {
  ZB_ASSIGN_OR_RETURN(const std::int64_t planned, BytesAt(desc, corners[0]));
  if (IsConstant(desc)) return planned;
  for (const Point& corner : corners) {
    ZB_ASSIGN_OR_RETURN(const std::int64_t bytes, BytesAt(desc, corner));
    if (bytes > planned) return OutOfRangeError("larger below the symbols' maxima than at them");
  }
  return planned;
}

Status CheckRange(std::int64_t offset, std::int64_t bytes, std::int64_t limit) {
  if (offset < 0 || offset % kAlignment != 0 || bytes < 0 || bytes > limit ||
      offset > limit - bytes) {
    return DataLossError("expected a 64-byte aligned place within " + Text(limit) +
                         " bytes, got offset " + Text(offset) + " with " + Text(bytes) + " bytes");
  }
  return OkStatus();
}

Status CheckWeightValue(const PlanValue& value, const std::vector<PackedWeight>& weights) {
  const PackedWeight& weight = weights[static_cast<std::size_t>(value.offset)];
  bool same = weight.shape.size() == value.desc.shape.size();
  for (std::size_t i = 0; same && i < weight.shape.size(); ++i) {
    same = value.desc.shape[i].constant() == weight.shape[i];
  }
  if (same) return OkStatus();
  return DataLossError("expected the shape of weight " + weight.name);
}

Status CheckValue(const Plan& plan, std::size_t index, const std::vector<PackedWeight>& weights,
                  const std::vector<Point>& corners) {
  const PlanValue& value = plan.values[index];
  if (value.desc.shape.size() > static_cast<std::size_t>(graph::kMaxRank)) {
    return DataLossError("expected rank 0..8, got " + std::to_string(value.desc.shape.size()));
  }
  if (value.place == Place::kAbsent) return OkStatus();
  ZB_ASSIGN_OR_RETURN(const std::int64_t bytes, PlannedBytes(value.desc, corners));
  if (value.place == Place::kArena) return CheckRange(value.offset, bytes, plan.arena_bytes);
  const std::size_t limit = value.place == Place::kInput ? plan.inputs.size() : weights.size();
  if (value.offset < 0 || static_cast<std::uint64_t>(value.offset) >= limit) {
    return DataLossError("expected an index below " + std::to_string(limit) + ", got " +
                         Text(value.offset));
  }
  if (value.place == Place::kWeight) return CheckWeightValue(value, weights);
  if (plan.inputs[static_cast<std::size_t>(value.offset)] != static_cast<std::int32_t>(index)) {
    return DataLossError("input " + Text(value.offset) + " is another value");
  }
  return OkStatus();
}

bool InRange(std::int32_t index, std::size_t size) {
  return index >= 0 && static_cast<std::size_t>(index) < size;
}

Status CheckAxes(const Plan& plan, const std::vector<Point>& corners) {
  if (plan.axes.empty()) return Bad(plan, "axes", "expected at least one");
  for (std::size_t i = 0; i < plan.axes.size(); ++i) {
    const BucketAxis& axis = plan.axes[i];
    const std::string where = "axis " + std::to_string(i);
    if (axis.buckets.empty() || axis.buckets.front() < 1) {
      return Bad(plan, where, "expected buckets from 1 row on");
    }
    if (std::adjacent_find(axis.buckets.begin(), axis.buckets.end(), std::greater_equal<>()) !=
        axis.buckets.end()) {
      return Bad(plan, where, "expected ascending buckets");
    }
    const Result<std::int64_t> rows = axis.rows.Evaluate(corners[0]);
    if (!rows.ok()) return Bad(plan, where, rows.status().message());
    if (*rows > axis.buckets.back()) {
      return Bad(plan, where,
                 "the last bucket has " + Text(axis.buckets.back()) + " rows, " + Text(*rows) +
                     " are possible");
    }
  }
  return OkStatus();
}

// The op exists in this program, and its shape rule gives the stored results: a kernel may then
// trust attributes and shapes.
Status CheckOpRule(const Plan& plan, const PlanOp& op) {
  const graph::OpDef* def = graph::FindOp(op.op);
  if (def == nullptr || def->version != op.op_version) {
    return FailedPreconditionError(
        "plan " + plan.name + ": " + op.name + ": the engine has op " + op.op + " version " +
        std::to_string(op.op_version) + ", this program has " +
        (def == nullptr ? std::string("no such op") : "version " + std::to_string(def->version)) +
        "; build the engine again: zhibi build --model MODEL --out FILE.engine");
  }
  if (op.attrs.size() != def->attrs_bytes) {
    return Bad(plan, op.name,
               "expected " + std::to_string(def->attrs_bytes) + " bytes of attributes, got " +
                   std::to_string(op.attrs.size()));
  }
  std::vector<graph::TensorDesc> src;
  src.reserve(op.src.size());
  for (const std::int32_t index : op.src) {
    const PlanValue& value = plan.values[static_cast<std::size_t>(index)];
    src.push_back(value.place == Place::kAbsent ? graph::TensorDesc{} : value.desc);
  }
  Result<std::vector<graph::TensorDesc>> dst = def->infer(op.attrs, src);
  if (!dst.ok()) return Bad(plan, op.name, dst.status().message());
  bool same = dst->size() == op.dst.size();
  for (std::size_t i = 0; same && i < op.dst.size(); ++i) {
    same = plan.values[static_cast<std::size_t>(op.dst[i])].desc == (*dst)[i];
  }
  if (!same) return Bad(plan, op.name, "the shape rule of " + op.op + " gives other results");
  return OkStatus();
}

Status CheckOp(const Plan& plan, const PlanOp& op) {
  if (op.src.size() > kMaxOperands || op.dst.size() > kMaxOperands) {
    return Bad(plan, op.name, "expected at most 32 operands");
  }
  for (const std::int32_t index : op.src) {
    if (!InRange(index, plan.values.size())) {
      return Bad(plan, op.name, "source " + Text(index) + " is not a value");
    }
  }
  for (const std::int32_t index : op.dst) {
    if (!InRange(index, plan.values.size()) ||
        plan.values[static_cast<std::size_t>(index)].place != Place::kArena) {
      return Bad(plan, op.name, "result " + Text(index) + " is not a value of the arena");
    }
  }
  if (!InRange(op.axis, plan.axes.size())) {
    return Bad(plan, op.name, "axis " + Text(op.axis) + " does not exist");
  }
  const std::size_t buckets = plan.axes[static_cast<std::size_t>(op.axis)].buckets.size();
  if (op.kernels.size() != buckets) {
    return Bad(plan, op.name,
               "expected " + std::to_string(buckets) + " kernels, one a bucket, got " +
                   std::to_string(op.kernels.size()));
  }
  for (const std::int32_t kernel : op.kernels) {
    if (!InRange(kernel, plan.kernels.size())) {
      return Bad(plan, op.name, "kernel " + Text(kernel) + " does not exist");
    }
  }
  const Status place = CheckRange(op.workspace_offset, op.workspace_bytes, plan.arena_bytes);
  if (!place.ok()) return Bad(plan, op.name, "workspace: " + place.message());
  return CheckOpRule(plan, op);
}

Status CheckCaches(const Plan& plan) {
  for (const graph::CacheGroup& cache : plan.caches) {
    std::int64_t bytes = 0;
    if (cache.layers < 1 || cache.layers > 65536 || cache.window < 0 ||
        cache.elements_per_token < 1 || cache.elements_per_token > (1 << 24) ||
        __builtin_mul_overflow(cache.elements_per_token, DTypeBits(cache.dtype), &bytes) ||
        cache.bytes_per_token != bytes / 8) {
      return Bad(plan, "cache group " + cache.name,
                 "expected 1..65536 layers, a window >= 0 and bytes_per_token = "
                 "elements_per_token * size of dtype");
    }
  }
  return OkStatus();
}

}  // namespace

int BucketOf(const BucketAxis& axis, std::int64_t rows) {
  const auto at = std::lower_bound(axis.buckets.begin(), axis.buckets.end() - 1, rows);
  return static_cast<int>(at - axis.buckets.begin());
}

Status ValidatePlan(const Plan& plan, const std::vector<PackedWeight>& weights) {
  ZB_RETURN_IF_ERROR(CheckSymbols(plan));
  if (plan.arena_bytes < 0 || plan.arena_bytes > kMaxBytes) {
    return Bad(plan, "arena", "expected 0..2^44 bytes, got " + Text(plan.arena_bytes));
  }
  const std::vector<Point> corners = Corners(plan);
  for (const std::vector<std::int32_t>* list : {&plan.inputs, &plan.outputs}) {
    for (const std::int32_t index : *list) {
      if (!InRange(index, plan.values.size())) {
        return Bad(plan, "inputs and outputs", Text(index) + " is not a value");
      }
    }
  }
  for (const std::int32_t index : plan.inputs) {
    const PlanValue& value = plan.values[static_cast<std::size_t>(index)];
    if (value.place != Place::kInput) return Bad(plan, "input " + value.name, "wrong place");
  }
  for (const std::int32_t index : plan.outputs) {
    const PlanValue& value = plan.values[static_cast<std::size_t>(index)];
    if (value.place != Place::kArena && value.place != Place::kInput) {
      return Bad(plan, "output " + value.name, "wrong place");
    }
  }
  for (std::size_t i = 0; i < plan.values.size(); ++i) {
    const Status status = CheckValue(plan, i, weights, corners);
    if (!status.ok()) return Bad(plan, "value " + plan.values[i].name, status.message());
  }
  ZB_RETURN_IF_ERROR(CheckAxes(plan, corners));
  ZB_RETURN_IF_ERROR(CheckCaches(plan));
  for (const PlanOp& op : plan.ops) ZB_RETURN_IF_ERROR(CheckOp(plan, op));
  return OkStatus();
}

std::string FingerprintText(const Fingerprint& fingerprint) {
  std::string text = fingerprint.backend + "/" + fingerprint.isa;
  char separator = '/';
  for (const std::string& feature : fingerprint.features) {
    text += separator + feature;
    separator = ',';
  }
  return text;
}

Status CheckFingerprint(const EngineInfo& info, const Fingerprint& machine) {
  std::string differences;
  const auto differ = [&differences](std::string_view field, const std::string& engine_side,
                                     const std::string& machine_side) {
    differences +=
        "\n  " + std::string(field) + ": engine " + engine_side + ", this machine " + machine_side;
  };
  if (info.device_backend != machine.backend) {
    differ("backend", info.device_backend, machine.backend);
  }
  if (info.device_isa != machine.isa) differ("isa", info.device_isa, machine.isa);
  for (const std::string& feature : info.device_features) {
    if (!std::binary_search(machine.features.begin(), machine.features.end(), feature)) {
      differ("feature", "needs " + feature, "has none");
    }
  }
  if (differences.empty()) return OkStatus();
  const std::string source = info.source.empty() ? "MODEL" : info.source;
  return FailedPreconditionError("the engine was built for another device:" + differences +
                                 "\n  mend it with: zhibi build --model " + source +
                                 " --out FILE.engine --precision " + info.precision);
}

}  // namespace zhibi::engine
