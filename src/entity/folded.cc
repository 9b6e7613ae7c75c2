// SPDX-License-Identifier: Apache-2.0
#include "entity/folded.h"

#include "base/utf8.h"

namespace zhibi::entity {
namespace {

// U+FF10 to U+FF5A where it is a letter or digit, ％ ￥ ．; 0 for what stays.
char HalfWidth(char32_t c) {
  const bool digit = c >= U'０' && c <= U'９';
  const bool letter = (c >= U'Ａ' && c <= U'Ｚ') || (c >= U'ａ' && c <= U'ｚ');
  if (digit || letter || c == U'％' || c == U'．') return static_cast<char>(c - 0xFEE0);
  return 0;
}

}  // namespace

Folded::Folded(std::string_view text) : original_(text) {
  // All full-width forms begin with EF BC or EF BD: most texts have none but punctuation.
  for (std::size_t i = text.find('\xEF'); i != std::string_view::npos && !changed_;
       i = text.find('\xEF', i + 1)) {
    changed_ = HalfWidth(base::DecodeUtf8(text.substr(i)).code_point) != 0;
  }
  if (!changed_) return;
  folded_.reserve(text.size());
  origin_.reserve(text.size() + 1);
  for (std::size_t i = 0; i < text.size();) {
    const base::Utf8Char c = base::DecodeUtf8(text.substr(i));
    const char half = HalfWidth(c.code_point);
    const std::size_t bytes = half != 0 ? 1 : c.length;
    for (std::size_t k = 0; k < bytes; ++k) {
      folded_ += half != 0 ? half : text[i + k];
      origin_.push_back(static_cast<std::uint32_t>(i + k));
    }
    i += c.length;
  }
  origin_.push_back(static_cast<std::uint32_t>(text.size()));
}

}  // namespace zhibi::entity
