// SPDX-License-Identifier: Apache-2.0
// An office package for fuzzers: bytes that begin with PK as they are; anything else as the parts
// of a package in plain text, each behind a line "%% NAME", so that a mutation of XML is not lost
// to a checksum.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "support/zip_bytes.h"

namespace zhibi::testing_support {

inline std::string PackageOf(std::string_view data) {
  if (data.substr(0, 2) == "PK") return std::string(data);
  std::vector<RawEntry> parts;
  while (!data.empty()) {
    const std::size_t end = data.find('\n');
    const std::string_view line = data.substr(0, end);
    data.remove_prefix(end == std::string_view::npos ? data.size() : end + 1);
    if (line.substr(0, 3) == "%% ") {
      parts.push_back({std::string(line.substr(3)), "", 0, 0});
    } else if (!parts.empty()) {
      parts.back().data.append(line).append("\n");
    }
  }
  return ZipBytes(parts);
}

}  // namespace zhibi::testing_support
