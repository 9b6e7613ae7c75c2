// SPDX-License-Identifier: Apache-2.0
#include "base/file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <system_error>
#include <utility>

#include "base/status_macros.h"

namespace zhibi::base {
namespace {

Status SystemError(const std::string& path, std::string_view action, int error) {
  const std::string message =
      path + ": " + std::string(action) + " failed: " + std::generic_category().message(error);
  if (error == ENOENT || error == ENOTDIR) return NotFoundError(message);
  if (error == EACCES || error == EPERM || error == EROFS) return PermissionDeniedError(message);
  if (error == ENOSPC || error == EDQUOT || error == ENOMEM) return ResourceExhaustedError(message);
  return UnavailableError(message);
}

Result<std::string> ReadDescriptor(int fd, const std::string& path, std::size_t max_bytes) {
  std::string bytes;
  std::size_t used = 0;
  while (true) {
    bytes.resize(used + std::size_t{65536} + used / 2);
    const ssize_t count = ::read(fd, bytes.data() + used, bytes.size() - used);
    if (count < 0) {
      if (errno == EINTR) continue;
      return SystemError(path, "read", errno);
    }
    if (count == 0) break;
    used += static_cast<std::size_t>(count);
    if (used > max_bytes) {
      return ResourceExhaustedError(path + ": longer than the limit of " +
                                    std::to_string(max_bytes) + " bytes");
    }
  }
  bytes.resize(used);
  return bytes;
}

}  // namespace

MappedFile::MappedFile(MappedFile&& other) noexcept
    : data_(std::exchange(other.data_, nullptr)),
      size_(std::exchange(other.size_, 0)),
      fd_(std::exchange(other.fd_, -1)),
      path_(std::move(other.path_)) {}

MappedFile& MappedFile::operator=(MappedFile&& other) noexcept {
  std::swap(data_, other.data_);
  std::swap(size_, other.size_);
  std::swap(fd_, other.fd_);
  std::swap(path_, other.path_);
  return *this;
}

MappedFile::~MappedFile() {
  if (fd_ >= 0) ::close(fd_);
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-const-cast): munmap takes a plain pointer.
  if (data_ != nullptr) ::munmap(const_cast<std::byte*>(data_), size_);
}

Result<MappedFile> MappedFile::Open(const std::string& path) {
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) return SystemError(path, "open", errno);
  struct stat info{};
  if (::fstat(fd, &info) != 0) {
    const int error = errno;
    ::close(fd);
    return SystemError(path, "stat", error);
  }
  if (!S_ISREG(info.st_mode)) {
    ::close(fd);
    return InvalidArgumentError(path + ": expected a regular file");
  }
  MappedFile file;
  file.path_ = path;
  file.fd_ = fd;
  file.size_ = static_cast<std::size_t>(info.st_size);
  if (file.size_ > 0) {
    void* data = ::mmap(nullptr, file.size_, PROT_READ, MAP_SHARED, fd, 0);
    if (data == MAP_FAILED) {
      file.size_ = 0;
      return SystemError(path, "mmap", errno);
    }
    file.data_ = static_cast<const std::byte*>(data);
  }
  return file;
}

Status MappedFile::ReadAt(std::uint64_t offset, std::span<std::byte> dst) const {
  while (!dst.empty()) {
    const ssize_t count = ::pread(fd_, dst.data(), dst.size(), static_cast<off_t>(offset));
    if (count < 0) {
      if (errno == EINTR) continue;
      return SystemError(path_, "read", errno);
    }
    if (count == 0) {
      return DataLossError(path_ + ": ends at " + std::to_string(offset) + ", " +
                           std::to_string(dst.size()) + " more bytes were expected");
    }
    dst = dst.subspan(static_cast<std::size_t>(count));
    offset += static_cast<std::uint64_t>(count);
  }
  return OkStatus();
}

Result<std::string> ReadFile(const std::string& path, std::size_t max_bytes) {
  if (path == "-") return ReadDescriptor(STDIN_FILENO, "standard input", max_bytes);
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) return SystemError(path, "open", errno);
  Result<std::string> bytes = ReadDescriptor(fd, path, max_bytes);
  ::close(fd);
  return bytes;
}

Status WriteFileAtomic(const std::string& path, std::string_view bytes) {
  ZB_ASSIGN_OR_RETURN(AtomicFileWriter writer, AtomicFileWriter::Create(path));
  ZB_RETURN_IF_ERROR(writer.Write(bytes));
  return writer.Commit();
}

AtomicFileWriter::AtomicFileWriter(AtomicFileWriter&& other) noexcept
    : fd_(std::exchange(other.fd_, -1)),
      position_(std::exchange(other.position_, 0)),
      path_(std::move(other.path_)),
      temporary_path_(std::move(other.temporary_path_)) {}

AtomicFileWriter& AtomicFileWriter::operator=(AtomicFileWriter&& other) noexcept {
  std::swap(fd_, other.fd_);
  std::swap(position_, other.position_);
  std::swap(path_, other.path_);
  std::swap(temporary_path_, other.temporary_path_);
  return *this;
}

AtomicFileWriter::~AtomicFileWriter() { Discard(); }

void AtomicFileWriter::Discard() {
  if (fd_ < 0) return;
  ::close(fd_);
  fd_ = -1;
  if (!temporary_path_.empty()) ::unlink(temporary_path_.c_str());
}

Result<AtomicFileWriter> AtomicFileWriter::Create(const std::string& path) {
  AtomicFileWriter writer;
  writer.path_ = path;
  const std::size_t slash = path.rfind('/');
  const std::string folder = slash == std::string::npos ? "." : path.substr(0, slash + 1);
  // A file without a name vanishes with the process, even when it is killed. Some file systems
  // (overlays, network) have none; there a named temporary file must do.
  // Commit names it through /proc, so that must be there.
  if (::access("/proc/self/fd", X_OK) == 0) {
    writer.fd_ = ::open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0666);
    if (writer.fd_ >= 0) return writer;
  } else {
    errno = EOPNOTSUPP;
  }
  if (errno != EOPNOTSUPP && errno != EISDIR && errno != EINVAL)
    return SystemError(path, "create", errno);
  writer.temporary_path_ = path + ".tmp.XXXXXX";
  writer.fd_ = ::mkostemp(writer.temporary_path_.data(), O_CLOEXEC);
  if (writer.fd_ < 0) return SystemError(path, "create", errno);
  const mode_t mask = ::umask(0);
  ::umask(mask);
  ::fchmod(writer.fd_, static_cast<mode_t>(0666) & ~mask);
  return writer;
}

Status AtomicFileWriter::WriteAt(std::uint64_t offset, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t count = ::pwrite(fd_, bytes.data(), bytes.size(), static_cast<off_t>(offset));
    if (count < 0) {
      if (errno == EINTR) continue;
      return SystemError(path_, "write", errno);
    }
    bytes.remove_prefix(static_cast<std::size_t>(count));
    offset += static_cast<std::uint64_t>(count);
  }
  return OkStatus();
}

Status AtomicFileWriter::Write(std::string_view bytes) {
  ZB_RETURN_IF_ERROR(WriteAt(position_, bytes));
  position_ += bytes.size();
  return OkStatus();
}

Status AtomicFileWriter::Commit() {
  if (::fsync(fd_) != 0) return SystemError(path_, "sync", errno);
  if (temporary_path_.empty()) {
    // linkat never replaces a file, so the target is reached in two steps: a name of our own, then
    // a rename.
    const std::string unnamed = "/proc/self/fd/" + std::to_string(fd_);
    std::string name = path_ + ".tmp." + std::to_string(::getpid());
    int attempt = 0;
    while (::linkat(AT_FDCWD, unnamed.c_str(), AT_FDCWD, name.c_str(), AT_SYMLINK_FOLLOW) != 0) {
      if (errno != EEXIST || ++attempt > 100) return SystemError(path_, "link", errno);
      name = path_ + ".tmp." + std::to_string(::getpid()) + "." + std::to_string(attempt);
    }
    temporary_path_ = std::move(name);
  }
  if (::rename(temporary_path_.c_str(), path_.c_str()) != 0)
    return SystemError(path_, "rename", errno);
  ::close(fd_);
  fd_ = -1;
  return OkStatus();
}

}  // namespace zhibi::base
