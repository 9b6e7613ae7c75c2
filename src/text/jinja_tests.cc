// SPDX-License-Identifier: Apache-2.0
// Tests of the Jinja subset ("x is name(y)"), and the binding of arguments to parameters.
#include <algorithm>

#include "base/status_macros.h"
#include "text/jinja_builtins.h"

namespace zhibi::text::jinja {
namespace {

using TestFn = Result<bool> (*)(const Value& input, std::span<const Value> args, Context& context);

Result<bool> CompareWith(std::string_view op, const Value& input, std::span<const Value> args,
                         Context& context) {
  return Compare(op, input, args[0], context);
}

Result<bool> Modulo(const Value& input, std::int64_t divisor, std::int64_t rest, Context& context) {
  ZB_ASSIGN_OR_RETURN(const Value remainder, Binary("%", input, Value::Int(divisor), context));
  return Equal(remainder, Value::Int(rest), context.budget);
}

Result<bool> HasCase(const Value& input, bool upper, Context& context) {
  ZB_ASSIGN_OR_RETURN(const MarkedString text, Str(input, context.budget));
  const std::string mapped = upper ? ToUpper(text.text()) : ToLower(text.text());
  const std::string other = upper ? ToLower(text.text()) : ToUpper(text.text());
  return mapped == text.text() && other != text.text();
}

Result<bool> SameAs(const Value& a, const Value& b, Context& context) {
  if (a.TypeName() != b.TypeName()) return false;
  return Equal(a, b, context.budget);
}

struct TestRow {
  std::string_view name;
  std::size_t num_arguments;
  TestFn function;
};

using Args = std::span<const Value>;

constexpr TestRow kTests[] = {
    {"!=", 1, [](const Value& v, Args a, Context& c) { return CompareWith("!=", v, a, c); }},
    {"<", 1, [](const Value& v, Args a, Context& c) { return CompareWith("<", v, a, c); }},
    {"<=", 1, [](const Value& v, Args a, Context& c) { return CompareWith("<=", v, a, c); }},
    {"==", 1, [](const Value& v, Args a, Context& c) { return CompareWith("==", v, a, c); }},
    {">", 1, [](const Value& v, Args a, Context& c) { return CompareWith(">", v, a, c); }},
    {">=", 1, [](const Value& v, Args a, Context& c) { return CompareWith(">=", v, a, c); }},
    {"boolean", 0, [](const Value& v, Args, Context&) { return Result<bool>(v.is_bool()); }},
    {"callable", 0,
     [](const Value& v, Args, Context&) { return Result<bool>(v.is_macro() || v.is_function()); }},
    {"defined", 0, [](const Value& v, Args, Context&) { return Result<bool>(!v.is_undefined()); }},
    {"divisibleby", 1,
     [](const Value& v, Args a, Context& c) {
       return a[0].integral() ? Modulo(v, a[0].integer(), 0, c)
                              : Result<bool>(TypeError("divisibleby", "an integer", a[0]));
     }},
    {"eq", 1, [](const Value& v, Args a, Context& c) { return CompareWith("==", v, a, c); }},
    {"equalto", 1, [](const Value& v, Args a, Context& c) { return CompareWith("==", v, a, c); }},
    {"even", 0, [](const Value& v, Args, Context& c) { return Modulo(v, 2, 0, c); }},
    {"false", 0,
     [](const Value& v, Args, Context&) { return Result<bool>(v.is_bool() && !v.boolean()); }},
    {"float", 0, [](const Value& v, Args, Context&) { return Result<bool>(v.is_float()); }},
    {"ge", 1, [](const Value& v, Args a, Context& c) { return CompareWith(">=", v, a, c); }},
    {"greaterthan", 1,
     [](const Value& v, Args a, Context& c) { return CompareWith(">", v, a, c); }},
    {"gt", 1, [](const Value& v, Args a, Context& c) { return CompareWith(">", v, a, c); }},
    {"in", 1, [](const Value& v, Args a, Context& c) { return CompareWith("in", v, a, c); }},
    {"integer", 0, [](const Value& v, Args, Context&) { return Result<bool>(v.is_int()); }},
    {"iterable", 0,
     [](const Value& v, Args, Context&) {
       return Result<bool>(v.is_string() || v.is_list() || v.is_dict() || v.is_undefined());
     }},
    {"le", 1, [](const Value& v, Args a, Context& c) { return CompareWith("<=", v, a, c); }},
    {"lessthan", 1, [](const Value& v, Args a, Context& c) { return CompareWith("<", v, a, c); }},
    {"lower", 0, [](const Value& v, Args, Context& c) { return HasCase(v, false, c); }},
    {"lt", 1, [](const Value& v, Args a, Context& c) { return CompareWith("<", v, a, c); }},
    {"mapping", 0, [](const Value& v, Args, Context&) { return Result<bool>(v.is_dict()); }},
    {"ne", 1, [](const Value& v, Args a, Context& c) { return CompareWith("!=", v, a, c); }},
    {"none", 0, [](const Value& v, Args, Context&) { return Result<bool>(v.is_none()); }},
    {"number", 0, [](const Value& v, Args, Context&) { return Result<bool>(v.is_number()); }},
    {"odd", 0, [](const Value& v, Args, Context& c) { return Modulo(v, 2, 1, c); }},
    {"sameas", 1, [](const Value& v, Args a, Context& c) { return SameAs(v, a[0], c); }},
    {"sequence", 0,
     [](const Value& v, Args, Context&) {
       return Result<bool>(v.is_string() || v.is_list() || v.is_dict() || v.is_undefined());
     }},
    {"string", 0, [](const Value& v, Args, Context&) { return Result<bool>(v.is_string()); }},
    {"true", 0,
     [](const Value& v, Args, Context&) { return Result<bool>(v.is_bool() && v.boolean()); }},
    {"undefined", 0, [](const Value& v, Args, Context&) { return Result<bool>(v.is_undefined()); }},
    {"upper", 0, [](const Value& v, Args, Context& c) { return HasCase(v, true, c); }},
};

}  // namespace

Result<Bound> Bind(std::string_view what, std::string_view parameters, const Arguments& arguments) {
  std::vector<std::string_view> names;
  while (!parameters.empty()) {
    const std::size_t space = std::min(parameters.find(' '), parameters.size());
    names.push_back(parameters.substr(0, space));
    parameters.remove_prefix(std::min(space + 1, parameters.size()));
  }
  if (arguments.positional.size() > names.size()) {
    return InvalidArgumentError(std::string(what) + " takes at most " +
                                std::to_string(names.size()) + " arguments, got " +
                                std::to_string(arguments.positional.size()));
  }
  Bound bound(names.size(), nullptr);
  for (std::size_t i = 0; i < arguments.positional.size(); ++i) bound[i] = &arguments.positional[i];
  for (const auto& [name, value] : arguments.named) {
    const auto found = std::find(names.begin(), names.end(), name);
    if (found == names.end()) {
      return InvalidArgumentError(std::string(what) + ": unexpected argument '" + name + "'");
    }
    const Value*& slot = bound[static_cast<std::size_t>(found - names.begin())];
    if (slot != nullptr)
      return InvalidArgumentError(std::string(what) + ": argument '" + name + "' is given twice");
    slot = &value;
  }
  return bound;
}

Result<bool> ApplyTest(std::string_view name, const Value& input, std::span<const Value> arguments,
                       Context& context) {
  if (!context.budget.Take(1)) return BudgetError();
  for (const TestRow& row : kTests) {
    if (row.name != name) continue;
    if (arguments.size() != row.num_arguments) {
      return InvalidArgumentError("test '" + std::string(name) + "' takes " +
                                  std::to_string(row.num_arguments) + " arguments, got " +
                                  std::to_string(arguments.size()));
    }
    return row.function(input, arguments, context);
  }
  return InvalidArgumentError("there is no test '" + std::string(name) + "'");
}

}  // namespace zhibi::text::jinja
