// SPDX-License-Identifier: Apache-2.0
// ZB_RETURN_IF_ERROR and ZB_ASSIGN_OR_RETURN. Not in include/: public headers carry no macros.
#pragma once

#include <utility>

#include "zhibi/status.h"

#define ZB_MACRO_CONCAT_INNER(a, b) a##b
#define ZB_MACRO_CONCAT(a, b) ZB_MACRO_CONCAT_INNER(a, b)

// expr: a Status. Returns it from the calling function unless it is ok.
#define ZB_RETURN_IF_ERROR(expr)             \
  do {                                       \
    ::zhibi::Status zb_status_ = (expr);     \
    if (!zb_status_.ok()) return zb_status_; \
  } while (false)

// lhs: a declaration or an lvalue; expr: a Result<T>. Returns the status on failure, moves the
// value otherwise.
#define ZB_ASSIGN_OR_RETURN(lhs, expr) \
  ZB_ASSIGN_OR_RETURN_IMPL(ZB_MACRO_CONCAT(zb_result_, __COUNTER__), lhs, expr)
// NOLINTBEGIN(bugprone-macro-parentheses): lhs may be a declaration, result is a made-up name.
#define ZB_ASSIGN_OR_RETURN_IMPL(result, lhs, expr)    \
  auto result = (expr);                                \
  if (!result.ok()) return std::move(result).status(); \
  lhs = std::move(result).value()
// NOLINTEND(bugprone-macro-parentheses)
