// SPDX-License-Identifier: Apache-2.0
// Where the result of a command goes.
#pragma once

#include <string>
#include <string_view>

#include "zhibi/status.h"

namespace zhibi::cli {

// A file that is written whole or not at all; with an empty path standard output. kUnavailable when
// standard output is closed.
Status WriteText(const std::string& path, std::string_view text);

}  // namespace zhibi::cli
