// SPDX-License-Identifier: Apache-2.0
// `zhibi redact FILE --publish P0..P3`: a text for publication, its mapping in a file of its own
// (readable by the owner only), and back again with --restore.
#pragma once

#include <string>

#include "zhibi/status.h"

namespace zhibi::cli {

struct RedactOptions {
  std::string file;          // "-" reads standard input
  std::string level = "P2";  // P0 to P3
  std::string elements;      // JSON of the case: its names are found wherever they stand
  std::string map;           // where the mapping goes; empty: it is thrown away
  std::string restore;       // a mapping: gives the original back
  std::string out;           // empty: standard output
};

// kFailedPrecondition: something sensitive is still found after replacing (nothing is written);
// kInvalidArgument: not text, a bad level or mapping, a text that was edited since.
Status RunRedact(const RedactOptions& options);

}  // namespace zhibi::cli
