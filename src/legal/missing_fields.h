// SPDX-License-Identifier: Apache-2.0
// Required fields that are not known: 【待填：title】 in the document, and a list. Also the fields
// that only a person may fill in ("x-human-only"), which no prompt may hold. Thread-safe.
#pragma once

#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "legal/doctype.h"
#include "legal/json_schema.h"

namespace zhibi::legal {

inline constexpr std::string_view kMissingMark = "【待填：";

// Is the violation that of a value that is not there (and not that of a wrong one)?
bool IsMissingViolation(const Violation& violation);

// Takes null members out: tables and forms give them for cells that are empty.
void DropNulls(nlohmann::json& value);

// Puts marks where required fields are missing, until the schema misses none.
std::vector<MissingField> FillMissing(const JsonSchema& schema, nlohmann::json& value);

// Takes every human-only field out. Does the schema have any?
void DropHumanOnly(const JsonSchema& schema, nlohmann::json& value);
bool HasHumanOnly(const JsonSchema& schema);

// Takes members out that closed objects of the schema do not know.
void PruneUnknown(const JsonSchema& schema, nlohmann::json& value);

}  // namespace zhibi::legal
