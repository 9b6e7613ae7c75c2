// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <string>
#include <string_view>

#include "legal/chinese_number.h"
#include "statute/table.h"

namespace zhibi::statute {
namespace {

constexpr std::array<std::string_view, 11> kNames{
    "宪法",       "基本法律",           "法律",     "法律解释", "行政法规",
    "地方性法规", "自治条例和单行条例", "司法解释", "规章",     "规范性文件",
    "国际条约"};

}  // namespace

std::string_view KindName(Kind kind) { return kNames[static_cast<std::size_t>(kind)]; }

std::optional<Kind> KindFromName(std::string_view name) {
  const auto* const found = std::find(kNames.begin(), kNames.end(), name);
  if (found == kNames.end()) return std::nullopt;
  return static_cast<Kind>(found - kNames.begin());
}

std::string FormatArticle(ArticleNumber article) {
  std::string text = "第" + legal::ToChineseNumber(article.number) + "条";
  if (article.inserted > 0) text += "之" + legal::ToChineseNumber(article.inserted);
  return text;
}

}  // namespace zhibi::statute
