// SPDX-License-Identifier: Apache-2.0
#include "extract/table_parts.h"

namespace zhibi::extract {

std::string FirstOf(const std::string& path) {
  std::string first;
  for (std::size_t i = 0; i < path.size(); ++i) {
    first += path[i];
    if (path[i] != '[') continue;
    first += '0';
    while (i + 1 < path.size() && path[i + 1] >= '0' && path[i + 1] <= '9') ++i;
  }
  return first;
}

std::string Trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t");
  if (begin == std::string_view::npos) return {};
  return std::string(text.substr(begin, text.find_last_not_of(" \t") - begin + 1));
}

}  // namespace zhibi::extract
