// SPDX-License-Identifier: Apache-2.0
// Compares a part of an Office file with tables that are copied from its schema: children and their
// order, attributes that must be there, attributes that may be there, values of enumerations. An
// element that no table names may have neither children nor attributes, so who writes a new one
// adds its lines of the schema. Failures are gtest's.
#pragma once

#include <algorithm>
#include <map>
#include <pugixml.hpp>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace zhibi::exporting {

using Names = std::vector<std::string>;

/// The tables of one schema. A key of `allowed` and `values` is an element, or "parent/element"
/// where the same name has two types; that of `values` goes on with "@attribute".
struct OfficeSchema {
  /// Children in the order of xsd:sequence; "+" before a name: any number, between its neighbours
  /// in the same group ("a|b": either, in any order).
  std::map<std::string, Names> sequences;
  /// Attributes with use="required".
  std::map<std::string, Names> required;
  /// Every attribute that the type has, in so far as it is not in `required`.
  std::map<std::string, Names> allowed;
  /// The enumeration of an attribute; "#" stands for a whole number.
  std::map<std::string, Names> values;
};

class SchemaChecker {
 public:
  SchemaChecker(const OfficeSchema& schema, std::string part)
      : schema_(schema), part_(std::move(part)) {}

  /// Checks `node` and all below it.
  void Element(const pugi::xml_node& node) {
    const std::string name = node.name();
    Attributes(node);
    const auto found = schema_.sequences.find(name);
    if (found == schema_.sequences.end()) {
      const bool has_elements = std::any_of(node.begin(), node.end(), [](const pugi::xml_node& n) {
        return n.type() == pugi::node_element;
      });
      EXPECT_FALSE(has_elements) << part_ << ": <" << name << "> has children; add its sequence";
      return;
    }
    Children(node, found->second);
    for (const pugi::xml_node& child : node.children()) {
      if (child.type() == pugi::node_element) Element(child);
    }
  }

 private:
  static bool Holds(const std::string& group, const std::string& name) {
    const std::string names = "|" + (group[0] == '+' ? group.substr(1) : group) + "|";
    return names.find("|" + name + "|") != std::string::npos;
  }

  // The row for this element under this parent, else that for the element.
  static const Names* Row(const std::map<std::string, Names>& table, const pugi::xml_node& node,
                          const std::string& more = "") {
    const std::string name = node.name() + more;
    auto found = table.find(std::string(node.parent().name()) + "/" + name);
    if (found == table.end()) found = table.find(name);
    return found == table.end() ? nullptr : &found->second;
  }

  static bool IsNumber(const std::string& text) {
    const std::size_t sign = text.starts_with('-') ? 1 : 0;
    return text.size() > sign && text.find_first_not_of("0123456789", sign) == std::string::npos;
  }

  void Attributes(const pugi::xml_node& node) {
    const Names* required = Row(schema_.required, node);
    const Names* allowed = Row(schema_.allowed, node);
    const auto in = [](const Names* names, const std::string& name) {
      return names != nullptr && std::find(names->begin(), names->end(), name) != names->end();
    };
    if (required != nullptr) {
      for (const std::string& attribute : *required) {
        EXPECT_FALSE(node.attribute(attribute.c_str()).empty())
            << part_ << ": <" << node.name() << "> without " << attribute;
      }
    }
    for (const pugi::xml_attribute& attribute : node.attributes()) {
      const std::string name = attribute.name();
      if (name == "xmlns" || name.starts_with("xmlns:")) continue;
      EXPECT_TRUE(in(required, name) || in(allowed, name))
          << part_ << ": <" << node.name() << "> has no attribute " << name;
      const Names* values = Row(schema_.values, node, "@" + name);
      if (values == nullptr) continue;
      const std::string value = attribute.value();
      EXPECT_TRUE(in(values, value) || (in(values, "#") && IsNumber(value)))
          << part_ << ": <" << node.name() << " " << name << "=\"" << value << "\"> is no value";
    }
  }

  void Children(const pugi::xml_node& node, const Names& sequence) {
    std::size_t at = 0;
    bool used = false;  // sequence[at] has been taken
    for (const pugi::xml_node& child : node.children()) {
      if (child.type() != pugi::node_element) {
        EXPECT_EQ(child.type(), pugi::node_null) << part_ << ": text in <" << node.name() << ">";
        continue;
      }
      while (at < sequence.size() &&
             (!Holds(sequence[at], child.name()) || (used && sequence[at][0] != '+'))) {
        ++at;
        used = false;
      }
      if (at == sequence.size()) {
        ADD_FAILURE() << part_ << ": <" << child.name() << "> is not allowed at its place in <"
                      << node.name() << ">";
        return;
      }
      used = true;
    }
  }

  const OfficeSchema& schema_;
  std::string part_;
};

}  // namespace zhibi::exporting
