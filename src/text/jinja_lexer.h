// SPDX-License-Identifier: Apache-2.0
// Lexer of the Jinja subset: splits a template into text, tags and tokens, with white space control
// as Jinja 3 has it
// ("-", "+", trim_blocks, lstrip_blocks; one newline at the end of the template is dropped, line
// ends become \n). Source: template designer documentation of Jinja 3.1, checked against the
// library by tests/text. Thread-safe.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "zhibi/status.h"

namespace zhibi::text::jinja {

enum class TokenKind : std::uint8_t {
  kData,        // text between tags
  kBlockBegin,  // {%
  kBlockEnd,
  kOutputBegin,  // {{
  kOutputEnd,
  kName,
  kString,  // text holds the unescaped characters
  kInt,
  kFloat,
  kOperator,
  kEnd,
};

struct Token {
  TokenKind kind = TokenKind::kEnd;
  std::string text;
  int line = 1;
};

struct LexOptions {
  bool trim_blocks = true;
  bool lstrip_blocks = true;
};

// kInvalidArgument: "line 3: ...", without the template's name.
Result<std::vector<Token>> Lex(std::string_view source, const LexOptions& options);

}  // namespace zhibi::text::jinja
