// SPDX-License-Identifier: Apache-2.0
// Patterns of a document type (data/doctypes/<id>/extract.json) for fields that the common part
// does not read. LoadRules is in extract.h. Internal to extract. Thread-safe.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "entity/entity.h"
#include "entity/pattern.h"
#include "extract/extract.h"

namespace zhibi::extract {

// The first value of the kind within the span, without state and path; a text is the span itself.
// Empty: none, half a date, foreign money, a gap of the draft (【待填：…】).
std::optional<Value> ValueIn(FieldRule::Kind kind, std::string_view text,
                             const entity::Match::Group& span,
                             const std::vector<entity::Entity>& entities);

}  // namespace zhibi::extract
