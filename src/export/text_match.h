// SPDX-License-Identifier: Apache-2.0
// How much of a text is another one, character by character: what an edit kept, and which of two
// paragraphs a third one was. Own code, since it works over characters of UTF-8 and has a bound on
// its work. Thread-safe.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

namespace zhibi::exporting {

inline constexpr std::size_t kNoMatch = static_cast<std::size_t>(-1);

// For each character of `now` the index of the character of `before` that it was, or kNoMatch; the
// indices grow. A longest common subsequence; where the parts that differ are longer than 2000
// characters each, only their ends are compared.
std::vector<std::size_t> KeptCharacters(const std::vector<std::string_view>& before,
                                        const std::vector<std::string_view>& now);

// 0 to 1: pairs of neighbouring characters in common (Dice). Texts of one character: equal or not.
double Similarity(std::string_view a, std::string_view b);

}  // namespace zhibi::exporting
