// SPDX-License-Identifier: Apache-2.0
// The cache on a folder of its own: built once by many, found again, rebuilt when stale or damaged,
// pruned by use. Engines here are empty but valid.
#include "compile/engine_cache.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/engine_file.h"

namespace zhibi::compile {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

class EngineCacheTest : public testing::Test {
 protected:
  void SetUp() override {
    dir_ = testing::TempDir() + "/zhibi_cache_test_" + std::to_string(::getpid());
    fs::remove_all(dir_);
    ::setenv("ZHIBI_CACHE_DIR", dir_.c_str(), 1);
    key_.source = "models/my model";
    key_.source_hash = "hash1";
    key_.machine = {"cpu", "avx2", {"f16c"}};
  }
  void TearDown() override {
    fs::permissions(dir_, fs::perms::owner_all, error_);
    fs::remove_all(dir_);
    ::unsetenv("ZHIBI_CACHE_DIR");
  }

  // An engine for the key with `bytes` of weights.
  Status Build(const EngineKey& key, const std::string& path, std::size_t bytes = 64) {
    ++builds_;
    auto writer = engine::EngineWriter::Create(path);
    if (!writer.ok()) return writer.status();
    engine::PackedWeight weight;
    weight.name = "w";
    weight.shape = {1};
    const Status status = (*writer)->AddWeight(weight, std::vector<std::byte>(bytes));
    if (!status.ok()) return status;
    engine::EngineInfo info;
    info.source = key.source;
    info.source_hash = key.source_hash;
    info.precision = PrecisionName(key.precision);
    info.device_backend = key.machine.backend;
    info.device_isa = key.machine.isa;
    info.device_features = key.machine.features;
    return (*writer)->Finish(info, {});
  }

  Result<std::string> Ensure(const EngineKey& key, std::int64_t max_bytes = kDefaultCacheBytes,
                             std::size_t bytes = 64) {
    return EnsureEngine(
        key, [&](const std::string& path) { return Build(key, path, bytes); },
        [this](std::string_view message) { messages_ += std::string(message) + "\n"; }, max_bytes);
  }

  std::string dir_;
  EngineKey key_;
  std::atomic<int> builds_ = 0;
  std::string messages_;
  std::error_code error_;
};

TEST_F(EngineCacheTest, BuildsOnceThenFinds) {
  const Result<std::string> first = Ensure(key_);
  ASSERT_TRUE(first.ok()) << first.status().ToString();
  EXPECT_THAT(*first, HasSubstr(dir_ + "/my-model-int8-"));
  const Result<std::string> second = Ensure(key_);
  ASSERT_TRUE(second.ok());
  EXPECT_EQ(*first, *second);
  EXPECT_EQ(builds_, 1);
}

TEST_F(EngineCacheTest, EveryPartOfTheKeyCounts) {
  EngineKey other = key_;
  other.source_hash = "hash2";
  EXPECT_NE(CacheFileName(key_), CacheFileName(other));
  other = key_;
  other.precision = Precision::kI4;
  EXPECT_NE(CacheFileName(key_), CacheFileName(other));
  other = key_;
  other.machine.isa = "avx512";
  EXPECT_NE(CacheFileName(key_), CacheFileName(other));
  other = key_;
  other.machine.features.clear();
  EXPECT_NE(CacheFileName(key_), CacheFileName(other));
  other = key_;
  other.limits.max_tokens = 64;
  EXPECT_NE(CacheFileName(key_), CacheFileName(other));
  other = key_;
  other.kernels = "another table";
  EXPECT_NE(CacheFileName(key_), CacheFileName(other));
  other = key_;
  other.tokenizer_version = 2;
  EXPECT_NE(CacheFileName(key_), CacheFileName(other));
}

TEST_F(EngineCacheTest, ADamagedEntryIsBuiltAgain) {
  const Result<std::string> path = Ensure(key_);
  ASSERT_TRUE(path.ok());
  fs::resize_file(*path, 100);
  ASSERT_TRUE(Ensure(key_).ok());
  EXPECT_EQ(builds_, 2);
}

TEST_F(EngineCacheTest, AStaleEntryOfTheSameModelGoes) {
  const std::string old = Ensure(key_).value();
  EngineKey changed = key_;
  changed.source_hash = "hash2";
  ASSERT_TRUE(Ensure(changed).ok());
  EXPECT_FALSE(fs::exists(old));
}

TEST_F(EngineCacheTest, AnotherModelStays) {
  const std::string old = Ensure(key_).value();
  EngineKey other = key_;
  other.source = "models/other";
  other.source_hash = "hash2";
  ASSERT_TRUE(Ensure(other).ok());
  EXPECT_TRUE(fs::exists(old));
}

TEST_F(EngineCacheTest, ManyThreadsBuildOnce) {
  std::vector<std::thread> threads;
  std::atomic<int> good = 0;
  for (int i = 0; i < 6; ++i) {
    threads.emplace_back([&] {
      const auto path = EnsureEngine(
          key_,
          [&](const std::string& out) {
            std::this_thread::sleep_for(std::chrono::milliseconds(50));
            return Build(key_, out);
          },
          nullptr);
      if (path.ok()) ++good;
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(good, 6);
  EXPECT_EQ(builds_, 1);
}

TEST_F(EngineCacheTest, AKilledBuildFreesTheLock) {
  const pid_t child = ::fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    static_cast<void>(
        EnsureEngine(key_, [](const std::string&) -> Status { ::_exit(7); }, nullptr));
    ::_exit(1);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_EQ(WEXITSTATUS(status), 7);
  ASSERT_TRUE(Ensure(key_).ok());
  EXPECT_EQ(builds_, 1);
}

TEST_F(EngineCacheTest, AFailedBuildIsReportedAndNothingIsLeft) {
  const auto path = EnsureEngine(
      key_, [](const std::string&) { return ResourceExhaustedError("too big"); }, nullptr);
  EXPECT_EQ(path.status().code(), StatusCode::kResourceExhausted);
  EXPECT_TRUE(ListCache().empty());
}

TEST_F(EngineCacheTest, TheCapRemovesTheLongestUnused) {
  constexpr std::size_t kBytes = 64 << 10;
  std::vector<std::string> paths;
  for (int i = 0; i < 4; ++i) {
    EngineKey key = key_;
    key.source = "model" + std::to_string(i);
    key.source_hash = key.source;
    const Result<std::string> path = Ensure(key, 3 * (kBytes + 6000), kBytes);
    ASSERT_TRUE(path.ok());
    paths.push_back(*path);
    // Distinct times of use.
    const timespec times[2] = {{1000 + i, 0}, {1000 + i, 0}};
    ASSERT_EQ(::utimensat(AT_FDCWD, path->c_str(), times, 0), 0);
  }
  EXPECT_FALSE(fs::exists(paths[0]));
  EXPECT_TRUE(fs::exists(paths[1]));
  EXPECT_TRUE(fs::exists(paths[3]));
}

TEST_F(EngineCacheTest, ListsAndPrunes) {
  ASSERT_TRUE(Ensure(key_).ok());
  std::ofstream(dir_ + "/broken-int8-0.engine") << "not an engine";
  const std::vector<CacheEntry> entries = ListCache();
  ASSERT_EQ(entries.size(), 2U);
  int broken = 0;
  for (const CacheEntry& entry : entries) {
    broken += entry.problem.empty() ? 0 : 1;
    if (entry.problem.empty()) {
      EXPECT_EQ(entry.source, key_.source);
      EXPECT_EQ(entry.fingerprint, "cpu/avx2/f16c");
      EXPECT_GT(entry.bytes, 4096);
    }
  }
  EXPECT_EQ(broken, 1);
  const Result<PruneResult> some = PruneCache(1 << 30);
  ASSERT_TRUE(some.ok());
  EXPECT_EQ(some->removed, 1);
  const Result<PruneResult> all = PruneCache(0);
  ASSERT_TRUE(all.ok());
  EXPECT_EQ(all->removed, 1);
  EXPECT_TRUE(ListCache().empty());
}

TEST_F(EngineCacheTest, AFolderThatCannotBeMadeFallsBackWithAMessage) {
  const std::string file = dir_ + "_file";
  std::ofstream(file) << "a file where the folder should be";
  ::setenv("ZHIBI_CACHE_DIR", (file + "/cache").c_str(), 1);
  const std::string temporary = dir_ + "_tmp";
  fs::create_directories(temporary);
  ::setenv("TMPDIR", temporary.c_str(), 1);
  const Result<std::string> path = Ensure(key_);
  ::unsetenv("TMPDIR");
  ASSERT_TRUE(path.ok()) << path.status().ToString();
  EXPECT_THAT(*path, HasSubstr(temporary + "/zhibi-cache-"));
  EXPECT_THAT(messages_, HasSubstr("cannot be written"));
  fs::remove_all(temporary);
  fs::remove(file);
}

}  // namespace
}  // namespace zhibi::compile
