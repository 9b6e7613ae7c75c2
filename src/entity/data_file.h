// SPDX-License-Identifier: Apache-2.0
// Reading the tables of data/entity: strict JSON, and rows whose shape is checked, so that a table
// that a user edited fails with file and row. Internal to entity. Thread-safe.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "zhibi/status.h"

namespace zhibi::entity {

// data_dir + "/entity/" + name. kNotFound, kInvalidArgument name the file.
Result<nlohmann::json> ReadTable(const std::string& data_dir, const std::string& name);

// json[key] as a list of strings; kInvalidArgument names file and key.
Result<std::vector<std::string>> StringList(const nlohmann::json& json, const std::string& key,
                                            const std::string& source);

// json[key] as rows of `columns` values each; strings, and numbers as their digits.
Result<std::vector<std::vector<std::string>>> Rows(const nlohmann::json& json,
                                                   const std::string& key, std::size_t columns,
                                                   const std::string& source);

// The text with the escapes that make it a literal in a PCRE2 pattern.
std::string Escaped(std::string_view text);
// (?:a|b|c), longest first, escaped.
std::string Alternatives(std::vector<std::string> words);

}  // namespace zhibi::entity
