// SPDX-License-Identifier: Apache-2.0
#include "legal/element_path.h"

#include <algorithm>
#include <utility>

#include "base/status_macros.h"

namespace zhibi::legal {
namespace {

constexpr std::size_t kMaxIndex = 999;

}  // namespace

Result<std::vector<PathStep>> ParsePath(const std::string& path) {
  std::vector<PathStep> steps;
  const Status bad = InvalidArgumentError("path \"" + path + "\": expected a.b[0].c");
  for (std::size_t at = 0; at < path.size();) {
    if (path[at] == '[') {
      std::size_t index = 0;
      std::size_t digits = 0;
      for (++at; at < path.size() && path[at] >= '0' && path[at] <= '9' && digits < 4; ++at) {
        index = index * 10 + static_cast<std::size_t>(path[at] - '0');
        ++digits;
      }
      if (steps.empty() || digits == 0 || index > kMaxIndex || at >= path.size() ||
          path[at] != ']') {
        return bad;
      }
      ++at;
      steps.push_back({"", index});
      if (at < path.size() && path[at] != '.' && path[at] != '[') return bad;
      if (at < path.size() && path[at] == '.') ++at;
      if (at == path.size() && path.back() == '.') return bad;
      continue;
    }
    const std::size_t end = std::min(path.find_first_of(".[", at), path.size());
    if (end == at) return bad;
    steps.push_back({path.substr(at, end - at), 0});
    at = end;
    if (at < path.size() && path[at] == '.') {
      ++at;
      if (at == path.size() || path[at] == '[') return bad;
    }
  }
  if (steps.empty() || steps.size() > 16) return bad;
  return steps;
}

const nlohmann::json* FindPath(const nlohmann::json& root, const std::string& path) {
  const Result<std::vector<PathStep>> steps = ParsePath(path);
  if (!steps.ok()) return nullptr;
  const nlohmann::json* at = &root;
  for (const PathStep& step : *steps) {
    if (step.key.empty()) {
      if (!at->is_array() || step.index >= at->size()) return nullptr;
      at = &(*at)[step.index];
    } else {
      if (!at->is_object()) return nullptr;
      const auto found = at->find(step.key);
      if (found == at->end()) return nullptr;
      at = &*found;
    }
  }
  return at;
}

Status SetPath(const std::string& path, nlohmann::json value, nlohmann::json& root) {
  ZB_ASSIGN_OR_RETURN(const std::vector<PathStep> steps, ParsePath(path));
  nlohmann::json* at = &root;
  for (const PathStep& step : steps) {
    if (step.key.empty()) {
      if (at->is_null()) *at = nlohmann::json::array();
      if (!at->is_array() || step.index > at->size()) {
        return InvalidArgumentError("path \"" + path + "\": item " + std::to_string(step.index) +
                                    " of what is no list or ends before it");
      }
      if (step.index == at->size()) at->push_back(nullptr);
      at = &(*at)[step.index];
    } else {
      if (at->is_null()) *at = nlohmann::json::object();
      if (!at->is_object()) {
        return InvalidArgumentError("path \"" + path + "\": \"" + step.key +
                                    "\" of what is no object");
      }
      at = &(*at)[step.key];
    }
  }
  *at = std::move(value);
  return OkStatus();
}

}  // namespace zhibi::legal
