// SPDX-License-Identifier: Apache-2.0
#include "export/pdf/fonts.h"

#include <cairo-ft.h>
#include <pango/pangofc-fontmap.h>

#include <algorithm>
#include <filesystem>
#include <string_view>
#include <system_error>
#include <utility>

#include "base/status_macros.h"

namespace zhibi::exporting {
namespace {

constexpr std::string_view kBoldMark = ":bold";
// Where a system has no configuration of its own (a bundle on a bare machine).
constexpr const char* kOwnConfig =
    "<?xml version=\"1.0\"?><!DOCTYPE fontconfig SYSTEM \"urn:fontconfig:fonts.dtd\"><fontconfig>"
    "<dir>/usr/share/fonts</dir><dir>/usr/local/share/fonts</dir>"
    "<dir prefix=\"xdg\">fonts</dir><dir>~/.fonts</dir>"
    "<cachedir prefix=\"xdg\">fontconfig</cachedir></fontconfig>";

int CountFonts(FcConfig* config, FcSetName set) {
  const FcFontSet* fonts = FcConfigGetFonts(config, set);
  return fonts == nullptr ? 0 : fonts->nfont;
}

const FcChar8* Bytes(const char* text) { return reinterpret_cast<const FcChar8*>(text); }

}  // namespace

Fonts::~Fonts() {
  // Pango's own end leaves the configuration referred to.
  if (map_ != nullptr) pango_fc_font_map_set_config(PANGO_FC_FONT_MAP(map_.get()), nullptr);
}

Result<std::unique_ptr<Fonts>> Fonts::Open(const Layout& layout, const std::string& folder) {
  // NOLINTNEXTLINE(cppcoreguidelines-owning-memory): make_unique can't reach the constructor.
  std::unique_ptr<Fonts> fonts(new Fonts(layout));
  ZB_RETURN_IF_ERROR(fonts->LoadConfig(folder));
  fonts->map_.reset(pango_cairo_font_map_new_for_font_type(CAIRO_FONT_TYPE_FT));
  if (fonts->map_ == nullptr)
    return InternalError("Cairo was built without FreeType: no fonts can be embedded");
  pango_fc_font_map_set_config(PANGO_FC_FONT_MAP(fonts->map_.get()), fonts->config_.get());
  // One unit is a point.
  pango_cairo_font_map_set_resolution(PANGO_CAIRO_FONT_MAP(fonts->map_.get()), 72);
  fonts->context_.reset(pango_font_map_create_context(fonts->map_.get()));
  PangoContext* context = fonts->context_.get();
  pango_context_set_language(context, pango_language_from_string("zh-cn"));
  pango_context_set_base_dir(context, PANGO_DIRECTION_LTR);
  pango_context_set_round_glyph_positions(context, FALSE);
  const std::unique_ptr<cairo_font_options_t, Release<cairo_font_options_destroy>> options(
      cairo_font_options_create());
  cairo_font_options_set_hint_style(options.get(), CAIRO_HINT_STYLE_NONE);
  cairo_font_options_set_hint_metrics(options.get(), CAIRO_HINT_METRICS_OFF);
  cairo_font_options_set_antialias(options.get(), CAIRO_ANTIALIAS_GRAY);
  pango_cairo_context_set_font_options(context, options.get());
  return fonts;
}

Status Fonts::LoadConfig(const std::string& folder) {
  config_.reset(FcConfigCreate());
  if (config_ == nullptr) return ResourceExhaustedError("fontconfig: out of memory");
  if (!FcConfigParseAndLoad(config_.get(), nullptr, FcFalse)) {
    config_.reset(FcConfigCreate());
    FcConfigParseAndLoadFromMemory(config_.get(), Bytes(kOwnConfig), FcFalse);
  }
  FcConfigBuildFonts(config_.get());
  if (folder.empty()) return OkStatus();
  std::error_code error;
  if (!std::filesystem::is_directory(folder, error))
    return InvalidArgumentError("--fonts " + folder +
                                "：不是文件夹 (expected a folder with .ttf, .otf or .ttc files)");
  FcConfigAppFontAddDir(config_.get(), Bytes(folder.c_str()));
  if (CountFonts(config_.get(), FcSetApplication) == 0)
    return InvalidArgumentError("--fonts " + folder +
                                "：其中没有能读的字体 (it holds no .ttf, .otf or .ttc that can be "
                                "read)");
  return OkStatus();
}

bool Fonts::Installed(const std::string& family) const {
  const std::unique_ptr<FcPattern, Release<FcPatternDestroy>> pattern(FcPatternCreate());
  const std::unique_ptr<FcObjectSet, Release<FcObjectSetDestroy>> nothing(FcObjectSetCreate());
  FcPatternAddString(pattern.get(), FC_FAMILY, Bytes(family.c_str()));
  // Bitmaps can't be set at any size.
  FcPatternAddBool(pattern.get(), FC_SCALABLE, FcTrue);
  const std::unique_ptr<FcFontSet, Release<FcFontSetDestroy>> found(
      FcFontList(config_.get(), pattern.get(), nothing.get()));
  return found != nullptr && found->nfont > 0;
}

Result<Fonts::Choice> Fonts::Resolve(const std::string& name) {
  if (const auto known = choices_.find(name); known != choices_.end()) return known->second;
  const auto chain = layout_.fonts.find(name);
  if (chain != layout_.fonts.end()) {
    for (std::string family : chain->second) {
      Choice choice;
      choice.bold = family.ends_with(kBoldMark);
      if (choice.bold) family.resize(family.size() - kBoldMark.size());
      if (!Installed(family)) continue;
      choice.family = std::move(family);
      return choices_[name] = choice;
    }
  }
  if (CountFonts(config_.get(), FcSetSystem) + CountFonts(config_.get(), FcSetApplication) > 0 &&
      name == layout_.latin_font) {
    // Latin letters are in every Chinese font.
    ZB_ASSIGN_OR_RETURN(const Choice body, Resolve(layout_.Look("body").font));
    return choices_[name] = body;
  }
  return FailedPreconditionError(
      "没有可用的字体：" + name +
      " 及其替代字体都没有安装；请安装（如 apt-get install fonts-noto-cjk），或者以 --fonts DIR "
      "指明字体文件夹 / neither this font nor a stand-in is installed: install fonts-noto-cjk or "
      "name "
      "a folder of fonts with --fonts DIR");
}

Result<FontDescription> Fonts::Describe(const std::string& name, double size_pt, bool bold) {
  ZB_ASSIGN_OR_RETURN(const Choice choice, Resolve(name));
  FontDescription description(pango_font_description_new());
  pango_font_description_set_family(description.get(), choice.family.c_str());
  pango_font_description_set_absolute_size(description.get(), size_pt * PANGO_SCALE);
  if (bold || choice.bold) pango_font_description_set_weight(description.get(), PANGO_WEIGHT_BOLD);
  return description;
}

bool Fonts::IsChosen(const std::string& family) const {
  return std::any_of(choices_.begin(), choices_.end(),
                     [&family](const auto& choice) { return choice.second.family == family; });
}

std::vector<std::string> Fonts::Notes() const {
  std::vector<std::string> notes;
  for (const auto& [name, choice] : choices_) {
    if (choice.family == name) continue;
    const std::string family = choice.family + (choice.bold ? " Bold" : "");
    notes.push_back("字体 " + name + " 没有安装，以 " + family + " 代替 / " + name +
                    " is not installed, " + family + " stands in");
  }
  return notes;
}

}  // namespace zhibi::exporting
