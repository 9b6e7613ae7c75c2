// SPDX-License-Identifier: Apache-2.0
#include "text/jinja_value.h"

#include <algorithm>
#include <cmath>

#include "base/status_macros.h"

namespace zhibi::text::jinja {
namespace {

// Comparison of an int with a float without losing bits of the int.
int CompareIntFloat(std::int64_t a, double b) {
  if (b >= 9223372036854775808.0) return -1;
  if (b < -9223372036854775808.0) return 1;
  const double floor = std::floor(b);
  const auto whole = static_cast<std::int64_t>(floor);
  if (a != whole) return a < whole ? -1 : 1;
  return floor < b ? -1 : 0;
}

// Both are numbers, neither is NaN.
int CompareNumbers(const Value& a, const Value& b) {
  if (a.integral() && b.integral()) {
    const std::int64_t x = a.integer();
    const std::int64_t y = b.integer();
    return x < y ? -1 : (x > y ? 1 : 0);
  }
  if (a.integral()) return CompareIntFloat(a.integer(), b.real());
  if (b.integral()) return -CompareIntFloat(b.integer(), a.real());
  return a.real() < b.real() ? -1 : (a.real() > b.real() ? 1 : 0);
}

bool IsNan(const Value& value) { return value.is_float() && std::isnan(value.real()); }

Result<int> NestingOf(const Value& value) {
  if (!value.is_plain()) {
    return InvalidArgumentError("a " + std::string(value.TypeName()) +
                                " can't be an element of a list or dict");
  }
  return value.nesting();
}

Result<bool> EqualLists(const List& a, const List& b, Budget& budget) {
  if (a.tuple != b.tuple || a.items.size() != b.items.size()) return false;
  for (std::size_t i = 0; i < a.items.size(); ++i) {
    ZB_ASSIGN_OR_RETURN(const bool same, Equal(a.items[i], b.items[i], budget));
    if (!same) return false;
  }
  return true;
}

Result<bool> EqualDicts(const Dict& a, const Dict& b, Budget& budget) {
  if (a.entries.size() != b.entries.size()) return false;
  for (const auto& [key, value] : a.entries) {
    if (!budget.Take(static_cast<std::int64_t>(b.entries.size()))) return BudgetError();
    const Value* other = b.Find(key.text());
    if (other == nullptr) return false;
    ZB_ASSIGN_OR_RETURN(const bool same, Equal(value, *other, budget));
    if (!same) return false;
  }
  return true;
}

}  // namespace

const Value* Dict::Find(std::string_view key) const {
  for (const auto& [name, value] : entries) {
    if (name.text() == key) return &value;
  }
  return nullptr;
}

const Value* Namespace::Find(std::string_view key) const {
  for (const auto& [name, value] : entries) {
    if (name == key) return &value;
  }
  return nullptr;
}

void Namespace::Set(std::string_view key, Value value) {
  for (auto& [name, old] : entries) {
    if (name == key) {
      old = std::move(value);
      return;
    }
  }
  entries.emplace_back(std::string(key), std::move(value));
}

Result<Value> Value::MakeList(std::vector<Value> items, bool tuple) {
  List list;
  list.tuple = tuple;
  for (const Value& item : items) {
    ZB_ASSIGN_OR_RETURN(const int nesting, NestingOf(item));
    list.nesting = std::max(list.nesting, nesting + 1);
  }
  if (list.nesting > kMaxNesting) return InvalidArgumentError("lists nested deeper than 64 levels");
  list.items = std::move(items);
  return Value(std::make_shared<const List>(std::move(list)));
}

Result<Value> Value::MakeDict(std::vector<std::pair<MarkedString, Value>> entries) {
  Dict dict;
  for (const auto& [key, value] : entries) {
    ZB_ASSIGN_OR_RETURN(const int nesting, NestingOf(value));
    dict.nesting = std::max(dict.nesting, nesting + 1);
  }
  if (dict.nesting > kMaxNesting) return InvalidArgumentError("dicts nested deeper than 64 levels");
  dict.entries = std::move(entries);
  return Value(std::make_shared<const Dict>(std::move(dict)));
}

std::int64_t Value::integer() const {
  if (is_bool()) return boolean() ? 1 : 0;
  return std::get<std::int64_t>(data_);
}

double Value::real() const {
  if (is_float()) return std::get<double>(data_);
  return static_cast<double>(integer());
}

bool Value::Truthy() const {
  if (is_undefined() || is_none()) return false;
  if (is_bool() || is_int()) return integer() != 0;
  if (is_float()) return real() != 0.0;
  if (is_string()) return !string().empty();
  if (is_list()) return !list().items.empty();
  if (is_dict()) return !dict().entries.empty();
  return true;
}

std::string_view Value::TypeName() const {
  if (is_undefined()) return "undefined";
  if (is_none()) return "None";
  if (is_bool()) return "bool";
  if (is_int()) return "int";
  if (is_float()) return "float";
  if (is_string()) return "str";
  if (is_list()) return list().tuple ? "tuple" : "list";
  if (is_dict()) return "dict";
  if (is_namespace()) return "namespace";
  if (is_macro()) return "macro";
  if (is_loop()) return "loop";
  return "function";
}

int Value::nesting() const {
  if (is_list()) return list().nesting;
  if (is_dict()) return dict().nesting;
  return 0;
}

Status BudgetError() {
  return ResourceExhaustedError("the template takes more steps than allowed");
}

Result<bool> Equal(const Value& a, const Value& b, Budget& budget) {
  if (!budget.Take(1)) return BudgetError();
  if (a.is_number() && b.is_number()) return !IsNan(a) && !IsNan(b) && CompareNumbers(a, b) == 0;
  if (a.is_string() && b.is_string()) {
    if (!budget.TakeBytes(a.string().size())) return BudgetError();
    return a.string().text() == b.string().text();
  }
  if (a.is_list() && b.is_list()) return EqualLists(a.list(), b.list(), budget);
  if (a.is_dict() && b.is_dict()) return EqualDicts(a.dict(), b.dict(), budget);
  if (a.is_none() && b.is_none()) return true;
  if (a.is_undefined() && b.is_undefined()) return true;
  if (a.is_namespace() && b.is_namespace()) return &a.name_space() == &b.name_space();
  if (a.is_macro() && b.is_macro()) return a.macro() == b.macro();
  return false;
}

Result<int> Order(const Value& a, const Value& b, Budget& budget) {
  if (!budget.Take(1)) return BudgetError();
  if (a.is_number() && b.is_number() && !IsNan(a) && !IsNan(b)) return CompareNumbers(a, b);
  if (a.is_string() && b.is_string()) {
    if (!budget.TakeBytes(a.string().size())) return BudgetError();
    // UTF-8 keeps the order of code points.
    return a.string().text().compare(b.string().text());
  }
  if (a.is_list() && b.is_list() && a.list().tuple == b.list().tuple) {
    const std::vector<Value>& x = a.list().items;
    const std::vector<Value>& y = b.list().items;
    for (std::size_t i = 0; i < std::min(x.size(), y.size()); ++i) {
      ZB_ASSIGN_OR_RETURN(const bool same, Equal(x[i], y[i], budget));
      if (!same) return Order(x[i], y[i], budget);
    }
    return x.size() < y.size() ? -1 : (x.size() > y.size() ? 1 : 0);
  }
  return InvalidArgumentError("no order between " + std::string(a.TypeName()) + " and " +
                              std::string(b.TypeName()));
}

}  // namespace zhibi::text::jinja
