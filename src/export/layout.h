// SPDX-License-Identifier: Apache-2.0
// Layout: how a kind of paper looks, as data (data/layouts/<id>.json): page, grid of lines and
// characters, fonts with their chains of replacements, page numbers, one look per paragraph style.
// DOCX and PDF are set from the same object. Sources: GB/T 9704-2012, 法〔2016〕221号; each file
// says which and what is a convention only. Lengths in points unless named otherwise. Immutable.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "legal/document.h"
#include "zhibi/status.h"

namespace zhibi::exporting {

inline constexpr double kPointsPerMm = 72.0 / 25.4;

enum class Align : unsigned char { kLeft, kCenter, kRight, kJustify };

struct StyleLook {
  std::string name;  // as Word's list of styles shows it
  std::string font;  // name that courts use, a key of Layout::fonts
  double size_pt = 16;
  double line_pt = 0;  // exact distance of baselines
  bool bold = false;
  Align align = Align::kJustify;
  double first_line_chars = 0;  // of this style's size
  double left_chars = 0;
  double right_chars = 0;
  int before_lines = 0;  // whole lines of the grid, so that the text stays on it
  int after_lines = 0;
  bool keep_next = false;
  int outline_level = -1;  // 0..8: a heading of Word
};

struct PageNumber {
  std::string prefix;  // "— " before the number
  std::string suffix;
  bool total = false;  // "1/N"
  std::string font;
  double size_pt = 14;
  Align odd = Align::kCenter;
  Align even = Align::kCenter;
  double indent_chars = 0;  // from the edge of the text
  double distance_pt = 20;  // from the text's lower edge to the number's upper edge
};

struct Layout {
  std::string id;
  std::string title;
  double page_width_pt = 0;
  double page_height_pt = 0;
  double top_pt = 0;
  double bottom_pt = 0;
  double left_pt = 0;
  double right_pt = 0;
  int grid_lines = 0;  // lines of a full page
  int grid_chars = 0;  // characters of a full line; 0: as many as fit
  double line_pt = 0;
  double char_pt = 0;  // distance of characters of `body`; 0: the size of the font
  std::string latin_font;
  bool running_head = false;  // title left, case number right, above each page
  double head_size_pt = 9;
  std::string head_font;
  PageNumber number;
  std::map<std::string, StyleLook, std::less<>> styles;
  std::map<std::string, std::vector<std::string>, std::less<>>
      fonts;  // name: replacements in order

  double text_width() const { return page_width_pt - left_pt - right_pt; }
  double text_height() const { return page_height_pt - top_pt - bottom_pt; }
  // The look of a style; an unknown style is "body".
  const StyleLook& Look(std::string_view style) const;
  // What is added to the advance of each character of that look so that the grid is met (≤ 0).
  double Tracking(const StyleLook& look) const;
};

// `source` names the file in messages. kInvalidArgument names the member, what was expected, what
// came.
Result<Layout> LayoutFromJson(const nlohmann::json& json, const nlohmann::json& fonts,
                              std::string_view source);

// data/layouts/<id>.json of the folder `data_dir`. kNotFound lists the layouts that are there.
Result<Layout> LoadLayout(const std::string& data_dir, std::string_view id);
// The layout that is `wanted`, else the document's own, else the courts'.
Result<Layout> LayoutOf(const std::string& data_dir, const legal::Document& document,
                        const std::string& wanted = {});

}  // namespace zhibi::exporting
