// SPDX-License-Identifier: Apache-2.0
// Brings elements into one spelling, driven by annotations of the schema, so that no document type
// needs code:
//   "x-kind": "date"            any spelling of a day -> "2024-03-05"
//   "x-kind": "money"           a sum in yuan, number or text -> fen under the key of "x-into"
//   "x-kind": "percent"         12, "12%" -> 12
//   "x-kind": "citizen_number"  check digit; "x-fills": {"sex": KEY, "birth_date": KEY} fills or
//                               compares siblings
//   "x-kind": "id_document"     as citizen_number where the sibling named by "x-type" is missing or
//                               居民身份证; other documents are one line of text
//   "x-kind": "credit_code"     check digits
//   "x-kind": "paragraph"       line ends are kept; every other text is trimmed and its line ends
//                               become one blank
//   "default"                   the value of a missing property
// Thread-safe.
#pragma once

#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "legal/json_schema.h"

namespace zhibi::legal {

// Changes `value` in place and appends what can't be brought into form. Values of a type that the
// schema does not allow are left alone: validation has named them.
void Normalise(const JsonSchema& schema, nlohmann::json& value, std::vector<Violation>& violations);

}  // namespace zhibi::legal
