// SPDX-License-Identifier: Apache-2.0
#include "text/stop.h"

#include <algorithm>

#include "base/utf8.h"

namespace zhibi::text {
namespace {

// failure[i]: length of the longest proper border of the first i bytes.
std::vector<std::int32_t> FailureTable(std::string_view stop) {
  std::vector<std::int32_t> failure(stop.size() + 1, 0);
  std::size_t border = 0;
  for (std::size_t i = 1; i < stop.size(); ++i) {
    while (border > 0 && stop[i] != stop[border])
      border = static_cast<std::size_t>(failure[border]);
    if (stop[i] == stop[border]) ++border;
    failure[i + 1] = static_cast<std::int32_t>(border);
  }
  return failure;
}

}  // namespace

Result<StopMatcher> StopMatcher::Create(std::span<const std::string> stops, bool include_stop) {
  if (stops.size() > kMaxStops) {
    return InvalidArgumentError("stop: expected at most " + std::to_string(kMaxStops) +
                                " strings, got " + std::to_string(stops.size()));
  }
  StopMatcher matcher;
  matcher.include_stop_ = include_stop;
  for (std::size_t i = 0; i < stops.size(); ++i) {
    const std::string name = "stop[" + std::to_string(i) + "]: ";
    if (stops[i].empty())
      return InvalidArgumentError(name + "expected at least one character, got none");
    if (stops[i].size() > kMaxStopBytes) {
      return InvalidArgumentError(name + "expected at most " + std::to_string(kMaxStopBytes) +
                                  " bytes, got " + std::to_string(stops[i].size()));
    }
    if (!base::IsValidUtf8(stops[i])) return InvalidArgumentError(name + "expected valid UTF-8");
    matcher.failure_.push_back(FailureTable(stops[i]));
  }
  matcher.stops_.assign(stops.begin(), stops.end());
  matcher.state_.assign(stops.size(), 0);
  return matcher;
}

bool StopMatcher::Push(std::string_view text, std::string* dst) {
  if (stopped()) return true;
  if (stops_.empty()) {
    dst->append(text);
    return false;
  }
  for (std::size_t at = 0; at < text.size(); ++at) {
    std::size_t longest = 0;
    for (std::size_t i = 0; i < stops_.size(); ++i) {
      const std::string& stop = stops_[i];
      std::size_t& state = state_[i];
      while (state > 0 && stop[state] != text[at]) {
        state = static_cast<std::size_t>(failure_[i][state]);
      }
      if (stop[state] == text[at]) ++state;
      if (state == stop.size() && stop.size() > longest) {
        longest = stop.size();
        matched_ = static_cast<int>(i);
      }
    }
    if (longest == 0) continue;
    held_.append(text.substr(0, at + 1));
    dst->append(held_, 0, held_.size() - (include_stop_ ? 0 : longest));
    held_.clear();
    return true;
  }
  held_.append(text);
  const std::size_t keep = *std::max_element(state_.begin(), state_.end());
  dst->append(held_, 0, held_.size() - keep);
  held_.erase(0, held_.size() - keep);
  return false;
}

void StopMatcher::Finish(std::string* dst) {
  if (!stopped()) dst->append(held_);
  held_.clear();
  std::fill(state_.begin(), state_.end(), 0);
}

void StopMatcher::Reset() {
  held_.clear();
  std::fill(state_.begin(), state_.end(), 0);
  matched_ = -1;
}

}  // namespace zhibi::text
