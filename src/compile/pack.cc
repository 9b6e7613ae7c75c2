// SPDX-License-Identifier: Apache-2.0
#include "compile/pack.h"

#include <algorithm>
#include <cmath>
#include <deque>
#include <exception>
#include <future>
#include <new>
#include <system_error>
#include <utility>

#include "backend/row_major.h"
#include "base/status_macros.h"
#include "compile/weight_merge.h"
#include "quant/codec.h"

namespace zhibi::compile {
namespace {

// Packed bytes in flight: one weight may exceed it alone.
constexpr std::size_t kMaxBytesInFlight = std::size_t{192} << 20;
constexpr std::int64_t kErrorRows = 64;
constexpr std::string_view kRowMajor = "row_major";

struct Packed {
  std::vector<std::byte> bytes;
  PackError error;
};

Result<Packed> PackOne(const PackJob& job, const graph::WeightSource& source) {
  Packed packed;
  try {
    packed.bytes.resize(job.bytes);
  } catch (const std::bad_alloc&) {
    return ResourceExhaustedError("weight " + job.weight->name + ": no memory for " +
                                  std::to_string(job.bytes) + " bytes");
  }
  const auto pack = job.entry->pack != nullptr ? job.entry->pack : &backend::PackRowMajor;
  Status status = pack(job.query->get(), job.operand, {job.weight, &source}, packed.bytes);
  if (!status.ok()) return std::move(status).WithContext("pack " + job.weight->name);
  ZB_ASSIGN_OR_RETURN(packed.error, MeasureError(*job.weight, source));
  return packed;
}

std::future<Result<Packed>> Start(const PackJob& job, const graph::WeightSource& source) {
  const auto task = [&job, &source] { return PackOne(job, source); };
  try {
    return std::async(std::launch::async, task);
  } catch (const std::system_error&) {  // no thread to be had: in turn, then
    return std::async(std::launch::deferred, task);
  }
}

// One row through its format and back.
void RoundTrip(const quant::WeightFormat& format, std::span<const float> src,
               std::span<float> dst) {
  const std::size_t n = src.size();
  switch (format.dtype) {
    case DType::kF16: {
      for (std::size_t i = 0; i < n; ++i) dst[i] = quant::F16ToF32(quant::F32ToF16(src[i]));
      return;
    }
    case DType::kBF16: {
      for (std::size_t i = 0; i < n; ++i) dst[i] = quant::BF16ToF32(quant::F32ToBF16(src[i]));
      return;
    }
    case DType::kI8: {
      std::vector<std::int8_t> codes(n);
      const float scale = quant::QuantizeRowI8(src, codes);
      quant::DequantizeRowI8(codes, scale, dst);
      return;
    }
    case DType::kI4: {
      const auto count = static_cast<std::int64_t>(n);
      std::vector<std::uint8_t> codes(static_cast<std::size_t>(quant::I4RowBytes(count)));
      std::vector<std::uint16_t> scales(static_cast<std::size_t>(quant::I4RowGroups(count)));
      quant::QuantizeRowI4(src, codes, scales);
      quant::DequantizeRowI4(codes, scales, dst);
      return;
    }
    case DType::kF32:
    case DType::kU8:
    case DType::kI32:
    case DType::kI64:
    case DType::kBool:
      std::copy(src.begin(), src.end(), dst.begin());
      return;
  }
}

}  // namespace

Result<PackError> MeasureError(const graph::Weight& weight, const graph::WeightSource& source) {
  PackError error;
  if (weight.format.dtype == DType::kF32 || weight.shape.size() != 2) return error;
  if (weight.format.dtype == DType::kI8 && graph::IsStoredI8(weight, source)) return error;
  const std::int64_t rows = weight.shape[0];
  const std::int64_t step = std::max<std::int64_t>(1, rows / kErrorRows);
  std::vector<float> row(static_cast<std::size_t>(weight.shape[1]));
  std::vector<float> back(row.size());
  double largest = 0;
  double largest_error = 0;
  double square = 0;
  double square_error = 0;
  for (std::int64_t r = 0; r < rows; r += step) {
    ZB_RETURN_IF_ERROR(graph::ReadWeightF32(weight, source, r, 1, row));
    RoundTrip(weight.format, row, back);
    for (std::size_t i = 0; i < row.size(); ++i) {
      const double x = row[i];
      const double d = static_cast<double>(back[i]) - x;
      if (!std::isfinite(x) || !std::isfinite(d)) continue;
      largest = std::max(largest, std::abs(x));
      largest_error = std::max(largest_error, std::abs(d));
      square += x * x;
      square_error += d * d;
    }
  }
  if (largest > 0) error.max = largest_error / largest;
  if (square > 0) error.rms = std::sqrt(square_error / square);
  return error;
}

Result<std::int32_t> PackList::Add(const graph::Graph& graph, const graph::Node& node, int operand,
                                   const NodeChoice& choice, const engine::BucketAxis& axis) {
  const graph::ValueId id = node.src[static_cast<std::size_t>(operand)];
  const graph::Weight& weight = graph.weight(graph.value(id).weight);
  const std::string layout = IsMatrixOperand(graph, id) ? choice.layout : std::string(kRowMajor);
  for (std::size_t i = 0; i < jobs_.size(); ++i) {
    const PackJob& job = jobs_[i];
    if (job.layout == layout && job.weight->format == weight.format &&
        (job.weight == &weight || SameWeight(*job.weight, weight))) {
      return static_cast<std::int32_t>(i);
    }
  }
  PackJob job;
  job.weight = &weight;
  job.layout = layout;
  job.entry = choice.entries.back();
  job.operand = operand;
  const std::int64_t rows = axis.buckets.back();
  ZB_ASSIGN_OR_RETURN(
      job.query,
      NodeQuery::Make(graph, node, SymbolsAt(graph, axis, rows, /*typical=*/false), 1, rows));
  job.bytes = job.entry->packed_bytes != nullptr
                  ? job.entry->packed_bytes(job.query->get(), operand)
                  : backend::RowMajorBytes(job.query->get(), operand);
  if (job.bytes == 0) {
    return InternalError("kernel " + std::string(job.entry->name) +
                         ": no packed bytes for weight " + weight.name);
  }
  total_bytes_ += static_cast<std::int64_t>(job.bytes);
  jobs_.push_back(std::move(job));
  return static_cast<std::int32_t>(jobs_.size() - 1);
}

engine::PackedWeight PackList::Describe(std::size_t index) const {
  const PackJob& job = jobs_[index];
  engine::PackedWeight weight;
  weight.name = job.weight->name;
  weight.shape = job.weight->shape;
  weight.format = job.weight->format;
  weight.role = job.weight->role;
  weight.layout = job.layout;
  weight.parts = job.weight->parts;
  weight.interleave = job.weight->interleave;
  weight.bytes = job.bytes;
  return weight;
}

Status PackAll(const PackList& list, const graph::WeightSource& source, int threads,
               engine::EngineWriter& writer, const PackProgress& progress) {
  const std::vector<PackJob>& jobs = list.jobs();
  std::deque<std::future<Result<Packed>>> running;
  std::size_t next = 0;
  std::size_t in_flight = 0;
  std::int64_t done = 0;
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    while (next < jobs.size() && running.size() < static_cast<std::size_t>(threads) + 1 &&
           (running.empty() || in_flight + jobs[next].bytes <= kMaxBytesInFlight)) {
      in_flight += jobs[next].bytes;
      running.push_back(Start(jobs[next], source));
      ++next;
    }
    ZB_ASSIGN_OR_RETURN(Packed packed, running.front().get());
    running.pop_front();
    in_flight -= jobs[i].bytes;
    engine::PackedWeight weight = list.Describe(i);
    weight.max_error = packed.error.max;
    weight.rms_error = packed.error.rms;
    ZB_RETURN_IF_ERROR(writer.AddWeight(std::move(weight), packed.bytes));
    done += static_cast<std::int64_t>(jobs[i].bytes);
    if (progress) progress(done, list.total_bytes(), jobs[i].weight->name);
  }
  return OkStatus();
}

}  // namespace zhibi::compile
