// SPDX-License-Identifier: Apache-2.0
// From what was read to the elements of one document type: only properties that its schema has, and
// what it requires and nobody read is listed as missing.
#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "extract/extract.h"
#include "extract/field_rules.h"
#include "legal/element_path.h"
#include "legal/schema_fields.h"

namespace zhibi::extract {
namespace {

using nlohmann::json;

const json* Property(const legal::JsonSchema& schema, const json& object, const std::string& key) {
  const json& resolved = schema.Resolve(object);
  const auto properties = resolved.find("properties");
  if (properties == resolved.end() || !properties->contains(key)) return nullptr;
  return &schema.Resolve((*properties)[key]);
}

const json* Items(const legal::JsonSchema& schema, const json& array) {
  const auto items = array.find("items");
  return items == array.end() ? nullptr : &schema.Resolve(*items);
}

bool Accepts(const json& leaf, const json& value) {
  const auto values = leaf.find("enum");
  return values == leaf.end() || std::find(values->begin(), values->end(), value) != values->end();
}

// Names that document types give to the two sides.
std::vector<std::string> KeysOf(const std::string& side) {
  if (side == "plaintiffs") {
    return {"plaintiffs", "applicants", "appellants", "claimants", "petitioners"};
  }
  if (side == "defendants") return {"defendants", "respondents", "appellees", "accused"};
  if (side == "third_parties") return {"third_parties", "others"};
  return {side};
}

// Does the title of a list name the role: 出借人, 原告（起诉人、申请人）?
bool Names(std::string_view title, std::string_view role) {
  for (std::size_t at = title.find(role); at != title.npos; at = title.find(role, at + 1)) {
    const std::string_view before = title.substr(0, at);
    const std::string_view after = title.substr(at + role.size());
    const bool begins = before.empty() || before.ends_with("（") || before.ends_with("、");
    const bool ends = after.empty() || after.starts_with("（") || after.starts_with("、") ||
                      after.starts_with("）");
    if (begins && ends) return true;
  }
  return false;
}

class Mapper {
 public:
  Mapper(const legal::JsonSchema& schema, Extraction& result) : schema_(schema), result_(result) {}

  void Rows(const std::vector<Value>& rows) {
    for (const Value& row : rows) Set(row.path, row);
  }

  void Parties() {
    for (const Party& party : result_.parties) {
      const std::string key = KeyOf(party);
      if (key.empty()) continue;
      const json& property = *Property(schema_, schema_.root(), key);
      const json* items = Items(schema_, property);
      // 男方 is one person, not a list.
      if (items == nullptr && counts_[key] > 0) continue;
      const std::size_t index = counts_[key]++;
      AddParty(party, items == nullptr ? property : *items,
               items == nullptr ? key : key + "[" + std::to_string(index) + "]");
    }
  }

  void Singles() {
    for (const Value& single : result_.singles) {
      for (const std::string& key :
           {single.path, std::string(single.path == "date" ? "filing_date" : "")}) {
        const json* leaf = key.empty() ? nullptr : Property(schema_, schema_.root(), key);
        if (leaf != nullptr && Accepts(*leaf, single.value)) Set(key, single);
      }
    }
  }

  // Claims of a fixed set of kinds: one entry a kind, for the first claim that speaks of it.
  void ClaimKinds(const std::vector<FieldRule>& rules, const json& items) {
    std::size_t count = 0;
    for (const FieldRule& rule : rules) {
      if (rule.value.empty()) continue;
      const std::string property = rule.path.substr(rule.path.find("[].") + 3);
      const json* leaf = Property(schema_, items, property);
      if (leaf == nullptr || !Accepts(*leaf, rule.value)) continue;
      for (const Value& claim : result_.claims) {
        const auto& text = claim.value.get_ref<const std::string&>();
        entity::Match match;
        const bool found =
            std::any_of(rule.patterns.begin(), rule.patterns.end(),
                        [&](const entity::Pattern& p) { return p.Search(text, 0, &match); });
        if (!found) continue;
        Set("claims[" + std::to_string(count++) + "]." + property,
            {"", rule.value, State::kDoubtful, claim.begin, claim.end,
             "found by a pattern of the document type"});
        break;
      }
    }
  }

  void Claims(const std::vector<FieldRule>& rules) {
    // The claims of an appeal have a list of their own.
    const std::string main =
        Property(schema_, schema_.root(), "appeal_claims") == nullptr ? "claims" : "appeal_claims";
    const json* list = Property(schema_, schema_.root(), main);
    const json* items = list == nullptr ? nullptr : Items(schema_, *list);
    if (items != nullptr && TextKey(*items) == nullptr && !IsText(*items))
      return ClaimKinds(rules, *items);
    const json* counter = Property(schema_, schema_.root(), "counterclaims");
    for (const Value& claim : result_.claims) {
      const bool other = counter != nullptr && claim.note == kCounterclaim;
      const std::string name = other ? "counterclaims" : main;
      const json* own = other ? counter : list;
      const json* item = own == nullptr ? nullptr : Items(schema_, *own);
      if (item == nullptr) continue;
      const char* key = TextKey(*item);
      if (key == nullptr && !IsText(*item)) continue;
      Set(name + "[" + std::to_string(counts_[name]++) + "]" +
              (key == nullptr ? std::string() : "." + std::string(key)),
          claim);
    }
  }

  void Rules(const std::vector<FieldRule>& rules, std::string_view text,
             const std::vector<entity::Entity>& entities) {
    for (const FieldRule& rule : rules) {
      if (rule.value.empty()) Find(rule, text, entities);
    }
  }

  void Missing() {
    const auto required = schema_.root().find("required");
    if (required != schema_.root().end()) {
      for (const json& key : *required) {
        const auto& name = key.get_ref<const std::string&>();
        if (!result_.elements.contains(name) && !schema_.MovedTo(name, result_.elements)) {
          AddMissing(name);
        }
      }
    }
    for (const legal::SchemaField& field : legal::ListFields(schema_)) {
      const std::size_t cut = field.path.find_last_of(".[");
      if (!field.required || cut == std::string::npos || field.path[cut] != '.') continue;
      const json* parent = legal::FindPath(result_.elements, field.path.substr(0, cut));
      if (parent != nullptr && parent->is_object() &&
          !parent->contains(field.path.substr(cut + 1))) {
        AddMissing(field.path);
      }
    }
  }

 private:
  // The list, or the one object, of the schema that a party belongs to: by the title, which is the
  // role in the document; else by its side.
  std::string KeyOf(const Party& party) const {
    const auto properties = schema_.root().find("properties");
    if (properties == schema_.root().end()) return {};
    const auto holds_names = [&](const std::string& key) {
      const json* list = Property(schema_, schema_.root(), key);
      if (list == nullptr) return false;
      const json* items = Items(schema_, *list);
      return Property(schema_, items == nullptr ? *list : *items, "name") != nullptr;
    };
    for (const auto& [key, value] : properties->items()) {
      const std::string title = value.value("title", schema_.Resolve(value).value("title", ""));
      if (!party.role.empty() && Names(title, party.role) && holds_names(key)) return key;
    }
    for (const std::string& key : KeysOf(party.side)) {
      if (holds_names(key)) return key;
    }
    return {};
  }

  bool IsText(const json& items) const { return items.value("type", json()) == "string"; }
  // Where an entry of a list of claims has its words; null: it has none.
  const char* TextKey(const json& items) const {
    for (const char* key : {"text", "content"}) {
      if (Property(schema_, items, key) != nullptr) return key;
    }
    return nullptr;
  }

  void AddMissing(const std::string& path) {
    if (!said_.insert(path).second) return;
    result_.values.push_back({path, nullptr, State::kMissing, 0, 0, "not found in the text"});
  }

  void Set(const std::string& path, const Value& from) {
    if (legal::FindPath(result_.elements, path) != nullptr) return;
    if (!legal::SetPath(path, from.value, result_.elements).ok()) return;
    Value value = from;
    value.path = path;
    result_.values.push_back(std::move(value));
  }

  // The schema of a field of a party; null: the schema has no such field.
  const json* LeafOf(const json& items, const std::string& field) const {
    const json* leaf = &items;
    for (std::size_t at = 0; leaf != nullptr && at <= field.size();) {
      const std::size_t dot = std::min(field.find('.', at), field.size());
      const std::string key = field.substr(at, dot - at);
      const std::size_t bracket = key.find('[');
      leaf = Property(schema_, *leaf, key.substr(0, bracket));
      if (leaf != nullptr && bracket != std::string::npos) leaf = Items(schema_, *leaf);
      at = dot + 1;
    }
    return leaf;
  }

  void AddParty(const Party& party, const json& items, const std::string& path) {
    const auto has_operator = std::any_of(party.fields.begin(), party.fields.end(),
                                          [](const Value& one) { return one.path == "operator"; });
    // A business of one person is a party by its operator, where the schema knows its trade name.
    const bool business = has_operator && Property(schema_, items, "trade_name") != nullptr;
    for (const Value& field : party.fields) {
      std::string name = field.path;
      if (business && name == "name") name = "trade_name";
      if (name == "operator") name = business ? "name" : "representative";
      // Who speaks for the accused is called so.
      if (name.starts_with("agents[") && Property(schema_, items, "agents") == nullptr)
        name = "defenders" + name.substr(std::string_view("agents").size());
      const json* leaf = LeafOf(items, name);
      if (leaf != nullptr && Accepts(*leaf, field.value)) Set(path + "." + name, field);
    }
    const json* kind = Property(schema_, items, "kind");
    const json value = business             ? "individual_business"
                       : party.organisation ? "organization"
                                            : "natural";
    if (kind != nullptr && kind->contains("enum") && Accepts(*kind, value)) {
      const Value& name = party.fields.front();
      Set(path + ".kind", {"", value, State::kComputed, name.begin, name.end, "from the name"});
    }
  }

  // What a pattern finds is likely, not certain: the user confirms it.
  void SetFound(const std::string& path, std::optional<Value> value) {
    const json* leaf = LeafOf(schema_.root(), path);
    if (!value || leaf == nullptr || !Accepts(*leaf, value->value)) return;
    if (leaf->value("x-human-only", false)) return;
    value->state = State::kDoubtful;
    value->note = "found by a pattern of the document type";
    Set(path, *value);
  }

  void Find(const FieldRule& rule, std::string_view text,
            const std::vector<entity::Entity>& entities) {
    if (!rule.groups.empty()) return FindList(rule, text, entities);
    for (const entity::Pattern& pattern : rule.patterns) {
      entity::Match match;
      if (!pattern.Search(text, 0, &match)) continue;
      const std::size_t group = rule.kind == FieldRule::Kind::kText && match.has(1) ? 1 : 0;
      std::optional<Value> value = ValueIn(rule.kind, text, match.groups[group], entities);
      if (!value) continue;
      SetFound(rule.path, std::move(value));
      return;
    }
  }

  // awards[]: one entry a match, its properties by the groups of the pattern.
  void FindList(const FieldRule& rule, std::string_view text,
                const std::vector<entity::Entity>& entities) {
    const std::string list = rule.path.substr(0, rule.path.size() - 2);
    if (legal::FindPath(result_.elements, list) != nullptr) return;
    std::size_t index = 0;
    for (const entity::Pattern& pattern : rule.patterns) {
      entity::ForEach(pattern, text, [&](const entity::Match& match) {
        const std::string path = list + "[" + std::to_string(index) + "]";
        for (const auto& [property, kind] : rule.groups) {
          const int group = pattern.GroupNumber(property);
          if (group < 0 || !match.has(static_cast<std::size_t>(group))) continue;
          SetFound(path + "." + property,
                   ValueIn(kind, text, match.groups[static_cast<std::size_t>(group)], entities));
        }
        if (legal::FindPath(result_.elements, path) != nullptr) ++index;
      });
      if (index > 0) return;
    }
  }

  const legal::JsonSchema& schema_;
  Extraction& result_;
  std::map<std::string, std::size_t> counts_;
  std::set<std::string> said_;
};

}  // namespace

void MapToSchema(const std::vector<FieldRule>& rules, std::string_view text,
                 const std::vector<entity::Entity>& entities, const std::vector<Value>& rows,
                 const legal::JsonSchema& schema, Extraction& result) {
  Mapper mapper(schema, result);
  mapper.Rows(rows);
  mapper.Parties();
  mapper.Singles();
  mapper.Claims(rules);
  mapper.Rules(rules, text, entities);
  mapper.Missing();
}

}  // namespace zhibi::extract
