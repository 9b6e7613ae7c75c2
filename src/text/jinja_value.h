// SPDX-License-Identifier: Apache-2.0
// Values of the Jinja interpreter. Strings carry user marks (jinja_string.h); lists and
// dictionaries are immutable and shared; the only mutable thing is a namespace, which can hold no
// container of namespaces, so that no cycle can form. Nesting is limited when a container is made:
// freeing a value never recurses deeper than kMaxNesting. Printing follows Python: str() for output
// and '~', repr() inside containers, json.dumps for tojson. Thread rule: a value and its copies
// belong to one thread at a time.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include <nlohmann/json.hpp>

#include "text/jinja_string.h"
#include "zhibi/status.h"

namespace zhibi::text::jinja {

inline constexpr int kMaxNesting = 64;

class Value;
struct MacroDef;
struct LoopState;

struct List {
  std::vector<Value> items;
  bool tuple = false;
  int nesting = 1;
};

// Keys keep their order of insertion, as Python's dict does.
struct Dict {
  std::vector<std::pair<MarkedString, Value>> entries;
  int nesting = 1;
  const Value* Find(std::string_view key) const;
};

struct Namespace {
  std::vector<std::pair<std::string, Value>> entries;
  const Value* Find(std::string_view key) const;
  void Set(std::string_view key, Value value);
};

// A name that is not there; `hint` says which, for the message when it is used.
struct Undefined {
  std::string hint;
};

// A function of the interpreter that was read as a value, e.g. range.
struct Function {
  std::string name;
};

class Value {
 public:
  Value() : data_(Undefined{}) {}
  static Value MakeUndefined(std::string hint) { return Value(Undefined{std::move(hint)}); }
  static Value None() { return Value(nullptr); }
  static Value Bool(bool value) { return Value(value); }
  static Value Int(std::int64_t value) { return Value(value); }
  static Value Float(double value) { return Value(value); }
  static Value String(MarkedString value) {
    return Value(std::make_shared<const MarkedString>(std::move(value)));
  }
  static Value String(std::string_view value) { return String(MarkedString(std::string(value))); }
  // kInvalidArgument: nested deeper than kMaxNesting, or an element that is no plain value
  // (namespace, macro, loop).
  static Result<Value> MakeList(std::vector<Value> items, bool tuple = false);
  static Result<Value> MakeDict(std::vector<std::pair<MarkedString, Value>> entries);
  static Value MakeNamespace() { return Value(std::make_shared<Namespace>()); }
  static Value Macro(const MacroDef* macro) { return Value(macro); }
  static Value Loop(const LoopState* loop) { return Value(loop); }
  static Value MakeFunction(std::string name) { return Value(Function{std::move(name)}); }

  bool is_undefined() const { return std::holds_alternative<Undefined>(data_); }
  bool is_none() const { return std::holds_alternative<std::nullptr_t>(data_); }
  bool is_bool() const { return std::holds_alternative<bool>(data_); }
  bool is_int() const { return std::holds_alternative<std::int64_t>(data_); }
  bool is_float() const { return std::holds_alternative<double>(data_); }
  bool is_number() const { return is_bool() || is_int() || is_float(); }
  bool is_string() const {
    return std::holds_alternative<std::shared_ptr<const MarkedString>>(data_);
  }
  bool is_list() const { return std::holds_alternative<std::shared_ptr<const List>>(data_); }
  bool is_dict() const { return std::holds_alternative<std::shared_ptr<const Dict>>(data_); }
  bool is_namespace() const { return std::holds_alternative<std::shared_ptr<Namespace>>(data_); }
  bool is_macro() const { return std::holds_alternative<const MacroDef*>(data_); }
  bool is_loop() const { return std::holds_alternative<const LoopState*>(data_); }
  bool is_function() const { return std::holds_alternative<Function>(data_); }
  // May be an element of a list or dictionary, or an attribute of a namespace.
  bool is_plain() const { return !(is_namespace() || is_macro() || is_loop() || is_function()); }

  const std::string& hint() const { return std::get<Undefined>(data_).hint; }
  const MarkedString& string() const {
    return *std::get<std::shared_ptr<const MarkedString>>(data_);
  }
  const List& list() const { return *std::get<std::shared_ptr<const List>>(data_); }
  const Dict& dict() const { return *std::get<std::shared_ptr<const Dict>>(data_); }
  Namespace& name_space() const { return *std::get<std::shared_ptr<Namespace>>(data_); }
  const MacroDef* macro() const { return std::get<const MacroDef*>(data_); }
  const LoopState* loop() const { return std::get<const LoopState*>(data_); }
  const std::string& function() const { return std::get<Function>(data_).name; }
  bool boolean() const { return std::get<bool>(data_); }
  // Of a bool or an int.
  std::int64_t integer() const;
  // Of any number.
  double real() const;
  bool integral() const { return is_bool() || is_int(); }

  bool Truthy() const;
  // "str", "int", "list", ... as Python names them, for messages.
  std::string_view TypeName() const;
  // Elements of this value and of what it holds; the unit in which printing and comparing are
  // charged.
  int nesting() const;

 private:
  using Data = std::variant<Undefined, std::nullptr_t, bool, std::int64_t, double,
                            std::shared_ptr<const MarkedString>, std::shared_ptr<const List>,
                            std::shared_ptr<const Dict>, std::shared_ptr<Namespace>,
                            const MacroDef*, const LoopState*, Function>;
  template <typename T>
  explicit Value(T data) : data_(std::move(data)) {}
  Data data_;
};

// Counts work against a limit; shared by everything that can take long.
class Budget {
 public:
  explicit Budget(std::int64_t steps) : left_(steps) {}
  // false: used up.
  bool Take(std::int64_t steps) {
    left_ -= steps;
    return left_ >= 0;
  }
  bool TakeBytes(std::size_t bytes) { return Take(1 + static_cast<std::int64_t>(bytes / 64)); }

 private:
  std::int64_t left_;
};

Status BudgetError();

// JSON to values. Strings (keys included) are marked as the user's when `user` is set.
Result<Value> FromJson(const nlohmann::ordered_json& json, bool user, Budget& budget);
// Values to JSON, for functions of the host; kInvalidArgument for what JSON can't hold.
Result<nlohmann::ordered_json> ToJson(const Value& value, Budget& budget);

// Python's ==. Numbers compare across types; containers by element.
Result<bool> Equal(const Value& a, const Value& b, Budget& budget);
// Python's <: negative, zero, positive. kInvalidArgument for types without an order.
Result<int> Order(const Value& a, const Value& b, Budget& budget);

// str(value): what {{ value }} prints. An undefined value prints nothing.
Result<MarkedString> Str(const Value& value, Budget& budget);
struct DumpOptions {
  std::optional<std::string> indent;  // text of one level; none: on one line with ", " and ": "
  bool sort_keys = false;
  std::string item_separator;  // empty: as Python chooses
  std::string key_separator;
};
// json.dumps(value, ensure_ascii=False, ...).
Result<MarkedString> Dump(const Value& value, const DumpOptions& options, Budget& budget);

// Python's repr of a float: shortest digits that read back, "1.0", "1e+16", "inf", "nan".
std::string FloatRepr(double value);

}  // namespace zhibi::text::jinja
