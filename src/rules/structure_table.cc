// SPDX-License-Identifier: Apache-2.0
#include "rules/structure_table.h"

#include <algorithm>
#include <utility>

#include <nlohmann/json.hpp>

#include "base/status_macros.h"

namespace zhibi::rules {
namespace {

using nlohmann::json;

// One entry of the table with its place in the file, for messages.
class Entry {
 public:
  Entry(const json& value, std::string where) : value_(value), where_(std::move(where)) {}

  Status Check() const {
    if (!value_.is_object()) return InvalidArgumentError(where_ + ": expected an object");
    return OkStatus();
  }

  Result<std::string> Text(const char* key, bool needed) const {
    const auto it = value_.find(key);
    if (it == value_.end()) {
      if (needed) return InvalidArgumentError(where_ + ": lacks \"" + key + "\"");
      return std::string();
    }
    if (!it->is_string()) return Wrong(key, "a text");
    return it->get<std::string>();
  }

  Result<bool> Flag(const char* key, bool otherwise) const {
    const auto it = value_.find(key);
    if (it == value_.end()) return otherwise;
    if (!it->is_boolean()) return Wrong(key, "true or false");
    return it->get<bool>();
  }

  Result<std::vector<std::string>> List(const char* key) const {
    std::vector<std::string> list;
    const auto it = value_.find(key);
    if (it == value_.end()) return list;
    if (!it->is_array()) return Wrong(key, "a list of texts");
    for (const json& item : *it) {
      if (!item.is_string()) return Wrong(key, "a list of texts");
      list.push_back(item.get<std::string>());
    }
    return list;
  }

  Result<std::shared_ptr<const Pattern>> Regex(const char* key, bool needed) const {
    ZB_ASSIGN_OR_RETURN(const std::string source, Text(key, needed));
    if (source.empty()) return std::shared_ptr<const Pattern>();
    Result<Pattern> pattern = Pattern::Compile(source);
    if (!pattern.ok()) return std::move(pattern).status().WithContext(where_ + "." + key);
    return std::make_shared<const Pattern>(std::move(*pattern));
  }

  Result<Basis> Law() const {
    Basis basis;
    ZB_ASSIGN_OR_RETURN(basis.law, Text("law", false));
    ZB_ASSIGN_OR_RETURN(basis.article, Text("article", false));
    return basis;
  }

 private:
  Status Wrong(const char* key, const char* expected) const {
    return InvalidArgumentError(where_ + "." + key + ": expected " + expected);
  }

  const json& value_;
  std::string where_;
};

Result<DocumentSection> ReadSection(const json& value, const std::string& where) {
  const Entry entry(value, where);
  ZB_RETURN_IF_ERROR(entry.Check());
  DocumentSection section;
  ZB_ASSIGN_OR_RETURN(section.zh, entry.Text("zh", true));
  ZB_ASSIGN_OR_RETURN(section.rule, entry.Text("rule", false));
  if (section.rule.empty()) section.rule = "STR-01";
  ZB_ASSIGN_OR_RETURN(section.pattern, entry.Regex("pattern", true));
  ZB_ASSIGN_OR_RETURN(section.when, entry.Regex("when", false));
  ZB_ASSIGN_OR_RETURN(section.unless, entry.Regex("unless", false));
  ZB_ASSIGN_OR_RETURN(section.required, entry.Flag("required", true));
  ZB_ASSIGN_OR_RETURN(section.ordered, entry.Flag("ordered", true));
  ZB_ASSIGN_OR_RETURN(section.last, entry.Flag("last", false));
  ZB_ASSIGN_OR_RETURN(section.in_head, entry.Flag("in_head", false));
  ZB_ASSIGN_OR_RETURN(section.after_holding, entry.Flag("after_holding", false));
  ZB_ASSIGN_OR_RETURN(section.at, entry.Text("at", false));
  ZB_ASSIGN_OR_RETURN(section.suggestion, entry.Text("suggestion", false));
  ZB_ASSIGN_OR_RETURN(section.basis, entry.Law());
  return section;
}

// A name of "tables.sections", or {"use": name} with fields of its own.
Result<DocumentSection> ResolveSection(const json& item, const json& known,
                                       const std::string& where) {
  const bool named = item.is_string();
  if (!named && (!item.is_object() || !item.contains("use") || !item["use"].is_string())) {
    return InvalidArgumentError(where + ": expected the name of a section or {\"use\": name}");
  }
  const std::string name = named ? item.get<std::string>() : item["use"].get<std::string>();
  const auto it = known.find(name);
  if (it == known.end()) {
    return InvalidArgumentError(where + ": there is no section \"" + name + "\"");
  }
  json merged = *it;
  if (!named) merged.update(item);
  return ReadSection(merged, where + " (" + name + ")");
}

Result<ForbiddenWords> ReadForbidden(const json& value, const std::string& where) {
  const Entry entry(value, where);
  ZB_RETURN_IF_ERROR(entry.Check());
  ForbiddenWords words;
  ZB_ASSIGN_OR_RETURN(words.pattern, entry.Regex("pattern", true));
  ZB_ASSIGN_OR_RETURN(words.parts, entry.List("parts"));
  ZB_ASSIGN_OR_RETURN(words.message, entry.Text("message", true));
  ZB_ASSIGN_OR_RETURN(words.suggestion, entry.Text("suggestion", false));
  ZB_ASSIGN_OR_RETURN(const std::string level, entry.Text("level", false));
  if (level == "warning") {
    words.level = Level::kWarning;
  } else if (!level.empty()) {
    return InvalidArgumentError(where + ".level: expected warning or nothing, got \"" + level +
                                "\"");
  }
  ZB_ASSIGN_OR_RETURN(words.basis, entry.Law());
  return words;
}

Result<DocumentStructure> ReadDocument(const json& value, const json& known,
                                       const std::string& where) {
  const Entry entry(value, where);
  ZB_RETURN_IF_ERROR(entry.Check());
  DocumentStructure document;
  ZB_ASSIGN_OR_RETURN(document.zh, entry.Text("zh", true));
  ZB_ASSIGN_OR_RETURN(document.doctypes, entry.List("doctypes"));
  ZB_ASSIGN_OR_RETURN(document.instances, entry.List("instances"));
  ZB_ASSIGN_OR_RETURN(document.when, entry.Regex("when", false));
  ZB_ASSIGN_OR_RETURN(document.unless, entry.Regex("unless", false));
  const json sections = value.value("sections", json::array());
  for (std::size_t i = 0; i < sections.size(); ++i) {
    ZB_ASSIGN_OR_RETURN(
        DocumentSection section,
        ResolveSection(sections[i], known, where + ".sections[" + std::to_string(i) + "]"));
    document.sections.push_back(std::move(section));
  }
  const json forbidden = value.value("forbidden", json::array());
  for (std::size_t i = 0; i < forbidden.size(); ++i) {
    ZB_ASSIGN_OR_RETURN(
        ForbiddenWords words,
        ReadForbidden(forbidden[i], where + ".forbidden[" + std::to_string(i) + "]"));
    document.forbidden.push_back(std::move(words));
  }
  return document;
}

bool Contains(const std::vector<std::string>& list, std::string_view value) {
  return std::find(list.begin(), list.end(), value) != list.end();
}

}  // namespace

Result<StructureTable> StructureTable::FromJson(const json& tables, const std::string& source) {
  StructureTable table;
  if (!tables.is_object()) return table;
  const json known = tables.value("sections", json::object());
  const json documents = tables.value("documents", json::array());
  if (!known.is_object())
    return InvalidArgumentError(source + ": tables.sections: expected an object");
  if (!documents.is_array()) {
    return InvalidArgumentError(source + ": tables.documents: expected a list");
  }
  for (std::size_t i = 0; i < documents.size(); ++i) {
    ZB_ASSIGN_OR_RETURN(DocumentStructure document,
                        ReadDocument(documents[i], known,
                                     source + ": tables.documents[" + std::to_string(i) + "]"));
    table.documents_.push_back(std::move(document));
  }
  return table;
}

const DocumentStructure* StructureTable::For(const View& view) const {
  for (const DocumentStructure& document : documents_) {
    if (!Contains(document.doctypes, view.doctype)) continue;
    if (!document.instances.empty() && !Contains(document.instances, InstanceName(view.instance))) {
      continue;
    }
    if (document.when && !Has(*document.when, view.text)) continue;
    if (document.unless && Has(*document.unless, view.text)) continue;
    return &document;
  }
  return nullptr;
}

DoctypeStructures::DoctypeStructures(std::string data_dir) : data_dir_(std::move(data_dir)) {}

Result<std::shared_ptr<const legal::Structure>> DoctypeStructures::For(std::string_view doctype) {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (const auto it = known_.find(doctype); it != known_.end()) return it->second;
  std::shared_ptr<const legal::Structure> structure;
  Result<legal::Doctype> type = legal::Doctype::Load(data_dir_, doctype);
  if (type.ok()) {
    structure = std::make_shared<const legal::Structure>(type->structure());
  } else if (type.status().code() != StatusCode::kNotFound) {
    return std::move(type).status();
  }
  known_.emplace(doctype, structure);
  return structure;
}

Result<std::shared_ptr<const legal::Structure>> DoctypeStructures::For(
    std::string_view doctype, const nlohmann::json& elements, const legal::Date& today) {
  ZB_ASSIGN_OR_RETURN(std::shared_ptr<const legal::Structure> plain, For(doctype));
  if (!plain || !elements.is_object()) return plain;
  ZB_ASSIGN_OR_RETURN(const legal::Doctype type, legal::Doctype::Load(data_dir_, doctype));
  legal::PlanOptions options;
  options.allow_missing = true;
  ZB_ASSIGN_OR_RETURN(const legal::PlanResult result, type.Plan(elements, today, options));
  if (!result.errors.empty()) return plain;
  return std::make_shared<const legal::Structure>(result.plan.structure);
}

}  // namespace zhibi::rules
