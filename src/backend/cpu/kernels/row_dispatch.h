// SPDX-License-Identifier: Apache-2.0
// What the files of row-by-row ops share: the kernels of a level, entries for the three levels, and
// cutting rows into tiles. Baseline code; thread-safe.
#pragma once

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

#include "backend/backend.h"
#include "backend/cpu/kernel_list.h"
#include "backend/cpu/kernels/row_kernels.h"
#include "graph/op.h"

namespace zhibi::cpu {

inline const RowKernels& RowKernelsOf(base::CpuLevel level) {
#if defined(__x86_64__)
  if (level == base::CpuLevel::kAvx512) return RowKernelsAvx512();
  if (level == base::CpuLevel::kAvx2) return RowKernelsAvx2();
#endif
  static_cast<void>(level);
  return RowKernelsScalar();
}

// Runs function over [0, rows) in tiles, on one thread where waking another costs more than it
// saves.
template <class Call>
void RunRows(const backend::LaunchArgs& args, std::int64_t rows, double ns_per_row,
             const Call& call, void (*function)(const Call&, std::int64_t, std::int64_t)) {
  constexpr double kSerialNs = 4000;
  constexpr double kTileNs = 1500;
  const int workers = args.stream->workers();
  const double total_ns = ns_per_row * static_cast<double>(rows);
  if (workers <= 1 || total_ns < kSerialNs || rows < 2) {
    if (rows > 0) function(call, 0, rows);
    return;
  }
  struct Job {
    const Call* call;
    void (*function)(const Call&, std::int64_t, std::int64_t);
    std::int64_t rows;
    std::int64_t tiles;
    static void Run(void* context, std::int64_t tile, int /*worker*/) {
      const auto& job = *static_cast<const Job*>(context);
      job.function(*job.call, job.rows * tile / job.tiles, job.rows * (tile + 1) / job.tiles);
    }
  };
  const auto most = static_cast<std::int64_t>(total_ns / kTileNs);
  Job job{&call, function, rows,
          std::clamp<std::int64_t>(std::int64_t{4} * workers, 1, std::min(rows, most))};
  args.stream->RunTiles(job.tiles, &Job::Run, &job);
}

using RowLaunch = void (*)(const backend::LaunchArgs&, const RowKernels&);
using RowEntries = std::array<backend::KernelEntry, 3>;  // scalar, avx2, avx512

template <base::CpuLevel kLevel, RowLaunch kLaunch>
void LaunchRows(const backend::LaunchArgs& args) {
  kLaunch(args, RowKernelsOf(kLevel));
}

// Bound by memory: about 10 bytes a nanosecond.
inline double StreamingEstimateUs(const backend::OpQuery& query) {
  const graph::OpDef* op = graph::FindOp(query.op);
  if (op == nullptr) return 0;
  return 0.2 + op->cost(*query.attrs, query.src, query.dst).bytes / 10000;
}

template <base::CpuLevel kLevel, RowLaunch kLaunch>
constexpr backend::KernelEntry RowEntry(std::string_view op, std::string_view name,
                                        std::string (*supports)(const backend::OpQuery&)) {
  backend::KernelEntry entry;
  entry.name = name;
  entry.op = op;
  entry.layout = "row_major";
  entry.row_invariant = true;
  entry.supports = supports;
  entry.estimate_us = &StreamingEstimateUs;
  entry.launch = &LaunchRows<kLevel, kLaunch>;
  return entry;
}

template <RowLaunch kLaunch>
constexpr RowEntries EntriesOf(std::string_view op, std::string_view scalar, std::string_view avx2,
                               std::string_view avx512,
                               std::string (*supports)(const backend::OpQuery&)) {
  return {RowEntry<base::CpuLevel::kScalar, kLaunch>(op, scalar, supports),
          RowEntry<base::CpuLevel::kAvx2, kLaunch>(op, avx2, supports),
          RowEntry<base::CpuLevel::kAvx512, kLaunch>(op, avx512, supports)};
}

inline void Append(const RowEntries& entries, const Isa& isa, KernelList* list) {
  list->push_back(&entries[static_cast<std::size_t>(isa.level)]);
}

inline const float* FloatOrNull(const backend::LaunchArgs& args, int index) {
  return index < args.num_src ? args.src[index].as<const float>() : nullptr;
}

inline std::string Anything(const backend::OpQuery& /*query*/) { return {}; }

inline ElementType ElementTypeOf(DType dtype) {
  switch (dtype) {
    case DType::kF16:
      return ElementType::kF16;
    case DType::kBF16:
      return ElementType::kBF16;
    case DType::kI8:
      return ElementType::kI8;
    case DType::kI4:
      return ElementType::kI4;
    default:
      return ElementType::kF32;
  }
}

inline std::string FloatCache(const backend::OpQuery& query) {
  const ElementType type = ElementTypeOf(query.cache_dtype);
  return type == ElementType::kI8 || type == ElementType::kI4 ? "the cache is f32, f16 or bf16"
                                                              : "";
}

}  // namespace zhibi::cpu
