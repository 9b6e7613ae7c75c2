// SPDX-License-Identifier: Apache-2.0
// Printing of values as Python prints them, and the way from and to JSON.
#include <algorithm>
#include <charconv>
#include <cmath>
#include <system_error>

#include "base/status_macros.h"
#include "text/jinja_value.h"

namespace zhibi::text::jinja {
namespace {

using nlohmann::ordered_json;

std::string IntText(std::int64_t value) { return std::to_string(value); }

void AppendEscape(std::string& out, unsigned char byte, const char* form) {
  static constexpr char kHex[] = "0123456789abcdef";
  out += form;
  out += kHex[byte >> 4];
  out += kHex[byte & 15];
}

// repr of a string: single quotes unless only double ones avoid escaping.
std::string ReprText(std::string_view text) {
  const bool use_double =
      text.find('\'') != std::string_view::npos && text.find('"') == std::string_view::npos;
  const char quote = use_double ? '"' : '\'';
  std::string out(1, quote);
  for (std::size_t at = 0; at < text.size(); at += CharLength(text, at)) {
    const char c = text[at];
    const auto byte = static_cast<unsigned char>(c);
    if (c == '\\' || c == quote) {
      out += '\\';
      out += c;
    } else if (c == '\n') {
      out += "\\n";
    } else if (c == '\r') {
      out += "\\r";
    } else if (c == '\t') {
      out += "\\t";
    } else if (byte < 0x20 || byte == 0x7F) {
      AppendEscape(out, byte, "\\x");
    } else if (const char32_t code = DecodeChar(text, at); code == 0x3000) {
      out += "\\u3000";
    } else {
      out.append(text.substr(at, CharLength(text, at)));
    }
  }
  return out + quote;
}

std::string JsonText(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    switch (c) {
      case '"':
        out += "\\\"";
        break;
      case '\\':
        out += "\\\\";
        break;
      case '\n':
        out += "\\n";
        break;
      case '\r':
        out += "\\r";
        break;
      case '\t':
        out += "\\t";
        break;
      case '\b':
        out += "\\b";
        break;
      case '\f':
        out += "\\f";
        break;
      default:
        if (byte < 0x20) {
          AppendEscape(out, byte, "\\u00");
        } else {
          out += c;
        }
    }
  }
  return out + "\"";
}

Status Repr(const Value& value, MarkedString& out, Budget& budget);

Status ReprList(const List& list, MarkedString& out, Budget& budget) {
  out.Append(list.tuple ? "(" : "[", false);
  for (std::size_t i = 0; i < list.items.size(); ++i) {
    if (i > 0) out.Append(", ", false);
    ZB_RETURN_IF_ERROR(Repr(list.items[i], out, budget));
  }
  if (list.tuple && list.items.size() == 1) out.Append(",", false);
  out.Append(list.tuple ? ")" : "]", false);
  return OkStatus();
}

Status ReprDict(const Dict& dict, MarkedString& out, Budget& budget) {
  out.Append("{", false);
  bool first = true;
  for (const auto& [key, value] : dict.entries) {
    if (!first) out.Append(", ", false);
    first = false;
    out.Append(ReprText(key.text()), key.any_user());
    out.Append(": ", false);
    ZB_RETURN_IF_ERROR(Repr(value, out, budget));
  }
  out.Append("}", false);
  return OkStatus();
}

Status Repr(const Value& value, MarkedString& out, Budget& budget) {
  if (!budget.Take(1)) return BudgetError();
  if (value.is_string()) {
    if (!budget.TakeBytes(value.string().size())) return BudgetError();
    out.Append(ReprText(value.string().text()), value.string().any_user());
    return OkStatus();
  }
  if (value.is_list()) return ReprList(value.list(), out, budget);
  if (value.is_dict()) return ReprDict(value.dict(), out, budget);
  if (value.is_undefined()) {
    out.Append("Undefined", false);
    return OkStatus();
  }
  ZB_ASSIGN_OR_RETURN(const MarkedString text, Str(value, budget));
  out.Append(text);
  return OkStatus();
}

class JsonDumper {
 public:
  JsonDumper(const DumpOptions& options, Budget& budget) : options_(options), budget_(budget) {
    item_ =
        !options.item_separator.empty() ? options.item_separator : (options.indent ? "," : ", ");
    key_ = !options.key_separator.empty() ? options.key_separator : ": ";
  }

  Status Put(const Value& value, int level) {
    if (!budget_.Take(1)) return BudgetError();
    if (value.is_string()) {
      if (!budget_.TakeBytes(value.string().size())) return BudgetError();
      out_.Append(JsonText(value.string().text()), value.string().any_user());
      return OkStatus();
    }
    if (value.is_list()) return PutList(value.list(), level);
    if (value.is_dict()) return PutDict(value.dict(), level);
    if (value.is_none()) {
      out_.Append("null", false);
    } else if (value.is_bool()) {
      out_.Append(value.boolean() ? "true" : "false", false);
    } else if (value.is_int()) {
      out_.Append(IntText(value.integer()), false);
    } else if (value.is_float()) {
      const double real = value.real();
      out_.Append(std::isnan(real) ? "NaN"
                                   : (std::isinf(real) ? (real > 0 ? "Infinity" : "-Infinity")
                                                       : FloatRepr(real)),
                  false);
    } else {
      return InvalidArgumentError("tojson: a value of type " + std::string(value.TypeName()) +
                                  " is no JSON");
    }
    return OkStatus();
  }

  MarkedString Take() { return std::move(out_); }

 private:
  void Break(int level) {
    if (!options_.indent) return;
    out_.Append("\n", false);
    for (int i = 0; i < level; ++i) out_.Append(*options_.indent, false);
  }

  Status PutList(const List& list, int level) {
    if (list.items.empty()) {
      out_.Append("[]", false);
      return OkStatus();
    }
    out_.Append("[", false);
    for (std::size_t i = 0; i < list.items.size(); ++i) {
      if (i > 0) out_.Append(item_, false);
      Break(level + 1);
      ZB_RETURN_IF_ERROR(Put(list.items[i], level + 1));
    }
    Break(level);
    out_.Append("]", false);
    return OkStatus();
  }

  Status PutDict(const Dict& dict, int level) {
    if (dict.entries.empty()) {
      out_.Append("{}", false);
      return OkStatus();
    }
    std::vector<const std::pair<MarkedString, Value>*> order;
    for (const auto& entry : dict.entries) order.push_back(&entry);
    if (options_.sort_keys) {
      std::sort(order.begin(), order.end(),
                [](const auto* a, const auto* b) { return a->first.text() < b->first.text(); });
    }
    out_.Append("{", false);
    for (std::size_t i = 0; i < order.size(); ++i) {
      if (i > 0) out_.Append(item_, false);
      Break(level + 1);
      out_.Append(JsonText(order[i]->first.text()), order[i]->first.any_user());
      out_.Append(key_, false);
      ZB_RETURN_IF_ERROR(Put(order[i]->second, level + 1));
    }
    Break(level);
    out_.Append("}", false);
    return OkStatus();
  }

  const DumpOptions& options_;
  Budget& budget_;
  std::string item_;
  std::string key_;
  MarkedString out_;
};

Result<Value> FromJsonAt(const ordered_json& json, bool user, int depth, Budget& budget) {
  if (depth > kMaxNesting)
    return InvalidArgumentError("the context is nested deeper than 64 levels");
  if (!budget.Take(1)) return BudgetError();
  switch (json.type()) {
    case ordered_json::value_t::null:
      return Value::None();
    case ordered_json::value_t::boolean:
      return Value::Bool(json.get<bool>());
    case ordered_json::value_t::number_integer:
      return Value::Int(json.get<std::int64_t>());
    case ordered_json::value_t::number_unsigned: {
      const auto number = json.get<std::uint64_t>();
      if (number > static_cast<std::uint64_t>(INT64_MAX))
        return Value::Float(static_cast<double>(number));
      return Value::Int(static_cast<std::int64_t>(number));
    }
    case ordered_json::value_t::number_float:
      return Value::Float(json.get<double>());
    case ordered_json::value_t::string:
      return Value::String(MarkedString(json.get_ref<const std::string&>(), user));
    case ordered_json::value_t::array: {
      std::vector<Value> items;
      items.reserve(json.size());
      for (const ordered_json& element : json) {
        ZB_ASSIGN_OR_RETURN(Value item, FromJsonAt(element, user, depth + 1, budget));
        items.push_back(std::move(item));
      }
      return Value::MakeList(std::move(items));
    }
    case ordered_json::value_t::object: {
      std::vector<std::pair<MarkedString, Value>> entries;
      entries.reserve(json.size());
      for (const auto& [key, element] : json.items()) {
        ZB_ASSIGN_OR_RETURN(Value item, FromJsonAt(element, user, depth + 1, budget));
        entries.emplace_back(MarkedString(key, user), std::move(item));
      }
      return Value::MakeDict(std::move(entries));
    }
    case ordered_json::value_t::binary:
    case ordered_json::value_t::discarded:
      break;
  }
  return InvalidArgumentError("the context holds a value that is no JSON");
}

}  // namespace

std::string FloatRepr(double value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
  char buffer[64];
  const double magnitude = std::fabs(value);
  const bool scientific = magnitude != 0.0 && (magnitude >= 1e16 || magnitude < 1e-4);
  const std::to_chars_result result =
      scientific
          ? std::to_chars(buffer, buffer + sizeof(buffer), value, std::chars_format::scientific)
          : std::to_chars(buffer, buffer + sizeof(buffer), value, std::chars_format::fixed);
  std::string text(buffer, result.ptr);
  if (!scientific && text.find('.') == std::string::npos) text += ".0";
  return text;
}

Result<Value> FromJson(const ordered_json& json, bool user, Budget& budget) {
  return FromJsonAt(json, user, 0, budget);
}

Result<ordered_json> ToJson(const Value& value, Budget& budget) {
  if (!budget.Take(1)) return BudgetError();
  if (value.is_none()) return ordered_json(nullptr);
  if (value.is_bool()) return ordered_json(value.boolean());
  if (value.is_int()) return ordered_json(value.integer());
  if (value.is_float()) return ordered_json(value.real());
  if (value.is_string()) {
    if (!budget.TakeBytes(value.string().size())) return BudgetError();
    return ordered_json(value.string().text());
  }
  if (value.is_list()) {
    ordered_json array = ordered_json::array();
    for (const Value& item : value.list().items) {
      ZB_ASSIGN_OR_RETURN(ordered_json element, ToJson(item, budget));
      array.push_back(std::move(element));
    }
    return array;
  }
  if (value.is_dict()) {
    ordered_json object = ordered_json::object();
    for (const auto& [key, item] : value.dict().entries) {
      ZB_ASSIGN_OR_RETURN(ordered_json element, ToJson(item, budget));
      object[key.text()] = std::move(element);
    }
    return object;
  }
  return InvalidArgumentError("a value of type " + std::string(value.TypeName()) + " is no JSON");
}

Result<MarkedString> Str(const Value& value, Budget& budget) {
  if (value.is_undefined()) return MarkedString();
  if (value.is_none()) return MarkedString("None");
  if (value.is_bool()) return MarkedString(value.boolean() ? "True" : "False");
  if (value.is_int()) return MarkedString(IntText(value.integer()));
  if (value.is_float()) return MarkedString(FloatRepr(value.real()));
  if (value.is_string()) {
    if (!budget.TakeBytes(value.string().size())) return BudgetError();
    return value.string();
  }
  MarkedString out;
  if (value.is_list()) {
    ZB_RETURN_IF_ERROR(ReprList(value.list(), out, budget));
    return out;
  }
  if (value.is_dict()) {
    ZB_RETURN_IF_ERROR(ReprDict(value.dict(), out, budget));
    return out;
  }
  return InvalidArgumentError("a " + std::string(value.TypeName()) + " can't be printed");
}

Result<MarkedString> Dump(const Value& value, const DumpOptions& options, Budget& budget) {
  JsonDumper dumper(options, budget);
  ZB_RETURN_IF_ERROR(dumper.Put(value, 0));
  return dumper.Take();
}

}  // namespace zhibi::text::jinja
