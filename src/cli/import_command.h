// SPDX-License-Identifier: Apache-2.0
// `zhibi import FILE.docx --document DRAFT.json --out NEW.json`: what became of an exported draft
// in Word, block by block, and the document with those edits.
#pragma once

#include <string>

#include "zhibi/status.h"

namespace zhibi::cli {

struct ImportOptions {
  std::string file;
  std::string document;  // the draft that was exported; empty: ids from the file alone
  std::string out;       // the new document as JSON; empty: not written
  bool reject_tracked = false;
  bool json = false;
};

// kInvalidArgument: not a DOCX, no document JSON; kDataLoss, kResourceExhausted: of the file.
Status RunImport(const ImportOptions& options);

}  // namespace zhibi::cli
