// SPDX-License-Identifier: Apache-2.0
// Filters of the Jinja subset. One row of kFilters a filter: name, parameters, function.
#include <algorithm>
#include <charconv>
#include <cmath>
#include <system_error>

#include "base/status_macros.h"
#include "text/jinja_builtins.h"
#include "text/jinja_lines.h"

namespace zhibi::text::jinja {
namespace {

using FilterFn = Result<Value> (*)(const Value& input, const Bound& args, Context& context);

bool Flag(const Value* value, bool otherwise) {
  return value == nullptr ? otherwise : value->Truthy();
}

Result<std::int64_t> Integer(const Value* value, std::int64_t otherwise, std::string_view what) {
  if (value == nullptr || value->is_none()) return otherwise;
  if (!value->integral()) return TypeError(what, "an integer", *value);
  return value->integer();
}

Result<Value> Upper(const Value& input, const Bound&, Context& context) {
  ZB_ASSIGN_OR_RETURN(const MarkedString text, Str(input, context.budget));
  return context.NewString(text.WithText(ToUpper(text.text())));
}
Result<Value> Lower(const Value& input, const Bound&, Context& context) {
  ZB_ASSIGN_OR_RETURN(const MarkedString text, Str(input, context.budget));
  return context.NewString(text.WithText(ToLower(text.text())));
}
Result<Value> CapitalizeFilter(const Value& input, const Bound&, Context& context) {
  ZB_ASSIGN_OR_RETURN(const MarkedString text, Str(input, context.budget));
  return context.NewString(text.WithText(Capitalize(text.text())));
}
Result<Value> Title(const Value& input, const Bound&, Context& context) {
  ZB_ASSIGN_OR_RETURN(const MarkedString text, Str(input, context.budget));
  return context.NewString(text.WithText(TitleCase(text.text())));
}
Result<Value> StringFilter(const Value& input, const Bound&, Context& context) {
  ZB_ASSIGN_OR_RETURN(MarkedString text, Str(input, context.budget));
  return context.NewString(std::move(text));
}

Result<Value> Trim(const Value& input, const Bound& args, Context& context) {
  ZB_ASSIGN_OR_RETURN(const MarkedString text, Str(input, context.budget));
  std::string chars;
  if (args[0] != nullptr && !args[0]->is_none()) {
    if (!args[0]->is_string()) return TypeError("trim", "a string", *args[0]);
    chars = args[0]->string().text();
    if (chars.empty()) return context.NewString(text);
  }
  const MarkedString::Span kept = StripRange(text.text(), chars, true, true);
  return context.NewString(text.Slice(kept.begin, kept.end));
}

Result<Value> Length(const Value& input, const Bound&, Context& context) {
  if (input.is_undefined()) return Value::Int(0);
  if (input.is_string()) {
    if (!context.budget.TakeBytes(input.string().size())) return BudgetError();
    return Value::Int(static_cast<std::int64_t>(CountChars(input.string().text())));
  }
  if (input.is_list()) return Value::Int(static_cast<std::int64_t>(input.list().items.size()));
  if (input.is_dict()) return Value::Int(static_cast<std::int64_t>(input.dict().entries.size()));
  return TypeError("length", "a string, list or dict", input);
}

Result<Value> Default(const Value& input, const Bound& args, Context&) {
  const Value otherwise = args[0] != nullptr ? *args[0] : Value::String("");
  if (input.is_undefined() || (Flag(args[1], false) && !input.Truthy())) return otherwise;
  return input;
}

Result<Value> Join(const Value& input, const Bound& args, Context& context) {
  ZB_ASSIGN_OR_RETURN(const std::vector<Value> items, Iterate(input, context));
  MarkedString separator;
  if (args[0] != nullptr) {
    ZB_ASSIGN_OR_RETURN(separator, Str(*args[0], context.budget));
  }
  MarkedString out;
  for (std::size_t i = 0; i < items.size(); ++i) {
    Value item = items[i];
    if (args[1] != nullptr) {
      ZB_ASSIGN_OR_RETURN(const MarkedString path, Str(*args[1], context.budget));
      ZB_ASSIGN_OR_RETURN(item, GetPath(item, path.text(), context));
    }
    ZB_ASSIGN_OR_RETURN(const MarkedString text, Str(item, context.budget));
    if (i > 0) out.Append(separator);
    out.Append(text);
    if (out.size() > context.options.limits.max_output_bytes) break;
  }
  return context.NewString(std::move(out));
}

Result<Value> First(const Value& input, const Bound&, Context& context) {
  ZB_ASSIGN_OR_RETURN(const std::vector<Value> items, Iterate(input, context));
  return items.empty() ? Value::MakeUndefined("the first element of an empty list") : items.front();
}
Result<Value> Last(const Value& input, const Bound&, Context& context) {
  ZB_ASSIGN_OR_RETURN(const std::vector<Value> items, Iterate(input, context));
  return items.empty() ? Value::MakeUndefined("the last element of an empty list") : items.back();
}
Result<Value> ListFilter(const Value& input, const Bound&, Context& context) {
  ZB_ASSIGN_OR_RETURN(std::vector<Value> items, Iterate(input, context));
  return Value::MakeList(std::move(items));
}
Result<Value> Reverse(const Value& input, const Bound&, Context& context) {
  if (input.is_string()) return Slice(input, Value(), Value(), Value::Int(-1), context);
  ZB_ASSIGN_OR_RETURN(std::vector<Value> items, Iterate(input, context));
  std::reverse(items.begin(), items.end());
  return Value::MakeList(std::move(items));
}

Result<Value> Items(const Value& input, const Bound&, Context& context) {
  if (input.is_undefined()) return Value::MakeList({});
  if (!input.is_dict()) return TypeError("items", "a dict", input);
  return CallMethod(input, "items", {}, context);
}

// Sorting that can fail in the middle: the first error wins, the order is then irrelevant.
Result<std::vector<Value>> SortedBy(std::vector<Value> items, const std::vector<Value>& keys,
                                    bool reverse, Context& context) {
  std::vector<std::size_t> order(items.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  Status failed = OkStatus();
  // std::sort with the place as tie-break: libstdc++'s stable_sort calls what C++17 deprecates.
  // Once an order has failed nothing is before anything, which ends every loop of the sort.
  const auto before = [&](std::size_t a, std::size_t b) {
    if (!failed.ok() || a == b) return false;
    const Result<int> result = Order(keys[a], keys[b], context.budget);
    if (!result.ok()) {
      failed = result.status();
      return false;
    }
    if (*result == 0) return a < b;
    return reverse ? *result > 0 : *result < 0;
  };
  std::sort(order.begin(), order.end(), before);
  if (!failed.ok()) return failed;
  std::vector<Value> out;
  out.reserve(items.size());
  for (const std::size_t index : order) out.push_back(items[index]);
  return out;
}

Result<Value> SortKey(const Value& item, const Value* attribute, bool case_sensitive,
                      Context& context) {
  Value key = item;
  if (attribute != nullptr && !attribute->is_none()) {
    ZB_ASSIGN_OR_RETURN(const MarkedString path, Str(*attribute, context.budget));
    ZB_ASSIGN_OR_RETURN(key, GetPath(item, path.text(), context));
  }
  if (!case_sensitive && key.is_string())
    key = Value::String(MarkedString(ToLower(key.string().text())));
  return key;
}

Result<Value> Sort(const Value& input, const Bound& args, Context& context) {
  ZB_ASSIGN_OR_RETURN(std::vector<Value> items, Iterate(input, context));
  std::vector<Value> keys;
  for (const Value& item : items) {
    ZB_ASSIGN_OR_RETURN(Value key, SortKey(item, args[2], Flag(args[1], false), context));
    keys.push_back(std::move(key));
  }
  ZB_ASSIGN_OR_RETURN(std::vector<Value> sorted,
                      SortedBy(std::move(items), keys, Flag(args[0], false), context));
  return Value::MakeList(std::move(sorted));
}

Result<Value> DictSort(const Value& input, const Bound& args, Context& context) {
  ZB_ASSIGN_OR_RETURN(const Value pairs, Items(input, {}, context));
  const bool by_value =
      args[1] != nullptr && args[1]->is_string() && args[1]->string().text() == "value";
  std::vector<Value> keys;
  for (const Value& pair : pairs.list().items) {
    ZB_ASSIGN_OR_RETURN(Value key, SortKey(pair.list().items[by_value ? 1 : 0], nullptr,
                                           Flag(args[0], false), context));
    keys.push_back(std::move(key));
  }
  ZB_ASSIGN_OR_RETURN(std::vector<Value> sorted,
                      SortedBy(pairs.list().items, keys, Flag(args[2], false), context));
  return Value::MakeList(std::move(sorted));
}

Result<Value> Unique(const Value& input, const Bound& args, Context& context) {
  ZB_ASSIGN_OR_RETURN(const std::vector<Value> items, Iterate(input, context));
  std::vector<Value> keys;
  std::vector<Value> out;
  for (const Value& item : items) {
    ZB_ASSIGN_OR_RETURN(Value key, SortKey(item, args[1], Flag(args[0], false), context));
    bool seen = false;
    for (const Value& other : keys) {
      ZB_ASSIGN_OR_RETURN(const bool same, Equal(key, other, context.budget));
      seen = seen || same;
    }
    if (seen) continue;
    keys.push_back(std::move(key));
    out.push_back(item);
  }
  return Value::MakeList(std::move(out));
}

Result<Value> Extreme(const Value& input, const Bound& args, bool largest, Context& context) {
  ZB_ASSIGN_OR_RETURN(const std::vector<Value> items, Iterate(input, context));
  if (items.empty()) return Value::MakeUndefined("the extreme of an empty list");
  Value best = items.front();
  ZB_ASSIGN_OR_RETURN(Value best_key, SortKey(best, args[1], Flag(args[0], false), context));
  for (const Value& item : items) {
    ZB_ASSIGN_OR_RETURN(Value key, SortKey(item, args[1], Flag(args[0], false), context));
    ZB_ASSIGN_OR_RETURN(const int order, Order(key, best_key, context.budget));
    if (largest ? order > 0 : order < 0) {
      best = item;
      best_key = std::move(key);
    }
  }
  return best;
}
Result<Value> Min(const Value& input, const Bound& args, Context& context) {
  return Extreme(input, args, false, context);
}
Result<Value> Max(const Value& input, const Bound& args, Context& context) {
  return Extreme(input, args, true, context);
}

Result<Value> Sum(const Value& input, const Bound& args, Context& context) {
  ZB_ASSIGN_OR_RETURN(const std::vector<Value> items, Iterate(input, context));
  Value total = args[1] != nullptr ? *args[1] : Value::Int(0);
  for (const Value& item : items) {
    Value value = item;
    if (args[0] != nullptr && !args[0]->is_none()) {
      ZB_ASSIGN_OR_RETURN(const MarkedString path, Str(*args[0], context.budget));
      ZB_ASSIGN_OR_RETURN(value, GetPath(item, path.text(), context));
    }
    ZB_ASSIGN_OR_RETURN(total, Binary("+", total, value, context));
  }
  return total;
}

Result<Value> ReplaceFilter(const Value& input, const Bound& args, Context& context) {
  ZB_ASSIGN_OR_RETURN(MarkedString text, Str(input, context.budget));
  Arguments arguments;
  for (const Value* arg : args) {
    if (arg != nullptr) arguments.positional.push_back(*arg);
  }
  return CallMethod(Value::String(std::move(text)), "replace", arguments, context);
}

Result<Value> Indent(const Value& input, const Bound& args, Context& context) {
  ZB_ASSIGN_OR_RETURN(const MarkedString text, Str(input, context.budget));
  std::string indent = "    ";
  if (args[0] != nullptr && args[0]->is_string()) {
    indent = args[0]->string().text();
  } else {
    ZB_ASSIGN_OR_RETURN(const std::int64_t width, Integer(args[0], 4, "indent"));
    if (width > 1000) return InvalidArgumentError("indent: a width of at most 1000");
    indent.assign(static_cast<std::size_t>(std::max<std::int64_t>(width, 0)), ' ');
  }
  const bool blank = Flag(args[2], false);
  MarkedString out;
  if (Flag(args[1], false)) out.Append(indent, false);
  const std::vector<MarkedString::Span> lines = SplitLines(text.text() + "\n");
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const MarkedString line = text.Slice(lines[i].begin, lines[i].end);
    if (i > 0) {
      out.Append("\n", false);
      if (blank || !line.empty()) out.Append(indent, false);
    }
    out.Append(line);
    if (out.size() > context.options.limits.max_output_bytes) break;
  }
  return context.NewString(std::move(out));
}

Result<Value> ToJsonFilter(const Value& input, const Bound& args, Context& context) {
  DumpOptions options;
  if (args[0] != nullptr && args[0]->is_string()) {
    options.indent = args[0]->string().text();
  } else if (args[0] != nullptr && !args[0]->is_none()) {
    ZB_ASSIGN_OR_RETURN(const std::int64_t width, Integer(args[0], 0, "tojson"));
    if (width > 100) return InvalidArgumentError("tojson: an indent of at most 100");
    options.indent = std::string(static_cast<std::size_t>(std::max<std::int64_t>(width, 0)), ' ');
  }
  if (Flag(args[1], false))
    return UnimplementedError("tojson: ensure_ascii=true is not part of the subset");
  if (args[2] != nullptr && !args[2]->is_none()) {
    const bool pair = args[2]->is_list() && args[2]->list().items.size() == 2 &&
                      args[2]->list().items[0].is_string() && args[2]->list().items[1].is_string();
    if (!pair) return TypeError("tojson: separators", "two strings", *args[2]);
    options.item_separator = args[2]->list().items[0].string().text();
    options.key_separator = args[2]->list().items[1].string().text();
  }
  options.sort_keys = Flag(args[3], false);
  ZB_ASSIGN_OR_RETURN(MarkedString text, Dump(input, options, context.budget));
  return context.NewString(std::move(text));
}

Result<Value> Int(const Value& input, const Bound& args, Context&) {
  const Value otherwise = args[0] != nullptr ? *args[0] : Value::Int(0);
  if (input.is_undefined()) return UndefinedError(input);
  if (input.integral()) return Value::Int(input.integer());
  double real = 0;
  if (input.is_float()) {
    real = input.real();
  } else if (input.is_string()) {
    const MarkedString::Span kept = StripRange(input.string().text(), "", true, true);
    std::string_view text =
        std::string_view(input.string().text()).substr(kept.begin, kept.end - kept.begin);
    if (!text.empty() && text[0] == '+') text.remove_prefix(1);
    std::int64_t whole = 0;
    const char* const begin = text.data();
    const char* const end = begin + text.size();
    if (const auto [stop, error] = std::from_chars(begin, end, whole);
        error == std::errc() && stop == end) {
      return Value::Int(whole);
    }
    const auto [stop, error] = std::from_chars(begin, end, real);
    if (error != std::errc() || stop != end) return otherwise;
  } else {
    return otherwise;
  }
  if (!(std::fabs(real) < 9.2e18)) return otherwise;
  return Value::Int(static_cast<std::int64_t>(real));
}

Result<Value> FloatFilter(const Value& input, const Bound& args, Context&) {
  const Value otherwise = args[0] != nullptr ? *args[0] : Value::Float(0.0);
  if (input.is_undefined()) return UndefinedError(input);
  if (input.is_number()) return Value::Float(input.real());
  if (!input.is_string()) return otherwise;
  const MarkedString::Span kept = StripRange(input.string().text(), "", true, true);
  const std::string_view text =
      std::string_view(input.string().text()).substr(kept.begin, kept.end - kept.begin);
  double real = 0;
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), real);
  return error == std::errc() && stop == text.data() + text.size() ? Value::Float(real) : otherwise;
}

Result<Value> Abs(const Value& input, const Bound&, Context& context) {
  if (input.is_float()) return Value::Float(std::fabs(input.real()));
  if (!input.integral()) return TypeError("abs", "a number", input);
  return input.integer() < 0 ? Binary("-", Value::Int(0), input, context)
                             : Result<Value>(Value::Int(input.integer()));
}

Result<Value> Round(const Value& input, const Bound& args, Context&) {
  if (!input.is_number()) return TypeError("round", "a number", input);
  ZB_ASSIGN_OR_RETURN(const std::int64_t digits, Integer(args[0], 0, "round"));
  if (digits < -300 || digits > 300)
    return InvalidArgumentError("round: a precision of -300 to 300");
  const std::string method =
      args[1] != nullptr && args[1]->is_string() ? args[1]->string().text() : "common";
  const double scale = std::pow(10.0, static_cast<double>(digits));
  const double scaled = input.real() * scale;
  if (method == "ceil") return Value::Float(std::ceil(scaled) / scale);
  if (method == "floor") return Value::Float(std::floor(scaled) / scale);
  if (method != "common")
    return InvalidArgumentError("round: method must be common, ceil or floor");
  if (input.integral() && digits >= 0) return Value::Int(input.integer());
  // nearbyint: halves to even, as Python's round.
  return Value::Float(std::nearbyint(scaled) / scale);
}

Result<Value> Same(const Value& input, const Bound&, Context&) { return input; }

struct FilterRow {
  std::string_view name;
  std::string_view parameters;
  FilterFn function;
};

constexpr FilterRow kFilters[] = {
    {"abs", "", Abs},
    {"capitalize", "", CapitalizeFilter},
    {"count", "", Length},
    {"d", "default_value boolean", Default},
    {"default", "default_value boolean", Default},
    {"dictsort", "case_sensitive by reverse", DictSort},
    {"first", "", First},
    {"float", "default", FloatFilter},
    {"indent", "width first blank", Indent},
    {"int", "default base", Int},
    {"items", "", Items},
    {"join", "d attribute", Join},
    {"last", "", Last},
    {"length", "", Length},
    {"list", "", ListFilter},
    {"lower", "", Lower},
    {"max", "case_sensitive attribute", Max},
    {"min", "case_sensitive attribute", Min},
    {"replace", "old new count", ReplaceFilter},
    {"reverse", "", Reverse},
    {"round", "precision method", Round},
    {"safe", "", Same},
    {"sort", "reverse case_sensitive attribute", Sort},
    {"string", "", StringFilter},
    {"sum", "attribute start", Sum},
    {"title", "", Title},
    {"tojson", "indent ensure_ascii separators sort_keys", ToJsonFilter},
    {"trim", "chars", Trim},
    {"unique", "case_sensitive attribute", Unique},
    {"upper", "", Upper},
};

// select, reject, selectattr, rejectattr: [attribute,] test, arguments of the test.
Result<Value> Select(bool keep, bool by_attribute, const Value& input, const Arguments& arguments,
                     Context& context) {
  if (!arguments.named.empty())
    return InvalidArgumentError("unexpected argument '" + arguments.named[0].first + "'");
  std::span<const Value> rest(arguments.positional);
  std::string path;
  if (by_attribute) {
    if (rest.empty()) return InvalidArgumentError("expected the name of an attribute");
    ZB_ASSIGN_OR_RETURN(const MarkedString text, Str(rest[0], context.budget));
    path = text.text();
    rest = rest.subspan(1);
  }
  std::string test;
  if (!rest.empty()) {
    if (!rest[0].is_string()) return TypeError("name of a test", "a string", rest[0]);
    test = rest[0].string().text();
    rest = rest.subspan(1);
  }
  ZB_ASSIGN_OR_RETURN(const std::vector<Value> items, Iterate(input, context));
  std::vector<Value> out;
  for (const Value& item : items) {
    Value subject = item;
    if (by_attribute) {
      ZB_ASSIGN_OR_RETURN(subject, GetPath(item, path, context));
    }
    bool holds = subject.Truthy();
    if (!test.empty()) {
      ZB_ASSIGN_OR_RETURN(holds, ApplyTest(test, subject, rest, context));
    }
    if (holds == keep) out.push_back(item);
  }
  return Value::MakeList(std::move(out));
}

Result<Value> Map(const Value& input, const Arguments& arguments, Context& context) {
  ZB_ASSIGN_OR_RETURN(const std::vector<Value> items, Iterate(input, context));
  const Value* attribute = nullptr;
  const Value* otherwise = nullptr;
  Arguments rest;
  for (const auto& [name, value] : arguments.named) {
    if (arguments.positional.empty() && name == "attribute") {
      attribute = &value;
    } else if (arguments.positional.empty() && name == "default") {
      otherwise = &value;
    } else {
      rest.named.emplace_back(name, value);
    }
  }
  std::string filter;
  if (attribute == nullptr) {
    if (arguments.positional.empty() || !arguments.positional[0].is_string()) {
      return InvalidArgumentError("map: expected attribute=... or the name of a filter");
    }
    filter = arguments.positional[0].string().text();
    rest.positional.assign(arguments.positional.begin() + 1, arguments.positional.end());
  }
  std::vector<Value> out;
  for (const Value& item : items) {
    Value mapped;
    if (attribute != nullptr) {
      ZB_ASSIGN_OR_RETURN(const MarkedString path, Str(*attribute, context.budget));
      ZB_ASSIGN_OR_RETURN(mapped, GetPath(item, path.text(), context));
      if (mapped.is_undefined() && otherwise != nullptr) mapped = *otherwise;
    } else {
      ZB_ASSIGN_OR_RETURN(mapped, ApplyFilter(filter, item, rest, context));
    }
    out.push_back(std::move(mapped));
  }
  return Value::MakeList(std::move(out));
}

bool AnyUser(const Value& value) {
  if (value.is_string()) return value.string().any_user();
  if (value.is_list())
    return std::any_of(value.list().items.begin(), value.list().items.end(), AnyUser);
  if (value.is_dict()) {
    return std::any_of(
        value.dict().entries.begin(), value.dict().entries.end(),
        [](const auto& entry) { return entry.first.any_user() || AnyUser(entry.second); });
  }
  return false;
}

Result<Value> CallHost(const HostFilter& filter, const Value& input, const Arguments& arguments,
                       Context& context) {
  if (!arguments.named.empty())
    return InvalidArgumentError("unexpected argument '" + arguments.named[0].first + "'");
  if (input.is_undefined()) return context.Defined(input);
  if (context.IsMissing(input)) return input;
  for (const Value& value : arguments.positional) {
    if (context.IsMissing(value)) return value;
  }
  std::vector<nlohmann::ordered_json> args;
  ZB_ASSIGN_OR_RETURN(nlohmann::ordered_json first, ToJson(input, context.budget));
  args.push_back(std::move(first));
  bool user = context.options.filters_are_user || AnyUser(input);
  for (const Value& value : arguments.positional) {
    ZB_ASSIGN_OR_RETURN(nlohmann::ordered_json arg, ToJson(value, context.budget));
    args.push_back(std::move(arg));
    user = user || AnyUser(value);
  }
  ZB_ASSIGN_OR_RETURN(const nlohmann::ordered_json result, filter(args));
  return FromJson(result, user, context.budget);
}

Result<Value> Dispatch(std::string_view name, const Value& input, const Arguments& arguments,
                       Context& context) {
  if (name == "map") return Map(input, arguments, context);
  if (name == "select" || name == "reject")
    return Select(name == "select", false, input, arguments, context);
  if (name == "selectattr" || name == "rejectattr") {
    return Select(name == "selectattr", true, input, arguments, context);
  }
  for (const FilterRow& row : kFilters) {
    if (row.name != name) continue;
    ZB_ASSIGN_OR_RETURN(const Bound args, Bind(name, row.parameters, arguments));
    return row.function(input, args, context);
  }
  if (context.options.filters != nullptr) {
    const auto found = context.options.filters->find(name);
    if (found != context.options.filters->end())
      return CallHost(found->second, input, arguments, context);
  }
  return InvalidArgumentError("there is no filter of this name");
}

}  // namespace

Result<Value> ApplyFilter(std::string_view name, const Value& input, const Arguments& arguments,
                          Context& context) {
  if (!context.budget.Take(1)) return BudgetError();
  Result<Value> result = Dispatch(name, input, arguments, context);
  if (result.ok()) return result;
  if (context.IsMissing(input)) return input;
  return std::move(result).status().WithContext("filter '" + std::string(name) + "'");
}

}  // namespace zhibi::text::jinja
