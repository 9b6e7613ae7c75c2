// SPDX-License-Identifier: Apache-2.0
// What this machine can do at most: the denominators of every share that a benchmark prints
// (design.md §6). Reads: the median of several passes over a buffer, all threads, four streams a
// thread, the best of three access patterns. Peaks: chains of independent multiply-adds on all
// threads.
// Thread rule: measures with the pool it is given; nothing else may use the pool meanwhile.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "backend/backend.h"
#include "backend/cpu/kernel_list.h"
#include "backend/cpu/pool.h"
#include "zhibi/status.h"

namespace zhibi::cpu {

// GB/s are 10^9 bytes, GOP/s 10^9 operations; a multiply-add is two. 0: the instruction set has no
// such instruction (a share is then taken of the f32 peak).
struct Limits {
  int threads = 1;
  std::string isa;
  double dram_gb_per_s = 0;   // 1 GiB, or what LimitOptions says
  double cache_gb_per_s = 0;  // 16 MiB: the last cache
  double f32_gflop_per_s = 0;
  double bf16_gflop_per_s = 0;
  double int8_gop_per_s = 0;
};

struct LimitOptions {
  std::int64_t dram_bytes = std::int64_t{1} << 30;
  std::int64_t cache_bytes = std::int64_t{16} << 20;
  int passes = 9;
  double peak_ms = 5;  // length of one timed run of multiply-adds
};

// Under half a second, within some 10 % of the full measurement.
LimitOptions ShortLimits();

// kResourceExhausted: no memory for the buffer.
Result<Limits> MeasureLimits(Pool& pool, const Isa& isa, const LimitOptions& options = {});

// The same with a pool of its own, for the instruction set and threads that a device with these
// options would use. Errors also those of OpenCpuDevice.
Result<Limits> MeasureLimits(const backend::DeviceOptions& device,
                             const LimitOptions& options = {});

// The DRAM part alone, with a buffer that is kept: benchmarks call it before and after each run.
class ReadLimit {
 public:
  // A buffer of `bytes`, a multiple of 1 MiB, filled with something.
  static Result<ReadLimit> Create(Pool& pool, const Isa& isa, std::int64_t bytes);
  ~ReadLimit();
  ReadLimit(ReadLimit&& other) noexcept;
  ReadLimit& operator=(ReadLimit&& other) noexcept;

  // Median of `passes` in GB/s, the best of the patterns.
  double Measure(int passes);

 private:
  struct State;
  explicit ReadLimit(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace zhibi::cpu
