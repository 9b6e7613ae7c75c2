// SPDX-License-Identifier: Apache-2.0
// `zhibi draft`: elements of a case to a document that streams to the terminal. What the user must
// know (errors of the elements, warnings, times) comes in Chinese first, on standard error; the
// document itself on standard output.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cli/model_loader.h"

namespace zhibi::cli {

struct DraftOptions {
  // One document a type, from the same case or elements. Empty: civil-complaint.
  std::vector<std::string> doctypes;
  std::string elements;   // FILE.json; "-" reads standard input. Beside a case: what it lacks
  std::string case_file;  // FILE.json of data/schemas/case.schema.json; empty: none
  // Written atomically besides the terminal; empty: terminal only. A folder, or more than one
  // document: <id>.txt, <id>.json (legal::Document) and <id>.docx in the folder.
  std::string out;
  std::string document;        // the draft as a legal::Document, JSON; empty: none
  bool pdf = false;            // a PDF beside the text; needs `out`
  std::string fonts;           // of the PDF: a folder besides the installed ones; empty: none
  ModelOptions model;          // model.model empty: the shipped zhibi-mini
  bool no_ai = false;          // skeleton only; generated clauses get their fallback
  bool allow_missing = false;  // required fields that are not there are printed 【待填：…】
  std::uint64_t seed = 0;
  float temperature = 0;
};

// kInvalidArgument: the elements are wrong (the message lists every field, of every document; none
// is drafted then); kNotFound: a file or
// the document type; kResourceExhausted: the elements do not fit the model's context; kCancelled:
// Ctrl-C, nothing half done is left.
Status RunDraft(const DraftOptions& options);

}  // namespace zhibi::cli
