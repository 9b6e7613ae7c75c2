// SPDX-License-Identifier: Apache-2.0
// Walks the syntax tree of a template. Scopes follow Jinja: a loop's body and a macro have scopes
// of their own, an if has none; set writes to the innermost scope. Macros are defined in the
// outermost scope only (the parser sees to it), so a macro value never outlives the scope that it
// reads. Thread rule: one rendering, one thread.
#pragma once

#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "text/jinja_ast.h"
#include "text/jinja_builtins.h"

namespace zhibi::text::jinja {

struct Scope {
  explicit Scope(const Scope* outer) : parent(outer) {}
  const Scope* parent;
  std::vector<std::pair<std::string_view, Value>> variables;

  const Value* Find(std::string_view name) const;
  void Set(std::string_view name, Value value);
};

// What `loop` gives inside a for.
struct LoopState {
  const std::vector<Value>* items = nullptr;
  std::size_t index = 0;
  int depth = 1;
};

class Interpreter {
 public:
  explicit Interpreter(Context& context) : context_(context) {}

  Status Run(const Body& body, Scope& globals, MarkedString& out);
  // Line of the first error, 0 for none.
  int error_line() const { return error_line_; }

 private:
  enum class Flow : std::uint8_t { kNext, kBreak, kContinue };

  Result<Flow> ExecBody(const Body& body, Scope& scope, MarkedString& out);
  Result<Flow> Exec(const Stmt& stmt, Scope& scope, MarkedString& out);
  Result<Flow> ExecIf(const Stmt& stmt, Scope& scope, MarkedString& out);
  Result<Flow> ExecFor(const Stmt& stmt, Scope& scope, MarkedString& out);
  Status ExecOutput(const Stmt& stmt, Scope& scope, MarkedString& out);
  Status ExecSet(const Stmt& stmt, Scope& scope);
  // Text of bodies[0] through the filters of exprs[0].
  Result<Value> Capture(const Stmt& stmt, Scope& scope);
  Status Assign(const std::vector<std::string>& targets, const Value& value, Scope& scope);
  Result<std::vector<Value>> LoopItems(const Stmt& stmt, Scope& scope);
  Status Emit(const MarkedString& text, MarkedString& out);

  Result<Value> Eval(const Expr& expr, Scope& scope);
  Result<Value> EvalNode(const Expr& expr, Scope& scope);
  Result<Value> EvalName(const Expr& expr, const Scope& scope) const;
  Result<Value> EvalList(const Expr& expr, Scope& scope);
  Result<Value> EvalDict(const Expr& expr, Scope& scope);
  Result<Value> EvalAttribute(const Expr& expr, Scope& scope);
  Result<Value> EvalIndex(const Expr& expr, Scope& scope);
  Result<Value> EvalSlice(const Expr& expr, Scope& scope);
  Result<Value> EvalCall(const Expr& expr, Scope& scope);
  Result<Value> EvalFilter(const Expr& expr, Scope& scope);
  Result<Value> EvalTest(const Expr& expr, Scope& scope);
  Result<Value> EvalUnary(const Expr& expr, Scope& scope);
  Result<Value> EvalBinary(const Expr& expr, Scope& scope);
  Result<Value> EvalCompare(const Expr& expr, Scope& scope);
  Result<Value> EvalConditional(const Expr& expr, Scope& scope);
  // Arguments after args[0] and the named ones.
  Status EvalArguments(const Expr& expr, Scope& scope, Arguments& arguments);
  Result<Value> CallMacro(const MacroDef& macro, const Arguments& arguments);
  Result<Value> LoopAttribute(const LoopState& loop, std::string_view name) const;
  Result<Value> LoopMethod(const LoopState& loop, std::string_view name,
                           const Arguments& arguments) const;

  Context& context_;
  Scope* globals_ = nullptr;
  Value captured_;  // input of a filter chain without one
  int depth_ = 0;
  int loop_depth_ = 0;
  int error_line_ = 0;
};

}  // namespace zhibi::text::jinja
