// SPDX-License-Identifier: Apache-2.0
#include "text/jinja_eval.h"

#include <limits>

#include "base/status_macros.h"

namespace zhibi::text::jinja {
namespace {

// Counts one level of recursion while it lives.
class Level {
 public:
  explicit Level(int& depth) : depth_(depth) { ++depth_; }
  ~Level() { --depth_; }
  Level(const Level&) = delete;
  Level& operator=(const Level&) = delete;

 private:
  int& depth_;
};

}  // namespace

const Value* Scope::Find(std::string_view name) const {
  for (const Scope* scope = this; scope != nullptr; scope = scope->parent) {
    for (const auto& [key, value] : scope->variables) {
      if (key == name) return &value;
    }
  }
  return nullptr;
}

void Scope::Set(std::string_view name, Value value) {
  for (auto& [key, old] : variables) {
    if (key == name) {
      old = std::move(value);
      return;
    }
  }
  variables.emplace_back(name, std::move(value));
}

Status Interpreter::Run(const Body& body, Scope& globals, MarkedString& out) {
  globals_ = &globals;
  Result<Flow> flow = ExecBody(body, globals, out);
  return flow.ok() ? OkStatus() : std::move(flow).status();
}

Result<Interpreter::Flow> Interpreter::ExecBody(const Body& body, Scope& scope, MarkedString& out) {
  const Level level(depth_);
  if (depth_ > context_.options.limits.max_depth)
    return ResourceExhaustedError("the template recurses too deep");
  for (const std::unique_ptr<Stmt>& stmt : body) {
    if (!context_.budget.Take(1)) {
      if (error_line_ == 0) error_line_ = stmt->line;
      return BudgetError();
    }
    Result<Flow> flow = Exec(*stmt, scope, out);
    if (!flow.ok()) {
      if (error_line_ == 0) error_line_ = stmt->line;
      return flow;
    }
    if (*flow != Flow::kNext) return flow;
  }
  return Flow::kNext;
}

Result<Interpreter::Flow> Interpreter::Exec(const Stmt& stmt, Scope& scope, MarkedString& out) {
  switch (stmt.kind) {
    case StmtKind::kText:
      ZB_RETURN_IF_ERROR(Emit(MarkedString(stmt.text), out));
      return Flow::kNext;
    case StmtKind::kOutput:
      ZB_RETURN_IF_ERROR(ExecOutput(stmt, scope, out));
      return Flow::kNext;
    case StmtKind::kIf:
      return ExecIf(stmt, scope, out);
    case StmtKind::kFor:
      return ExecFor(stmt, scope, out);
    case StmtKind::kSet:
      ZB_RETURN_IF_ERROR(ExecSet(stmt, scope));
      return Flow::kNext;
    case StmtKind::kSetBlock: {
      ZB_ASSIGN_OR_RETURN(const Value text, Capture(stmt, scope));
      if (stmt.attribute.empty()) {
        scope.Set(stmt.targets[0], text);
        return Flow::kNext;
      }
      const Value* target = scope.Find(stmt.targets[0]);
      if (target == nullptr || !target->is_namespace()) {
        return InvalidArgumentError("'" + stmt.targets[0] + "' is no namespace");
      }
      target->name_space().Set(stmt.attribute, text);
      return Flow::kNext;
    }
    case StmtKind::kMacro:
      scope.Set(stmt.macro->name, Value::Macro(stmt.macro.get()));
      return Flow::kNext;
    case StmtKind::kGroup: {
      Scope inner(&scope);
      return ExecBody(stmt.bodies[0], inner, out);
    }
    case StmtKind::kFilterBlock: {
      ZB_ASSIGN_OR_RETURN(const Value text, Capture(stmt, scope));
      ZB_ASSIGN_OR_RETURN(const MarkedString printed, Str(text, context_.budget));
      ZB_RETURN_IF_ERROR(Emit(printed, out));
      return Flow::kNext;
    }
    case StmtKind::kBreak:
      return Flow::kBreak;
    case StmtKind::kContinue:
      return Flow::kContinue;
  }
  return Flow::kNext;
}

Status Interpreter::Emit(const MarkedString& text, MarkedString& out) {
  if (!context_.budget.TakeBytes(text.size())) return BudgetError();
  if (out.size() + text.size() > context_.options.limits.max_output_bytes) {
    return ResourceExhaustedError("the output is longer than " +
                                  std::to_string(context_.options.limits.max_output_bytes) +
                                  " bytes");
  }
  out.Append(text);
  return OkStatus();
}

Status Interpreter::ExecOutput(const Stmt& stmt, Scope& scope, MarkedString& out) {
  ZB_ASSIGN_OR_RETURN(Value value, Eval(*stmt.exprs[0], scope));
  if (context_.options.strict_undefined) {
    ZB_ASSIGN_OR_RETURN(value, context_.Defined(value));
  }
  ZB_ASSIGN_OR_RETURN(const MarkedString text, Str(value, context_.budget));
  return Emit(text, out);
}

Result<Interpreter::Flow> Interpreter::ExecIf(const Stmt& stmt, Scope& scope, MarkedString& out) {
  for (std::size_t i = 0; i < stmt.exprs.size(); ++i) {
    ZB_ASSIGN_OR_RETURN(const Value condition, Eval(*stmt.exprs[i], scope));
    if (context_.options.branches != nullptr) {
      BranchLog::Count& count = context_.options.branches->counts[{&stmt, i}];
      ++(condition.Truthy() ? count.taken : count.skipped);
    }
    if (condition.Truthy()) return ExecBody(stmt.bodies[i], scope, out);
  }
  if (stmt.bodies.size() > stmt.exprs.size()) return ExecBody(stmt.bodies.back(), scope, out);
  return Flow::kNext;
}

Result<std::vector<Value>> Interpreter::LoopItems(const Stmt& stmt, Scope& scope) {
  ZB_ASSIGN_OR_RETURN(const Value range, Eval(*stmt.exprs[0], scope));
  ZB_ASSIGN_OR_RETURN(std::vector<Value> items, Iterate(range, context_));
  if (!stmt.exprs[1]) return items;
  std::vector<Value> kept;
  for (Value& item : items) {
    Scope inner(&scope);
    ZB_RETURN_IF_ERROR(Assign(stmt.targets, item, inner));
    ZB_ASSIGN_OR_RETURN(const Value holds, Eval(*stmt.exprs[1], inner));
    if (holds.Truthy()) kept.push_back(std::move(item));
  }
  return kept;
}

Result<Interpreter::Flow> Interpreter::ExecFor(const Stmt& stmt, Scope& scope, MarkedString& out) {
  ZB_ASSIGN_OR_RETURN(const std::vector<Value> items, LoopItems(stmt, scope));
  if (items.empty()) {
    Scope inner(&scope);
    return ExecBody(stmt.bodies[1], inner, out);
  }
  const Level level(loop_depth_);
  LoopState loop;
  loop.items = &items;
  loop.depth = loop_depth_;
  for (loop.index = 0; loop.index < items.size(); ++loop.index) {
    Scope inner(&scope);
    ZB_RETURN_IF_ERROR(Assign(stmt.targets, items[loop.index], inner));
    inner.Set("loop", Value::Loop(&loop));
    ZB_ASSIGN_OR_RETURN(const Flow flow, ExecBody(stmt.bodies[0], inner, out));
    if (flow == Flow::kBreak) break;
  }
  return Flow::kNext;
}

Status Interpreter::Assign(const std::vector<std::string>& targets, const Value& value,
                           Scope& scope) {
  if (targets.size() == 1) {
    scope.Set(targets[0], value);
    return OkStatus();
  }
  ZB_ASSIGN_OR_RETURN(const std::vector<Value> parts, Iterate(value, context_));
  if (parts.size() != targets.size()) {
    return InvalidArgumentError("expected " + std::to_string(targets.size()) +
                                " values to unpack, got " + std::to_string(parts.size()));
  }
  for (std::size_t i = 0; i < targets.size(); ++i) scope.Set(targets[i], parts[i]);
  return OkStatus();
}

Status Interpreter::ExecSet(const Stmt& stmt, Scope& scope) {
  ZB_ASSIGN_OR_RETURN(const Value value, Eval(*stmt.exprs[0], scope));
  if (stmt.attribute.empty()) return Assign(stmt.targets, value, scope);
  const Value* target = scope.Find(stmt.targets[0]);
  if (target == nullptr || !target->is_namespace()) {
    return InvalidArgumentError("'" + stmt.targets[0] + "' is no namespace");
  }
  if (!value.is_plain()) return TypeError("attribute of a namespace", "a plain value", value);
  target->name_space().Set(stmt.attribute, value);
  return OkStatus();
}

Result<Value> Interpreter::Capture(const Stmt& stmt, Scope& scope) {
  MarkedString text;
  Scope inner(&scope);
  ZB_RETURN_IF_ERROR([&]() -> Status {
    const Result<Flow> flow = ExecBody(stmt.bodies[0], inner, text);
    return flow.ok() ? OkStatus() : flow.status();
  }());
  ZB_ASSIGN_OR_RETURN(Value value, context_.NewString(std::move(text)));
  if (!stmt.exprs[0]) return value;
  std::swap(captured_, value);
  Result<Value> filtered = Eval(*stmt.exprs[0], scope);
  std::swap(captured_, value);
  return filtered;
}

Result<Value> Interpreter::Eval(const Expr& expr, Scope& scope) {
  const Level level(depth_);
  Result<Value> result =
      depth_ > context_.options.limits.max_depth
          ? Result<Value>(ResourceExhaustedError("the template recurses too deep"))
      : context_.budget.Take(1) ? EvalNode(expr, scope)
                                : Result<Value>(BudgetError());
  if (!result.ok() && error_line_ == 0) error_line_ = expr.line;
  return result;
}

Result<Value> Interpreter::EvalNode(const Expr& expr, Scope& scope) {
  switch (expr.kind) {
    case ExprKind::kLiteral:
      return expr.literal;
    case ExprKind::kName:
      return EvalName(expr, scope);
    case ExprKind::kList:
    case ExprKind::kTuple:
      return EvalList(expr, scope);
    case ExprKind::kDict:
      return EvalDict(expr, scope);
    case ExprKind::kAttribute:
      return EvalAttribute(expr, scope);
    case ExprKind::kIndex:
      return EvalIndex(expr, scope);
    case ExprKind::kSlice:
      return EvalSlice(expr, scope);
    case ExprKind::kCall:
      return EvalCall(expr, scope);
    case ExprKind::kFilter:
      return EvalFilter(expr, scope);
    case ExprKind::kTest:
      return EvalTest(expr, scope);
    case ExprKind::kUnary:
      return EvalUnary(expr, scope);
    case ExprKind::kBinary:
      return EvalBinary(expr, scope);
    case ExprKind::kCompare:
      return EvalCompare(expr, scope);
    case ExprKind::kAnd:
    case ExprKind::kOr: {
      ZB_ASSIGN_OR_RETURN(Value left, Eval(*expr.args[0], scope));
      if (left.Truthy() == (expr.kind == ExprKind::kOr)) return left;
      return Eval(*expr.args[1], scope);
    }
    case ExprKind::kConditional:
      return EvalConditional(expr, scope);
  }
  return Value();
}

Result<Value> Interpreter::EvalName(const Expr& expr, const Scope& scope) const {
  const Value* found = scope.Find(expr.name);
  if (found != nullptr) return *found;
  if (IsFunction(expr.name)) return Value::MakeFunction(expr.name);
  return Value::MakeUndefined("'" + expr.name + "'");
}

Result<Value> Interpreter::EvalList(const Expr& expr, Scope& scope) {
  std::vector<Value> items;
  items.reserve(expr.args.size());
  for (const ExprPtr& arg : expr.args) {
    ZB_ASSIGN_OR_RETURN(Value item, Eval(*arg, scope));
    items.push_back(std::move(item));
  }
  return Value::MakeList(std::move(items), expr.kind == ExprKind::kTuple);
}

Result<Value> Interpreter::EvalDict(const Expr& expr, Scope& scope) {
  std::vector<std::pair<MarkedString, Value>> entries;
  for (std::size_t i = 0; i < expr.args.size(); i += 2) {
    ZB_ASSIGN_OR_RETURN(const Value key, Eval(*expr.args[i], scope));
    if (!key.is_string()) return TypeError("key of a dict", "a string", key);
    ZB_ASSIGN_OR_RETURN(Value value, Eval(*expr.args[i + 1], scope));
    bool replaced = false;
    for (auto& [name, old] : entries) {
      if (name.text() != key.string().text()) continue;
      old = value;
      replaced = true;
    }
    if (!replaced) entries.emplace_back(key.string(), std::move(value));
  }
  return Value::MakeDict(std::move(entries));
}

Result<Value> Interpreter::EvalAttribute(const Expr& expr, Scope& scope) {
  ZB_ASSIGN_OR_RETURN(const Value object, Eval(*expr.args[0], scope));
  if (object.is_loop()) return LoopAttribute(*object.loop(), expr.name);
  if (object.is_undefined()) return context_.Defined(object);
  return GetAttribute(object, expr.name);
}

Result<Value> Interpreter::EvalIndex(const Expr& expr, Scope& scope) {
  ZB_ASSIGN_OR_RETURN(const Value object, Eval(*expr.args[0], scope));
  ZB_ASSIGN_OR_RETURN(const Value key, Eval(*expr.args[1], scope));
  return GetItem(object, key, context_);
}

Result<Value> Interpreter::EvalSlice(const Expr& expr, Scope& scope) {
  ZB_ASSIGN_OR_RETURN(const Value object, Eval(*expr.args[0], scope));
  Value parts[3];
  for (std::size_t i = 0; i < 3; ++i) {
    if (!expr.args[i + 1]) continue;
    ZB_ASSIGN_OR_RETURN(parts[i], Eval(*expr.args[i + 1], scope));
    if (parts[i].is_undefined()) return UndefinedError(parts[i]);
  }
  return Slice(object, parts[0], parts[1], parts[2], context_);
}

Status Interpreter::EvalArguments(const Expr& expr, Scope& scope, Arguments& arguments) {
  for (std::size_t i = 1; i < expr.args.size(); ++i) {
    ZB_ASSIGN_OR_RETURN(Value value, Eval(*expr.args[i], scope));
    arguments.positional.push_back(std::move(value));
  }
  for (const auto& [name, arg] : expr.named) {
    ZB_ASSIGN_OR_RETURN(Value value, Eval(*arg, scope));
    arguments.named.emplace_back(name, std::move(value));
  }
  return OkStatus();
}

Result<Value> Interpreter::EvalCall(const Expr& expr, Scope& scope) {
  const Expr& callee = *expr.args[0];
  Arguments arguments;
  if (callee.kind == ExprKind::kAttribute) {
    ZB_ASSIGN_OR_RETURN(const Value object, Eval(*callee.args[0], scope));
    ZB_RETURN_IF_ERROR(EvalArguments(expr, scope, arguments));
    if (object.is_loop()) return LoopMethod(*object.loop(), callee.name, arguments);
    return CallMethod(object, callee.name, arguments, context_);
  }
  ZB_ASSIGN_OR_RETURN(const Value function, Eval(callee, scope));
  ZB_RETURN_IF_ERROR(EvalArguments(expr, scope, arguments));
  if (function.is_macro()) return CallMacro(*function.macro(), arguments);
  if (function.is_function()) return CallFunction(function.function(), arguments, context_);
  return TypeError("call", "a macro or function", function);
}

Result<Value> Interpreter::CallMacro(const MacroDef& macro, const Arguments& arguments) {
  std::string parameters;
  for (const std::string& name : macro.parameters)
    parameters += (parameters.empty() ? "" : " ") + name;
  ZB_ASSIGN_OR_RETURN(const Bound bound, Bind("macro '" + macro.name + "'", parameters, arguments));
  Scope scope(globals_);
  for (std::size_t i = 0; i < bound.size(); ++i) {
    Value value = Value::MakeUndefined("parameter '" + macro.parameters[i] + "' of macro '" +
                                       macro.name + "'");
    if (bound[i] != nullptr) {
      value = *bound[i];
    } else if (macro.defaults[i]) {
      ZB_ASSIGN_OR_RETURN(value, Eval(*macro.defaults[i], scope));
    }
    scope.Set(macro.parameters[i], std::move(value));
  }
  MarkedString text;
  Result<Flow> flow = ExecBody(macro.body, scope, text);
  if (!flow.ok()) return std::move(flow).status().WithContext("macro '" + macro.name + "'");
  return context_.NewString(std::move(text));
}

Result<Value> Interpreter::EvalFilter(const Expr& expr, Scope& scope) {
  Value input = captured_;
  if (expr.args[0]) {
    ZB_ASSIGN_OR_RETURN(input, Eval(*expr.args[0], scope));
  }
  Arguments arguments;
  ZB_RETURN_IF_ERROR(EvalArguments(expr, scope, arguments));
  return ApplyFilter(expr.name, input, arguments, context_);
}

Result<Value> Interpreter::EvalTest(const Expr& expr, Scope& scope) {
  ZB_ASSIGN_OR_RETURN(const Value input, Eval(*expr.args[0], scope));
  Arguments arguments;
  ZB_RETURN_IF_ERROR(EvalArguments(expr, scope, arguments));
  if (!arguments.named.empty()) return InvalidArgumentError("a test takes no named arguments");
  // A method read without a call is defined, though it is no value here.
  if (expr.name == "defined" && expr.args[0]->kind == ExprKind::kAttribute &&
      input.is_undefined()) {
    ZB_ASSIGN_OR_RETURN(const Value object, Eval(*expr.args[0]->args[0], scope));
    return Value::Bool(HasMethod(object, expr.args[0]->name));
  }
  ZB_ASSIGN_OR_RETURN(const bool holds,
                      ApplyTest(expr.name, input, arguments.positional, context_));
  return Value::Bool(holds);
}

Result<Value> Interpreter::EvalUnary(const Expr& expr, Scope& scope) {
  ZB_ASSIGN_OR_RETURN(const Value operand, Eval(*expr.args[0], scope));
  if (expr.name == "not") return Value::Bool(!operand.Truthy());
  if (!operand.is_number()) return TypeError("sign '" + expr.name + "'", "a number", operand);
  if (expr.name == "+") return operand;
  if (operand.is_float()) return Value::Float(-operand.real());
  return Binary("-", Value::Int(0), operand, context_);
}

Result<Value> Interpreter::EvalBinary(const Expr& expr, Scope& scope) {
  ZB_ASSIGN_OR_RETURN(const Value left, Eval(*expr.args[0], scope));
  ZB_ASSIGN_OR_RETURN(const Value right, Eval(*expr.args[1], scope));
  return Binary(expr.name, left, right, context_);
}

Result<Value> Interpreter::EvalCompare(const Expr& expr, Scope& scope) {
  ZB_ASSIGN_OR_RETURN(Value left, Eval(*expr.args[0], scope));
  for (std::size_t i = 0; i < expr.names.size(); ++i) {
    ZB_ASSIGN_OR_RETURN(Value right, Eval(*expr.args[i + 1], scope));
    ZB_ASSIGN_OR_RETURN(const bool holds, Compare(expr.names[i], left, right, context_));
    if (!holds) return Value::Bool(false);
    left = std::move(right);
  }
  return Value::Bool(true);
}

Result<Value> Interpreter::EvalConditional(const Expr& expr, Scope& scope) {
  ZB_ASSIGN_OR_RETURN(const Value condition, Eval(*expr.args[1], scope));
  if (condition.Truthy()) return Eval(*expr.args[0], scope);
  if (expr.args[2]) return Eval(*expr.args[2], scope);
  return Value::MakeUndefined("a conditional expression without else, whose condition is false,");
}

Result<Value> Interpreter::LoopAttribute(const LoopState& loop, std::string_view name) const {
  const auto index = static_cast<std::int64_t>(loop.index);
  const auto length = static_cast<std::int64_t>(loop.items->size());
  if (name == "index") return Value::Int(index + 1);
  if (name == "index0") return Value::Int(index);
  if (name == "revindex") return Value::Int(length - index);
  if (name == "revindex0") return Value::Int(length - index - 1);
  if (name == "first") return Value::Bool(index == 0);
  if (name == "last") return Value::Bool(index + 1 == length);
  if (name == "length") return Value::Int(length);
  if (name == "depth") return Value::Int(loop.depth);
  if (name == "depth0") return Value::Int(loop.depth - 1);
  if (name == "previtem" && index > 0) return (*loop.items)[loop.index - 1];
  if (name == "nextitem" && index + 1 < length) return (*loop.items)[loop.index + 1];
  return Value::MakeUndefined("'" + std::string(name) + "' of the loop");
}

Result<Value> Interpreter::LoopMethod(const LoopState& loop, std::string_view name,
                                      const Arguments& arguments) const {
  if (name != "cycle" || arguments.positional.empty() || !arguments.named.empty()) {
    return InvalidArgumentError("a loop has no method '" + std::string(name) +
                                "' with these arguments");
  }
  return arguments.positional[loop.index % arguments.positional.size()];
}

}  // namespace zhibi::text::jinja
