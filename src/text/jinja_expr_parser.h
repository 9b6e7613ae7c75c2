// SPDX-License-Identifier: Apache-2.0
// Expressions of the Jinja subset, with Jinja's precedence (lowest first): conditional, or, and,
// not, comparison,
// + -, ~, * / // %, **, unary sign, then postfix (attribute, index, slice, call), filter and test.
// The parser holds the token stream; the statement parser (jinja_parser.cc) shares it. One thread
// at a time.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "text/jinja_ast.h"
#include "text/jinja_lexer.h"
#include "zhibi/status.h"

namespace zhibi::text::jinja {

class ExprParser {
 public:
  explicit ExprParser(std::vector<Token> tokens) : tokens_(std::move(tokens)) {}

  const Token& current() const { return tokens_[at_]; }
  const Token& peek() const { return tokens_[at_ + 1 < tokens_.size() ? at_ + 1 : at_]; }
  void Next() {
    if (at_ + 1 < tokens_.size()) ++at_;
  }
  bool AtOperator(std::string_view op) const;
  bool AtName(std::string_view name) const;
  bool AcceptOperator(std::string_view op);
  bool AcceptName(std::string_view name);
  Status ExpectOperator(std::string_view op);
  Result<std::string> ExpectName(std::string_view what);
  Status Expect(TokenKind kind, std::string_view what);
  Status Error(const std::string& what) const;

  // One expression, conditional included.
  Result<ExprPtr> Conditional();
  Result<ExprPtr> Or();
  // Expressions separated by commas become a tuple; a single one stays itself.
  Result<ExprPtr> Tuple(bool with_conditional);
  // Filters after an expression, or a chain without input when `input` is null (block set, filter
  // block). The first filter of a chain without input has a null args[0].
  Result<ExprPtr> FilterChain(ExprPtr input);

 private:
  class Nesting;
  Result<ExprPtr> And();
  Result<ExprPtr> Not();
  Result<ExprPtr> Compare();
  Result<ExprPtr> Sum();
  Result<ExprPtr> Concat();
  Result<ExprPtr> Product();
  Result<ExprPtr> Power();
  Result<ExprPtr> Unary(bool with_filter);
  Result<ExprPtr> Primary();
  Result<ExprPtr> NameOrConstant();
  Result<ExprPtr> Number();
  Result<ExprPtr> ListLiteral();
  Result<ExprPtr> DictLiteral();
  Result<ExprPtr> Parenthesis();
  Result<ExprPtr> Postfix(ExprPtr node);
  Result<ExprPtr> FiltersAndTests(ExprPtr node);
  Result<ExprPtr> Subscript(ExprPtr node);
  Result<ExprPtr> OneFilter(ExprPtr input);
  Result<ExprPtr> Test(ExprPtr node);
  Status Arguments(Expr& call);
  Result<ExprPtr> BinaryChain(Result<ExprPtr> (ExprParser::*operand)(),
                              const std::vector<std::string_view>& ops);

  ExprPtr New(ExprKind kind) const;
  // Checks and records the depth of a finished node.
  Result<ExprPtr> Close(ExprPtr node) const;

  std::vector<Token> tokens_;
  std::size_t at_ = 0;
  int nesting_ = 0;
};

}  // namespace zhibi::text::jinja
