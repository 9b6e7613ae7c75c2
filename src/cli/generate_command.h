// SPDX-License-Identifier: Apache-2.0
// `zhibi generate`: text from a prompt or a chat, streamed to the terminal or as one JSON object.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cli/model_loader.h"

namespace zhibi::cli {

struct GenerateOptions {
  ModelOptions model;
  std::string prompt;
  std::string chat;  // FILE.json: a list of {"role", "content"}; "-" reads standard input
  std::int64_t max_tokens = 256;
  runtime::SamplingOptions sampling;
  std::vector<std::string> stops;
  bool ignore_eos = false;
  bool json = false;
};

Status RunGenerate(const GenerateOptions& options);

}  // namespace zhibi::cli
