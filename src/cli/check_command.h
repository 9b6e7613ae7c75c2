// SPDX-License-Identifier: Apache-2.0
// `zhibi check FILE...`: the rules over text or DOCX files, as lines for a reader or as JSON. The
// rules are loaded once for all files.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "rules/finding.h"
#include "zhibi/status.h"

namespace zhibi::cli {

struct CheckCommandOptions {
  std::vector<std::string> files;  // "-" reads standard input
  std::string doctype;             // empty: told from the text
  std::string elements;            // JSON of the case; empty: none
  std::string date;                // YYYY-MM-DD; empty: the day of the document
  std::string publish;             // P0 to P3; empty: the rules on personal data are off
  bool json = false;
};

// `has_error` says whether a finding of level error was printed (exit code 1). With several files
// each report follows the name of its file; in JSON it stands on one line with the field "file".
// kInvalidArgument, kNotFound: wrong use, an unreadable file; the files before it are reported.
Status RunCheck(const CheckCommandOptions& options, bool* has_error);

// The report as people read it: for each finding its line, the words around it with the place
// between 【 and 】, what to do and the law behind it. `text` is what was checked.
std::string FormatReport(std::string_view text, const rules::Report& report);

}  // namespace zhibi::cli
