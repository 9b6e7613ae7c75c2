// SPDX-License-Identifier: Apache-2.0
// The blank table of a document type, and what the values of a choice are called.
#include <cstdint>
#include <map>
#include <set>

#include "extract/table.h"
#include "extract/table_parts.h"
#include "legal/money.h"

namespace zhibi::extract {
namespace {

using legal::SchemaField;
using nlohmann::json;

bool IsCodeCharacter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' || (c >= 'A' && c <= 'Z');
}

// What stands behind the code: up to the next comma, or to the bracket that encloses all.
std::string LabelOf(const std::string& code, const std::string& description) {
  for (std::size_t at = 0; (at = description.find(code, at)) != std::string::npos; ++at) {
    const std::size_t behind = at + code.size();
    if (at > 0 && IsCodeCharacter(description[at - 1])) continue;
    if (behind >= description.size() || IsCodeCharacter(description[behind])) continue;
    const std::size_t begin = description.find_first_not_of(" =:", behind);
    if (begin == std::string::npos) return {};
    std::string label;
    int open = 0;
    for (const std::string_view c : base::Characters(std::string_view(description).substr(begin))) {
      if (c == "（") ++open;
      if (c == "）" && open-- == 0) break;
      const bool stop = c == "，" || c == "；" || c == "。" || c == "\n" || c == ",";
      if (stop && open == 0) break;
      label += c;
    }
    if (!label.empty()) return Trimmed(label);
  }
  return {};
}

// By the path of the first of their list: the values with their own paths.
using Values = std::map<std::string, std::vector<std::pair<std::string, json>>>;

void Flatten(const json& value, const std::string& path, Values& values) {
  if (value.is_object()) {
    for (const auto& [key, item] : value.items())
      Flatten(item, path.empty() ? key : path + "." + key, values);
  } else if (value.is_array()) {
    for (std::size_t i = 0; i < value.size(); ++i)
      Flatten(value[i], path + "[" + std::to_string(i) + "]", values);
  } else {
    values[FirstOf(path)].emplace_back(path, value);
  }
}

Values ValuesOf(const json& elements) {
  Values values;
  if (!elements.is_null()) Flatten(elements, "", values);
  return values;
}

// Elements may say in another form what the table asks for: a sum in fen ("amount_fen" for
// "amount"), or one text for an object whose only required property it then is (evidence: "借条").
void AddOtherForms(const std::vector<SchemaField>& fields, Values& values) {
  for (const SchemaField& field : fields) {
    if (field.kind == "money") {
      const auto fen = values.find(field.path + "_fen");
      if (fen == values.end() || values.contains(field.path)) continue;
      for (const auto& [path, value] : fen->second) {
        if (!value.is_number_integer()) continue;
        values[field.path].emplace_back(path.substr(0, path.size() - 4),
                                        legal::FormatYuan(value.get<std::int64_t>()));
      }
      continue;
    }
    const std::size_t dot = field.path.rfind('.');
    if (dot == std::string::npos || !field.required || field.type != "string") continue;
    const auto text = values.find(field.path.substr(0, dot));
    if (text == values.end()) continue;
    for (const auto& [path, value] : text->second)
      values[field.path].emplace_back(path + field.path.substr(dot), value);
    values.erase(text);
  }
}

std::string Shown(const SchemaField& field, const json& value) {
  if (value.is_null()) return {};
  if (value.is_boolean()) return value.get<bool>() ? "是" : "否";
  std::string text = value.is_string() ? value.get<std::string>() : value.dump();
  const std::vector<std::string> labels = ChoiceLabels(field);
  for (std::size_t i = 0; i < field.values.size(); ++i) {
    if (field.values[i] == text) return labels[i];
  }
  return text;
}

}  // namespace

std::vector<std::string> ChoiceLabels(const SchemaField& field) {
  std::vector<std::string> labels;
  std::set<std::string> distinct;
  for (const std::string& value : field.values) {
    const bool code = std::all_of(value.begin(), value.end(), IsCodeCharacter);
    std::string label = code ? LabelOf(value, field.description) : value;
    if (label.empty() || !distinct.insert(label).second) return field.values;
    labels.push_back(std::move(label));
  }
  // A label that is another value's code would be read as that value.
  for (std::size_t i = 0; i < labels.size(); ++i) {
    for (std::size_t j = 0; j < labels.size(); ++j) {
      if (i != j && labels[i] == field.values[j]) return field.values;
    }
  }
  return labels;
}

std::string KindOfField(const SchemaField& field) {
  if (!field.values.empty()) return "选择";
  if (field.kind == "date") return "日期";
  if (field.kind == "money") return "金额（元）";
  if (field.kind == "percent") return "百分数";
  if (field.kind == "citizen_number" || field.kind == "id_document") return "证件号码";
  if (field.kind == "credit_code") return "统一社会信用代码";
  if (field.kind == "paragraph") return "文字（可分行）";
  if (field.type == "boolean") return "是否";
  if (field.type == "integer") return "整数";
  if (field.type == "number") return "数字";
  return "文字";
}

std::vector<TemplateLine> TemplateLines(const legal::JsonSchema& schema, const json& elements) {
  const std::vector<SchemaField> fields = legal::ListFields(schema);
  Values values = ValuesOf(elements);
  AddOtherForms(fields, values);
  std::vector<TemplateLine> lines;
  for (const SchemaField& field : fields) {
    const auto found = values.find(field.path);
    if (found == values.end()) {
      lines.push_back({field, ""});
      continue;
    }
    for (const auto& [path, value] : found->second) {
      TemplateLine line{field, Shown(field, value)};
      line.field.path = path;
      lines.push_back(std::move(line));
    }
  }
  return lines;
}

const std::vector<std::string>& TemplateHeads() {
  static const std::vector<std::string> heads = {"字段", "名称",   "值",  "必填",
                                                 "类型", "可选值", "说明"};
  return heads;
}

std::vector<std::string> TemplateCells(const TemplateLine& line) {
  const SchemaField& field = line.field;
  std::string help = field.description;
  if (field.human_only) help += help.empty() ? "只能由人填写" : "；只能由人填写";
  std::string choices;
  for (const std::string& label : ChoiceLabels(field))
    choices += (choices.empty() ? "" : "、") + label;
  if (field.type == "boolean") choices = "是、否";
  return {field.path,         field.field, line.value, field.required ? "必填" : "",
          KindOfField(field), choices,     help};
}

}  // namespace zhibi::extract
