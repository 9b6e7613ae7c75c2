// SPDX-License-Identifier: Apache-2.0
#include "legal/json_schema_validator.h"

#include <algorithm>
#include <regex>

#include "text/jinja_string.h"

namespace zhibi::legal {
namespace {

using nlohmann::json;

constexpr std::size_t kMaxViolations = 100;
constexpr int kMaxDepth = 64;
// std::regex recurses with the length of its input.
constexpr std::size_t kMaxPatternBytes = 512;

std::string_view TypeZh(std::string_view type) {
  if (type == "null") return "空值";
  if (type == "boolean") return "是或否";
  if (type == "integer") return "整数";
  if (type == "number") return "数字";
  if (type == "string") return "文字";
  if (type == "array") return "列表";
  return "一组字段";
}

bool HasType(const json& value, const std::string& type) {
  if (type == "null") return value.is_null();
  if (type == "boolean") return value.is_boolean();
  if (type == "string") return value.is_string();
  if (type == "array") return value.is_array();
  if (type == "object") return value.is_object();
  if (type == "number") return value.is_number();
  if (value.is_number_integer()) return true;
  // 5.0 is an integer in JSON Schema.
  return value.is_number_float() &&
         value.get<double>() == static_cast<double>(static_cast<std::int64_t>(
                                    std::clamp(value.get<double>(), -9e18, 9e18)));
}

std::string Show(const json& value) {
  std::string text = value.is_string()
                         ? value.get<std::string>()
                         : value.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  if (text.size() <= 60) return text;
  // Cut at a character's border.
  std::size_t end = 0;
  while (end < 54) end += text::jinja::CharLength(text, end);
  return text.substr(0, end) + "…";
}

std::string List(const json& values) {
  std::string out;
  for (const json& value : values) out += (out.empty() ? "" : "、") + Show(value);
  return out;
}

std::string Number(const json& value) { return value.dump(); }

// Letters to insert, delete or change; only for short keys.
std::size_t Distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t change = diagonal + (a[i - 1] == b[j - 1] ? 0U : 1U);
      diagonal = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, change});
    }
  }
  return row[b.size()];
}

std::string Nearest(const std::string& key, const json& properties) {
  std::string best;
  std::size_t best_distance = 3;
  for (const auto& [name, schema] : properties.items()) {
    if (key.size() > 40 || name.size() > 40) continue;
    const std::size_t distance = Distance(key, name);
    if (distance < best_distance) {
      best = name;
      best_distance = distance;
    }
  }
  return best;
}

}  // namespace

void SchemaValidator::Add(const FieldPath& at, std::string_view rule, std::string zh,
                          std::string en) {
  if (violations_.size() >= kMaxViolations) return;
  violations_.push_back({at.field(), at.path(), std::string(rule), std::move(zh), std::move(en)});
}

std::vector<Violation> SchemaValidator::Try(const json& schema, const json& value,
                                            const FieldPath& at, int depth) {
  SchemaValidator inner(schema_);
  inner.Check(schema, value, at, depth);
  return inner.Take();
}

void SchemaValidator::Check(const json& unresolved, const json& value, const FieldPath& at,
                            int depth) {
  const json& schema = schema_.Resolve(unresolved);
  if (depth > kMaxDepth) {
    Add(at, "depth", "嵌套过深", "nested too deep");
    return;
  }
  if (violations_.size() >= kMaxViolations) return;
  const std::size_t before = violations_.size();
  CheckType(schema, value, at);
  // A value of the wrong type breaks every other rule too; one message is enough.
  if (violations_.size() > before) return;
  CheckValues(schema, value, at);
  if (value.is_number()) CheckNumber(schema, value, at);
  if (value.is_string()) CheckString(schema, value, at);
  if (value.is_array()) CheckArray(schema, value, at, depth);
  if (value.is_object()) CheckObject(schema, value, at, depth);
  CheckCombined(schema, value, at, depth);
}

void SchemaValidator::CheckType(const json& schema, const json& value, const FieldPath& at) {
  const auto found = schema.find("type");
  if (found == schema.end()) return;
  const json types = found->is_array() ? *found : json::array({*found});
  std::string zh;
  std::string en;
  for (const json& type : types) {
    const auto& name = type.get_ref<const std::string&>();
    if (HasType(value, name)) return;
    zh += (zh.empty() ? "" : "或") + std::string(TypeZh(name));
    en += (en.empty() ? "" : " or ") + name;
  }
  Add(at, "type", "应为" + zh, "expected " + en + ", got " + value.type_name());
}

void SchemaValidator::CheckValues(const json& schema, const json& value, const FieldPath& at) {
  if (const auto found = schema.find("enum"); found != schema.end()) {
    if (std::find(found->begin(), found->end(), value) == found->end()) {
      Add(at, "enum", "“" + Show(value) + "”不在可选值之内，应为：" + List(*found),
          "not one of the allowed values");
    }
  }
  if (const auto found = schema.find("const"); found != schema.end() && value != *found) {
    Add(at, "const", "应为“" + Show(*found) + "”", "expected the constant value");
  }
}

void SchemaValidator::CheckNumber(const json& schema, const json& value, const FieldPath& at) {
  const auto real = value.get<double>();
  const auto bound = [&](const char* key, auto breaks, std::string_view zh, std::string_view en) {
    const auto found = schema.find(key);
    if (found == schema.end() || !breaks(real, found->get<double>())) return;
    Add(at, key, std::string(zh) + Number(*found) + "，现为 " + Number(value),
        std::string(en) + Number(*found) + ", got " + Number(value));
  };
  bound("minimum", [](double a, double b) { return a < b; }, "不得小于 ", "at least ");
  bound("maximum", [](double a, double b) { return a > b; }, "不得大于 ", "at most ");
  bound("exclusiveMinimum", [](double a, double b) { return a <= b; }, "应大于 ", "more than ");
  bound("exclusiveMaximum", [](double a, double b) { return a >= b; }, "应小于 ", "less than ");
}

void SchemaValidator::CheckString(const json& schema, const json& value, const FieldPath& at) {
  const auto& text = value.get_ref<const std::string&>();
  const std::size_t length = text::jinja::CountChars(text);
  if (const auto found = schema.find("minLength");
      found != schema.end() && length < found->get<std::size_t>()) {
    if (length == 0) {
      Add(at, "minLength", "不能为空", "must not be empty");
    } else {
      Add(at, "minLength", "至少 " + Number(*found) + " 个字",
          "at least " + Number(*found) + " characters");
    }
  }
  if (const auto found = schema.find("maxLength");
      found != schema.end() && length > found->get<std::size_t>()) {
    Add(at, "maxLength",
        "最多 " + Number(*found) + " 个字，现为 " + std::to_string(length) + " 个字",
        "at most " + Number(*found) + " characters, got " + std::to_string(length));
  }
  if (const auto found = schema.find("pattern"); found != schema.end()) {
    const Result<std::wregex> pattern = CompilePattern(found->get_ref<const std::string&>());
    if (!pattern.ok() || text.size() > kMaxPatternBytes ||
        !std::regex_search(WideText(text), *pattern)) {
      Add(at, "pattern", "格式不对", "does not match the pattern " + found->get<std::string>());
    }
  }
}

void SchemaValidator::CheckArray(const json& schema, const json& value, const FieldPath& at,
                                 int depth) {
  if (const auto found = schema.find("minItems");
      found != schema.end() && value.size() < found->get<std::size_t>()) {
    Add(at, "minItems", "至少 " + Number(*found) + " 项", "at least " + Number(*found) + " items");
  }
  if (const auto found = schema.find("maxItems");
      found != schema.end() && value.size() > found->get<std::size_t>()) {
    Add(at, "maxItems",
        "最多 " + Number(*found) + " 项，现为 " + std::to_string(value.size()) + " 项",
        "at most " + Number(*found) + " items, got " + std::to_string(value.size()));
    return;
  }
  if (const auto found = schema.find("uniqueItems"); found != schema.end() && found->get<bool>()) {
    for (std::size_t i = 0; i < std::min<std::size_t>(value.size(), 1000); ++i) {
      if (std::find(value.begin(), value.begin() + static_cast<std::ptrdiff_t>(i), value[i]) !=
          value.begin() + static_cast<std::ptrdiff_t>(i)) {
        Add(at.Item(i), "uniqueItems", "与前面的一项重复", "repeats an earlier item");
      }
    }
  }
  const auto items = schema.find("items");
  if (items == schema.end()) return;
  for (std::size_t i = 0; i < value.size(); ++i) Check(*items, value[i], at.Item(i), depth + 1);
}

void SchemaValidator::CheckObject(const json& schema, const json& value, const FieldPath& at,
                                  int depth) {
  static const json kNone = json::object();
  const auto found = schema.find("properties");
  const json& properties = found == schema.end() ? kNone : *found;
  const auto child = [&](const std::string& key) -> const json& {
    return properties.contains(key) ? schema_.Resolve(properties[key]) : kNone;
  };
  // The title may stand beside the reference.
  const auto path = [&](const std::string& key) {
    const bool titled = properties.contains(key) && properties[key].contains("title");
    return at.Child(key, titled ? properties[key] : child(key));
  };
  if (const auto required = schema.find("required"); required != schema.end()) {
    for (const json& key : *required) {
      const auto& name = key.get_ref<const std::string&>();
      if (value.contains(name) || schema_.MovedTo(name, value)) continue;
      Add(path(key.get<std::string>()), "required", "必填，没有给出", "required, but missing");
    }
  }
  const auto additional = schema.find("additionalProperties");
  const bool closed = additional != schema.end() && !additional->get<bool>();
  for (const auto& [key, element] : value.items()) {
    if (properties.contains(key)) {
      Check(properties[key], element, path(key), depth + 1);
    } else if (closed) {
      const std::string nearest = Nearest(key, properties);
      Add(at.Child(key, kNone), "additionalProperties",
          "没有这个字段" + (nearest.empty() ? "" : "，是不是 " + nearest + "？"),
          "unknown field" + (nearest.empty() ? "" : ", did you mean " + nearest + "?"));
    }
  }
}

void SchemaValidator::CheckCombined(const json& schema, const json& value, const FieldPath& at,
                                    int depth) {
  if (const auto found = schema.find("allOf"); found != schema.end()) {
    for (const json& part : *found) Check(part, value, at, depth + 1);
  }
  for (const char* key : {"anyOf", "oneOf"}) {
    const auto found = schema.find(key);
    if (found == schema.end()) continue;
    std::size_t good = 0;
    std::vector<Violation> fewest;
    for (const json& part : *found) {
      std::vector<Violation> wrong = Try(part, value, at, depth + 1);
      if (wrong.empty()) ++good;
      if (fewest.empty() || wrong.size() < fewest.size()) fewest = std::move(wrong);
    }
    if (good == 0) {
      // The branch that fits best is what the writer most likely meant.
      for (Violation& violation : fewest) {
        if (violations_.size() < kMaxViolations) violations_.push_back(std::move(violation));
      }
    } else if (good > 1 && std::string_view(key) == "oneOf") {
      Add(at, key, "同时符合多种写法，只能选一种", "matches more than one of the forms");
    }
  }
  if (const auto found = schema.find("not");
      found != schema.end() && Try(*found, value, at, depth + 1).empty()) {
    Add(at, "not", "不允许这样的值", "a value that is not allowed");
  }
  if (const auto condition = schema.find("if"); condition != schema.end()) {
    const auto branch =
        schema.find(Try(*condition, value, at, depth + 1).empty() ? "then" : "else");
    if (branch != schema.end()) Check(*branch, value, at, depth + 1);
  }
}

}  // namespace zhibi::legal
