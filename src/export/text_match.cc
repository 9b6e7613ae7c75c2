// SPDX-License-Identifier: Apache-2.0
#include "export/text_match.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>

#include "base/utf8.h"

namespace zhibi::exporting {
namespace {

constexpr std::size_t kMaxMiddle = 2000;

}  // namespace

std::vector<std::size_t> KeptCharacters(const std::vector<std::string_view>& before,
                                        const std::vector<std::string_view>& now) {
  std::vector<std::size_t> kept(now.size(), kNoMatch);
  std::size_t head = 0;
  while (head < before.size() && head < now.size() && before[head] == now[head]) {
    kept[head] = head;
    ++head;
  }
  std::size_t n = before.size() - head;  // of the middle
  std::size_t m = now.size() - head;
  while (n > 0 && m > 0 && before[head + n - 1] == now[head + m - 1]) {
    kept[head + m - 1] = head + n - 1;
    --n;
    --m;
  }
  if (n == 0 || m == 0 || n > kMaxMiddle || m > kMaxMiddle) return kept;
  // length[i][j]: the longest common subsequence of the rests from i and j.
  const std::size_t width = m + 1;
  std::vector<std::uint16_t> length((n + 1) * width, 0);
  for (std::size_t i = n; i-- > 0;) {
    for (std::size_t j = m; j-- > 0;) {
      length[i * width + j] =
          before[head + i] == now[head + j]
              ? static_cast<std::uint16_t>(length[(i + 1) * width + j + 1] + 1)
              : std::max(length[(i + 1) * width + j], length[i * width + j + 1]);
    }
  }
  for (std::size_t i = 0, j = 0; i < n && j < m;) {
    if (before[head + i] == now[head + j]) {
      kept[head + j++] = head + i++;
    } else if (length[(i + 1) * width + j] >= length[i * width + j + 1]) {
      ++i;
    } else {
      ++j;
    }
  }
  return kept;
}

double Similarity(std::string_view a, std::string_view b) {
  if (a == b) return 1;
  std::map<std::string, int> pairs;
  const auto walk = [](std::string_view text, const auto& each) {
    const std::vector<std::string_view> all = base::Characters(text);
    for (std::size_t i = 0; i + 1 < all.size(); ++i)
      each(std::string(all[i]) + std::string(all[i + 1]));
    return all.size() < 2 ? 0 : all.size() - 1;
  };
  const std::size_t first = walk(a, [&](const std::string& pair) { ++pairs[pair]; });
  std::size_t common = 0;
  const std::size_t second = walk(b, [&](const std::string& pair) {
    const auto found = pairs.find(pair);
    if (found == pairs.end() || found->second == 0) return;
    --found->second;
    ++common;
  });
  if (first + second == 0) return 0;
  return 2.0 * static_cast<double>(common) / static_cast<double>(first + second);
}

}  // namespace zhibi::exporting
