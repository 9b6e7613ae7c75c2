// SPDX-License-Identifier: Apache-2.0
#include "legal/normalise.h"

#include <charconv>
#include <string>
#include <system_error>

#include <nlohmann/json.hpp>

#include "base/status_macros.h"
#include "legal/date.h"
#include "legal/identity.h"
#include "legal/interest.h"
#include "legal/money.h"
#include "text/jinja_string.h"

namespace zhibi::legal {
namespace {

using nlohmann::json;

constexpr int kMaxDepth = 64;

// Trimmed, and every run of blanks with a line end or tab in it becomes one blank.
std::string OneLine(const std::string& text) {
  const text::jinja::MarkedString::Span kept = text::jinja::StripRange(text, "", true, true);
  std::string out;
  bool broken = false;
  for (std::size_t i = kept.begin; i < kept.end; ++i) {
    const char c = text[i];
    if (c == '\n' || c == '\r' || c == '\t') {
      broken = true;
      continue;
    }
    if (broken && c == ' ') continue;
    if (broken) {
      while (!out.empty() && out.back() == ' ') out.pop_back();
      out += ' ';
      broken = false;
    }
    out += c;
  }
  return out;
}

Result<json> Percent(const json& value) {
  double percent = 0;
  if (value.is_number()) {
    percent = value.get<double>();
  } else {
    std::string text = OneLine(value.get<std::string>());
    for (const char* mark : {"%", "％"}) {
      const std::string_view view(mark);
      if (text.size() > view.size() && text.substr(text.size() - view.size()) == view) {
        text.erase(text.size() - view.size());
      }
    }
    const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), percent);
    if (error != std::errc() || stop != text.data() + text.size()) {
      return InvalidArgumentError("“" + text + "”不是百分数，应写成 12 或 12% (not a percentage)");
    }
  }
  ZB_ASSIGN_OR_RETURN(const Rate rate, RateFromPercent(percent));
  // One spelling of the number, so that 12 and 12.0 print alike.
  if (rate % 10'000 == 0) return json(rate / 10'000);
  return json(static_cast<double>(rate) / 10'000.0);
}

Result<json> Money(const json& value) {
  std::int64_t fen = 0;
  if (value.is_number()) {
    // The shortest decimal of the number is what the writer typed.
    ZB_ASSIGN_OR_RETURN(fen, ParseMoney(value.dump()));
  } else {
    ZB_ASSIGN_OR_RETURN(fen, ParseMoney(value.get<std::string>()));
  }
  return json(fen);
}

class Normaliser {
 public:
  Normaliser(const JsonSchema& schema, std::vector<Violation>& violations)
      : schema_(schema), violations_(violations) {}

  void Walk(const json& unresolved, json& value, const FieldPath& at, int depth) {
    const json& schema = schema_.Resolve(unresolved);
    if (depth > kMaxDepth) return;
    if (value.is_object()) {
      WalkObject(schema, value, at, depth);
    } else if (value.is_array()) {
      const auto items = schema.find("items");
      for (std::size_t i = 0; items != schema.end() && i < value.size(); ++i) {
        Walk(*items, value[i], at.Item(i), depth + 1);
      }
    } else {
      Leaf(schema, value, at);
    }
  }

 private:
  void Add(const FieldPath& at, const std::string& rule, const std::string& message) {
    // Messages of the parsers are "中文 (English)".
    const std::size_t english = message.rfind(" (");
    if (english == std::string::npos || message.back() != ')') {
      violations_.push_back({at.field(), at.path(), rule, message, rule});
      return;
    }
    violations_.push_back({at.field(), at.path(), rule, message.substr(0, english),
                           message.substr(english + 2, message.size() - english - 3)});
  }

  static std::string KindOf(const json& schema) { return schema.value("x-kind", std::string()); }

  // Is the property a citizen number in this object?
  static bool IsCitizenNumber(const json& property, const json& object) {
    const std::string kind = KindOf(property);
    if (kind == "citizen_number") return true;
    if (kind != "id_document") return false;
    const std::string sibling = property.value("x-type", std::string("id_type"));
    return !object.contains(sibling) || object[sibling] == "居民身份证";
  }

  void CitizenNumberLeaf(json& value, const FieldPath& at) {
    const Result<CitizenNumber> number = ParseCitizenNumber(OneLine(value.get<std::string>()));
    Replace(number.ok() ? Result<json>(json(number->text)) : Result<json>(number.status()),
            "citizen_number", value, at);
  }

  void WalkObject(const json& schema, json& value, const FieldPath& at, int depth) {
    const auto properties = schema.find("properties");
    if (properties == schema.end()) return;
    for (const auto& [key, unresolved] : properties->items()) {
      const json& property = schema_.Resolve(unresolved);
      const FieldPath child = at.Child(key, unresolved.contains("title") ? unresolved : property);
      if (!value.contains(key)) {
        const json& source = unresolved.contains("default") ? unresolved : property;
        if (source.contains("default")) value[key] = source["default"];
        continue;
      }
      const std::string kind = IsCitizenNumber(property, value) ? "citizen_number" : "";
      if (!kind.empty() && value[key].is_string()) {
        CitizenNumberLeaf(value[key], child);
      } else {
        Walk(unresolved, value[key], child, depth + 1);
      }
      if (KindOf(property) == "money") MoveMoney(property, value, key, child);
      if (kind == "citizen_number" && value[key].is_string())
        Fill(property, value, key, at, *properties);
    }
  }

  void MoveMoney(const json& property, json& value, const std::string& key, const FieldPath& at) {
    if (!value[key].is_string() && !value[key].is_number()) return;
    const Result<json> fen = Money(value[key]);
    if (!fen.ok()) return Add(at, "money", fen.status().message());
    const std::string into = property.value("x-into", key);
    if (into != key && value.contains(into) && value[into] != *fen) {
      return Add(at, "money", "与字段 " + into + " 的金额不一致 (differs from " + into + ")");
    }
    value.erase(key);
    value[into] = *fen;
  }

  // Sex and day of birth follow from the number; what was given besides must agree.
  void Fill(const json& property, json& value, const std::string& key, const FieldPath& at,
            const json& properties) {
    const Result<CitizenNumber> number = ParseCitizenNumber(value[key].get<std::string>());
    const auto fills = property.find("x-fills");
    if (!number.ok() || fills == property.end()) return;
    const auto put = [&](const char* what, const std::string& derived) {
      const auto target = fills->find(what);
      if (target == fills->end() || !target->is_string()) return;
      const auto& sibling = target->get_ref<const std::string&>();
      if (!value.contains(sibling)) {
        value[sibling] = derived;
        return;
      }
      json given = value[sibling];
      if (given.is_string() && std::string_view(what) == "birth_date") {
        const Result<Date> date = ParseDate(given.get<std::string>());
        if (date.ok()) given = FormatIso(*date);
      }
      if (given == derived) return;
      const json& schema =
          properties.contains(sibling) ? schema_.Resolve(properties[sibling]) : properties;
      Add(at.Child(sibling, schema), "citizen_number",
          "与公民身份号码不一致 (does not agree with the citizen number)");
    };
    put("sex", number->female ? "女" : "男");
    put("birth_date", FormatIso(number->birth));
  }

  void Leaf(const json& schema, json& value, const FieldPath& at) {
    const std::string kind = KindOf(schema);
    if (kind == "percent" && (value.is_string() || value.is_number())) {
      Replace(Percent(value), kind, value, at);
      return;
    }
    if (!value.is_string()) return;
    const auto text = value.get<std::string>();
    if (kind == "date") {
      const Result<Date> date = ParseDate(OneLine(text));
      Replace(date.ok() ? Result<json>(json(FormatIso(*date))) : Result<json>(date.status()), kind,
              value, at);
    } else if (kind == "citizen_number") {
      CitizenNumberLeaf(value, at);
    } else if (kind == "credit_code") {
      const Result<std::string> code = ParseCreditCode(OneLine(text));
      Replace(code.ok() ? Result<json>(json(*code)) : Result<json>(code.status()), kind, value, at);
    } else if (kind != "paragraph" && kind != "money") {
      value = OneLine(text);
    }
  }

  void Replace(const Result<json>& made, const std::string& kind, json& value,
               const FieldPath& at) {
    if (made.ok()) {
      value = *made;
    } else {
      Add(at, kind, made.status().message());
    }
  }

  const JsonSchema& schema_;
  std::vector<Violation>& violations_;
};

}  // namespace

void Normalise(const JsonSchema& schema, json& value, std::vector<Violation>& violations) {
  Normaliser(schema, violations).Walk(schema.root(), value, FieldPath(), 0);
}

}  // namespace zhibi::legal
