// SPDX-License-Identifier: Apache-2.0
// `zhibi tokenize`: token ids of a text, or of a JSON list of texts.
#pragma once

#include <string>

#include "zhibi/status.h"

namespace zhibi::cli {

struct TokenizeOptions {
  std::string model;
  std::string text;
  std::string file;  // FILE.json: a list of strings; the answer is a list of id lists
  bool json = false;
  bool parse_special = false;  // control tokens in the text count
  bool add_special_tokens = false;
};

Status RunTokenize(const TokenizeOptions& options);

}  // namespace zhibi::cli
