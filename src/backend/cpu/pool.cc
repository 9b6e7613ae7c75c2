// SPDX-License-Identifier: Apache-2.0
// Protocol. Publish writes each share's fields and then its word. A worker reads a word, reads the
// fields, and claims a unit by compare-and-swap on the word: success means that the unit was free
// until now, so its job was not finished and the fields read are this job's (they are overwritten
// only after all units are done, when no word has any left). The caller returns when the done
// counters add up, whoever worked.
//
// A parking worker announces itself (sleepers_) and looks at its share again; Publish looks for
// sleepers without a fence, so a worker may miss one job, never the next: the caller does all the
// work then. The caller's own parking has no such slack and is Dekker's pattern, sequentially
// consistent on both sides.
#include "backend/cpu/pool.h"

#include <pthread.h>

#include <algorithm>
#include <chrono>
#include <cstdio>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace zhibi::cpu {
namespace {

constexpr std::int64_t kMaxUnits = 0xFFFF;

std::uint64_t NextUnit(std::uint64_t word) { return (word >> 16) & 0xFFFF; }
std::uint64_t EndUnit(std::uint64_t word) { return word & 0xFFFF; }

void Relax() {
#if defined(__x86_64__)
  _mm_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

// Spins until done() or the time is over; true when done.
template <typename Done>
bool SpinUntil(std::int64_t spin_ns, const Done& done) {
  using Clock = std::chrono::steady_clock;
  if (done()) return true;
  const Clock::time_point deadline = Clock::now() + std::chrono::nanoseconds(spin_ns);
  do {
    // The clock costs as much as a few pauses: looked at now and then only.
    for (int i = 0; i < 16; ++i) {
      if (done()) return true;
      Relax();
    }
  } while (Clock::now() < deadline);
  return done();
}

}  // namespace

Pool::Pool(const PoolOptions& options)
    : num_workers_(std::max(options.threads, 1)),
      shares_(std::make_unique<Share[]>(static_cast<std::size_t>(num_workers_))),
      done_(std::make_unique<Done[]>(static_cast<std::size_t>(num_workers_))),
      worker_spin_ns_(std::int64_t{1000} * options.worker_spin_us),
      caller_spin_ns_(std::int64_t{1000} * options.caller_spin_us) {
  threads_.reserve(static_cast<std::size_t>(num_workers_ - 1));
  for (int worker = 1; worker < num_workers_; ++worker) {
    threads_.emplace_back([this, worker] { WorkerLoop(worker); });
  }
}

Pool::~Pool() {
  stop_.store(true);
  wake_word_.fetch_add(1);
  wake_word_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

void Pool::Run(std::int64_t tiles, backend::TileFunction function, void* context) {
  if (tiles <= 0) return;
  std::unique_lock<std::mutex> lock(busy_, std::defer_lock);
  if (tiles == 1 || num_workers_ == 1 || !lock.try_lock()) {
    for (std::int64_t tile = 0; tile < tiles; ++tile) function(context, tile, 0);
    return;
  }
  Publish(tiles, function, context);
  done_[0].units.fetch_add(TakeAll(0), std::memory_order_relaxed);
  if (!AllDone()) WaitUntilDone();
}

void Pool::Publish(std::int64_t tiles, backend::TileFunction function, void* context) {
  const std::int64_t per_unit = (tiles + kMaxUnits - 1) / kMaxUnits;
  const auto units = static_cast<std::uint64_t>((tiles + per_unit - 1) / per_unit);
  const auto workers = static_cast<std::uint64_t>(num_workers_);
  published_ += units;
  epoch_ = (epoch_ + 1) & 0xFFFFFFFF;
  // The others first: their lines travel while the caller begins.
  for (std::uint64_t w = workers; w-- > 0;) {
    Share& share = shares_[w];
    share.function.store(function, std::memory_order_relaxed);
    share.context.store(context, std::memory_order_relaxed);
    share.tiles.store(tiles, std::memory_order_relaxed);
    share.tiles_per_unit.store(per_unit, std::memory_order_relaxed);
    const std::uint64_t begin = units * w / workers;
    const std::uint64_t end = units * (w + 1) / workers;
    share.units.store((epoch_ << 32) | (begin << 16) | end, std::memory_order_release);
  }
  if (sleepers_.load(std::memory_order_relaxed) > 0) {
    wakes_.fetch_add(1, std::memory_order_relaxed);
    wake_word_.fetch_add(1);
    wake_word_.notify_all();
  }
}

bool Pool::TakeOne(Share& share, int worker, bool from_back) {
  std::uint64_t word = share.units.load(std::memory_order_acquire);
  while (NextUnit(word) < EndUnit(word)) {
    const backend::TileFunction function = share.function.load(std::memory_order_relaxed);
    void* const context = share.context.load(std::memory_order_relaxed);
    const std::int64_t tiles = share.tiles.load(std::memory_order_relaxed);
    const std::int64_t per_unit = share.tiles_per_unit.load(std::memory_order_relaxed);
    const std::uint64_t taken = from_back ? word - 1 : word + (1U << 16);
    if (!share.units.compare_exchange_weak(word, taken, std::memory_order_acq_rel,
                                           std::memory_order_acquire)) {
      continue;
    }
    const std::uint64_t unit = from_back ? EndUnit(taken) : NextUnit(word);
    const std::int64_t begin = static_cast<std::int64_t>(unit) * per_unit;
    const std::int64_t end = std::min(begin + per_unit, tiles);
    for (std::int64_t tile = begin; tile < end; ++tile) function(context, tile, worker);
    return true;
  }
  return false;
}

std::uint64_t Pool::TakeAll(int worker) {
  std::uint64_t done = 0;
  while (TakeOne(shares_[static_cast<std::size_t>(worker)], worker, false)) ++done;
  for (int i = 1; i < num_workers_; ++i) {
    const int victim = (worker + i) % num_workers_;
    while (TakeOne(shares_[static_cast<std::size_t>(victim)], worker, true)) ++done;
  }
  return done;
}

bool Pool::AllDone() const {
  std::uint64_t done = 0;
  for (int w = 0; w < num_workers_; ++w) done += done_[static_cast<std::size_t>(w)].units.load();
  return done == published_;
}

void Pool::WaitUntilDone() {
  if (SpinUntil(caller_spin_ns_, [this] { return AllDone(); })) return;
  caller_parked_.store(1);
  for (;;) {
    const std::uint32_t word = caller_word_.load();
    if (AllDone()) break;
    caller_word_.wait(word);
  }
  caller_parked_.store(0);
}

bool Pool::HasUnits(int worker) const {
  const std::uint64_t word =
      shares_[static_cast<std::size_t>(worker)].units.load(std::memory_order_acquire);
  return NextUnit(word) < EndUnit(word);
}

void Pool::Park(int worker) {
  const std::uint32_t word = wake_word_.load();
  sleepers_.fetch_add(1);
  if (!HasUnits(worker) && !stop_.load()) wake_word_.wait(word);
  sleepers_.fetch_sub(1);
}

void Pool::WorkerLoop(int worker) {
  char name[16];
  std::snprintf(name, sizeof(name), "zhibi-cpu-%d", worker);
  pthread_setname_np(pthread_self(), name);
  std::atomic<std::uint64_t>& total = done_[static_cast<std::size_t>(worker)].units;
  while (!stop_.load(std::memory_order_relaxed)) {
    const std::uint64_t done = TakeAll(worker);
    if (done > 0) {
      total.fetch_add(done);
      if (caller_parked_.load() != 0) {
        caller_word_.fetch_add(1);
        caller_word_.notify_all();
      }
    }
    const bool work = SpinUntil(worker_spin_ns_, [this, worker] {
      return HasUnits(worker) || stop_.load(std::memory_order_relaxed);
    });
    if (!work) Park(worker);
  }
}

}  // namespace zhibi::cpu
