// SPDX-License-Identifier: Apache-2.0
// Stop strings on streamed text: matched across tokens and pieces, on text rather than ids, since a
// stop string has many tokenizations. Text that may still become a stop string is held back;
// everything else leaves at once. The match that ends first wins; of those that end together the
// longest (which starts first). Thread rule: one thread at a time; copies are independent streams.
// Source: Knuth, Morris and Pratt 1977, one automaton per stop string.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "zhibi/status.h"

namespace zhibi::text {

class StopMatcher {
 public:
  static constexpr std::size_t kMaxStops = 64;
  static constexpr std::size_t kMaxStopBytes = 4096;

  // Matches nothing.
  StopMatcher() = default;
  // include_stop: the stop string itself is emitted as well. kInvalidArgument: an empty stop
  // string, more than kMaxStops of them, one longer than kMaxStopBytes.
  static Result<StopMatcher> Create(std::span<const std::string> stops, bool include_stop);

  // text: valid UTF-8. Appends to dst what is certain not to belong to a stop string. Returns true
  // when a stop string is complete; the rest of `text` is dropped then, and every later call
  // returns true and emits nothing.
  bool Push(std::string_view text, std::string* dst);
  // End of the stream without a match: what is held leaves.
  void Finish(std::string* dst);
  // Ready for a new stream with the same stop strings.
  void Reset();

  bool stopped() const { return matched_ >= 0; }
  // Index into `stops` of the string that matched; -1 before.
  int matched() const { return matched_; }
  // Bytes held back.
  std::size_t num_held() const { return held_.size(); }

 private:
  std::vector<std::string> stops_;
  std::vector<std::vector<std::int32_t>>
      failure_;                     // per stop string: longest border of each prefix
  std::vector<std::size_t> state_;  // per stop string: bytes of it that the text's end matches
  std::string held_;                // the text's tail that may become a stop string
  bool include_stop_ = false;
  int matched_ = -1;
};

}  // namespace zhibi::text
