// SPDX-License-Identifier: Apache-2.0
// What `zhibi statutes show` says of a statute on a day, for readers and as JSON. Pure.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include <nlohmann/json_fwd.hpp>

#include "legal/date.h"
#include "statute/store.h"
#include "statute/table.h"

namespace zhibi::cli {

struct StatuteView {
  const statute::Statute* statute = nullptr;
  statute::State state;
  legal::Date day;  // asked for
  legal::Date today;
  bool old_name = false;  // it was asked for by a name that it no longer has
  std::optional<statute::ArticleNumber> article;
  std::optional<statute::ArticleText> text;  // none: not installed, or without this article
};

// 现行, 未生效, 已废止, 状态不详.
std::string_view ForceName(statute::Force force);

// Past 180 days the snapshot says less and less; empty before.
std::string StaleWarning(const legal::Date& as_of, const legal::Date& today);

std::string ViewAsText(const StatuteView& view);
nlohmann::ordered_json ViewToJson(const StatuteView& view);

}  // namespace zhibi::cli
