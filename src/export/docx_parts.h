// SPDX-License-Identifier: Apache-2.0
// Parts of a DOCX that follow from the layout alone, or from a few texts: styles, settings,
// headers, footers, properties, relations. Element order is ECMA-376 part 1 (transitional),
// chapter 17. Thread-safe.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "export/layout.h"
#include "legal/document.h"

namespace pugi {
class xml_node;      // NOLINT(readability-identifier-naming): pugixml's own names
class xml_document;  // NOLINT(readability-identifier-naming)
}  // namespace pugi

namespace zhibi::exporting {

inline constexpr const char* kWordNamespace =
    "http://schemas.openxmlformats.org/wordprocessingml/2006/main";
inline constexpr const char* kRelationNamespace =
    "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
inline constexpr const char* kAiTextStyle = "AiText";    // characters that a model wrote
inline constexpr const char* kAiLabelStyle = "AiLabel";  // the paragraph that says so

// "body" -> "Body"; the styles that Word knows get its own ids ("Title", "Heading1").
std::string StyleId(std::string_view style);
// The style of the document model that a style of a Word file stands for, by its id or name
// ("Heading1", "heading 1", "Court 法院名称"); empty: none of ours.
std::string StyleOfWord(std::string_view id_or_name);

// The declaration and the root element of a part; WordRoot binds w: and r: to it.
pugi::xml_node XmlRoot(pugi::xml_document& document, const char* name);
pugi::xml_node WordRoot(pugi::xml_document& document, const char* name);
// Appends <w:p> with one run of that text under a style id.
pugi::xml_node AppendParagraph(pugi::xml_node parent, const char* style_id);
void AppendText(pugi::xml_node run, const std::string& text);
std::string SaveXml(const pugi::xml_document& document);

std::string StylesPart(const Layout& layout);
std::string SettingsPart(const Layout& layout);
std::string FontTablePart(const Layout& layout);
std::string FooterPart(const Layout& layout, bool even);
// `label`: the visible AI label, may be empty. `left`, `right`: the running head.
std::string HeaderPart(const Layout& layout, const std::string& label, const std::string& left,
                       const std::string& right);
std::string CorePart(const legal::Document& document);
std::string CustomPart(const std::vector<std::pair<std::string, std::string>>& properties);

}  // namespace zhibi::exporting
