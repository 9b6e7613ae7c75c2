// SPDX-License-Identifier: Apache-2.0
// Where the program's data lies: data/ and models/ of the shared folder (base/paths.h), which the
// switch ZHIBI_SHARE_DIR names where it is not beside the program. Thread-safe.
#pragma once

#include <string>
#include <string_view>

#include "zhibi/status.h"

namespace zhibi::legal {

// The folder that holds doctypes/. kNotFound lists the places that were looked at.
Result<std::string> FindDataDir();

// A file or folder that ships with the program, e.g. "models/zhibi-mini"; empty when there is none.
std::string FindShipped(std::string_view relative);

}  // namespace zhibi::legal
