// SPDX-License-Identifier: Apache-2.0
// Element-style forms (要素式): rows "原告1（自然人）｜姓名：张三↵性别：☑男　☐女", in a text of
// ours or in a DOCX as it is read (cells apart by ｜, lines of a cell by ↵). What a row is about is
// found by the titles of the schema's fields; no document type is known here. Internal to extract.
// Thread-safe.
#pragma once

#include <string_view>
#include <vector>

#include "extract/extract.h"
#include "legal/json_schema.h"

namespace zhibi::extract {

// Is the text a filled-in form? Two rows of parties or titled rows at least.
bool IsForm(std::string_view text);

// Adds the parties of the form to the result. With a schema, answers the values of its other rows,
// with their paths; boxes that nobody ticked, 无 and （未填写） give none.
std::vector<Value> ReadForm(std::string_view text, const legal::JsonSchema* schema,
                            Extraction& result);

}  // namespace zhibi::extract
