// SPDX-License-Identifier: Apache-2.0
// Filters, tests, methods and functions of the Jinja subset. Arguments are bound by name before a
// builtin runs, so an unknown or surplus argument is an error that names it. Thread rule: a Context
// belongs to one rendering.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "text/jinja.h"
#include "text/jinja_value.h"

namespace zhibi::text::jinja {

struct Context {
  const RenderOptions& options;
  Budget& budget;

  // Charges a string that was just made, and refuses one over the limit.
  Status ChargeString(const MarkedString& text) const;
  Result<Value> NewString(MarkedString text) const;
  // Does the value stand for one that is not known (RenderOptions::missing_mark)? Notes that it was
  // met.
  bool IsMissing(const Value& value) const;
  // The value, but for one that is undefined: RenderOptions::undefined_text, or an error without
  // it.
  Result<Value> Defined(const Value& value) const;
};

struct Arguments {
  std::vector<Value> positional;
  std::vector<std::pair<std::string, Value>> named;
};

// Arguments in the order of the parameters; null where not given.
using Bound = std::vector<const Value*>;
// `parameters`: names separated by spaces. kInvalidArgument: "filter 'trim': unexpected argument
// 'x'".
Result<Bound> Bind(std::string_view what, std::string_view parameters, const Arguments& arguments);

Result<Value> ApplyFilter(std::string_view name, const Value& input, const Arguments& arguments,
                          Context& context);
Result<bool> ApplyTest(std::string_view name, const Value& input, std::span<const Value> arguments,
                       Context& context);
// Methods of strings and dictionaries.
Result<Value> CallMethod(const Value& object, std::string_view name, const Arguments& arguments,
                         Context& context);
bool HasMethod(const Value& object, std::string_view name);
// range, namespace, dict, raise_exception, strftime_now.
Result<Value> CallFunction(std::string_view name, const Arguments& arguments, Context& context);
bool IsFunction(std::string_view name);

// object.name, object["name"], object[3]; undefined where there is none.
Result<Value> GetItem(const Value& object, const Value& key, Context& context);
Result<Value> GetAttribute(const Value& object, std::string_view name);
// "a.b.0" as the attribute filters take it.
Result<Value> GetPath(const Value& object, std::string_view path, Context& context);
// What a loop over the value visits: elements, keys, characters; nothing for an undefined value.
Result<std::vector<Value>> Iterate(const Value& value, Context& context);
Result<bool> Contains(const Value& container, const Value& item, Context& context);
// start, stop, step: undefined where left out.
Result<Value> Slice(const Value& object, const Value& start, const Value& stop, const Value& step,
                    Context& context);
// One of + - * / // % ** ~.
Result<Value> Binary(std::string_view op, const Value& a, const Value& b, Context& context);
// One of == != < <= > >= in, not in.
Result<bool> Compare(std::string_view op, const Value& a, const Value& b, Context& context);

// Error for a value where another type is needed: "expected a string, got int".
Status TypeError(std::string_view what, std::string_view expected, const Value& value);
Status UndefinedError(const Value& value);

}  // namespace zhibi::text::jinja
