// SPDX-License-Identifier: Apache-2.0
// Threads that share the tiles of one kernel at a time. Each worker starts with an equal run of
// neighbouring tiles (so that it reads one stretch of weights) and takes tiles from its front; when
// it has none left it takes from the back of the others' runs. A thread that the system stops for a
// while so holds back only the tile it has. The caller works too (worker 0) and waits for tiles,
// never for threads: a worker that sleeps through a job costs nothing.
//
// An idle worker spins for a bounded time and then parks on a futex; so does a caller that waits
// for a last tile (which frees its core for the thread that holds it). Threads are not pinned:
// tried, with a foreign thread on one of two cores a pinned worker waits for its own core while the
// other one idles.
// Lost: one shared counter of tiles; each claim then moves a cache line between cores, 0.3 us a
// tile where the cores share no cache level but the last. Thread rule: Run may be called from
// several threads; the second one at a time runs its tiles alone.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "backend/kernel.h"

namespace zhibi::cpu {

struct PoolOptions {
  int threads = 1;           // the caller included; at least 1
  int worker_spin_us = 100;  // before an idle worker parks
  int caller_spin_us = 30;   // before a waiting caller parks
};

class Pool {
 public:
  explicit Pool(const PoolOptions& options);
  ~Pool();  // no Run may be in progress
  Pool(const Pool&) = delete;
  Pool& operator=(const Pool&) = delete;

  int workers() const { return num_workers_; }

  // Calls function(context, tile, worker) once for each tile 0..tiles-1 and returns when all are
  // done; their writes are visible then. worker: 0..workers()-1, at most one tile at a time each
  // within one Run. No allocation.
  void Run(std::int64_t tiles, backend::TileFunction function, void* context);

  // Jobs for which a sleeping worker had to be woken; for tests and benchmarks.
  std::int64_t wakes() const { return wakes_.load(std::memory_order_relaxed); }

 private:
  // What one worker has of a job; one cache line, which the worker polls and the caller fills.
  struct alignas(64) Share {
    // epoch << 32 | next unit << 16 | end. One word, so that a claim by compare-and-swap proves
    // that the job has not changed since the word was read.
    std::atomic<std::uint64_t> units{0};
    std::atomic<backend::TileFunction> function{nullptr};
    std::atomic<void*> context{nullptr};
    std::atomic<std::int64_t> tiles{0};
    std::atomic<std::int64_t> tiles_per_unit{1};
  };
  // Units that a worker has done since the pool began.
  struct alignas(64) Done {
    std::atomic<std::uint64_t> units{0};
  };

  void WorkerLoop(int worker);
  bool TakeOne(Share& share, int worker, bool from_back);
  std::uint64_t TakeAll(int worker);
  void Publish(std::int64_t tiles, backend::TileFunction function, void* context);
  void WaitUntilDone();
  bool AllDone() const;
  bool HasUnits(int worker) const;
  void Park(int worker);

  const int num_workers_;
  std::unique_ptr<Share[]> shares_;
  std::unique_ptr<Done[]> done_;
  std::uint64_t published_ = 0;  // units of all jobs; the caller's
  std::uint64_t epoch_ = 0;
  alignas(64) std::atomic<std::int32_t> caller_parked_{0};
  std::atomic<std::uint32_t> caller_word_{0};
  alignas(64) std::atomic<std::int32_t> sleepers_{0};
  std::atomic<std::uint32_t> wake_word_{0};
  std::atomic<bool> stop_{false};
  std::atomic<std::int64_t> wakes_{0};
  const std::int64_t worker_spin_ns_;
  const std::int64_t caller_spin_ns_;
  std::mutex busy_;
  std::vector<std::thread> threads_;
};

}  // namespace zhibi::cpu
