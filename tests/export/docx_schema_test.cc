// SPDX-License-Identifier: Apache-2.0
// Whether a DOCX that we write is valid: LibreOffice repairs silently and proves nothing. The order
// and the names of children, attributes that must be there and references between parts, against
// ECMA-376 part 4 (transitional), annex A (wml.xsd), and part 2 (packages). An element that is not
// in the table below fails: who writes a new one adds its line of the schema here.
#include <map>
#include <pugixml.hpp>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest-spi.h>
#include <gtest/gtest.h>

#include "export/docx_writer.h"
#include "export/layout.h"
#include "export/schema_checker.h"
#include "export/zip_package.h"

namespace zhibi::exporting {
namespace {

// Children in the order of xsd:sequence; "+" before a name: any number, between its neighbours in
// the same group ("a|b": either, in any order).
// NOLINTNEXTLINE(readability-function-size): a table
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
      {"w:tabs/w:tab", {"w:val", "w:pos"}},
      {"w:headerReference", {"w:type", "r:id"}},
      {"w:footerReference", {"w:type", "r:id"}},
      {"Relationship", {"Id", "Type", "Target"}},
      {"Override", {"PartName", "ContentType"}},
      {"Default", {"Extension", "ContentType"}},
      {"w:tblStyle", {"w:val"}},
      {"w:basedOn", {"w:val"}},
      {"w:next", {"w:val"}},
      {"w:link", {"w:val"}},
      {"w:szCs", {"w:val"}},
      {"w:color", {"w:val"}},
      {"w:em", {"w:val"}},
      {"w:vAlign", {"w:val"}},
      {"w:uiPriority", {"w:val"}},
      {"w:altName", {"w:val"}},
      {"w:family", {"w:val"}},
      {"w:defaultTabStop", {"w:val"}},
      {"w:characterSpacingControl", {"w:val"}},
      {"property", {"fmtid", "pid", "name"}},
  };
  return required;
}

// Attributes of the types of wml.xsd that we write, and the enumerations of those that have one.
const std::map<std::string, Names>& Allowed() {
  static const std::map<std::string, Names> allowed = [] {
    std::map<std::string, Names> table = {
        {"w:p", {"w:rsidR", "w:rsidRPr", "w:rsidP", "w:rsidRDefault"}},
        {"w:r", {"w:rsidR", "w:rsidRPr"}},
        {"w:t", {"xml:space"}},
        {"w:instrText", {"xml:space"}},
        {"w:br", {"w:type", "w:clear"}},
        {"w:fldChar", {"w:fldCharType", "w:fldLock", "w:dirty"}},
        {"w:fldSimple", {"w:fldLock", "w:dirty"}},
        {"w:rFonts", {"w:hint", "w:ascii", "w:hAnsi", "w:eastAsia", "w:cs"}},
        {"w:lang", {"w:val", "w:eastAsia", "w:bidi"}},
        {"w:themeFontLang", {"w:val", "w:eastAsia", "w:bidi"}},
        {"w:u", {"w:val", "w:color"}},
        {"w:shd", {"w:color", "w:fill"}},
        {"w:rPr/w:spacing", {"w:val"}},
        {"w:spacing",
         {"w:before", "w:beforeLines", "w:beforeAutospacing", "w:after", "w:afterLines",
          "w:afterAutospacing", "w:line", "w:lineRule"}},
        {"w:ind",
         {"w:left", "w:leftChars", "w:right", "w:rightChars", "w:hanging", "w:hangingChars",
          "w:firstLine", "w:firstLineChars"}},
        {"w:tabs/w:tab", {"w:leader"}},
        {"w:tblW", {"w:w", "w:type"}},
        {"w:tcW", {"w:w", "w:type"}},
        {"w:tblLayout", {"w:type"}},
        {"w:trHeight", {"w:val", "w:hRule"}},
        {"w:gridCol", {"w:w"}},
        {"w:vMerge", {"w:val"}},
        {"w:pgSz", {"w:w", "w:h", "w:orient", "w:code"}},
        {"w:pgNumType", {"w:fmt", "w:start"}},
        {"w:docGrid", {"w:type", "w:linePitch", "w:charSpace"}},
        {"w:style", {"w:type", "w:styleId", "w:default", "w:customStyle"}},
        {"w:compatSetting", {"w:name", "w:uri", "w:val"}},
        {"w:pitch", {"w:val"}},
        {"w:charset", {"w:val", "w:characterSet"}},
        {"Relationship", {"TargetMode"}},
        {"property", {"linkTarget"}},
    };
    // CT_OnOff has an optional w:val.
    for (const char* name :
         {"w:keepNext",    "w:keepLines",         "w:widowControl", "w:kinsoku",
          "w:wordWrap",    "w:overflowPunct",     "w:topLinePunct", "w:autoSpaceDE",
          "w:autoSpaceDN", "w:adjustRightInd",    "w:snapToGrid",   "w:b",
          "w:bCs",         "w:noProof",           "w:cantSplit",    "w:tblHeader",
          "w:qFormat",     "w:evenAndOddHeaders", "w:useFELayout",  "w:titlePg"})
      table[name] = {"w:val"};
    // CT_Border in borders of tables, CT_TblWidth in margins of cells.
    for (const char* side : {"w:top", "w:left", "w:bottom", "w:right", "w:insideH", "w:insideV"}) {
      table[side] = {"w:val", "w:color", "w:sz", "w:space", "w:shadow", "w:frame"};
      table[std::string("w:tblCellMar/") + side] = {"w:w", "w:type"};
    }
    return table;
  }();
  return allowed;
}

const std::map<std::string, Names>& Values() {
  static const std::map<std::string, Names> values = [] {
    std::map<std::string, Names> table = {
        {"w:jc@w:val", {"left", "center", "right", "both", "distribute"}},
        {"w:spacing@w:lineRule", {"auto", "exact", "atLeast"}},
        {"w:docGrid@w:type", {"default", "lines", "linesAndChars", "snapToChars"}},
        {"w:tblW@w:type", {"nil", "pct", "dxa", "auto"}},
        {"w:tcW@w:type", {"nil", "pct", "dxa", "auto"}},
        {"w:tblLayout@w:type", {"fixed", "autofit"}},
        {"w:vAlign@w:val", {"top", "center", "both", "bottom"}},
        {"w:style@w:type", {"paragraph", "character", "table", "numbering"}},
        {"w:headerReference@w:type", {"even", "default", "first"}},
        {"w:footerReference@w:type", {"even", "default", "first"}},
        {"w:u@w:val", {"none", "single", "dotted", "dotDash", "dash", "wave", "double", "thick"}},
        {"w:em@w:val", {"none", "dot", "comma", "circle", "underDot"}},
        {"w:family@w:val", {"decorative", "modern", "roman", "script", "swiss", "auto"}},
        {"w:pitch@w:val", {"fixed", "variable", "default"}},
        {"w:characterSpacingControl@w:val",
         {"doNotCompress", "compressPunctuation", "compressPunctuationAndJapaneseKana"}},
        {"w:tabs/w:tab@w:val", {"clear", "left", "center", "right", "decimal", "bar", "num"}},
        {"w:t@xml:space", {"preserve", "default"}},
        {"w:outlineLvl@w:val", {"0", "1", "2", "3", "4", "5", "6", "7", "8", "9"}},
    };
    for (const char* number : {"w:sz@w:val",
                               "w:szCs@w:val",
                               "w:gridCol@w:w",
                               "w:gridSpan@w:val",
                               "w:tblW@w:w",
                               "w:tcW@w:w",
                               "w:pgSz@w:w",
                               "w:pgSz@w:h",
                               "w:pgMar@w:top",
                               "w:pgMar@w:right",
                               "w:pgMar@w:bottom",
                               "w:pgMar@w:left",
                               "w:pgMar@w:header",
                               "w:pgMar@w:footer",
                               "w:pgMar@w:gutter",
                               "w:docGrid@w:linePitch",
                               "w:docGrid@w:charSpace",
                               "w:spacing@w:before",
                               "w:spacing@w:after",
                               "w:spacing@w:line",
                               "w:spacing@w:val",
                               "w:ind@w:left",
                               "w:ind@w:right",
                               "w:ind@w:firstLine",
                               "w:ind@w:hanging",
                               "w:bookmarkStart@w:id",
                               "w:bookmarkEnd@w:id",
                               "w:defaultTabStop@w:val",
                               "w:uiPriority@w:val",
                               "w:tabs/w:tab@w:pos"})
      table[number] = {"#"};
    for (const auto& [name, attributes] : Allowed()) {
      // ST_OnOff: what Word writes; "on" and "off" of the first edition are left out.
      if (attributes == Names{"w:val"} && name != "w:rPr/w:spacing" && name != "w:vMerge" &&
          name != "w:pitch")
        table[name + "@w:val"] = {"0", "1", "true", "false"};
    }
    for (const char* side : {"w:top", "w:left", "w:bottom", "w:right", "w:insideH", "w:insideV"}) {
      table[std::string(side) + "@w:val"] = {"nil", "none", "single", "thick", "double", "dotted"};
      table[std::string(side) + "@w:sz"] = table[std::string(side) + "@w:space"] = {"#"};
    }
    return table;
  }();
  return values;
}

const OfficeSchema& Wordprocessing() {
  static const OfficeSchema schema = {Sequences(), Required(), Allowed(), Values()};
  return schema;
}

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
      SchemaChecker(Wordprocessing(), part).Element(document.document_element());
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
      if (document.load_string(xml))
        SchemaChecker(Wordprocessing(), "x").Element(document.document_element());
    }
    return results.size();
  };
  EXPECT_EQ(failures("<w:pPr><w:pStyle w:val='a'/><w:jc w:val='left'/></w:pPr>"), 0);
  EXPECT_EQ(failures("<w:pPr><w:jc w:val='left'/><w:pStyle w:val='a'/></w:pPr>"), 1);
  EXPECT_EQ(failures("<w:pPr><w:pStyle/></w:pPr>"), 1);
  EXPECT_EQ(failures("<w:pPr><w:keepNext/><w:keepNext/></w:pPr>"), 1);
  EXPECT_EQ(failures("<w:p><w:r/><w:pPr/></w:p>"), 1);
  EXPECT_EQ(failures("<w:pPr><w:jc w:val='middle'/></w:pPr>"), 1);
  EXPECT_EQ(failures("<w:pPr><w:jc w:val='left' w:type='x'/></w:pPr>"), 1);
  EXPECT_EQ(failures("<w:pPr><w:keepNext w:val='yes'/></w:pPr>"), 1);
  EXPECT_EQ(failures("<w:rPr><w:sz w:val='10.5'/></w:rPr>"), 1);
  EXPECT_EQ(failures("<w:rPr><w:spacing w:val='-4'/></w:rPr>"), 0);
  EXPECT_EQ(failures("<w:rPr><w:spacing w:line='4'/></w:rPr>"), 1);
  EXPECT_EQ(failures("<w:r><w:tab/></w:r>"), 0);
  EXPECT_EQ(failures("<w:tabs><w:tab/></w:tabs>"), 2);
  EXPECT_EQ(failures("<w:p><w:x><w:y/></w:x></w:p>"), 2);  // at its place, and unknown
}

}  // namespace
}  // namespace zhibi::exporting
