// SPDX-License-Identifier: Apache-2.0
#include "export/docx_body.h"

#include <algorithm>
#include <charconv>
#include <pugixml.hpp>

#include "base/status_macros.h"
#include "base/utf8.h"
#include "export/docx_parts.h"
#include "export/flow.h"
#include "export/office_xml.h"
#include "export/zip_package.h"

namespace zhibi::exporting {
namespace {

constexpr std::size_t kMaxOpenBookmarks = 256;
constexpr int kMaxColumns = 63;       // of a table in Word
constexpr int kMaxHeaderRows = 1000;  // of a table in legal/document.h

bool IsOn(const pugi::xml_node& property) {
  if (!property) return false;
  const std::string value = AttributeOf(property, "val");
  return value != "0" && value != "false" && value != "off" && value != "none";
}

int Number(const std::string& text, int otherwise) {
  int value = otherwise;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

bool IsOurs(std::string_view bookmark) {
  return bookmark.starts_with("zb_") || bookmark.starts_with("zbh_");
}

// Ids of styles to our names, by id first and by name then.
std::map<std::string, std::string> StylesOf(const pugi::xml_document& document) {
  std::map<std::string, std::string> names;
  for (const pugi::xml_node& style : ChildOf(document, "styles").children()) {
    if (LocalName(style) != "style") continue;
    const std::string id = AttributeOf(style, "styleId");
    const std::string name = AttributeOf(ChildOf(style, "name"), "val");
    std::string ours = StyleOfWord(id);
    if (ours.empty()) ours = StyleOfWord(name);
    const bool label = name.starts_with(kAiLabelStyle);
    const bool model = name.starts_with(kAiTextStyle);
    names[id] = label ? kAiLabelStyle : model ? kAiTextStyle : ours;
  }
  return names;
}

class BodyWalker {
 public:
  BodyWalker(bool accept, std::map<std::string, std::string> styles, DocxBody* body)
      : accept_(accept), styles_(std::move(styles)), body_(body) {}

  // Children of <w:body>, and of what wraps blocks. LoadPart has bounded the depth.
  void Blocks(const pugi::xml_node& parent) {
    for (const pugi::xml_node& node : parent.children()) {
      const std::string_view name = LocalName(node);
      if (name == "p") {
        BodyParagraph paragraph;
        if (Paragraph(node, &paragraph)) Append(std::move(paragraph));
      } else if (name == "tbl") {
        Table(node);
      } else if (name == "bookmarkStart" || name == "bookmarkEnd") {
        Bookmark(node, name);
      } else if (name == "sdt" || name == "sdtContent" || name == "customXml" || name == "ins" ||
                 name == "moveTo") {
        Blocks(node);
      } else if (name == "del" || name == "moveFrom") {
        if (!accept_) Blocks(node);
      }
    }
  }

  // A last paragraph whose mark is gone has nothing to join.
  void End() {
    if (pending_) Append(std::move(joined_));
    pending_ = false;
  }

 private:
  struct Change {
    bool deleted = false;
    bool inserted = false;
    const pugi::xml_node* by = nullptr;
  };

  void Append(BodyParagraph paragraph) {
    BodyItem item;
    item.paragraph = std::move(paragraph);
    body_->items.push_back(std::move(item));
  }

  std::string StyleName(const std::string& id) const {
    const auto found = styles_.find(id);
    if (found != styles_.end()) return found->second;
    if (id == kAiLabelStyle || id == kAiTextStyle) return id;
    return StyleOfWord(id);
  }

  // False: its mark is deleted (or its insertion refused), what is left of it begins the next one.
  bool Paragraph(const pugi::xml_node& node, BodyParagraph* paragraph) {
    if (pending_) *paragraph = std::move(joined_);
    pending_ = false;
    current_ = paragraph;
    const pugi::xml_node properties = ChildOf(node, "pPr");
    const std::string style = StyleName(AttributeOf(ChildOf(properties, "pStyle"), "val"));
    paragraph->label = style == kAiLabelStyle;
    paragraph->style = paragraph->label ? "" : style;
    if (const pugi::xml_node change = ChildOf(properties, "pPrChange")) Track("format", change, "");
    for (const std::string& name : waiting_) Cover(name, 0);
    waiting_.clear();
    Inline(node, Change());
    current_ = nullptr;
    const pugi::xml_node mark = ChildOf(properties, "rPr");
    const pugi::xml_node inserted = ChildOf(mark, "ins");
    const pugi::xml_node deleted = ChildOf(mark, "del");
    if (inserted) Track("insertion", inserted, "\n");
    if (deleted) Track("deletion", deleted, "\n");
    if ((deleted && accept_) || (inserted && !accept_)) {
      joined_ = std::move(*paragraph);
      pending_ = true;
      return false;
    }
    return true;
  }

  void Inline(const pugi::xml_node& parent, const Change& change) {
    for (const pugi::xml_node& node : parent.children()) {
      const std::string_view name = LocalName(node);
      if (name == "r") {
        Run(node, change);
      } else if (name == "ins" || name == "moveTo") {
        Change inner = change;
        inner.inserted = true;
        inner.by = &node;
        Inline(node, inner);
      } else if (name == "del" || name == "moveFrom") {
        Change inner = change;
        inner.deleted = true;
        inner.by = &node;
        Inline(node, inner);
      } else if (name == "bookmarkStart" || name == "bookmarkEnd") {
        Bookmark(node, name);
      } else if (name == "hyperlink" || name == "sdt" || name == "sdtContent" ||
                 name == "smartTag" || name == "customXml" || name == "fldSimple" ||
                 name == "dir" || name == "bdo") {
        Inline(node, change);
      }
    }
  }

  void Run(const pugi::xml_node& node, const Change& change) {
    const pugi::xml_node properties = ChildOf(node, "rPr");
    BodyRun run;
    run.bold = IsOn(ChildOf(properties, "b"));
    run.model = StyleName(AttributeOf(ChildOf(properties, "rStyle"), "val")) == kAiTextStyle;
    for (const pugi::xml_node& child : node.children()) {
      const std::string_view name = LocalName(child);
      if (name == "t" || name == "delText") {
        run.text += child.text().get();
      } else if (name == "tab") {
        run.text += '\t';
      } else if (name == "br" || name == "cr") {
        run.text += ' ';
      } else if (name == "noBreakHyphen") {
        run.text += '-';
      } else if (name == "drawing" || name == "pict" || name == "object" ||
                 name == "AlternateContent") {
        Object(child);
      }
    }
    run.text = base::RepairUtf8(run.text);
    std::replace(run.text.begin(), run.text.end(), '\n', ' ');
    if (const pugi::xml_node changed = ChildOf(properties, "rPrChange"))
      Track("format", changed, run.text);
    if (change.by != nullptr && !run.text.empty())
      Track(change.deleted ? "deletion" : "insertion", *change.by, run.text);
    const bool gone = accept_ ? change.deleted : change.inserted;
    if (gone || run.text.empty()) return;
    if (!open_.empty()) Cover(open_.back().second, run.text.size());
    std::vector<BodyRun>& runs = current_->runs;
    if (!runs.empty() && runs.back().bold == run.bold && runs.back().model == run.model) {
      runs.back().text += run.text;
    } else {
      runs.push_back(std::move(run));
    }
  }

  // Text in a box is not text of the paragraph; it is said, not lost.
  void Object(const pugi::xml_node& node) {
    std::string text;
    Texts(node, &text);
    body_->left_out.push_back({text.empty() ? "picture" : "textbox", "", text});
  }

  static void Texts(const pugi::xml_node& node, std::string* text) {
    for (const pugi::xml_node& child : node.children()) {
      const std::string_view name = LocalName(child);
      if (name == "t") {
        *text += base::RepairUtf8(child.text().get());
      } else if (name != "Fallback") {
        Texts(child, text);
      }
    }
  }

  void Cover(const std::string& name, std::size_t bytes) {
    if (current_ == nullptr) {
      waiting_.push_back(name);  // opened between blocks: it begins in the next one
      return;
    }
    for (auto& [known, count] : current_->bookmarks) {
      if (known == name) {
        count += bytes;
        return;
      }
    }
    current_->bookmarks.emplace_back(name, bytes);
  }

  void Bookmark(const pugi::xml_node& node, std::string_view kind) {
    const std::string id = AttributeOf(node, "id");
    if (kind == "bookmarkStart") {
      std::string name = AttributeOf(node, "name");
      if (!IsOurs(name) || open_.size() >= kMaxOpenBookmarks) return;
      Cover(name, 0);
      open_.emplace_back(id, std::move(name));
      return;
    }
    const auto found = std::find_if(open_.rbegin(), open_.rend(),
                                    [&](const auto& one) { return one.first == id; });
    if (found != open_.rend()) open_.erase(std::next(found).base());
  }

  void Track(const char* kind, const pugi::xml_node& by, const std::string& text) {
    TrackedChange change{kind, AttributeOf(by, "author"), AttributeOf(by, "date"), text};
    std::vector<TrackedChange>& all = body_->tracked;
    const bool same = !all.empty() && all.back().kind == change.kind &&
                      all.back().author == change.author && all.back().date == change.date;
    if (same && change.kind != "format") {
      all.back().text += change.text;  // word processors cut one edit into many runs
    } else {
      all.push_back(std::move(change));
    }
  }

  void Table(const pugi::xml_node& node) {
    BodyItem item;
    item.is_table = true;
    for (const pugi::xml_node& column : ChildOf(node, "tblGrid").children()) {
      if (LocalName(column) == "gridCol" && std::ssize(item.column_widths) < kMaxColumns)
        item.column_widths.push_back(std::max(Number(AttributeOf(column, "w"), 0), 0));
    }
    bool heads = true;
    for (const pugi::xml_node& row : node.children()) {
      if (LocalName(row) != "tr") continue;
      const pugi::xml_node properties = ChildOf(row, "trPr");
      if (ChildOf(properties, accept_ ? "del" : "ins")) continue;
      heads = heads && IsOn(ChildOf(properties, "tblHeader"));
      if (heads && item.header_rows < kMaxHeaderRows) ++item.header_rows;
      std::vector<BodyCell> cells;
      for (const pugi::xml_node& cell : row.children()) {
        if (LocalName(cell) == "tc") cells.push_back(Cell(cell));
      }
      item.rows.push_back(std::move(cells));
    }
    body_->items.push_back(std::move(item));
  }

  BodyCell Cell(const pugi::xml_node& node) {
    BodyCell cell;
    const std::string span = AttributeOf(ChildOf(ChildOf(node, "tcPr"), "gridSpan"), "val");
    cell.column_span = std::clamp(Number(span, 1), 1, kMaxColumns);
    CellBlocks(node, &cell);
    if (pending_) cell.paragraphs.push_back(std::move(joined_));
    pending_ = false;
    return cell;
  }

  // A table within a cell gives its paragraphs to the cell.
  void CellBlocks(const pugi::xml_node& parent, BodyCell* cell) {
    for (const pugi::xml_node& node : parent.children()) {
      const std::string_view name = LocalName(node);
      if (name == "p") {
        BodyParagraph paragraph;
        if (Paragraph(node, &paragraph)) cell->paragraphs.push_back(std::move(paragraph));
      } else if (name == "bookmarkStart" || name == "bookmarkEnd") {
        Bookmark(node, name);
      } else if (name != "tcPr" && name != "del" && name != "moveFrom") {
        CellBlocks(node, cell);
      }
    }
  }

  bool accept_;
  std::map<std::string, std::string> styles_;
  DocxBody* body_;
  BodyParagraph* current_ = nullptr;
  BodyParagraph joined_;
  bool pending_ = false;
  std::vector<std::string> waiting_;
  std::vector<std::pair<std::string, std::string>> open_;  // id in the file, name
};

void TextsOf(const pugi::xml_node& node, std::string* text) {
  for (const pugi::xml_node& child : node.children()) {
    if (LocalName(child) == "t") *text += base::RepairUtf8(child.text().get());
    TextsOf(child, text);
  }
}

// <w:footnotes>, <w:endnotes>, <w:comments>: one entry a child; separators hold no text.
Status ReadNotes(ZipReader& zip, const std::string& part, const char* kind, DocxBody* body) {
  if (!zip.Has(part)) return OkStatus();
  pugi::xml_document document;
  ZB_RETURN_IF_ERROR(LoadPart(zip, part, &document));
  for (const pugi::xml_node& note : document.document_element().children()) {
    LeftOut left{kind, AttributeOf(note, "author"), ""};
    TextsOf(note, &left.text);
    if (!left.text.empty()) body->left_out.push_back(std::move(left));
  }
  return OkStatus();
}

Status ReadProperties(ZipReader& zip, DocxBody* body) {
  const std::string part = "docProps/custom.xml";
  if (!zip.Has(part)) return OkStatus();
  pugi::xml_document document;
  ZB_RETURN_IF_ERROR(LoadPart(zip, part, &document));
  for (const pugi::xml_node& property : ChildOf(document, "Properties").children()) {
    const std::string name = AttributeOf(property, "name");
    if (!name.empty())
      body->properties[name] = base::RepairUtf8(property.first_child().text().get());
  }
  return OkStatus();
}

}  // namespace

std::string TextOf(const BodyParagraph& paragraph) {
  std::string text;
  for (const BodyRun& run : paragraph.runs) text += run.text;
  return text;
}

Result<DocxBody> ReadDocxBody(std::string_view bytes, std::string_view source, bool accept) {
  ZB_RETURN_IF_ERROR(CheckPackage(bytes, source));
  ZB_ASSIGN_OR_RETURN(ZipReader zip, ZipReader::Open(bytes, source));
  ZB_ASSIGN_OR_RETURN(const std::string part, MainPart(zip, "word/document.xml"));
  if (!zip.Has(part))
    return InvalidArgumentError(zip.source() + ": 不是 DOCX 文件 / not a DOCX: there is no " +
                                part);
  ZB_ASSIGN_OR_RETURN(const auto relations, ReadRelations(zip, part));
  DocxBody body;
  std::map<std::string, std::string> styles;
  for (const auto& [id, relation] : relations) {
    if (relation.type == "styles" && zip.Has(relation.target)) {
      pugi::xml_document document;
      ZB_RETURN_IF_ERROR(LoadPart(zip, relation.target, &document));
      styles = StylesOf(document);
    }
    for (const char* kind : {"footnote", "endnote", "comment"}) {
      if (relation.type == std::string(kind) + "s")
        ZB_RETURN_IF_ERROR(ReadNotes(zip, relation.target, kind, &body));
    }
  }
  ZB_RETURN_IF_ERROR(ReadProperties(zip, &body));
  pugi::xml_document document;
  ZB_RETURN_IF_ERROR(LoadPart(zip, part, &document));
  const pugi::xml_node root = ChildOf(ChildOf(document, "document"), "body");
  if (!root)
    return InvalidArgumentError(zip.source() + ": " + part +
                                ": 没有正文 / expected a document with a body");
  BodyWalker walker(accept, std::move(styles), &body);
  walker.Blocks(root);
  walker.End();
  return body;
}

}  // namespace zhibi::exporting
