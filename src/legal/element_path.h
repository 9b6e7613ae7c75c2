// SPDX-License-Identifier: Apache-2.0
// Paths of elements ("plaintiffs[0].agents[1].name") in JSON. Thread-safe.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "zhibi/status.h"

namespace zhibi::legal {

struct PathStep {
  std::string key;        // of an object; empty: an index
  std::size_t index = 0;  // of a list, at most 999
};

// kInvalidArgument: not a path, or of more than 16 steps.
Result<std::vector<PathStep>> ParsePath(const std::string& path);

// null: nothing there.
const nlohmann::json* FindPath(const nlohmann::json& root, const std::string& path);

// Makes the objects and lists on the way. kInvalidArgument: not a path, a list index that would
// leave a gap or is over 999, or a value on the way that is no object or list.
Status SetPath(const std::string& path, nlohmann::json value, nlohmann::json& root);

}  // namespace zhibi::legal
