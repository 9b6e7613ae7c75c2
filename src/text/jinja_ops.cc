// SPDX-License-Identifier: Apache-2.0
// Operators, indexing, slicing and iteration with Python's rules; integers are 64 bits and overflow
// is an error.
#include <algorithm>
#include <cmath>
#include <limits>

#include "base/status_macros.h"
#include "text/jinja_builtins.h"

namespace zhibi::text::jinja {
namespace {

Status Unsupported(std::string_view op, const Value& a, const Value& b) {
  return InvalidArgumentError("'" + std::string(op) + "' between " + std::string(a.TypeName()) +
                              " and " + std::string(b.TypeName()));
}

Status Overflow() {
  return InvalidArgumentError("the result of an operation does not fit into 64 bits");
}

Result<Value> PowerInt(std::int64_t base, std::int64_t exponent) {
  std::int64_t result = 1;
  while (exponent > 0) {
    if ((exponent & 1) != 0 && __builtin_mul_overflow(result, base, &result)) return Overflow();
    exponent >>= 1;
    if (exponent > 0 && __builtin_mul_overflow(base, base, &base)) return Overflow();
  }
  return Value::Int(result);
}

Result<Value> IntegerOp(std::string_view op, std::int64_t a, std::int64_t b) {
  std::int64_t result = 0;
  if (op == "+")
    return __builtin_add_overflow(a, b, &result) ? Result<Value>(Overflow()) : Value::Int(result);
  if (op == "-")
    return __builtin_sub_overflow(a, b, &result) ? Result<Value>(Overflow()) : Value::Int(result);
  if (op == "*")
    return __builtin_mul_overflow(a, b, &result) ? Result<Value>(Overflow()) : Value::Int(result);
  if (op == "**") {
    if (b >= 0) return PowerInt(a, b);
    return Value::Float(std::pow(static_cast<double>(a), static_cast<double>(b)));
  }
  if (b == 0) return InvalidArgumentError("division by zero");
  if (op == "/") return Value::Float(static_cast<double>(a) / static_cast<double>(b));
  if (a == std::numeric_limits<std::int64_t>::min() && b == -1) return Overflow();
  const std::int64_t remainder = a % b;
  const bool shift = remainder != 0 && ((remainder < 0) != (b < 0));
  if (op == "//") return Value::Int(a / b - (shift ? 1 : 0));
  return Value::Int(shift ? remainder + b : remainder);
}

Result<Value> FloatOp(std::string_view op, double a, double b) {
  if (op == "+") return Value::Float(a + b);
  if (op == "-") return Value::Float(a - b);
  if (op == "*") return Value::Float(a * b);
  if (op == "**") return Value::Float(std::pow(a, b));
  if (b == 0.0) return InvalidArgumentError("division by zero");
  if (op == "/") return Value::Float(a / b);
  const double floor = std::floor(a / b);
  if (op == "//") return Value::Float(floor);
  double remainder = std::fmod(a, b);
  if (remainder != 0.0 && ((remainder < 0) != (b < 0))) remainder += b;
  return Value::Float(remainder);
}

Result<Value> Repeat(const Value& value, std::int64_t times, Context& context) {
  times = std::max<std::int64_t>(times, 0);
  if (value.is_string()) {
    const std::size_t size = value.string().size();
    if (size > 0 &&
        static_cast<std::uint64_t>(times) > context.options.limits.max_output_bytes / size) {
      return ResourceExhaustedError("a string longer than the output limit");
    }
    MarkedString out;
    for (std::int64_t i = 0; i < times && size > 0; ++i) out.Append(value.string());
    return context.NewString(std::move(out));
  }
  std::vector<Value> items;
  for (std::int64_t i = 0; i < times && !value.list().items.empty(); ++i) {
    if (!context.budget.Take(static_cast<std::int64_t>(value.list().items.size())))
      return BudgetError();
    items.insert(items.end(), value.list().items.begin(), value.list().items.end());
  }
  return Value::MakeList(std::move(items), value.list().tuple);
}

Result<Value> ConcatLists(const List& a, const List& b, Context& context) {
  if (!context.budget.Take(static_cast<std::int64_t>(a.items.size() + b.items.size())))
    return BudgetError();
  std::vector<Value> items = a.items;
  items.insert(items.end(), b.items.begin(), b.items.end());
  return Value::MakeList(std::move(items), a.tuple);
}

struct SliceRange {
  std::int64_t start;
  std::int64_t stop;
  std::int64_t step;
};

// Python's slice.indices.
Result<SliceRange> Indices(const Value& start, const Value& stop, const Value& step,
                           std::int64_t length) {
  const auto number = [](const Value& value, std::int64_t none) -> Result<std::int64_t> {
    if (value.is_undefined() || value.is_none()) return none;
    if (!value.integral()) return TypeError("slice", "an integer", value);
    return value.integer();
  };
  SliceRange range{};
  ZB_ASSIGN_OR_RETURN(range.step, number(step, 1));
  if (range.step == 0) return InvalidArgumentError("a slice can't have step 0");
  // More than the length in either direction is the same as the length, and can't overflow.
  range.step = std::clamp<std::int64_t>(range.step, -length - 1, length + 1);
  const bool back = range.step < 0;
  const auto place = [&](std::int64_t value) {
    if (value < 0) value = value < -length ? -1 : value + length;
    if (value < 0) return back ? std::int64_t{-1} : std::int64_t{0};
    return std::min(value, back ? length - 1 : length);
  };
  const bool no_start = start.is_undefined() || start.is_none();
  const bool no_stop = stop.is_undefined() || stop.is_none();
  ZB_ASSIGN_OR_RETURN(const std::int64_t first, number(start, 0));
  ZB_ASSIGN_OR_RETURN(const std::int64_t last, number(stop, 0));
  range.start = no_start ? (back ? length - 1 : 0) : place(first);
  range.stop = no_stop ? (back ? -1 : length) : place(last);
  return range;
}

Result<Value> ItemOfList(const List& list, const Value& key) {
  if (!key.integral()) return TypeError("index of a list", "an integer", key);
  const auto length = static_cast<std::int64_t>(list.items.size());
  std::int64_t index = key.integer();
  if (index < 0) index += length;
  if (index < 0 || index >= length) {
    return Value::MakeUndefined("element " + std::to_string(key.integer()) + " of a list of " +
                                std::to_string(length));
  }
  return list.items[static_cast<std::size_t>(index)];
}

}  // namespace

Status TypeError(std::string_view what, std::string_view expected, const Value& value) {
  if (value.is_undefined()) return UndefinedError(value);
  return InvalidArgumentError(std::string(what) + ": expected " + std::string(expected) + ", got " +
                              std::string(value.TypeName()));
}

Status UndefinedError(const Value& value) {
  return InvalidArgumentError((value.hint().empty() ? "a value" : value.hint()) + " is undefined");
}

Status Context::ChargeString(const MarkedString& text) const {
  if (text.size() > options.limits.max_output_bytes) {
    return ResourceExhaustedError("a string longer than the output limit of " +
                                  std::to_string(options.limits.max_output_bytes) + " bytes");
  }
  return budget.TakeBytes(text.size()) ? OkStatus() : BudgetError();
}

Result<Value> Context::NewString(MarkedString text) const {
  ZB_RETURN_IF_ERROR(ChargeString(text));
  return Value::String(std::move(text));
}

bool Context::IsMissing(const Value& value) const {
  const std::string& mark = options.missing_mark;
  if (mark.empty() || !value.is_string() || value.string().text().rfind(mark, 0) != 0) return false;
  if (options.met_missing != nullptr) *options.met_missing = true;
  return true;
}

Result<Value> Context::Defined(const Value& value) const {
  if (!value.is_undefined()) return value;
  if (options.undefined_text.empty()) return UndefinedError(value);
  if (options.met_missing != nullptr) *options.met_missing = true;
  return NewString(MarkedString(options.undefined_text, true));
}

Result<Value> Binary(std::string_view op, const Value& a, const Value& b, Context& context) {
  if ((a.is_undefined() || b.is_undefined()) &&
      (op != "~" || !context.options.undefined_text.empty())) {
    ZB_ASSIGN_OR_RETURN(const Value left, context.Defined(a));
    ZB_ASSIGN_OR_RETURN(const Value right, context.Defined(b));
    return Binary(op, left, right, context);
  }
  if (op == "~") {
    ZB_ASSIGN_OR_RETURN(MarkedString text, Str(a, context.budget));
    ZB_ASSIGN_OR_RETURN(const MarkedString right, Str(b, context.budget));
    text.Append(right);
    return context.NewString(std::move(text));
  }
  if (context.IsMissing(a) && !b.is_string()) return a;
  if (context.IsMissing(b) && !a.is_string()) return b;
  if (a.integral() && b.integral()) return IntegerOp(op, a.integer(), b.integer());
  if (a.is_number() && b.is_number()) return FloatOp(op, a.real(), b.real());
  if (op == "+" && a.is_string() && b.is_string()) {
    MarkedString text = a.string();
    text.Append(b.string());
    return context.NewString(std::move(text));
  }
  if (op == "+" && a.is_list() && b.is_list() && a.list().tuple == b.list().tuple) {
    return ConcatLists(a.list(), b.list(), context);
  }
  if (op == "*" && (a.is_string() || a.is_list()) && b.integral())
    return Repeat(a, b.integer(), context);
  if (op == "*" && (b.is_string() || b.is_list()) && a.integral())
    return Repeat(b, a.integer(), context);
  return Unsupported(op, a, b);
}

Result<bool> Compare(std::string_view op, const Value& a, const Value& b, Context& context) {
  const bool missing_a = context.IsMissing(a);
  const bool missing = context.IsMissing(b) || missing_a;
  if (op == "==") return Equal(a, b, context.budget);
  if (op == "!=") {
    ZB_ASSIGN_OR_RETURN(const bool same, Equal(a, b, context.budget));
    return !same;
  }
  if (op == "in") return Contains(b, a, context);
  if (op == "not in") {
    ZB_ASSIGN_OR_RETURN(const bool inside, Contains(b, a, context));
    return !inside;
  }
  for (const Value* value : {&a, &b}) {
    if (!value->is_undefined()) continue;
    ZB_RETURN_IF_ERROR(context.Defined(*value).status());
    return false;
  }
  if (missing) return false;
  if (a.is_number() && b.is_number() && (std::isnan(a.real()) || std::isnan(b.real())))
    return false;
  ZB_ASSIGN_OR_RETURN(const int order, Order(a, b, context.budget));
  if (op == "<") return order < 0;
  if (op == "<=") return order <= 0;
  if (op == ">") return order > 0;
  return order >= 0;
}

Result<bool> Contains(const Value& container, const Value& item, Context& context) {
  if (container.is_string()) {
    if (!item.is_string()) return TypeError("'in' a string", "a string", item);
    if (!context.budget.TakeBytes(container.string().size())) return BudgetError();
    return container.string().text().find(item.string().text()) != std::string::npos;
  }
  if (container.is_dict()) {
    if (!context.budget.Take(1 + static_cast<std::int64_t>(container.dict().entries.size())))
      return BudgetError();
    return item.is_string() && container.dict().Find(item.string().text()) != nullptr;
  }
  if (container.is_list()) {
    for (const Value& element : container.list().items) {
      ZB_ASSIGN_OR_RETURN(const bool same, Equal(element, item, context.budget));
      if (same) return true;
    }
    return false;
  }
  if (container.is_undefined()) return false;
  return TypeError("'in'", "a string, list or dict", container);
}

Result<std::vector<Value>> Iterate(const Value& value, Context& context) {
  std::vector<Value> items;
  if (value.is_undefined()) return items;
  if (value.is_list()) {
    if (!context.budget.Take(1 + static_cast<std::int64_t>(value.list().items.size())))
      return BudgetError();
    return value.list().items;
  }
  if (value.is_dict()) {
    if (!context.budget.Take(1 + static_cast<std::int64_t>(value.dict().entries.size())))
      return BudgetError();
    for (const auto& [key, entry] : value.dict().entries) items.push_back(Value::String(key));
    return items;
  }
  if (value.is_string()) {
    if (!context.budget.Take(1 + static_cast<std::int64_t>(value.string().size())))
      return BudgetError();
    const std::vector<std::size_t> offsets = CharOffsets(value.string().text());
    for (std::size_t i = 0; i + 1 < offsets.size(); ++i) {
      items.push_back(Value::String(value.string().Slice(offsets[i], offsets[i + 1])));
    }
    return items;
  }
  return TypeError("loop", "a list, dict or string", value);
}

Result<Value> GetAttribute(const Value& object, std::string_view name) {
  const Value* found = nullptr;
  if (object.is_undefined()) return UndefinedError(object);
  if (object.is_dict()) found = object.dict().Find(name);
  if (object.is_namespace()) found = object.name_space().Find(name);
  if (found != nullptr) return *found;
  return Value::MakeUndefined("'" + std::string(name) + "' of a " + std::string(object.TypeName()));
}

Result<Value> GetItem(const Value& object, const Value& key, Context& context) {
  if (object.is_undefined()) return context.Defined(object);
  if (object.is_list() && key.integral()) return ItemOfList(object.list(), key);
  if (object.is_string() && key.integral()) {
    if (!context.budget.Take(1 + static_cast<std::int64_t>(object.string().size())))
      return BudgetError();
    const std::vector<std::size_t> offsets = CharOffsets(object.string().text());
    const auto length = static_cast<std::int64_t>(offsets.size()) - 1;
    const std::int64_t index = key.integer() < 0 ? key.integer() + length : key.integer();
    if (index < 0 || index >= length) {
      return Value::MakeUndefined("character " + std::to_string(key.integer()) +
                                  " of a string of " + std::to_string(length));
    }
    const auto at = static_cast<std::size_t>(index);
    return Value::String(object.string().Slice(offsets[at], offsets[at + 1]));
  }
  if (object.is_dict() && context.IsMissing(key) &&
      object.dict().Find(key.string().text()) == nullptr) {
    return key;
  }
  if (key.is_string()) return GetAttribute(object, key.string().text());
  return Value::MakeUndefined("an element of a " + std::string(object.TypeName()));
}

Result<Value> GetPath(const Value& object, std::string_view path, Context& context) {
  Value current = object;
  while (true) {
    const std::size_t dot = path.find('.');
    const std::string_view part = path.substr(0, dot);
    const bool number =
        !part.empty() && part.size() < 10 && part.find_first_not_of("0123456789") == part.npos;
    if (number) {
      ZB_ASSIGN_OR_RETURN(current,
                          GetItem(current, Value::Int(std::stoll(std::string(part))), context));
    } else {
      ZB_ASSIGN_OR_RETURN(current, GetAttribute(current, part));
    }
    if (dot == std::string_view::npos) return current;
    path.remove_prefix(dot + 1);
  }
}

Result<Value> Slice(const Value& object, const Value& start, const Value& stop, const Value& step,
                    Context& context) {
  const bool is_string = object.is_string();
  if (!is_string && !object.is_list()) return TypeError("slice", "a list or string", object);
  std::vector<std::size_t> offsets;
  if (is_string) {
    if (!context.budget.Take(1 + static_cast<std::int64_t>(object.string().size())))
      return BudgetError();
    offsets = CharOffsets(object.string().text());
  }
  const auto length =
      static_cast<std::int64_t>(is_string ? offsets.size() - 1 : object.list().items.size());
  ZB_ASSIGN_OR_RETURN(const SliceRange range, Indices(start, stop, step, length));
  if (is_string && range.step == 1) {
    const std::int64_t end = std::max(range.start, range.stop);
    return context.NewString(object.string().Slice(offsets[static_cast<std::size_t>(range.start)],
                                                   offsets[static_cast<std::size_t>(end)]));
  }
  MarkedString text;
  std::vector<Value> items;
  for (std::int64_t i = range.start; range.step > 0 ? i < range.stop : i > range.stop;
       i += range.step) {
    const auto at = static_cast<std::size_t>(i);
    if (!context.budget.Take(1)) return BudgetError();
    if (is_string) {
      text.Append(object.string().Slice(offsets[at], offsets[at + 1]));
    } else {
      items.push_back(object.list().items[at]);
    }
  }
  if (is_string) return context.NewString(std::move(text));
  return Value::MakeList(std::move(items), object.list().tuple);
}

}  // namespace zhibi::text::jinja
