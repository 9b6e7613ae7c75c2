// SPDX-License-Identifier: Apache-2.0
// Use is recorded as the file's modification time, which works on file systems mounted without
// access times. Lock files are empty and stay: removing one while another process waits on it would
// give two processes two locks.
#include "compile/engine_cache.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstring>
#include <filesystem>

#include <fmt/format.h>
#include <xxhash.h>

#include "base/paths.h"
#include "base/status_macros.h"
#include "engine/engine_file.h"

namespace zhibi::compile {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kSuffix = ".engine";
// A temporary file older than this belongs to a build that died.
constexpr std::int64_t kDeadBuildSeconds = 3600;

// Held as long as the object lives; the system releases it when the process dies.
class FileLock {
 public:
  FileLock() = default;
  FileLock(FileLock&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  FileLock& operator=(FileLock&& other) noexcept {
    std::swap(fd_, other.fd_);
    return *this;
  }
  FileLock(const FileLock&) = delete;
  FileLock& operator=(const FileLock&) = delete;
  ~FileLock() {
    if (fd_ >= 0) ::close(fd_);
  }

  static Result<FileLock> Open(const std::string& path) {
    FileLock lock;
    lock.fd_ = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (lock.fd_ < 0) {
      return PermissionDeniedError(path + ": cannot make a lock file: " + std::strerror(errno));
    }
    return lock;
  }
  bool Try() { return ::flock(fd_, LOCK_EX | LOCK_NB) == 0; }
  Status Wait() {
    while (::flock(fd_, LOCK_EX) != 0) {
      if (errno != EINTR) return UnavailableError(std::string("flock: ") + std::strerror(errno));
    }
    return OkStatus();
  }

 private:
  int fd_ = -1;
};

std::string FallbackDir() {
  std::error_code error;
  const fs::path temporary = fs::temp_directory_path(error);
  return (error ? std::string(".") : temporary.string()) + "/zhibi-cache-" +
         std::to_string(::getuid());
}

// Made if need be, ours, and writable; empty when so, else the reason.
std::string TryDir(const std::string& path) {
  std::error_code error;
  fs::create_directories(path, error);
  if (error) return error.message();
  struct stat info{};
  if (::stat(path.c_str(), &info) != 0) return std::strerror(errno);
  if (!S_ISDIR(info.st_mode)) return "not a folder";
  if (::access(path.c_str(), W_OK | X_OK) != 0) return std::strerror(errno);
  return {};
}

// Under a temporary directory anyone may have made the folder: only our own is trusted.
std::string TryPrivateDir(const std::string& path) {
  if (::mkdir(path.c_str(), 0700) != 0 && errno != EEXIST) return std::strerror(errno);
  struct stat info{};
  if (::lstat(path.c_str(), &info) != 0) return std::strerror(errno);
  if (!S_ISDIR(info.st_mode) || info.st_uid != ::getuid() || (info.st_mode & 022) != 0) {
    return "belongs to somebody else";
  }
  return TryDir(path);
}

std::string Hex(std::uint64_t value) { return fmt::format("{:016x}", value); }

std::string KeyText(const EngineKey& key) {
  const graph::StepLimits& limits = key.limits;
  return fmt::format(
      "format {}\nhash {}\nprecision {}\nmachine {}\nlimits {} {} {} {} {}\nkernels {}\n"
      "tokenizer {}",
      engine::kFormatVersion, key.source_hash, PrecisionName(key.precision),
      engine::FingerprintText(key.machine), limits.max_tokens, limits.max_seqs, limits.max_out_rows,
      limits.max_context, limits.page_tokens, key.kernels, key.tokenizer_version);
}

std::string ReadableName(const std::string& source) {
  fs::path path(source);
  // "models/mini/" and "models/mini/model.safetensors" are called after the folder.
  if (!path.has_filename() || path.extension() == ".safetensors") path = path.parent_path();
  std::string name;
  for (const char c : path.filename().string()) {
    const bool plain = (std::isalnum(static_cast<unsigned char>(c)) != 0) || c == '.' || c == '_';
    name += plain ? c : '-';
    if (name.size() == 48) break;
  }
  return name.empty() ? "model" : name;
}

// Empty when the file serves the key, else why not.
std::string Unfit(const std::string& path, const EngineKey& key) {
  const auto file = engine::EngineFile::Open(path);
  if (!file.ok()) return file.status().message();
  const engine::EngineInfo& info = (*file)->info();
  if (info.source_hash != key.source_hash) return "built from other files";
  if (info.precision != PrecisionName(key.precision)) return "built with another precision";
  const Status status = engine::CheckFingerprint(info, key.machine);
  return status.ok() ? std::string() : status.message();
}

void MarkUsed(const std::string& path) { ::utimensat(AT_FDCWD, path.c_str(), nullptr, 0); }

bool HasSuffix(const std::string& text, std::string_view suffix) {
  return text.size() >= suffix.size() &&
         text.compare(text.size() - suffix.size(), suffix.size(), suffix) == 0;
}

CacheEntry Describe(const std::string& path) {
  CacheEntry entry;
  entry.path = path;
  struct stat info{};
  if (::stat(path.c_str(), &info) == 0) {
    entry.bytes = info.st_size;
    entry.last_used = info.st_mtim.tv_sec;
  }
  const auto file = engine::EngineFile::Open(path);
  if (!file.ok()) {
    entry.problem = file.status().message();
    return entry;
  }
  const engine::EngineInfo& engine = (*file)->info();
  entry.source = engine.source;
  entry.precision = engine.precision;
  entry.fingerprint =
      engine::FingerprintText({engine.device_backend, engine.device_isa, engine.device_features});
  return entry;
}

std::vector<CacheEntry> ListDir(const std::string& dir) {
  std::vector<CacheEntry> entries;
  std::error_code error;
  for (fs::directory_iterator it(dir, error), end; !error && it != end; it.increment(error)) {
    const std::string path = it->path().string();
    if (HasSuffix(path, kSuffix)) entries.push_back(Describe(path));
  }
  return entries;
}

// Temporary files of builds that died without a chance to clean up.
void RemoveDeadBuilds(const std::string& dir) {
  std::error_code error;
  for (fs::directory_iterator it(dir, error), end; !error && it != end; it.increment(error)) {
    const std::string path = it->path().string();
    if (path.find(std::string(kSuffix) + ".tmp.") == std::string::npos) continue;
    struct stat info{};
    if (::stat(path.c_str(), &info) != 0) continue;
    if (::time(nullptr) - info.st_mtim.tv_sec > kDeadBuildSeconds) ::unlink(path.c_str());
  }
}

// False when the entry is being built, or cannot be removed.
bool RemoveEntry(const CacheEntry& entry) {
  Result<FileLock> lock = FileLock::Open(entry.path + ".lock");
  if (!lock.ok() || !lock->Try()) return false;
  return ::unlink(entry.path.c_str()) == 0;
}

void SortByUse(std::vector<CacheEntry>& entries) {
  std::stable_sort(entries.begin(), entries.end(), [](const CacheEntry& a, const CacheEntry& b) {
    return a.last_used > b.last_used;
  });
}

// After a build: other builds of the same source and settings, then the size cap. `path` stays.
void TidyUp(const std::string& dir, const std::string& path, const EngineKey& key,
            std::int64_t max_bytes) {
  std::vector<CacheEntry> entries = ListDir(dir);
  SortByUse(entries);
  RemoveDeadBuilds(dir);
  std::int64_t total = 0;
  for (const CacheEntry& entry : entries) {
    if (entry.path == path) {
      total += entry.bytes;
      continue;
    }
    const bool stale = entry.source == key.source &&
                       entry.precision == PrecisionName(key.precision) &&
                       entry.fingerprint == engine::FingerprintText(key.machine) &&
                       Unfit(entry.path, key) == "built from other files";
    if ((stale || total + entry.bytes > max_bytes) && RemoveEntry(entry)) continue;
    total += entry.bytes;
  }
}

}  // namespace

std::string KernelTable(std::span<const backend::KernelEntry* const> kernels) {
  std::string text;
  for (const backend::KernelEntry* kernel : kernels) {
    text += fmt::format("{} {}\n", kernel->name, kernel->layout);
  }
  return Hex(XXH3_64bits(text.data(), text.size()));
}

std::string CacheFileName(const EngineKey& key) {
  const std::string text = KeyText(key);
  return ReadableName(key.source) + "-" + std::string(PrecisionName(key.precision)) + "-" +
         Hex(XXH3_64bits(text.data(), text.size())) + std::string(kSuffix);
}

Result<std::string> WritableCacheDir(const CacheMessage& message) {
  const std::string wanted = base::CacheDir();
  const std::string reason = wanted == FallbackDir() ? TryPrivateDir(wanted) : TryDir(wanted);
  if (reason.empty()) return wanted;
  const std::string fallback = FallbackDir();
  const std::string second = TryPrivateDir(fallback);
  if (!second.empty()) {
    return PermissionDeniedError(
        fmt::format("no folder for built engines: {}: {}; {}: {}; set ZHIBI_CACHE_DIR to one that "
                    "can be written",
                    wanted, reason, fallback, second));
  }
  if (message) {
    message(fmt::format("cache folder {} cannot be written ({}); built engines go to {}", wanted,
                        reason, fallback));
  }
  return fallback;
}

Result<std::string> EnsureEngine(const EngineKey& key,
                                 const std::function<Status(const std::string&)>& build,
                                 const CacheMessage& message, std::int64_t max_bytes) {
  const std::string name = CacheFileName(key);
  // Found without writing anything, so that a prepared cache may be read-only.
  const std::string ready = base::CacheDir() + "/" + name;
  if (Unfit(ready, key).empty()) {
    MarkUsed(ready);
    return ready;
  }
  ZB_ASSIGN_OR_RETURN(const std::string dir, WritableCacheDir(message));
  const std::string path = dir + "/" + name;
  ZB_ASSIGN_OR_RETURN(FileLock lock, FileLock::Open(path + ".lock"));
  if (!lock.Try()) {
    if (message) message("waiting for another process that builds the same engine");
    ZB_RETURN_IF_ERROR(lock.Wait());
  }
  if (Unfit(path, key).empty()) {
    MarkUsed(path);
    return path;
  }
  ZB_RETURN_IF_ERROR(build(path));
  if (const std::string reason = Unfit(path, key); !reason.empty()) {
    return InternalError(path + ": the engine that was just built does not fit: " + reason);
  }
  TidyUp(dir, path, key, max_bytes);
  return path;
}

std::vector<CacheEntry> ListCache() {
  std::vector<CacheEntry> entries = ListDir(base::CacheDir());
  const std::string fallback = FallbackDir();
  if (fallback != base::CacheDir()) {
    std::vector<CacheEntry> more = ListDir(fallback);
    entries.insert(entries.end(), more.begin(), more.end());
  }
  SortByUse(entries);
  return entries;
}

Result<PruneResult> PruneCache(std::int64_t max_bytes) {
  PruneResult result;
  RemoveDeadBuilds(base::CacheDir());
  RemoveDeadBuilds(FallbackDir());
  std::string failed;
  for (const CacheEntry& entry : ListCache()) {
    const bool keep = entry.problem.empty() && result.kept_bytes + entry.bytes <= max_bytes;
    if (!keep && RemoveEntry(entry)) {
      ++result.removed;
      result.freed_bytes += entry.bytes;
      continue;
    }
    if (!keep && ::access(entry.path.c_str(), F_OK) == 0) failed = entry.path;
    result.kept_bytes += entry.bytes;
  }
  if (!failed.empty() && result.removed == 0) {
    return PermissionDeniedError(failed + ": cannot be removed, or is being built");
  }
  return result;
}

}  // namespace zhibi::compile
