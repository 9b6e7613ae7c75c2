// SPDX-License-Identifier: Apache-2.0
// What `zhibi extract` read, for a person at a terminal: every value with its state and the words
// around it in the text, what is doubtful with the reason, what is missing in one list. Pure.
#pragma once

#include <string>
#include <string_view>

#include "extract/extract.h"
#include "legal/json_schema.h"

namespace zhibi::cli {

struct ExtractView {
  std::string title;                          // of the document type; empty: none was given
  const legal::JsonSchema* schema = nullptr;  // null: parties, claims and sums as they were read
  std::string_view text;                      // empty for a table
  std::string common_only;                    // id of a type without rules of its own; else empty
};

// 读出, 推算, 存疑, 缺失.
std::string_view StateZh(extract::State state);

// 第3行「…原告：【张三】，男…」: up to 12 characters on each side, on the value's line.
std::string Snippet(std::string_view text, std::size_t begin, std::size_t end);

// Columns a terminal needs: two for a Chinese character.
std::size_t DisplayWidth(std::string_view text);

std::string ViewAsText(const extract::Extraction& extraction, const ExtractView& view);

}  // namespace zhibi::cli
