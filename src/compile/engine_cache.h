// SPDX-License-Identifier: Apache-2.0
// The cache of built engines: a folder is built on first use and mapped after that. Entries are
// files named by model and key; builds run under a lock a file, so that two processes build once;
// stale and old entries go when a new one is built. Where the cache folder cannot be written (a
// read-only home), a per-user folder under the system's temporary directory is taken, with a
// message. Stateless functions over the file system; thread-safe.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "backend/kernel.h"
#include "compile/precision.h"
#include "engine/plan.h"
#include "graph/family.h"
#include "zhibi/status.h"

namespace zhibi::compile {

// Everything that decides an engine's bytes; the format version is added.
struct EngineKey {
  std::string source;       // path as given, for people and for finding stale entries
  std::string source_hash;  // of config, tokenizer and weights (import::HashModel)
  Precision precision = Precision::kI8;
  engine::Fingerprint machine;
  graph::StepLimits limits;
  // KernelTable of the device: an engine names its kernels, so that a program with other ones
  // (after an upgrade) builds anew instead of failing to bind.
  std::string kernels;
  // Version of the tokenizer's section (text/tokenizer.h, kBlobVersion), which this folder does not
  // read; 0 for an engine without one.
  std::uint32_t tokenizer_version = 0;
};

// Names and layouts of all kernels of a device, as one hash.
std::string KernelTable(std::span<const backend::KernelEntry* const> kernels);

// "qwen2-0.5b-int8-0123456789abcdef.engine"
std::string CacheFileName(const EngineKey& key);

using CacheMessage = std::function<void(std::string_view)>;

// base::CacheDir when it can be made and written, else the fallback; made on the way.
// kPermissionDenied names both folders and the switch that sets one.
Result<std::string> WritableCacheDir(const CacheMessage& message);

inline constexpr std::int64_t kDefaultCacheBytes = std::int64_t{20} << 30;

// Path of a valid engine for the key, calling `build` (path -> Status) when there is none. A second
// process waits for the first one's build. After a build, engines of the same source with another
// hash are removed, then the longest unused ones until the cache holds at most `max_bytes`.
Result<std::string> EnsureEngine(const EngineKey& key,
                                 const std::function<Status(const std::string&)>& build,
                                 const CacheMessage& message,
                                 std::int64_t max_bytes = kDefaultCacheBytes);

struct CacheEntry {
  std::string path;
  std::string source;  // empty when the file is not readable
  std::string precision;
  std::string fingerprint;
  std::string problem;  // why it cannot be used: damaged, other format
  std::int64_t bytes = 0;
  std::int64_t last_used = 0;  // seconds since 1970
};

// Of the cache folder and of the fallback, the most recently used first. Missing folders are empty.
std::vector<CacheEntry> ListCache();

struct PruneResult {
  std::int64_t removed = 0;
  std::int64_t freed_bytes = 0;
  std::int64_t kept_bytes = 0;
};

// Removes unusable entries and left-over files of dead builds, then the longest unused entries
// until at most `max_bytes` are left (0: all). Entries that are being built are left alone; an
// engine that runs stays mapped.
Result<PruneResult> PruneCache(std::int64_t max_bytes);

}  // namespace zhibi::compile
