// SPDX-License-Identifier: Apache-2.0
#include "export/zip_package.h"

#include <zip.h>

#include <algorithm>
#include <array>
#include <set>

#include "base/status_macros.h"
#include "base/utf8.h"

namespace zhibi::exporting {
namespace {

constexpr std::uint64_t kRatioFrom = std::uint64_t{1} << 20;
constexpr zip_uint16_t kDosDate1980 = (1U << 5U) | 1U;  // 1980-01-01

struct ArchiveCloser {
  void operator()(zip_t* archive) const { zip_discard(archive); }
};
struct EntryCloser {
  void operator()(zip_file_t* file) const { zip_fclose(file); }
};
struct SourceFreer {
  void operator()(zip_source_t* source) const { zip_source_free(source); }
};
using Archive = std::unique_ptr<zip_t, ArchiveCloser>;
using Source = std::unique_ptr<zip_source_t, SourceFreer>;

std::string TextOf(zip_error_t* error) {
  std::string text = zip_error_strerror(error);
  zip_error_fini(error);
  return text;
}

// Entries that the record at the end of the archive declares, before libzip reads them all; 0: no
// such record (libzip says what is wrong then). Of several, the largest: a comment may hold one.
std::uint64_t DeclaredEntries(std::string_view bytes) {
  constexpr std::string_view kEndRecord = "PK\x05\x06";
  constexpr std::size_t kRecordBytes = 22;
  constexpr std::size_t kReach = 65535 + kRecordBytes;  // the longest comment
  std::uint64_t most = 0;
  std::size_t at = bytes.size() > kReach ? bytes.size() - kReach : 0;
  for (; (at = bytes.find(kEndRecord, at)) != std::string_view::npos; ++at) {
    if (bytes.size() - at < kRecordBytes) break;
    const auto low = static_cast<unsigned char>(bytes[at + 10]);
    const auto high = static_cast<unsigned char>(bytes[at + 11]);
    most = std::max<std::uint64_t>(most, low + 256U * high);
  }
  return most;
}

// Nothing is unpacked to disk, but a name that climbs is a lie about what the file is, and of two
// equal names every reader takes another.
Status CheckNames(zip_t* archive, zip_int64_t entries, const std::string& source) {
  std::set<std::string> names;
  for (zip_int64_t i = 0; i < entries; ++i) {
    const char* raw = zip_get_name(archive, static_cast<zip_uint64_t>(i), 0);
    const std::string name = raw == nullptr ? "" : base::RepairUtf8(raw);
    const std::string where = source + ": " + name;
    const bool drive = name.size() > 1 && name[1] == ':';
    if (name.empty() || name.starts_with('/') || name.starts_with('\\') || drive)
      return InvalidArgumentError(where + ": 绝对路径 / an absolute path in the archive");
    if (("/" + name + "/").find("/../") != std::string::npos)
      return InvalidArgumentError(where + ": 路径越出压缩包 / a path that leaves the archive");
    if (!names.insert(name).second)
      return InvalidArgumentError(where + ": 同名重复 / two parts of this name");
  }
  return OkStatus();
}

}  // namespace

struct ZipReader::Impl {
  Archive archive;
  std::string source;
  ZipLimits limits;
  std::uint64_t read_bytes = 0;
};

ZipReader::ZipReader(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
ZipReader::ZipReader(ZipReader&&) noexcept = default;
ZipReader& ZipReader::operator=(ZipReader&&) noexcept = default;
ZipReader::~ZipReader() = default;
const std::string& ZipReader::source() const { return impl_->source; }

Result<ZipReader> ZipReader::Open(std::string_view bytes, std::string_view source,
                                  const ZipLimits& limits) {
  const std::string name(source);
  if (bytes.size() > limits.max_archive_bytes)
    return ResourceExhaustedError(name + ": " + std::to_string(bytes.size()) + " bytes, at most " +
                                  std::to_string(limits.max_archive_bytes));
  const auto too_many = [&](std::uint64_t entries) {
    return ResourceExhaustedError(name + ": " + std::to_string(entries) + " entries, at most " +
                                  std::to_string(limits.max_entries));
  };
  // libzip takes memory for every entry before it can be asked.
  if (const std::uint64_t declared = DeclaredEntries(bytes); declared > limits.max_entries)
    return too_many(declared);
  zip_error_t error;
  zip_error_init(&error);
  Source buffer(zip_source_buffer_create(bytes.data(), bytes.size(), 0, &error));
  if (!buffer) return InvalidArgumentError(name + ": " + TextOf(&error));
  auto impl = std::make_unique<Impl>();
  impl->archive.reset(zip_open_from_source(buffer.get(), ZIP_RDONLY, &error));
  if (!impl->archive)
    return InvalidArgumentError(
        name + ": 不是 DOCX/XLSX（ZIP）文件 / not a ZIP archive: " + TextOf(&error));
  // The archive owns it now.
  static_cast<void>(buffer.release());  // NOLINT(bugprone-unused-return-value)
  zip_error_fini(&error);
  const zip_int64_t entries = zip_get_num_entries(impl->archive.get(), 0);
  if (entries < 0 || static_cast<std::uint64_t>(entries) > limits.max_entries)
    return too_many(static_cast<std::uint64_t>(entries));
  ZB_RETURN_IF_ERROR(CheckNames(impl->archive.get(), entries, name));
  impl->source = name;
  impl->limits = limits;
  return ZipReader(std::move(impl));
}

bool ZipReader::Has(const std::string& name) const {
  return zip_name_locate(impl_->archive.get(), name.c_str(), 0) >= 0;
}

Result<std::string> ZipReader::Read(const std::string& name) {
  zip_t* archive = impl_->archive.get();
  const std::string where = impl_->source + ": " + name;
  const zip_int64_t index = zip_name_locate(archive, name.c_str(), 0);
  if (index < 0) return NotFoundError(where + ": the archive has no such part");
  zip_stat_t stat;
  zip_stat_init(&stat);
  if (zip_stat_index(archive, static_cast<zip_uint64_t>(index), 0, &stat) != 0 ||
      (stat.valid & ZIP_STAT_SIZE) == 0 || (stat.valid & ZIP_STAT_COMP_SIZE) == 0)
    return DataLossError(where + ": no sizes are recorded");
  if ((stat.valid & ZIP_STAT_ENCRYPTION_METHOD) != 0 && stat.encryption_method != ZIP_EM_NONE)
    return InvalidArgumentError(where + ": 文件有密码 / the part is encrypted");
  if (stat.size > impl_->limits.max_part_bytes)
    return ResourceExhaustedError(where + ": " + std::to_string(stat.size) +
                                  " bytes inflated, at most " +
                                  std::to_string(impl_->limits.max_part_bytes));
  if (stat.size > kRatioFrom &&
      stat.size / std::max<zip_uint64_t>(stat.comp_size, 1) > impl_->limits.max_ratio)
    return ResourceExhaustedError(where + ": inflates to " + std::to_string(stat.size) +
                                  " bytes from " + std::to_string(stat.comp_size) + ", at most " +
                                  std::to_string(impl_->limits.max_ratio) + " times");
  impl_->read_bytes += stat.size;
  if (impl_->read_bytes > impl_->limits.max_total_bytes)
    return ResourceExhaustedError(where + ": all parts inflate to over " +
                                  std::to_string(impl_->limits.max_total_bytes) + " bytes");
  const std::unique_ptr<zip_file_t, EntryCloser> file(
      zip_fopen_index(archive, static_cast<zip_uint64_t>(index), 0));
  if (!file) return DataLossError(where + ": " + zip_strerror(archive));
  // Piece by piece: the recorded size may be a lie, and memory is taken only for what is there.
  std::string out;
  std::array<char, 16384> piece;
  while (true) {
    const zip_int64_t got = zip_fread(file.get(), piece.data(), piece.size());
    if (got < 0) return DataLossError(where + ": " + zip_file_strerror(file.get()));
    if (got == 0) break;
    out.append(piece.data(), static_cast<std::size_t>(got));
    if (out.size() > stat.size)
      return DataLossError(where + ": longer than the " + std::to_string(stat.size) +
                           " bytes it declares");
  }
  if (out.size() != stat.size)
    return DataLossError(where + ": declares " + std::to_string(stat.size) + " bytes, holds " +
                         std::to_string(out.size()));
  return out;
}

Result<std::string> WriteZip(const std::vector<std::pair<std::string, std::string>>& parts) {
  zip_error_t error;
  zip_error_init(&error);
  Source target(zip_source_buffer_create(nullptr, 0, 0, &error));
  if (!target) return InternalError("zip: " + TextOf(&error));
  Archive archive(zip_open_from_source(target.get(), ZIP_TRUNCATE, &error));
  if (!archive) return InternalError("zip: " + TextOf(&error));
  zip_error_fini(&error);
  zip_source_keep(target.get());  // one reference is the archive's, one stays here
  for (const auto& [name, text] : parts) {
    Source part(zip_source_buffer(archive.get(), text.data(), text.size(), 0));
    if (!part) return InternalError("zip: " + std::string(zip_strerror(archive.get())));
    const zip_int64_t index =
        zip_file_add(archive.get(), name.c_str(), part.get(), ZIP_FL_ENC_UTF_8);
    if (index < 0) return InternalError("zip: " + std::string(zip_strerror(archive.get())));
    // The archive owns it now.
    static_cast<void>(part.release());  // NOLINT(bugprone-unused-return-value)
    const auto entry = static_cast<zip_uint64_t>(index);
    zip_set_file_compression(archive.get(), entry, ZIP_CM_DEFLATE, 6);
    zip_file_set_dostime(archive.get(), entry, 0, kDosDate1980, 0);
  }
  if (zip_close(archive.get()) != 0)
    return InternalError("zip: " + std::string(zip_strerror(archive.get())));
  // Closed, so no longer ours.
  static_cast<void>(archive.release());  // NOLINT(bugprone-unused-return-value)
  zip_stat_t stat;
  zip_stat_init(&stat);
  if (zip_source_open(target.get()) != 0 || zip_source_stat(target.get(), &stat) != 0)
    return InternalError("zip: the written archive cannot be read back");
  std::string out(stat.size, '\0');
  const zip_int64_t got = zip_source_read(target.get(), out.data(), out.size());
  zip_source_close(target.get());
  if (got < 0 || static_cast<std::size_t>(got) != out.size())
    return InternalError("zip: the written archive cannot be read back");
  return out;
}

}  // namespace zhibi::exporting
