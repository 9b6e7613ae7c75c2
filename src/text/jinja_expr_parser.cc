// SPDX-License-Identifier: Apache-2.0
#include "text/jinja_expr_parser.h"

#include <algorithm>
#include <charconv>
#include <system_error>

#include "base/status_macros.h"

namespace zhibi::text::jinja {
namespace {

std::string Describe(const Token& token) {
  switch (token.kind) {
    case TokenKind::kData:
      return "text";
    case TokenKind::kBlockBegin:
      return "'{%'";
    case TokenKind::kBlockEnd:
      return "'%}'";
    case TokenKind::kOutputBegin:
      return "'{{'";
    case TokenKind::kOutputEnd:
      return "'}}'";
    case TokenKind::kString:
      return "a string";
    case TokenKind::kEnd:
      return "the end of the template";
    case TokenKind::kName:
    case TokenKind::kInt:
    case TokenKind::kFloat:
    case TokenKind::kOperator:
      break;
  }
  return "'" + token.text + "'";
}

constexpr std::string_view kCompareOps[] = {"==", "!=", "<=", ">=", "<", ">"};

}  // namespace

// Counts the nesting of the parser itself: parentheses and signs recurse before a node exists.
class ExprParser::Nesting {
 public:
  explicit Nesting(int& count) : count_(count) { ++count_; }
  ~Nesting() { --count_; }
  Nesting(const Nesting&) = delete;
  Nesting& operator=(const Nesting&) = delete;
  bool too_deep() const { return count_ > kMaxTreeDepth; }

 private:
  int& count_;
};

bool ExprParser::AtOperator(std::string_view op) const {
  return current().kind == TokenKind::kOperator && current().text == op;
}
bool ExprParser::AtName(std::string_view name) const {
  return current().kind == TokenKind::kName && current().text == name;
}
bool ExprParser::AcceptOperator(std::string_view op) {
  if (!AtOperator(op)) return false;
  Next();
  return true;
}
bool ExprParser::AcceptName(std::string_view name) {
  if (!AtName(name)) return false;
  Next();
  return true;
}
Status ExprParser::ExpectOperator(std::string_view op) {
  if (AcceptOperator(op)) return OkStatus();
  return Error("expected '" + std::string(op) + "', got " + Describe(current()));
}
Result<std::string> ExprParser::ExpectName(std::string_view what) {
  if (current().kind != TokenKind::kName)
    return Error("expected " + std::string(what) + ", got " + Describe(current()));
  std::string name = current().text;
  Next();
  return name;
}
Status ExprParser::Expect(TokenKind kind, std::string_view what) {
  if (current().kind != kind)
    return Error("expected " + std::string(what) + ", got " + Describe(current()));
  Next();
  return OkStatus();
}
Status ExprParser::Error(const std::string& what) const {
  return InvalidArgumentError("line " + std::to_string(current().line) + ": " + what);
}

ExprPtr ExprParser::New(ExprKind kind) const {
  auto node = std::make_unique<Expr>();
  node->kind = kind;
  node->line = current().line;
  return node;
}

Result<ExprPtr> ExprParser::Close(ExprPtr node) const {
  for (const ExprPtr& arg : node->args) {
    if (arg) node->depth = std::max(node->depth, arg->depth + 1);
  }
  for (const auto& [name, arg] : node->named) node->depth = std::max(node->depth, arg->depth + 1);
  if (node->depth > kMaxTreeDepth) return Error("the expression is nested deeper than 200 levels");
  return node;
}

Result<ExprPtr> ExprParser::Tuple(bool with_conditional) {
  ExprPtr tuple = New(ExprKind::kTuple);
  const auto one = [&] { return with_conditional ? Conditional() : Or(); };
  ZB_ASSIGN_OR_RETURN(ExprPtr first, one());
  if (!AtOperator(",")) return first;
  tuple->args.push_back(std::move(first));
  while (AcceptOperator(",")) {
    if (current().kind == TokenKind::kBlockEnd || current().kind == TokenKind::kOutputEnd ||
        AtOperator(")"))
      break;
    ZB_ASSIGN_OR_RETURN(ExprPtr next, one());
    tuple->args.push_back(std::move(next));
  }
  return Close(std::move(tuple));
}

Result<ExprPtr> ExprParser::Conditional() {
  const Nesting nesting(nesting_);
  if (nesting.too_deep()) return Error("the expression is nested deeper than 200 levels");
  ZB_ASSIGN_OR_RETURN(ExprPtr node, Or());
  while (AtName("if")) {
    ExprPtr choice = New(ExprKind::kConditional);
    Next();
    ZB_ASSIGN_OR_RETURN(ExprPtr condition, Or());
    ExprPtr other;
    if (AcceptName("else")) {
      ZB_ASSIGN_OR_RETURN(other, Conditional());
    }
    choice->args.push_back(std::move(node));
    choice->args.push_back(std::move(condition));
    choice->args.push_back(std::move(other));
    ZB_ASSIGN_OR_RETURN(node, Close(std::move(choice)));
  }
  return node;
}

Result<ExprPtr> ExprParser::Or() {
  ZB_ASSIGN_OR_RETURN(ExprPtr node, And());
  while (AtName("or")) {
    ExprPtr parent = New(ExprKind::kOr);
    Next();
    ZB_ASSIGN_OR_RETURN(ExprPtr right, And());
    parent->args.push_back(std::move(node));
    parent->args.push_back(std::move(right));
    ZB_ASSIGN_OR_RETURN(node, Close(std::move(parent)));
  }
  return node;
}

Result<ExprPtr> ExprParser::And() {
  ZB_ASSIGN_OR_RETURN(ExprPtr node, Not());
  while (AtName("and")) {
    ExprPtr parent = New(ExprKind::kAnd);
    Next();
    ZB_ASSIGN_OR_RETURN(ExprPtr right, Not());
    parent->args.push_back(std::move(node));
    parent->args.push_back(std::move(right));
    ZB_ASSIGN_OR_RETURN(node, Close(std::move(parent)));
  }
  return node;
}

Result<ExprPtr> ExprParser::Not() {
  const Nesting nesting(nesting_);
  if (nesting.too_deep()) return Error("the expression is nested deeper than 200 levels");
  if (!AtName("not")) return Compare();
  ExprPtr node = New(ExprKind::kUnary);
  node->name = "not";
  Next();
  ZB_ASSIGN_OR_RETURN(ExprPtr operand, Not());
  node->args.push_back(std::move(operand));
  return Close(std::move(node));
}

Result<ExprPtr> ExprParser::Compare() {
  ZB_ASSIGN_OR_RETURN(ExprPtr first, Sum());
  ExprPtr chain = New(ExprKind::kCompare);
  while (true) {
    std::string op;
    for (const std::string_view candidate : kCompareOps) {
      if (op.empty() && AtOperator(candidate)) op = candidate;
    }
    if (!op.empty()) {
      Next();
    } else if (AcceptName("in")) {
      op = "in";
    } else if (AtName("not") && peek().kind == TokenKind::kName && peek().text == "in") {
      Next();
      Next();
      op = "not in";
    } else {
      break;
    }
    ZB_ASSIGN_OR_RETURN(ExprPtr next, Sum());
    if (chain->args.empty()) chain->args.push_back(std::move(first));
    chain->names.push_back(std::move(op));
    chain->args.push_back(std::move(next));
  }
  if (chain->args.empty()) return first;
  return Close(std::move(chain));
}

Result<ExprPtr> ExprParser::BinaryChain(Result<ExprPtr> (ExprParser::*operand)(),
                                        const std::vector<std::string_view>& ops) {
  ZB_ASSIGN_OR_RETURN(ExprPtr node, (this->*operand)());
  while (current().kind == TokenKind::kOperator &&
         std::find(ops.begin(), ops.end(), current().text) != ops.end()) {
    ExprPtr parent = New(ExprKind::kBinary);
    parent->name = current().text;
    Next();
    ZB_ASSIGN_OR_RETURN(ExprPtr right, (this->*operand)());
    parent->args.push_back(std::move(node));
    parent->args.push_back(std::move(right));
    ZB_ASSIGN_OR_RETURN(node, Close(std::move(parent)));
  }
  return node;
}

Result<ExprPtr> ExprParser::Sum() { return BinaryChain(&ExprParser::Concat, {"+", "-"}); }
Result<ExprPtr> ExprParser::Concat() { return BinaryChain(&ExprParser::Product, {"~"}); }
Result<ExprPtr> ExprParser::Product() {
  return BinaryChain(&ExprParser::Power, {"*", "/", "//", "%"});
}

Result<ExprPtr> ExprParser::Power() {
  ZB_ASSIGN_OR_RETURN(ExprPtr node, Unary(true));
  while (AtOperator("**")) {
    ExprPtr parent = New(ExprKind::kBinary);
    parent->name = "**";
    Next();
    ZB_ASSIGN_OR_RETURN(ExprPtr right, Unary(true));
    parent->args.push_back(std::move(node));
    parent->args.push_back(std::move(right));
    ZB_ASSIGN_OR_RETURN(node, Close(std::move(parent)));
  }
  return node;
}

Result<ExprPtr> ExprParser::Unary(bool with_filter) {
  const Nesting nesting(nesting_);
  if (nesting.too_deep()) return Error("the expression is nested deeper than 200 levels");
  ExprPtr node;
  if (AtOperator("-") || AtOperator("+")) {
    ExprPtr sign = New(ExprKind::kUnary);
    sign->name = current().text;
    Next();
    ZB_ASSIGN_OR_RETURN(ExprPtr operand, Unary(false));
    sign->args.push_back(std::move(operand));
    ZB_ASSIGN_OR_RETURN(node, Close(std::move(sign)));
  } else {
    ZB_ASSIGN_OR_RETURN(node, Primary());
  }
  ZB_ASSIGN_OR_RETURN(node, Postfix(std::move(node)));
  if (!with_filter) return node;
  return FiltersAndTests(std::move(node));
}

Result<ExprPtr> ExprParser::NameOrConstant() {
  ExprPtr node = New(ExprKind::kLiteral);
  const std::string& name = current().text;
  if (name == "true" || name == "True") {
    node->literal = Value::Bool(true);
  } else if (name == "false" || name == "False") {
    node->literal = Value::Bool(false);
  } else if (name == "none" || name == "None") {
    node->literal = Value::None();
  } else {
    node->kind = ExprKind::kName;
    node->name = name;
  }
  Next();
  return node;
}

Result<ExprPtr> ExprParser::Number() {
  ExprPtr node = New(ExprKind::kLiteral);
  const std::string& text = current().text;
  const char* end = text.data() + text.size();
  if (current().kind == TokenKind::kInt) {
    std::int64_t value = 0;
    const auto [stop, error] = std::from_chars(text.data(), end, value);
    if (error != std::errc() || stop != end)
      return Error("the number " + text + " does not fit into 64 bits");
    node->literal = Value::Int(value);
  } else {
    double value = 0;
    const auto [stop, error] = std::from_chars(text.data(), end, value);
    if (error != std::errc() || stop != end)
      return Error("the number " + text + " does not fit into a double");
    node->literal = Value::Float(value);
  }
  Next();
  return node;
}

Result<ExprPtr> ExprParser::Primary() {
  switch (current().kind) {
    case TokenKind::kName:
      return NameOrConstant();
    case TokenKind::kInt:
    case TokenKind::kFloat:
      return Number();
    case TokenKind::kString: {
      ExprPtr node = New(ExprKind::kLiteral);
      std::string text;
      for (; current().kind == TokenKind::kString; Next()) text += current().text;
      node->literal = Value::String(text);
      return node;
    }
    case TokenKind::kOperator:
      if (AtOperator("(")) return Parenthesis();
      if (AtOperator("[")) return ListLiteral();
      if (AtOperator("{")) return DictLiteral();
      break;
    case TokenKind::kData:
    case TokenKind::kBlockBegin:
    case TokenKind::kBlockEnd:
    case TokenKind::kOutputBegin:
    case TokenKind::kOutputEnd:
    case TokenKind::kEnd:
      break;
  }
  return Error("expected an expression, got " + Describe(current()));
}

Result<ExprPtr> ExprParser::Parenthesis() {
  ExprPtr empty = New(ExprKind::kTuple);
  Next();
  if (AcceptOperator(")")) return empty;
  ZB_ASSIGN_OR_RETURN(ExprPtr node, Tuple(true));
  ZB_RETURN_IF_ERROR(ExpectOperator(")"));
  return node;
}

Result<ExprPtr> ExprParser::ListLiteral() {
  ExprPtr node = New(ExprKind::kList);
  Next();
  while (!AcceptOperator("]")) {
    if (!node->args.empty()) {
      ZB_RETURN_IF_ERROR(ExpectOperator(","));
      if (AcceptOperator("]")) break;
    }
    ZB_ASSIGN_OR_RETURN(ExprPtr item, Conditional());
    node->args.push_back(std::move(item));
  }
  return Close(std::move(node));
}

Result<ExprPtr> ExprParser::DictLiteral() {
  ExprPtr node = New(ExprKind::kDict);
  Next();
  while (!AcceptOperator("}")) {
    if (!node->args.empty()) {
      ZB_RETURN_IF_ERROR(ExpectOperator(","));
      if (AcceptOperator("}")) break;
    }
    ZB_ASSIGN_OR_RETURN(ExprPtr key, Conditional());
    ZB_RETURN_IF_ERROR(ExpectOperator(":"));
    ZB_ASSIGN_OR_RETURN(ExprPtr value, Conditional());
    node->args.push_back(std::move(key));
    node->args.push_back(std::move(value));
  }
  return Close(std::move(node));
}

Result<ExprPtr> ExprParser::Postfix(ExprPtr node) {
  while (true) {
    if (AtOperator(".") || AtOperator("[")) {
      ZB_ASSIGN_OR_RETURN(node, Subscript(std::move(node)));
    } else if (AtOperator("(")) {
      ExprPtr call = New(ExprKind::kCall);
      call->args.push_back(std::move(node));
      ZB_RETURN_IF_ERROR(Arguments(*call));
      ZB_ASSIGN_OR_RETURN(node, Close(std::move(call)));
    } else {
      return node;
    }
  }
}

Result<ExprPtr> ExprParser::Subscript(ExprPtr node) {
  ExprPtr result = New(ExprKind::kIndex);
  if (AcceptOperator(".")) {
    if (current().kind == TokenKind::kInt) {
      result->args.push_back(std::move(node));
      ZB_ASSIGN_OR_RETURN(ExprPtr index, Number());
      result->args.push_back(std::move(index));
      return Close(std::move(result));
    }
    result->kind = ExprKind::kAttribute;
    ZB_ASSIGN_OR_RETURN(result->name, ExpectName("a name after '.'"));
    result->args.push_back(std::move(node));
    return Close(std::move(result));
  }
  Next();
  result->args.push_back(std::move(node));
  bool slice = false;
  ExprPtr parts[3];
  for (int i = 0; i < 3; ++i) {
    if (!AtOperator(":") && !AtOperator("]")) {
      ZB_ASSIGN_OR_RETURN(parts[i], Conditional());
    }
    if (i == 2 || !AtOperator(":")) break;
    slice = true;
    Next();
  }
  ZB_RETURN_IF_ERROR(ExpectOperator("]"));
  if (!slice) {
    if (!parts[0]) return Error("expected an index between '[' and ']'");
    result->args.push_back(std::move(parts[0]));
    return Close(std::move(result));
  }
  result->kind = ExprKind::kSlice;
  for (ExprPtr& part : parts) result->args.push_back(std::move(part));
  return Close(std::move(result));
}

Status ExprParser::Arguments(Expr& call) {
  ZB_RETURN_IF_ERROR(ExpectOperator("("));
  bool first = true;
  while (!AcceptOperator(")")) {
    if (!first) {
      ZB_RETURN_IF_ERROR(ExpectOperator(","));
      if (AcceptOperator(")")) break;
    }
    first = false;
    if (AtOperator("*") || AtOperator("**"))
      return Error("unpacking of arguments is not part of the subset");
    if (current().kind == TokenKind::kName && peek().kind == TokenKind::kOperator &&
        peek().text == "=") {
      std::string name = current().text;
      Next();
      Next();
      ZB_ASSIGN_OR_RETURN(ExprPtr value, Conditional());
      call.named.emplace_back(std::move(name), std::move(value));
      continue;
    }
    if (!call.named.empty()) return Error("a positional argument follows a named one");
    ZB_ASSIGN_OR_RETURN(ExprPtr value, Conditional());
    call.args.push_back(std::move(value));
  }
  return OkStatus();
}

Result<ExprPtr> ExprParser::OneFilter(ExprPtr input) {
  ExprPtr filter = New(ExprKind::kFilter);
  ZB_ASSIGN_OR_RETURN(filter->name, ExpectName("the name of a filter"));
  filter->args.push_back(std::move(input));
  if (AtOperator("(")) ZB_RETURN_IF_ERROR(Arguments(*filter));
  return Close(std::move(filter));
}

Result<ExprPtr> ExprParser::FilterChain(ExprPtr input) {
  ZB_ASSIGN_OR_RETURN(ExprPtr node, OneFilter(std::move(input)));
  while (AcceptOperator("|")) {
    ZB_ASSIGN_OR_RETURN(node, OneFilter(std::move(node)));
  }
  return node;
}

Result<ExprPtr> ExprParser::FiltersAndTests(ExprPtr node) {
  while (true) {
    if (AcceptOperator("|")) {
      ZB_ASSIGN_OR_RETURN(node, OneFilter(std::move(node)));
    } else if (AtName("is")) {
      ZB_ASSIGN_OR_RETURN(node, Test(std::move(node)));
    } else if (AtOperator("(")) {
      ZB_ASSIGN_OR_RETURN(node, Postfix(std::move(node)));
    } else {
      return node;
    }
  }
}

Result<ExprPtr> ExprParser::Test(ExprPtr node) {
  ExprPtr test = New(ExprKind::kTest);
  Next();
  const bool negated = AcceptName("not");
  ZB_ASSIGN_OR_RETURN(test->name, ExpectName("the name of a test"));
  test->args.push_back(std::move(node));
  const TokenKind kind = current().kind;
  const bool ends = AtName("else") || AtName("or") || AtName("and") || AtName("if") ||
                    AtName("is") || AtName("not") || AtName("in");
  if (AtOperator("(")) {
    ZB_RETURN_IF_ERROR(Arguments(*test));
  } else if (((kind == TokenKind::kName && !ends) || kind == TokenKind::kString ||
              kind == TokenKind::kInt || kind == TokenKind::kFloat || AtOperator("[") ||
              AtOperator("{"))) {
    ZB_ASSIGN_OR_RETURN(ExprPtr argument, Primary());
    ZB_ASSIGN_OR_RETURN(argument, Postfix(std::move(argument)));
    test->args.push_back(std::move(argument));
  }
  ZB_ASSIGN_OR_RETURN(ExprPtr closed, Close(std::move(test)));
  if (!negated) return closed;
  ExprPtr inverse = New(ExprKind::kUnary);
  inverse->name = "not";
  inverse->args.push_back(std::move(closed));
  return Close(std::move(inverse));
}

}  // namespace zhibi::text::jinja
