// SPDX-License-Identifier: Apache-2.0
#include "export/docx_parts.h"

#include <array>
#include <cmath>
#include <pugixml.hpp>
#include <sstream>

#include "export/flow.h"

namespace zhibi::exporting {
namespace {

using pugi::xml_document;
using pugi::xml_node;

struct StyleName {
  std::string_view style;
  const char* id;
  const char* word_name;  // built into Word; nullptr: "<Id> <name of the layout>"
};
constexpr std::array<StyleName, 14> kStyles = {{{"body", "Body", nullptr},
                                                {"court", "Court", nullptr},
                                                {"title", "Title", "Title"},
                                                {"caseno", "CaseNo", nullptr},
                                                {"party", "Party", nullptr},
                                                {"heading", "Heading1", "heading 1"},
                                                {"claim", "Claim", nullptr},
                                                {"holding", "Holding", nullptr},
                                                {"addressee", "Addressee", nullptr},
                                                {"signature", "Signature", "Signature"},
                                                {"date", "Date", "Date"},
                                                {"attachment", "Attachment", nullptr},
                                                {"note", "Note", nullptr},
                                                {"cell", "Cell", nullptr}}};

xml_node Add(xml_node parent, const char* name) { return parent.append_child(name); }
template <typename T>
xml_node AddValue(xml_node parent, const char* name, T value) {
  xml_node node = parent.append_child(name);
  node.append_attribute("w:val").set_value(value);
  return node;
}
int Twips(double points) { return static_cast<int>(std::lround(points * 20)); }

const char* Jc(Align align) {
  switch (align) {
    case Align::kLeft:
      return "left";
    case Align::kCenter:
      return "center";
    case Align::kRight:
      return "right";
    case Align::kJustify:
      return "both";
  }
  return "both";
}

void AddFonts(xml_node properties, const std::string& latin, const std::string& east_asia) {
  xml_node fonts = Add(properties, "w:rFonts");
  fonts.append_attribute("w:ascii") = latin.c_str();
  fonts.append_attribute("w:hAnsi") = latin.c_str();
  fonts.append_attribute("w:eastAsia") = east_asia.c_str();
  fonts.append_attribute("w:cs") = latin.c_str();
}

void AddSize(xml_node properties, double points) {
  const int half_points = static_cast<int>(std::lround(points * 2));
  AddValue(properties, "w:sz", half_points);
  AddValue(properties, "w:szCs", half_points);
}

void AddExactLine(xml_node properties, double line_pt, int before_twips, int after_twips) {
  xml_node spacing = Add(properties, "w:spacing");
  spacing.append_attribute("w:before") = before_twips;
  spacing.append_attribute("w:after") = after_twips;
  spacing.append_attribute("w:line") = Twips(line_pt);
  spacing.append_attribute("w:lineRule") = "exact";
}

void AddParagraphLook(xml_node style, const Layout& layout, const StyleLook& look) {
  xml_node properties = Add(style, "w:pPr");
  if (look.keep_next) Add(properties, "w:keepNext");
  AddExactLine(properties, look.line_pt, Twips(look.before_lines * layout.line_pt),
               Twips(look.after_lines * layout.line_pt));
  const double em = look.size_pt + layout.Tracking(look);
  xml_node indent = Add(properties, "w:ind");
  indent.append_attribute("w:left") = Twips(look.left_chars * em);
  indent.append_attribute("w:right") = Twips(look.right_chars * em);
  indent.append_attribute(look.first_line_chars < 0 ? "w:hanging" : "w:firstLine") =
      Twips(std::abs(look.first_line_chars) * em);
  AddValue(properties, "w:jc", Jc(look.align));
  if (look.outline_level >= 0) AddValue(properties, "w:outlineLvl", look.outline_level);
}

void AddRunLook(xml_node style, const Layout& layout, const StyleLook& look) {
  xml_node properties = Add(style, "w:rPr");
  AddFonts(properties, layout.latin_font, look.font);
  if (look.bold) {
    Add(properties, "w:b");
    Add(properties, "w:bCs");
  } else {
    AddValue(properties, "w:b", 0);
    AddValue(properties, "w:bCs", 0);
  }
  if (const int tracking = Twips(layout.Tracking(look)); tracking != 0)
    AddValue(properties, "w:spacing", tracking);
  AddSize(properties, look.size_pt);
}

void AddDefaults(xml_node styles, const Layout& layout) {
  const StyleLook& body = layout.Look("body");
  xml_node defaults = Add(styles, "w:docDefaults");
  xml_node run = Add(Add(defaults, "w:rPrDefault"), "w:rPr");
  AddFonts(run, layout.latin_font, body.font);
  AddSize(run, body.size_pt);
  xml_node lang = Add(run, "w:lang");
  lang.append_attribute("w:val") = "en-US";
  lang.append_attribute("w:eastAsia") = "zh-CN";
  lang.append_attribute("w:bidi") = "ar-SA";
  xml_node paragraph = Add(Add(defaults, "w:pPrDefault"), "w:pPr");
  AddValue(paragraph, "w:widowControl", 0);
  AddValue(paragraph, "w:kinsoku", 1);
  AddValue(paragraph, "w:wordWrap", 1);
  AddValue(paragraph, "w:overflowPunct", 1);
  // No white space of its own between Chinese and digits: it would leave the grid.
  AddValue(paragraph, "w:autoSpaceDE", 0);
  AddValue(paragraph, "w:autoSpaceDN", 0);
  AddValue(paragraph, "w:adjustRightInd", 0);
  AddValue(paragraph, "w:snapToGrid", 0);
}

xml_node AddStyle(xml_node styles, const char* type, const char* id, const std::string& name) {
  xml_node style = Add(styles, "w:style");
  style.append_attribute("w:type") = type;
  style.append_attribute("w:styleId") = id;
  AddValue(style, "w:name", name.c_str());
  return style;
}

void AddFixedStyles(xml_node styles, const Layout& layout) {
  xml_node table = AddStyle(styles, "table", "ZhibiTable", "zhibi table");
  AddValue(table, "w:uiPriority", 59);
  xml_node borders = Add(Add(table, "w:tblPr"), "w:tblBorders");
  for (const char* side : {"w:top", "w:left", "w:bottom", "w:right", "w:insideH", "w:insideV"}) {
    xml_node border = Add(borders, side);
    border.append_attribute("w:val") = "single";
    border.append_attribute("w:sz") = 4;
    border.append_attribute("w:space") = 0;
    border.append_attribute("w:color") = "000000";
  }
  const auto small = [&](const char* id, const std::string& name, double size, double line,
                         const std::string& font) {
    xml_node style = AddStyle(styles, "paragraph", id, name);
    xml_node paragraph = Add(style, "w:pPr");
    AddExactLine(paragraph, line, 0, 0);
    xml_node run = Add(style, "w:rPr");
    AddFonts(run, layout.latin_font, font);
    AddSize(run, size);
  };
  small("Header", "header", layout.head_size_pt, layout.head_size_pt * 1.3, layout.number.font);
  small("Footer", "footer", layout.number.size_pt, layout.number.size_pt * 1.2, layout.number.font);
  small(kAiLabelStyle, "AiLabel 人工智能标识", 9, layout.line_pt, layout.number.font);
  // Dotted underline: seen on paper and in black and white, and kept by Word and WPS.
  xml_node text = AddStyle(styles, "character", kAiTextStyle, "AiText 人工智能生成");
  AddValue(Add(text, "w:rPr"), "w:u", "dotted");
}

// <w:r> with properties of the page number's font, so that footers need no style of their own.
xml_node AddField(xml_node paragraph, const char* instruction) {
  xml_node field = Add(paragraph, "w:fldSimple");
  field.append_attribute("w:instr") = instruction;
  AppendText(Add(field, "w:r"), "1");
  return field;
}

}  // namespace

xml_node XmlRoot(xml_document& document, const char* name) {
  xml_node declaration = document.append_child(pugi::node_declaration);
  declaration.append_attribute("version") = "1.0";
  declaration.append_attribute("encoding") = "UTF-8";
  declaration.append_attribute("standalone") = "yes";
  return document.append_child(name);
}

xml_node WordRoot(xml_document& document, const char* name) {
  xml_node root = XmlRoot(document, name);
  root.append_attribute("xmlns:w") = kWordNamespace;
  root.append_attribute("xmlns:r") = kRelationNamespace;
  return root;
}

std::string StyleId(std::string_view style) {
  for (const StyleName& known : kStyles) {
    if (known.style == style) return known.id;
  }
  return "Body";
}

std::string StyleOfWord(std::string_view id_or_name) {
  for (const StyleName& known : kStyles) {
    const std::string_view id = known.id;
    const bool named = known.word_name != nullptr && id_or_name == known.word_name;
    const bool prefixed =
        id_or_name.starts_with(id) && id_or_name.size() > id.size() && id_or_name[id.size()] == ' ';
    if (id_or_name == id || named || prefixed) return std::string(known.style);
  }
  return {};
}

xml_node AppendParagraph(xml_node parent, const char* style_id) {
  xml_node paragraph = Add(parent, "w:p");
  AddValue(Add(paragraph, "w:pPr"), "w:pStyle", style_id);
  return paragraph;
}

void AppendText(xml_node run, const std::string& text) {
  xml_node node = Add(run, "w:t");
  node.append_attribute("xml:space") = "preserve";
  node.text().set(text.c_str());
}

std::string SaveXml(const xml_document& document) {
  std::ostringstream out;
  document.save(out, "", pugi::format_raw, pugi::encoding_utf8);
  return std::move(out).str();
}

std::string StylesPart(const Layout& layout) {
  xml_document document;
  xml_node styles = WordRoot(document, "w:styles");
  AddDefaults(styles, layout);
  xml_node normal = AddStyle(styles, "paragraph", "Normal", "Normal");
  normal.append_attribute("w:default") = 1;
  Add(normal, "w:qFormat");
  for (const StyleName& known : kStyles) {
    const StyleLook& look = layout.Look(known.style);
    const std::string name =
        known.word_name != nullptr ? known.word_name : std::string(known.id) + " " + look.name;
    xml_node style = AddStyle(styles, "paragraph", known.id, name);
    if (known.word_name == nullptr) style.append_attribute("w:customStyle") = 1;
    AddValue(style, "w:basedOn", "Normal");
    if (look.keep_next) AddValue(style, "w:next", "Body");
    Add(style, "w:qFormat");
    AddParagraphLook(style, layout, look);
    AddRunLook(style, layout, look);
  }
  AddFixedStyles(styles, layout);
  return SaveXml(document);
}

std::string SettingsPart(const Layout& layout) {
  xml_document document;
  xml_node settings = WordRoot(document, "w:settings");
  AddValue(settings, "w:defaultTabStop", Twips(layout.Look("body").size_pt * 2));
  Add(settings, "w:evenAndOddHeaders");
  AddValue(settings, "w:characterSpacingControl", "doNotCompress");
  xml_node compat = Add(settings, "w:compat");
  Add(compat, "w:useFELayout");
  xml_node mode = Add(compat, "w:compatSetting");
  mode.append_attribute("w:name") = "compatibilityMode";
  mode.append_attribute("w:uri") = "http://schemas.microsoft.com/office/word";
  mode.append_attribute("w:val") = "15";
  xml_node lang = Add(settings, "w:themeFontLang");
  lang.append_attribute("w:val") = "en-US";
  lang.append_attribute("w:eastAsia") = "zh-CN";
  return SaveXml(document);
}

std::string FontTablePart(const Layout& layout) {
  xml_document document;
  xml_node fonts = WordRoot(document, "w:fonts");
  for (const auto& [name, chain] : layout.fonts) {
    const bool latin = name == layout.latin_font;
    xml_node font = Add(fonts, "w:font");
    font.append_attribute("w:name") = name.c_str();
    // The best stand-in on a machine without the court's fonts.
    if (chain.size() > 2 && !latin) AddValue(font, "w:altName", chain[2].c_str());
    AddValue(font, "w:charset", latin ? "00" : "86");
    AddValue(font, "w:family", latin ? "roman" : "auto");
    AddValue(font, "w:pitch", "variable");
  }
  return SaveXml(document);
}

std::string FooterPart(const Layout& layout, bool even) {
  const PageNumber& number = layout.number;
  xml_document document;
  xml_node paragraph = AppendParagraph(WordRoot(document, "w:ftr"), "Footer");
  xml_node properties = paragraph.child("w:pPr");
  const Align align = even ? number.even : number.odd;
  const int indent = Twips(number.indent_chars * number.size_pt);
  xml_node ind = Add(properties, "w:ind");
  ind.append_attribute("w:left") = align == Align::kLeft ? indent : 0;
  ind.append_attribute("w:right") = align == Align::kRight ? indent : 0;
  AddValue(properties, "w:jc", Jc(align));
  if (!number.prefix.empty()) AppendText(Add(paragraph, "w:r"), number.prefix);
  AddField(paragraph, " PAGE ");
  if (number.total) {
    AppendText(Add(paragraph, "w:r"), "/");
    AddField(paragraph, " NUMPAGES ");
  }
  if (!number.suffix.empty()) AppendText(Add(paragraph, "w:r"), number.suffix);
  return SaveXml(document);
}

std::string HeaderPart(const Layout& layout, const std::string& label, const std::string& left,
                       const std::string& right) {
  xml_document document;
  xml_node header = WordRoot(document, "w:hdr");
  if (!label.empty()) {
    xml_node paragraph = AppendParagraph(header, "Header");
    AddValue(paragraph.child("w:pPr"), "w:jc", "center");
    AppendText(Add(paragraph, "w:r"), label);
  }
  if (layout.running_head || label.empty()) {
    xml_node paragraph = AppendParagraph(header, "Header");
    xml_node tab = Add(Add(paragraph.child("w:pPr"), "w:tabs"), "w:tab");
    tab.append_attribute("w:val") = "right";
    tab.append_attribute("w:pos") = Twips(layout.text_width());
    if (layout.running_head) {
      AppendText(Add(paragraph, "w:r"), left);
      Add(Add(paragraph, "w:r"), "w:tab");
      AppendText(Add(paragraph, "w:r"), right);
    }
  }
  return SaveXml(document);
}

std::string CorePart(const legal::Document& document) {
  xml_document xml;
  xml_node root = XmlRoot(xml, "cp:coreProperties");
  root.append_attribute("xmlns:cp") =
      "http://schemas.openxmlformats.org/package/2006/metadata/core-properties";
  root.append_attribute("xmlns:dc") = "http://purl.org/dc/elements/1.1/";
  root.append_attribute("xmlns:dcterms") = "http://purl.org/dc/terms/";
  root.append_attribute("xmlns:xsi") = "http://www.w3.org/2001/XMLSchema-instance";
  Add(root, "dc:title").text().set(document.title.c_str());
  // No person's name, no time: the redacted and the plain file carry no trace of who made them.
  Add(root, "dc:creator").text().set("zhibi");
  const std::string label = VisibleLabel(document);
  if (!label.empty()) Add(root, "dc:description").text().set(label.c_str());
  return SaveXml(xml);
}

std::string CustomPart(const std::vector<std::pair<std::string, std::string>>& properties) {
  xml_document document;
  xml_node root = XmlRoot(document, "Properties");
  root.append_attribute("xmlns") =
      "http://schemas.openxmlformats.org/officeDocument/2006/custom-properties";
  root.append_attribute("xmlns:vt") =
      "http://schemas.openxmlformats.org/officeDocument/2006/docPropsVTypes";
  int id = 2;  // the standard reserves 0 and 1
  for (const auto& [name, value] : properties) {
    xml_node property = Add(root, "property");
    property.append_attribute("fmtid") = "{D5CDD505-2E9C-101B-9397-08002B2CF9AE}";
    property.append_attribute("pid") = id++;
    property.append_attribute("name") = name.c_str();
    Add(property, "vt:lpwstr").text().set(value.c_str());
  }
  return SaveXml(document);
}

}  // namespace zhibi::exporting
