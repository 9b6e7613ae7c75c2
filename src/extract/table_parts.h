// SPDX-License-Identifier: Apache-2.0
// What reading and printing the table of elements share.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>

#include "base/utf8.h"

namespace zhibi::extract {

// plaintiffs[2].name is described by plaintiffs[0].name.
std::string FirstOf(const std::string& path);
// Without blanks at the ends.
std::string Trimmed(std::string_view text);

}  // namespace zhibi::extract
