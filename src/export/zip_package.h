// SPDX-License-Identifier: Apache-2.0
// ZIP containers of office files through libzip: reading foreign bytes under limits, writing the
// same bytes for the same parts. A hostile archive (a bomb, a lie about sizes, an encrypted entry,
// a path that climbs) ends in a Status that names the entry. One thread at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "zhibi/status.h"

namespace zhibi::exporting {

struct ZipLimits {
  std::size_t max_archive_bytes = std::size_t{64} << 20;
  std::size_t max_entries = 4096;
  std::uint64_t max_part_bytes = std::uint64_t{64} << 20;    // inflated, one entry
  std::uint64_t max_total_bytes = std::uint64_t{256} << 20;  // inflated, all that is read
  std::uint64_t max_ratio = 200;  // inflated to stored, for entries over 1 MiB
};

class ZipReader {
 public:
  // `bytes` must outlive the reader; `source` names the file in messages. kInvalidArgument: not a
  // ZIP archive, a name that is absolute, climbs or stands twice; kResourceExhausted: over a limit.
  static Result<ZipReader> Open(std::string_view bytes, std::string_view source,
                                const ZipLimits& limits = {});
  ZipReader(ZipReader&&) noexcept;
  ZipReader& operator=(ZipReader&&) noexcept;
  ~ZipReader();

  bool Has(const std::string& name) const;
  // The inflated entry. kNotFound, kResourceExhausted, kDataLoss, kInvalidArgument (encrypted).
  Result<std::string> Read(const std::string& name);
  const std::string& source() const;

 private:
  struct Impl;
  explicit ZipReader(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

// Parts in the order given, deflated, dated 1980-01-01: equal parts give equal bytes.
Result<std::string> WriteZip(const std::vector<std::pair<std::string, std::string>>& parts);

}  // namespace zhibi::exporting
