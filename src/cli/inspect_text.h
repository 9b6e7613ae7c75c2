// SPDX-License-Identifier: Apache-2.0
// The JSON value of `zhibi inspect` as lines for people, and two of them as a list of differences.
// Pure functions.
#pragma once

#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

namespace zhibi::cli {

// `ops`: every op and every block of the memory map too.
std::vector<std::string> EngineText(const nlohmann::json& engine, bool ops);
// "precision: int8 | int4", one line a field that differs. Paths, places and checksums are left
// out: they follow from the rest.
std::vector<std::string> DiffEngines(const nlohmann::json& first, const nlohmann::json& second);

}  // namespace zhibi::cli
