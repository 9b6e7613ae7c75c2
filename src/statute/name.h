// SPDX-License-Identifier: Apache-2.0
// Names of statutes in one spelling, so that a table finds them however they are written. Marks of
// names within names are dropped, not evened: texts leave them out as often as they set them.
// Internal to statute; NormaliseName (table.h) is the public one. Thread-safe.
#pragma once

#include <string>
#include <string_view>

namespace zhibi::statute {

// Width, brackets, marks and blanks evened; the words stay, so two names that are equal here are
// the same name in full.
std::string EvenName(std::string_view name);

// 中华人民共和国, with which the name of a law begins and which short names leave out.
inline constexpr std::string_view kCountry = "中华人民共和国";

}  // namespace zhibi::statute
