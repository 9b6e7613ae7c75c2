// SPDX-License-Identifier: Apache-2.0
// What the readers of one text share. Thread-safe.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

#include "entity/entity.h"
#include "extract/extract.h"

namespace zhibi::extract {

// The state follows from the flags of the entity: masked, unverified, approximate, without unit.
Value MakeValue(std::string path, nlohmann::json value, const entity::Entity& entity);

// Where the sentence or the line that `from` lies in ends.
inline std::size_t SentenceEnd(std::string_view text, std::size_t from) {
  return std::min({text.find("。", from), text.find('\n', from), text.size()});
}

// Where it begins: behind the last 。 ； or line end before `at`.
std::size_t SentenceBegin(std::string_view text, std::size_t at);

}  // namespace zhibi::extract
