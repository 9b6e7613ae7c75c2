// SPDX-License-Identifier: Apache-2.0
#include "backend/cpu/pool.h"

#include <atomic>
#include <chrono>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

namespace zhibi::cpu {
namespace {

struct Counts {
  std::vector<std::atomic<int>> seen;
  std::vector<std::atomic<int>> busy;  // one a worker: at most one tile at a time
  std::atomic<bool> overlap{false};
  explicit Counts(std::size_t tiles, std::size_t workers) : seen(tiles), busy(workers) {}

  static void Tile(void* context, std::int64_t tile, int worker) {
    auto& self = *static_cast<Counts*>(context);
    const auto w = static_cast<std::size_t>(worker);
    if (self.busy[w].fetch_add(1) != 0) self.overlap = true;
    self.seen[static_cast<std::size_t>(tile)].fetch_add(1);
    self.busy[w].fetch_sub(1);
  }
};

TEST(Pool, EveryTileOnceForAnyNumberOfThreadsAndTiles) {
  for (const int threads : {1, 2, 3, 5}) {
    Pool pool({.threads = threads});
    EXPECT_EQ(pool.workers(), threads);
    for (const std::int64_t tiles : {0, 1, 2, 3, 17, 1000, 65535, 65536, 200001}) {
      Counts counts(static_cast<std::size_t>(tiles), static_cast<std::size_t>(threads));
      pool.Run(tiles, &Counts::Tile, &counts);
      for (const auto& seen : counts.seen) ASSERT_EQ(seen.load(), 1) << tiles;
      EXPECT_FALSE(counts.overlap);
    }
  }
}

// Plain writes of the tiles are seen by the caller, and what the caller wrote before is seen by
// them: many short jobs in a row, as in a decode step. (The thread sanitizer runs this too.)
TEST(Pool, ManyShortJobsSeeEachOthersWrites) {
  Pool pool({.threads = 3});
  std::vector<std::int64_t> values(8, 0);
  constexpr int kJobs = 20000;
  for (int job = 0; job < kJobs; ++job) {
    pool.Run(
        8,
        [](void* context, std::int64_t tile, int) {
          auto& data = *static_cast<std::vector<std::int64_t>*>(context);
          data[static_cast<std::size_t>(tile)] += tile + 1;
        },
        &values);
    // Rotated by the caller between jobs, so that tiles read what another thread wrote.
    std::rotate(values.begin(), values.begin() + 1, values.end());
  }
  std::int64_t total = 0;
  for (const std::int64_t value : values) total += value;
  EXPECT_EQ(total, std::int64_t{kJobs} * 36);
}

TEST(Pool, ParksWhenIdleAndWakesForWork) {
  Pool pool({.threads = 2, .worker_spin_us = 1, .caller_spin_us = 1});
  for (int round = 0; round < 20; ++round) {
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
    Counts counts(64, 2);
    pool.Run(64, &Counts::Tile, &counts);
    for (const auto& seen : counts.seen) ASSERT_EQ(seen.load(), 1);
  }
  EXPECT_GT(pool.wakes(), 0);
}

// A tile that lasts longer than the caller spins: the caller parks and is woken.
TEST(Pool, CallerWaitsForASlowTile) {
  Pool pool({.threads = 2, .worker_spin_us = 2000, .caller_spin_us = 1});
  for (int round = 0; round < 5; ++round) {
    std::atomic<int> done{0};
    pool.Run(
        2,
        [](void* context, std::int64_t, int worker) {
          if (worker != 0) std::this_thread::sleep_for(std::chrono::milliseconds(5));
          static_cast<std::atomic<int>*>(context)->fetch_add(1);
        },
        &done);
    EXPECT_EQ(done.load(), 2);
  }
}

TEST(Pool, SeveralCallersAtOnce) {
  Pool pool({.threads = 3});
  std::vector<std::thread> callers;
  std::atomic<int> wrong{0};
  for (int i = 0; i < 4; ++i) {
    callers.emplace_back([&pool, &wrong] {
      for (int job = 0; job < 500; ++job) {
        std::atomic<int> count{0};
        pool.Run(
            9,
            [](void* context, std::int64_t, int) {
              static_cast<std::atomic<int>*>(context)->fetch_add(1);
            },
            &count);
        if (count.load() != 9) wrong.fetch_add(1);
      }
    });
  }
  for (std::thread& caller : callers) caller.join();
  EXPECT_EQ(wrong.load(), 0);
}

}  // namespace
}  // namespace zhibi::cpu
