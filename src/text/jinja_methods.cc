// SPDX-License-Identifier: Apache-2.0
// Methods of strings and dictionaries, and the functions of the Jinja subset. Lists have none: a
// template may not change what it was given (the sandbox of transformers forbids it too).
#include <algorithm>
#include <array>

#include "base/status_macros.h"
#include "text/jinja_builtins.h"
#include "text/jinja_lines.h"

namespace zhibi::text::jinja {
namespace {

// As in Jinja's sandbox.
constexpr std::size_t kMaxRange = 100'000;

using MethodFn = Result<Value> (*)(const Value& self, const Bound& args, Context& context);

Result<std::string> StringArg(const Value* value, std::string_view method,
                              std::string otherwise = {}) {
  if (value == nullptr || value->is_none()) return otherwise;
  if (!value->is_string()) return TypeError(method, "a string", *value);
  return value->string().text();
}

Result<std::int64_t> IntArg(const Value* value, std::string_view method, std::int64_t otherwise) {
  if (value == nullptr) return otherwise;
  if (!value->integral()) return TypeError(method, "an integer", *value);
  return value->integer();
}

Result<Value> Strip(const Value& self, const Bound& args, bool left, bool right, Context& context) {
  ZB_ASSIGN_OR_RETURN(const std::string chars, StringArg(args[0], "strip"));
  if (args[0] != nullptr && args[0]->is_string() && chars.empty()) return self;
  const MarkedString::Span kept = StripRange(self.string().text(), chars, left, right);
  return context.NewString(self.string().Slice(kept.begin, kept.end));
}

// Pieces between white space, at most max + 1 of them, counted from the right when `from_right`. As
// in Python the piece that is left over keeps the white space of its far end.
std::vector<MarkedString::Span> SplitSpace(std::string_view text, std::int64_t max,
                                           bool from_right) {
  std::vector<MarkedString::Span> words;
  const std::vector<std::size_t> offsets = CharOffsets(text);
  std::size_t i = 0;
  const auto space = [&](std::size_t index) { return IsSpace(DecodeChar(text, offsets[index])); };
  while (true) {
    while (i + 1 < offsets.size() && space(i)) ++i;
    if (i + 1 >= offsets.size()) break;
    const std::size_t begin = i;
    while (i + 1 < offsets.size() && !space(i)) ++i;
    words.push_back({offsets[begin], offsets[i]});
  }
  const auto limit = max < 0 ? words.size() : static_cast<std::size_t>(max) + 1;
  if (words.size() <= limit) return words;
  if (from_right) {
    const std::size_t surplus = words.size() - limit;
    words[surplus].begin = 0;
    words.erase(words.begin(), words.begin() + static_cast<std::ptrdiff_t>(surplus));
  } else {
    words.resize(limit);
    words.back().end = text.size();
  }
  return words;
}

std::vector<MarkedString::Span> SplitAt(std::string_view text, std::string_view separator,
                                        std::int64_t max, bool from_right) {
  std::vector<std::size_t> cuts;
  if (from_right) {
    std::size_t end = text.size();
    while (end >= separator.size() && (max < 0 || static_cast<std::int64_t>(cuts.size()) < max)) {
      const std::size_t found = text.rfind(separator, end - separator.size());
      if (found == std::string_view::npos) break;
      cuts.push_back(found);
      end = found;
    }
    std::reverse(cuts.begin(), cuts.end());
  } else {
    std::size_t at = 0;
    while (max < 0 || static_cast<std::int64_t>(cuts.size()) < max) {
      const std::size_t found = text.find(separator, at);
      if (found == std::string_view::npos) break;
      cuts.push_back(found);
      at = found + separator.size();
    }
  }
  std::vector<MarkedString::Span> pieces;
  std::size_t begin = 0;
  for (const std::size_t cut : cuts) {
    pieces.push_back({begin, cut});
    begin = cut + separator.size();
  }
  pieces.push_back({begin, text.size()});
  return pieces;
}

Result<Value> PiecesToList(const MarkedString& text, const std::vector<MarkedString::Span>& pieces,
                           Context& context) {
  if (!context.budget.TakeBytes(text.size() + 64 * pieces.size())) return BudgetError();
  std::vector<Value> items;
  items.reserve(pieces.size());
  for (const MarkedString::Span& piece : pieces)
    items.push_back(Value::String(text.Slice(piece.begin, piece.end)));
  return Value::MakeList(std::move(items));
}

Result<Value> Split(const Value& self, const Bound& args, bool from_right, Context& context) {
  ZB_ASSIGN_OR_RETURN(const std::string separator, StringArg(args[0], "split"));
  ZB_ASSIGN_OR_RETURN(const std::int64_t max, IntArg(args[1], "split", -1));
  const MarkedString& text = self.string();
  if (args[0] == nullptr || args[0]->is_none()) {
    return PiecesToList(text, SplitSpace(text.text(), max, from_right), context);
  }
  if (separator.empty()) return InvalidArgumentError("split: the separator is empty");
  return PiecesToList(text, SplitAt(text.text(), separator, max, from_right), context);
}

Result<Value> Replace(const Value& self, const Bound& args, Context& context) {
  if (args[0] == nullptr || args[1] == nullptr)
    return InvalidArgumentError("replace takes two strings");
  ZB_ASSIGN_OR_RETURN(const std::string old, StringArg(args[0], "replace"));
  ZB_ASSIGN_OR_RETURN(const MarkedString replacement, Str(*args[1], context.budget));
  std::int64_t max = -1;
  if (args[2] != nullptr && !args[2]->is_none()) {
    ZB_ASSIGN_OR_RETURN(max, IntArg(args[2], "replace", -1));
  }
  const MarkedString& text = self.string();
  MarkedString out;
  std::vector<MarkedString::Span> pieces;
  if (old.empty()) {
    // Python puts the replacement around every character.
    const std::vector<std::size_t> offsets = CharOffsets(text.text());
    pieces.push_back({0, 0});
    for (std::size_t i = 0; i + 1 < offsets.size(); ++i)
      pieces.push_back({offsets[i], offsets[i + 1]});
    pieces.push_back({text.size(), text.size()});
    if (max >= 0 && pieces.size() > static_cast<std::size_t>(max) + 1) {
      pieces.resize(static_cast<std::size_t>(max) + 1);
      pieces.back().end = text.size();
    }
  } else {
    pieces = SplitAt(text.text(), old, max, false);
  }
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    if (i > 0) out.Append(replacement);
    out.Append(text.Slice(pieces[i].begin, pieces[i].end));
    if (out.size() > context.options.limits.max_output_bytes) break;
    if (!context.budget.Take(1)) return BudgetError();
  }
  return context.NewString(std::move(out));
}

// startswith and endswith: a string or a tuple of strings.
Result<Value> HasAffix(const Value& self, const Bound& args, bool at_end) {
  if (args[0] == nullptr) return InvalidArgumentError("startswith and endswith take a string");
  std::vector<Value> candidates = {*args[0]};
  if (args[0]->is_list()) candidates = args[0]->list().items;
  const std::string& text = self.string().text();
  for (const Value& candidate : candidates) {
    if (!candidate.is_string()) return TypeError("startswith and endswith", "a string", candidate);
    const std::string& affix = candidate.string().text();
    if (affix.size() > text.size()) continue;
    if (text.compare(at_end ? text.size() - affix.size() : 0, affix.size(), affix) == 0)
      return Value::Bool(true);
  }
  return Value::Bool(false);
}

Result<Value> RemoveAffix(const Value& self, const Bound& args, bool at_end, Context& context) {
  ZB_ASSIGN_OR_RETURN(const std::string affix, StringArg(args[0], "removeprefix"));
  ZB_ASSIGN_OR_RETURN(const Value has, HasAffix(self, args, at_end));
  if (!has.Truthy()) return self;
  const std::size_t size = self.string().size();
  return context.NewString(at_end ? self.string().Slice(0, size - affix.size())
                                  : self.string().Slice(affix.size(), size));
}

Result<Value> Find(const Value& self, const Bound& args, bool last, Context& context) {
  ZB_ASSIGN_OR_RETURN(const std::string needle, StringArg(args[0], "find"));
  const std::string& text = self.string().text();
  if (!context.budget.TakeBytes(text.size())) return BudgetError();
  const std::size_t found = last ? text.rfind(needle) : text.find(needle);
  if (found == std::string::npos) return Value::Int(-1);
  return Value::Int(static_cast<std::int64_t>(CountChars(std::string_view(text).substr(0, found))));
}

Result<Value> Count(const Value& self, const Bound& args, Context& context) {
  ZB_ASSIGN_OR_RETURN(const std::string needle, StringArg(args[0], "count"));
  const std::string& text = self.string().text();
  if (!context.budget.TakeBytes(text.size())) return BudgetError();
  if (needle.empty()) return Value::Int(static_cast<std::int64_t>(CountChars(text)) + 1);
  return Value::Int(static_cast<std::int64_t>(SplitAt(text, needle, -1, false).size()) - 1);
}

Result<Value> Mapped(const Value& self, std::string (*map)(std::string_view), Context& context) {
  return context.NewString(self.string().WithText(map(self.string().text())));
}

Result<Value> IsDigits(const Value& self) {
  const std::string& text = self.string().text();
  return Value::Bool(!text.empty() && text.find_first_not_of("0123456789") == std::string::npos);
}

Result<Value> DictItems(const Value& self, Context& context) {
  std::vector<Value> pairs;
  for (const auto& [key, value] : self.dict().entries) {
    if (!context.budget.Take(1)) return BudgetError();
    ZB_ASSIGN_OR_RETURN(Value pair, Value::MakeList({Value::String(key), value}, true));
    pairs.push_back(std::move(pair));
  }
  return Value::MakeList(std::move(pairs));
}

Result<Value> DictGet(const Value& self, const Bound& args) {
  if (args[0] == nullptr) return InvalidArgumentError("get takes a key");
  const Value* found = args[0]->is_string() ? self.dict().Find(args[0]->string().text()) : nullptr;
  if (found != nullptr) return *found;
  return args[1] != nullptr ? *args[1] : Value::None();
}

struct MethodRow {
  std::string_view name;
  std::string_view parameters;
  MethodFn function;
};

constexpr MethodRow kStringMethods[] = {
    {"capitalize", "",
     [](const Value& s, const Bound&, Context& c) { return Mapped(s, Capitalize, c); }},
    {"count", "sub", Count},
    {"endswith", "suffix",
     [](const Value& s, const Bound& a, Context&) { return HasAffix(s, a, true); }},
    {"find", "sub",
     [](const Value& s, const Bound& a, Context& c) { return Find(s, a, false, c); }},
    {"isdigit", "", [](const Value& s, const Bound&, Context&) { return IsDigits(s); }},
    {"join", "iterable",
     [](const Value& s, const Bound& a, Context& c) {
       if (a[0] == nullptr) return Result<Value>(InvalidArgumentError("join takes a list"));
       return ApplyFilter("join", *a[0], {{s}, {}}, c);
     }},
    {"lower", "", [](const Value& s, const Bound&, Context& c) { return Mapped(s, ToLower, c); }},
    {"lstrip", "chars",
     [](const Value& s, const Bound& a, Context& c) { return Strip(s, a, true, false, c); }},
    {"removeprefix", "prefix",
     [](const Value& s, const Bound& a, Context& c) { return RemoveAffix(s, a, false, c); }},
    {"removesuffix", "suffix",
     [](const Value& s, const Bound& a, Context& c) { return RemoveAffix(s, a, true, c); }},
    {"replace", "old new count", Replace},
    {"rfind", "sub",
     [](const Value& s, const Bound& a, Context& c) { return Find(s, a, true, c); }},
    {"rsplit", "sep maxsplit",
     [](const Value& s, const Bound& a, Context& c) { return Split(s, a, true, c); }},
    {"rstrip", "chars",
     [](const Value& s, const Bound& a, Context& c) { return Strip(s, a, false, true, c); }},
    {"split", "sep maxsplit",
     [](const Value& s, const Bound& a, Context& c) { return Split(s, a, false, c); }},
    {"splitlines", "",
     [](const Value& s, const Bound&, Context& c) {
       return PiecesToList(s.string(), SplitLines(s.string().text()), c);
     }},
    {"startswith", "prefix",
     [](const Value& s, const Bound& a, Context&) { return HasAffix(s, a, false); }},
    {"strip", "chars",
     [](const Value& s, const Bound& a, Context& c) { return Strip(s, a, true, true, c); }},
    {"title", "", [](const Value& s, const Bound&, Context& c) { return Mapped(s, TitleCase, c); }},
    {"upper", "", [](const Value& s, const Bound&, Context& c) { return Mapped(s, ToUpper, c); }},
};

constexpr MethodRow kDictMethods[] = {
    {"get", "key default", [](const Value& s, const Bound& a, Context&) { return DictGet(s, a); }},
    {"items", "", [](const Value& s, const Bound&, Context& c) { return DictItems(s, c); }},
    {"keys", "",
     [](const Value& s, const Bound&, Context& c) { return ApplyFilter("list", s, {}, c); }},
    {"values", "",
     [](const Value& s, const Bound&, Context&) {
       std::vector<Value> values;
       for (const auto& entry : s.dict().entries) values.push_back(entry.second);
       return Value::MakeList(std::move(values));
     }},
};

const MethodRow* FindMethod(const Value& object, std::string_view name) {
  const std::span<const MethodRow> rows =
      object.is_string() ? std::span<const MethodRow>(kStringMethods)
      : object.is_dict() ? std::span<const MethodRow>(kDictMethods)
                         : std::span<const MethodRow>();
  for (const MethodRow& row : rows) {
    if (row.name == name) return &row;
  }
  return nullptr;
}

Result<Value> Range(const Arguments& arguments, Context& context) {
  std::array<std::int64_t, 3> bounds = {0, 0, 1};
  const std::vector<Value>& given = arguments.positional;
  if (given.empty() || given.size() > 3 || !arguments.named.empty()) {
    return InvalidArgumentError("range takes one to three integers");
  }
  for (std::size_t i = 0; i < given.size(); ++i) {
    if (!given[i].integral()) return TypeError("range", "an integer", given[i]);
    bounds[given.size() == 1 ? 1 : i] = given[i].integer();
  }
  const auto [start, stop, step] = bounds;
  if (step == 0) return InvalidArgumentError("range: the step is 0");
  std::vector<Value> items;
  for (std::int64_t i = start; step > 0 ? i < stop : i > stop;) {
    if (!context.budget.Take(1)) return BudgetError();
    if (items.size() >= kMaxRange) return InvalidArgumentError("range: more than 100000 numbers");
    items.push_back(Value::Int(i));
    if (__builtin_add_overflow(i, step, &i)) break;
  }
  return Value::MakeList(std::move(items));
}

Result<Value> StrftimeNow(const Arguments& arguments, Context& context) {
  ZB_ASSIGN_OR_RETURN(const Bound args, Bind("strftime_now", "format", arguments));
  if (args[0] == nullptr || !args[0]->is_string())
    return InvalidArgumentError("strftime_now takes a format");
  if (!context.options.now) return InvalidArgumentError("strftime_now: no clock was given");
  const std::string& format = args[0]->string().text();
  for (std::size_t at = format.find('%'); at != std::string::npos; at = format.find('%', at + 2)) {
    std::size_t letter = at + 1;
    if (letter < format.size() && format[letter] == '-') ++letter;
    const bool known =
        letter < format.size() &&
        std::string_view("aAbBdHIjmMpSUwWyY%").find(format[letter]) != std::string_view::npos;
    if (!known) return InvalidArgumentError("strftime_now: the format has an unknown directive");
  }
  if (format.size() > 200)
    return InvalidArgumentError("strftime_now: a format of at most 200 bytes");
  std::array<char, 2048> buffer{};
  const std::size_t length =
      std::strftime(buffer.data(), buffer.size(), format.c_str(), &*context.options.now);
  return context.NewString(
      MarkedString(std::string(buffer.data(), length), args[0]->string().any_user()));
}

Result<Value> RaiseException(const Arguments& arguments, Context& context) {
  std::string message = "raise_exception";
  if (!arguments.positional.empty()) {
    ZB_ASSIGN_OR_RETURN(const MarkedString text, Str(arguments.positional[0], context.budget));
    message = text.text();
  }
  return InvalidArgumentError("the template refuses: " + message);
}

}  // namespace

bool HasMethod(const Value& object, std::string_view name) {
  return FindMethod(object, name) != nullptr;
}

Result<Value> CallMethod(const Value& object, std::string_view name, const Arguments& arguments,
                         Context& context) {
  if (object.is_undefined()) return UndefinedError(object);
  const MethodRow* row = FindMethod(object, name);
  if (row == nullptr) {
    return InvalidArgumentError("a " + std::string(object.TypeName()) + " has no method '" +
                                std::string(name) + "'");
  }
  ZB_ASSIGN_OR_RETURN(const Bound args,
                      Bind("method '" + std::string(name) + "'", row->parameters, arguments));
  return row->function(object, args, context);
}

bool IsFunction(std::string_view name) {
  return name == "range" || name == "namespace" || name == "dict" || name == "raise_exception" ||
         name == "strftime_now";
}

Result<Value> CallFunction(std::string_view name, const Arguments& arguments, Context& context) {
  if (name == "range") return Range(arguments, context);
  if (name == "strftime_now") return StrftimeNow(arguments, context);
  if (name == "raise_exception") return RaiseException(arguments, context);
  if (arguments.positional.size() > 1 ||
      (!arguments.positional.empty() && !arguments.positional[0].is_dict())) {
    return InvalidArgumentError(std::string(name) + " takes named arguments");
  }
  std::vector<std::pair<MarkedString, Value>> entries;
  if (!arguments.positional.empty()) entries = arguments.positional[0].dict().entries;
  for (const auto& [key, value] : arguments.named) {
    const auto found =
        std::find_if(entries.begin(), entries.end(),
                     [&key = key](const auto& entry) { return entry.first.text() == key; });
    if (found != entries.end()) {
      found->second = value;
    } else {
      entries.emplace_back(MarkedString(key), value);
    }
  }
  if (name == "dict") return Value::MakeDict(std::move(entries));
  Value result = Value::MakeNamespace();
  for (auto& [key, value] : entries) {
    if (!value.is_plain()) return TypeError("namespace", "a plain value", value);
    result.name_space().Set(key.text(), std::move(value));
  }
  return result;
}

}  // namespace zhibi::text::jinja
