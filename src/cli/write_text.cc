// SPDX-License-Identifier: Apache-2.0
#include "cli/write_text.h"

#include <cstdio>

#include "base/file.h"

namespace zhibi::cli {

Status WriteText(const std::string& path, std::string_view text) {
  if (!path.empty()) return base::WriteFileAtomic(path, text);
  if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size()) {
    return UnavailableError("standard output: could not be written");
  }
  return OkStatus();
}

}  // namespace zhibi::cli
