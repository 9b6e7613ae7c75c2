// SPDX-License-Identifier: Apache-2.0
#include "base/check.h"

#include <cstdio>
#include <cstdlib>

namespace zhibi::base {

void CheckFailed(const char* file, int line, const char* condition) {
  std::fprintf(stderr, "zhibi: check failed at %s:%d: %s\n", file, line, condition);
  std::abort();
}

}  // namespace zhibi::base
