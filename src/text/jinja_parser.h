// SPDX-License-Identifier: Apache-2.0
// Recursive descent parser of the Jinja subset: tokens to syntax tree. Tags known: for (with filter
// and else), if, set (names, namespace attributes, blocks), macro, filter, with, break, continue,
// generation, raw. Inheritance, includes and imports are refused by name: a template has no way to
// other files. Thread-safe.
#pragma once

#include <string_view>

#include "text/jinja_ast.h"
#include "text/jinja_lexer.h"
#include "zhibi/status.h"

namespace zhibi::text::jinja {

// kInvalidArgument: "line 3: expected 'endif', got 'endfor'", without the template's name.
Result<Body> ParseTemplate(std::string_view source, const LexOptions& options);

}  // namespace zhibi::text::jinja
