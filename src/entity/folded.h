// SPDX-License-Identifier: Apache-2.0
// A text with full-width letters and digits made half width, and the way back to the places of the
// original. Patterns then know one spelling. Other signs stay: their width is a finding of its own.
// Internal to entity. Thread rule: plain data.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace zhibi::entity {

class Folded {
 public:
  // `text` must be valid UTF-8 and outlive this object.
  explicit Folded(std::string_view text);

  std::string_view text() const { return changed_ ? std::string_view(folded_) : original_; }
  std::string_view original() const { return original_; }
  // Place in the original of a place in text().
  std::size_t Origin(std::size_t offset) const { return changed_ ? origin_[offset] : offset; }

 private:
  std::string_view original_;
  bool changed_ = false;
  std::string folded_;
  std::vector<std::uint32_t> origin_;  // one more than folded_ has bytes
};

}  // namespace zhibi::entity
