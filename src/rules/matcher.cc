// SPDX-License-Identifier: Apache-2.0
#include "rules/matcher.h"

#include <utility>

#include "base/check.h"

namespace zhibi::rules {

Pattern MustCompile(std::string_view source) {
  Result<Pattern> pattern = Pattern::Compile(source);
  ZB_CHECK(pattern.ok());
  return std::move(pattern).value();
}

}  // namespace zhibi::rules
