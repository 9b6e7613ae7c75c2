// SPDX-License-Identifier: Apache-2.0
// One spelling for the rules to read: full-width digits and letters become ASCII, ASCII brackets
// full width, 〈〉 and its look-alikes 〈〉, CR LF one line feed. Each byte of the result knows the
// byte of the original it came from. Thread-safe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "rules/finding.h"

namespace zhibi::rules {

struct EvenText {
  std::string text;
  std::vector<std::uint32_t> origin;  // text.size() + 1 entries, rising

  Span Original(Span span) const { return {origin[span.begin], origin[span.end]}; }
};

// `original`: valid UTF-8 below 4 GiB.
EvenText EvenWidth(std::string_view original);

}  // namespace zhibi::rules
