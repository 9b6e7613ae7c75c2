// SPDX-License-Identifier: Apache-2.0
#include "export/docx_reader.h"

#include <pugixml.hpp>

#include "base/status_macros.h"
#include "base/utf8.h"
#include "export/office_xml.h"
#include "export/zip_package.h"

namespace zhibi::exporting {
namespace {

bool IsHidden(std::string_view name) {
  return name == "del" || name == "moveFrom" || name == "Fallback" || name == "instrText" ||
         name == "pPr" || name == "rPr" || name == "txbxContent";
}

class TextWalker {
 public:
  // LoadPart has bounded the depth.
  void Walk(const pugi::xml_node& parent, bool in_cell) {
    for (const pugi::xml_node& node : parent.children()) {
      const std::string_view name = LocalName(node);
      if (IsHidden(name)) continue;
      if (name == "t") {
        text_ += node.text().get();
      } else if (name == "tab") {
        text_ += '\t';
      } else if (name == "br" || name == "cr") {
        text_ += in_cell ? "↵" : "\n";
      } else if (name == "p") {
        Paragraph(node, in_cell);
      } else if (name == "tr" && !in_cell) {
        Row(node);
      } else {
        Walk(node, in_cell);
      }
    }
  }
  std::string Take() { return std::move(text_); }

 private:
  void Paragraph(const pugi::xml_node& node, bool in_cell) {
    if (in_cell && !cell_begins_) text_ += "↵";
    cell_begins_ = false;
    Walk(node, in_cell);
    if (!in_cell) text_ += '\n';
  }
  void Row(const pugi::xml_node& row) {
    bool first = true;
    for (const pugi::xml_node& cell : row.children()) {
      if (LocalName(cell) != "tc") continue;
      if (!first) text_ += "｜";
      first = false;
      cell_begins_ = true;
      Walk(cell, true);
    }
    text_ += '\n';
  }

  std::string text_;
  bool cell_begins_ = true;
};

}  // namespace

Result<std::string> ReadDocxText(std::string_view bytes, std::string_view source) {
  ZB_RETURN_IF_ERROR(CheckPackage(bytes, source));
  ZB_ASSIGN_OR_RETURN(ZipReader zip, ZipReader::Open(bytes, source));
  ZB_ASSIGN_OR_RETURN(const std::string part, MainPart(zip, "word/document.xml"));
  if (!zip.Has(part))
    return InvalidArgumentError(zip.source() + ": 不是 DOCX 文件 / not a DOCX: there is no " +
                                part);
  pugi::xml_document document;
  ZB_RETURN_IF_ERROR(LoadPart(zip, part, &document));
  TextWalker walker;
  walker.Walk(document, false);
  return base::RepairUtf8(walker.Take());
}

}  // namespace zhibi::exporting
