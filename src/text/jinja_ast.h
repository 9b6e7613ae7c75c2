// SPDX-License-Identifier: Apache-2.0
// Syntax tree of a template. Immutable after parsing; the parser limits its depth (kMaxTreeDepth),
// so that walking and freeing it can't exhaust the stack. Thread rule: immutable.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "text/jinja_value.h"

namespace zhibi::text::jinja {

inline constexpr int kMaxTreeDepth = 200;

enum class ExprKind : std::uint8_t {
  kLiteral,    // literal
  kName,       // name
  kList,       // args
  kTuple,      // args
  kDict,       // args: key, value, key, value, ...
  kAttribute,  // args[0].name
  kIndex,      // args[0][args[1]]
  kSlice,      // args[0][args[1]:args[2]:args[3]], null where left out
  kCall,       // args[0](args[1..], named)
  kFilter,     // args[0] | name(args[1..], named)
  kTest,       // args[0] is name(args[1..])
  kUnary,      // name: "-", "+", "not"
  kBinary,     // name: + - * / // % ** ~
  kCompare,    // args[0] names[0] args[1] names[1] args[2] ...
  kAnd,
  kOr,
  kConditional,  // args: value, condition, other (null: undefined)
};

struct Expr {
  ExprKind kind = ExprKind::kLiteral;
  int line = 1;
  int depth = 1;
  std::string name;
  Value literal;
  std::vector<std::unique_ptr<Expr>> args;
  std::vector<std::pair<std::string, std::unique_ptr<Expr>>> named;
  std::vector<std::string> names;
};
using ExprPtr = std::unique_ptr<Expr>;

enum class StmtKind : std::uint8_t {
  kText,         // text
  kOutput,       // exprs[0]
  kIf,           // exprs[i] with bodies[i]; one body more than exprs: else
  kFor,          // targets in exprs[0] if exprs[1] (may be null); bodies[0], bodies[1] (else)
  kSet,          // targets = exprs[0], or name.attribute = exprs[0] when `attribute` is not empty
  kSetBlock,     // targets[0] = text of bodies[0], through the filter exprs[0] (may be null)
  kMacro,        // macro
  kGroup,        // bodies[0] in a scope of its own (generation, with)
  kFilterBlock,  // text of bodies[0] through the filter exprs[0]
  kBreak,
  kContinue,
};

struct Stmt;
using Body = std::vector<std::unique_ptr<Stmt>>;

struct MacroDef {
  std::string name;
  std::vector<std::string> parameters;
  std::vector<ExprPtr> defaults;  // of each parameter; null: none
  Body body;
};

struct Stmt {
  StmtKind kind = StmtKind::kText;
  int line = 1;
  std::string text;
  std::string attribute;
  std::vector<std::string> targets;
  std::vector<ExprPtr> exprs;
  std::vector<Body> bodies;
  std::unique_ptr<MacroDef> macro;
};

}  // namespace zhibi::text::jinja
