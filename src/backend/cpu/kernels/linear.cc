// SPDX-License-Identifier: Apache-2.0
// Kernel entries of linear on the CPU: for each weight format and instruction set one entry for few
// rows and one for many. Both read the same panels and run the same inner loops (linear_avx512.h),
// so their bits agree (design.md §7.11); they differ in how the work is cut:
//   _rows  up to 16 rows: bound by memory, tiles of neighbouring panels.
//   _gemm  any number: panels x blocks of rows.
#include "graph/ops/linear.h"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

#include "backend/backend.h"
#include "backend/cpu/kernel_list.h"
#include "backend/cpu/kernels/linear_kernel.h"
#include "backend/cpu/kernels/linear_pack.h"
#include "backend/row_major.h"

namespace zhibi::cpu {
namespace {

using backend::KernelEntry;
using backend::LaunchArgs;
using backend::OpQuery;
using base::CpuLevel;

static_assert(static_cast<int>(LinearActivation::kSilu) ==
              static_cast<int>(graph::Activation::kSilu));
static_assert(static_cast<int>(LinearActivation::kSigmoid) ==
              static_cast<int>(graph::Activation::kSigmoid));

constexpr std::int64_t kMaxFewRows = 16;
// |acc| <= 128 * 127 * k must stay below 2^31.
constexpr std::int64_t kMaxIntegerK = 131072;

const LinearKernel& KernelOf(CpuLevel level, LinearFormat format) {
  const auto index = static_cast<std::size_t>(format);
#if defined(__x86_64__)
  if (level == CpuLevel::kAvx512) {
    switch (format) {
      case LinearFormat::kF32:
        return kLinearAvx512F32;
      case LinearFormat::kF16:
        return kLinearAvx512F16;
      case LinearFormat::kBF16:
        return kLinearAvx512BF16;
      case LinearFormat::kI8:
        return kLinearAvx512I8;
      case LinearFormat::kI4:
        return kLinearAvx512I4;
    }
  }
  if (level == CpuLevel::kAvx2) return kLinearAvx2[index];
#endif
  static_cast<void>(level);
  return kLinearScalar[index];
}

// Rough speeds of one thread, for estimates and for the size of tiles: operations and bytes a
// nanosecond. Entries of one format compare by them; their absolute values matter little.
struct Speed {
  double ops = 1;
  double bytes = 30;
};

Speed SpeedOf(CpuLevel level, LinearFormat format) {
  const bool integer = format == LinearFormat::kI8 || format == LinearFormat::kI4;
  switch (level) {
    case CpuLevel::kScalar:
      return {.ops = integer ? 4.0 : 8.0, .bytes = 10};
    case CpuLevel::kAvx2:
      return {.ops = integer ? 150.0 : 90.0, .bytes = 30};
    case CpuLevel::kAvx512:
      break;
  }
  if (integer) return {.ops = 850, .bytes = 36};
  return {.ops = format == LinearFormat::kBF16 ? 450.0 : 230.0, .bytes = 36};
}

double PanelNs(const Speed& speed, LinearFormat format, std::int64_t rows, std::int64_t k) {
  const double ops = 2.0 * static_cast<double>(rows) * static_cast<double>(k * kPanel);
  const auto bytes = static_cast<double>(PanelBytes(format, k));
  return std::max(ops / speed.ops, bytes / speed.bytes);
}

// The work of one launch, cut into tiles. An item is a panel times a block of row tiles; items of
// one block are neighbours, so that its activations stay in the cache. Tiles are runs of items of
// almost equal length.
struct Schedule {
  const LinearCall* call = nullptr;
  const LinearKernel* kernel = nullptr;
  std::int64_t panels = 0;
  std::int64_t row_blocks = 1;
  std::int64_t tiles = 1;
  std::int64_t granule = 1;  // tiles begin at multiples of it: whole groups of panels in flight

  void Cut(int workers, double item_ns) {
    constexpr double kSerialNs = 1500;  // less is done sooner than another thread has it
    constexpr double kLeastNs = 1000;
    constexpr double kLongItemNs = 2500;  // a tile of two would leave a thread waiting too long
    constexpr double kTilesPerWorker = 32;
    const std::int64_t items = panels * row_blocks;
    const double total_ns = item_ns * static_cast<double>(items);
    if (workers <= 1 || total_ns < kSerialNs) return;
    const double wanted =
        std::min(kTilesPerWorker * workers, std::max(1.0 * workers, total_ns / kLeastNs));
    if (items >= 4 * workers && item_ns < kLongItemNs) granule = 2;
    tiles = std::min(static_cast<std::int64_t>(wanted), CeilDiv(items, granule));
  }

  std::int64_t Begin(std::int64_t tile) const {
    const std::int64_t granules = CeilDiv(panels * row_blocks, granule);
    return std::min(panels * row_blocks, granules * tile / tiles * granule);
  }

  static void Run(void* context, std::int64_t tile, int /*worker*/) {
    const auto& self = *static_cast<const Schedule*>(context);
    const std::int64_t end = self.Begin(tile + 1);
    for (std::int64_t item = self.Begin(tile); item < end;) {
      const std::int64_t block = item / self.panels;
      const std::int64_t panel = item % self.panels;
      const std::int64_t count = std::min(end - item, self.panels - panel);
      const std::int64_t row_tiles = self.call->row_tiles;
      self.kernel->compute(*self.call, panel, panel + count, row_tiles * block / self.row_blocks,
                           row_tiles * (block + 1) / self.row_blocks);
      item += count;
    }
  }
};

struct PrepareJob {
  const LinearCall* call = nullptr;
  const LinearKernel* kernel = nullptr;

  static void Run(void* context, std::int64_t tile, int /*worker*/) {
    const auto& self = *static_cast<const PrepareJob*>(context);
    self.kernel->prepare(*self.call, tile);
  }
};

void Prepare(const LinearCall& call, const LinearKernel& kernel, backend::Stream* stream) {
  if (kernel.prepare == nullptr) return;
  if (kernel.single_row_in_place && call.rows == 1) return;
  constexpr std::int64_t kSerialElements = 16384;
  if (call.rows * call.k <= kSerialElements) {
    for (std::int64_t tile = 0; tile < call.row_tiles; ++tile) kernel.prepare(call, tile);
    return;
  }
  PrepareJob job{.call = &call, .kernel = &kernel};
  stream->RunTiles(call.row_tiles, &PrepareJob::Run, &job);
}

std::size_t RoundUp64(std::size_t bytes) { return (bytes + 63) / 64 * 64; }

std::size_t ScaleBytes(LinearFormat format, std::int64_t rows) {
  const bool integer = format == LinearFormat::kI8 || format == LinearFormat::kI4;
  return integer ? RoundUp64(static_cast<std::size_t>(rows) * sizeof(float)) : 0;
}

const float* OptionalF32(const LaunchArgs& args, int index) {
  return index < args.num_src ? static_cast<const float*>(args.src[index].data) : nullptr;
}

void LaunchLinear(const LaunchArgs& args, CpuLevel level, LinearFormat format) {
  const LinearKernel& kernel = KernelOf(level, format);
  const auto& attrs = *static_cast<const graph::LinearAttrs*>(args.attrs);
  LinearCall call;
  call.weights = args.src[1].as<const std::byte>();
  call.n = args.src[1].dims[0];
  call.k = args.src[1].dims[1];
  call.panel_bytes = PanelBytes(format, call.k);
  call.rows = args.src[0].rows();
  if (call.rows == 0 || call.n == 0) return;
  call.x = args.src[0].as<const float>();
  call.units_per_row = UnitsPerRow(format, call.k);
  call.row_tiles = CeilDiv(call.rows, kernel.max_row_tile);
  const std::size_t scale_bytes = ScaleBytes(format, call.rows);
  if (scale_bytes != 0) call.row_scales = reinterpret_cast<float*>(args.workspace);
  call.units = args.workspace + scale_bytes;
  call.bias = OptionalF32(args, 2);
  call.residual = OptionalF32(args, 3);
  call.dst = args.dst[0].as<float>();
  call.activation = static_cast<LinearActivation>(attrs.activation);
  call.gated = attrs.gated != 0;

  Prepare(call, kernel, args.stream);
  Schedule schedule;
  schedule.call = &call;
  schedule.kernel = &kernel;
  schedule.panels = CeilDiv(call.n, kPanel);
  const int workers = args.stream->workers();
  double item_ns = PanelNs(SpeedOf(level, format), format, call.rows, call.k);
  if (call.row_tiles > 2 && schedule.panels < 8 * workers) {
    schedule.row_blocks =
        std::min(call.row_tiles, CeilDiv(std::int64_t{8} * workers, schedule.panels));
    item_ns /= static_cast<double>(schedule.row_blocks);
  }
  schedule.Cut(workers, item_ns);
  if (schedule.tiles == 1) {
    Schedule::Run(&schedule, 0, 0);
  } else {
    args.stream->RunTiles(schedule.tiles, &Schedule::Run, &schedule);
  }
}

template <CpuLevel kLevel, LinearFormat kFormat>
void Launch(const LaunchArgs& args) {
  LaunchLinear(args, kLevel, kFormat);
}

std::string ShapeReason(const OpQuery& query, LinearFormat format) {
  if (query.src.size() < 2 || query.src[1].rank != 2 || query.src[0].rank < 1) {
    return "expects x and a weight [n, k]";
  }
  if (!query.is_weight[1]) return "the matrix is not a weight";
  if (query.formats[1] != WeightFormatOf(format)) return "other weight format";
  if (query.src[0].dtype != DType::kF32) return "x is not f32";
  const std::int64_t k = query.src[1].dims[1];
  if (k < 1 || query.src[1].dims[0] < 1) return "empty weight";
  const bool integer = format == LinearFormat::kI8 || format == LinearFormat::kI4;
  if (integer && k > kMaxIntegerK) return "k over " + std::to_string(kMaxIntegerK);
  return {};
}

template <LinearFormat kFormat, bool kFew>
std::string Supports(const OpQuery& query) {
  std::string reason = ShapeReason(query, kFormat);
  if (reason.empty() && kFew && query.max_rows > kMaxFewRows) {
    reason = "more than " + std::to_string(kMaxFewRows) + " rows";
  }
  return reason;
}

// Cost of a launch itself: waking the other threads' attention and cutting the work.
constexpr double kLaunchUs = 0.6;

template <CpuLevel kLevel, LinearFormat kFormat, bool kFew>
double EstimateUs(const OpQuery& query) {
  const std::int64_t n = query.src[1].dims[0];
  const std::int64_t k = query.src[1].dims[1];
  const std::int64_t rows = std::max<std::int64_t>(query.max_rows, 1);
  const double panels_ns =
      static_cast<double>(CeilDiv(n, kPanel)) * PanelNs(SpeedOf(kLevel, kFormat), kFormat, rows, k);
  // Preparation: about a nanosecond for 8 elements.
  const double prepare_ns = static_cast<double>(rows * k) / 8;
  return kLaunchUs + (panels_ns + prepare_ns) / 1000 + (kFew ? 0.0 : 0.1);
}

template <LinearFormat kFormat>
std::size_t PackedBytes(const OpQuery& query, int index) {
  if (index != 1) return backend::RowMajorBytes(query, index);
  return PackedPanelBytes(kFormat, query.src[1].dims[0], query.src[1].dims[1]);
}

template <LinearFormat kFormat>
Status Pack(const OpQuery& query, int index, const backend::PackSource& source,
            std::span<std::byte> dst) {
  if (index != 1) return backend::PackRowMajor(query, index, source, dst);
  return PackPanels(kFormat, query.src[1].dims[0], query.src[1].dims[1], source, dst);
}

template <CpuLevel kLevel, LinearFormat kFormat>
std::size_t WorkspaceBytes(const OpQuery& query) {
  if (KernelOf(kLevel, kFormat).prepare == nullptr) return 0;
  const std::int64_t rows = std::max(query.max_rows, query.src[0].rows());
  const std::int64_t units = rows * UnitsPerRow(kFormat, query.src[1].dims[1]);
  return ScaleBytes(kFormat, rows) + RoundUp64(static_cast<std::size_t>(units) * 4);
}

template <CpuLevel kLevel, LinearFormat kFormat, bool kFew>
constexpr KernelEntry Entry(std::string_view name, std::string_view layout) {
  KernelEntry entry;
  entry.name = name;
  entry.op = "linear";
  entry.layout = layout;
  entry.row_invariant = true;
  entry.supports = &Supports<kFormat, kFew>;
  entry.estimate_us = &EstimateUs<kLevel, kFormat, kFew>;
  entry.packed_bytes = &PackedBytes<kFormat>;
  entry.pack = &Pack<kFormat>;
  entry.workspace_bytes = &WorkspaceBytes<kLevel, kFormat>;
  entry.launch = &Launch<kLevel, kFormat>;
  return entry;
}

template <CpuLevel kLevel, LinearFormat kFormat>
constexpr std::array<KernelEntry, 2> Pair(std::string_view rows_name, std::string_view gemm_name,
                                          std::string_view layout) {
  return {Entry<kLevel, kFormat, true>(rows_name, layout),
          Entry<kLevel, kFormat, false>(gemm_name, layout)};
}

using Pairs = std::array<std::array<KernelEntry, 2>, kLinearFormats>;
constexpr auto kF32 = LinearFormat::kF32;
constexpr auto kF16 = LinearFormat::kF16;
constexpr auto kBF16 = LinearFormat::kBF16;
constexpr auto kI8 = LinearFormat::kI8;
constexpr auto kI4 = LinearFormat::kI4;

constexpr Pairs kScalarPairs = {
    Pair<CpuLevel::kScalar, kF32>("linear_f32_scalar_rows", "linear_f32_scalar_gemm",
                                  "panel32_f32"),
    Pair<CpuLevel::kScalar, kF16>("linear_f16_scalar_rows", "linear_f16_scalar_gemm",
                                  "panel32_f16"),
    Pair<CpuLevel::kScalar, kBF16>("linear_bf16_scalar_rows", "linear_bf16_scalar_gemm",
                                   "panel32_bf16"),
    Pair<CpuLevel::kScalar, kI8>("linear_i8_scalar_rows", "linear_i8_scalar_gemm", "panel32_i8"),
    Pair<CpuLevel::kScalar, kI4>("linear_i4_scalar_rows", "linear_i4_scalar_gemm", "panel32_i4g32"),
};

#if defined(__x86_64__)
constexpr Pairs kAvx2Pairs = {
    Pair<CpuLevel::kAvx2, kF32>("linear_f32_avx2_rows", "linear_f32_avx2_gemm", "panel32_f32"),
    Pair<CpuLevel::kAvx2, kF16>("linear_f16_avx2_rows", "linear_f16_avx2_gemm", "panel32_f16"),
    Pair<CpuLevel::kAvx2, kBF16>("linear_bf16_avx2_rows", "linear_bf16_avx2_gemm", "panel32_bf16"),
    Pair<CpuLevel::kAvx2, kI8>("linear_i8_avx2_rows", "linear_i8_avx2_gemm", "panel32_i8"),
    Pair<CpuLevel::kAvx2, kI4>("linear_i4_avx2_rows", "linear_i4_avx2_gemm", "panel32_i4g32"),
};

constexpr Pairs kAvx512Pairs = {
    Pair<CpuLevel::kAvx512, kF32>("linear_f32_avx512_rows", "linear_f32_avx512_gemm",
                                  "panel32_f32"),
    Pair<CpuLevel::kAvx512, kF16>("linear_f16_avx512_rows", "linear_f16_avx512_gemm",
                                  "panel32_f16"),
    Pair<CpuLevel::kAvx512, kBF16>("linear_bf16_avx512bf16_rows", "linear_bf16_avx512bf16_gemm",
                                   "panel32_bf16"),
    Pair<CpuLevel::kAvx512, kI8>("linear_i8_avx512vnni_rows", "linear_i8_avx512vnni_gemm",
                                 "panel32_i8"),
    Pair<CpuLevel::kAvx512, kI4>("linear_i4_avx512vnni_rows", "linear_i4_avx512vnni_gemm",
                                 "panel32_i4g32"),
};

// Formats whose AVX-512 kernel this machine can run; the others use the AVX2 kernel.
bool HasAvx512(const base::CpuFeatures& features, LinearFormat format) {
  switch (format) {
    case LinearFormat::kF32:
    case LinearFormat::kF16:
      return true;
    case LinearFormat::kBF16:
      return features.avx512_bf16;
    case LinearFormat::kI8:
    case LinearFormat::kI4:
      return features.avx512_vnni;
  }
  return false;
}
#endif

}  // namespace

void AppendKernels_linear(const Isa& isa, KernelList* list) {
  for (int f = 0; f < kLinearFormats; ++f) {
    const Pairs* pairs = &kScalarPairs;
#if defined(__x86_64__)
    if (isa.level >= CpuLevel::kAvx2) pairs = &kAvx2Pairs;
    if (isa.level >= CpuLevel::kAvx512 && HasAvx512(isa.features, static_cast<LinearFormat>(f))) {
      pairs = &kAvx512Pairs;
    }
#endif
    for (const KernelEntry& entry : (*pairs)[static_cast<std::size_t>(f)]) list->push_back(&entry);
  }
}

}  // namespace zhibi::cpu
