// SPDX-License-Identifier: Apache-2.0
// Files: mapped reading, whole reading with a size limit, atomic writing. Every error names the
// path and what the system said. Thread rule: functions thread-safe; objects one thread at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "zhibi/status.h"

namespace zhibi::base {

// A read-only mapping of a whole file. Move-only; empty files map to an empty span.
class MappedFile {
 public:
  MappedFile() = default;
  MappedFile(MappedFile&& other) noexcept;
  MappedFile& operator=(MappedFile&& other) noexcept;
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;
  ~MappedFile();

  // kNotFound, kPermissionDenied, kInvalidArgument (not a regular file), kUnavailable (mmap
  // failed).
  static Result<MappedFile> Open(const std::string& path);

  std::span<const std::byte> bytes() const { return {data_, size_}; }
  const std::string& path() const { return path_; }
  // Reads [offset, offset + dst.size()) of the mapped file (not of one that has taken its name
  // since) without touching the mapping. kDataLoss when the file has become shorter. Thread-safe.
  Status ReadAt(std::uint64_t offset, std::span<std::byte> dst) const;

 private:
  const std::byte* data_ = nullptr;
  std::size_t size_ = 0;
  int fd_ = -1;
  std::string path_;
};

// The whole file as a string. kResourceExhausted when it is longer than max_bytes. Path "-" reads
// standard input.
Result<std::string> ReadFile(const std::string& path, std::size_t max_bytes);

// Writes beside the target, syncs, renames: a reader sees the old file or the new one, never a
// part.
Status WriteFileAtomic(const std::string& path, std::string_view bytes);

// An atomic file that is written piece by piece. Without Commit (error, signal, destruction, on
// most file systems even a kill) nothing is left behind.
class AtomicFileWriter {
 public:
  AtomicFileWriter(AtomicFileWriter&& other) noexcept;
  AtomicFileWriter& operator=(AtomicFileWriter&& other) noexcept;
  AtomicFileWriter(const AtomicFileWriter&) = delete;
  AtomicFileWriter& operator=(const AtomicFileWriter&) = delete;
  ~AtomicFileWriter();

  static Result<AtomicFileWriter> Create(const std::string& path);
  Status Write(std::string_view bytes);
  // Writes at an absolute offset, without moving the position of Write; the file grows with zeros
  // as needed.
  Status WriteAt(std::uint64_t offset, std::string_view bytes);
  std::uint64_t position() const { return position_; }
  Status Commit();

 private:
  AtomicFileWriter() = default;
  void Discard();
  int fd_ = -1;
  std::uint64_t position_ = 0;
  std::string path_;
  std::string temporary_path_;  // empty while the file has no name
};

}  // namespace zhibi::base
