// SPDX-License-Identifier: Apache-2.0
#include "export/layout.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <utility>

#include <nlohmann/json.hpp>

#include "base/json.h"
#include "base/status_macros.h"

namespace zhibi::exporting {
namespace {

using nlohmann::json;

constexpr std::size_t kMaxLayoutBytes = std::size_t{1} << 20;
constexpr double kGridSlackPt = 0.5;

class Reader {
 public:
  Reader(const json& value, std::string where) : value_(value), where_(std::move(where)) {}

  const std::string& where() const { return where_; }
  bool Has(const char* key) const { return value_.is_object() && value_.contains(key); }
  const json& value() const { return value_; }

  Status Wrong(const char* key, std::string_view expected) const {
    const std::string came = Has(key) ? value_.at(key).dump() : "nothing";
    return InvalidArgumentError(where_ + "/" + key + ": expected " + std::string(expected) +
                                ", got " + came.substr(0, 60));
  }
  Status Number(const char* key, double low, double high, double* out) const {
    if (!Has(key)) return OkStatus();
    const json& number = value_.at(key);
    if (!number.is_number() || number.get<double>() < low || number.get<double>() > high)
      return Wrong(key, "a number from " + std::to_string(low) + " to " + std::to_string(high));
    *out = number.get<double>();
    return OkStatus();
  }
  Status Integer(const char* key, int low, int high, int* out) const {
    double number = *out;
    ZB_RETURN_IF_ERROR(Number(key, low, high, &number));
    if (number != std::floor(number)) return Wrong(key, "an integer");
    *out = static_cast<int>(number);
    return OkStatus();
  }
  Status Text(const char* key, std::string* out) const {
    if (!Has(key)) return OkStatus();
    if (!value_.at(key).is_string()) return Wrong(key, "a string");
    *out = value_.at(key).get<std::string>();
    return OkStatus();
  }
  Status Flag(const char* key, bool* out) const {
    if (!Has(key)) return OkStatus();
    if (!value_.at(key).is_boolean()) return Wrong(key, "true or false");
    *out = value_.at(key).get<bool>();
    return OkStatus();
  }
  Status Alignment(const char* key, Align* out) const {
    constexpr std::array<std::string_view, 4> kNames = {"left", "center", "right", "justify"};
    std::string name;
    ZB_RETURN_IF_ERROR(Text(key, &name));
    if (name.empty()) return OkStatus();
    const auto found = std::find(kNames.begin(), kNames.end(), name);
    if (found == kNames.end()) return Wrong(key, "left, center, right or justify");
    *out = static_cast<Align>(found - kNames.begin());
    return OkStatus();
  }
  Result<Reader> Object(const char* key) const {
    if (!Has(key) || !value_.at(key).is_object()) return Wrong(key, "an object");
    return Reader(value_.at(key), where_ + "/" + key);
  }

 private:
  const json& value_;
  std::string where_;
};

Status ReadPage(const Reader& root, Layout* layout) {
  ZB_ASSIGN_OR_RETURN(const Reader page, root.Object("page"));
  const std::array<std::pair<const char*, double*>, 6> sides = {
      {{"width_mm", &layout->page_width_pt},
       {"height_mm", &layout->page_height_pt},
       {"top_mm", &layout->top_pt},
       {"bottom_mm", &layout->bottom_pt},
       {"left_mm", &layout->left_pt},
       {"right_mm", &layout->right_pt}}};
  for (const auto& [key, target] : sides) {
    double mm = -1;
    ZB_RETURN_IF_ERROR(page.Number(key, 0, 1000, &mm));
    if (mm < 0) return page.Wrong(key, "millimetres");
    *target = mm * kPointsPerMm;
  }
  if (layout->text_width() < 72 || layout->text_height() < 72)
    return InvalidArgumentError(page.where() + ": the margins leave less than an inch of text");
  ZB_ASSIGN_OR_RETURN(const Reader grid, root.Object("grid"));
  ZB_RETURN_IF_ERROR(grid.Integer("lines", 1, 200, &layout->grid_lines));
  ZB_RETURN_IF_ERROR(grid.Integer("chars", 0, 200, &layout->grid_chars));
  ZB_RETURN_IF_ERROR(grid.Number("line_pt", 4, 200, &layout->line_pt));
  ZB_RETURN_IF_ERROR(grid.Number("char_pt", 0, 100, &layout->char_pt));
  if (layout->line_pt == 0) return grid.Wrong("line_pt", "points");
  const auto fits = [](int count, double pitch, double length) {
    return count == 0 || (count * pitch <= length + 0.01 && (count + 1) * pitch > length);
  };
  if (!fits(layout->grid_lines, layout->line_pt, layout->text_height() + kGridSlackPt))
    return InvalidArgumentError(grid.where() + ": " + std::to_string(layout->grid_lines) +
                                " lines of line_pt do not fill the page's text height of " +
                                std::to_string(layout->text_height()) + " pt");
  if (!fits(layout->grid_chars, layout->char_pt, layout->text_width()))
    return InvalidArgumentError(grid.where() + ": " + std::to_string(layout->grid_chars) +
                                " characters of char_pt do not fill the text width of " +
                                std::to_string(layout->text_width()) + " pt");
  return OkStatus();
}

Status ReadNumber(const Reader& root, Layout* layout) {
  ZB_ASSIGN_OR_RETURN(const Reader number, root.Object("page_number"));
  PageNumber& out = layout->number;
  ZB_RETURN_IF_ERROR(number.Text("prefix", &out.prefix));
  ZB_RETURN_IF_ERROR(number.Text("suffix", &out.suffix));
  ZB_RETURN_IF_ERROR(number.Flag("total", &out.total));
  ZB_RETURN_IF_ERROR(number.Text("font", &out.font));
  ZB_RETURN_IF_ERROR(number.Number("size_pt", 4, 72, &out.size_pt));
  ZB_RETURN_IF_ERROR(number.Alignment("odd", &out.odd));
  ZB_RETURN_IF_ERROR(number.Alignment("even", &out.even));
  ZB_RETURN_IF_ERROR(number.Number("indent_chars", 0, 20, &out.indent_chars));
  double mm = out.distance_pt / kPointsPerMm;
  ZB_RETURN_IF_ERROR(number.Number("distance_mm", 0, 50, &mm));
  out.distance_pt = mm * kPointsPerMm;
  if (out.distance_pt + out.size_pt > layout->bottom_pt)
    return number.Wrong("distance_mm", "less than the lower margin");
  return OkStatus();
}

Status ReadStyle(const Reader& in, const Layout& layout, StyleLook* look) {
  look->line_pt = layout.line_pt;
  ZB_RETURN_IF_ERROR(in.Text("name", &look->name));
  ZB_RETURN_IF_ERROR(in.Text("font", &look->font));
  ZB_RETURN_IF_ERROR(in.Number("size_pt", 4, 72, &look->size_pt));
  ZB_RETURN_IF_ERROR(in.Number("line_pt", 4, 200, &look->line_pt));
  ZB_RETURN_IF_ERROR(in.Flag("bold", &look->bold));
  ZB_RETURN_IF_ERROR(in.Alignment("align", &look->align));
  ZB_RETURN_IF_ERROR(in.Number("first_line_chars", -20, 20, &look->first_line_chars));
  ZB_RETURN_IF_ERROR(in.Number("left_chars", 0, 30, &look->left_chars));
  ZB_RETURN_IF_ERROR(in.Number("right_chars", 0, 30, &look->right_chars));
  ZB_RETURN_IF_ERROR(in.Integer("before_lines", 0, 20, &look->before_lines));
  ZB_RETURN_IF_ERROR(in.Integer("after_lines", 0, 20, &look->after_lines));
  ZB_RETURN_IF_ERROR(in.Flag("keep_next", &look->keep_next));
  ZB_RETURN_IF_ERROR(in.Integer("outline_level", -1, 8, &look->outline_level));
  if (look->name.empty()) return in.Wrong("name", "a name");
  if (layout.fonts.find(look->font) == layout.fonts.end())
    return in.Wrong("font", "a font of data/layouts/fonts.json");
  return OkStatus();
}

}  // namespace

const StyleLook& Layout::Look(std::string_view style) const {
  const auto found = styles.find(style);
  return found != styles.end() ? found->second : styles.at("body");
}

double Layout::Tracking(const StyleLook& look) const {
  if (char_pt == 0 || look.size_pt != Look("body").size_pt) return 0;
  return char_pt - look.size_pt;
}

Result<Layout> LayoutFromJson(const json& value, const json& fonts, std::string_view source) {
  Layout layout;
  const Reader root(value, std::string(source));
  if (!fonts.is_object()) return InvalidArgumentError("fonts.json: expected an object");
  for (const auto& [name, chain] : fonts.items()) {
    if (!chain.is_array()) continue;  // "about"
    for (const json& font : chain) {
      if (!font.is_string()) return InvalidArgumentError("fonts.json/" + name + ": not a name");
      layout.fonts[name].push_back(font.get<std::string>());
    }
  }
  ZB_RETURN_IF_ERROR(root.Text("id", &layout.id));
  ZB_RETURN_IF_ERROR(root.Text("title", &layout.title));
  ZB_RETURN_IF_ERROR(root.Text("latin_font", &layout.latin_font));
  ZB_RETURN_IF_ERROR(ReadPage(root, &layout));
  ZB_RETURN_IF_ERROR(ReadNumber(root, &layout));
  if (root.Has("running_head")) {
    ZB_ASSIGN_OR_RETURN(const Reader head, root.Object("running_head"));
    layout.running_head = true;
    ZB_RETURN_IF_ERROR(head.Number("size_pt", 4, 30, &layout.head_size_pt));
    ZB_RETURN_IF_ERROR(head.Text("font", &layout.head_font));
  }
  ZB_ASSIGN_OR_RETURN(const Reader styles, root.Object("styles"));
  for (const auto& [key, style] : styles.value().items()) {
    if (!style.is_object()) return styles.Wrong(key.c_str(), "an object");
    ZB_RETURN_IF_ERROR(
        ReadStyle(Reader(style, styles.where() + "/" + key), layout, &layout.styles[key]));
  }
  if (layout.styles.find("body") == layout.styles.end()) return styles.Wrong("body", "an object");
  for (const std::string* font : {&layout.latin_font, &layout.number.font, &layout.head_font}) {
    if (font == &layout.head_font && !layout.running_head) continue;
    if (layout.fonts.find(*font) == layout.fonts.end())
      return InvalidArgumentError(root.where() + ": font \"" + *font + "\" is not in fonts.json");
  }
  return layout;
}

Result<Layout> LoadLayout(const std::string& data_dir, std::string_view id) {
  const std::string folder = data_dir + "/layouts";
  const std::string path = folder + "/" + std::string(id) + ".json";
  std::error_code error;
  const bool plain = !id.empty() && id != "fonts" && id.find_first_of("/\\") == id.npos;
  if (!plain || !std::filesystem::is_regular_file(path, error)) {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(folder, error)) {
      if (entry.path().extension() == ".json" && entry.path().stem() != "fonts")
        names.push_back(entry.path().stem().string());
    }
    std::sort(names.begin(), names.end());
    std::string list;
    for (const std::string& name : names) list += (list.empty() ? "" : ", ") + name;
    return NotFoundError("没有版式 \"" + std::string(id) + "\"；有：" + list +
                         " / there is no layout of that name");
  }
  ZB_ASSIGN_OR_RETURN(const json value, base::ReadJsonFile(path, kMaxLayoutBytes));
  ZB_ASSIGN_OR_RETURN(const json fonts,
                      base::ReadJsonFile(folder + "/fonts.json", kMaxLayoutBytes));
  return LayoutFromJson(value, fonts, path);
}

Result<Layout> LayoutOf(const std::string& data_dir, const legal::Document& document,
                        const std::string& wanted) {
  const std::string& id = wanted.empty() ? document.layout : wanted;
  return LoadLayout(data_dir, id.empty() ? "court" : id);
}

}  // namespace zhibi::exporting
