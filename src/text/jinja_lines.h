// SPDX-License-Identifier: Apache-2.0
// Splitting at line ends as Python's str.splitlines does. Thread-safe.
#pragma once

#include <string_view>
#include <vector>

#include "text/jinja_string.h"

namespace zhibi::text::jinja {

// The lines without their ends; a text that ends with a line end has no empty last line.
std::vector<MarkedString::Span> SplitLines(std::string_view text);

}  // namespace zhibi::text::jinja
