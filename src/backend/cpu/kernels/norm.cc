// SPDX-License-Identifier: Apache-2.0
// rms_norm, add_rms_norm and layer_norm on the CPU (norm_body.h).
#include "backend/cpu/kernels/row_dispatch.h"
#include "graph/ops/add_rms_norm.h"
#include "graph/ops/layer_norm.h"
#include "graph/ops/rms_norm.h"

namespace zhibi::cpu {
namespace {

using backend::LaunchArgs;

// Nanoseconds an element, for cutting into tiles.
constexpr double kNsPerElement = 0.15;

void LaunchRmsNorm(const LaunchArgs& args, const RowKernels& kernels) {
  const auto& a = *static_cast<const graph::RmsNormAttrs*>(args.attrs);
  NormCall call;
  call.x = args.src[0].as<const float>();
  call.weight = args.src[1].as<const float>();
  call.dst = args.dst[0].as<float>();
  call.width = a.width > 0 ? a.width : args.src[0].cols();
  call.eps = a.eps;
  if (call.width == 0) return;
  RunRows(args, args.src[0].elements() / call.width,
          kNsPerElement * static_cast<double>(call.width), call, kernels.rms_norm);
}

void LaunchAddRmsNorm(const LaunchArgs& args, const RowKernels& kernels) {
  NormCall call;
  call.x = args.src[0].as<const float>();
  call.residual = args.src[1].as<const float>();
  call.weight = args.src[2].as<const float>();
  call.sum = args.dst[0].as<float>();
  call.dst = args.dst[1].as<float>();
  call.width = args.src[0].cols();
  call.eps = static_cast<const graph::AddRmsNormAttrs*>(args.attrs)->eps;
  RunRows(args, args.src[0].rows(), 2 * kNsPerElement * static_cast<double>(call.width), call,
          kernels.add_rms_norm);
}

void LaunchLayerNorm(const LaunchArgs& args, const RowKernels& kernels) {
  NormCall call;
  call.x = args.src[0].as<const float>();
  call.weight = args.src[1].as<const float>();
  call.bias = FloatOrNull(args, 2);
  call.dst = args.dst[0].as<float>();
  call.width = args.src[0].cols();
  call.eps = static_cast<const graph::LayerNormAttrs*>(args.attrs)->eps;
  RunRows(args, args.src[0].rows(), 2 * kNsPerElement * static_cast<double>(call.width), call,
          kernels.layer_norm);
}

constexpr RowEntries kRmsNorm = EntriesOf<&LaunchRmsNorm>(
    "rms_norm", "rms_norm_scalar", "rms_norm_avx2", "rms_norm_avx512", &Anything);
constexpr RowEntries kAddRmsNorm = EntriesOf<&LaunchAddRmsNorm>(
    "add_rms_norm", "add_rms_norm_scalar", "add_rms_norm_avx2", "add_rms_norm_avx512", &Anything);
constexpr RowEntries kLayerNorm = EntriesOf<&LaunchLayerNorm>(
    "layer_norm", "layer_norm_scalar", "layer_norm_avx2", "layer_norm_avx512", &Anything);

}  // namespace

void AppendKernels_norm(const Isa& isa, KernelList* list) {
  Append(kRmsNorm, isa, list);
  Append(kAddRmsNorm, isa, list);
  Append(kLayerNorm, isa, list);
}

}  // namespace zhibi::cpu
