// SPDX-License-Identifier: Apache-2.0
#include "extract/form.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "base/utf8.h"
#include "extract/extract_parts.h"
#include "extract/roles.h"
#include "extract/table.h"
#include "legal/date.h"
#include "legal/money.h"
#include "legal/schema_fields.h"

namespace zhibi::extract {
namespace {

using legal::SchemaField;
using nlohmann::json;

constexpr std::string_view kCell = "｜";
constexpr std::string_view kLine = "↵";
constexpr std::string_view kTicked = "☑";
constexpr std::string_view kEmpty = "☐";
constexpr std::string_view kColon = "：";

// A piece of the text and where it begins.
struct Piece {
  std::string_view text;
  std::size_t begin = 0;
};

Piece Trim(Piece piece) {
  for (bool cut = true; cut;) {
    cut = false;
    for (const std::string_view blank : {" ", "　", "\t", "\r"}) {
      if (piece.text.starts_with(blank)) {
        piece.text.remove_prefix(blank.size());
        piece.begin += blank.size();
        cut = true;
      }
      if (piece.text.ends_with(blank)) {
        piece.text.remove_suffix(blank.size());
        cut = true;
      }
    }
  }
  return piece;
}

std::vector<Piece> Split(Piece piece, std::string_view mark) {
  std::vector<Piece> parts;
  for (std::size_t at = 0;;) {
    const std::size_t end = std::min(piece.text.find(mark, at), piece.text.size());
    parts.push_back(Trim({piece.text.substr(at, end - at), piece.begin + at}));
    if (end == piece.text.size()) return parts;
    at = end + mark.size();
  }
}

// "姓名：张三" -> 姓名, 张三; without a colon the name is empty.
std::pair<std::string_view, Piece> Labelled(Piece piece) {
  const std::size_t colon = piece.text.find(kColon);
  if (colon == std::string_view::npos || piece.text.starts_with(kTicked) ||
      piece.text.starts_with(kEmpty)) {
    return {{}, piece};
  }
  const std::size_t behind = colon + kColon.size();
  return {piece.text.substr(0, colon), Trim({piece.text.substr(behind), piece.begin + behind})};
}

bool IsBlank(std::string_view text) {
  return text.empty() || text == "无" || text == "（未填写）" || text == "—" || text == "/" ||
         text.find("【待") != std::string_view::npos;
}

bool HasBox(std::string_view text) {
  return text.find(kTicked) != std::string_view::npos ||
         text.find(kEmpty) != std::string_view::npos;
}

// The words behind the one box that is ticked; none or several: empty.
Piece Ticked(Piece piece) {
  const std::size_t box = piece.text.find(kTicked);
  if (box == std::string_view::npos ||
      piece.text.find(kTicked, box + kTicked.size()) != std::string_view::npos) {
    return {{}, piece.begin};
  }
  const std::size_t from = box + kTicked.size();
  const std::size_t to = std::min(piece.text.find(kEmpty, from), piece.text.size());
  Piece label = Trim({piece.text.substr(from, to - from), piece.begin + from});
  label.text = label.text.substr(0, label.text.find("　"));
  return label;
}

// Without the number that a row or a line begins with: "10. 物的担保", "（2）日期：…".
std::string_view WithoutNumber(std::string_view title) {
  std::size_t digits = 0;
  while (digits < title.size() && title[digits] >= '0' && title[digits] <= '9') ++digits;
  if (digits == 0) return title;
  for (const std::string_view dot : {". ", ".", "．", "、"}) {
    if (title.substr(digits).starts_with(dot)) return title.substr(digits + dot.size());
  }
  return title;
}

std::optional<json> Choice(const SchemaField& field, std::string_view label) {
  const std::vector<std::string> labels = ChoiceLabels(field);
  for (std::size_t i = 0; i < labels.size(); ++i) {
    if (label == labels[i]) return json(field.values[i]);
  }
  return std::nullopt;
}

std::optional<json> Typed(const SchemaField& field, std::string_view text) {
  if (!field.values.empty()) return Choice(field, text);
  if (field.kind == "date") {
    const Result<legal::Date> day = legal::ParseDate(text);
    return day.ok() ? std::optional<json>(legal::FormatIso(*day)) : std::nullopt;
  }
  if (field.kind == "money") {
    // 129021.92元（大写：…）
    const Result<std::int64_t> fen = legal::ParseMoney(text.substr(0, text.find("（")));
    return fen.ok() ? std::optional<json>(legal::FormatYuan(*fen)) : std::nullopt;
  }
  if (field.kind == "percent" || field.type == "integer" || field.type == "number") {
    double number = 0;
    const auto parsed = std::from_chars(text.data(), text.data() + text.size(), number);
    if (parsed.ec != std::errc()) return std::nullopt;
    const std::string_view rest = text.substr(static_cast<std::size_t>(parsed.ptr - text.data()));
    if (!rest.empty() && rest != "%" && rest.size() > 3) return std::nullopt;
    if (field.type != "integer") return json(number);
    return json(static_cast<std::int64_t>(number));
  }
  if (field.type == "boolean") {
    if (text == "是" || text == "有") return json(true);
    if (text == "否" || text == "无") return json(false);
    return std::nullopt;
  }
  return json(std::string(text));
}

constexpr std::array<std::pair<std::string_view, const char*>, 24> kPartyLabels = {{
    {"姓名", "name"},
    {"名称", "name"},
    {"经营者", "name"},
    {"字号", "trade_name"},
    {"性别", "sex"},
    {"出生日期", "birth_date"},
    {"民族", "ethnicity"},
    {"国籍", "nationality"},
    {"注册国", "nationality"},
    {"地区", "region"},
    {"职业", "occupation"},
    {"工作单位和职务", "employer"},
    {"联系电话", "phone"},
    {"住所地", "address"},
    {"住所地（户籍所在地）", "domicile"},
    {"住所地（主要办事机构所在地）", "address"},
    {"经常居住地", "address"},
    {"经营场所", "address"},
    {"注册地/登记地", "domicile"},
    {"法定代表人/负责人", "representative"},
    {"职务", "representative_post"},
    {"统一社会信用代码", "credit_code"},
    {"类型", "org_type"},
    {"证件类型", "id_type"},
}};

constexpr std::array<std::pair<std::string_view, const char*>, 3> kPartyKinds = {{
    {"（自然人）", "natural"},
    {"（法人、非法人组织）", "organization"},
    {"（个体工商户）", "individual_business"},
}};

// 原告12（自然人）: role, kind; kind null: no row of a party.
std::pair<std::string_view, const char*> PartyTitle(std::string_view title) {
  for (const auto& [bracket, kind] : kPartyKinds) {
    if (!title.ends_with(bracket)) continue;
    std::string_view role = title.substr(0, title.size() - bracket.size());
    while (!role.empty() && role.back() >= '0' && role.back() <= '9') role.remove_suffix(1);
    return {role, kind};
  }
  return {{}, nullptr};
}

Value Read(std::string path, json value, const Piece& piece) {
  return {std::move(path),
          std::move(value),
          State::kRead,
          piece.begin,
          piece.begin + piece.text.size(),
          ""};
}

// 李华（系王小雨的父亲），男，公民身份号码…，住…，联系电话…
void AddGuardian(Piece line, Party& party) {
  const auto add = [&party](const char* key, const Piece& piece) {
    if (IsBlank(piece.text)) return;
    party.fields.push_back(
        Read(std::string("statutory_agent.") + key, std::string(piece.text), piece));
  };
  const auto behind = [](const Piece& part, std::string_view word) {
    return Trim({part.text.substr(word.size()), part.begin + word.size()});
  };
  const std::vector<Piece> parts = Split(line, "，");
  const std::size_t open = std::min(parts.front().text.find("（"), parts.front().text.size());
  add("name", {parts.front().text.substr(0, open), parts.front().begin});
  const std::size_t of = parts.front().text.rfind("的");
  if (of != std::string_view::npos && of > open) {
    const std::size_t from = of + std::string_view("的").size();
    const std::size_t to = std::min(parts.front().text.find("）", from), parts.front().text.size());
    add("relation", {parts.front().text.substr(from, to - from), parts.front().begin + from});
  }
  for (std::size_t i = 1; i < parts.size(); ++i) {
    const Piece& part = parts[i];
    if (part.text == "男" || part.text == "女") add("sex", part);
    if (part.text.starts_with("公民身份号码")) add("id_number", behind(part, "公民身份号码"));
    if (part.text.starts_with("联系电话")) add("phone", behind(part, "联系电话"));
    if (part.text.starts_with("住")) add("address", behind(part, "住"));
  }
}

void AddPartyLine(Piece line, Party& party) {
  auto [label, value] = Labelled(line);
  const char* key = label == "证件号码" ? "id_number" : nullptr;
  for (const auto& [name, path] : kPartyLabels) {
    if (label == name) key = path;
  }
  if (HasBox(value.text)) value = Ticked(value);
  if (label == "法定代理人" || label == "监护人") return AddGuardian(value, party);
  if (key == nullptr || IsBlank(value.text)) return;
  json made = std::string(value.text);
  if (std::string_view(key) == "birth_date") {
    const Result<legal::Date> day = legal::ParseDate(value.text);
    if (!day.ok()) return;
    made = legal::FormatIso(*day);
  }
  Value field = Read(key, std::move(made), value);
  if (value.text.find("某") != std::string_view::npos && field.path == "name" &&
      !party.organisation) {
    field.state = State::kDoubtful;
    field.note = "masked in the text";
  }
  const bool known = std::any_of(party.fields.begin(), party.fields.end(),
                                 [&](const Value& one) { return one.path == field.path; });
  if (!known) party.fields.push_back(std::move(field));
}

// The name is the first field of a party, and who has no other address lives where registered.
bool Finish(Party& party) {
  const auto name = std::find_if(party.fields.begin(), party.fields.end(),
                                 [](const Value& value) { return value.path == "name"; });
  if (name == party.fields.end()) return false;
  std::rotate(party.fields.begin(), name, name + 1);
  const auto at = [&](const char* path) {
    return std::find_if(party.fields.begin(), party.fields.end(),
                        [path](const Value& value) { return value.path == path; });
  };
  const auto domicile = at("domicile");
  if (domicile != party.fields.end() && at("address") == party.fields.end()) {
    Value address = *domicile;
    address.path = "address";
    address.state = State::kComputed;
    address.note = "no other address than the registered one";
    party.fields.push_back(std::move(address));
  }
  return true;
}

// 姓名：赵明，单位：…，职务：律师（王建国的代理人）
void AddAgent(Piece line, Extraction& result) {
  const std::size_t owner_end = line.text.rfind("的代理人）");
  const std::size_t owner = owner_end == std::string_view::npos ? std::string_view::npos
                                                                : line.text.rfind("（", owner_end);
  if (owner == std::string_view::npos) return;
  const std::string_view name = line.text.substr(owner + std::string_view("（").size(),
                                                 owner_end - owner - std::string_view("（").size());
  const auto party =
      std::find_if(result.parties.begin(), result.parties.end(),
                   [&](const Party& one) { return one.fields.front().value == name; });
  if (party == result.parties.end()) return;
  std::size_t index = 0;
  for (const Value& value : party->fields) {
    if (value.path.starts_with("agents[") && value.path.ends_with("].name")) ++index;
  }
  const std::string path = "agents[" + std::to_string(index) + "].";
  constexpr std::array<std::pair<std::string_view, const char*>, 5> kLabels = {{
      {"姓名", "name"},
      {"单位", "firm"},
      {"职务", "post"},
      {"与当事人的关系", "relation"},
      {"联系电话", "phone"},
  }};
  for (const Piece& part : Split({line.text.substr(0, owner), line.begin}, "，")) {
    const auto [label, value] = Labelled(part);
    for (const auto& [title, key] : kLabels) {
      if (label != title || IsBlank(value.text)) continue;
      party->fields.push_back(Read(path + key, std::string(value.text), value));
      if (title == "姓名") result.people.emplace_back(value.text);
    }
    if (label == "代理权限") {
      const Piece ticked = Ticked(value);
      if (!ticked.text.empty()) {
        party->fields.push_back(
            Read(path + "authority", ticked.text == "特别授权" ? "special" : "general", ticked));
      }
    } else if (label == "特别授权的事项") {
      std::size_t power = 0;
      for (const Piece& one : Split(value, "；"))
        party->fields.push_back(
            Read(path + "powers[" + std::to_string(power++) + "]", std::string(one.text), one));
    }
  }
}

// The fields of a schema by the titles on the way to them.
class Titles {
 public:
  explicit Titles(const legal::JsonSchema& schema) : fields_(legal::ListFields(schema)) {
    for (const SchemaField& field : fields_) {
      std::vector<std::string> chain;
      for (const Piece& part : Split({field.field, 0}, "›")) chain.emplace_back(part.text);
      chains_.push_back(std::move(chain));
    }
  }

  bool IsSection(std::string_view title) const {
    return std::any_of(chains_.begin(), chains_.end(), [&](const auto& chain) {
      return chain.size() > 1 && chain.front() == title;
    });
  }

  // Fields of the object with this title: of the section where it is there, else of any.
  std::vector<std::size_t> Group(std::string_view section, std::string_view title) const {
    std::vector<std::size_t> in_section;
    std::vector<std::size_t> elsewhere;
    for (std::size_t i = 0; i < chains_.size(); ++i) {
      const auto& chain = chains_[i];
      for (std::size_t k = 0; k + 1 < chain.size(); ++k) {
        if (chain[k] != title) continue;
        (chain.front() == section ? in_section : elsewhere).push_back(i);
        break;
      }
    }
    return in_section.empty() ? elsewhere : in_section;
  }

  // The one field with this title, in the section or anywhere.
  const SchemaField* Leaf(std::string_view section, std::string_view title) const {
    const SchemaField* found = nullptr;
    for (int pass = 0; pass < 2 && found == nullptr; ++pass) {
      for (std::size_t i = 0; i < chains_.size(); ++i) {
        if (chains_[i].back() != title || (pass == 0 && chains_[i].front() != section)) continue;
        if (found != nullptr) return nullptr;
        found = &fields_[i];
      }
    }
    return found;
  }

  std::vector<std::size_t> Siblings(const SchemaField& leaf) const {
    const std::string parent = leaf.path.substr(0, leaf.path.rfind('.') + 1);
    std::vector<std::size_t> group;
    for (std::size_t i = 0; i < fields_.size(); ++i) {
      if (!parent.empty() && fields_[i].path.starts_with(parent)) group.push_back(i);
    }
    return group;
  }

  const SchemaField& field(std::size_t i) const { return fields_[i]; }
  const std::vector<std::string>& chain(std::size_t i) const { return chains_[i]; }

 private:
  std::vector<SchemaField> fields_;
  std::vector<std::vector<std::string>> chains_;
};

class RowReader {
 public:
  RowReader(const Titles& titles, std::vector<Value>& values) : titles_(titles), values_(values) {}

  void Read(std::string_view title, Piece cell) {
    if (cell.text == "内容" && titles_.IsSection(title)) {
      section_ = title;
      return;
    }
    const std::string_view name = WithoutNumber(title);
    const std::vector<Piece> lines = Split(cell, kLine);
    std::vector<std::size_t> group = titles_.Group(section_, name);
    const SchemaField* leaf = titles_.Leaf(section_, name);
    if (leaf != nullptr && (group.empty() || leaf->path.find('[') == std::string::npos)) {
      if (group.empty()) group = titles_.Siblings(*leaf);
      if (Labelled(lines.front()).first.empty()) Set(*leaf, leaf->path, lines.front());
    }
    Lines(name, group, lines);
  }

 private:
  void Lines(std::string_view name, const std::vector<std::size_t>& group,
             const std::vector<Piece>& lines) {
    std::string_view list;  // 各次交付：, whose items follow
    for (const Piece& line : lines) {
      const std::size_t close = line.text.find("）");
      if (!list.empty() && line.text.starts_with("（") && close != std::string_view::npos) {
        Item(list, group, {line.text.substr(close + 3), line.begin + close + 3},
             line.text.substr(3, close - 3));
        continue;
      }
      const auto [label, value] = Labelled(line);
      if (label.empty()) {
        for (const std::size_t i : group) {
          // 本金：是、否或者未确认
          if (titles_.field(i).title.starts_with(std::string(name) + "：") && HasBox(line.text))
            Set(titles_.field(i), titles_.field(i).path, line);
        }
        continue;
      }
      list = value.text.empty() ? label : std::string_view();
      const SchemaField* field = Named(group, label);
      // 认可的金额, where the one sum of the group has a title of its own.
      if (field == nullptr && label.ends_with("金额")) field = OnlySum(group);
      if (field != nullptr) Set(*field, field->path, value);
    }
  }

  // The field of the group with this title; else the only one whose title ends so.
  const SchemaField* Named(const std::vector<std::size_t>& group, std::string_view label) const {
    const SchemaField* like = nullptr;
    std::size_t count = 0;
    for (const std::size_t i : group) {
      const SchemaField& field = titles_.field(i);
      if (field.path.find('[') != std::string::npos) continue;
      if (field.title == label) return &field;
      if (std::string_view(field.title).ends_with(label)) {
        like = &field;
        ++count;
      }
    }
    return count == 1 ? like : nullptr;
  }

  const SchemaField* OnlySum(const std::vector<std::size_t>& group) const {
    const SchemaField* found = nullptr;
    for (const std::size_t i : group) {
      if (titles_.field(i).kind != "money") continue;
      if (found != nullptr) return nullptr;
      found = &titles_.field(i);
    }
    return found;
  }

  void Item(std::string_view list, const std::vector<std::size_t>& group, Piece line,
            std::string_view number) {
    std::size_t index = 0;
    const auto parsed = std::from_chars(number.data(), number.data() + number.size(), index);
    if (parsed.ec != std::errc() || index == 0) return;
    const std::string first = std::string(list) + "第1项";
    for (const Piece& part : Split(line, "，")) {
      const auto [label, value] = Labelled(part);
      for (const std::size_t i : group) {
        const auto& chain = titles_.chain(i);
        if (label.empty() || chain.back() != label ||
            std::find(chain.begin(), chain.end(), first) == chain.end()) {
          continue;
        }
        std::string path = titles_.field(i).path;
        const std::size_t at = path.rfind("[0]");
        if (at == std::string::npos) continue;
        path.replace(at, 3, "[" + std::to_string(index - 1) + "]");
        Set(titles_.field(i), path, value);
      }
    }
  }

  void Set(const SchemaField& field, const std::string& path, Piece value) {
    if (HasBox(value.text)) value = Ticked(value);
    if (IsBlank(value.text) || field.human_only) return;
    const bool known = std::any_of(values_.begin(), values_.end(),
                                   [&](const Value& one) { return one.path == path; });
    std::optional<json> typed = known ? std::nullopt : Typed(field, value.text);
    if (typed) values_.push_back(extract::Read(path, *std::move(typed), value));
  }

  const Titles& titles_;
  std::vector<Value>& values_;
  std::string_view section_;
};

// Calls f(title, the first cell behind it) for every row.
template <typename F>
void ForEachRow(std::string_view text, F f) {
  for (const Piece& line : Split({text, 0}, "\n")) {
    const std::vector<Piece> cells = Split(line, kCell);
    if (cells.size() == 2) f(cells[0], cells[1]);
  }
}

}  // namespace

bool IsForm(std::string_view text) {
  std::size_t parties = 0;
  ForEachRow(text, [&](const Piece& title, const Piece&) {
    parties += PartyTitle(title.text).second != nullptr ? 1U : 0U;
  });
  return parties > 0;
}

std::vector<Value> ReadForm(std::string_view text, const legal::JsonSchema* schema,
                            Extraction& result) {
  std::vector<Value> values;
  std::optional<Titles> titles;
  if (schema != nullptr) titles.emplace(*schema);
  std::optional<RowReader> rows;
  if (titles) rows.emplace(*titles, values);
  ForEachRow(text, [&](const Piece& title, const Piece& cell) {
    const auto [role, kind] = PartyTitle(title.text);
    if (kind != nullptr) {
      Party party;
      party.role = role;
      party.side = SideOf(role);
      party.organisation = std::string_view(kind) == "organization";
      for (const Piece& line : Split(cell, kLine)) AddPartyLine(line, party);
      if (!Finish(party)) return;
      party.fields.push_back(Read("kind", kind, title));
      result.people.push_back(party.fields.front().value.get<std::string>());
      result.parties.push_back(std::move(party));
    } else if (title.text.ends_with("代理人")) {
      for (const Piece& line : Split(cell, kLine)) AddAgent(line, result);
    } else if (rows) {
      rows->Read(title.text, cell);
    }
  });
  return values;
}

}  // namespace zhibi::extract
