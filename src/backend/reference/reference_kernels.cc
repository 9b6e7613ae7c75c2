// SPDX-License-Identifier: Apache-2.0
// The kernels of the reference backend: every op through OpDef::reference on one thread, weights in
// layout row_major. Linear and embedding widen one row of their matrix at a time; int8 and int4
// weights are multiplied as dequantised floats, activations stay float. Nothing is allocated at
// launch.
#include <algorithm>
#include <array>
#include <cstring>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "backend/builtin.h"
#include "backend/row_major.h"
#include "graph/op.h"
#include "graph/ops/attention.h"
#include "graph/ops/cache_write.h"
#include "graph/ops/embedding.h"
#include "graph/ops/linear.h"
#include "graph/ops/sample.h"
#include "quant/codec.h"

namespace zhibi::reference {
namespace {

using backend::KernelEntry;
using backend::LaunchArgs;
using backend::OpQuery;

constexpr std::size_t kMaxOps = 64;
// Of a portable loop over scalar floats, for Estimate only: orders of magnitude below any other
// kernel.
constexpr double kFlopsPerUs = 500;

graph::ReferenceArgs ReferenceArgsOf(const LaunchArgs& args, const graph::Attrs& attrs) {
  graph::ReferenceArgs out;
  out.attrs = &attrs;
  out.src = {args.src, static_cast<std::size_t>(args.num_src)};
  out.dst = {args.dst, static_cast<std::size_t>(args.num_dst)};
  if (args.caches != nullptr) out.caches = {args.caches, graph::kMaxCacheGroups};
  return out;
}

graph::Attrs AttrsOf(const graph::OpDef& op, const LaunchArgs& args) {
  auto attrs = graph::Attrs::FromBytes({static_cast<const std::byte*>(args.attrs), op.attrs_bytes});
  return attrs.ok() ? *attrs : graph::Attrs{};
}

void LaunchOp(const graph::OpDef& op, const LaunchArgs& args) {
  const graph::Attrs attrs = AttrsOf(op, args);
  op.reference(ReferenceArgsOf(args, attrs));
}

template <std::size_t kIndex>
void LaunchNth(const LaunchArgs& args) {
  LaunchOp(*graph::AllOps()[kIndex], args);
}

template <std::size_t... kIndexes>
constexpr auto LaunchTable(std::index_sequence<kIndexes...>) {
  return std::array<void (*)(const LaunchArgs&), sizeof...(kIndexes)>{&LaunchNth<kIndexes>...};
}
constexpr auto kLaunchNth = LaunchTable(std::make_index_sequence<kMaxOps>());

constexpr quant::WeightFormat FormatOf(DType dtype) {
  return {.dtype = dtype,
          .group = dtype == DType::kI4 ? static_cast<std::int32_t>(quant::kI4Group) : 0,
          .zero_points = false};
}

template <DType kType>
void LaunchLinear(const LaunchArgs& args) {
  const graph::Attrs attrs = AttrsOf(graph::kOp_linear, args);
  const graph::ReferenceArgs reference = ReferenceArgsOf(args, attrs);
  const auto layout = backend::RowMajorOf(args.src[1], FormatOf(kType));
  auto* row = reinterpret_cast<float*>(args.workspace);
  for (std::int64_t n = 0; n < layout.rows; ++n) {
    backend::ReadRowMajorRow(args.src[1].as<std::byte>(), layout, n, row);
    graph::LinearReferenceRow(reference, n, row);
  }
}

template <DType kType>
void LaunchEmbedding(const LaunchArgs& args) {
  graph::EmbeddingAttrs attrs;
  std::memcpy(&attrs, args.attrs, sizeof(attrs));
  const auto layout = backend::RowMajorOf(args.src[1], FormatOf(kType));
  const auto* ids = args.src[0].as<std::int32_t>();
  for (std::int64_t t = 0; t < args.src[0].elements(); ++t) {
    float* y = args.dst[0].as<float>() + t * layout.cols;
    if (ids[t] < 0 || ids[t] >= layout.rows) {
      std::fill_n(y, layout.cols, 0.0F);
      continue;
    }
    backend::ReadRowMajorRow(args.src[1].as<std::byte>(), layout, ids[t], y);
    for (std::int64_t i = 0; i < layout.cols; ++i) y[i] *= attrs.scale;
  }
}

void LaunchSample(const LaunchArgs& args) {
  const std::span<const graph::TensorView> src(args.src, static_cast<std::size_t>(args.num_src));
  for (std::int64_t r = 0; r < args.src[0].dims[0]; ++r) {
    graph::SampleRowOutput out;
    out.top_ids = args.dst[2].as<std::int32_t>() + r * graph::step::kMaxTopLogprobs;
    out.top_logprobs = args.dst[3].as<float>() + r * graph::step::kMaxTopLogprobs;
    graph::SampleRow(graph::SampleInput(src, r), args.workspace, out);
    args.dst[0].as<std::int32_t>()[r] = out.id;
    args.dst[1].as<float>()[r] = out.logprob;
  }
}

// The matrix operand that may come in any format, or -1.
int MatrixOperand(std::string_view op) { return op == "linear" || op == "embedding" ? 1 : -1; }

template <DType kType>
std::string Supports(const OpQuery& query) {
  if (query.cache_dtype != DType::kF32 && query.cache_dtype != DType::kF16 &&
      query.cache_dtype != DType::kBF16) {
    return "the cache is f32, f16 or bf16";
  }
  for (std::size_t i = 0; i < query.src.size(); ++i) {
    if (i >= query.is_weight.size() || !query.is_weight[i] || query.src[i].rank < 2) continue;
    const bool matrix = static_cast<int>(i) == MatrixOperand(query.op);
    if (!(query.formats[i] == FormatOf(matrix ? kType : DType::kF32))) {
      return "operand " + std::to_string(i) + " is read as " +
             std::string(DTypeName(matrix ? kType : DType::kF32));
    }
  }
  return {};
}

double EstimateUs(const OpQuery& query) {
  const graph::OpDef* op = graph::FindOp(query.op);
  if (op == nullptr) return std::numeric_limits<double>::max();
  return 1 + op->cost(*query.attrs, query.src, query.dst).flops / kFlopsPerUs;
}

std::size_t RoundUp64(std::size_t bytes) { return (bytes + 63) / 64 * 64; }

std::size_t LinearWorkspace(const OpQuery& query) {
  return RoundUp64(static_cast<std::size_t>(query.src[0].cols()) * sizeof(float));
}

std::size_t SampleWorkspace(const OpQuery& query) {
  return RoundUp64(graph::SampleScratchBytes(query.src[0].cols()));
}

// Names need storage beside the entries, which refer to them.
struct Table {
  std::vector<std::string> names;
  std::vector<KernelEntry> entries;
  std::vector<const KernelEntry*> pointers;

  void Add(std::string_view op, std::string_view suffix, std::string (*supports)(const OpQuery&),
           std::size_t (*workspace_bytes)(const OpQuery&), void (*launch)(const LaunchArgs&)) {
    names.push_back(std::string(op) + "_reference" + std::string(suffix));
    KernelEntry entry;
    entry.op = op;
    entry.layout = "row_major";
    entry.supports = supports;
    entry.estimate_us = &EstimateUs;
    entry.packed_bytes = &backend::RowMajorBytes;
    entry.pack = &backend::PackRowMajor;
    entry.workspace_bytes = workspace_bytes;
    entry.launch = launch;
    entries.push_back(entry);
  }

  template <DType kType>
  void AddMatrixOps() {
    const std::string suffix = "_" + std::string(DTypeName(kType));
    Add("linear", suffix, &Supports<kType>, &LinearWorkspace, &LaunchLinear<kType>);
    Add("embedding", suffix, &Supports<kType>, nullptr, &LaunchEmbedding<kType>);
  }

  Table() {
    const auto ops = graph::AllOps();
    for (std::size_t i = 0; i < ops.size() && i < kMaxOps; ++i) {
      if (MatrixOperand(ops[i]->name) >= 0) continue;
      const bool samples = ops[i]->name == "sample";
      Add(ops[i]->name, "", &Supports<DType::kF32>, samples ? &SampleWorkspace : nullptr,
          samples ? &LaunchSample : kLaunchNth[i]);
    }
    AddMatrixOps<DType::kF32>();
    AddMatrixOps<DType::kF16>();
    AddMatrixOps<DType::kBF16>();
    AddMatrixOps<DType::kI8>();
    AddMatrixOps<DType::kI4>();
    for (std::size_t i = 0; i < entries.size(); ++i) {
      entries[i].name = names[i];
      pointers.push_back(&entries[i]);
    }
  }
};

}  // namespace

std::span<const KernelEntry* const> ReferenceKernels() {
  static const Table table;
  return table.pointers;
}

}  // namespace zhibi::reference
