// SPDX-License-Identifier: Apache-2.0
#include "export/office_xml.h"

#include <algorithm>
#include <pugixml.hpp>
#include <utility>
#include <vector>

#include "base/status_macros.h"
#include "base/utf8.h"

namespace zhibi::exporting {
namespace {

std::string_view WithoutPrefix(std::string_view name) {
  const std::size_t colon = name.find(':');
  return colon == std::string_view::npos ? name : name.substr(colon + 1);
}

// Without recursion: the depth is what is in doubt.
bool DeeperThan(const pugi::xml_node& root, int limit) {
  int depth = 0;
  pugi::xml_node node = root;
  while (node) {
    if (node.first_child()) {
      node = node.first_child();
      if (++depth > limit) return true;
      continue;
    }
    while (node && node != root && !node.next_sibling()) {
      node = node.parent();
      --depth;
    }
    if (!node || node == root) return false;
    node = node.next_sibling();
  }
  return false;
}

// "xl/workbook.xml" and "../a/b.xml" -> "a/b.xml"; what climbs out of the package is no part.
std::string Resolve(const std::string& part, std::string target) {
  std::vector<std::string> steps;
  const auto walk = [&steps](std::string_view path) {
    while (!path.empty()) {
      const std::size_t slash = std::min(path.find('/'), path.size());
      const std::string_view step = path.substr(0, slash);
      if (step == ".." && steps.empty()) return false;
      if (step == "..") {
        steps.pop_back();
      } else if (!step.empty() && step != ".") {
        steps.emplace_back(step);
      }
      path.remove_prefix(std::min(slash + 1, path.size()));
    }
    return true;
  };
  const std::size_t folder = part.rfind('/');
  if (!target.starts_with('/') && folder != std::string::npos) walk(part.substr(0, folder));
  if (!walk(target)) return {};
  std::string name;
  for (const std::string& step : steps) name += (name.empty() ? "" : "/") + step;
  return name;
}

std::string RelationsOf(const std::string& part) {
  const std::size_t slash = part.rfind('/');
  const std::string folder = slash == std::string::npos ? "" : part.substr(0, slash + 1);
  return folder + "_rels/" + (slash == std::string::npos ? part : part.substr(slash + 1)) + ".rels";
}

}  // namespace

Status LoadPart(ZipReader& zip, const std::string& part, pugi::xml_document* document) {
  ZB_ASSIGN_OR_RETURN(const std::string xml, zip.Read(part));
  const std::string where = zip.source() + ": " + part;
  const auto marks = static_cast<std::size_t>(std::count(xml.begin(), xml.end(), '<'));
  if (marks > kMaxXmlMarks)
    return ResourceExhaustedError(where + ": " + std::to_string(marks) + " marks, at most " +
                                  std::to_string(kMaxXmlMarks));
  const pugi::xml_parse_result parsed = document->load_buffer(
      xml.data(), xml.size(), pugi::parse_default | pugi::parse_ws_pcdata | pugi::parse_doctype);
  if (!parsed)
    return DataLossError(where + ", byte " + std::to_string(parsed.offset) + ": " +
                         parsed.description());
  for (const pugi::xml_node& node : document->children()) {
    // OPC forbids it, and an entity could only come from there.
    if (node.type() == pugi::node_doctype)
      return InvalidArgumentError(where + ": 含文档类型声明 / a DOCTYPE, which no office file has");
  }
  if (DeeperThan(*document, kMaxXmlDepth))
    return ResourceExhaustedError(where + ": nested deeper than " + std::to_string(kMaxXmlDepth) +
                                  " elements");
  return OkStatus();
}

std::string_view LocalName(const pugi::xml_node& node) { return WithoutPrefix(node.name()); }

pugi::xml_node ChildOf(const pugi::xml_node& parent, std::string_view local_name) {
  for (const pugi::xml_node& node : parent.children()) {
    if (LocalName(node) == local_name) return node;
  }
  return {};
}

std::string AttributeOf(const pugi::xml_node& node, std::string_view local_name) {
  for (const pugi::xml_attribute& attribute : node.attributes()) {
    if (WithoutPrefix(attribute.name()) == local_name) return base::RepairUtf8(attribute.value());
  }
  return {};
}

Result<std::map<std::string, Relationship>> ReadRelations(ZipReader& zip, const std::string& part) {
  std::map<std::string, Relationship> relations;
  const std::string name = RelationsOf(part);
  if (!zip.Has(name)) return relations;
  pugi::xml_document document;
  ZB_RETURN_IF_ERROR(LoadPart(zip, name, &document));
  for (const pugi::xml_node& node : ChildOf(document, "Relationships").children()) {
    if (LocalName(node) != "Relationship") continue;
    Relationship relation;
    relation.type = AttributeOf(node, "Type");
    relation.type.erase(0, relation.type.rfind('/') + 1);
    if (AttributeOf(node, "TargetMode") != "External")
      relation.target = Resolve(part, AttributeOf(node, "Target"));
    relations[AttributeOf(node, "Id")] = std::move(relation);
  }
  return relations;
}

Result<std::string> MainPart(ZipReader& zip, const std::string& usual) {
  ZB_ASSIGN_OR_RETURN(const auto relations, ReadRelations(zip, ""));
  for (const auto& [id, relation] : relations) {
    if (relation.type == "officeDocument" && !relation.target.empty()) return relation.target;
  }
  return usual;
}

Status CheckPackage(std::string_view bytes, std::string_view source) {
  constexpr std::string_view kCompoundFile = "\xD0\xCF\x11\xE0";
  if (!bytes.starts_with(kCompoundFile)) return OkStatus();
  return InvalidArgumentError(std::string(source) +
                              ": 旧版 .doc/.xls 或加密文件，请另存为不加密的 .docx/.xlsx / an old "
                              ".doc or .xls or an encrypted "
                              "file; save it as .docx or .xlsx without a password");
}

}  // namespace zhibi::exporting
