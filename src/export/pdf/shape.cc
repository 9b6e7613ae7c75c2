// SPDX-License-Identifier: Apache-2.0
#include "export/pdf/shape.h"

#include <algorithm>
#include <cstdio>
#include <memory>
#include <string_view>
#include <utility>

#include "base/status_macros.h"
#include "base/utf8.h"

namespace zhibi::exporting {
namespace {

constexpr std::size_t kLongestName = 4;                  // characters that are kept on one line
constexpr std::size_t kLongestLatin = 24;                // longer runs may be broken anywhere...
constexpr std::size_t kLatinEdge = 4;                    // ...but this near their ends
constexpr std::size_t kMaxMissing = 20;                  // notes
constexpr std::u32string_view kWideMarks = U"“”‘’—…·―";  // Latin fonts have them narrow
constexpr std::u32string_view kRightInCell = U"“‘";

bool IsLatin(char32_t c) {
  if (c < 0x80) return true;
  return c >= 0xC0 && c < 0x530 && c != 0xD7 && c != 0xF7;
}

// Stands in a cell of one em whatever the font says.
bool IsWide(char32_t c) {
  if (kWideMarks.find(c) != std::u32string_view::npos) return true;
  if (c >= 0xFF61 && c <= 0xFFDC) return false;  // half-width forms
  return c >= 0x2E80 && c < 0xFFE8;
}

// Leaves no trace on paper, or would turn what follows around.
bool IsInvisible(char32_t c) {
  return (c >= 0x200B && c <= 0x200F) || (c >= 0x202A && c <= 0x202E) ||
         (c >= 0x2060 && c <= 0x206F) || c == 0xFEFF || (c >= 0xFFF9 && c <= 0xFFFC) ||
         (c < 0x20 && c != '\t') || (c >= 0x7F && c < 0xA0);
}

bool IsSpace(char32_t c) { return c == ' ' || c == '\t' || c == 0x2028 || c == 0x2029; }

// Extends the character before it: marks, variation selectors.
bool IsExtending(char32_t c) {
  return (c >= 0x300 && c < 0x370) || (c >= 0xFE00 && c < 0xFE10) || (c >= 0xE0100 && c < 0xE01F0);
}

bool IsShortName(const legal::Run& run) {
  if (run.source != legal::RunSource::kElement) return false;
  const std::size_t dot = run.path.rfind('.');
  const std::string_view last =
      std::string_view(run.path).substr(dot == std::string::npos ? 0 : dot + 1);
  return last == "name" && base::CountCodePoints(run.text) <= kLongestName;
}

// Where a run of Latin characters that no line can hold may be broken.
void MarkLongRuns(std::vector<BreakItem>& items) {
  std::size_t begin = 0;
  for (std::size_t i = 0; i <= items.size(); ++i) {
    const bool goes_on =
        i < items.size() && items[i].latin && !items[i].space && !items[i].word_border;
    if (goes_on) continue;
    if (i - begin > kLongestLatin) {
      for (std::size_t k = begin + kLatinEdge; k + kLatinEdge <= i; ++k)
        items[k].inside_number = true;
    }
    begin = i;
  }
}

}  // namespace

struct Shaper::Piece {
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
  const PangoFontDescription* font = nullptr;
  bool latin = false;
  bool model = false;
  bool name = false;
};

Shaper::~Shaper() {
  for (PangoFont* font : pango_fonts_) g_object_unref(font);
}

Result<const PangoFontDescription*> Shaper::Description(const std::string& name,
                                                        const StyleLook& look, bool bold) {
  const std::string key = name + (bold ? "*" : " ") + std::to_string(look.size_pt);
  FontDescription& description = descriptions_[key];
  if (description == nullptr) {
    ZB_ASSIGN_OR_RETURN(description, fonts_.Describe(name, look.size_pt, bold));
  }
  return static_cast<const PangoFontDescription*>(description.get());
}

Status Shaper::AddPieces(const legal::Paragraph& paragraph, const StyleLook& look, ShapedText& out,
                         std::vector<Piece>& pieces) {
  for (const legal::Run& run : paragraph.runs) {
    const bool bold = run.bold || look.bold;
    Piece piece;
    piece.model = run.source == legal::RunSource::kModel;
    piece.name = IsShortName(run);
    const std::string text = base::RepairUtf8(run.text);
    std::string_view rest = text;
    bool first = true;
    while (!rest.empty()) {
      const base::Utf8Char next = base::DecodeUtf8(rest);
      const std::string_view bytes = rest.substr(0, next.length);
      rest.remove_prefix(next.length);
      if (IsInvisible(next.code_point)) continue;
      const bool latin =
          IsExtending(next.code_point) && !first ? piece.latin : IsLatin(next.code_point);
      if (first || latin != piece.latin) {
        piece.latin = latin;
        piece.begin = static_cast<std::uint32_t>(out.text.size());
        ZB_ASSIGN_OR_RETURN(piece.font,
                            Description(latin ? layout_.latin_font : look.font, look, bold));
        pieces.push_back(piece);
        first = false;
      }
      out.text += IsSpace(next.code_point) ? std::string_view(" ") : bytes;
      pieces.back().end = static_cast<std::uint32_t>(out.text.size());
    }
  }
  return OkStatus();
}

std::uint32_t Shaper::FontIndex(PangoFont* font, std::string_view text) {
  const auto [found, is_new] =
      index_.try_emplace(font, static_cast<std::uint32_t>(pango_fonts_.size()));
  if (is_new) {
    pango_fonts_.push_back(PANGO_FONT(g_object_ref(font)));
    const FontDescription description(pango_font_describe(font));
    const char* family = pango_font_description_get_family(description.get());
    if (family != nullptr && !fonts_.IsChosen(family)) {
      const std::string shown(text.substr(0, base::DecodeUtf8(text).length));
      missing_[family] = "所选字体没有字符 " + shown + " 等，以 " + family +
                         " 印出 / the chosen fonts lack it, " + family + " stands in";
    }
  }
  return found->second;
}

void Shaper::Missing(std::string_view text) {
  if (missing_.size() >= kMaxMissing) return;
  const base::Utf8Char character = base::DecodeUtf8(text);
  char code[16];
  std::snprintf(code, sizeof code, "U+%04X", static_cast<unsigned>(character.code_point));
  const std::string shown(text.substr(0, character.length));
  missing_[shown] = "警告：字符 " + shown + "（" + code +
                    "）没有字体可用，印作空框；请以 --fonts DIR 给出含有它的字体 / no font has " +
                    code + ", an empty box stands there";
}

void Shaper::AddCluster(const PangoGlyphString& glyphs, int first, int last, const Cluster& cluster,
                        const StyleLook& look, ShapedText& out) {
  const std::string_view text =
      std::string_view(out.text).substr(cluster.text_begin, cluster.text_end - cluster.text_begin);
  const char32_t character = base::DecodeUtf8(text).code_point;
  const double em = look.size_pt + layout_.Tracking(look);
  BreakItem item;
  item.character = character;
  item.latin = IsLatin(character);
  item.space = character == U' ';
  Cluster placed = cluster;
  placed.glyph_begin = static_cast<std::uint32_t>(out.glyphs.size());
  double pen = 0;
  for (int g = first; g < last; ++g) {
    const PangoGlyphInfo& info = glyphs.glyphs[g];
    const bool unknown = (info.glyph & PANGO_GLYPH_UNKNOWN_FLAG) != 0;
    if (unknown) Missing(text);
    if (unknown || info.glyph != PANGO_GLYPH_EMPTY) {
      ShapedGlyph glyph;
      // Glyph 0 is the font's own empty box; the text behind it stays what it was.
      glyph.index = unknown ? 0 : info.glyph;
      glyph.x = pen + (unknown ? 0.0 : info.geometry.x_offset / double{PANGO_SCALE});
      glyph.y = info.geometry.y_offset / double{PANGO_SCALE};
      out.glyphs.push_back(glyph);
    }
    pen += unknown ? look.size_pt : info.geometry.width / double{PANGO_SCALE};
  }
  placed.glyph_end = static_cast<std::uint32_t>(out.glyphs.size());
  item.width = pen;
  if (IsWide(character) ||
      (!item.latin && pen > look.size_pt * 0.95 && pen < look.size_pt * 1.05)) {
    item.width = em;
    double shift = (em - pen) / 2;
    // 间隔号 takes half a cell (GB/T 15834-2011 5.1.8); wider gaps are read as spaces.
    if (character == U'·' && pen <= em / 2) {
      item.width = em / 2;
      shift = (item.width - pen) / 2;
    } else if (pen < look.size_pt * 0.95 &&
               kWideMarks.find(character) != std::u32string_view::npos) {
      if (kRightInCell.find(character) != std::u32string_view::npos) shift = em - pen;
      if (character == U'”' || character == U'’') shift = 0;
    }
    for (std::uint32_t g = placed.glyph_begin; g < placed.glyph_end; ++g) out.glyphs[g].x += shift;
  }
  out.items.push_back(item);
  out.clusters.push_back(placed);
}

void Shaper::ShapeItem(const PangoItem& item, const StyleLook& look, ShapedText& out) {
  const std::unique_ptr<PangoGlyphString, Release<pango_glyph_string_free>> glyphs(
      pango_glyph_string_new());
  pango_shape_with_flags(out.text.c_str() + item.offset, item.length, out.text.c_str(),
                         static_cast<int>(out.text.size()), &item.analysis, glyphs.get(),
                         PANGO_SHAPE_NONE);
  Cluster cluster;
  cluster.font = FontIndex(
      item.analysis.font, std::string_view(out.text).substr(static_cast<std::size_t>(item.offset)));
  const auto offset = static_cast<std::uint32_t>(item.offset);
  const int count = glyphs->num_glyphs;
  // What is written from right to left is kept whole: there its glyphs run against the text.
  if (item.analysis.level % 2 == 1) {
    cluster.text_begin = offset;
    cluster.text_end = offset + static_cast<std::uint32_t>(item.length);
    AddCluster(*glyphs, 0, count, cluster, look, out);
    return;
  }
  for (int first = 0; first < count;) {
    const int begin = glyphs->log_clusters[first];
    int last = first + 1;
    while (last < count && glyphs->log_clusters[last] == begin) ++last;
    const int end = last < count ? glyphs->log_clusters[last] : item.length;
    cluster.text_begin = offset + static_cast<std::uint32_t>(begin);
    cluster.text_end = offset + static_cast<std::uint32_t>(end);
    AddCluster(*glyphs, first, last, cluster, look, out);
    first = last;
  }
}

Result<ShapedText> Shaper::Shape(const legal::Paragraph& paragraph, const StyleLook& look) {
  ShapedText out;
  std::vector<Piece> pieces;
  ZB_RETURN_IF_ERROR(AddPieces(paragraph, look, out, pieces));
  for (const Piece& piece : pieces) {
    const std::size_t from = out.items.size();
    const std::unique_ptr<PangoAttrList, Release<pango_attr_list_unref>> attributes(
        pango_attr_list_new());
    PangoAttribute* font = pango_attr_font_desc_new(piece.font);
    font->start_index = piece.begin;
    font->end_index = piece.end;
    pango_attr_list_insert(attributes.get(), font);
    if (!piece.latin) {
      // Cells have one width: no kerning or contextual spacing of marks by the font.
      PangoAttribute* features = pango_attr_font_features_new("kern 0, chws 0, halt 0, palt 0");
      features->start_index = piece.begin;
      features->end_index = piece.end;
      pango_attr_list_insert(attributes.get(), features);
    }
    GList* items =
        pango_itemize(fonts_.context(), out.text.c_str(), static_cast<int>(piece.begin),
                      static_cast<int>(piece.end - piece.begin), attributes.get(), nullptr);
    for (GList* item = items; item != nullptr; item = item->next)
      ShapeItem(*static_cast<PangoItem*>(item->data), look, out);
    g_list_free_full(items, [](void* item) { pango_item_free(static_cast<PangoItem*>(item)); });
    for (std::size_t i = from; i < out.items.size(); ++i) {
      out.clusters[i].model = piece.model;
      out.items[i].inside_name = piece.name && i > from;
    }
  }
  if (out.text.empty()) return out;
  const auto characters = static_cast<std::size_t>(
      g_utf8_strlen(out.text.c_str(), static_cast<gssize>(out.text.size())));
  std::vector<PangoLogAttr> attributes(characters + 1);
  pango_get_log_attrs(out.text.c_str(), static_cast<int>(out.text.size()), -1,
                      pango_language_from_string("zh-cn"), attributes.data(),
                      static_cast<int>(attributes.size()));
  std::size_t character = 0;
  std::size_t at = 0;
  for (std::size_t i = 0; i < out.clusters.size(); ++i) {
    for (; at < out.clusters[i].text_begin; at = base::BorderFrom(out.text, at + 1)) ++character;
    if (character < characters) out.items[i].word_border = attributes[character].is_line_break != 0;
  }
  MarkLongRuns(out.items);
  return out;
}

std::vector<std::string> Shaper::Notes() const {
  std::vector<std::string> notes;
  notes.reserve(missing_.size());
  for (const auto& [character, note] : missing_) notes.push_back(note);
  return notes;
}

}  // namespace zhibi::exporting
