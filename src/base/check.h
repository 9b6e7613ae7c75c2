// SPDX-License-Identifier: Apache-2.0
// ZB_CHECK (always) and ZB_DCHECK (debug builds): only for what our own bug can cause. A check must
// be unreachable from any input; a fuzzer that reaches one has found a bug.
#pragma once

namespace zhibi::base {

// Prints file, line and condition to standard error, then aborts.
[[noreturn]] void CheckFailed(const char* file, int line, const char* condition);

}  // namespace zhibi::base

#define ZB_CHECK(condition) \
  ((condition) ? static_cast<void>(0) : ::zhibi::base::CheckFailed(__FILE__, __LINE__, #condition))

#ifdef NDEBUG
#define ZB_DCHECK(condition) static_cast<void>(sizeof(!(condition)))
#else
#define ZB_DCHECK(condition) ZB_CHECK(condition)
#endif
