// SPDX-License-Identifier: Apache-2.0
#include "legal/data_dir.h"

#include <filesystem>
#include <system_error>
#include <utility>

#include "base/paths.h"
#include "base/status_macros.h"

namespace zhibi::legal {

Result<std::string> FindDataDir() {
  ZB_ASSIGN_OR_RETURN(const std::string share, base::ShareDir());
  std::error_code error;
  if (std::filesystem::exists(share + "/data/doctypes", error)) return share + "/data";
  return NotFoundError(share + "/data：其中没有 doctypes 文件夹 (it holds no folder doctypes)");
}

std::string FindShipped(std::string_view relative) {
  Result<std::string> path = base::SharePath(std::string(relative));
  return path.ok() ? std::move(path).value() : std::string();
}

}  // namespace zhibi::legal
