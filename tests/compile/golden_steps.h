// SPDX-License-Identifier: Apache-2.0
// The steps on which compiled models are compared: three sequences of a golden model, all but three
// tokens at once, then one token each, three times. For the tests of this folder.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "support/golden_model.h"
#include "support/graph_interpreter.h"

namespace zhibi::test {

inline constexpr std::size_t kDecoderSteps = 4;

inline std::vector<StepDriver::Rows> StepRows(const GoldenModel& model, std::size_t step,
                                              bool encode) {
  std::vector<StepDriver::Rows> rows;
  for (std::size_t s = 0; s < std::min<std::size_t>(model.sequences.size(), 3); ++s) {
    const GoldenSequence& sequence = model.sequences[s];
    StepDriver::Rows one;
    one.sequence = static_cast<std::int64_t>(s);
    if (encode) {
      one.ids = sequence.source.empty() ? sequence.ids : sequence.source;
      one.token_types = sequence.token_types;
    } else {
      const std::size_t size = std::min<std::size_t>(sequence.ids.size(), 40);
      if (size < 5) continue;
      const std::size_t begin = step == 0 ? 0 : size - 4 + step;
      const std::size_t end = step == 0 ? size - 3 : begin + 1;
      one.ids.assign(sequence.ids.begin() + static_cast<std::ptrdiff_t>(begin),
                     sequence.ids.begin() + static_cast<std::ptrdiff_t>(end));
      one.wanted.push_back(static_cast<std::int32_t>(one.ids.size()) - 1);
      if (step == 0) one.wanted.push_back(1);
    }
    rows.push_back(std::move(one));
  }
  return rows;
}

}  // namespace zhibi::test
