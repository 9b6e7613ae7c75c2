// SPDX-License-Identifier: Apache-2.0
#include "export/docx_writer.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <pugixml.hpp>
#include <utility>
#include <vector>

#include "base/utf8.h"
#include "export/docx_parts.h"
#include "export/flow.h"
#include "export/zip_package.h"

namespace zhibi::exporting {
namespace {

using pugi::xml_document;
using pugi::xml_node;

constexpr const char* kContentTypes =
    R"(<?xml version="1.0" encoding="UTF-8" standalone="yes"?>)"
    R"(<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">)"
    R"(<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>)"
    R"(<Default Extension="xml" ContentType="application/xml"/>)"
    R"(<Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/>)"
    R"(<Override PartName="/word/styles.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.styles+xml"/>)"
    R"(<Override PartName="/word/settings.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.settings+xml"/>)"
    R"(<Override PartName="/word/fontTable.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.fontTable+xml"/>)"
    R"(<Override PartName="/word/header1.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.header+xml"/>)"
    R"(<Override PartName="/word/footer1.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.footer+xml"/>)"
    R"(<Override PartName="/word/footer2.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.footer+xml"/>)"
    R"(<Override PartName="/docProps/core.xml" ContentType="application/vnd.openxmlformats-package.core-properties+xml"/>)"
    R"(<Override PartName="/docProps/custom.xml" ContentType="application/vnd.openxmlformats-officedocument.custom-properties+xml"/>)"
    R"(</Types>)";

constexpr const char* kRelationHead =
    R"(<?xml version="1.0" encoding="UTF-8" standalone="yes"?>)"
    R"(<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">)";
constexpr const char* kOfficeRelation =
    "http://schemas.openxmlformats.org/officeDocument/2006/relationships/";

std::string Relation(const char* id, const std::string& type, const char* target) {
  return "<Relationship Id=\"" + std::string(id) + "\" Type=\"" + type + "\" Target=\"" + target +
         "\"/>";
}

std::string RootRelations() {
  const std::string office = kOfficeRelation;
  return kRelationHead + Relation("rId1", office + "officeDocument", "word/document.xml") +
         Relation("rId2",
                  "http://schemas.openxmlformats.org/package/2006/relationships/metadata/"
                  "core-properties",
                  "docProps/core.xml") +
         Relation("rId3", office + "custom-properties", "docProps/custom.xml") + "</Relationships>";
}

std::string DocumentRelations() {
  const std::string office = kOfficeRelation;
  return kRelationHead + Relation("rId1", office + "styles", "styles.xml") +
         Relation("rId2", office + "settings", "settings.xml") +
         Relation("rId3", office + "fontTable", "fontTable.xml") +
         Relation("rId4", office + "header", "header1.xml") +
         Relation("rId5", office + "footer", "footer1.xml") +
         Relation("rId6", office + "footer", "footer2.xml") + "</Relationships>";
}

int Twips(double points) { return static_cast<int>(std::lround(points * 20)); }

xml_node AddValue(xml_node parent, const char* name, const char* value) {
  xml_node node = parent.append_child(name);
  node.append_attribute("w:val") = value;
  return node;
}

// XML 1.0 can't hold most control characters; foreign text is repaired to UTF-8.
std::string XmlText(const std::string& text) {
  std::string out = base::RepairUtf8(text);
  std::erase_if(out, [](char c) { return static_cast<unsigned char>(c) < 0x20 && c != '\t'; });
  return out;
}

class BodyWriter {
 public:
  BodyWriter(const Layout& layout, xml_node body) : layout_(layout), body_(body) {}

  void AddBlocks(const legal::Document& document) {
    const std::vector<bool> keep = KeepWithNext(document);
    bool after_table = false;
    for (std::size_t i = 0; i < document.blocks.size(); ++i) {
      const legal::Block& block = document.blocks[i];
      if (block.is_table) {
        // Two tables without a paragraph between them would become one.
        if (after_table) Separator();
        AddTable(block, keep[i]);
      } else {
        AddParagraph(body_, Trimmed(block.paragraph), block.paragraph.style, keep[i],
                     BlockId(block));
      }
      after_table = block.is_table;
    }
    if (const std::string label = VisibleLabel(document); !label.empty()) {
      xml_node paragraph = AppendParagraph(body_, kAiLabelStyle);
      AppendText(paragraph.append_child("w:r"), XmlText(label));
    } else if (after_table || document.blocks.empty()) {
      Separator();
    }
  }

  void AddSection() {
    xml_node section = body_.append_child("w:sectPr");
    const std::array<std::array<const char*, 3>, 4> parts = {
        {{"w:headerReference", "default", "rId4"},
         {"w:headerReference", "even", "rId4"},
         {"w:footerReference", "default", "rId5"},
         {"w:footerReference", "even", "rId6"}}};
    for (const auto& [name, type, id] : parts) {
      xml_node reference = section.append_child(name);
      reference.append_attribute("w:type") = type;
      reference.append_attribute("r:id") = id;
    }
    xml_node size = section.append_child("w:pgSz");
    size.append_attribute("w:w") = Twips(layout_.page_width_pt);
    size.append_attribute("w:h") = Twips(layout_.page_height_pt);
    const double number_height = layout_.number.size_pt * 1.2;
    const double footer = layout_.bottom_pt - layout_.number.distance_pt - number_height;
    xml_node margins = section.append_child("w:pgMar");
    margins.append_attribute("w:top") = Twips(layout_.top_pt);
    margins.append_attribute("w:right") = Twips(layout_.right_pt);
    margins.append_attribute("w:bottom") = Twips(layout_.bottom_pt);
    margins.append_attribute("w:left") = Twips(layout_.left_pt);
    margins.append_attribute("w:header") = Twips(std::min(layout_.top_pt / 2, 42.5));
    margins.append_attribute("w:footer") = std::max(Twips(footer), 0);
    margins.append_attribute("w:gutter") = 0;
    xml_node grid = section.append_child("w:docGrid");
    grid.append_attribute("w:type") = "lines";
    grid.append_attribute("w:linePitch") = Twips(layout_.line_pt);
  }

 private:
  static const std::string& BlockId(const legal::Block& block) {
    return block.id.empty() ? block.paragraph.id : block.id;
  }

  void Separator() { AppendParagraph(body_, StyleId("cell").c_str()); }

  int OpenBookmark(xml_node paragraph, const std::string& id) {
    xml_node start = paragraph.append_child("w:bookmarkStart");
    start.append_attribute("w:id") = next_bookmark_;
    start.append_attribute("w:name") = BookmarkName(id).c_str();
    return next_bookmark_++;
  }
  static void CloseBookmark(xml_node paragraph, int id) {
    paragraph.append_child("w:bookmarkEnd").append_attribute("w:id") = id;
  }

  void AddRun(xml_node paragraph, const legal::Run& run) {
    if (run.text.empty()) return;
    xml_node node = paragraph.append_child("w:r");
    if (run.source == legal::RunSource::kModel || run.bold) {
      xml_node properties = node.append_child("w:rPr");
      if (run.source == legal::RunSource::kModel) AddValue(properties, "w:rStyle", kAiTextStyle);
      if (run.bold) {
        properties.append_child("w:b");
        properties.append_child("w:bCs");
      }
    }
    AppendText(node, XmlText(run.text));
  }

  void AddParagraph(xml_node parent, const legal::Paragraph& paragraph, const std::string& style,
                    bool keep, const std::string& id) {
    xml_node node = AppendParagraph(parent, StyleId(style).c_str());
    xml_node properties = node.child("w:pPr");
    if (keep) properties.append_child("w:keepNext");
    if (style == "signature" || style == "date") properties.append_child("w:keepLines");
    const int bookmark = id.empty() ? -1 : OpenBookmark(node, id);
    for (const legal::Run& run : paragraph.runs) AddRun(node, run);
    if (bookmark >= 0) CloseBookmark(node, bookmark);
  }

  void AddTable(const legal::Block& block, bool keep) {
    const legal::Table& table = block.table;
    xml_node node = body_.append_child("w:tbl");
    xml_node properties = node.append_child("w:tblPr");
    AddValue(properties, "w:tblStyle", "ZhibiTable");
    xml_node width = properties.append_child("w:tblW");
    width.append_attribute("w:w") = Twips(layout_.text_width());
    width.append_attribute("w:type") = "dxa";
    properties.append_child("w:tblLayout").append_attribute("w:type") = "fixed";
    std::vector<int> columns = ColumnWidths(table);
    xml_node grid = node.append_child("w:tblGrid");
    for (const int column : columns)
      grid.append_child("w:gridCol").append_attribute("w:w") = column;
    bool first = true;
    for (std::size_t r = 0; r < table.rows.size(); ++r) {
      xml_node row = node.append_child("w:tr");
      if (static_cast<int>(r) < table.header_rows) {
        xml_node row_properties = row.append_child("w:trPr");
        row_properties.append_child("w:cantSplit");
        row_properties.append_child("w:tblHeader");
      }
      const bool keep_row = keep && r + 1 == table.rows.size();
      AddCells(row, table.rows[r], columns, keep_row, first ? block.id : std::string());
      first = false;
    }
  }

  std::vector<int> ColumnWidths(const legal::Table& table) const {
    std::vector<int> columns;
    int used = 0;
    const int total = Twips(layout_.text_width());
    for (const int percent : table.column_percent) {
      columns.push_back(std::max(total * percent / 100, 1));
      used += columns.back();
    }
    if (columns.empty()) columns.push_back(total);
    if (used > 0 && total > used) columns.back() += total - used;
    return columns;
  }

  void AddCells(xml_node row, const std::vector<legal::TableCell>& cells,
                const std::vector<int>& columns, bool keep, const std::string& id) {
    std::size_t column = 0;
    for (std::size_t c = 0; c < cells.size() && column < columns.size(); ++c) {
      const legal::TableCell& cell = cells[c];
      std::size_t span = static_cast<std::size_t>(std::max(cell.column_span, 1));
      // The last cell takes what is left, so that every row has the table's width.
      if (c + 1 == cells.size()) span = columns.size() - column;
      span = std::min(span, columns.size() - column);
      int width = 0;
      for (std::size_t i = 0; i < span; ++i) width += columns[column + i];
      xml_node node = row.append_child("w:tc");
      xml_node properties = node.append_child("w:tcPr");
      xml_node cell_width = properties.append_child("w:tcW");
      cell_width.append_attribute("w:w") = width;
      cell_width.append_attribute("w:type") = "dxa";
      if (span > 1)
        properties.append_child("w:gridSpan").append_attribute("w:val") = static_cast<int>(span);
      AddValue(properties, "w:vAlign", "center");
      if (cell.paragraphs.empty()) AppendParagraph(node, StyleId("cell").c_str());
      bool first = c == 0;
      for (const legal::Paragraph& paragraph : cell.paragraphs) {
        const std::string style = paragraph.style == "body" ? "cell" : paragraph.style;
        AddParagraph(node, Trimmed(paragraph), style, keep, first ? id : std::string());
        first = false;
      }
      column += span;
    }
  }

  const Layout& layout_;
  xml_node body_;
  int next_bookmark_ = 0;
};

std::string DocumentPart(const legal::Document& document, const Layout& layout) {
  xml_document xml;
  xml_node root = WordRoot(xml, "w:document");
  BodyWriter writer(layout, root.append_child("w:body"));
  writer.AddBlocks(document);
  writer.AddSection();
  return SaveXml(xml);
}

}  // namespace

Result<std::string> WriteDocx(const legal::Document& document, const Layout& layout) {
  std::vector<std::pair<std::string, std::string>> properties = FileProperties(document);
  for (auto& [name, value] : properties) {
    name = XmlText(name);
    value = XmlText(value);
  }
  return WriteZip({{"[Content_Types].xml", kContentTypes},
                   {"_rels/.rels", RootRelations()},
                   {"word/document.xml", DocumentPart(document, layout)},
                   {"word/_rels/document.xml.rels", DocumentRelations()},
                   {"word/styles.xml", StylesPart(layout)},
                   {"word/settings.xml", SettingsPart(layout)},
                   {"word/fontTable.xml", FontTablePart(layout)},
                   {"word/header1.xml", HeaderPart(layout, XmlText(VisibleLabel(document)),
                                                   XmlText(FirstOfStyle(document, "title")),
                                                   XmlText(FirstOfStyle(document, "caseno")))},
                   {"word/footer1.xml", FooterPart(layout, false)},
                   {"word/footer2.xml", FooterPart(layout, true)},
                   {"docProps/core.xml", CorePart(document)},
                   {"docProps/custom.xml", CustomPart(properties)}});
}

}  // namespace zhibi::exporting
