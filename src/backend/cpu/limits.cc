// SPDX-License-Identifier: Apache-2.0
#include "backend/cpu/limits.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstring>
#include <memory>
#include <utility>
#include <vector>

#include "backend/cpu/cpu_backend.h"
#include "backend/cpu/kernels/limits_kernel.h"
#include "backend/cpu/memory.h"
#include "base/machine.h"
#include "base/status_macros.h"

namespace zhibi::cpu {
namespace {

using Clock = std::chrono::steady_clock;

double SecondsSince(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

double Median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const std::size_t middle = values.size() / 2;
  return values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

std::uint64_t ReadScalar(const std::byte* data, std::int64_t bytes, int pattern) {
  std::array<std::uint64_t, 4> sum{};
  const std::int64_t step = pattern == 2 ? 8 : bytes / 4;
  const std::int64_t end = pattern == 2 ? bytes : bytes / 4;
  for (std::int64_t i = 0; i < end; i += pattern == 2 ? 32 : 8) {
    for (std::size_t s = 0; s < 4; ++s) {
      std::uint64_t word = 0;
      std::memcpy(&word, data + i + static_cast<std::int64_t>(s) * step, sizeof(word));
      sum[s] ^= word;
    }
  }
  return sum[0] ^ sum[1] ^ sum[2] ^ sum[3];
}

// 32 sums side by side: what a compiler makes of the scalar kernels' inner loop.
float F32Scalar(std::int64_t rounds) {
  std::array<float, 32> acc{};
  std::array<float, 32> w{};
  w.fill(1.0F);
  volatile float x = 1e-10F;
  for (std::int64_t r = 0; r < rounds; ++r) {
    const float b = x;
    for (std::size_t i = 0; i < acc.size(); ++i) acc[i] += b * w[i];
  }
  float total = 0;
  for (const float a : acc) total += a;
  return total;
}

}  // namespace

const LimitKernels kLimitsScalar = {
    .read = &ReadScalar,
    .f32 = &F32Scalar,
    .f32_ops = 64,
    .bf16 = nullptr,
    .bf16_ops = 0,
    .int8 = nullptr,
    .int8_ops = 0,
};

namespace {

LimitKernels KernelsOf(const Isa& isa) {
  LimitKernels kernels = kLimitsScalar;
#if defined(__x86_64__)
  if (isa.level == base::CpuLevel::kAvx2) kernels = kLimitsAvx2;
  if (isa.level == base::CpuLevel::kAvx512) {
    kernels = kLimitsAvx512;
    if (!isa.features.avx512_bf16) kernels.bf16 = nullptr;
    if (!isa.features.avx512_vnni) {
      kernels.int8 = kLimitsAvx2.int8;
      kernels.int8_ops = kLimitsAvx2.int8_ops;
    }
  }
#endif
  return kernels;
}

struct ReadJob {
  const LimitKernels* kernels = nullptr;
  const std::byte* data = nullptr;
  std::int64_t tile_bytes = 0;
  int pattern = 0;
  std::atomic<std::uint64_t> sum{0};

  static void Run(void* context, std::int64_t tile, int /*worker*/) {
    auto& self = *static_cast<ReadJob*>(context);
    self.sum.fetch_add(
        self.kernels->read(self.data + tile * self.tile_bytes, self.tile_bytes, self.pattern));
  }
};

// Several tiles a thread, so that a thread that is stopped for a while does not hold up the pass.
double ReadOnce(Pool& pool, const LimitKernels& kernels, const std::byte* data, std::int64_t bytes,
                int pattern) {
  std::int64_t tiles = std::int64_t{8} * pool.workers();
  while (tiles > 1 && bytes / tiles < (std::int64_t{1} << 20)) tiles /= 2;
  ReadJob job;
  job.kernels = &kernels;
  job.data = data;
  job.tile_bytes = bytes / tiles / 4096 * 4096;
  job.pattern = pattern;
  const Clock::time_point start = Clock::now();
  pool.Run(tiles, &ReadJob::Run, &job);
  return static_cast<double>(job.tile_bytes * tiles) / SecondsSince(start) * 1e-9;
}

double BestRead(Pool& pool, const LimitKernels& kernels, const std::byte* data, std::int64_t bytes,
                int passes) {
  double best = 0;
  for (int pattern = 0; pattern < kReadPatterns; ++pattern) {
    ReadOnce(pool, kernels, data, bytes, pattern);
    std::vector<double> speeds;
    speeds.reserve(static_cast<std::size_t>(passes));
    for (int pass = 0; pass < passes; ++pass) {
      speeds.push_back(ReadOnce(pool, kernels, data, bytes, pattern));
    }
    best = std::max(best, Median(std::move(speeds)));
  }
  return best;
}

// Random words: a page of zeros may be one page, and some systems merge equal ones.
void Fill(std::byte* data, std::int64_t bytes) {
  std::uint64_t state = 88172645463325252ULL;
  for (std::int64_t i = 0; i < bytes; i += 8) {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    std::memcpy(data + i, &state, sizeof(state));
  }
}

template <typename T>
struct PeakJob {
  T (*function)(std::int64_t) = nullptr;
  std::int64_t rounds = 0;
  std::atomic<std::int64_t> sink{0};

  static void Run(void* context, std::int64_t /*tile*/, int /*worker*/) {
    auto& self = *static_cast<PeakJob*>(context);
    self.sink.fetch_add(static_cast<std::int64_t>(self.function(self.rounds)));
  }
};

// Operations a nanosecond on all threads.
template <typename T>
double Peak(Pool& pool, T (*function)(std::int64_t), std::int64_t ops,
            const LimitOptions& options) {
  if (function == nullptr) return 0;
  PeakJob<T> job;
  job.function = function;
  job.rounds = 20000;
  const std::int64_t tiles = std::int64_t{4} * pool.workers();
  const auto once = [&] {
    const Clock::time_point start = Clock::now();
    pool.Run(tiles, &PeakJob<T>::Run, &job);
    return SecondsSince(start);
  };
  once();
  job.rounds = std::max<std::int64_t>(
      1000,
      static_cast<std::int64_t>(static_cast<double>(job.rounds) * options.peak_ms * 1e-3 / once()));
  std::vector<double> speeds;
  for (int pass = 0; pass < options.passes; ++pass) {
    const double seconds = once();
    speeds.push_back(static_cast<double>(job.rounds * ops * tiles) / seconds * 1e-9);
  }
  return Median(std::move(speeds));
}

}  // namespace

LimitOptions ShortLimits() {
  return {.dram_bytes = std::int64_t{128} << 20,
          .cache_bytes = std::int64_t{8} << 20,
          .passes = 3,
          .peak_ms = 2};
}

struct ReadLimit::State {
  Pool* pool = nullptr;
  LimitKernels kernels{};
  Memory memory;
};

ReadLimit::ReadLimit(std::unique_ptr<State> state) : state_(std::move(state)) {}
ReadLimit::~ReadLimit() = default;
ReadLimit::ReadLimit(ReadLimit&& other) noexcept = default;
ReadLimit& ReadLimit::operator=(ReadLimit&& other) noexcept = default;

Result<ReadLimit> ReadLimit::Create(Pool& pool, const Isa& isa, std::int64_t bytes) {
  auto state = std::make_unique<State>();
  state->pool = &pool;
  state->kernels = KernelsOf(isa);
  ZB_ASSIGN_OR_RETURN(state->memory, Memory::Allocate(static_cast<std::size_t>(bytes)));
  Fill(state->memory.data(), bytes);
  return ReadLimit(std::move(state));
}

double ReadLimit::Measure(int passes) {
  return BestRead(*state_->pool, state_->kernels, state_->memory.data(),
                  static_cast<std::int64_t>(state_->memory.size()), passes);
}

Result<Limits> MeasureLimits(Pool& pool, const Isa& isa, const LimitOptions& options) {
  const LimitKernels kernels = KernelsOf(isa);
  Limits limits;
  limits.threads = pool.workers();
  limits.isa = std::string(base::CpuLevelName(isa.level));
  ZB_ASSIGN_OR_RETURN(Memory memory, Memory::Allocate(static_cast<std::size_t>(
                                         std::max(options.dram_bytes, options.cache_bytes))));
  Fill(memory.data(), static_cast<std::int64_t>(memory.size()));
  limits.dram_gb_per_s = BestRead(pool, kernels, memory.data(), options.dram_bytes, options.passes);
  limits.cache_gb_per_s =
      BestRead(pool, kernels, memory.data(), options.cache_bytes, options.passes);
  limits.f32_gflop_per_s = Peak(pool, kernels.f32, kernels.f32_ops, options);
  limits.bf16_gflop_per_s = Peak(pool, kernels.bf16, kernels.bf16_ops, options);
  limits.int8_gop_per_s = Peak(pool, kernels.int8, kernels.int8_ops, options);
  return limits;
}

Result<Limits> MeasureLimits(const backend::DeviceOptions& device, const LimitOptions& options) {
  ZB_ASSIGN_OR_RETURN(const ChosenIsa chosen, ChooseIsa(device));
  int threads = device.threads;
  if (threads <= 0) {
    ZB_ASSIGN_OR_RETURN(threads, base::EffectiveThreads());
  }
  PoolOptions pool_options;
  pool_options.threads = threads;
  Pool pool(pool_options);
  return MeasureLimits(pool, chosen.isa, options);
}

}  // namespace zhibi::cpu
