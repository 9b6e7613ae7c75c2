// SPDX-License-Identifier: Apache-2.0
// `zhibi logits`: raw logits and greedy continuations of token-id lists, for comparison with other
// implementations.
#pragma once

#include <cstdint>
#include <string>

#include "cli/model_loader.h"

namespace zhibi::cli {

struct LogitsOptions {
  ModelOptions model;
  std::string ids;  // FILE.json: a list of token-id lists
  std::string out;  // folder for logits<i>.npy (f32 [len, vocab]) and greedy<i>.npy (i64 [N])
  std::int64_t greedy = 0;  // tokens to continue with, not stopping at end tokens
};

Status RunLogits(const LogitsOptions& options);

// A JSON list of lists of ids; messages name list, place and value. Shared with tests.
Result<std::vector<std::vector<runtime::TokenId>>> ParseIdLists(const std::string& text,
                                                                const std::string& source);

}  // namespace zhibi::cli
