// SPDX-License-Identifier: Apache-2.0
// Whether a DOCX that we write is valid: LibreOffice repairs silently and proves nothing. The order
// and the names of children, attributes that must be there and references between parts, against
// ECMA-376 part 4 (transitional), annex A (wml.xsd), and part 2 (packages). An element that is not
// in the table below fails: who writes a new one adds its line of the schema here.
#include <algorithm>
#include <map>
#include <pugixml.hpp>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest-spi.h>
#include <gtest/gtest.h>

#include "export/docx_writer.h"
#include "export/layout.h"
#include "export/zip_package.h"

namespace zhibi::exporting {
namespace {

using Names = std::vector<std::string>;

// Children in the order of xsd:sequence; "+" before a name: any number, between its neighbours in
// the same group ("a|b": either, in any order).
const std::map<std::string, Names>& Sequences() {
  static const std::map<std::string, Names> sequences = {
      {"w:document", {"w:background", "w:body"}},
      {"w:body", {"+w:p|w:tbl|w:bookmarkStart|w:bookmarkEnd", "w:sectPr"}},
      {"w:hdr", {"+w:p|w:tbl"}},
      {"w:ftr", {"+w:p|w:tbl"}},
      {"w:p", {"w:pPr", "+w:r|w:fldSimple|w:bookmarkStart|w:bookmarkEnd|w:hyperlink"}},
      {"w:r", {"w:rPr", "+w:t|w:br|w:tab|w:noBreakHyphen|w:fldChar|w:instrText"}},
      {"w:fldSimple", {"+w:r"}},
      // CT_PPr
      {"w:pPr",
       {"w:pStyle",
        "w:keepNext",
        "w:keepLines",
        "w:pageBreakBefore",
        "w:framePr",
        "w:widowControl",
        "w:numPr",
        "w:suppressLineNumbers",
        "w:pBdr",
        "w:shd",
        "w:tabs",
        "w:suppressAutoHyphens",
        "w:kinsoku",
        "w:wordWrap",
        "w:overflowPunct",
        "w:topLinePunct",
        "w:autoSpaceDE",
        "w:autoSpaceDN",
        "w:bidi",
        "w:adjustRightInd",
        "w:snapToGrid",
        "w:spacing",
        "w:ind",
        "w:contextualSpacing",
        "w:mirrorIndents",
        "w:suppressOverlap",
        "w:jc",
        "w:textDirection",
        "w:textAlignment",
        "w:textboxTightWrap",
        "w:outlineLvl",
        "w:divId",
        "w:cnfStyle",
        "w:rPr",
        "w:sectPr",
        "w:pPrChange"}},
      {"w:tabs", {"+w:tab"}},
      // EG_RPrBase, in the order of the strict schema, which is one of those that are allowed
      {"w:rPr", {"w:rStyle",    "w:rFonts", "w:b",
                 "w:bCs",       "w:i",      "w:iCs",
                 "w:caps",      "w:strike", "w:outline",
                 "w:noProof",   "w:vanish", "w:color",
                 "w:spacing",   "w:w",      "w:kern",
                 "w:position",  "w:sz",     "w:szCs",
                 "w:highlight", "w:u",      "w:effect",
                 "w:bdr",       "w:shd",    "w:vertAlign",
                 "w:em",        "w:lang",   "w:eastAsianLayout"}},
      {"w:tbl", {"+w:bookmarkStart|w:bookmarkEnd", "w:tblPr", "w:tblGrid", "+w:tr"}},
      {"w:tblGrid", {"+w:gridCol"}},
      {"w:tblPr",
       {"w:tblStyle", "w:tblpPr", "w:tblOverlap", "w:bidiVisual", "w:tblStyleRowBandSize",
        "w:tblStyleColBandSize", "w:tblW", "w:jc", "w:tblCellSpacing", "w:tblInd", "w:tblBorders",
        "w:shd", "w:tblLayout", "w:tblCellMar", "w:tblLook", "w:tblCaption", "w:tblDescription"}},
      {"w:tblBorders", {"w:top", "w:left", "w:bottom", "w:right", "w:insideH", "w:insideV"}},
      {"w:tblCellMar", {"w:top", "w:left", "w:bottom", "w:right"}},
      {"w:tr", {"w:tblPrEx", "w:trPr", "+w:tc|w:bookmarkStart|w:bookmarkEnd"}},
      {"w:trPr", {"+w:cantSplit|w:trHeight|w:tblHeader|w:jc"}},
      {"w:tc", {"w:tcPr", "+w:p|w:tbl|w:bookmarkStart|w:bookmarkEnd"}},
      {"w:tcPr",
       {"w:cnfStyle", "w:tcW", "w:gridSpan", "w:hMerge", "w:vMerge", "w:tcBorders", "w:shd",
        "w:noWrap", "w:tcMar", "w:textDirection", "w:tcFitText", "w:vAlign", "w:hideMark"}},
      {"w:sectPr",
       {"+w:headerReference|w:footerReference", "w:footnotePr", "w:endnotePr", "w:type", "w:pgSz",
        "w:pgMar", "w:paperSrc", "w:pgBorders", "w:lnNumType", "w:pgNumType", "w:cols",
        "w:formProt", "w:vAlign", "w:noEndnote", "w:titlePg", "w:textDirection", "w:bidi",
        "w:rtlGutter", "w:docGrid"}},
      {"w:styles", {"w:docDefaults", "w:latentStyles", "+w:style"}},
      {"w:docDefaults", {"w:rPrDefault", "w:pPrDefault"}},
      {"w:rPrDefault", {"w:rPr"}},
      {"w:pPrDefault", {"w:pPr"}},
      {"w:style",
       {"w:name", "w:aliases", "w:basedOn", "w:next", "w:link", "w:autoRedefine", "w:hidden",
        "w:uiPriority", "w:semiHidden", "w:unhideWhenUsed", "w:qFormat", "w:locked", "w:rsid",
        "w:pPr", "w:rPr", "w:tblPr", "w:trPr", "w:tcPr", "+w:tblStylePr"}},
      {"w:settings",
       {"w:view",
        "w:zoom",
        "w:removePersonalInformation",
        "w:embedTrueTypeFonts",
        "w:saveSubsetFonts",
        "w:mirrorMargins",
        "w:trackRevisions",
        "w:defaultTabStop",
        "w:autoHyphenation",
        "w:evenAndOddHeaders",
        "w:drawingGridHorizontalSpacing",
        "w:drawingGridVerticalSpacing",
        "w:characterSpacingControl",
        "w:strictFirstAndLastChars",
        "w:noLineBreaksAfter",
        "w:noLineBreaksBefore",
        "w:footnotePr",
        "w:endnotePr",
        "w:compat",
        "w:docVars",
        "w:rsids",
        "w:themeFontLang",
        "w:clrSchemeMapping"}},
      {"w:compat", {"w:useFELayout", "+w:compatSetting"}},
      {"w:fonts", {"+w:font"}},
      {"w:font",
       {"w:altName", "w:panose1", "w:charset", "w:family", "w:notTrueType", "w:pitch", "w:sig"}},
      {"Types", {"+Default|Override"}},
      {"Relationships", {"+Relationship"}},
      {"cp:coreProperties",
       {"+dc:title|dc:creator|dc:subject|dc:description|dcterms:created|cp:category"}},
      {"Properties", {"+property"}},
      {"property", {"+vt:lpwstr|vt:bool|vt:i4|vt:filetime"}},
  };
  return sequences;
}

// Attributes with use="required" of the elements that we write.
const std::map<std::string, Names>& Required() {
  static const std::map<std::string, Names> required = {
      {"w:pgMar", {"w:top", "w:right", "w:bottom", "w:left", "w:header", "w:footer", "w:gutter"}},
      {"w:bookmarkStart", {"w:id", "w:name"}},
      {"w:bookmarkEnd", {"w:id"}},
      {"w:pStyle", {"w:val"}},
      {"w:rStyle", {"w:val"}},
      {"w:jc", {"w:val"}},
      {"w:sz", {"w:val"}},
      {"w:outlineLvl", {"w:val"}},
      {"w:gridSpan", {"w:val"}},
      {"w:name", {"w:val"}},
      {"w:font", {"w:name"}},
      {"w:fldSimple", {"w:instr"}},
      {"w:tab", {"w:val", "w:pos"}},
      {"w:headerReference", {"w:type", "r:id"}},
      {"w:footerReference", {"w:type", "r:id"}},
      {"Relationship", {"Id", "Type", "Target"}},
      {"Override", {"PartName", "ContentType"}},
      {"property", {"fmtid", "pid", "name"}},
  };
  return required;
}

class Checker {
 public:
  explicit Checker(std::string part) : part_(std::move(part)) {}

  void Element(const pugi::xml_node& node) {
    const std::string name = node.name();
    if (const auto needs = Required().find(name); needs != Required().end()) {
      // A tab stop has these; a tab in a run has none.
      const bool tab_of_run = name == "w:tab" && std::string(node.parent().name()) == "w:r";
      for (const std::string& attribute : needs->second) {
        EXPECT_TRUE(tab_of_run || !node.attribute(attribute.c_str()).empty())
            << part_ << ": <" << name << "> without " << attribute;
      }
    }
    const bool has_elements = std::any_of(node.begin(), node.end(), [](const pugi::xml_node& n) {
      return n.type() == pugi::node_element;
    });
    const auto found = Sequences().find(name);
    if (found == Sequences().end()) {
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

  std::string part_;
};

legal::Document WithEverything() {
  legal::Document document;
  document.title = "民事起诉状";
  document.doctype = "civil-complaint";
  document.ai_label = "（部分内容由人工智能辅助生成）";
  document.metadata["doctype_version"] = "2026-12-01";
  for (const char* style : {"title", "subtitle", "case_number", "heading", "party", "body", "claim",
                            "closing", "court", "signature", "date", "note", "evidence", "cell"}) {
    legal::Block block;
    block.id = std::string(style) + "-1";
    block.clause = style;
    block.paragraph.id = block.id;
    block.paragraph.style = style;
    block.paragraph.runs = {{"固定<&>", legal::RunSource::kSkeleton, "", false},
                            {"要素", legal::RunSource::kElement, "a.b", true},
                            {"模型", legal::RunSource::kModel, "", false},
                            {"人\t写", legal::RunSource::kPerson, "", true}};
    document.blocks.push_back(block);
  }
  legal::Block table;
  table.id = "table-1";
  table.clause = "table";
  table.is_table = true;
  table.table.column_percent = {20, 30, 50};
  table.table.header_rows = 1;
  for (int row = 0; row < 4; ++row) {
    std::vector<legal::TableCell> cells(row == 2 ? 2 : 3);
    if (row == 2) cells[1].column_span = 2;
    for (legal::TableCell& cell : cells) {
      cell.paragraphs = {{"", "cell", {{"甲", legal::RunSource::kElement, "a", false}}},
                         {"", "cell", {}}};
    }
    table.table.rows.push_back(cells);
  }
  document.blocks.push_back(table);
  return document;
}

TEST(DocxSchema, EveryPartOfEveryLayoutIsValid) {
  const std::string data = std::string(ZHIBI_SOURCE_DIR) + "/data";
  for (const char* id : {"court", "official", "lawfirm", "form"}) {
    SCOPED_TRACE(id);
    const Result<std::string> bytes = WriteDocx(WithEverything(), LoadLayout(data, id).value());
    ASSERT_TRUE(bytes.ok()) << bytes.status().ToString();
    Result<ZipReader> zip = ZipReader::Open(*bytes, "x.docx");
    ASSERT_TRUE(zip.ok());
    // Every part that the content types name is there and valid, and they name every part.
    pugi::xml_document types;
    ASSERT_TRUE(types.load_string(zip->Read("[Content_Types].xml")->c_str()));
    std::set<std::string> parts = {"[Content_Types].xml", "_rels/.rels",
                                   "word/_rels/document.xml.rels"};
    for (const pugi::xml_node& override : types.child("Types").children("Override"))
      parts.insert(std::string(override.attribute("PartName").value()).substr(1));
    std::set<std::string> styles;
    std::set<std::string> used;
    for (const std::string& part : parts) {
      const Result<std::string> text = zip->Read(part);
      ASSERT_TRUE(text.ok()) << part;
      pugi::xml_document document;
      ASSERT_TRUE(document.load_string(text->c_str(), pugi::parse_default)) << part;
      Checker(part).Element(document.document_element());
      for (const auto& style : document.select_nodes("//w:style"))
        styles.insert(style.node().attribute("w:styleId").value());
      for (const auto& use : document.select_nodes("//w:pStyle|//w:rStyle|//w:tblStyle"))
        used.insert(use.node().attribute("w:val").value());
      if (part.ends_with(".rels")) {
        const std::string base = part == "_rels/.rels" ? "" : "word/";
        for (const auto& relation : document.select_nodes("//Relationship")) {
          const std::string target = relation.node().attribute("Target").value();
          EXPECT_TRUE(parts.count(base + target) == 1) << part << " names " << target;
        }
      }
    }
    for (const std::string& style : used) EXPECT_EQ(styles.count(style), 1U) << style;
  }
}

TEST(DocxSchema, BookmarksArePairsWithNumbersOfTheirOwn) {
  const std::string data = std::string(ZHIBI_SOURCE_DIR) + "/data";
  const std::string bytes = WriteDocx(WithEverything(), LoadLayout(data, "court").value()).value();
  pugi::xml_document document;
  ASSERT_TRUE(document.load_string(
      ZipReader::Open(bytes, "x.docx").value().Read("word/document.xml")->c_str()));
  std::multiset<std::string> starts;
  std::multiset<std::string> ends;
  std::set<std::string> names;
  for (const auto& mark : document.select_nodes("//w:bookmarkStart")) {
    starts.insert(mark.node().attribute("w:id").value());
    EXPECT_TRUE(names.insert(mark.node().attribute("w:name").value()).second);
    EXPECT_LE(std::string(mark.node().attribute("w:name").value()).size(), 40U);
  }
  for (const auto& mark : document.select_nodes("//w:bookmarkEnd"))
    ends.insert(mark.node().attribute("w:id").value());
  EXPECT_EQ(starts, ends);
  EXPECT_EQ(std::set<std::string>(starts.begin(), starts.end()).size(), starts.size());
  // A cell ends with a paragraph (CT_Tc), and the section stands last in the body.
  for (const auto& cell : document.select_nodes("//w:tc"))
    EXPECT_STREQ(cell.node().last_child().name(), "w:p");
  EXPECT_STREQ(document.document_element().child("w:body").last_child().name(), "w:sectPr");
  // Columns of a row add up to the grid.
  const std::size_t columns = document.select_nodes("//w:gridCol").size();
  EXPECT_EQ(columns, 3U);
  for (const auto& row : document.select_nodes("//w:tr")) {
    std::size_t width = 0;
    for (const pugi::xml_node& cell : row.node().children("w:tc")) {
      const pugi::xml_node span = cell.child("w:tcPr").child("w:gridSpan");
      width += span ? span.attribute("w:val").as_uint() : 1U;
    }
    EXPECT_EQ(width, columns);
  }
}

// The test can fail: each of these was valid before one thing was changed.
TEST(DocxSchema, TheCheckerSeesWhatIsWrong) {
  const auto failures = [](const char* xml) {
    testing::TestPartResultArray results;
    {
      testing::ScopedFakeTestPartResultReporter reporter(
          testing::ScopedFakeTestPartResultReporter::INTERCEPT_ONLY_CURRENT_THREAD, &results);
      pugi::xml_document document;
      if (document.load_string(xml)) Checker("x").Element(document.document_element());
    }
    return results.size();
  };
  EXPECT_EQ(failures("<w:pPr><w:pStyle w:val='a'/><w:jc w:val='left'/></w:pPr>"), 0);
  EXPECT_EQ(failures("<w:pPr><w:jc w:val='left'/><w:pStyle w:val='a'/></w:pPr>"), 1);
  EXPECT_EQ(failures("<w:pPr><w:pStyle/></w:pPr>"), 1);
  EXPECT_EQ(failures("<w:pPr><w:keepNext/><w:keepNext/></w:pPr>"), 1);
  EXPECT_EQ(failures("<w:p><w:r/><w:pPr/></w:p>"), 1);
  EXPECT_EQ(failures("<w:p><w:x><w:y/></w:x></w:p>"), 2);  // at its place, and unknown
}

}  // namespace
}  // namespace zhibi::exporting
