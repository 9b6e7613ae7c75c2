// SPDX-License-Identifier: Apache-2.0
// `zhibi extract FILE --doctype ID [--json]`: elements of a document type from a text that the user
// has, or from a filled-in table (CSV, XLSX), each value with its place and state.
#pragma once

#include <string>

#include "zhibi/status.h"

namespace zhibi::cli {

struct ExtractOptions {
  std::string file;     // text, DOCX, or a table (.csv, .xlsx); "-" reads standard input
  std::string doctype;  // empty: parties, claims, sums, dates only, no elements
  bool json = false;    // everything as JSON; else a table for people
  std::string out;      // elements as JSON, for zhibi draft --elements; empty: not written
};

// kNotFound: the document type; kInvalidArgument: not text, a table with a field that the type does
// not have.
Status RunExtract(const ExtractOptions& options);

}  // namespace zhibi::cli
