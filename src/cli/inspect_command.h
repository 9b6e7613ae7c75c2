// SPDX-License-Identifier: Apache-2.0
// `zhibi inspect FILE [OTHER]`: what an engine file holds and why, whether this machine can run it,
// and, with a second file, what differs.
#pragma once

#include <string>

#include "zhibi/status.h"

namespace zhibi::cli {

struct InspectOptions {
  std::string file;
  std::string other;            // a second engine: print differences only
  std::string backend = "cpu";  // the device that "this machine" means
  bool json = false;
  bool verify = false;  // read all weights and compare their checksum
  bool ops = false;     // every op with its kernels and every block of the memory map
};

// A file that this machine cannot run is explained, not refused: the answer is ok. kDataLoss: a
// damaged file; kFailedPrecondition: a newer format, with the command that mends it.
Status RunInspect(const InspectOptions& options);

}  // namespace zhibi::cli
