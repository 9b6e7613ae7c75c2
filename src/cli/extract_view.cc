// SPDX-License-Identifier: Apache-2.0
#include "cli/extract_view.h"

#include <algorithm>
#include <array>
#include <map>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "base/utf8.h"
#include "extract/table.h"
#include "extract/table_parts.h"
#include "legal/money.h"
#include "legal/schema_fields.h"

namespace zhibi::cli {
namespace {

using extract::Extraction;
using extract::State;
using extract::Value;

constexpr std::size_t kAround = 12;      // characters of a snippet on each side
constexpr std::size_t kValueLimit = 40;  // characters of a value
constexpr std::size_t kNameColumns = 34;
constexpr std::size_t kValueColumns = 30;

// Notes of the library, which are in English as all operators' texts.
constexpr std::array<std::pair<std::string_view, std::string_view>, 14> kNotes = {{
    {"behind a digit and a comma: the number may be longer", "前面还有数字和逗号，数可能不全"},
    {"the digit before belongs to the name", "前一位数字是人名的一部分"},
    {"in a sentence: it may be another case's", "在句子中提到，可能是另案的"},
    {"masked in the text", "文中已隐名"},
    {"the check digit or the calendar does not fit", "校验位或者日期不对"},
    {"approximate in the text", "文中是约数"},
    {"without the word 元", "文中没有写“元”"},
    {"told in a sentence, not listed", "叙述中提出，没有逐项列明"},
    {"found by a pattern of the document type", "按该类文书的常见写法找到"},
    {"from the citizen number", "由公民身份号码推算"},
    {"from the name", "由名称推断"},
    {"no other address than the registered one", "没有另写住址，同户籍地或者注册地"},
    {"not found in the text", "文中没有找到"},
    {"counterclaim", "反诉请求"},
}};

constexpr std::array<std::pair<std::string_view, std::string_view>, 20> kNames = {{
    {"name", "姓名或名称"},
    {"sex", "性别"},
    {"birth_date", "出生日期"},
    {"ethnicity", "民族"},
    {"id_number", "公民身份号码"},
    {"credit_code", "统一社会信用代码"},
    {"address", "住所"},
    {"domicile", "户籍地或注册地"},
    {"phone", "联系电话"},
    {"representative", "法定代表人"},
    {"representative_post", "法定代表人职务"},
    {"operator", "经营者"},
    {"original_role", "原审地位"},
    {"kind", "主体类型"},
    {"firm", "单位"},
    {"relation", "与当事人的关系"},
    {"court", "法院"},
    {"case_number", "案号"},
    {"cause", "案由"},
    {"date", "日期"},
}};

std::string NoteZh(const std::string& note) {
  for (const auto& [english, chinese] : kNotes) {
    if (note == english) return std::string(chinese);
  }
  constexpr std::string_view kAct = "no role word, only: ";
  if (note.starts_with(kAct)) return "没有写明诉讼地位，由“" + note.substr(kAct.size()) + "”推断";
  return note;
}

std::string KindZh(const std::string& kind) {
  if (kind == "natural") return "自然人";
  if (kind == "organization") return "法人、非法人组织";
  if (kind == "individual_business") return "个体工商户";
  return kind;
}

std::string Padded(std::string text, std::size_t columns) {
  const std::size_t width = DisplayWidth(text);
  text.append(width < columns ? columns - width : 1, ' ');
  return text;
}

std::string Shortened(std::string_view text, std::size_t limit) {
  std::string short_text;
  std::size_t count = 0;
  for (const std::string_view c : base::Characters(text)) {
    if (count++ == limit) return short_text + "…";
    short_text += c == "\n" || c == "\r" ? std::string_view(" ") : c;
  }
  return short_text;
}

// Names of the fields and of their choices.
class Names {
 public:
  explicit Names(const legal::JsonSchema* schema) {
    if (schema == nullptr) return;
    for (legal::SchemaField& field : legal::ListFields(*schema)) {
      const std::string path = field.path;
      fields_.emplace(path, std::move(field));
    }
  }

  // plaintiffs[1].name: 原告第2项 › 姓名或名称
  std::string Of(const std::string& path) const {
    const auto field = fields_.find(extract::FirstOf(path));
    if (field == fields_.end()) {
      const auto object = fields_.lower_bound(path);
      // A whole object or list that is missing: the title that its fields begin with.
      if (object != fields_.end() && object->first.starts_with(path)) {
        const std::string& chain = object->second.field;
        const std::string title = chain.substr(0, chain.find(" › "));
        return title.substr(0, title.find("第1项"));
      }
      return path;
    }
    std::string name = field->second.field;
    // The field's name counts its lists from 第1项; the path says which one it is.
    std::size_t from = 0;
    for (std::size_t at = path.find('['); at != path.npos; at = path.find('[', at + 1)) {
      const std::size_t index = static_cast<std::size_t>(std::atoi(path.c_str() + at + 1));
      const std::size_t mark = name.find("第1项", from);
      if (mark == name.npos) break;
      const std::string number = "第" + std::to_string(index + 1) + "项";
      name.replace(mark, std::string_view("第1项").size(), number);
      from = mark + number.size();
    }
    return name;
  }

  std::string Shown(const Value& value) const {
    if (value.value.is_null()) return "";
    std::string plain =
        value.value.is_string() ? value.value.get<std::string>() : value.value.dump();
    const auto field = fields_.find(extract::FirstOf(value.path));
    if (field == fields_.end()) return plain;
    if (value.value.is_number() && field->second.kind == "percent") {
      return (plain.ends_with(".0") ? plain.substr(0, plain.size() - 2) : plain) + "%";
    }
    const std::vector<std::string> labels = extract::ChoiceLabels(field->second);
    for (std::size_t i = 0; i < field->second.values.size(); ++i) {
      if (field->second.values[i] == plain) return KindZh(labels[i]);
    }
    return plain;
  }

 private:
  std::map<std::string, legal::SchemaField, std::less<>> fields_;
};

// agents[0].name of a party: 代理人1 姓名或名称
std::string PartyFieldName(const std::string& path) {
  std::string prefix;
  std::string key = path;
  if (path.starts_with("agents[")) {
    prefix = "代理人" + std::to_string(std::atoi(path.c_str() + 7) + 1) + " › ";
    key = path.substr(path.find('.') + 1);
  } else if (path.starts_with("statutory_agent.")) {
    prefix = "法定代理人 › ";
    key = path.substr(path.find('.') + 1);
  }
  for (const auto& [name, chinese] : kNames) {
    if (key == name) return prefix + std::string(chinese);
  }
  return prefix + key;
}

class Writer {
 public:
  explicit Writer(std::string_view text) : text_(text) {}

  void Head(const std::string& line) { out_ += (out_.empty() ? "" : "\n") + line + "\n"; }
  void Line(const std::string& line) { out_ += line + "\n"; }

  void Add(const std::string& name, const std::string& shown, const Value& value) {
    const bool doubtful = value.state == State::kDoubtful;
    std::string line = (doubtful ? "？" : "  ") + std::string(StateZh(value.state)) + "  " +
                       Padded(name, kNameColumns) +
                       Padded(Shortened(shown, kValueLimit), kValueColumns);
    std::string where = value.place;
    if (where.empty() && value.end > value.begin) where = Snippet(text_, value.begin, value.end);
    line += where;
    while (line.ends_with(' ')) line.pop_back();
    out_ += line + "\n";
    // A kind that follows from the name needs no words.
    if (!value.note.empty() && (doubtful || value.note != "from the name"))
      out_ += "          └ " + NoteZh(value.note) + "\n";
  }

  std::string Take() { return std::move(out_); }

 private:
  std::string_view text_;
  std::string out_;
};

std::string Summary(const std::vector<Value>& values) {
  std::map<State, std::size_t> counts;
  for (const Value& value : values) ++counts[value.state];
  std::string line;
  for (const State state : {State::kRead, State::kComputed, State::kDoubtful, State::kMissing}) {
    if (!line.empty()) line += "，";
    line += std::string(StateZh(state)) + " " + std::to_string(counts[state]);
    if (state == State::kDoubtful && counts[state] > 0) line += "（带“？”，请核对）";
  }
  return line;
}

void Elements(const Extraction& extraction, const ExtractView& view, Writer& writer) {
  const Names names(view.schema);
  writer.Head(view.title + "：" + Summary(extraction.values));
  std::string missing;
  for (const Value& value : extraction.values) {
    if (value.state == State::kMissing) {
      missing += (missing.empty() ? "" : "；") + names.Of(value.path) + "（" + value.path + "）";
    } else {
      writer.Add(names.Of(value.path), names.Shown(value), value);
    }
  }
  if (!missing.empty())
    writer.Line((view.text.empty() ? "必填而表中没有：" : "必填而文中没有找到：") + missing);
}

void Parties(const Extraction& extraction, Writer& writer) {
  if (extraction.parties.empty()) return;
  writer.Head("当事人");
  std::map<std::string, std::size_t> counts;
  for (const extract::Party& party : extraction.parties) ++counts[party.role];
  std::map<std::string, std::size_t> numbers;
  for (const extract::Party& party : extraction.parties) {
    std::string role = party.role.empty() ? "（未写明）" : party.role;
    // Two defendants are 被告1 and 被告2.
    if (counts[party.role] > 1) role += std::to_string(++numbers[party.role]);
    for (const Value& value : party.fields) {
      writer.Add(role + " › " + PartyFieldName(value.path), KindZh(value.value.get<std::string>()),
                 value);
    }
  }
}

void Numbered(const std::string& head, const std::vector<Value>& values, Writer& writer) {
  if (values.empty()) return;
  writer.Head(head);
  std::size_t number = 0;
  for (const Value& value : values)
    writer.Add("第" + std::to_string(++number) + "项", value.value.get<std::string>(), value);
}

// Each sum once, at its first place.
void Sums(const Extraction& extraction, Writer& writer) {
  if (extraction.sums.empty()) return;
  std::map<std::int64_t, std::size_t> counts;
  for (const Value& sum : extraction.sums) ++counts[sum.value.get<std::int64_t>()];
  writer.Head("文中的金额（" + std::to_string(counts.size()) + " 个数）");
  for (const Value& sum : extraction.sums) {
    const auto fen = sum.value.get<std::int64_t>();
    const auto found = counts.find(fen);
    if (found == counts.end()) continue;
    writer.Add(legal::FormatYuan(fen), "出现 " + std::to_string(found->second) + " 次", sum);
    counts.erase(found);
  }
}

}  // namespace

std::string_view StateZh(State state) {
  switch (state) {
    case State::kRead:
      return "读出";
    case State::kComputed:
      return "推算";
    case State::kDoubtful:
      return "存疑";
    case State::kMissing:
      return "缺失";
  }
  return "缺失";
}

std::size_t DisplayWidth(std::string_view text) {
  std::size_t width = 0;
  for (const std::string_view c : base::Characters(text)) {
    const char32_t code = base::DecodeUtf8(c).code_point;
    const bool wide = code >= 0x1100 && (code <= 0x115F || (code >= 0x2E80 && code <= 0xFFE6) ||
                                         (code >= 0x20000 && code <= 0x3FFFF));
    width += wide ? 2 : 1;
  }
  return width;
}

std::string Snippet(std::string_view text, std::size_t begin, std::size_t end) {
  if (begin >= end || end > text.size()) return "";
  const auto line = static_cast<std::size_t>(
      1 + std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(begin), '\n'));
  std::size_t from = begin;
  std::size_t count = 0;
  while (from > 0 && count < kAround) {
    const std::size_t before = base::BorderUpTo(text, from - 1);
    if (text[before] == '\n') break;
    from = before;
    ++count;
  }
  const bool cut_front = from > 0 && text[from - 1] != '\n';
  std::size_t to = end;
  count = 0;
  while (to < text.size() && text[to] != '\n' && count < kAround) {
    to += base::DecodeUtf8(text.substr(to)).length;
    ++count;
  }
  const bool cut_back = to < text.size() && text[to] != '\n';
  return "第" + std::to_string(line) + "行「" + (cut_front ? "…" : "") +
         std::string(text.substr(from, begin - from)) + "【" +
         Shortened(text.substr(begin, end - begin), kAround * 2) + "】" +
         std::string(text.substr(end, to - end)) + (cut_back ? "…" : "") + "」";
}

std::string ViewAsText(const Extraction& extraction, const ExtractView& view) {
  Writer writer(view.text);
  if (view.schema != nullptr) {
    Elements(extraction, view, writer);
    if (!view.common_only.empty()) {
      writer.Line(
          "这类文书没有自己的识别规则：只读了当事人、请求、法院、案号、日期等共同部分。其余字段可以"
          "填表："
          "zhibi doctypes template " +
          view.common_only + " --format xlsx");
    }
  } else {
    Parties(extraction, writer);
    if (!extraction.singles.empty()) {
      writer.Head("案件");
      for (const Value& value : extraction.singles)
        writer.Add(PartyFieldName(value.path), value.value.get<std::string>(), value);
    }
    Numbered("请求", extraction.claims, writer);
    Sums(extraction, writer);
  }
  Numbered("判项（只供阅读：裁判结果由人确定，不写入要素）", extraction.holdings, writer);
  if (extraction.parties.empty() && extraction.values.empty() && extraction.sums.empty() &&
      extraction.claims.empty()) {
    writer.Line("没有读到当事人、请求或者金额：这份文件可能不是起诉状、答辩状、裁判文书或者合同");
  }
  return writer.Take();
}

}  // namespace zhibi::cli
