// SPDX-License-Identifier: Apache-2.0
// `zhibi bench` and `zhibi bench limits`: speed of a model or of a random-weight shape beside the
// machine's own limits, measured as design.md §6 says: limits directly before and after each timed
// run, the median over alternated pairs, pairs whose two limits differ by over 15 % thrown away.
// Prompts are distinct and the prefix cache is off.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cli/model_loader.h"

namespace zhibi::cli {

struct BenchOptions {
  ModelOptions model;
  std::string shape;  // or model.model
  std::int64_t prompt_tokens = 512;
  std::int64_t gen_tokens = 128;
  std::int64_t depth = 0;    // cached tokens before the timed part
  std::int64_t streams = 1;  // sequences at once in the streams part
  std::int64_t warmup_ms = 200;
  std::int64_t duration_ms = 3000;
  std::vector<double> percentiles = {50, 90, 99};
  bool json = false;
};

Status RunBench(const BenchOptions& options);
// JSON or text; `quick` takes under a second and is rougher.
Status RunBenchLimits(bool json, bool quick, int threads);

}  // namespace zhibi::cli
