// SPDX-License-Identifier: Apache-2.0
#include "base/file.h"

#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstring>
#include <string>
#include <utility>

#include <gtest/gtest.h>

#include "base/temp_dir.h"

namespace zhibi::base {
namespace {

TEST(MappedFileTest, MapsWholeFile) {
  const TempDir dir;
  const Result<MappedFile> file = MappedFile::Open(dir.Put("a", "hello"));
  ASSERT_TRUE(file.ok()) << file.status().ToString();
  ASSERT_EQ(file->bytes().size(), 5U);
  EXPECT_EQ(static_cast<char>(file->bytes()[4]), 'o');
}

TEST(MappedFileTest, ReadsAtAnOffsetOfTheFileThatWasOpened) {
  TempDir dir;
  const std::string path = dir.Put("a", "hello world");
  const Result<MappedFile> file = MappedFile::Open(path);
  ASSERT_TRUE(file.ok());
  // Another file takes the name: the bytes stay those of the one that was opened.
  ASSERT_TRUE(WriteFileAtomic(path, "something else").ok());
  std::array<std::byte, 5> bytes{};
  ASSERT_TRUE(file->ReadAt(6, bytes).ok());
  EXPECT_EQ(std::memcmp(bytes.data(), "world", 5), 0);
  const Status past = file->ReadAt(8, bytes);
  EXPECT_EQ(past.code(), StatusCode::kDataLoss);
  EXPECT_NE(past.message().find("ends at 11"), std::string::npos) << past.message();
}

TEST(MappedFileTest, EmptyMissingAndFolder) {
  const TempDir dir;
  const Result<MappedFile> empty = MappedFile::Open(dir.Put("empty", ""));
  ASSERT_TRUE(empty.ok());
  EXPECT_TRUE(empty->bytes().empty());
  const Result<MappedFile> missing = MappedFile::Open(dir.path() + "/missing");
  EXPECT_EQ(missing.status().code(), StatusCode::kNotFound);
  EXPECT_NE(missing.status().message().find("/missing"), std::string::npos);
  EXPECT_EQ(MappedFile::Open(dir.path()).status().code(), StatusCode::kInvalidArgument);
}

TEST(MappedFileTest, MoveKeepsOneOwner) {
  const TempDir dir;
  MappedFile first = MappedFile::Open(dir.Put("a", "first")).value();
  MappedFile second = MappedFile::Open(dir.Put("b", "second")).value();
  second = std::move(first);
  EXPECT_EQ(second.bytes().size(), 5U);
  const MappedFile third = std::move(second);
  EXPECT_EQ(third.path(), dir.path() + "/a");
}

TEST(ReadFileTest, LimitIsInclusive) {
  const TempDir dir;
  const std::string path = dir.Put("a", std::string(100000, 'x'));
  EXPECT_EQ(ReadFile(path, 100000).value().size(), 100000U);
  EXPECT_EQ(ReadFile(path, 99999).status().code(), StatusCode::kResourceExhausted);
  EXPECT_FALSE(ReadFile(dir.path(), 10).ok());
}

TEST(AtomicFileTest, CommitReplacesOldFileWithMode) {
  const TempDir dir;
  const std::string path = dir.Put("out", "old");
  const mode_t old_mask = ::umask(022);
  ASSERT_TRUE(WriteFileAtomic(path, "new text").ok());
  ::umask(old_mask);
  EXPECT_EQ(ReadFile(path, 100).value(), "new text");
  EXPECT_EQ(dir.CountEntries(), 1U);
  struct stat info{};
  ASSERT_EQ(::stat(path.c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777U, 0644U);
}

TEST(AtomicFileTest, WithoutCommitNothingIsLeft) {
  const TempDir dir;
  const std::string path = dir.path() + "/out";
  {
    Result<AtomicFileWriter> writer = AtomicFileWriter::Create(path);
    ASSERT_TRUE(writer.ok()) << writer.status().ToString();
    ASSERT_TRUE(writer->Write("half").ok());
  }
  EXPECT_EQ(dir.CountEntries(), 0U);
}

TEST(AtomicFileTest, KilledProcessLeavesOldFile) {
  const TempDir dir;
  const std::string path = dir.Put("out", "old");
  const pid_t child = ::fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    Result<AtomicFileWriter> writer = AtomicFileWriter::Create(path);
    const bool written = writer.ok() && writer->Write("half").ok();
    if (written) ::kill(::getpid(), SIGKILL);
    ::_exit(1);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  ASSERT_TRUE(WIFSIGNALED(status));
  EXPECT_EQ(ReadFile(path, 100).value(), "old");
}

TEST(AtomicFileTest, WriteAtFillsHolesAndRelativePathsWork) {
  const TempDir dir;
  const std::string path = dir.path() + "/文书 一.txt";
  AtomicFileWriter writer = AtomicFileWriter::Create(path).value();
  ASSERT_TRUE(writer.WriteAt(4, "end").ok());
  ASSERT_TRUE(writer.Write("ab").ok());
  EXPECT_EQ(writer.position(), 2U);
  ASSERT_TRUE(writer.Commit().ok());
  EXPECT_EQ(ReadFile(path, 100).value(), std::string("ab\0\0end", 7));
}

TEST(AtomicFileTest, ErrorsNameThePath) {
  const TempDir dir;
  const Result<AtomicFileWriter> missing = AtomicFileWriter::Create(dir.path() + "/no/such/out");
  ASSERT_FALSE(missing.ok());
  EXPECT_EQ(missing.status().code(), StatusCode::kNotFound);
  EXPECT_NE(missing.status().message().find("/no/such/out"), std::string::npos);
  // The target is a folder: the rename fails and the temporary name goes.
  ASSERT_FALSE(WriteFileAtomic(dir.path(), "x").ok());
  EXPECT_EQ(dir.CountEntries(), 0U);
}

TEST(AtomicFileTest, FullDiskIsAnErrorAndLeavesOldFile) {
  const TempDir dir;
  const std::string path = dir.Put("out", "old");
  const pid_t child = ::fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    // A file size limit stands for the full disk: the write fails in its middle.
    ::signal(SIGXFSZ, SIG_IGN);
    const struct rlimit limit{4096, 4096};
    if (::setrlimit(RLIMIT_FSIZE, &limit) != 0) ::_exit(2);
    ::_exit(WriteFileAtomic(path, std::string(100000, 'x')).ok() ? 1 : 0);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 0);
  EXPECT_EQ(ReadFile(path, 100).value(), "old");
  EXPECT_EQ(dir.CountEntries(), 1U);
}

}  // namespace
}  // namespace zhibi::base
