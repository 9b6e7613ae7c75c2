// SPDX-License-Identifier: Apache-2.0
#include "export/pdf/subset.h"

#include <cairo-ft.h>
#include <hb-ot.h>
#include <hb-subset.h>

#include <cstddef>
#include <map>
#include <mutex>
#include <utility>

namespace zhibi::exporting {
namespace {

using HbBlob = std::unique_ptr<hb_blob_t, Release<hb_blob_destroy>>;
using HbFace = std::unique_ptr<hb_face_t, Release<hb_face_destroy>>;
using HbInput = std::unique_ptr<hb_subset_input_t, Release<hb_subset_input_destroy>>;
using HbSet = std::unique_ptr<hb_set_t, Release<hb_set_destroy>>;
using FontFace = std::unique_ptr<cairo_font_face_t, Release<cairo_font_face_destroy>>;

// FreeType's list of faces is not thread-safe. It stays for the life of the process: Cairo keeps
// fonts that it may need again, and lets go of them when it likes.
struct FreeType {
  std::mutex mutex;
  FT_Library library = nullptr;
};
FreeType& SharedFreeType() {
  // NOLINTNEXTLINE(cppcoreguidelines-owning-memory): never ends, see above.
  static auto& shared = *std::make_unique<FreeType>().release();
  return shared;
}

// What a font face of Cairo's holds as long as it lives.
struct Held {
  HbBlob bytes;
  FT_Face face = nullptr;
};

void LetGo(void* data) {
  const std::unique_ptr<Held> held(static_cast<Held*>(data));
  const std::lock_guard lock(SharedFreeType().mutex);
  FT_Done_Face(held->face);
}

// Fonts whose drawing depends on more than outlines at the default place.
bool IsPlain(cairo_scaled_font_t* font, hb_face_t* face) {
  cairo_font_face_t* drawn = cairo_scaled_font_get_font_face(font);
  if (cairo_font_face_get_type(drawn) != CAIRO_FONT_TYPE_FT) return false;
  cairo_matrix_t matrix;
  cairo_scaled_font_get_font_matrix(font, &matrix);
  return cairo_ft_font_face_get_synthesize(drawn) == 0 && matrix.xy == 0 && matrix.yx == 0 &&
         hb_ot_var_has_data(face) == 0 && hb_ot_color_has_png(face) == 0 &&
         hb_ot_color_has_layers(face) == 0 && hb_ot_color_has_svg(face) == 0;
}

HbBlob Cut(hb_face_t* face, const hb_set_t* glyphs) {
  const HbInput input(hb_subset_input_create_or_fail());
  if (input == nullptr) return nullptr;
  hb_set_union(hb_subset_input_glyph_set(input.get()), glyphs);
  hb_subset_input_set_flags(input.get(), HB_SUBSET_FLAGS_RETAIN_GIDS |
                                             HB_SUBSET_FLAGS_DESUBROUTINIZE |
                                             HB_SUBSET_FLAGS_NOTDEF_OUTLINE);
  // The text is shaped already.
  hb_set_t* dropped = hb_subset_input_set(input.get(), HB_SUBSET_SETS_DROP_TABLE_TAG);
  for (const char* tag : {"GSUB", "GPOS", "GDEF", "BASE", "VORG", "vhea", "vmtx", "kern"})
    hb_set_add(dropped, hb_tag_from_string(tag, 4));
  const HbFace cut(hb_subset_or_fail(face, input.get()));
  return HbBlob(cut == nullptr ? nullptr : hb_face_reference_blob(cut.get()));
}

FontFace FaceOf(HbBlob bytes) {
  auto held = std::make_unique<Held>();
  unsigned length = 0;
  const char* data = hb_blob_get_data(bytes.get(), &length);
  if (length == 0) return nullptr;
  held->bytes = std::move(bytes);
  {
    FreeType& shared = SharedFreeType();
    const std::lock_guard lock(shared.mutex);
    if (shared.library == nullptr && FT_Init_FreeType(&shared.library) != 0) return nullptr;
    if (FT_New_Memory_Face(shared.library, reinterpret_cast<const FT_Byte*>(data),
                           static_cast<FT_Long>(length), 0, &held->face) != 0)
      return nullptr;
  }
  FontFace face(cairo_ft_font_face_create_for_ft_face(held->face, FT_LOAD_NO_HINTING));
  static const cairo_user_data_key_t kKey = {};
  const cairo_status_t status =
      cairo_font_face_set_user_data(face.get(), &kKey, held.get(), &LetGo);
  if (status == CAIRO_STATUS_SUCCESS) {
    // NOLINTNEXTLINE(bugprone-unused-return-value): the face holds it now.
    (void)held.release();
    return face;
  }
  face.reset();
  LetGo(held.release());
  return nullptr;
}

ScaledFont Scaled(cairo_scaled_font_t* like, cairo_font_face_t* face) {
  cairo_matrix_t matrix;
  cairo_matrix_t ctm;
  cairo_scaled_font_get_font_matrix(like, &matrix);
  cairo_scaled_font_get_ctm(like, &ctm);
  const std::unique_ptr<cairo_font_options_t, Release<cairo_font_options_destroy>> options(
      cairo_font_options_create());
  cairo_scaled_font_get_font_options(like, options.get());
  ScaledFont scaled(cairo_scaled_font_create(face, &matrix, &ctm, options.get()));
  return cairo_scaled_font_status(scaled.get()) == CAIRO_STATUS_SUCCESS ? std::move(scaled)
                                                                        : nullptr;
}

void AddGlyphs(const std::vector<PlacedLine>& lines, const std::vector<hb_set_t*>& sets) {
  for (const PlacedLine& line : lines) {
    for (const GlyphRun& run : line.runs) {
      for (const cairo_glyph_t& glyph : run.glyphs)
        hb_set_add(sets[run.font], static_cast<hb_codepoint_t>(glyph.index));
    }
  }
}

}  // namespace

std::vector<ScaledFont> SubsetFonts(const TypesetDocument& document,
                                    const std::vector<PangoFont*>& fonts) {
  // Sizes of one font are one face, and one embedded font.
  std::map<hb_face_t*, HbSet> used;
  std::vector<hb_face_t*> faces;
  std::vector<hb_set_t*> sets;
  for (PangoFont* font : fonts) {
    hb_face_t* face = hb_font_get_face(pango_font_get_hb_font(font));
    HbSet& set = used[face];
    if (set == nullptr) set.reset(hb_set_create());
    hb_set_add(set.get(), 0);
    faces.push_back(face);
    sets.push_back(set.get());
  }
  for (const PlacedPage& page : document.pages) {
    AddGlyphs(page.lines, sets);
    AddGlyphs(page.furniture, sets);
  }
  std::map<hb_face_t*, FontFace> cut;
  std::vector<ScaledFont> out;
  for (std::size_t i = 0; i < fonts.size(); ++i) {
    cairo_scaled_font_t* whole = pango_cairo_font_get_scaled_font(PANGO_CAIRO_FONT(fonts[i]));
    ScaledFont scaled;
    if (IsPlain(whole, faces[i])) {
      const auto [face, is_new] = cut.try_emplace(faces[i]);
      if (is_new) {
        HbBlob bytes = Cut(faces[i], sets[i]);
        if (bytes != nullptr) face->second = FaceOf(std::move(bytes));
      }
      if (face->second != nullptr) scaled = Scaled(whole, face->second.get());
    }
    if (scaled == nullptr) scaled.reset(cairo_scaled_font_reference(whole));
    out.push_back(std::move(scaled));
  }
  return out;
}

}  // namespace zhibi::exporting
