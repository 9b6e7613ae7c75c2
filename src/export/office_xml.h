// SPDX-License-Identifier: Apache-2.0
// Parts of an office package (OPC, ECMA-376 part 2) as XML trees: foreign bytes under limits. A
// document type declaration is refused, so no entity exists; nesting and the number of elements are
// bounded before anything walks the tree. Thread-safe.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "export/zip_package.h"
#include "zhibi/status.h"

namespace pugi {
class xml_node;      // NOLINT(readability-identifier-naming): pugixml's own names
class xml_document;  // NOLINT(readability-identifier-naming)
}  // namespace pugi

namespace zhibi::exporting {

inline constexpr int kMaxXmlDepth = 200;
inline constexpr std::size_t kMaxXmlMarks = std::size_t{4} << 20;  // "<" of one part

// kDataLoss: not XML, with its byte; kInvalidArgument: a DOCTYPE; kResourceExhausted: nested deeper
// than kMaxXmlDepth, more than kMaxXmlMarks marks; what ZipReader::Read says.
Status LoadPart(ZipReader& zip, const std::string& part, pugi::xml_document* document);

// The name without its prefix: producers are free to choose one.
std::string_view LocalName(const pugi::xml_node& node);
// The first child of that local name; a null node: none.
pugi::xml_node ChildOf(const pugi::xml_node& parent, std::string_view local_name);
// The attribute of that local name; empty: none.
std::string AttributeOf(const pugi::xml_node& node, std::string_view local_name);

struct Relationship {
  std::string type;    // last part of the URI: "worksheet", "styles"
  std::string target;  // name of the part; empty: outside the package
};
// By id; empty when the part has no relations. `part` "": those of the package.
Result<std::map<std::string, Relationship>> ReadRelations(ZipReader& zip, const std::string& part);
// The part that the package's officeDocument relation names, else `usual`.
Result<std::string> MainPart(ZipReader& zip, const std::string& usual);
// kInvalidArgument: not a package but an old .doc or .xls, or an encrypted file.
Status CheckPackage(std::string_view bytes, std::string_view source);

}  // namespace zhibi::exporting
