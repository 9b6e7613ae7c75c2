// SPDX-License-Identifier: Apache-2.0
// The version of the program. The engine file carries a version of its own (engine/format.h).
#pragma once

#include <string_view>

namespace zhibi {

// "0.1.0"; semantic versioning.
std::string_view Version();

}  // namespace zhibi
