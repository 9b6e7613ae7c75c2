// SPDX-License-Identifier: Apache-2.0
// unary, binary, gated and softmax on the CPU (point_body.h); gather_rows, slice_columns and
// select_tokens, which only move bytes, at any level.
#include <cstring>

#include "backend/cpu/kernels/row_dispatch.h"
#include "graph/ops/binary.h"
#include "graph/ops/gated.h"
#include "graph/ops/slice_columns.h"
#include "graph/ops/softmax.h"
#include "graph/ops/unary.h"

namespace zhibi::cpu {
namespace {

using backend::LaunchArgs;

static_assert(static_cast<int>(graph::BinaryKind::kDiv) == static_cast<int>(BinaryOp::kDiv));

// An activation takes about as long as this many nanoseconds an element, a plain operation less.
constexpr double kNsPerActivation = 0.5;
constexpr double kNsPerElement = 0.1;

// Elements that have no rows are cut at multiples of 64, so that vectors fall alike in any cut.
constexpr std::int64_t kUnit = 64;

// Ranges of units become ranges of elements.
template <void (*RowKernels::*kFunction)(const PointCall&, std::int64_t, std::int64_t)>
struct ElementsCall {
  PointCall point;
  const RowKernels* kernels = nullptr;
  std::int64_t elements = 0;

  static void Run(const ElementsCall& call, std::int64_t begin, std::int64_t end) {
    (call.kernels->*kFunction)(call.point, begin * kUnit, std::min(end * kUnit, call.elements));
  }
};

template <void (*RowKernels::*kFunction)(const PointCall&, std::int64_t, std::int64_t)>
void RunElements(const LaunchArgs& args, const RowKernels& kernels, const PointCall& point) {
  using Call = ElementsCall<kFunction>;
  Call call{point, &kernels, args.dst[0].elements()};
  RunRows(args, (call.elements + kUnit - 1) / kUnit, kNsPerActivation * kUnit, call, &Call::Run);
}

void LaunchUnary(const LaunchArgs& args, const RowKernels& kernels) {
  PointCall call;
  call.a = args.src[0].as<const float>();
  call.dst = args.dst[0].as<float>();
  call.activation =
      static_cast<LinearActivation>(static_cast<const graph::UnaryAttrs*>(args.attrs)->activation);
  RunElements<&RowKernels::unary>(args, kernels, call);
}

void LaunchGated(const LaunchArgs& args, const RowKernels& kernels) {
  PointCall call;
  call.a = args.src[0].as<const float>();
  call.b = FloatOrNull(args, 1);
  call.dst = args.dst[0].as<float>();
  call.activation =
      static_cast<LinearActivation>(static_cast<const graph::GatedAttrs*>(args.attrs)->activation);
  RunElements<&RowKernels::gated>(args, kernels, call);
}

void LaunchBinary(const LaunchArgs& args, const RowKernels& kernels) {
  PointCall call;
  call.a = args.src[0].as<const float>();
  call.b = args.src[1].as<const float>();
  call.dst = args.dst[0].as<float>();
  call.binary = static_cast<BinaryOp>(static_cast<const graph::BinaryAttrs*>(args.attrs)->kind);
  call.width = args.src[0].cols();
  const std::int64_t elements = args.src[1].elements();
  const bool whole = args.src[1].rank == args.src[0].rank && elements == args.src[0].elements();
  call.period = whole ? 0 : elements;
  RunRows(args, args.src[0].rows(), kNsPerElement * static_cast<double>(call.width), call,
          kernels.binary);
}

void LaunchSoftmax(const LaunchArgs& args, const RowKernels& kernels) {
  PointCall call;
  call.a = args.src[0].as<const float>();
  call.dst = args.dst[0].as<float>();
  call.width = args.src[0].cols();
  call.scale = static_cast<const graph::SoftmaxAttrs*>(args.attrs)->scale;
  RunRows(args, args.src[0].rows(), kNsPerActivation * static_cast<double>(call.width), call,
          kernels.softmax);
}

void LaunchGatherRows(const LaunchArgs& args) {
  const std::int64_t n = args.src[0].cols();
  const std::int64_t tokens = args.src[0].dims[0];
  const auto* rows = args.src[1].as<const std::int32_t>();
  const std::size_t bytes = static_cast<std::size_t>(n) * sizeof(float);
  for (std::int64_t r = 0; r < args.dst[0].dims[0]; ++r) {
    float* y = args.dst[0].as<float>() + r * n;
    if (rows[r] < 0 || rows[r] >= tokens) {
      std::memset(y, 0, bytes);
    } else {
      std::memcpy(y, args.src[0].as<const float>() + rows[r] * n, bytes);
    }
  }
}

void LaunchSliceColumns(const LaunchArgs& args) {
  const auto& a = *static_cast<const graph::SliceColumnsAttrs*>(args.attrs);
  const std::int64_t n = args.src[0].cols();
  for (std::int64_t r = 0; r < args.dst[0].dims[0]; ++r) {
    std::memcpy(args.dst[0].as<float>() + r * a.size,
                args.src[0].as<const float>() + r * n + a.begin,
                static_cast<std::size_t>(a.size) * sizeof(float));
  }
}

void LaunchSelectTokens(const LaunchArgs& args) {
  const auto* host = args.src[0].as<const std::int32_t>();
  const auto* source = args.src[1].as<const std::int32_t>();
  const auto* previous = args.src[2].as<const std::int32_t>();
  const std::int64_t previous_rows = args.src[2].elements();
  auto* ids = args.dst[0].as<std::int32_t>();
  for (std::int64_t i = 0; i < args.dst[0].elements(); ++i) {
    const bool from_host = source[i] < 0 || source[i] >= previous_rows;
    ids[i] = from_host ? host[i] : previous[source[i]];
  }
}

constexpr backend::KernelEntry PlainEntry(std::string_view op, std::string_view name,
                                          void (*launch)(const LaunchArgs&)) {
  backend::KernelEntry entry;
  entry.name = name;
  entry.op = op;
  entry.layout = "row_major";
  entry.supports = &Anything;
  entry.estimate_us = &StreamingEstimateUs;
  entry.launch = launch;
  return entry;
}

constexpr RowEntries kUnary =
    EntriesOf<&LaunchUnary>("unary", "unary_scalar", "unary_avx2", "unary_avx512", &Anything);
constexpr RowEntries kBinary =
    EntriesOf<&LaunchBinary>("binary", "binary_scalar", "binary_avx2", "binary_avx512", &Anything);
constexpr RowEntries kGated =
    EntriesOf<&LaunchGated>("gated", "gated_scalar", "gated_avx2", "gated_avx512", &Anything);
constexpr RowEntries kSoftmax = EntriesOf<&LaunchSoftmax>(
    "softmax", "softmax_scalar", "softmax_avx2", "softmax_avx512", &Anything);
constexpr std::array<backend::KernelEntry, 3> kMoves = {
    PlainEntry("gather_rows", "gather_rows_copy", &LaunchGatherRows),
    PlainEntry("slice_columns", "slice_columns_copy", &LaunchSliceColumns),
    PlainEntry("select_tokens", "select_tokens_plain", &LaunchSelectTokens)};

}  // namespace

void AppendKernels_elementwise(const Isa& isa, KernelList* list) {
  Append(kUnary, isa, list);
  Append(kBinary, isa, list);
  Append(kGated, isa, list);
  Append(kSoftmax, isa, list);
  for (const backend::KernelEntry& entry : kMoves) list->push_back(&entry);
}

}  // namespace zhibi::cpu
